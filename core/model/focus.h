// SPDX-License-Identifier: GPL-3.0-or-later
// What one proposal is asked for.
#pragma once

#include <string>
#include <string_view>

namespace tilewright {

enum class Focus { Explore, Exploit, Crossover, Repair, Rewrite, Tune };
std::string nameOf(Focus focus);
Focus focusFromName(std::string_view name);

} // namespace tilewright
