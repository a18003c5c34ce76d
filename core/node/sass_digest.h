// SPDX-License-Identifier: Apache-2.0
// What the compiler made of a GPU program's kernels, read from their SASS: the mix of each kernel's hottest loop.
// Nothing is executed: of a kernel's innermost loops the one that does most arithmetic a turn counts as the hottest, or
// the one with most accesses to memory where none calculates. Pure; the texts are third parties'.
#pragma once

#include "core/model/measurement/gpu_loop_mix.h"

#include <string_view>
#include <vector>

namespace tilewright {

/// One mix for each kernel in the output of nvdisasm or cuobjdump, as readSass() leaves it, in its order; `kernel` is
/// the symbol. A kernel without a loop that works is told as a whole. Kernels without any instruction are left out.
std::vector<GpuLoopMix> hottestLoops(std::string_view sass);

} // namespace tilewright
