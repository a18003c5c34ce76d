// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/export/html_text.h"

#include "core/base/text.h"

namespace tilewright {

std::string htmlEscaped(std::string_view text)
{
    std::string escaped;
    for (const char c : printable(text))
        switch (c) {
        case '&':
            escaped += "&amp;";
            break;
        case '<':
            escaped += "&lt;";
            break;
        case '>':
            escaped += "&gt;";
            break;
        case '"':
            escaped += "&quot;";
            break;
        default:
            escaped += c;
        }
    return escaped;
}

std::string htmlElement(std::string_view tag, std::string_view text, std::string_view className)
{
    std::string element = "<" + std::string(tag);
    if (!className.empty())
        element += " class=\"" + std::string(className) + "\"";
    return element + ">" + htmlEscaped(text) + "</" + std::string(tag) + ">";
}

HtmlTable::HtmlTable(std::vector<std::string> headings, std::string_view caption)
{
    m_text = "<table>";
    if (!caption.empty())
        m_text += htmlElement("caption", caption);
    m_text += "<thead><tr>";
    for (std::string_view heading : headings) {
        m_isNumber.push_back(heading.starts_with('>'));
        if (m_isNumber.back())
            heading.remove_prefix(1);
        m_text += std::string(m_isNumber.back() ? "<th scope=\"col\" class=\"number\">" : "<th scope=\"col\">")
            + htmlEscaped(heading) + "</th>";
    }
    m_text += "</tr></thead>\n<tbody>\n";
}

void HtmlTable::row(std::vector<std::string> cells, std::string_view className)
{
    m_text += className.empty() ? std::string("<tr>") : "<tr class=\"" + std::string(className) + "\">";
    for (std::size_t i = 0; i < cells.size(); ++i)
        m_text += std::string(i < m_isNumber.size() && m_isNumber[i] ? "<td class=\"number\">" : "<td>") + cells[i]
            + "</td>";
    m_text += "</tr>\n";
    ++m_rows;
}

std::string HtmlTable::text() const { return m_text + "</tbody></table>\n"; }

} // namespace tilewright
