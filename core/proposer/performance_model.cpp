// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/proposer/performance_model.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numbers>

namespace tilewright {
namespace {

/// Shares of the variance: what the structure decides, what tunables decide in any structure, and in this one.
constexpr double structureShare = 0.45, tunablesShare = 0.20, togetherShare = 0.35;
/// Share that is noise: timing, and what the coordinates do not say.
constexpr double noiseShare = 0.01;
/// Log scores further below the best than this count as this far below: the model is to know the summit, not the plain.
constexpr double depthOfView = 1.6;

std::vector<ModelSample> bestAndNewest(std::vector<ModelSample> samples, std::size_t most)
{
    if (samples.size() <= most)
        return samples;
    const std::size_t newest = most / 3;
    std::stable_sort(samples.begin(), samples.end() - static_cast<std::ptrdiff_t>(newest),
        [](const ModelSample& a, const ModelSample& b) { return a.logScore > b.logScore; });
    samples.erase(samples.begin() + static_cast<std::ptrdiff_t>(most - newest),
        samples.end() - static_cast<std::ptrdiff_t>(newest));
    return samples;
}

} // namespace

ModelPoint pointOf(const std::vector<std::string>& moves, const std::vector<Tunable>& tunables)
{
    ModelPoint point{{moves.begin(), moves.end()}, {}};
    for (const Tunable& tunable : tunables) {
        const auto at = std::find(tunable.choices.begin(), tunable.choices.end(), tunable.value);
        const auto last = static_cast<double>(std::max<std::size_t>(2, tunable.choices.size()) - 1);
        point.position[tunable.name] = static_cast<double>(at - tunable.choices.begin()) / last;
    }
    return point;
}

PerformanceModel::PerformanceModel(std::vector<ModelSample> samples)
    : m_samples(bestAndNewest(std::move(samples), largest))
{
    if (m_samples.empty())
        return;
    m_best = -std::numeric_limits<double>::infinity();
    for (const ModelSample& sample : m_samples)
        m_best = std::max(m_best, sample.logScore);
    for (ModelSample& sample : m_samples) {
        sample.logScore = std::max(sample.logScore, m_best - depthOfView);
        m_mean += sample.logScore / static_cast<double>(m_samples.size());
    }
    double variance = 0;
    for (const ModelSample& sample : m_samples)
        variance += (sample.logScore - m_mean) * (sample.logScore - m_mean) / static_cast<double>(m_samples.size());
    m_variance = std::max(variance, 0.01);

    intern();
    fit();
}

/// First one scale for all tunables, then each by itself, held to what is usual. With many samples the second is not
/// worth its time, which grows with their cube.
void PerformanceModel::fit()
{
    constexpr double usualScale = 0.6, octaves = 1.5;
    constexpr std::size_t fewSamples = 60;
    const int rounds = m_samples.size() <= fewSamples ? 2 : 0;
    const std::size_t tunables = m_tunableIndex.size();
    Scales likeliest{3, std::vector<double>(tunables, usualScale)}; // where no likelihood is a number
    double highest = -std::numeric_limits<double>::infinity();
    const auto attempt = [&](const Scales& scales) {
        double likelihood = factorise(scales);
        for (const double scale : scales.tunables) {
            const double off = std::log2(scale / usualScale) / octaves;
            likelihood -= 0.5 * off * off;
        }
        if (!(likelihood > highest))
            return;
        highest = likelihood;
        likeliest = scales;
    };
    for (const double moves : {1.5, 4.0})
        for (const double scale : {0.3, 0.6, 1.2})
            attempt({moves, std::vector<double>(tunables, scale)});
    for (int round = 0; round < rounds; ++round)
        for (std::size_t i = 0; i < tunables; ++i)
            for (const double factor : {0.5, 2.0}) {
                Scales other = likeliest;
                other.tunables[i] *= factor;
                attempt(other);
            }
    factorise(likeliest);
}

void PerformanceModel::intern()
{
    for (const ModelSample& sample : m_samples) {
        for (const std::string& move : sample.point.moves)
            m_moveIndex.try_emplace(move, m_moveIndex.size());
        for (const auto& [name, at] : sample.point.position)
            m_tunableIndex.try_emplace(name, m_tunableIndex.size());
    }
    for (const ModelSample& sample : m_samples)
        m_places.push_back(placeOf(sample.point));
    for (std::size_t i = 0; i < m_places.size(); ++i)
        for (std::size_t j = 0; j <= i; ++j) {
            m_movesApart.push_back(differingMoves(m_places[i], m_places[j]));
            addSquares(m_places[i], m_places[j], m_squares);
        }
}

PerformanceModel::Place PerformanceModel::placeOf(const ModelPoint& point) const
{
    // Moves that no sample has share the bit behind the known ones: something unknown is in there.
    Place place{std::vector<std::uint64_t>(m_moveIndex.size() / 64 + 1),
        std::vector<double>(m_tunableIndex.size(), std::numeric_limits<double>::quiet_NaN())};
    for (const std::string& move : point.moves) {
        const auto known = m_moveIndex.find(move);
        const std::size_t bit = known == m_moveIndex.end() ? m_moveIndex.size() : known->second;
        place.moves[bit / 64] |= std::uint64_t(1) << (bit % 64);
    }
    for (const auto& [name, at] : point.position)
        if (const auto known = m_tunableIndex.find(name); known != m_tunableIndex.end())
            place.position[known->second] = at;
    return place;
}

double PerformanceModel::differingMoves(const Place& a, const Place& b)
{
    int differing = 0;
    for (std::size_t word = 0; word < a.moves.size(); ++word)
        differing += std::popcount(a.moves[word] ^ b.moves[word]);
    return differing;
}

void PerformanceModel::addSquares(const Place& a, const Place& b, std::vector<double>& squares)
{
    for (std::size_t i = 0; i < a.position.size(); ++i) {
        const double difference = a.position[i] - b.position[i];
        squares.push_back(std::isnan(difference) ? 0 : difference * difference);
    }
}

double PerformanceModel::kernel(double moves, const double* squares) const
{
    double apart = 0;
    for (std::size_t i = 0; i < m_scales.tunables.size(); ++i)
        apart += squares[i] / (m_scales.tunables[i] * m_scales.tunables[i]);
    const double structure = std::exp(-moves / m_scales.moves), tunables = std::exp(-0.5 * apart);
    return m_variance * (structureShare * structure + tunablesShare * tunables + togetherShare * structure * tunables);
}

double PerformanceModel::factorise(const Scales& scales)
{
    m_scales = scales;
    const std::size_t n = m_samples.size(), tunables = m_tunableIndex.size();
    m_factor.assign(n * (n + 1) / 2, 0.0);
    const auto row = [&](std::size_t i) { return m_factor.data() + i * (i + 1) / 2; };
    double logDeterminant = 0;
    for (std::size_t i = 0; i < n; ++i) {
        double* const mine = row(i);
        for (std::size_t j = 0; j <= i; ++j) {
            const std::size_t pair = i * (i + 1) / 2 + j;
            double sum = kernel(m_movesApart[pair], m_squares.data() + pair * tunables)
                + (i == j ? noiseShare * m_variance : 0.0);
            const double* const other = row(j);
            for (std::size_t k = 0; k < j; ++k)
                sum -= mine[k] * other[k];
            // Tunables that one of two programs lacks make the kernel only nearly positive definite: hold the floor.
            mine[j] = i == j ? std::sqrt(std::max(sum, 1e-3 * m_variance)) : sum / other[j];
        }
        logDeterminant += 2 * std::log(mine[i]);
    }
    m_weights.resize(n);
    double fit = 0;
    for (std::size_t i = 0; i < n; ++i) {
        double sum = m_samples[i].logScore - m_mean;
        for (std::size_t k = 0; k < i; ++k)
            sum -= row(i)[k] * m_weights[k];
        m_weights[i] = sum / row(i)[i];
        fit += m_weights[i] * m_weights[i];
    }
    for (std::size_t i = n; i-- > 0;) {
        for (std::size_t k = i + 1; k < n; ++k)
            m_weights[i] -= row(k)[i] * m_weights[k];
        m_weights[i] /= row(i)[i];
    }
    return -0.5 * (fit + logDeterminant);
}

Prediction PerformanceModel::predict(const ModelPoint& point) const
{
    const std::size_t n = m_samples.size();
    const Place place = placeOf(point);
    std::vector<double> shared(n), squares;
    double mean = m_mean, variance = m_variance;
    for (std::size_t i = 0; i < n; ++i) {
        squares.clear();
        addSquares(place, m_places[i], squares);
        shared[i] = kernel(differingMoves(place, m_places[i]), squares.data());
        mean += shared[i] * m_weights[i];
    }
    for (std::size_t i = 0; i < n; ++i) {
        const double* const row = m_factor.data() + i * (i + 1) / 2;
        for (std::size_t k = 0; k < i; ++k)
            shared[i] -= row[k] * shared[k];
        shared[i] /= row[i];
        variance -= shared[i] * shared[i];
    }
    return {mean, std::sqrt(std::max(variance, 1e-8))};
}

double PerformanceModel::expectedImprovement(const ModelPoint& point) const
{
    const Prediction guess = predict(point);
    const double gain = guess.mean - m_best, z = gain / guess.deviation;
    const double density = std::exp(-0.5 * z * z) / std::sqrt(2 * std::numbers::pi);
    const double below = 0.5 * std::erfc(-z / std::numbers::sqrt2);
    return gain * below + guess.deviation * density;
}

} // namespace tilewright
