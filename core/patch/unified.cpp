// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/patch/unified.h"

#include "core/base/text.h"
#include "core/patch/elision.h"
#include "core/patch/hunk_header.h"

#include <algorithm>
#include <array>

namespace tilewright::patch {
namespace {

/// "--- a/kernel.cu\t2024-01-01" → "kernel.cu"; "" for /dev/null.
std::string nameIn(std::string_view rest)
{
    rest = trimmed(rest.substr(0, rest.find('\t')));
    if (rest.size() >= 2 && (rest.front() == '"' || rest.front() == '`') && rest.back() == rest.front())
        rest = rest.substr(1, rest.size() - 2);
    if (rest.starts_with("a/") || rest.starts_with("b/"))
        rest.remove_prefix(2);
    return rest == "/dev/null" ? std::string() : std::string(rest);
}

bool isGitLine(std::string_view line)
{
    constexpr std::array<std::string_view, 14> starts{"index ", "new file mode", "deleted file mode", "old mode",
        "new mode", "similarity index", "dissimilarity index", "rename from", "rename to", "copy from", "copy to",
        "Binary files", "GIT binary patch", "Index: "};
    return std::ranges::any_of(starts, [&](std::string_view start) { return line.starts_with(start); });
}

/// "</answer>", "]]>": what a reply's wrapping leaves between hunks.
bool isWrapping(std::string_view line)
{
    line = trimmed(line);
    if (line == "]]>" || line.starts_with("<![CDATA["))
        return true;
    const bool tag = line.size() > 2 && line.front() == '<' && line.back() == '>';
    return tag && line.starts_with("</") && std::ranges::all_of(line.substr(2, line.size() - 3), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    });
}

/// Different names that are kept.
constexpr std::size_t mostFiles = 8;

class Parser
{
public:
    Parser(const std::vector<std::string_view>& lines, Outside outside)
        : m_lines(lines)
        , m_outside(outside)
    {
    }

    ParsedPatch parse()
    {
        for (m_at = 0; m_at < m_lines.size(); ++m_at)
            take(m_lines[m_at]);
        closeHunk();
        if (m_patch.files.empty() && !m_patch.hunks.empty())
            noted("file-header", 0, "the diff names no file");
        return std::move(m_patch);
    }

private:
    void repaired(std::string code, std::size_t hunk, std::string text)
    {
        m_patch.repairs.push_back({std::move(code), hunk, std::move(text)});
    }
    void noted(std::string code, std::size_t hunk, std::string text)
    {
        m_patch.repairs.push_back({std::move(code), hunk, std::move(text), true});
    }

    void take(std::string_view line)
    {
        if (m_at < m_countedEnd) {
            if (!line.starts_with('\\'))
                addLine(line);
            return;
        }
        if (takeEnvelopeLine(line) || takeSignature(line))
            return;
        if (line.starts_with("diff --git ") || (!m_open && isGitLine(line)) || (m_gitHeader && isGitLine(line))) {
            closeHunk();
            m_gitHeader = true;
            m_patch.otherFile |= line.starts_with("rename to") || line.starts_with("deleted file")
                || line.starts_with("copy to") || line.starts_with("Binary files") || line.starts_with("GIT binary");
            return;
        }
        m_gitHeader = false;
        if (takeFileHeader(line))
            return;
        if (isHunkHeader(line))
            return openHunk(line);
        if (line.starts_with("\\ No newline") || (m_open && isWrapping(line)))
            return;
        if (isFenceLine(line) && (!m_open || line[0] == '`' || line[0] == '~')) {
            if (m_open)
                repaired("fence", 0, "a fence is inside the diff");
            return;
        }
        if (!m_open && !trimmed(line).empty() && (m_header || m_outside == Outside::MayBeHunk)) {
            m_patch.hunks.emplace_back();
            m_oldSeen = m_newSeen = 0;
            m_open = m_implicit = true;
            m_patch.hunks.back().mayBeProse = !m_header;
        }
        if (m_open)
            addLine(line);
    }

