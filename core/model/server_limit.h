// SPDX-License-Identifier: GPL-3.0-or-later
// What a model server told of a limit of its own with an answer: how much is left, of how many, until when. As told:
// what was sent since is not taken off.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace tilewright {

struct ServerLimit {
    std::string kind; ///< "requests", "tokens", "input-tokens", as the server calls it
    std::int64_t left = 0;
    std::int64_t of = -1; ///< -1: not told
    std::string refillsUtc; ///< when all of it is there again, by our clock; "" where it did not tell
    std::string readUtc; ///< when this was read, at its answer's end

    bool operator==(const ServerLimit&) const = default;
};

/// {kind, left, of, refills_utc, read_utc}; null for what was not told.
nlohmann::json toJson(const ServerLimit& limit);
/// "499 of 500 requests left, all again at 18:03:20 (read at 18:02:21 UTC)".
std::string wordsOf(const ServerLimit& limit);

} // namespace tilewright
