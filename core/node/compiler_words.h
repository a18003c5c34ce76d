// SPDX-License-Identifier: GPL-3.0-or-later
// What a compiler said, in one line. Pure.
#pragma once

#include "core/base/text.h"

namespace tilewright {

/// The first line that speaks of an error, else the first line; never empty.
inline std::string firstErrorLine(const std::string& log)
{
    for (const std::string_view line : splitLines(log))
        if (line.find("error") != std::string_view::npos)
            return std::string(line);
    return log.empty() ? "the compiler said nothing" : std::string(splitLines(log).front());
}

} // namespace tilewright
