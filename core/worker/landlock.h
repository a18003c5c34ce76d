// SPDX-License-Identifier: GPL-3.0-or-later
// The fallback where bubblewrap cannot run: file access by Landlock. Honest about being less than a sandbox.
#pragma once

#include <string>
#include <vector>

namespace tilewright {

/// Reading below `readable`, everything below `writable`, nothing else of the file system. False if the kernel has
/// none.
bool confineFiles(const std::vector<std::string>& readable, const std::vector<std::string>& writable);

} // namespace tilewright
