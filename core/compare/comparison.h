// SPDX-License-Identifier: GPL-3.0-or-later
// Programs beside each other: how much faster each is than one of them, by shape, with intervals; and why figures of
// two measurements cannot stand side by side. A ratio is "side by side" where both were timed in turns in one
// measurement; else it goes by way of the baseline or the vendor's library, which both were timed beside. Pure.
#pragma once

#include "core/model/run_state.h"
#include "core/model/task/task.h"

#include <optional>
#include <string>
#include <vector>

namespace tilewright {

inline constexpr std::size_t mostCompared = 6, fewestCompared = 2;

/// One program of a comparison, with the measurement that its figures come from.
struct ComparedProgram {
    enum class Kind { Candidate, Baseline, Vendor, File };

    Kind kind = Kind::Candidate;
    std::string name; ///< "c-0035", "baseline", "openblas-sgemm-1t", "mine.cpp"
    std::string session; ///< name of the file of its record; "" for a program of its own file
    CandidateId candidate; ///< of that session: its own, or whose measurement timed baseline and vendor
    std::string text; ///< the program; "" of a vendor's library
    Hash seed; ///< program identity of what its scores are multiples of
    Tunables tunables;
    bool confirmed = false; ///< its figures are of a confirmation, or of as much
    std::optional<EvaluationResult> result; ///< none: it was not measured
    std::string dispute = {}; ///< disputeText() of the candidate; "" where its figures are not disputed

    bool operator==(const ComparedProgram&) const = default;
};

/// What was found where two of the programs were timed in turns.
struct SideBySide {
    std::size_t program = 0, over = 0; ///< their places in the comparison
    Interval ratio; ///< over the train shapes: time of `over` / time of `program`
    std::vector<std::pair<Shape, Interval>> shapes;
    double noiseFloor = 0; ///< fraction; 0: not measured

    bool operator==(const SideBySide&) const = default;
};

/// One figure of the table.
struct ComparedFigure {
    std::optional<Interval> ratio; ///< the reference's time / the program's; none: not known
    double ns = 0; ///< median time of a launch; 0 for means, and where it was not timed
    bool isSideBySide = false;
    bool isBest = false; ///< no other program of the row is clearly faster, and its figure is the highest

    bool operator==(const ComparedFigure&) const = default;
};

struct ComparedShape {
    Shape shape;
    ShapeSplit split = ShapeSplit::Train;
    double flops = 0;
    std::vector<ComparedFigure> figures; ///< by program

    bool operator==(const ComparedShape&) const = default;
};

/// One property of the programs or of how they were measured, as words; "" where it is not known.
struct ComparedProperty {
    std::string name, unit;
    std::vector<std::string> values; ///< by program

    bool operator==(const ComparedProperty&) const = default;
    bool differs() const;
};

struct Comparison {
    std::vector<ComparedProgram> programs;
    std::size_t reference = 0; ///< the program that all are compared with
    std::vector<ComparedShape> shapes; ///< train shapes first, as the task has them
    std::vector<ComparedFigure> train, heldout; ///< geometric means, by program
    std::vector<Verdict> verdicts; ///< by program, over the train shapes; None where no ratio is known
    /// By program, why its figures cannot stand beside the reference's: "measured on another device: …"; "" if they
    /// can.
    std::vector<std::string> refusals;
    /// By program, what was different and is no reason to refuse: another compiler, driver or vendor library.
    std::vector<std::string> remarks;
    std::vector<ComparedProperty> properties;
    double noiseFloor = 0; ///< that the margin of the verdicts follows from; 0: none was measured, a cautious one is

    bool operator==(const Comparison&) const = default;
};

/// Sets every program beside the reference. Held-out figures are given of confirmed programs alone.
/// Errors: compare/number (not 2 to 6 programs), compare/reference (no such place).
Result<Comparison> comparisonOf(std::vector<ComparedProgram> programs, const std::vector<SideBySide>& pairs,
    std::size_t reference, const Task& task);

/// Why programs of these two tasks are never set beside each other: one is held to the error of each element and the
/// other to that of the whole result, or to another scheme or limit; or they have another name, other train shapes or
/// another baseline. "" if they can be.
std::string whyNotOneTask(const TaskPack& one, const TaskPack& other);

/// Why figures of two measurements cannot stand side by side where they were not timed in turns: device, class, way of
/// timing, threads, protocol version, or ranges of clocks that lie more than 3 % apart. "" if they
/// can.
std::string whyNotComparable(const ComparedProgram& one, const ComparedProgram& other);

/// "better", "worse", "not distinguishable"; "not compared" for None.
std::string comparedWords(Verdict verdict);

/// What the programs are made of, need, and how they were measured; those that no program has are left out.
std::vector<ComparedProperty> propertiesOf(const std::vector<ComparedProgram>& programs);

// What a session has of its programs.

/// A candidate with the measurement its figures come from. `text`: of its program.
ComparedProgram comparedCandidate(
    const RunState& run, const Candidate& candidate, const std::string& session, std::string text);
/// The baseline, or the vendor's library, by the confirmation of this candidate, which timed both beside it.
ComparedProgram comparedBaseline(
    const RunState& run, const Candidate& by, const std::string& session, std::string seed);
ComparedProgram comparedVendor(
    const RunState& run, const Candidate& by, const std::string& session, const std::string& vendor);
/// All pairs of these programs that one session timed in turns. `session`: that of the run.
std::vector<SideBySide> sideBySideIn(
    const RunState& run, const std::string& session, const std::vector<ComparedProgram>& programs);
/// The candidate whose confirmation the run's baseline and vendor figures are taken from: the best one, else the seed.
const Candidate* measuredBeside(const RunState& run);

// The same as texts.

nlohmann::json toJson(const Comparison& comparison, const Task& task);
/// For a terminal. `onlyDifferences`: of the properties, those in which the programs differ.
std::string comparisonText(const Comparison& comparison, const Task& task, bool onlyDifferences);
/// One line a shape and program: shape, split, program, time, ratio with its interval, whether side by side.
std::string comparisonCsv(const Comparison& comparison, const Task& task);

} // namespace tilewright
