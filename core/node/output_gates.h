// SPDX-License-Identifier: Apache-2.0
// The gates for any operation: every output beside what the task's reference says, and whether the task's bounds would
// catch a cheat at all. Values in, a coded finding out.
#pragma once

#include "core/node/reference.h"

#include <functional>

namespace tilewright {

using OutputValues = std::vector<std::span<const float>>; ///< in the order of the task's outputs

/// Every element written and finite: verify/poison, verify/nan; the evidence names the tensor.
Result<void> checkOutputsWritten(
    const Task& task, const Shape& shape, const OutputValues& outputs, std::uint32_t poisonBits);
/// Norm and elements of every output, or bit by bit for exact results: what "norm" and "elementwise" measured, or
/// verify/norm, verify/elementwise, verify/exact.
/// Errors as well: task/reference where the reference itself gives no finite number.
Result<MeasuredChecks> checkOutputs(const Task& task, const Shape& shape, InputKind kind, const OutputValues& outputs,
    const std::vector<ReferenceProduct>& truths);

/// For an operation that is no product, as calibrateGates() for products: cheats computed with the reference (zeros,
/// inputs rounded one step further, the end of the inputs left out, a stale output, a copied input) must be refused.
/// What gives the very values of the truth is no cheat. Errors: task/loose, task/reference.
using TruthOn = std::function<Result<std::vector<ReferenceProduct>>(
    const Shape& shape, const std::vector<std::vector<float>>& inputs)>;
Result<void> calibrateOutputs(const Task& task, const TruthOn& truthOn);
Result<void> calibrateOutputs(const Task& task, const Reference& reference);

} // namespace tilewright
