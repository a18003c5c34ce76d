// SPDX-License-Identifier: GPL-3.0-or-later
// Where programs that Tilewright uses but does not bring stand on this machine: NVIDIA's tools, disassemblers.
#pragma once

#include "core/node/sandbox.h"

namespace tilewright {

/// Where the tool is, looked for in the CUDA toolkit's usual folders and in PATH; empty if it is not installed.
std::filesystem::path findTool(const char* name);

/// Binds what of the system the tool needs, beyond what every sandbox has.
void addFoldersOf(const std::filesystem::path& tool, SandboxRequest& request);

} // namespace tilewright
