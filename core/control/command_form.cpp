// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/control/command_form.h"

#include "core/base/text.h"

#include <algorithm>
#include <limits>
#include <sstream>

namespace tilewright {
namespace {

std::vector<std::string> wordsIn(const char* text)
{
    std::istringstream stream(text);
    std::vector<std::string> words;
    for (std::string word; stream >> word;)
        words.push_back(word);
    return words;
}

/// "more takes CANDIDATE..., --count".
std::string whatItTakes(const ControlCommand& command)
{
    std::vector<std::string> parts = optionsOf(command);
    if (*command.arguments)
        parts.insert(parts.begin(), command.arguments);
    return std::string(command.name) + " takes " + (parts.empty() ? "no arguments" : joined(parts, ", "));
}

} // namespace

std::vector<std::string> optionsOf(const ControlCommand& command) { return wordsIn(command.options); }

std::size_t mostWordsOf(const ControlCommand& command)
{
    const std::string shown = command.arguments;
    return shown.ends_with("...") ? std::numeric_limits<std::size_t>::max() : wordsIn(command.arguments).size();
}

Result<void> checkForm(
    const ControlCommand& command, const std::vector<std::string>& words, const std::vector<std::string>& options)
{
    const auto refused = [&command](const std::string& what) -> Result<void> {
        return std::unexpected(usageError(what + " cannot be used with " + command.name + ": " + whatItTakes(command)));
    };
    const std::vector<std::string> known = optionsOf(command);
    for (const std::string& option : options)
        if (std::ranges::find(known, option) == known.end())
            return refused(option);
    const std::size_t most = mostWordsOf(command);
    return words.size() > most ? refused("'" + printable(words[most]) + "'") : Result<void>();
}

} // namespace tilewright
