// SPDX-License-Identifier: GPL-3.0-or-later
// How the indentation a model wrote maps to the program's, learnt from lines that match. A map must explain every pair;
// an indentation that it does not explain has no answer. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::patch {

struct IndentPair {
    std::string_view written, real; ///< leading blanks and tabs of one line in the reply and in the program

    bool operator==(const IndentPair&) const = default;
};

class IndentMap
{
public:
    /// Tried in this order: the same; a fixed prefix more or less; tabs ↔ blanks at one width; both; a ratio of blanks
    /// (two levels seen at least). Nothing if none of them explains all pairs: a line that moved alone is another line.
    static std::optional<IndentMap> from(const std::vector<IndentPair>& pairs);

    bool convertsTabs() const { return m_kind == Kind::Tabs || m_kind == Kind::Blanks; }
    bool changes() const { return m_kind != Kind::Same; }
    /// Moves every line by whole levels of so many blanks: what was aligned by hand stays so.
    bool movesByLevels(std::size_t blanks) const;
    /// The real form of a written indentation; nothing if the map does not tell.
    std::optional<std::string> applied(std::string_view written) const;

private:
    enum class Kind { Same, Longer, Shorter, Tabs, Blanks, Ratio };
    std::optional<std::string> converted(std::string_view written) const;
    bool explains(const std::vector<IndentPair>& pairs) const;
    bool findTabs(const std::vector<IndentPair>& pairs);
    bool findRatio(const std::vector<IndentPair>& pairs);

    Kind m_kind = Kind::Same;
    std::string m_prefix; ///< Longer, Shorter
    std::size_t m_width = 0; ///< Tabs, Blanks: columns of a tab
    long m_shift = 0; ///< Blanks: columns added after expanding
    std::size_t m_times = 1, m_over = 1; ///< Ratio
};

} // namespace tilewright::patch
