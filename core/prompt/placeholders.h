// SPDX-License-Identifier: GPL-3.0-or-later
// Every placeholder that a prompt template may name, and what it stands for.
#pragma once

#include <set>
#include <string>
#include <vector>

namespace tilewright {

struct Placeholder {
    const char* name;
    const char* meaning; ///< a phrase for a person; prompts/README.md says more
};

/// In the order of their names.
const std::vector<Placeholder>& placeholders();
std::set<std::string> knownPlaceholders();

} // namespace tilewright
