// SPDX-License-Identifier: Apache-2.0
#include "core/base/json_text.h"

#include <algorithm>
#include <functional>

namespace tilewright {

bool isNestedTooDeeply(std::string_view text)
{
    bool isTooDeep = false;
    eachJsonBracket(text, [&](std::size_t, std::size_t depth) {
        isTooDeep = depth > deepestJson;
        return !isTooDeep;
    });
    return isTooDeep;
}

namespace {

using Json = JsonFields::Json;

/// Follows the parser and keeps the path to where it is.
class DoubledMembers
{
public:
    explicit DoubledMembers(std::vector<FieldError>& mistakes)
        : m_mistakes(mistakes)
    {
    }

    bool operator()(int /*depth*/, Json::parse_event_t event, Json& value)
    {
        switch (event) {
        case Json::parse_event_t::object_start:
        case Json::parse_event_t::array_start:
            beginValue();
            m_levels.push_back({event == Json::parse_event_t::array_start, 0, {}, {}});
            break;
        case Json::parse_event_t::object_end:
        case Json::parse_event_t::array_end:
            m_levels.pop_back();
            break;
        case Json::parse_event_t::key:
            m_levels.back().key = value.get<std::string>();
            if (!m_levels.back().seen.insert(m_levels.back().key).second)
                m_mistakes.push_back({path(), "occurs twice"});
            break;
        case Json::parse_event_t::value:
            beginValue();
            break;
        }
        return true;
    }

private:
    struct Level {
        bool isList = false;
        std::size_t values = 0; ///< begun
        std::string key;
        std::set<std::string> seen;
    };

    void beginValue()
    {
        if (!m_levels.empty())
            ++m_levels.back().values;
    }

    std::string path() const
    {
        std::string text;
        for (const Level& level : m_levels) {
            if (level.isList)
                text += "[" + std::to_string(level.values - 1) + "]";
            else
                text += (text.empty() ? "" : ".") + level.key;
        }
        return text;
    }

    std::vector<FieldError>& m_mistakes;
    std::vector<Level> m_levels;
};

/// The library's words without its own heading, and without what it read last.
std::string reasonIn(const std::string& words)
{
    const std::size_t heading = words.find(" - ");
    std::string reason = heading == std::string::npos ? "it cannot be read" : words.substr(heading + 3);
    if (const std::size_t last = reason.find("; last read: "); last != std::string::npos) {
        const std::size_t expected = reason.rfind("; expected ");
        reason.replace(
            last, expected == std::string::npos || expected < last ? std::string::npos : expected - last, "");
    }
    return reason;
}

} // namespace

Json parsedStrictly(std::string_view text)
{
    std::vector<FieldError> doubled;
    Json json = parsedStrictly(text, doubled);
    if (!doubled.empty())
        throw doubled.front();
    return json;
}

Json parsedStrictly(std::string_view text, std::vector<FieldError>& mistakes)
{
    if (isNestedTooDeeply(text))
        throw SyntaxError{1, "objects and lists are nested more than " + std::to_string(deepestJson) + " times"};
    DoubledMembers doubled(mistakes);
    try {
        return Json::parse(text, std::ref(doubled));
    } catch (const Json::parse_error& problem) {
        const std::size_t end = std::min(problem.byte > 0 ? problem.byte - 1 : 0, text.size());
        const auto before = text.substr(0, end);
        throw SyntaxError{static_cast<std::size_t>(std::ranges::count(before, '\n')) + 1, reasonIn(problem.what())};
    }
}

} // namespace tilewright
