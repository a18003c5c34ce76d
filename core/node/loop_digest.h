// SPDX-License-Identifier: Apache-2.0
// What the compiler made of a program's hottest loop, read from its disassembly: how many multiply-adds, loads,
// broadcasts, shuffles and spilled values one turn of it has. Nothing is executed: the loop that does most vector
// arithmetic a turn counts as the hottest. Pure; the texts are third parties'.
#pragma once

#include "core/model/measurement/loop_mix.h"

#include <optional>
#include <string_view>

namespace tilewright {

/// From the functions that readObjdump() leaves of a CPU program, in Intel's syntax for x86-64 or as AArch64 has it.
/// None where no innermost loop has floating-point arithmetic.
std::optional<LoopMix> hottestLoop(std::string_view disassembly);

} // namespace tilewright
