// SPDX-License-Identifier: Apache-2.0
// A task as the node evaluates it. On the CPU and on a GPU: C = A·B, row-major, with a check of its own for every timed
// launch. Any other operation, on a GPU of fp16 and bf16 as well, is what the task's reference says. A task that is
// neither is refused by name.
#pragma once

#include "core/model/task/task.h"

namespace tilewright {

/// Extents of one product: A is rows×depth, B depth×columns, C rows×columns.
struct ProductShape {
    std::int64_t rows = 0, columns = 0, depth = 0;

    std::int64_t sizeA() const { return rows * depth; }
    std::int64_t sizeB() const { return depth * columns; }
    std::int64_t sizeC() const { return rows * columns; }
};

/// Errors: task/unsupported.
Result<void> checkIsProduct(const Task& task);
/// A product, or an operation on tensors of which the device can judge every output. Errors: task/unsupported.
Result<void> checkCanBeEvaluated(const Task& task);
bool isProduct(const Task& task);
/// For a task that passed checkIsProduct().
ProductShape productShape(const Task& task, const Shape& shape);
/// One output of any operation as the gates look at it: its rows are as long as the last dimension, its depth is the
/// extent that is summed over (1 where nothing is).
ProductShape outputShape(const Task& task, const Tensor& output, const Shape& shape);
/// Small shapes nobody announced: ±1 around the task's, and primes; none where the task fixes divisibility.
std::vector<Shape> unannouncedShapes(const Task& task, std::uint64_t seed, int count);

} // namespace tilewright
