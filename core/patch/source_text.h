// SPDX-License-Identifier: GPL-3.0-or-later
// A program's bytes as LF lines, and back: byte-order mark, each line's own end and the final newline are remembered.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tilewright::patch {

/// Replaces the source lines [begin, end); begin == end inserts before that line.
struct Edit {
    std::size_t begin = 0, end = 0;
    std::vector<std::string> added;
    std::size_t hunk = 0; ///< 1-based
    std::size_t group = 0;
};

class SourceText
{
public:
    explicit SourceText(std::string_view bytes);

    const std::vector<std::string_view>& lines() const { return m_lines; }
    bool usesCrlf() const { return m_newline == "\r\n"; }
    /// With LF, without byte-order mark.
    std::string text() const;

    /// The bytes after the edits, which are sorted and do not overlap.
    std::string bytesWith(const std::vector<Edit>& edits) const;
    /// The same with LF, without byte-order mark.
    std::string textWith(const std::vector<Edit>& edits) const;

private:
    enum class Form { Bytes, Plain };
    std::string joinedWith(const std::vector<Edit>& edits, Form form) const;

    bool m_mark = false;
    std::vector<std::string_view> m_lines, m_ends;
    std::string_view m_newline = "\n";
};

} // namespace tilewright::patch
