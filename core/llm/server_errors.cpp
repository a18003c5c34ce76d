// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/llm/server_errors.h"

#include "core/base/format.h"
#include "core/base/text.h"
#include "core/llm/json_access.h"

#include <QLocale>
#include <algorithm>
#include <array>
#include <string>

namespace tilewright {
namespace {

using Json = nlohmann::json;

constexpr std::size_t shown = 300;
/// Names of fields as plainKey() gives them, the more telling ones first.
constexpr std::array<std::string_view, 13> messageKeys{"message", "msg", "errormsg", "errormessage", "errmsg",
    "errmessage", "statusmsg", "statusmessage", "detail", "errordescription", "errordetail", "errorinfo",
    "faultstring"};
constexpr std::array<std::string_view, 4> otherMessageKeys{"title", "reason", "error", "description"};
constexpr std::array<std::string_view, 7> codeKeys{
    "code", "errorcode", "errcode", "errno", "statuscode", "retcode", "resultcode"};
constexpr std::array<std::string_view, 6> errorKeys{"error", "errors", "err", "exception", "fault", "failure"};
/// What servers put a reply, or their error, into.
constexpr std::array<std::string_view, 5> wrapperKeys{"response", "result", "data", "body", "output"};
constexpr int mostWrappers = 3;
/// What stands in replies and in no error.
constexpr std::array<std::string_view, 11> replyKeys{"choices", "candidates", "output", "response", "content", "delta",
    "usage", "usageMetadata", "promptFeedback", "content_block", "done"};

/// "errorMsg", "error_msg", "ErrorMsg" and "__errorMsg" are one name.
std::string plainKey(std::string_view key)
{
    std::string plain;
    for (const char c : key)
        if (c != '_' && c != '-' && c != '.' && c != ' ')
            plain += lowered(c);
    return plain;
}

/// The member of any spelling of this name, or a null.
const Json& memberLike(const Json& json, std::string_view plain)
{
    static const Json nothing;
    if (!json.is_object())
        return nothing;
    for (auto member = json.begin(); member != json.end(); ++member)
        if (member.key().size() >= plain.size() && plainKey(member.key()) == plain)
            return *member;
    return nothing;
}

std::string textLike(const Json& json, std::string_view plain)
{
    const Json& member = memberLike(json, plain);
    return member.is_string() ? member.get<std::string>() : std::string();
}

/// "429", 429 and "rate_limit_exceeded" are all codes to somebody.
std::string codeAt(const Json& json, std::string_view plain)
{
    const Json& member = memberLike(json, plain);
    if (member.is_number_integer())
        return std::to_string(member.get<std::int64_t>());
    return member.is_string() ? member.get<std::string>() : std::string();
}

template <std::size_t N> std::string firstCode(const Json& json, const std::array<std::string_view, N>& keys)
{
    for (const std::string_view key : keys)
        if (std::string code = codeAt(json, key); !code.empty())
            return code;
    return {};
}

bool saysSuccess(const std::string& code)
{
    const std::string lower = lowered(code);
    return lower == "0" || lower == "200" || lower == "ok" || lower == "success" || lower == "20000";
}

/// "detail" may be a text, an object, or FastAPI's list of {"loc", "msg"}.
std::string messageIn(const Json& json, int depth = 0)
{
    if (depth > 8)
        return {};
    if (json.is_string())
        return json.get<std::string>();
    if (json.is_array()) {
        std::vector<std::string> parts;
        for (const Json& part : json)
            if (std::string one = messageIn(part, depth + 1); !one.empty())
                parts.push_back(std::move(one));
        return joined(parts, "; ");
    }
    if (!json.is_object())
        return {};
    for (const std::string_view key : messageKeys)
        if (const std::string text = messageIn(memberLike(json, key), depth + 1); !text.empty())
            return text;
    for (const std::string_view key : otherMessageKeys)
        if (const std::string text = textLike(json, key); !text.empty())
            return text;
    return {};
}

/// {"model": ["is not available"]}: what is wrong with each field.
std::string messageByField(const Json& errors)
{
    std::vector<std::string> parts;
    if (errors.is_object())
        for (const auto& [field, what] : errors.items())
            if (const std::string words = what.is_structured() ? messageIn(what) : std::string(); !words.empty())
                parts.push_back(field + ": " + words);
    return joined(parts, "; ");
}

/// FastAPI's list of what is wrong with the request: {"detail": [{"loc": …, "msg": …}]}.
bool isAboutFields(const Json& error)
{
    const Json& details = memberLike(error, "detail");
    return details.is_array() && !details.empty() && memberOf(details.front(), "msg").is_string();
}

Error errorFrom(const Json& error)
{
    std::string message = messageIn(error);
    if (message.empty())
        message = messageByField(error);
    // OpenRouter: what the provider behind it said.
    if (const std::string raw = textAt(memberOf(error, "metadata"), "raw"); !raw.empty())
        message += (message.empty() ? "" : ": ") + wordsOfPage(raw, shown);
    message = serverWords(message);
    Json evidence{{"message", message}};
    for (const char* key : {"type", "param", "status"})
        if (const std::string text = codeAt(error, key); !text.empty())
            evidence[key] = text;
    if (const std::string code = firstCode(error, codeKeys); !code.empty())
        evidence["code"] = code;
    if (isAboutFields(error))
        evidence["fields"] = true;
    if (memberOf(error, "details").is_structured())
        evidence["details"] = memberOf(error, "details");
    if (memberOf(error, "metadata").is_object())
        evidence["metadata"] = memberOf(error, "metadata");
    return {
        "llm/server", message.empty() ? serverWords(dumped(error).substr(0, shown)) : message, {}, std::move(evidence)};
}

bool isEmpty(const Json& json)
{
    return json.is_null() || json == false || (json.is_string() && json.get_ref<const std::string&>().empty())
        || (json.is_structured() && json.empty());
}

bool holdsReply(const Json& json)
{
    return std::ranges::any_of(replyKeys, [&](std::string_view key) { return !isEmpty(memberOf(json, key)); })
        || memberOf(json, "message").is_structured();
}

} // namespace

namespace {

bool saysFailure(const std::string& status)
{
    const std::string lower = lowered(status);
    return lower == "error" || lower == "fail" || lower == "failed" || lower == "failure";
}

Error errorWithin(const Json& json, int depth)
{
    if (!json.is_object())
        return {};
    for (const std::string_view key : errorKeys) {
        const Json& error = memberLike(json, key);
        if (isEmpty(error))
            continue;
        if (error.is_object())
            return errorFrom(error);
        if (error.is_boolean() || error.is_number()) // {"error": true, "message": …}
            return errorFrom(json);
        const std::string message = messageIn(error);
        Error found = errorFrom(json);
        found.text = serverWords(message.empty() ? dumped(error).substr(0, shown) : message);
        found.evidence["message"] = found.text;
        if (error.is_array() && error.front().is_object())
            if (const std::string code = firstCode(error.front(), codeKeys); !code.empty())
                found.evidence["code"] = code;
        return found;
    }
    for (const Json& choice : listAt(json, "choices")) // OpenRouter
        if (const Json& error = memberOf(choice, "error"); !isEmpty(error))
            return errorWithin({{"error", error}}, depth);
    const std::string object = textAt(json, "object"), type = textLike(json, "type");
    if (object == "error" || type == "error")
        return errorFrom(json); // vLLM, and the error event of Responses
    const Json& base = memberOf(json, "base_resp"); // MiniMax, in every reply
    if (const std::string code = codeAt(base, "status_code"); !code.empty() && !saysSuccess(code))
        return errorFrom(base);
    const bool isProblem = countAt(json, "status") >= 400;
    const std::string kind = lowered(type);
    const bool namesError = kind.find("error") != std::string::npos || kind.find("exception") != std::string::npos;
    if (type.empty() && depth < mostWrappers)
        for (const std::string_view key : wrapperKeys)
            if (const Json& wrapped = memberLike(json, key); wrapped.is_object())
                if (Error error = errorWithin(wrapped, depth + 1); !error.code.empty())
                    return error;
    if (holdsReply(json) || (!type.empty() && !isProblem && !namesError))
        return {};
    const std::string code = firstCode(json, codeKeys);
    const std::string message = messageIn(json);
    const bool failed = memberLike(json, "success") == false || memberLike(json, "ok") == false
        || saysFailure(textLike(json, "status")) || (!code.empty() && !saysSuccess(code)) || isProblem || namesError;
    return failed && !message.empty() ? errorFrom(json) : Error{};
}

} // namespace

Error errorObject(const Json& json) { return errorWithin(json, 0); }

Error noticeObject(const Json& json)
{
    if (!json.is_object() || holdsReply(json))
        return {};
    if (const std::string code = firstCode(json, codeKeys); saysSuccess(code))
        return {};
    for (const std::string_view key : messageKeys)
        if (!messageIn(memberLike(json, key)).empty())
            return errorFrom(json);
    return {};
}

Error errorOfText(std::string_view text)
{
    const Json json = firstJsonOf(text);
    if (json.is_object()) {
        Error error = errorObject(json);
        return error.code.empty() ? errorFrom(json) : error;
    }
    if (trimmed(text).empty())
        return {"llm/server", "it sent an error without a text", {}, {{"message", ""}}};
    const std::string words = serverWords(json.is_string() ? json.get<std::string>() : wordsOfPage(text, shown));
    if (words.empty())
        return {};
    return {"llm/server", words, {}, {{"message", words}}};
}

std::string serverWords(std::string_view words)
{
    constexpr std::size_t most = 2000;
    return oneLine(words, most);
}

std::string wordsOfPage(std::string_view page, std::size_t most)
{
    const std::string lower = lowered(page);
    const bool isPage = lower.find("<html") != std::string::npos || lower.find("<!doctype") != std::string::npos
        || lower.find("<head") != std::string::npos || lower.find("<body") != std::string::npos;
    std::string words;
    for (std::size_t at = 0; at < page.size() && words.size() < most; ++at) {
        if (isPage && page[at] == '<') {
            for (const std::string_view hidden : {"script", "style"})
                if (std::string_view(lower).substr(at + 1).starts_with(hidden))
                    at = std::min(lower.find("</" + std::string(hidden), at), page.size() - 1);
            at = std::min(page.find('>', at), page.size() - 1);
            words += words.empty() || words.ends_with(' ') ? "" : " ";
        } else if (page[at] == ' ' || (page[at] >= '\t' && page[at] <= '\r')) {
            words += words.empty() || words.ends_with(' ') ? "" : " ";
        } else {
            words += page[at];
        }
    }
    words = std::string(trimmed(printable(words)));
    return words.empty() ? printable(trimmed(page.substr(0, most))) : words;
}

namespace {

struct Unit {
    std::string_view name;
    double seconds;
};
constexpr std::array units{Unit{"ms", 1e-3}, Unit{"msec", 1e-3}, Unit{"milliseconds", 1e-3}, Unit{"millisecond", 1e-3},
    Unit{"d", 86'400}, Unit{"day", 86'400}, Unit{"days", 86'400}, Unit{"h", 3600}, Unit{"hr", 3600}, Unit{"hour", 3600},
    Unit{"hours", 3600}, Unit{"m", 60}, Unit{"min", 60}, Unit{"mins", 60}, Unit{"minute", 60}, Unit{"minutes", 60},
    Unit{"s", 1}, Unit{"sec", 1}, Unit{"secs", 1}, Unit{"second", 1}, Unit{"seconds", 1}};

/// A number at the text's begin, taken off it.
std::optional<double> takeNumber(std::string_view& text)
{
    const auto found = leadingDecimal(text);
    if (!found || !(found->value >= 0 && found->value < 1e9))
        return std::nullopt;
    text.remove_prefix(found->length);
    return found->value;
}

} // namespace

std::optional<std::chrono::milliseconds> durationOf(std::string_view text)
{
    const std::string lower = lowered(trimmed(text));
    std::string_view rest = lower;
    double seconds = 0;
    if (rest.empty())
        return std::nullopt;
    while (!rest.empty()) {
        const auto number = takeNumber(rest);
        if (!number)
            return std::nullopt;
        rest = trimmed(rest);
        const auto letters = static_cast<std::size_t>(
            std::ranges::find_if_not(rest, [](char c) { return c >= 'a' && c <= 'z'; }) - rest.begin());
        const auto* const unit = std::ranges::find(units, rest.substr(0, letters), &Unit::name);
        if (unit == units.end() && !rest.empty())
            return std::nullopt;
        seconds += *number * (rest.empty() ? 1 : unit->seconds);
        rest = trimmed(rest.substr(letters));
    }
    if (seconds >= 1e9)
        return std::nullopt;
    return std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000 + 0.5));
}

