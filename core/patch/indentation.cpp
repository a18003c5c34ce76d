// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/patch/indentation.h"

#include <algorithm>

namespace tilewright::patch {
namespace {

constexpr std::size_t widths[] = {4, 2, 8, 3, 1, 5, 6, 7};

std::size_t columns(std::string_view indent, std::size_t width)
{
    std::size_t column = 0;
    for (const char c : indent)
        column = c == '\t' ? (column / width + 1) * width : column + 1;
    return column;
}

bool onlyBlanks(std::string_view indent) { return indent.find('\t') == std::string_view::npos; }

} // namespace

std::optional<std::string> IndentMap::converted(std::string_view written) const
{
    const long wanted = static_cast<long>(columns(written, m_width)) + m_shift;
    if (wanted < 0)
        return std::nullopt;
    const auto width = static_cast<std::size_t>(wanted);
    if (m_kind == Kind::Blanks)
        return std::string(width, ' ');
    return std::string(width / m_width, '\t') + std::string(width % m_width, ' ');
}

std::optional<std::string> IndentMap::applied(std::string_view written) const
{
    switch (m_kind) {
    case Kind::Same:
        return std::string(written);
    case Kind::Longer:
        return m_prefix + std::string(written);
    case Kind::Shorter:
        if (!written.starts_with(m_prefix))
            return std::nullopt;
        return std::string(written.substr(m_prefix.size()));
    case Kind::Tabs:
    case Kind::Blanks:
        return converted(written);
    case Kind::Ratio:
        if (!onlyBlanks(written) || written.size() * m_times % m_over != 0)
            return std::nullopt;
        return std::string(written.size() * m_times / m_over, ' ');
    }
    return std::nullopt;
}

bool IndentMap::movesByLevels(std::size_t blanks) const
{
    return (m_kind == Kind::Longer || m_kind == Kind::Shorter) && blanks > 0 && onlyBlanks(m_prefix)
        && m_prefix.size() % blanks == 0;
}

bool IndentMap::explains(const std::vector<IndentPair>& pairs) const
{
    return std::ranges::all_of(pairs, [&](const IndentPair& pair) { return applied(pair.written) == pair.real; });
}

bool IndentMap::findTabs(const std::vector<IndentPair>& pairs)
{
    std::vector<std::string_view> levels;
    for (const IndentPair& pair : pairs)
        if (std::ranges::find(levels, pair.written) == levels.end())
            levels.push_back(pair.written);
    for (const Kind kind : {Kind::Tabs, Kind::Blanks}) {
        for (const std::size_t width : widths) {
            m_kind = kind;
            m_width = width;
            m_shift = 0;
            if (explains(pairs))
                return true;
            // Another shift as well: only where two levels pin down both.
            const IndentPair& first = pairs.front();
            m_shift = static_cast<long>(columns(first.real, width)) - static_cast<long>(columns(first.written, width));
            if (levels.size() >= 2 && explains(pairs))
                return true;
        }
    }
    m_shift = 0;
    return false;
}

bool IndentMap::findRatio(const std::vector<IndentPair>& pairs)
{
    std::vector<std::size_t> levels;
    for (const IndentPair& pair : pairs) {
        if (!onlyBlanks(pair.written) || !onlyBlanks(pair.real))
            return false;
        if (!pair.written.empty() && std::ranges::find(levels, pair.written.size()) == levels.end())
            levels.push_back(pair.written.size());
    }
    const auto first = std::ranges::find_if(pairs, [](const IndentPair& pair) { return !pair.written.empty(); });
    if (levels.size() < 2 || first->real.empty())
        return false;
    m_kind = Kind::Ratio;
    m_times = first->real.size();
    m_over = first->written.size();
    return explains(pairs);
}

std::optional<IndentMap> IndentMap::from(const std::vector<IndentPair>& pairs)
{
    IndentMap map;
    if (map.explains(pairs))
        return map;
    const IndentPair& first = pairs.front();
    if (first.real.size() > first.written.size() && first.real.ends_with(first.written)) {
        map.m_kind = Kind::Longer;
        map.m_prefix = first.real.substr(0, first.real.size() - first.written.size());
    } else if (first.written.size() > first.real.size() && first.written.ends_with(first.real)) {
        map.m_kind = Kind::Shorter;
        map.m_prefix = first.written.substr(0, first.written.size() - first.real.size());
    }
    if (map.m_kind != Kind::Same && map.explains(pairs))
        return map;
    return map.findTabs(pairs) || map.findRatio(pairs) ? std::optional(map) : std::nullopt;
}

} // namespace tilewright::patch
