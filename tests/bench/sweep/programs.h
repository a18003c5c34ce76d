// SPDX-License-Identifier: GPL-3.0-or-later
// Programs for bench-sweep: products that are right, and that are wrong where a condition on the sizes holds.
#pragma once

#include "core/base/random.h"
#include "core/model/task/task.h"

#include <vector>

namespace tilewright {

/// Over M, N, K as C++ writes it; empty: nowhere.
struct Condition {
    std::string name, text;
};

/// Known ones that were once confirmed though wrong, and their like.
std::vector<Condition> knownConditions(Target target);
/// Dimension, modulus up to 128, residue, threshold up to the task's largest size; or the like over two dimensions.
Condition drawnCondition(const Task& task, CounterRandom& random, bool two);

/// A product whose loops or tiles depend on `branch`; where `wrong` holds, the fault-th of faults() follows.
std::string programOf(const TaskPack& pack, const Condition& branch, const Condition& wrong, std::size_t fault);
constexpr std::size_t faultCount = 4;

} // namespace tilewright
