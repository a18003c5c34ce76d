// SPDX-License-Identifier: GPL-3.0-or-later
// What a failed try means: its code, whether trying again can help, how long to wait, which parameter was refused, and
// whether the model is worth asking at all. Pure.
#pragma once

#include "core/base/random.h"
#include "core/llm/protocol.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>

namespace tilewright {

/// Never: trying again cannot help. Later: it can. WithoutParameter: once, with what `parameter` names left out.
enum class Remedy { Never, Later, WithoutParameter };
/// Troubles that will meet the next request as well.
enum class StandingTrouble { None, Auth, Quota };

struct ModelFailure {
    Error error;
    Remedy remedy = Remedy::Never;
    StandingTrouble standing = StandingTrouble::None;
    std::optional<std::chrono::milliseconds> wait; ///< as the server asked
    std::string parameter;

    bool operator==(const ModelFailure&) const = default;
};

/// What a server answered instead of a reply.
struct HttpAnswer {
    int status = 0;
    HttpHeaders headers; ///< names in any case
    std::string body;
};

/// The header's value, whatever the case of its name; "" if there is none.
std::string headerOf(const HttpHeaders& headers, std::string_view name);

/// A status that is not 2xx, with whatever body came. `nowUtc` (ISO 8601) is used where a date is given and the server
/// told no time of its own. Codes: llm/auth, llm/quota, llm/rate-limit, llm/overloaded, llm/server, llm/not-found,
/// llm/context-length, llm/too-large, llm/unsupported-parameter, llm/refused, llm/bad-request, llm/redirect, llm/proxy.
ModelFailure failureOf(const HttpAnswer& answer, const std::string& nowUtc);
/// An error object inside a reply with status 200: judged as if its code had been the status. Trying again is allowed
/// only if no text came before it.
ModelFailure failureOf(const ReplyContent& content, const HttpHeaders& headers, const std::string& nowUtc);

/// The wait that the headers ask for: retry-after-ms, else Retry-After in seconds (also with a fraction) or as an HTTP
/// date, measured from the server's own Date if it gave one. None for garbage and for dates gone by.
std::optional<std::chrono::milliseconds> retryAfter(const HttpHeaders& headers, const std::string& nowUtc);

/// The announced limits of OpenAI and Anthropic headers; -1 and 0 as a limit mean "not told" (Azure).
RateLimits rateLimitsOf(const HttpHeaders& headers);
/// x-request-id, request-id or X-Generation-Id.
std::string serverIdOf(const HttpHeaders& headers);

// The one layer that tries again. How long to wait is a pure function of the call, the try and what the server asked.

struct RetryRules {
    int mostAttempts = 6;
    std::chrono::milliseconds first{500}, longest{8'000};
    /// A server that asks for a longer wait than this is not waited for: the call fails and the model rests.
    std::chrono::milliseconds mostAsked{120'000};

    bool operator==(const RetryRules&) const = default;
};

/// The pause before try `next` (2, 3, …): 0.5, 1, 2, 4, 8, 8 … s, each times 0.75 to 1 so that many callers do not come
/// back at once; or what the server asked for. None: do not try again.
inline std::optional<std::chrono::milliseconds> pauseBefore(
    int next, std::optional<std::chrono::milliseconds> asked, const RetryRules& rules, CounterRandom random)
{
    if (next > rules.mostAttempts)
        return std::nullopt;
    if (asked)
        return *asked <= rules.mostAsked ? asked : std::nullopt;
    const auto doubled = rules.first * (std::int64_t(1) << std::clamp(next - 2, 0, 20));
    const double share = 1.0 - 0.25 * random.uniform();
    const auto pause = std::min<std::chrono::milliseconds>(doubled, rules.longest);
    return std::chrono::milliseconds(static_cast<std::int64_t>(static_cast<double>(pause.count()) * share));
}

} // namespace tilewright