    bool takeEnvelopeLine(std::string_view line)
    {
        if (!line.starts_with("*** "))
            return false;
        const std::string_view rest = line.substr(4);
        const auto named = [&](std::string_view key) { return rest.starts_with(key); };
        if (named("Update File:") || named("Add File:")) {
            closeHunk();
            addFile(nameIn(rest.substr(rest.find(':') + 1)));
            m_header = true;
            m_patch.otherFile |= named("Add File:");
            return true;
        }
        if (named("Delete File:") || named("Move to:")) {
            closeHunk();
            m_patch.otherFile = true;
            return true;
        }
        if (named("Begin Patch") || named("End Patch") || named("End of File")) {
            closeHunk();
            return true;
        }
        return false;
    }

    /// "-- " and git's version under it, as they end a mail.
    bool takeSignature(std::string_view line)
    {
        constexpr std::string_view version = "0123456789.";
        if (!m_open || trimmedRight(line) != "--" || m_at + 1 >= m_lines.size())
            return false;
        const std::string_view next = trimmedRight(m_lines[m_at + 1]);
        if (next.find('.') == std::string_view::npos || next.find_first_not_of(version) != std::string_view::npos)
            return false;
        closeHunk();
        repaired("prose", 0, "text around the diff");
        ++m_at;
        return true;
    }

    bool takeFileHeader(std::string_view line)
    {
        const bool pair
            = isFileHeader(m_lines, m_at) && (!m_open || m_implicit || openHunkIsFull() || headerFollows(m_at + 2));
        const bool lone = !m_open && (line.starts_with("--- ") || line.starts_with("+++ ")) && line.size() > 4
            && !m_headerBefore && headerFollows(m_at + 1);
        // "*** Update File: x" and then half of a header that says the same.
        const bool again = !m_open && m_header && (line.starts_with("--- ") || line.starts_with("+++ "))
            && line.size() > 4 && std::ranges::any_of(m_patch.files, [&](const std::string& file) {
                   return sameFile(file, nameIn(line.substr(4)));
               });
        if (!pair && !lone && !again)
            return false;
        closeHunk();
        m_header = m_headerBefore = true;
        const std::string before = nameIn(line.substr(4));
        if (!pair) {
            noted("file-header", 0, "half of the file header is missing");
            addFile(before);
            return true;
        }
        const std::string after = nameIn(m_lines[++m_at].substr(4));
        // Old and new name of one program may differ ("original.cu", "modified.cu"): the old one tells which it is.
        addFile(before.empty() ? after : before);
        if (before.empty() && !after.empty())
            m_patch.made.push_back(after);
        m_patch.otherFile |= after.empty() && !before.empty(); // deleted
        return true;
    }

    /// Does a hunk, or a line of one, begin here?
    bool headerFollows(std::size_t at) const { return at < m_lines.size() && isHunkHeader(m_lines[at]); }

    void addFile(std::string name)
    {
        if (name.empty())
            return;
        if (m_patch.files.size() >= mostFiles) // one too many is enough to know
            return;
        for (const std::string& known : m_patch.files)
            if (sameFile(known, name))
                return;
        m_patch.files.push_back(std::move(name));
    }

    /// The open hunk has as many lines as its header says; counted while they come.
    bool openHunkIsFull() const
    {
        const Hunk& hunk = m_patch.hunks.back();
        return hunk.oldCount == m_oldSeen && hunk.newCount == m_newSeen;
    }

    bool hunkIsFull() const
    {
        const Hunk& hunk = m_patch.hunks.back();
        return hunk.oldCount == hunk.oldLines() && hunk.newCount == hunk.newLines();
    }

    void openHunk(std::string_view header)
    {
        const bool stacked = m_open && !m_implicit && m_patch.hunks.back().lines.empty();
        if (!stacked) {
            closeHunk();
            m_patch.hunks.emplace_back();
            m_oldSeen = m_newSeen = 0;
        }
        m_open = m_header = true;
        m_implicit = false;
        Hunk& hunk = m_patch.hunks.back();
        hunk.written.append(header) += '\n';
        const HunkHeader read = readHunkHeader(header);
        if (read.oldStart)
            hunk.oldStart = read.oldStart;
        if (read.oldCount) {
            hunk.oldCount = read.oldCount;
            hunk.newCount = read.newCount;
        }
        if (!read.heading.empty())
            hunk.headings.emplace_back(read.heading);
        m_countedEnd = countedEnd(m_lines, m_at).value_or(0);
    }

