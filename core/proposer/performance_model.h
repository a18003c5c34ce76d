// SPDX-License-Identifier: GPL-3.0-or-later
// What was measured so far, as a guess about what was not: a Gaussian process over (moves, tunables) → log score
// (Rasmussen and Williams 2006, ch. 2), with expected improvement (Jones, Schonlau, Welch 1998) to weigh promise
// against ignorance. Each tunable has a scale of its own (automatic relevance determination, MacKay 1994), so that one
// that matters little costs few measurements. Structures that share moves share what was learnt about them. Pure and
// deterministic.
#pragma once

#include "core/source/program_text.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace tilewright {

/// A program as the model sees it.
struct ModelPoint {
    std::set<std::string> moves;
    std::map<std::string, double> position; ///< tunable → index of its value among its choices, scaled to [0, 1]
    bool operator==(const ModelPoint&) const = default;
};

struct ModelSample {
    ModelPoint point;
    double logScore = 0;
};

ModelPoint pointOf(const std::vector<std::string>& moves, const std::vector<Tunable>& tunables);

struct Prediction {
    double mean = 0, deviation = 0; ///< of the log score
};

class PerformanceModel
{
public:
    /// Samples beyond this many are left out: the best and the newest stay.
    static constexpr std::size_t largest = 140;

    /// Fits to the samples, oldest first; with fewer than two it predicts the little it knows.
    explicit PerformanceModel(std::vector<ModelSample> samples);

    Prediction predict(const ModelPoint& point) const;
    /// Expected gain in log score over the best sample.
    double expectedImprovement(const ModelPoint& point) const;
    std::size_t samples() const { return m_samples.size(); }

private:
    struct Scales {
        double moves = 3; ///< differing moves over which structures forget each other
        std::vector<double> tunables; ///< by index: share of a tunable's range over which its values forget each other
    };
    /// A point in numbers: moves as bits, tunables by index, NaN where it has none.
    struct Place {
        std::vector<std::uint64_t> moves;
        std::vector<double> position;
    };
    Place placeOf(const ModelPoint& point) const;
    static double differingMoves(const Place& a, const Place& b);
    /// Squares of the distances over the tunables, by index; 0 of those that one of the two lacks.
    static void addSquares(const Place& a, const Place& b, std::vector<double>& squares);
    double kernel(double moves, const double* squares) const;
    void intern();
    void fit();
    /// Factorises for the given scales; the log marginal likelihood, −infinity when it fails.
    double factorise(const Scales& scales);

    std::vector<ModelSample> m_samples;
    std::map<std::string, std::size_t> m_moveIndex, m_tunableIndex;
    std::vector<Place> m_places; ///< of the samples
    std::vector<double> m_movesApart; ///< of two samples each, lower triangle, row by row
    std::vector<double> m_squares; ///< of the same, a stretch of all tunables for each
    std::vector<double> m_factor; ///< lower triangle, row by row
    std::vector<double> m_weights;
    Scales m_scales;
    double m_mean = 0, m_variance = 1, m_best = 0;
};

} // namespace tilewright
