// SPDX-License-Identifier: GPL-3.0-or-later
// What stands behind a candidate's figures: the checks with what they measured, their limits and verdicts, the figures
// by shape, and the vendor library. It says what the record says: what was not checked or not recorded is called so.
// Pure.
#pragma once

#include "core/model/run_state.h"

#include <optional>
#include <vector>

namespace tilewright {

enum class CheckVerdict { Passed, Failed, NotChecked };
std::string nameOf(CheckVerdict verdict);

/// One check of an evaluation.
struct CheckEvidence {
    std::string check; ///< name of its rule without the stage: "norm", "timed-launches"
    CheckVerdict verdict = CheckVerdict::NotChecked;
    /// Of "norm" the relative error, of the other recorded ones a multiple of the bound; none: not recorded, or the
    /// check has none.
    std::optional<double> measured, limit;
    std::string measuredText, limitText; ///< with their units; "" where there is nothing to say
    std::string detail; ///< of the largest measured value: shape and inputs; of a failed check: what was found
    bool isError = false; ///< measured is an error of results, limit its tolerance

    bool operator==(const CheckEvidence&) const = default;
};

/// The vendor library that a figure is about.
struct VendorLibrary {
    std::string name, version, coreType; ///< "" where it was not recorded
    bool isOfTimedProcess = false; ///< read in the process that was timed, not only by the node

    bool operator==(const VendorLibrary&) const = default;
};
/// As the record of an evaluation tells it; none where the vendor library was not timed beside the candidate.
std::optional<VendorLibrary> vendorLibraryOf(const EvaluationResult& result);
/// Of the candidate's figures.
std::optional<VendorLibrary> vendorLibraryOf(const RunState& state, const Candidate& candidate);
/// "OpenBLAS 0.3.21, Cooperlake"; "cublasLt, version not recorded"; "OpenBLAS 0.3.21, core type not recorded in the
/// timed process (the node reports Cooperlake)".
std::string describe(const VendorLibrary& library);
/// Name, version and, where it has core types, the one of the timed process: describe() is short then.
bool isFullyRecorded(const VendorLibrary& library);
/// The library that the figures of this run's best, else of its seed, stand beside; none before a confirmation.
std::optional<VendorLibrary> vendorLibraryOf(const RunState& state);
/// Words to write behind "0.97× ": the library of that candidate's figures, "vendor library" where it is not known.
std::string vendorWordsOf(const RunState& state, const Candidate& candidate);
/// {"name", "version", "core_type", "read_in_timed_process", "text"}; null for none.
nlohmann::json toJson(const std::optional<VendorLibrary>& library);

struct Evidence {
    EvaluationId evaluation; ///< the one that the candidate's figures come from; none: it was not evaluated
    Purpose purpose = Purpose::Screen;
    std::string device, isolation, compiler, mode;
    std::vector<CheckEvidence> checks; ///< in the order in which they are made
    std::vector<std::string> notChecked; ///< further things that were not checked, in the node's words
    std::vector<ShapeResult> shapes;
    std::optional<VendorLibrary> vendor;
    std::string vendorMissing; ///< why the vendor library was not timed beside it
    /// The error that any check measured nearest to its limit; none where no check recorded one.
    std::optional<CheckEvidence> largestError;

    bool operator==(const Evidence&) const = default;
};

/// "norm 3.1e-07 relative error, limit 2e-05 (1.6 %), on 64×65×66, inputs mixed"; "not recorded".
std::string largestErrorText(const Evidence& evidence);

/// Of one measurement. task: null where it is not known.
Evidence evidenceOf(const EvaluationResult& result, const Task* task);
/// Of the candidate's newest figures. task: null where it is not known.
Evidence evidenceOf(const RunState& state, const Candidate& candidate, const Task* task);

nlohmann::json toJson(const Evidence& evidence);
/// The same as tables for a terminal.
std::string evidenceText(const Evidence& evidence, const std::string& candidate);

} // namespace tilewright
