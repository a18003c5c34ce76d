// SPDX-License-Identifier: GPL-3.0-or-later
// Names of headers, parameters and error codes are compared without regard to case. ASCII only. Pure.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace tilewright {

inline char lowered(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
inline std::string lowered(std::string_view text)
{
    std::string result(text);
    std::ranges::transform(result, result.begin(), [](char c) { return lowered(c); });
    return result;
}

} // namespace tilewright
