// SPDX-License-Identifier: GPL-3.0-or-later
// Measurements on the task's sealed shapes: made when a candidate is exported, once each, and never a reason to choose
// one. Each look at them makes them less of a test, so the record keeps them all.
#pragma once

#include "core/base/ids.h"
#include "core/model/measurement/evaluation.h"

#include <string>

namespace tilewright {

struct SealedMeasurement {
    CandidateId candidate;
    std::string device; ///< id
    EvaluationResult result; ///< its shapes have the split Sealed; score and vsVendor are over them
    std::int64_t seq = 0; ///< of the event that brought it

    bool operator==(const SealedMeasurement&) const = default;
};

namespace events {
/// A candidate was measured on the task's sealed shapes, for an export.
struct SealedMeasured {
    CandidateId candidate;
    std::string device;
    EvaluationResult result;
    bool operator==(const SealedMeasured&) const = default;
};
} // namespace events

} // namespace tilewright
