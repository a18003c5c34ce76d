// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/llm/event_stream.h"

#include "core/base/text.h"

#include <utility>

namespace tilewright {

std::vector<std::string> LineSplitter::feed(std::string_view bytes)
{
    std::vector<std::string> lines;
    std::size_t at = 0;
    if (m_afterCr && !bytes.empty()) {
        m_afterCr = false;
        if (bytes.front() == '\n')
            at = 1;
    }
    while (at < bytes.size()) {
        const std::size_t end = bytes.find_first_of("\r\n", at);
        const std::size_t stop = end == std::string_view::npos ? bytes.size() : end;
        if (m_line.size() + (stop - at) > longestLine) {
            m_overflowed = true;
            return lines;
        }
        m_line.append(bytes.substr(at, stop - at));
        if (end == std::string_view::npos)
            break;
        if (std::exchange(m_atStart, false) && m_line.starts_with("\xef\xbb\xbf"))
            m_line.erase(0, 3);
        lines.push_back(std::exchange(m_line, {}));
        at = end + 1;
        if (bytes[end] == '\r') {
            if (at == bytes.size())
                m_afterCr = true;
            else if (bytes[at] == '\n')
                ++at;
        }
    }
    return lines;
}

std::optional<std::string> LineSplitter::finish()
{
    if (m_line.empty())
        return std::nullopt;
    if (std::exchange(m_atStart, false) && m_line.starts_with("\xef\xbb\xbf"))
        m_line.erase(0, 3);
    return std::exchange(m_line, {});
}

std::vector<StreamEvent> EventDecoder::feed(std::string_view bytes)
{
    std::vector<StreamEvent> events;
    for (const std::string& line : m_lines.feed(bytes))
        take(line, events);
    return events;
}

std::vector<StreamEvent> EventDecoder::finish()
{
    std::vector<StreamEvent> events;
    if (const auto rest = m_lines.finish())
        take(*rest, events);
    take({}, events);
    return events;
}

void EventDecoder::take(const std::string& line, std::vector<StreamEvent>& events)
{
    if (line.empty()) {
        if (std::exchange(m_any, false))
            events.push_back(std::exchange(m_event, {}));
        m_anyData = false;
        return;
    }
    if (line.front() == ':') {
        ++m_comments;
        if (lowered(line).find("error") != std::string::npos)
            noteStray(line.substr(1));
        return;
    }
    if (line.front() == '{' || line.front() == '[') {
        events.push_back({m_event.name, line});
        return;
    }
    const std::size_t colon = line.find(':');
    const std::string_view field = std::string_view(line).substr(0, colon);
    std::string_view value = colon == std::string::npos ? std::string_view{} : std::string_view(line).substr(colon + 1);
    if (value.starts_with(' '))
        value.remove_prefix(1);
    if (field == "data") {
        if (std::exchange(m_anyData, true))
            m_event.data += '\n';
        m_event.data += value;
        m_any = true;
    } else if (field == "event") {
        m_event.name = value;
        m_any = true;
    } else if (field == "error") { // no field of the standard: some servers report so what went wrong
        m_event = {"error", std::string(value)};
        m_any = true;
    } else if (field != "id" && field != "retry") {
        noteStray(line); // means nothing, unless nothing else comes
    }
}

void EventDecoder::noteStray(std::string_view line)
{
    constexpr std::size_t most = 300;
    if (m_stray.size() < most)
        m_stray += (m_stray.empty() ? "" : " ") + std::string(line.substr(0, most - m_stray.size()));
}

} // namespace tilewright
