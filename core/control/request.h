// SPDX-License-Identifier: GPL-3.0-or-later
// What the commands read out of a request, and what they say of one that they cannot read.
#pragma once

#include "core/base/result.h"

#include <nlohmann/json.hpp>
#include <string>

namespace tilewright {

inline Error usageError(const std::string& text)
{
    return {"usage", text, "see 'tilewright-cli control --help'", nullptr};
}

/// "" where there is none, or it is no text.
inline std::string textAt(const nlohmann::json& request, const char* key)
{
    const auto found = request.find(key);
    return found != request.end() && found->is_string() ? found->get<std::string>() : std::string();
}

} // namespace tilewright
