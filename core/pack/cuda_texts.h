// SPDX-License-Identifier: GPL-3.0-or-later
// Seed and reference of a task that is made of a user's CUDA kernel. Pure; for descriptions without findings.
#pragma once

#include "core/pack/kernel_description.h"

namespace tilewright {

/// The file's device code with the kernel as a device function, a kernel that hands it the tensors, and the plan that
/// launches it as the file does.
std::string cudaSeedOf(const KernelDescription& description);
std::string cudaReferenceOf(const KernelDescription& description);

/// How the file that says what is right launches the function it names there, in the names of the description. A plain
/// function is one thread's. Empty, with why, where it cannot be told.
FoundLaunch referenceLaunchOf(const KernelDescription& description);

} // namespace tilewright
