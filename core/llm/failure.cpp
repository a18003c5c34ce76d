// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/llm/failure.h"

#include "core/base/text.h"
#include "core/llm/json_access.h"
#include "core/llm/letters.h"

#include <QDateTime>
#include <QLocale>
#include <algorithm>
#include <array>
#include <charconv>

namespace tilewright {
namespace {

using namespace std::chrono;

constexpr std::size_t shownOfBody = 300;

bool holdsAny(const std::string& text, std::initializer_list<std::string_view> words)
{
    return std::ranges::any_of(words, [&](std::string_view word) { return text.find(word) != std::string::npos; });
}

std::optional<double> decimal(std::string_view text)
{
    double value = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (problem != std::errc{} || end != text.data() + text.size() || !(value >= 0 && value < 1e9))
        return std::nullopt;
    return value;
}

milliseconds inMilliseconds(double seconds) { return milliseconds(static_cast<std::int64_t>(seconds * 1000 + 0.5)); }

/// "34s" or "1.5s" of google.rpc.RetryInfo.
std::optional<milliseconds> retryDelay(const nlohmann::json& details)
{
    for (const nlohmann::json& detail : details) {
        std::string_view delay;
        const std::string text = textAt(detail, "retryDelay");
        delay = text;
        if (!delay.ends_with('s'))
            continue;
        delay.remove_suffix(1);
        if (const auto seconds = decimal(delay))
            return inMilliseconds(*seconds);
    }
    return std::nullopt;
}

/// A quota that refills by the day; one that refills by the minute passes soon.
bool isDailyQuota(const nlohmann::json& details)
{
    for (const nlohmann::json& detail : details)
        for (const nlohmann::json& violation : listAt(detail, "violations"))
            if (holdsAny(lowered(textAt(violation, "quotaId")), {"perday"}))
                return true;
    return false;
}

/// The parameter that a refusal names: by its field, else by its sentence.
std::string refusedParameter(const nlohmann::json& evidence, const std::string& message)
{
    const std::string lower = lowered(message);
    const bool complains = holdsAny(lower,
        {"unsupported", "not supported", "does not support", "unrecognized", "unknown name", "unknown parameter",
            "unknown field", "deprecated", "not permitted", "extra inputs", "not allowed", "not available",
            "may not be set", "cannot be used", "is not a valid"});
    const std::string code = textAt(evidence, "code");
    if (const std::string named = textAt(evidence, "param");
        !named.empty() && (complains || holdsAny(code, {"unsupported", "unknown_parameter"})))
        return named;
    if (!complains)
        return {};
    static constexpr std::array<std::string_view, 20> known{"max_completion_tokens", "max_tokens", "temperature",
        "top_p", "topP", "seed", "stop_sequences", "stopSequences", "stream_options", "reasoning_effort",
        "output_config", "thinkingConfig", "thinking_config", "thinkingLevel", "thinking", "reasoning",
        "candidateCount", "stop", "developer", "'n'"};
    std::string first;
    std::size_t earliest = std::string::npos;
    for (const std::string_view name : known) {
        const std::size_t at = message.find(name);
        if (at < earliest) { // of names at one place the longer one stands first in the table
            earliest = at;
            first = name;
        }
    }
    return first == "developer" ? "role" : first == "'n'" ? "n" : first;
}

Error errorFromBody(const HttpAnswer& answer)
{
    nlohmann::json json = parsedOrDiscarded(answer.body);
    if (json.is_array() && json.size() == 1)
        json = json.front();
    Error error = json.is_discarded() ? Error{} : errorObject(json);
    if (error.code.empty()) {
        const std::string shown = printable(trimmed(std::string_view(answer.body).substr(0, shownOfBody)));
        const bool says = shown.find_first_not_of("{}[] \n") != std::string::npos && shown != "null";
        error.text = says ? shown : "the server gave no reason";
        error.evidence = {{"body", shown}};
    }
    error.evidence["status"] = answer.status;
    return error;
}

/// Statuses that name the trouble by themselves.
void judge(ModelFailure& failure, int status)
{
    const std::string message = lowered(failure.error.text);
    const std::string words = lowered(dumped(failure.error.evidence));
    const nlohmann::json& details = listAt(failure.error.evidence, "details");
    const auto call = [&failure](const char* code, Remedy remedy, const char* hint) {
        failure.error.code = code;
        failure.error.hint = hint;
        failure.remedy = remedy;
    };
    const bool tooLong = holdsAny(words,
        {"context_length_exceeded", "context length", "prompt is too long", "maximum context", "exceeds the context",
            "exceed_context_size", "maximum number of tokens allowed", "exceed context limit"});
    if (status == 402
        || holdsAny(words,
            {"insufficient_quota", "enforced_spend_limit", "credit balance", "billing_hard_limit",
                "insufficient credits"})
        || (status == 429 && isDailyQuota(details))) {
        failure.standing = StandingTrouble::Quota;
        return call(
            "llm/quota", Remedy::Never, "the account has no credit left or met its cap; see the provider's page");
    }
    if (status == 401 || (status == 403 && !holdsAny(words, {"moderation", "flagged"}))
        || holdsAny(words, {"api_key_invalid", "invalid_api_key", "authentication_error"})) {
        failure.standing = StandingTrouble::Auth;
        return call("llm/auth", Remedy::Never, "check the key of this endpoint and what it may be used for");
    }
    if (status == 429)
        return call("llm/rate-limit", Remedy::Later, "fewer requests at a time, or a higher limit at the provider");
    if (tooLong) // whatever the status: an error inside a stream has none, and some servers say 500
        return call("llm/context-length", Remedy::Never, "the prompt is too long for this model: shorten it");
    if (status == 408 || status == 409)
        return call("llm/server", Remedy::Later, "");
    if (status == 529 || status == 503 || holdsAny(words, {"overloaded"}))
        return call("llm/overloaded", Remedy::Later, "");
    if (status >= 500)
        return call("llm/server", Remedy::Later, "");
    if (status == 404)
        return call("llm/not-found", Remedy::Never, "check the model's name and the endpoint's address");
    if (status == 407)
        return call("llm/proxy", Remedy::Never,
            "the proxy wants a user name and a password: set them with HTTPS_PROXY in the environment");
    if (status == 413)
        return call("llm/too-large", Remedy::Never, "the request is too large for this server");
    if (status >= 300 && status < 400)
        return call("llm/redirect", Remedy::Never, "write the final address into the endpoint");
    if (status == 400 || status == 422) {
        failure.parameter = refusedParameter(failure.error.evidence, failure.error.text);
        if (!failure.parameter.empty())
            return call("llm/unsupported-parameter", Remedy::WithoutParameter, "");
    }
    if (holdsAny(words, {"content_filter", "content_policy", "moderation", "flagged"}))
        return call("llm/refused", Remedy::Never, "");
    call("llm/bad-request", Remedy::Never, "");
}

void obeyHeaders(ModelFailure& failure, const HttpHeaders& headers, const std::string& nowUtc)
{
    failure.wait = retryAfter(headers, nowUtc);
    if (!failure.wait)
        failure.wait = retryDelay(listAt(failure.error.evidence, "details"));
    const std::string should = lowered(headerOf(headers, "x-should-retry"));
    if (failure.standing == StandingTrouble::None && failure.remedy != Remedy::WithoutParameter) {
        if (should == "true")
            failure.remedy = Remedy::Later;
        else if (should == "false")
            failure.remedy = Remedy::Never;
    }
}

/// The status that an error object in a 200 reply would have had.
int impliedStatus(const nlohmann::json& evidence)
{
    if (const auto code = decimal(textAt(evidence, "code")); code && *code >= 300 && *code < 600)
        return static_cast<int>(*code);
    const std::string kind
        = lowered(textAt(evidence, "type") + " " + textAt(evidence, "code") + " " + textAt(evidence, "status"));
    if (holdsAny(kind, {"overloaded"}))
        return 529;
    if (holdsAny(kind, {"rate_limit", "resource_exhausted", "too_many"}))
        return 429;
    if (holdsAny(kind, {"authentication", "unauthenticated", "invalid_api_key"}))
        return 401;
    if (holdsAny(kind, {"permission"}))
        return 403;
    if (holdsAny(kind, {"invalid_request", "invalid_prompt", "badrequest", "bad_request", "invalid_argument"}))
        return 400;
    if (holdsAny(kind, {"not_found", "notfound"}))
        return 404;
    return 500; // api_error, server_error and what says nothing of itself
}

} // namespace

std::string headerOf(const HttpHeaders& headers, std::string_view name)
{
    const std::string wanted = lowered(name);
    for (const auto& [key, value] : headers)
        if (lowered(key) == wanted)
            return value;
    return {};
}

std::optional<milliseconds> retryAfter(const HttpHeaders& headers, const std::string& nowUtc)
{
    if (const auto exact = decimal(trimmed(headerOf(headers, "retry-after-ms"))))
        return milliseconds(static_cast<std::int64_t>(*exact));
    const std::string value(trimmed(headerOf(headers, "retry-after")));
    if (value.empty())
        return std::nullopt;
    if (const auto seconds = decimal(value))
        return inMilliseconds(*seconds);
    const auto date = [](const std::string& text) { // RFC 9110, the one form that servers may send
        QDateTime parsed
            = QLocale::c().toDateTime(QString::fromStdString(text), QStringLiteral("ddd, dd MMM yyyy HH:mm:ss 'GMT'"));
        parsed.setTimeSpec(Qt::UTC);
        return parsed;
    };
    const QDateTime then = date(value);
    QDateTime now = date(headerOf(headers, "date"));
    if (!now.isValid())
        now = QDateTime::fromString(QString::fromStdString(nowUtc), Qt::ISODateWithMs);
    if (!then.isValid() || !now.isValid())
        return std::nullopt;
    const qint64 wait = now.msecsTo(then);
    return wait > 0 ? std::optional(milliseconds(wait)) : std::nullopt;
}

ModelFailure failureOf(const HttpAnswer& answer, const std::string& nowUtc)
{
    ModelFailure failure;
    failure.error = errorFromBody(answer);
    judge(failure, answer.status);
    failure.error.text = "HTTP " + std::to_string(answer.status) + ": " + failure.error.text;
    if (answer.status >= 300 && answer.status < 400) {
        const std::string location = headerOf(answer.headers, "location");
        failure.error.evidence["location"] = location;
        failure.error.text = "HTTP " + std::to_string(answer.status) + ": the server sends requests on to "
            + (location.empty() ? "nowhere" : printable(location.substr(0, shownOfBody)))
            + "; redirects are followed only within one server";
    }
    obeyHeaders(failure, answer.headers, nowUtc);
    return failure;
}

ModelFailure failureOf(const ReplyContent& content, const HttpHeaders& headers, const std::string& nowUtc)
{
    ModelFailure failure;
    failure.error = content.error;
    judge(failure, impliedStatus(failure.error.evidence));
    failure.error.text = "the server broke the reply off: " + failure.error.text;
    obeyHeaders(failure, headers, nowUtc);
    if (content.anyText())
        failure.remedy = Remedy::Never;
    return failure;
}

RateLimits rateLimitsOf(const HttpHeaders& headers)
{
    RateLimits limits;
    const auto told = [](std::string_view text) -> std::int64_t {
        const auto value = decimal(trimmed(text));
        return value ? static_cast<std::int64_t>(*value) : -1;
    };
    for (const auto& [key, value] : headers) {
        std::string name = lowered(key);
        for (const std::string_view part : {"limit", "remaining", "reset"}) {
            std::string kind;
            const std::string openAi = "x-ratelimit-" + std::string(part) + "-";
            const std::string tail = "-" + std::string(part);
            constexpr std::string_view anthropic = "anthropic-ratelimit-";
            if (name.starts_with(openAi))
                kind = name.substr(openAi.size());
            else if (name.starts_with(anthropic) && name.ends_with(tail))
                kind = name.substr(anthropic.size(), name.size() - anthropic.size() - tail.size());
            if (kind.empty())
                continue;
            if (part == "limit")
                limits[kind].limit = told(value) == 0 ? -1 : told(value);
            else if (part == "remaining")
                limits[kind].remaining = told(value);
            else
                limits[kind].reset = printable(std::string_view(value).substr(0, 64));
        }
    }
    return limits;
}

std::string serverIdOf(const HttpHeaders& headers)
{
    for (const char* name : {"x-request-id", "request-id", "x-generation-id"})
        if (const std::string id = headerOf(headers, name); !id.empty())
            return printable(std::string_view(id).substr(0, 128));
    return {};
}

} // namespace tilewright
