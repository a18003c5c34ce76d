// SPDX-License-Identifier: Apache-2.0
// What the node says about a program: builds, checks, timings, verdicts. Results are added, never overwritten.
// Times are nanoseconds, ratios are plain factors; see EVALUATION words: score = baseline time / candidate time.
#pragma once

#include "core/base/hash.h"
#include "core/base/ids.h"
#include "core/model/task/task.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace tilewright {

enum class Outcome { None, Ranked, Unranked, Quarantined, Refused, BuildFailed, RunFailed };
enum class Verdict { None, Better, Neutral, Worse };
/// Why something was measured. Parent: a candidate that was screened, beside the program that it was made from.
enum class Purpose { Screen, Confirm, Rerun, Audit, Noise, Export, Parent };

/// On train shapes alone and only until the ratio is clear: no confirmation, and nothing that is as much.
constexpr bool isQuick(Purpose purpose)
{
    return purpose == Purpose::Screen || purpose == Purpose::Noise || purpose == Purpose::Parent;
}

std::string nameOf(Outcome outcome);
std::string nameOf(Verdict verdict);
std::string nameOf(Purpose purpose);
Outcome outcomeFromName(std::string_view name);
Verdict verdictFromName(std::string_view name);
Purpose purposeFromName(std::string_view name);
/// What breaking a rule makes of a candidate: compiling, linking and running that fail are outcomes of their own, all
/// other rules refuse, those about the built object too.
Outcome outcomeOfRule(std::string_view rule);

/// A figure with its 95 % interval.
struct Interval {
    double value = 0, lo = 0, hi = 0;

    bool operator==(const Interval&) const = default;
    nlohmann::json json() const; ///< {"value", "lo", "hi"}
    static std::optional<Interval> fromJson(const nlohmann::json& json); ///< none for null
};

/// One shape of one evaluation. Ratios are "other time / candidate time": above 1 the candidate is faster.
struct ShapeResult {
    Shape shape;
    ShapeSplit split = ShapeSplit::Train;
    double candidateNs = 0; ///< median
    std::optional<double> incumbentNs, baselineNs, vendorNs;
    std::optional<Interval> versusIncumbent, versusBaseline, versusVendor;
    int samples = 0; ///< of the candidate, not void
    int voidBlocks = 0;
    /// Of the candidate's times (medians of blocks): the 0 %, 5 %, … 100 % quantiles; empty in records of earlier
    /// versions.
    std::vector<double> quantilesNs = {};

    bool operator==(const ShapeResult&) const = default;
};

/// A screened candidate beside the program that it was made from, timed in pairs: what its change brings, where the
/// incumbent that it was screened against is another program.
struct ParentPair {
    CandidateId parent;
    Interval ratio; ///< geometric mean over train shapes: parent's time / candidate's time
    std::vector<std::pair<Shape, Interval>> shapes;
    std::int64_t wallNs = 0;

    bool operator==(const ParentPair&) const = default;
};

/// What a verdict allows for where this noise floor was measured: a cautious 1 % where none was.
inline double noiseMargin(double measured)
{
    constexpr double cautious = 0.01;
    return measured > 0 ? measured : cautious;
}

/// Margin of a verdict around 1: max(0.5 %, 2 × noise floor).
double verdictMargin(double noiseFloor);
/// Better or worse when the whole interval lies beyond the margin, else neutral.
Verdict verdictOf(const Interval& ratio, double noiseFloor);

struct EvaluationResult {
    Purpose purpose = Purpose::Screen;
    Outcome outcome = Outcome::None;
    std::string rule; ///< "verify/poison"; empty when ranked
    std::string text; ///< the rule's finding in words
    nlohmann::json evidence; ///< null where there is none
    Verdict verdict = Verdict::None; ///< against the incumbent
    std::optional<Interval> versusIncumbent; ///< geometric mean over train shapes
    /// Against the baseline; provisional while screening. Of a re-run on chosen shapes: over those.
    std::optional<Interval> score;
    std::optional<Interval> vsVendor, heldoutScore, heldoutVsVendor;
    double noiseFloor = 0; ///< fraction; 0 where it was not measured yet
    std::vector<ShapeResult> shapes;
    std::optional<ParentPair>
        versusParent; ///< none where the parent is the incumbent or the baseline, or was not asked
    nlohmann::json resources; ///< {"code_bytes", "text_bytes", "rodata_bytes", …}
    nlohmann::json environment; ///< device, compiler, mode, clock, isolation, rules passed, what its blocks observed
    Hash artifact, log; ///< null where nothing was built
    std::int64_t wallNs = 0;

    bool operator==(const EvaluationResult&) const = default;
    nlohmann::json json() const;
    static Result<EvaluationResult> fromJson(const nlohmann::json& json);
};

// Figures with their intervals as files, terminal and screens show them; the same in every locale.

/// "1.92× [1.90, 1.94]"; a third decimal where two would make both bounds the same.
std::string timesText(const Interval& interval);

} // namespace tilewright
