// SPDX-License-Identifier: Apache-2.0
// The gates of EVALUATION §3 and §4 on what a GPU worker reports of a launch. The same bounds and rules as gates.h on
// the CPU; only the sums are made on the device. Pure.
#pragma once

#include "core/model/measurement/measured_checks.h"
#include "core/node/problem.h"
#include "core/protocol/gpu_messages.h"

namespace tilewright {

/// verify/out-of-bounds-write, verify/input-write, verify/poison, verify/nan, verify/exact (integer inputs),
/// verify/norm, verify/elementwise, verify/determinism; else what "norm" and "elementwise" measured.
Result<MeasuredChecks> checkVerified(
    const VerifyReply& found, const Task& task, const ProductShape& shape, InputKind kind);

/// An operation that is no product: every output against what the reference says, by the same bounds.
/// Errors: as above, verify/exact where the task wants every bit, task/reference.
Result<MeasuredChecks> checkOperation(
    const VerifyReply& found, const Task& task, const Shape& shape, InputKind kind = InputKind::Normal);
/// One timed launch of an operation: verify/timed with what was found, and as above; else how much of its bounds it
/// takes, as "timed-launches".
Result<MeasuredChecks> checkTimedOperation(const BlockSample& sample, const Task& task, const Shape& shape);
/// One timed launch: verify/out-of-bounds-write, verify/input-write, verify/timed; else as above.
Result<MeasuredChecks> checkTimed(const BlockSample& sample, const Task& task, const ProductShape& shape);

} // namespace tilewright
