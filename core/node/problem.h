// SPDX-License-Identifier: GPL-3.0-or-later
// A task as the node evaluates it, on the CPU or on a GPU: C = A·B with all three in fp32, row-major. Other operations
// come with their own problem type; a task that is none of them is refused by name.
#pragma once

#include "core/model/task.h"

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
/// For a task that passed checkIsProduct().
ProductShape productShape(const Task& task, const Shape& shape);
/// Small shapes nobody announced: ±1 around the task's, and primes; none where the task fixes divisibility.
std::vector<Shape> unannouncedShapes(const Task& task, std::uint64_t seed, int count);

} // namespace tilewright