    void addLine(std::string_view line)
    {
        Hunk& hunk = m_patch.hunks.back();
        hunk.written.append(line) += '\n';
        const char sign = line.empty() ? '\0' : line[0];
        if (sign == '+' || sign == '-' || sign == ' ')
            hunk.lines.push_back({static_cast<Sign>(sign), std::string(line.substr(1))});
        else
            hunk.lines.push_back({Sign::Context, std::string(line), false});
        m_oldSeen += sign == '+' ? 0 : 1;
        m_newSeen += sign == '-' ? 0 : 1;
    }

    void closeHunk()
    {
        if (!m_open)
            return;
        m_open = false;
        Hunk& hunk = m_patch.hunks.back();
        const std::size_t number = m_patch.hunks.size();
        const bool full = hunkIsFull();
        if (!full)
            dropTrailingProse(hunk);
        if (!hunkIsFull())
            dropTrailingEmpty(hunk);
        if (m_implicit && !hunk.changes()) {
            m_patch.hunks.pop_back();
            repaired("prose", 0, "text around the diff");
            m_implicit = false;
            return;
        }
        if (m_implicit)
            repaired("hunk-header", number, "the @@ line is missing");
        else if (!hunk.oldCount)
            noted("hunk-header", number, "the @@ line has no line numbers");
        else if (!hunkIsFull())
            noted("hunk-header", number, "the @@ line has wrong counts");
        if (std::ranges::any_of(
                hunk.lines, [](const HunkLine& line) { return !line.signWritten && !line.text.empty(); }))
            repaired("context-space", number, "context lines have lost their leading blank");
        m_implicit = false;
    }

    static bool isEmptyTail(const HunkLine& line) { return !line.signWritten && isBlank(line.text); }

    void dropTrailingEmpty(Hunk& hunk)
    {
        std::size_t old = hunk.oldLines(), fresh = hunk.newLines();
        const auto isFull = [&] { return hunk.oldCount == old && hunk.newCount == fresh; };
        for (; !hunk.lines.empty() && isEmptyTail(hunk.lines.back()) && !isFull(); --old, --fresh)
            hunk.lines.pop_back();
    }

    /// Words after the last hunk: from a blank line and a sentence on, where no added line follows.
    void dropTrailingProse(Hunk& hunk)
    {
        const auto isSigned = [](const HunkLine& line) { return line.sign != Sign::Context; };
        const auto last = std::find_if(hunk.lines.rbegin(), hunk.lines.rend(), isSigned);
        const auto signsEnd = static_cast<std::size_t>(hunk.lines.rend() - last);
        std::size_t old = 0, fresh = 0;
        for (std::size_t i = 0; i + 1 < hunk.lines.size(); ++i) {
            const bool changes = i > old || i > fresh;
            const bool counted = hunk.oldCount == old && hunk.newCount == fresh;
            old += hunk.lines[i].sign != Sign::Added;
            fresh += hunk.lines[i].sign != Sign::Removed;
            if (!changes || (signsEnd > i && !counted) || !isEmptyTail(hunk.lines[i]) || hunk.lines[i + 1].signWritten
                || !looksLikeProse(hunk.lines[i + 1].text))
                continue;
            hunk.lines.resize(i);
            repaired("prose", 0, "text around the diff");
            return;
        }
    }

    const std::vector<std::string_view>& m_lines;
    Outside m_outside;
    ParsedPatch m_patch;
    std::size_t m_at = 0;
    std::size_t m_oldSeen = 0, m_newSeen = 0; ///< lines of the open hunk
    std::size_t m_countedEnd = 0; ///< the lines before it belong to the open hunk
    bool m_open = false, m_implicit = false, m_header = false, m_headerBefore = false, m_gitHeader = false;
};

} // namespace

bool isFileHeader(const std::vector<std::string_view>& lines, std::size_t at)
{
    return lines[at].starts_with("--- ") && at + 1 < lines.size() && lines[at + 1].starts_with("+++ ");
}

bool sameFile(std::string_view one, std::string_view other)
{
    while (one.starts_with("./"))
        one.remove_prefix(2);
    while (other.starts_with("./"))
        other.remove_prefix(2);
    if (one.size() < other.size())
        std::swap(one, other);
    return one.ends_with(other)
        && (one.size() == other.size() || (!other.empty() && one[one.size() - other.size() - 1] == '/'));
}

ParsedPatch parseUnified(const std::vector<std::string_view>& lines, Outside outside)
{
    return Parser(lines, outside).parse();
}

} // namespace tilewright::patch
