// SPDX-License-Identifier: GPL-3.0-or-later
// From bytes in any portions to lines and server-sent events (WHATWG HTML, "Server-sent events"): CR, LF and CRLF end a
// line, also when a portion ends between CR and LF; a byte order mark is skipped; comments are counted, not lost; what
// stands after the last blank line is given at the end, because servers forget the blank line. A line that is bare JSON
// is an event without its "data:". Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright {

/// A line longer than this is a fault, not data.
inline constexpr std::size_t longestLine = 16u << 20;

class LineSplitter
{
public:
    /// Whole lines without their ends.
    std::vector<std::string> feed(std::string_view bytes);
    /// What was left without a line end; none if nothing.
    std::optional<std::string> finish();
    bool overflowed() const { return m_overflowed; }

private:
    std::string m_line;
    bool m_afterCr = false, m_atStart = true, m_overflowed = false;
};

struct StreamEvent {
    std::string name; ///< of the event field; empty if there was none; "error" for a field of that name
    std::string data; ///< data lines joined by LF

    bool operator==(const StreamEvent&) const = default;
};

class EventDecoder
{
public:
    std::vector<StreamEvent> feed(std::string_view bytes);
    std::vector<StreamEvent> finish();
    bool overflowed() const { return m_lines.overflowed(); }
    std::int64_t comments() const { return m_comments; }
    /// The first words of lines that are no fields of the standard, and of comments that name an error.
    const std::string& stray() const { return m_stray; }

private:
    void take(const std::string& line, std::vector<StreamEvent>& events);
    void noteStray(std::string_view line);

    LineSplitter m_lines;
    StreamEvent m_event;
    bool m_any = false, m_anyData = false;
    std::int64_t m_comments = 0;
    std::string m_stray;
};

} // namespace tilewright
