// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/llm/failure.h"

#include "core/base/format.h"
#include "core/base/text.h"
#include "core/llm/json_access.h"
#include "core/llm/server_errors.h"

#include <QDateTime>
#include <algorithm>
#include <array>

namespace tilewright {
namespace {

using namespace std::chrono;

constexpr std::size_t shownOfBody = 300;

template <typename Words = std::initializer_list<std::string_view>>
bool holdsAny(const std::string& text, const Words& words)
{
    return std::ranges::any_of(words, [&](std::string_view word) { return text.find(word) != std::string::npos; });
}

// What servers write, in lower case, where trying again cannot help.
constexpr std::array<std::string_view, 20> contextWords{"context_length_exceeded", "context length", "context_length",
    "context window", "context size", "context limit", "prompt is too long", "prompt too long", "input is too long",
    "input too long", "maximum context", "exceeds the context", "exceed_context_size", "exceed context limit",
    "maximum number of tokens allowed", "maximum prompt length", "maximum input length", "max_model_len",
    "reduce the length", "超长"};
constexpr std::array<std::string_view, 29> quotaWords{"insufficient_quota", "balance not enough", "额度", "欠费",
    "余额", "enforced_spend_limit", "credit balance", "billing_hard_limit", "insufficient credits",
    "insufficient balance", "insufficient_balance", "insufficient funds", "exceeded_current_quota_error",
    "out of credits", "no credits", "payment required", "spending limit", "arrears", "quota has been exhausted",
    "quota exhausted", "insufficient credit", "balance is insufficient", "balance is not enough",
    "balance is not sufficient", "account balance", "recharge", "top up your", "out of funds", "充值"};
constexpr std::array<std::string_view, 22> keyWords{"api_key_invalid", "not authenticated", "invalid credential",
    "authentication error", "not authorized", "authfailure", "无效的令牌", "无效的api", "密钥", "invalid_api_key",
    "authentication_error", "incorrect api key", "invalid api key", "api key not valid", "api key is invalid",
    "api key expired", "missing api key", "no api key", "invalid authentication", "unauthenticated", "unauthorized",
    "invalid token"};
constexpr std::array<std::string_view, 12> modelWords{"model_not_found", "model not found", "model_not_exist",
    "model not exist", "unknown model", "no such model", "not a valid model", "invalid model name",
    "model_not_supported", "unsupported model", "model does not exist", "模型不存在"};
constexpr std::array<std::string_view, 12> policyWords{"content_filter", "content_policy", "content policy",
    "content management policy", "moderation", "flagged", "policy violation", "policy_violation",
    "data_inspection_failed", "inappropriate content", "safety system", "sensitive content"};
/// What passes by itself.
constexpr std::array<std::string_view, 12> passingWords{"try again", "overload", "temporar", "timeout", "timed out",
    "unavailable", "busy", "internal", "server error", "server_error", "api_error", "starting"};
constexpr std::array<std::string_view, 6> rateWords{
    "rate limit", "rate_limit", "too many requests", "per minute", "resource_exhausted", "too_many"};

bool namesQuota(const std::string& words, int status)
{
    return holdsAny(words, quotaWords) || (status != 429 && holdsAny(words, {"quota"}) && !holdsAny(words, rateWords));
}

bool namesKey(const std::string& words)
{
    return holdsAny(words, keyWords)
        || (holdsAny(words, {"api key", "api_key", "apikey"})
            && holdsAny(words, {"invalid", "incorrect", "missing", "expired", "required", "wrong", "not valid"}));
}

/// "The model `x` does not exist", "model 'x' not found, try pulling it first".
bool namesModel(const std::string& words)
{
    return holdsAny(words, modelWords)
        || (holdsAny(words, {"model"}) && holdsAny(words, {"not found", "not exist", "not_found"}));
}

std::optional<double> decimal(std::string_view text)
{
    const auto value = decimalOf(text);
    return value && *value >= 0 && *value < 1e9 ? value : std::nullopt;
}

/// "34s" or "1.5s" of google.rpc.RetryInfo.
std::optional<milliseconds> retryDelay(const nlohmann::json& details)
{
    for (const nlohmann::json& detail : details) {
        if (const auto delay = durationOf(textAt(detail, "retryDelay")))
            return delay;
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
    nlohmann::json json = firstJsonOf(answer.body);
    if (json.is_array() && json.size() == 1)
        json = json.front();
    Error error = json.is_discarded() ? Error{} : errorObject(json);
    if (error.code.empty() && !json.is_discarded())
        error = noticeObject(json);
    if (error.code.empty()) {
        const std::string shown = wordsOfPage(answer.body, shownOfBody);
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
    const bool tooLong = holdsAny(words, contextWords);
    if (status == 402 || namesQuota(words, status) || (status == 429 && isDailyQuota(details))) {
        failure.standing = StandingTrouble::Quota;
        return call(
            "llm/quota", Remedy::Never, "the account has no credit left or reached its limit; see the provider's page");
    }
    if (status == 401 || (status == 403 && !holdsAny(words, {"moderation", "flagged"})) || namesKey(words)) {
        failure.standing = StandingTrouble::Auth;
        return call("llm/auth", Remedy::Never, "check the key of this endpoint and its permissions");
    }
    if (status == 429)
        return call(
            "llm/rate-limit", Remedy::Later, "use fewer concurrent requests, or a higher limit at the provider");
    if (tooLong) // whatever the status: an error inside a stream has none, and some servers say 500
        return call("llm/context-length", Remedy::Never, "the prompt is too long for this model: shorten it");
    if (status != 400 && status != 422 && namesModel(words))
        return call("llm/not-found", Remedy::Never, "check the model's name and the endpoint's address");
    if (status >= 500 && holdsAny(words, policyWords))
        return call("llm/refused", Remedy::Never, "");
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
            "the proxy needs a user name and a password: set them with HTTPS_PROXY in the environment");
    if (status == 413)
        return call("llm/too-large", Remedy::Never, "the request is too large for this server");
    if (status >= 300 && status < 400)
        return call("llm/redirect", Remedy::Never, "enter the final address in the endpoint");
    if (status == 400 || status == 422) {
        failure.parameter = refusedParameter(failure.error.evidence, failure.error.text);
        if (!failure.parameter.empty())
            return call("llm/unsupported-parameter", Remedy::WithoutParameter, "");
    }
    if (namesModel(words))
        return call("llm/not-found", Remedy::Never, "check the model's name and the endpoint's address");
    if (holdsAny(words, policyWords))
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
    const std::string message = lowered(textAt(evidence, "message"));
    if (holdsAny(kind, rateWords) || holdsAny(message, rateWords))
        return 429;
    if (holdsAny(kind, {"authentication", "unauthenticated", "invalid_api_key"}))
        return 401;
    if (holdsAny(kind, {"permission"}))
        return 403;
    if (holdsAny(kind, {"invalid_request", "invalid_prompt", "badrequest", "bad_request", "invalid_argument"}))
        return 400;
    if (holdsAny(kind, {"not_found", "notfound"}))
        return 404;
    // A number of the server's own, with words that do not say that it passes: asking again costs another prompt.
    const bool isOwnCode = !textAt(evidence, "code").empty() && textAt(evidence, "type").empty();
    const bool isOfFields = memberOf(evidence, "fields") == true;
    if ((isOwnCode || isOfFields) && !holdsAny(kind, passingWords) && !holdsAny(message, passingWords))
        return 400;
    return 500; // api_error, server_error and what says nothing of itself
}

std::string withoutQuotes(std::string_view text)
{
    text = trimmed(text);
    while (text.size() > 1 && (text.front() == '"' || text.front() == '\'') && text.back() == text.front())
        text = trimmed(text.substr(1, text.size() - 2));
    return std::string(text);
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
    const std::string exact(trimmed(headerOf(headers, "retry-after-ms")));
    if (const auto ms = decimal(exact))
        return milliseconds(static_cast<std::int64_t>(*ms));
    if (const auto wait = durationOf(exact)) // "250ms"
        return wait;
    const std::string value = withoutQuotes(headerOf(headers, "retry-after"));
    if (const auto wait = durationOf(value))
        return wait;
    if (const auto wait = durationOf(value.substr(0, value.find(',')))) // told twice: "60, 60"
        return wait;
    const QDateTime then = serverDate(value);
    QDateTime now = serverDate(headerOf(headers, "date"));
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
        failure.error.text = "HTTP " + std::to_string(answer.status) + ": the server redirects to "
            + (location.empty() ? "nowhere" : serverWords(location.substr(0, shownOfBody)))
            + "; redirects are followed only within one server";
    }
    obeyHeaders(failure, answer.headers, nowUtc);
    return failure;
}

ModelFailure failureOf(const ReplyContent& content, const HttpHeaders& headers, const std::string& nowUtc)
{
    ModelFailure failure;
    failure.error = content.error.code.empty() ? content.notice : content.error;
    judge(failure, impliedStatus(failure.error.evidence));
    failure.error.text = (content.anyText() ? "the server ended the reply early: " : "the server reports an error: ")
        + failure.error.text;
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
                limits[kind].reset = oneLine(value, 64);
        }
    }
    return limits;
}

std::string serverIdOf(const HttpHeaders& headers)
{
    for (const char* name : {"x-request-id", "request-id", "x-generation-id"})
        if (const std::string id = headerOf(headers, name); !id.empty())
            return oneLine(id, 128);
    return {};
}

} // namespace tilewright
