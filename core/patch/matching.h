// SPDX-License-Identifier: GPL-3.0-or-later
// Where a run of lines stands in the program, under keys that forgive more and more. Pure; keys are made when first
// asked for and kept for one patch.
#pragma once

#include "core/patch/plain_code.h"
#include "core/patch/unit.h"

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace tilewright::patch {

/// Code: without blanks and comments, where some code is left; strings count as code.
enum class Level { Exact, Trimmed, Indented, Folded, Blanks, Code };

/// A wanted line; some lines may be read in two ways.
struct Wanted {
    std::string key, other; ///< the same where there is one reading
};

class Matcher
{
public:
    explicit Matcher(const std::vector<std::string_view>& source)
        : m_source(source)
    {
    }

    const std::vector<std::string_view>& source() const { return m_source; }
    const IndentUnit& unit();
    Comments comments();
    std::string key(std::string_view line, Level level);

    /// First lines of all places where the wanted lines stand one after the other.
    std::vector<std::size_t> places(const std::vector<Wanted>& wanted, Level level);
    /// The same where blank source lines between wanted ones may be passed over: the row of each wanted line.
    std::vector<std::vector<std::size_t>> placesOverBlanks(const std::vector<Wanted>& wanted, Level level);
    /// How many wanted lines, from the first on, stand one after the other somewhere.
    std::size_t longestRun(const std::vector<Wanted>& wanted, Level level);
    /// Does some line of the program have this key?
    bool has(std::string_view line, Level level) { return !rows(line, level).empty(); }
    /// The rows, ascending, that have the line's key.
    std::span<const std::size_t> rows(std::string_view line, Level level);

private:
    /// The lines' keys of one level, and where each of them stands.
    struct Index {
        std::vector<std::string> keys;
        std::unordered_map<std::string_view, std::vector<std::size_t>> rows; ///< views into keys
        std::span<const std::size_t> rowsOf(const std::string& wantedKey) const;
    };
    const Index& index(Level level);
    /// The rows, ascending, at which the first wanted line stands.
    std::vector<std::size_t> starts(const std::vector<Wanted>& wanted, Level level);

    const std::vector<std::string_view>& m_source;
    std::array<Index, 6> m_indices;
    std::optional<IndentUnit> m_unit;
    std::optional<Comments> m_comments;
};

} // namespace tilewright::patch
