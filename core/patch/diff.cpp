// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/patch/diff.h"

#include "core/base/text.h"

#include <algorithm>

namespace tilewright {
namespace {

using Lines = std::vector<std::string_view>;

constexpr int mostSteps = 2000; // the history grows with their square: 16 MB

/// Myers' greedy forward search between two middles; keeps the furthest points of each step for the way back.
class Myers
{
public:
    Myers(const Lines& before, const Lines& after)
        : m_before(before)
        , m_after(after)
    {
        while (m_head < std::min(before.size(), after.size()) && before[m_head] == after[m_head])
            ++m_head;
        while (m_tail < std::min(before.size(), after.size()) - m_head
            && before[before.size() - 1 - m_tail] == after[after.size() - 1 - m_tail])
            ++m_tail;
    }

    std::vector<DiffLine> alignment()
    {
        std::vector<DiffLine> lines;
        for (std::size_t i = 0; i < m_head; ++i)
            lines.push_back({LineChange::Same, i, i, m_before[i]});
        middle(lines);
        for (std::size_t i = m_tail; i > 0; --i)
            lines.push_back({LineChange::Same, m_before.size() - i, m_after.size() - i, m_before[m_before.size() - i]});
        return lines;
    }

private:
    void middle(std::vector<DiffLine>& lines)
    {
        const int n = static_cast<int>(m_before.size() - m_head - m_tail);
        const int m = static_cast<int>(m_after.size() - m_head - m_tail);
        const int steps = search(n, m);
        if (steps < 0) {
            for (int x = 0; x < n; ++x)
                lines.push_back(removed(x, 0));
            for (int y = 0; y < m; ++y)
                lines.push_back(added(n, y));
            return;
        }
        std::vector<DiffLine> backwards;
        int x = n, y = m;
        for (int d = steps; d > 0; --d) {
            const std::vector<int>& furthest = m_history[static_cast<std::size_t>(d - 1)];
            const auto at = [&](int k) { return furthest[static_cast<std::size_t>(k + d)]; };
            const int k = x - y;
            const bool down = k == -d || (k != d && at(k - 1) < at(k + 1));
            const int fromX = down ? at(k + 1) : at(k - 1), fromY = fromX - (down ? k + 1 : k - 1);
            const int startX = down ? fromX : fromX + 1;
            for (; x > startX; --x, --y)
                backwards.push_back(same(x - 1, y - 1));
            backwards.push_back(down ? added(x, y - 1) : removed(x - 1, y));
            x = fromX;
            y = fromY;
        }
        for (; x > 0; --x, --y)
            backwards.push_back(same(x - 1, y - 1));
        lines.insert(lines.end(), backwards.rbegin(), backwards.rend());
    }

    /// Number of single-line edits, −1 for too many; m_history[d] holds the furthest x on diagonals −d−1 … d+1 before
    /// step d + 1.
    int search(int n, int m)
    {
        std::vector<int> furthest{0, 0, 0}; // diagonals −1, 0, 1 before the first step
        for (int d = 0; d <= mostSteps; ++d) {
            std::vector<int> next(static_cast<std::size_t>(2 * (d + 1) + 1), 0);
            for (int k = -d; k <= d; k += 2) {
                const auto at = [&](int diagonal) { return furthest[static_cast<std::size_t>(diagonal + d + 1)]; };
                int x = d == 0 ? 0 : (k == -d || (k != d && at(k - 1) < at(k + 1))) ? at(k + 1) : at(k - 1) + 1;
                int y = x - k;
                while (x < n && y < m && line(m_before, x) == line(m_after, y))
                    ++x, ++y;
                next[static_cast<std::size_t>(k + d + 1)] = x;
                if (x >= n && y >= m)
                    return d;
            }
            m_history.push_back(next);
            furthest.assign(static_cast<std::size_t>(2 * (d + 2) + 1), 0);
            std::ranges::copy(next, furthest.begin() + 1);
        }
        return -1;
    }

    std::string_view line(const Lines& lines, int i) const { return lines[m_head + static_cast<std::size_t>(i)]; }
    std::size_t place(int i) const { return m_head + static_cast<std::size_t>(i); }
    DiffLine same(int x, int y) const { return {LineChange::Same, place(x), place(y), line(m_before, x)}; }
    DiffLine removed(int x, int y) const { return {LineChange::Removed, place(x), place(y), line(m_before, x)}; }
    DiffLine added(int x, int y) const { return {LineChange::Added, place(x), place(y), line(m_after, y)}; }

    const Lines& m_before;
    const Lines& m_after;
    std::size_t m_head = 0, m_tail = 0;
    std::vector<std::vector<int>> m_history;
};

std::string rangeText(std::size_t first, std::size_t count)
{
    // An empty range names the line before it, as diff(1) does.
    return std::to_string(count == 0 ? first : first + 1) + (count == 1 ? "" : "," + std::to_string(count));
}

void appendHunk(std::string& diff, const std::vector<DiffLine>& lines, std::size_t from, std::size_t to)
{
    std::size_t oldCount = 0, newCount = 0;
    std::string body;
    for (std::size_t i = from; i < to; ++i) {
        const DiffLine& line = lines[i];
        oldCount += line.change != LineChange::Added;
        newCount += line.change != LineChange::Removed;
        body += line.change == LineChange::Same ? ' ' : line.change == LineChange::Added ? '+' : '-';
        body.append(line.text) += '\n';
    }
    diff += "@@ -" + rangeText(lines[from].oldLine, oldCount) + " +" + rangeText(lines[from].newLine, newCount)
        + " @@\n" + body;
}

} // namespace

std::vector<DiffLine> diffLines(std::string_view before, std::string_view after)
{
    const Lines old = splitLines(before), fresh = splitLines(after);
    return Myers(old, fresh).alignment();
}

std::string unifiedDiff(std::string_view before, std::string_view after, std::string_view name, std::size_t context)
{
    return unifiedDiff(diffLines(before, after), name, context);
}

std::string unifiedDiff(const std::vector<DiffLine>& lines, std::string_view name, std::size_t context)
{
    std::string diff;
    for (std::size_t i = 0; i < lines.size();) {
        if (lines[i].change == LineChange::Same) {
            ++i;
            continue;
        }
        const std::size_t from = i > context ? i - context : 0;
        std::size_t to = i, quiet = 0; // one past the last change, unchanged lines since
        for (std::size_t j = i; j < lines.size() && quiet <= 2 * context; ++j) {
            quiet = lines[j].change == LineChange::Same ? quiet + 1 : 0;
            if (quiet == 0)
                to = j + 1;
        }
        to = std::min(to + context, lines.size());
        if (diff.empty())
            diff.append("--- a/").append(name).append("\n+++ b/").append(name) += '\n';
        appendHunk(diff, lines, from, to);
        i = to;
    }
    return diff;
}

} // namespace tilewright
