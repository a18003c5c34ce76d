// SPDX-License-Identifier: Apache-2.0
// What was measured for one time request, whatever the device, and the verdict that follows from it. The only place
// where outcomes, scores and verdicts are made. Measuring thread; once measured, judge() and tell() on any one thread,
// as long as the task is there.
#pragma once

#include "core/model/measurement/measured_checks.h"
#include "core/node/device.h"
#include "core/stats/statistics.h"

#include <deque>
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
    double lastNs = 0; ///< one launch of the slowest contestant, to choose the repeats
    int launches = 1; ///< of a sample, on a set of buffers each
    int held = 0; ///< sets of buffers beside those, see hot_ring.h
    std::map<std::string, int> uneven = {}; ///< by contestant, samples whose launches did not all do the same work

    /// All launches of one sample, of the slowest contestant when it last ran.
    double sampleNs() const { return lastNs * launches; }
};

/// Voided blocks of one shape, beyond those that counted, before the machine is called too busy.
constexpr int mostVoid = 6;

/// Confirming: fresh processes, and where it ends at the latest on each shape.
constexpr int confirmProcesses = 3, mostPairs = 200;
constexpr auto confirmShapeLimit = std::chrono::seconds(5);
constexpr double slowSampleNs = 3e6; ///< long samples are steady ones: fewer blocks do

/// How many rounds over all shapes screening takes on a kind of device.
struct ScreeningPace {
    int fewest = 1, most = 1;
    int slow = 1; ///< where a sweep over all shapes takes longer than slowSweepNs
    double slowSweepNs = 0; ///< of the slower program
};

class TimingRecord
{
public:
    TimingRecord(const TimeRequest& what, const Task& of, const DeviceJob& forWhom)
        : request(what)
        , task(of)
        , job(forWhom)
    {
    }

    /// Lays out a record for each shape. seedOf: of the bootstrap.
    void begin(std::uint64_t seedOf, const std::vector<Shape>& train, const std::vector<Shape>& heldout);
    /// One block's medians and log ratios, by contestant.
    void file(ShapeRecord& record, const std::vector<std::string>& contestants, const std::vector<double>& medianNs,
        const std::vector<std::vector<double>>& ratiosOf, int samples);
    /// One block that does not count, for that reason: it is taken again, and whoever waits for the result is told.
    void fileVoid(ShapeRecord& record, const std::string& why);
    std::unexpected<Error> unstable(const ShapeRecord& record) const;
    std::vector<BlockRatios> ratios(const std::string& name, ShapeSplit split) const;
    std::optional<Interval> ratio(const std::string& name, ShapeSplit split, int resamples = 1000) const;
    /// The same over the train shapes with few resamples: for decisions on the way, and for the noise floor.
    std::optional<Interval> quickRatio() const;
    /// A shape on which nothing was told of a contestant; null: none.
    const ShapeRecord* lacking(const std::string& name) const;
    /// Of the interval of one shape's ratio, relative to it.
    double halfWidth(const BlockRatios& ratios) const;
    /// How one block of a shape is measured on a kind of device.
    struct Steps {
        std::function<Result<void>(ShapeRecord&)> post; ///< none: take() does it all
        std::function<Result<bool>(ShapeRecord&)> take; ///< of the block posted first: whether it counted
        std::function<void()>
            turnAround; ///< reverses the contestants; nothing is posted then; none: post() knows the round
        std::function<void()> posted; ///< all that is foreseen is posted; it may be called several times; none: nothing
        std::size_t ahead = 1; ///< most that are posted at a time; some may still be when screening ends
    };
    /// Goes through the shapes in paired blocks for as long as candidate over incumbent needs.
    Result<void> screen(const ScreeningPace& pace, const Steps& steps);
    /// Where one program stands in several slots, what was measured of it holds for all of them.
    void shareRatios();
    bool isConfirming() const { return !isQuick(request.purpose); }

    /// Fills outcome, verdict, figures and shapes. floorNs: shortest time of a shape that can be believed.
    void judge(EvaluationResult& result, double noiseFloor, const std::function<double(const Shape&)>& floorNs);
    /// Looks into a result that was judged too good to be believed, and judges it again by what `audit` found. Errors:
    /// the audit's where they are the node's own.
    Result<void> lookInto(
        EvaluationResult& result, const std::function<Result<void>()>& audit, const std::function<void()>& judgeAgain);
    /// Adds what this measurement tells about itself: launches, audit, vendor, rules passed.
    void tell(nlohmann::json& environment) const;

    const TimeRequest request;
    const Task& task;
    const DeviceJob job;
    std::vector<ShapeRecord> records;
    std::vector<std::string> names; ///< contestants
    nlohmann::json blocks = nlohmann::json::array();
    double mhzLo = 1e9, mhzHi = 0;
    std::int64_t launches = 0;
    std::uint64_t seed = 1;
    /// Launches on sizes that the task does not list, all of them right; suggested: by the program's own constants.
    std::int64_t sweptSizes = 0, sweptPairs = 0, suggestedSizes = 0, largeSizes = 0;
    std::int64_t sweepNs = 0;
    bool audited = false;
    std::optional<Error> auditFinding; ///< of an audit that did not clear the program
    std::string vendorMissing; ///< why there are no figures of the vendor that was asked for; empty if there are
    std::vector<std::string> passed; ///< rules, once judged
    MeasuredChecks measured; ///< by the checks of the candidate's launches
    std::string lastVoid; ///< why a block was void

private:
    /// Too good to be believed, or nothing there to tell: no rule but the audit's holds such a result.
    void quarantine(EvaluationResult& result) const;
    Result<void> measureUntil(int blocksOfEach, bool another, const Steps& steps);
    int roundsAfter(int done, const ScreeningPace& pace) const;
    ShapeResult shapeResult(const ShapeRecord& record) const;

    std::deque<ShapeRecord*> m_posted; ///< blocks on their way
    MeasuredChecks m_believed; ///< once judged: the shape whose time is nearest to the shortest that can be believed
};

/// The incumbent in the candidate's place, by the same steps: the noise floor.
TimeRequest againstItself(const TimeRequest& request);
/// The outcome of a measurement that failed. The error comes back if it is the node's own.
Result<void> refuse(EvaluationResult& result, const Error& error);

} // namespace tilewright
