// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/llm/json_access.h"

#include "core/base/json_text.h"
#include "core/base/text.h"

namespace tilewright {
namespace {

/// How long the object or list is that the text begins with; 0 if it begins with none, or that has no end.
std::size_t lengthOfFirst(std::string_view text)
{
    if (text.empty() || (text.front() != '{' && text.front() != '['))
        return 0;
    std::size_t length = 0;
    eachJsonBracket(text, [&](std::size_t at, std::size_t depth) {
        length = depth == 0 ? at + 1 : 0;
        return depth > 0;
    });
    return length;
}

} // namespace

JsonSequence jsonSequenceOf(std::string_view text)
{
    JsonSequence sequence{{}, trimmed(text)};
    if (nlohmann::json whole = parsedOrDiscarded(sequence.rest); !whole.is_discarded()) {
        sequence.values.push_back(std::move(whole));
        sequence.rest = {};
        return sequence;
    }
    while (const std::size_t length = lengthOfFirst(sequence.rest)) {
        nlohmann::json value = parsedOrDiscarded(sequence.rest.substr(0, length));
        if (value.is_discarded())
            break;
        sequence.values.push_back(std::move(value));
        sequence.rest = trimmed(sequence.rest.substr(length));
    }
    return sequence;
}

nlohmann::json firstJsonOf(std::string_view text)
{
    JsonSequence sequence = jsonSequenceOf(text);
    return sequence.values.empty() ? nlohmann::json(nlohmann::json::value_t::discarded)
                                   : std::move(sequence.values.front());
}

} // namespace tilewright
