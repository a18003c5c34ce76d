// SPDX-License-Identifier: Apache-2.0
// The constants of a program that its tune lines offer. Pure.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace tilewright {

/// Name → value, as written in the program's tune lines.
using Tunables = std::map<std::string, std::int64_t>;

} // namespace tilewright
