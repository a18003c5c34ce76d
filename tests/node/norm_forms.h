// SPDX-License-Identifier: GPL-3.0-or-later
// Softmax, LayerNorm and RMSNorm in the forms in which people write them, their truth in double precision, and wrong
// ones. Shared by the tests of the gates and by tests/bench/sums.
#pragma once

#include "core/node/inputs.h"
#include "core/node/output_gates.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

namespace tilewright::forms {

constexpr float epsilon = 1e-5f;

/// x, gamma, beta → y of one row.
using Row = std::function<void(const float* x, const float* gamma, const float* beta, float* y, int n)>;

template <typename Sum> inline void twoPasses(const float* x, const float* gamma, const float* beta, float* y, int n)
{
    Sum mean = 0, variance = 0;
    for (int i = 0; i < n; ++i)
        mean += x[i];
    mean /= Sum(n);
    for (int i = 0; i < n; ++i)
        variance += (x[i] - mean) * (x[i] - mean);
    const Sum scale = 1 / std::sqrt(variance / Sum(n) + epsilon);
    for (int i = 0; i < n; ++i)
        y[i] = static_cast<float>((x[i] - mean) * scale * gamma[i] + beta[i]);
}

template <typename Sum> inline void onePass(const float* x, const float* gamma, const float* beta, float* y, int n)
{
    Sum sum = 0, squares = 0;
    for (int i = 0; i < n; ++i) {
        sum += x[i];
        squares += Sum(x[i]) * x[i];
    }
    const Sum mean = sum / Sum(n), scale = 1 / std::sqrt(squares / Sum(n) - mean * mean + epsilon);
    for (int i = 0; i < n; ++i)
        y[i] = static_cast<float>((x[i] - mean) * scale * gamma[i] + beta[i]);
}

inline void welford(const float* x, const float* gamma, const float* beta, float* y, int n)
{
    float mean = 0, squares = 0;
    for (int i = 0; i < n; ++i) {
        const float delta = x[i] - mean;
        mean += delta / static_cast<float>(i + 1);
        squares += delta * (x[i] - mean);
    }
    const float scale = 1 / std::sqrt(squares / static_cast<float>(n) + epsilon);
    for (int i = 0; i < n; ++i)
        y[i] = (x[i] - mean) * scale * gamma[i] + beta[i];
}

inline void eightLanes(const float* x, const float* gamma, const float* beta, float* y, int n)
{
    float lanes[8] = {}, others[8] = {};
    for (int i = 0; i < n; ++i)
        lanes[i % 8] += x[i];
    float mean = 0, variance = 0;
    for (const float lane : lanes)
        mean += lane;
    mean /= static_cast<float>(n);
    for (int i = 0; i < n; ++i)
        others[i % 8] += (x[i] - mean) * (x[i] - mean);
    for (const float lane : others)
        variance += lane;
    const float scale = 1 / std::sqrt(variance / static_cast<float>(n) + epsilon);
    for (int i = 0; i < n; ++i)
        y[i] = (x[i] - mean) * scale * gamma[i] + beta[i];
}

template <typename Sum> inline void rms(const float* x, const float* gamma, const float*, float* y, int n)
{
    Sum squares = 0;
    for (int i = 0; i < n; ++i)
        squares += Sum(x[i]) * x[i];
    const Sum scale = 1 / std::sqrt(squares / Sum(n) + epsilon);
    for (int i = 0; i < n; ++i)
        y[i] = static_cast<float>(x[i] * scale * gamma[i]);
}

template <typename Sum> inline void softmax(const float* x, const float*, const float*, float* y, int n)
{
    float most = x[0];
    for (int i = 1; i < n; ++i)
        most = x[i] > most ? x[i] : most;
    Sum sum = 0;
    for (int i = 0; i < n; ++i) {
        y[i] = std::exp(x[i] - most);
        sum += y[i];
    }
    for (int i = 0; i < n; ++i)
        y[i] = static_cast<float>(y[i] / sum);
}

inline void onlineSoftmax(const float* x, const float*, const float*, float* y, int n)
{
    float most = x[0], sum = 0;
    for (int i = 0; i < n; ++i) {
        const float next = x[i] > most ? x[i] : most;
        sum = sum * std::exp(most - next) + std::exp(x[i] - next);
        most = next;
    }
    for (int i = 0; i < n; ++i)
        y[i] = std::exp(x[i] - most) / sum;
}

enum class Operation { LayerNorm, RmsNorm, Softmax };

/// In double, without a rounding on the way.
inline void truthOf(Operation operation, const float* x, const float* gamma, const float* beta, double* y, int n)
{
    double sum = 0, squares = 0, most = x[0], exponentials = 0;
    for (int i = 0; i < n; ++i) {
        sum += x[i];
        most = std::max(most, double(x[i]));
    }
    const double mean = operation == Operation::LayerNorm ? sum / n : 0;
    for (int i = 0; i < n; ++i) {
        squares += (x[i] - mean) * (x[i] - mean);
        exponentials += std::exp(x[i] - most);
    }
    const double scale = 1 / std::sqrt(squares / n + epsilon);
    for (int i = 0; i < n; ++i)
        y[i] = operation == Operation::Softmax
            ? std::exp(x[i] - most) / exponentials
            : (x[i] - mean) * scale * gamma[i] + (operation == Operation::LayerNorm ? beta[i] : 0);
}

struct Form {
    const char* name;
    Operation operation;
    Row row;
};

inline std::vector<Form> honestForms()
{
    using enum Operation;
    return {{"LayerNorm, two passes", LayerNorm, twoPasses<float>},
        {"LayerNorm, two passes in double", LayerNorm, twoPasses<double>},
        {"LayerNorm, one pass", LayerNorm, onePass<float>},
        {"LayerNorm, one pass in double", LayerNorm, onePass<double>}, {"LayerNorm, Welford", LayerNorm, welford},
        {"LayerNorm, eight lanes", LayerNorm, eightLanes}, {"RMSNorm", RmsNorm, rms<float>},
        {"RMSNorm in double", RmsNorm, rms<double>}, {"softmax", Softmax, softmax<float>},
        {"softmax in double", Softmax, softmax<double>}, {"softmax, online", Softmax, onlineSoftmax}};
}

/// What is wrong with a row: it sees so many elements, divides by so many, adds that epsilon.
struct Mistake {
    int unseen = 0; ///< elements at the end that the sums leave out
    int lessInVariance = 0, lessInMean = 0; ///< what is divided by is n less these
    double addedEpsilon = epsilon;
    bool noMean = false;
    bool narrow = false; ///< rounded to bf16 on the way
    bool tail = false; ///< sums end at a multiple of 8
};

inline Row wrongLayerNorm(const Mistake& mistake)
{
    return [mistake](const float* x, const float* gamma, const float* beta, float* y, int n) {
        const int seen = mistake.tail ? n / 8 * 8 : std::max(0, n - mistake.unseen);
        double mean = 0, variance = 0;
        for (int i = 0; i < seen; ++i)
            mean += x[i];
        mean /= std::max(1, n - mistake.lessInMean);
        if (mistake.noMean)
            mean = 0;
        for (int i = 0; i < seen; ++i)
            variance += (x[i] - mean) * (x[i] - mean);
        variance /= std::max(1, n - mistake.lessInVariance);
        const double scale = 1 / std::sqrt(variance + mistake.addedEpsilon);
        for (int i = 0; i < n; ++i) {
            float normal = static_cast<float>((x[i] - mean) * scale);
            if (mistake.narrow)
                normal = rounded(normal, Dtype::Bf16);
            y[i] = normal * gamma[i] + beta[i];
        }
    };
}

inline Row wrongRms(const Mistake& mistake)
{
    return [mistake](const float* x, const float* gamma, const float*, float* y, int n) {
        double squares = 0;
        for (int i = 0; i < std::max(0, n - mistake.unseen); ++i)
            squares += double(x[i]) * x[i];
        const double scale = 1 / std::sqrt(squares / std::max(1, n - mistake.lessInVariance) + mistake.addedEpsilon);
        for (int i = 0; i < n; ++i)
            y[i] = static_cast<float>(x[i] * scale * gamma[i]);
    };
}

inline Row wrongSoftmax(int unseen)
{
    return [unseen](const float* x, const float*, const float*, float* y, int n) {
        double sum = 0;
        for (int i = 0; i < n; ++i) {
            y[i] = std::exp(x[i] - x[0]);
            sum += i < n - unseen ? double(y[i]) : 0;
        }
        for (int i = 0; i < n; ++i)
            y[i] = static_cast<float>(y[i] / std::max(sum, 1e-30));
    };
}

/// Each is told by the normal inputs of its own size, or by its sums of integers.
inline std::vector<Form> wrongForms()
{
    using enum Operation;
    return {{"LayerNorm without epsilon", LayerNorm, wrongLayerNorm({.addedEpsilon = 0})},
        {"LayerNorm with epsilon 1e-4", LayerNorm, wrongLayerNorm({.addedEpsilon = 1e-4})},
        {"LayerNorm without the last element", LayerNorm, wrongLayerNorm({.unseen = 1})},
        {"LayerNorm, variance by n - 1", LayerNorm, wrongLayerNorm({.lessInVariance = 1})},
        {"LayerNorm, mean by n - 1", LayerNorm, wrongLayerNorm({.lessInMean = 1})},
        {"LayerNorm without mean", LayerNorm, wrongLayerNorm({.noMean = true})},
        {"LayerNorm, bf16 on the way", LayerNorm, wrongLayerNorm({.narrow = true})},
        {"LayerNorm without the tail", LayerNorm, wrongLayerNorm({.tail = true})},
        {"RMSNorm without the last element", RmsNorm, wrongRms({.unseen = 1})},
        {"RMSNorm by n - 1", RmsNorm, wrongRms({.lessInVariance = 1})},
        {"RMSNorm with epsilon 1e-4", RmsNorm, wrongRms({.addedEpsilon = 1e-4})},
        {"softmax without the last element", Softmax, wrongSoftmax(1)}};
}

/// What a form computes of drawn inputs, and the truth with the magnitudes that the reference of task-from writes.
struct Computed {
    std::vector<float> y;
    ReferenceProduct truth;
};

inline Computed computed(const Form& form, const Shape& shape, InputKind kind, std::uint64_t seed)
{
    const auto rows = static_cast<std::size_t>(shape[0]), n = static_cast<std::size_t>(shape[1]);
    std::vector<float> x(rows * n), gamma(n), beta(n);
    fillInput(x, kind, 0, seed);
    fillInput(gamma, kind, 1, seed);
    fillInput(beta, kind, 2, seed);
    Computed found{std::vector<float>(rows * n), {std::vector<double>(rows * n), std::vector<double>(rows * n)}};
    std::vector<double>& values = found.truth.values;
    double squares = 0;
    for (std::size_t r = 0; r < rows; ++r) {
        form.row(&x[r * n], gamma.data(), beta.data(), &found.y[r * n], static_cast<int>(n));
        truthOf(form.operation, &x[r * n], gamma.data(), beta.data(), &values[r * n], static_cast<int>(n));
    }
    for (const double value : values)
        squares += value * value;
    const double typical = std::sqrt(squares / static_cast<double>(values.size()));
    const double others = n > 2 ? static_cast<double>(n - 1) : 1;
    const double roundings = n < 16 ? std::sqrt(16.0 / static_cast<double>(n)) * (1 + 64 / (others * others)) : 1;
    for (std::size_t i = 0; i < values.size(); ++i)
        found.truth.magnitudes[i] = 2 * roundings * std::max(std::abs(values[i]), typical);
    return found;
}

/// Of the whole result, as the norm gate has it.
inline double relativeError(const Computed& computed)
{
    double difference = 0, norm = 0;
    for (std::size_t i = 0; i < computed.y.size(); ++i) {
        const double d = computed.y[i] - computed.truth.values[i];
        difference += d * d;
        norm += computed.truth.values[i] * computed.truth.values[i];
    }
    return std::sqrt(difference / norm);
}

} // namespace tilewright::forms
