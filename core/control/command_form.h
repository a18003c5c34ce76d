// SPDX-License-Identifier: GPL-3.0-or-later
// What a command takes, words and options: whatever else stands in a call is refused, never left aside. Pure.
#pragma once

#include "core/base/result.h"
#include "core/control/control_commands.h"

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace tilewright {

/// Its options: "--count", "--text".
std::vector<std::string> optionsOf(const ControlCommand& command);
/// How many words it takes at most, as its `arguments` show them.
std::size_t mostWordsOf(const ControlCommand& command);

/// Nothing against a call with these words after the command's name and these options ("--count"). Error: usage, which
/// names the first that does not belong to the command, and what does. That words are missing is the command's own
/// word.
Result<void> checkForm(
    const ControlCommand& command, const std::vector<std::string>& words, const std::vector<std::string>& options);

// What the commands read out of a request, and what they say of one that they cannot read.

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
