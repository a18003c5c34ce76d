// SPDX-License-Identifier: GPL-3.0-or-later
// Pieces of an HTML page: text that came from anywhere, made harmless, and tables. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tilewright {

/// Text for the content of an element or an attribute in double quotes: valid UTF-8, nothing of it is markup.
std::string htmlEscaped(std::string_view text);

/// <TAG>text</TAG>, the text escaped.
std::string htmlElement(std::string_view tag, std::string_view text, std::string_view className = {});

/// A table whose cells are markup already.
class HtmlTable
{
public:
    /// Numbers stand at the right where the heading begins with '>', which is not shown.
    explicit HtmlTable(std::vector<std::string> headings, std::string_view caption = {});
    void row(std::vector<std::string> cells, std::string_view className = {});
    bool isEmpty() const { return m_rows == 0; }
    std::string text() const;

private:
    std::vector<bool> m_isNumber;
    std::string m_text;
    int m_rows = 0;
};

} // namespace tilewright