QDateTime serverDate(std::string_view text)
{
    QString date = QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())).simplified();
    for (const char* zone : {" GMT", " UTC", " +0000", " Z"})
        if (date.endsWith(QLatin1String(zone), Qt::CaseInsensitive))
            date.chop(static_cast<qsizetype>(std::string_view(zone).size()));
    // RFC 1123, RFC 850 (two digits of the year), asctime; the day's name decides nothing.
    const QString day = date.section(QLatin1Char(','), 1).trimmed();
    for (const auto& [part, form] : {std::pair(day, "d MMM yyyy HH:mm:ss"), std::pair(day, "d-MMM-yy HH:mm:ss"),
             std::pair(day, "d-MMM-yyyy HH:mm:ss"), std::pair(date.section(QLatin1Char(' '), 1), "MMM d HH:mm:ss yyyy"),
             std::pair(date, "d MMM yyyy HH:mm:ss")}) {
        QDateTime parsed = QLocale::c().toDateTime(part, QLatin1String(form));
        if (!parsed.isValid())
            continue;
        if (parsed.date().year() < 1970)
            parsed = parsed.addYears(100); // Qt reads two digits as of the last century
        parsed.setTimeSpec(Qt::UTC);
        return parsed;
    }
    return QDateTime::fromString(
        QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())).trimmed(), Qt::ISODateWithMs);
}

} // namespace tilewright
