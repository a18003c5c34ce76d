// SPDX-License-Identifier: Apache-2.0
// What can go wrong, as a value. Every failure says what happened, where, and what to do.
#pragma once

#include <expected>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

namespace tilewright {

struct Error {
    std::string code; ///< stable, machine-readable: "task/field", "verify/poison"
    std::string text; ///< one sentence for a user
    std::string hint; ///< what to do about it; may be empty
    nlohmann::json evidence; ///< null where there is none

    bool operator==(const Error&) const = default;

    /// "text (hint)": the one line a terminal shows.
    std::string line() const { return hint.empty() ? text : text + " — " + hint; }
};

template <typename T> using Result = std::expected<T, Error>;

inline std::unexpected<Error> fail(
    std::string code, std::string text, std::string hint = {}, nlohmann::json evidence = nullptr)
{
    return std::unexpected(Error{std::move(code), std::move(text), std::move(hint), std::move(evidence)});
}

} // namespace tilewright
