// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/highlight/colour_messages.h"

#include "core/protocol/frames.h"

namespace tilewright {
namespace {

constexpr std::size_t partsOfSpan = 4; // line, start, length, style, one span after the other
constexpr std::int64_t mostLines = std::int64_t(largestColouredText) + 1;

std::int64_t numberOr(const nlohmann::json& json, std::int64_t otherwise)
{
    return json.is_number_integer() ? json.get<std::int64_t>() : otherwise;
}

} // namespace

std::string encode(const ColourRequest& request)
{
    return encodeFrame({{"op", "colour"}, {"id", request.id}, {"language", request.language}, {"text", request.text}});
}

std::string encode(const ColourAnswer& answer)
{
    nlohmann::json spans = nlohmann::json::array();
    for (const CodeSpan& span : answer.spans)
        for (const std::int32_t part : {span.line, span.start, span.length, static_cast<std::int32_t>(span.style)})
            spans.push_back(part);
    return encodeFrame({{"op", "colours"}, {"id", answer.id}, {"spans", std::move(spans)}});
}

Result<ColourRequest> colourRequestFrom(const nlohmann::json& json)
{
    const auto field
        = [&json](const char* name) { return json.is_object() ? json.value(name, nlohmann::json()) : json; };
    const nlohmann::json id = field("id"), language = field("language"), text = field("text");
    if (field("op") != "colour" || !id.is_number_integer() || !language.is_string() || !text.is_string())
        return fail("highlight/request", "a request has an id, a language and a text");
    ColourRequest request{id.get<std::int64_t>(), language.get<std::string>(), text.get<std::string>()};
    if (request.text.size() > largestColouredText)
        return fail("highlight/request", "the text is too long to be coloured");
    return request;
}

Result<ColourAnswer> colourAnswerFrom(const nlohmann::json& json)
{
    const auto field
        = [&json](const char* name) { return json.is_object() ? json.value(name, nlohmann::json()) : json; };
    const nlohmann::json id = field("id"), spans = field("spans");
    if (field("op") != "colours" || !id.is_number_integer() || !spans.is_array() || spans.size() % partsOfSpan != 0)
        return fail("highlight/answer", "an answer has an id and spans of four numbers");
    ColourAnswer answer{id.get<std::int64_t>(), {}};
    answer.spans.reserve(spans.size() / partsOfSpan);
    std::int64_t lastLine = 0, lastEnd = 0;
    for (std::size_t at = 0; at < spans.size(); at += partsOfSpan) {
        const std::int64_t line = numberOr(spans[at], -1), start = numberOr(spans[at + 1], -1),
                           length = numberOr(spans[at + 2], -1), style = numberOr(spans[at + 3], -1);
        if (line > lastLine)
            lastEnd = 0;
        if (line < lastLine || line > mostLines || start < lastEnd || start > longestColouredLine || length < 1
            || length > longestColouredLine || style < 1 || style >= static_cast<std::int64_t>(CodeStyle::Count))
            return fail("highlight/answer", "a span is out of range");
        lastLine = line;
        lastEnd = start + length;
        answer.spans.push_back({static_cast<std::int32_t>(line), static_cast<std::int32_t>(start),
            static_cast<std::int32_t>(length), static_cast<CodeStyle>(style)});
    }
    return answer;
}

} // namespace tilewright
