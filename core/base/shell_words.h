// SPDX-License-Identifier: GPL-3.0-or-later
// Words of a command that somebody may copy into a shell. Pure.
#pragma once

#include <string>
#include <string_view>

namespace tilewright {

/// The word as a POSIX shell reads it back: itself where it has nothing special, else in single quotes.
std::string shellQuoted(std::string_view word);

} // namespace tilewright
