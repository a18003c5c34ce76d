// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/patch/matching.h"

#include "core/base/text.h"
#include "core/patch/folding.h"
#include "core/patch/hunk.h"

#include <algorithm>

namespace tilewright::patch {
namespace {

bool fits(const Wanted& wanted, const std::string& key) { return key == wanted.key || key == wanted.other; }

} // namespace

const IndentUnit& Matcher::unit()
{
    if (!m_unit)
        m_unit = indentUnitOf(m_source);
    return *m_unit;
}

Comments Matcher::comments()
{
    if (!m_comments)
        m_comments = commentsOf(m_source);
    return *m_comments;
}

std::string Matcher::key(std::string_view line, Level level)
{
    switch (level) {
    case Level::Exact:
        return std::string(line);
    case Level::Trimmed:
        return std::string(trimmedRight(line));
    case Level::Indented:
        return std::string(trimmed(line));
    case Level::Folded:
        return std::string(trimmed(foldedCode(line, comments())));
    case Level::Blanks:
        return withoutBlanks(trimmed(foldedCode(line, comments())));
    case Level::Code:
        return withoutBlanks(trimmed(codeBeforeComment(foldedCode(line, comments()), comments())));
    }
    return {};
}

const Matcher::Index& Matcher::index(Level level)
{
    Index& kept = m_indices[static_cast<std::size_t>(level)];
    if (!kept.keys.empty() || m_source.empty())
        return kept;
    kept.keys.reserve(m_source.size());
    for (const std::string_view line : m_source)
        kept.keys.push_back(key(line, level));
    for (std::size_t i = 0; i < kept.keys.size(); ++i)
        kept.rows[kept.keys[i]].push_back(i);
    return kept;
}

std::span<const std::size_t> Matcher::Index::rowsOf(const std::string& wantedKey) const
{
    const auto found = rows.find(wantedKey);
    return found == rows.end() ? std::span<const std::size_t>() : found->second;
}

std::vector<std::size_t> Matcher::starts(const std::vector<Wanted>& wanted, Level level)
{
    if (wanted.empty())
        return {};
    const Index& source = index(level);
    const auto first = source.rowsOf(wanted.front().key);
    std::vector<std::size_t> rows(first.begin(), first.end());
    if (wanted.front().other != wanted.front().key) {
        const auto other = source.rowsOf(wanted.front().other);
        rows.insert(rows.end(), other.begin(), other.end());
        std::ranges::sort(rows);
    }
    return rows;
}

std::vector<std::size_t> Matcher::places(const std::vector<Wanted>& wanted, Level level)
{
    const Index& source = index(level);
    const auto rowsOf = [&source](const std::string& wantedKey) { return source.rowsOf(wantedKey); };
    // The rarest line says where to look.
    std::size_t rarest = 0, fewest = m_source.size() + 1;
    for (std::size_t i = 0; i < wanted.size() && fewest > 0; ++i) {
        const bool two = wanted[i].other != wanted[i].key;
        const std::size_t count = rowsOf(wanted[i].key).size() + (two ? rowsOf(wanted[i].other).size() : 0);
        if (count < fewest) {
            fewest = count;
            rarest = i;
        }
    }
    std::vector<std::size_t> found;
    const auto look = [&](const std::string& wantedKey) {
        for (const std::size_t row : rowsOf(wantedKey)) {
            if (row < rarest || row - rarest + wanted.size() > m_source.size())
                continue;
            std::size_t same = 0;
            while (same < wanted.size() && fits(wanted[same], source.keys[row - rarest + same]))
                ++same;
            if (same == wanted.size())
                found.push_back(row - rarest);
        }
    };
    if (wanted.empty() || fewest == 0)
        return found;
    look(wanted[rarest].key);
    if (wanted[rarest].other != wanted[rarest].key)
        look(wanted[rarest].other);
    std::ranges::sort(found);
    return found;
}

std::size_t Matcher::longestRun(const std::vector<Wanted>& wanted, Level level)
{
    const std::vector<std::string>& keys = index(level).keys;
    std::size_t most = 0;
    for (const std::size_t at : starts(wanted, level)) {
        std::size_t same = 0;
        while (same < wanted.size() && at + same < keys.size() && fits(wanted[same], keys[at + same]))
            ++same;
        most = std::max(most, same);
    }
    return most;
}

std::vector<std::vector<std::size_t>> Matcher::placesOverBlanks(const std::vector<Wanted>& wanted, Level level)
{
    const std::vector<std::string>& source = index(level).keys;
    std::vector<std::vector<std::size_t>> found;
    for (const std::size_t at : starts(wanted, level)) {
        std::vector<std::size_t> rows;
        for (std::size_t i = at; i < source.size() && rows.size() < wanted.size(); ++i) {
            if (fits(wanted[rows.size()], source[i]))
                rows.push_back(i);
            else if (rows.empty() || !isBlank(source[i]))
                break;
        }
        if (rows.size() == wanted.size())
            found.push_back(std::move(rows));
    }
    return found;
}

std::span<const std::size_t> Matcher::rows(std::string_view line, Level level)
{
    return index(level).rowsOf(key(line, level));
}

} // namespace tilewright::patch
