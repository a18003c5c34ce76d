// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/patch/source_text.h"

#include "core/base/text.h"

namespace tilewright::patch {

SourceText::SourceText(std::string_view bytes)
    : m_mark(bytes.starts_with("\xef\xbb\xbf"))
{
    bytes.remove_prefix(m_mark ? 3 : 0);
    std::size_t crlf = 0, lf = 0;
    for (const std::string_view line : splitLines(bytes)) {
        const bool last = line.data() + line.size() == bytes.data() + bytes.size();
        const bool carriage = line.ends_with('\r') && !last;
        m_lines.push_back(line.substr(0, line.size() - (carriage ? 1 : 0)));
        m_ends.push_back(last ? "" : carriage ? "\r\n" : "\n");
        crlf += carriage;
        lf += !last && !carriage;
    }
    m_newline = crlf > lf ? "\r\n" : "\n";
}

std::string SourceText::joinedWith(const std::vector<Edit>& edits, Form form) const
{
    struct Piece {
        std::string_view text, end;
    };
    std::vector<Piece> pieces;
    std::size_t next = 0;
    const auto keep = [&](std::size_t until) {
        for (; next < until; ++next)
            pieces.push_back({m_lines[next], m_ends[next]});
    };
    for (const Edit& edit : edits) {
        keep(edit.begin);
        for (const std::string& line : edit.added)
            pieces.push_back({line, m_newline});
        next = edit.end;
    }
    keep(m_lines.size());
    const bool finalNewline = m_ends.empty() || !m_ends.back().empty();
    std::string text = m_mark && form == Form::Bytes ? "\xef\xbb\xbf" : "";
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        const bool last = i + 1 == pieces.size();
        std::string_view end = pieces[i].end.empty() && (!last || finalNewline) ? m_newline : pieces[i].end;
        if (last && !finalNewline)
            end = "";
        text.append(pieces[i].text).append(form == Form::Bytes || end.empty() ? end : "\n");
    }
    return text;
}

std::string SourceText::text() const { return joinedWith({}, Form::Plain); }
std::string SourceText::bytesWith(const std::vector<Edit>& edits) const { return joinedWith(edits, Form::Bytes); }
std::string SourceText::textWith(const std::vector<Edit>& edits) const { return joinedWith(edits, Form::Plain); }

} // namespace tilewright::patch
