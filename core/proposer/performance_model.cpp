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
    Scales likeliest;
    double highest = -std::numeric_limits<double>::infinity();
    for (const double moves : {1.5, 4.0})
        for (const double tunables : {0.3, 0.6, 1.2})
            if (const double likelihood = factorise({moves, tunables}); likelihood > highest) {
                highest = likelihood;
                likeliest = {moves, tunables};
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
        for (std::size_t j = 0; j <= i; ++j)
            m_distances.push_back(distance(m_places[i], m_places[j]));
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

PerformanceModel::Distance PerformanceModel::distance(const Place& a, const Place& b)
{
    Distance apart;
    for (std::size_t word = 0; word < a.moves.size(); ++word)
        apart.moves += std::popcount(a.moves[word] ^ b.moves[word]);
    for (std::size_t i = 0; i < a.position.size(); ++i)
        if (const double difference = a.position[i] - b.position[i]; !std::isnan(difference))
            apart.squares += difference * difference;
    return apart;
}

double PerformanceModel::kernel(const Distance& distance) const
{
    const double structure = std::exp(-distance.moves / m_scales.moves);
    const double tunables = std::exp(-0.5 * distance.squares / (m_scales.tunables * m_scales.tunables));
    return m_variance * (structureShare * structure + tunablesShare * tunables + togetherShare * structure * tunables);
}

double PerformanceModel::factorise(const Scales& scales)
{
    m_scales = scales;
    const std::size_t n = m_samples.size();
    m_factor.assign(n * (n + 1) / 2, 0.0);
    const auto row = [&](std::size_t i) { return m_factor.data() + i * (i + 1) / 2; };
    double logDeterminant = 0;
    for (std::size_t i = 0; i < n; ++i) {
        double* const mine = row(i);
        for (std::size_t j = 0; j <= i; ++j) {
            double sum = kernel(m_distances[i * (i + 1) / 2 + j]) + (i == j ? noiseShare * m_variance : 0.0);
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
    std::vector<double> shared(n);
    double mean = m_mean, variance = m_variance;
    for (std::size_t i = 0; i < n; ++i) {
        shared[i] = kernel(distance(place, m_places[i]));
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
