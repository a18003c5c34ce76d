// SPDX-License-Identifier: GPL-3.0-or-later
// What a server told of its own limits with its last answers: how much is left, until when, and what wait it asked for.
// Further requests keep to it before the server has to refuse them. Pure; times are of a monotonic clock.
#pragma once

#include "core/llm/failure.h"
#include "core/llm/pace.h"
#include "core/model/requests/model_status.h"

#include <string>

namespace tilewright {

/// How long from now until the limit is renewed: "6m0s", "120ms", "1.5" (seconds), or an RFC 3339 time, measured from
/// `nowUtc` (the server's own Date, where it told one). None for garbage; 0 for times gone by.
std::optional<std::chrono::milliseconds> untilReset(const std::string& reset, const std::string& nowUtc);

class AnnouncedLimits
{
public:
    /// Nobody waits longer than this for a limit: after that the server is asked, and answers for itself.
    static constexpr std::chrono::minutes longestHold{2};

    /// Takes an answer's headers.
    void note(std::chrono::nanoseconds now, const HttpHeaders& headers, const std::string& nowUtc);
    /// The server asked for a pause (Retry-After). With it, it has said when to come again: no limit holds for longer.
    void holdFor(std::chrono::nanoseconds now, std::chrono::milliseconds wait);
    /// A request goes out with its estimate: what was left before it is less now.
    void count(const PaceLoad& load);

    /// Time until one more request with so many tokens to read may be sent behind those that are `ahead`; 0 if it may.
    std::chrono::nanoseconds waitFor(
        std::chrono::nanoseconds now, std::int64_t tokens, const PaceLoad& ahead = {}) const;
    /// Why it has to wait, for a user: "the server has 0 of 500 requests left"; "" if it has not.
    std::string reason(std::chrono::nanoseconds now, std::int64_t tokens) const;
    /// What was told last of each limit, as long as it holds: until it is renewed, or where that was not told for
    /// longestHold. By kind.
    std::vector<ServerLimit> told(std::chrono::nanoseconds now) const;

private:
    struct Left {
        std::int64_t limit = -1, remaining = 0; ///< limit -1: not told
        std::chrono::nanoseconds until{0};
    };
    /// The limit that holds so much back; null if none does.
    const std::pair<const std::string, Left>* holding(std::chrono::nanoseconds now, const PaceLoad& load) const;

    struct Told {
        ServerLimit limit;
        std::chrono::nanoseconds until{0}; ///< it says something
    };

    std::map<std::string, Left> m_left; ///< by "requests", "tokens", "input-tokens" …
    std::map<std::string, Told> m_told; ///< by the same, for the screen
    std::chrono::nanoseconds m_heldUntil{0};
};

} // namespace tilewright
