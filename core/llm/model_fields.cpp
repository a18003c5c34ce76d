// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/llm/model_fields.h"

#include "core/base/text.h"

#include <chrono>

namespace tilewright {
namespace {

constexpr const char* formatHint = "see resources/models/README.md for the format";

/// "2026-11-21", a day that there is.
bool isDay(const std::string& text)
{
    if (text.size() != 10 || text[4] != '-' || text[7] != '-')
        return false;
    const auto number = [&text](std::size_t at, std::size_t digits) {
        int value = 0;
        for (std::size_t i = at; i < at + digits; ++i) {
            if (text[i] < '0' || text[i] > '9')
                return -1;
            value = value * 10 + (text[i] - '0');
        }
        return value;
    };
    const int year = number(0, 4), month = number(5, 2), day = number(8, 2);
    return year >= 0 && month >= 0 && day >= 0
        && std::chrono::year_month_day(std::chrono::year(year), std::chrono::month(static_cast<unsigned>(month)),
            std::chrono::day(static_cast<unsigned>(day)))
               .ok();
}

} // namespace

Error mistakesIn(const std::string& fileName, const std::vector<FieldError>& mistakes)
{
    std::vector<std::string> words;
    nlohmann::json list = nlohmann::json::array();
    for (const FieldError& mistake : mistakes) {
        const std::string field = mistake.field == fileName ? "" : mistake.field; // the whole is no object
        words.push_back(field.empty() ? mistake.reason : field + ": " + mistake.reason);
        list.push_back({{"field", field}, {"reason", mistake.reason}});
    }
    nlohmann::json evidence{
        {"file", fileName}, {"field", list.front()["field"]}, {"reason", list.front()["reason"]}, {"mistakes", list}};
    return {"models/field", fileName + ": " + joined(words, "; "), formatHint, std::move(evidence)};
}

Error syntaxErrorIn(const std::string& fileName, const SyntaxError& problem)
{
    const std::string reason = "line " + std::to_string(problem.line) + ": " + problem.reason;
    return {"models/syntax", fileName + " is not valid JSON: " + reason, formatHint,
        {{"file", fileName}, {"field", ""}, {"line", problem.line}, {"reason", reason}}};
}

Error numberErrorIn(const std::string& fileName)
{
    return {"models/syntax", fileName + " contains a number out of range", formatHint,
        {{"file", fileName}, {"field", ""}, {"reason", "contains a number out of range"}}};
}

std::string placed(const std::string& list, std::size_t i) { return list + "[" + std::to_string(i) + "]"; }

const JsonFields::Json& listOf(const JsonFields& fields, const std::string& key)
{
    if (!fields.at(key).is_array() || fields.at(key).empty())
        complain(fields.pathOf(key), "must be a list with at least one entry");
    return fields.at(key);
}

Capabilities readCapabilities(
    const JsonFields::Json& json, const std::string& path, Capabilities can, FieldMistakes& mistakes)
{
    const JsonFields fields(json, path,
        {"temperature", "top_p", "seed", "stop", "samples", "reasoning_effort", "stream_usage", "system_role",
            "output_limit", "context_tokens", "most_output_tokens"},
        {}, mistakes.all());
    const auto truth
        = [&](const char* key, bool& field) { mistakes.take([&] { field = fields.truthOr(key, field); }); };
    truth("temperature", can.temperature);
    truth("top_p", can.topP);
    truth("seed", can.seed);
    truth("stop", can.stop);
    truth("samples", can.samples);
    truth("reasoning_effort", can.reasoningEffort);
    truth("stream_usage", can.streamUsage);
    mistakes.take([&] { can.systemRole = fields.choiceOr("system_role", can.systemRole, systemRoles); });
    mistakes.take([&] { can.outputLimit = fields.choiceOr("output_limit", can.outputLimit, outputLimitNames); });
    constexpr std::int64_t most = 100'000'000;
    mistakes.take([&] { can.contextTokens = fields.integerOr("context_tokens", can.contextTokens, 0, most); });
    mistakes.take(
        [&] { can.mostOutputTokens = fields.integerOr("most_output_tokens", can.mostOutputTokens, 0, most); });
    return can;
}

TokenPrice readPrice(const JsonFields::Json& json, const std::string& path, FieldMistakes& mistakes)
{
    const JsonFields fields(
        json, path, {"input", "output", "cache_read", "cache_write", "date", "source"}, {}, mistakes.all());
    TokenPrice price;
    mistakes.take([&] { price.input = fields.number("input", 0, mostUsd); });
    mistakes.take([&] { price.output = fields.number("output", 0, mostUsd); });
    mistakes.take([&] {
        if (fields.has("cache_read"))
            price.cacheRead = fields.number("cache_read", 0, mostUsd);
    });
    mistakes.take([&] {
        if (fields.has("cache_write"))
            price.cacheWrite = fields.number("cache_write", 0, mostUsd);
    });
    mistakes.take([&] {
        price.date = fields.text("date");
        if (!isDay(price.date))
            complain(fields.pathOf("date"), "must be the day the price was read, such as 2026-11-21");
    });
    mistakes.take([&] { price.source = fields.textOr("source", ""); });
    return price;
}

} // namespace tilewright
