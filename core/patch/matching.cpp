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
        return std::string(trimmed(folded(line)));
    case Level::Blanks:
        return withoutBlanks(trimmed(folded(line)));
    }
    return {};
}

const std::vector<std::string>& Matcher::keys(Level level)
{
    std::vector<std::string>& kept = m_keys[static_cast<std::size_t>(level)];
    if (kept.empty())
        for (const std::string_view line : m_source)
            kept.push_back(key(line, level));
    return kept;
}

std::vector<std::size_t> Matcher::places(const std::vector<Wanted>& wanted, Level level)
{
    const std::vector<std::string>& source = keys(level);
    std::vector<std::size_t> found;
    for (std::size_t at = 0; !wanted.empty() && at + wanted.size() <= source.size(); ++at) {
        std::size_t same = 0;
        while (same < wanted.size() && fits(wanted[same], source[at + same]))
            ++same;
        if (same == wanted.size())
            found.push_back(at);
    }
    return found;
}

std::vector<std::vector<std::size_t>> Matcher::placesOverBlanks(const std::vector<Wanted>& wanted, Level level)
{
    const std::vector<std::string>& source = keys(level);
    std::vector<std::vector<std::size_t>> found;
    for (std::size_t at = 0; !wanted.empty() && at < source.size(); ++at) {
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

bool Matcher::has(std::string_view line, Level level)
{
    return std::ranges::find(keys(level), key(line, level)) != keys(level).end();
}

} // namespace tilewright::patch
