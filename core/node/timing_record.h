// SPDX-License-Identifier: GPL-3.0-or-later
// What was measured for one time request, whatever the device, and the verdict that follows from it. The only place
// where outcomes, scores and verdicts are made. Measuring thread only.
#pragma once

#include "core/protocol/messages.h"
#include "core/stats/statistics.h"

#include <functional>
#include <map>

namespace tilewright {

/// Everything measured on one shape.
struct ShapeRecord {
    Shape shape;
    ShapeSplit split = ShapeSplit::Train;
    std::vector<std::vector<double>> times; ///< by contestant, one median a block
    std::map<std::string, BlockRatios> logRatios; ///< other / candidate, one for each palindrome
    int samples = 0, blocks = 0, voided = 0;
    double lastNs = 0; ///< slowest contestant's sample, to choose the repeats
};

/// Voided blocks of one shape, beyond those that counted, before the machine is called too busy.
constexpr int mostVoid = 6;

class TimingRecord
{
public:
    TimingRecord(const TimeRequest& what, const Task& of)
        : request(what)
        , task(of)
    {
    }

    /// Lays out a record for each shape. seedOf: of the bootstrap.
    void begin(std::uint64_t seedOf, const std::vector<Shape>& train, const std::vector<Shape>& heldout);
    /// One block's medians and log ratios, by contestant.
    void file(ShapeRecord& record, const std::vector<std::string>& contestants, const std::vector<double>& medianNs,
        const std::vector<std::vector<double>>& ratiosOf, int samples);
    std::unexpected<Error> unstable(const ShapeRecord& record) const;
    std::vector<BlockRatios> ratios(const std::string& name, ShapeSplit split) const;
    std::optional<Interval> ratio(const std::string& name, ShapeSplit split, int resamples = 1000) const;
    bool isConfirming() const { return request.purpose != Purpose::Screen && request.purpose != Purpose::Noise; }

    /// Fills outcome, verdict, figures and shapes. floorNs: shortest time of a shape that can be believed.
    void judge(EvaluationResult& result, double noiseFloor, const std::function<double(const Shape&)>& floorNs) const;

    const TimeRequest& request;
    const Task& task;
    std::vector<ShapeRecord> records;
    std::vector<std::string> names; ///< contestants
    nlohmann::json blocks = nlohmann::json::array();
    double mhzLo = 1e9, mhzHi = 0;
    std::int64_t launches = 0;
    std::uint64_t seed = 1;
    bool audited = false;
    std::string lastVoid; ///< why a block was void

private:
    ShapeResult shapeResult(const ShapeRecord& record) const;
};

} // namespace tilewright
