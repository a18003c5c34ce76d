// SPDX-License-Identifier: GPL-3.0-or-later
// What a failed try means: its code, whether trying again can help, how long to wait, which parameter was refused, and
// whether the model is worth asking at all. Pure.
#pragma once

#include "core/llm/protocol.h"

#include <chrono>

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

} // namespace tilewright
