// SPDX-License-Identifier: GPL-3.0-or-later
// Content addresses in frames: hexadecimal digits, "" for none.
#pragma once

#include "core/base/hash.h"

#include <nlohmann/json.hpp>

namespace tilewright {

inline std::string hexOf(const Hash& hash) { return hash.isNull() ? std::string() : hash.hex(); }
/// A frame without this key is malformed: throws what nlohmann::json throws. (Events have a hashAt of their own, which
/// does not.)
inline Hash requiredHashAt(const nlohmann::json& json, const char* key)
{
    return Hash::fromHex(json.at(key).get<std::string>());
}
/// Null where the key is absent.
inline Hash hashIn(const nlohmann::json& json, const char* key) { return Hash::fromHex(json.value(key, "")); }

} // namespace tilewright
