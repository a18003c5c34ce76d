// SPDX-License-Identifier: GPL-3.0-or-later
// REPORT.html for paper: the same page in the simple HTML that a text document lays out (no style variables, no
// elements that fold, no inline pictures), with its plots apart. Made of the page itself, so that the two say the same.
// Pure.
#pragma once

#include <map>
#include <string>

namespace tilewright {

struct PrintedReport {
    std::string html; ///< its pictures are <img src="plot-1.svg"/>
    std::map<std::string, std::string> plots; ///< by that name: SVG files of their own, black on white

    bool operator==(const PrintedReport&) const = default;
};

/// html: as reportHtml() makes it.
PrintedReport printedReport(const std::string& html);

} // namespace tilewright
