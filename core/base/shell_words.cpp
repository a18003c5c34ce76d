// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/shell_words.h"

#include <algorithm>

namespace tilewright {

std::string shellQuoted(std::string_view word)
{
    constexpr std::string_view plainSigns = "-_./:=+,@%";
    const bool isPlain = !word.empty() && std::ranges::all_of(word, [&](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')
            || plainSigns.find(c) != std::string_view::npos;
    });
    if (isPlain)
        return std::string(word);
    std::string quoted = "'";
    for (const char c : word)
        quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quoted + "'";
}

} // namespace tilewright
