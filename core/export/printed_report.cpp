// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/export/printed_report.h"

#include <array>
#include <string_view>
#include <utility>

namespace tilewright {
namespace {

/// Every `from` in the text.
void replaceAll(std::string& text, std::string_view from, std::string_view to)
{
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
        text.replace(at, from.size(), to);
}

/// Cuts what stands between the marks out of the text, marks included; "" where there is none from `at` on. `at` is
/// then where it was.
std::string cutOut(std::string& text, std::string_view begin, std::string_view end, std::size_t& at)
{
    at = text.find(begin, at);
    const std::size_t last = at == std::string::npos ? at : text.find(end, at);
    if (last == std::string::npos) {
        at = std::string::npos;
        return {};
    }
    std::string cut = text.substr(at, last + end.size() - at);
    text.erase(at, cut.size());
    return cut;
}

/// First cells of rows that are short, a shape or a name, are not broken: a text document would within a word.
void keepFirstCellsWhole(std::string& html)
{
    constexpr std::string_view cell = "<td>";
    constexpr std::size_t longest = 28;
    for (std::size_t at = html.find("<tr"); at != std::string::npos; at = html.find("<tr", at + 1)) {
        const std::size_t first = html.find('>', at);
        if (first == std::string::npos || html.compare(first + 1, cell.size(), cell) != 0)
            continue;
        const std::size_t text = first + 1 + cell.size(), end = html.find("</td>", text);
        if (end != std::string::npos && end - text <= longest)
            html.replace(first + 1, cell.size(), "<td style=\"white-space: nowrap\">");
    }
}

constexpr std::string_view printStyle = R"css(
body { font-family: sans-serif; font-size: 8.5pt; color: #000000; }
h1 { font-size: 15pt; } h2 { font-size: 11.5pt; margin-top: 14px; } h3 { font-size: 9.5pt; margin-top: 8px; }
p { margin-top: 3px; margin-bottom: 3px; }
pre { font-family: monospace; font-size: 7pt; white-space: pre-wrap; background-color: #f4f4f4; margin-top: 2px; }
code { font-family: monospace; }
caption, .caption { font-style: italic; }
th { text-align: left; background-color: #eeeeee; }
)css";

/// The classes of the page's plots, in the attributes of SVG.
constexpr std::array<std::pair<std::string_view, std::string_view>, 6> plotStyles{{
    {"<svg ", "<svg xmlns=\"http://www.w3.org/2000/svg\" "},
    {"<text ", "<text font-family=\"sans-serif\" font-size=\"12\" fill=\"#000000\" "},
    {"class=\"grid\"", "stroke=\"#999999\" stroke-width=\"0.5\""},
    {"class=\"one\"", "stroke=\"#000000\" stroke-width=\"1.5\""},
    {"class=\"interval\"", "stroke=\"#0072b2\" stroke-width=\"3\""},
    {"class=\"trace\"", "fill=\"none\" stroke=\"#0072b2\" stroke-width=\"2\""},
}};

std::string plotFile(std::string svg)
{
    for (const auto& [from, to] : plotStyles)
        replaceAll(svg, from, to);
    replaceAll(svg, "class=\"dot\"", "fill=\"#0072b2\"");
    return svg;
}

} // namespace

PrintedReport printedReport(const std::string& html)
{
    PrintedReport printed{html, {}};
    std::string& page = printed.html;
    std::size_t at = 0;
    cutOut(page, "<style>", "</style>", at);
    if (at != std::string::npos)
        page.insert(at, "<style>" + std::string(printStyle) + "</style>");
    at = 0;
    for (std::string svg = cutOut(page, "<svg ", "</svg>", at); !svg.empty();
         svg = cutOut(page, "<svg ", "</svg>", at)) {
        const std::string name = "plot-" + std::to_string(printed.plots.size() + 1) + ".svg";
        printed.plots[name] = plotFile(std::move(svg));
        page.insert(at, "<p><img src=\"" + name + "\"/></p>");
    }
    for (const auto& [from, to] : std::initializer_list<std::pair<std::string_view, std::string_view>>{
             {"<figure>", "<div>"}, {"</figure>", "</div>"}, {"<figcaption>", "<p class=\"caption\">"},
             {"</figcaption>", "</p>"}, {"<details open=\"open\">", "<div>"}, {"<details>", "<div>"},
             {"</details>", "</div>"}, {"<summary>", "<p>"}, {"</summary>", "</p>"},
             {"class=\"number\"", "align=\"right\""}, {"<section ", "<div "}, {"</section>", "</div>"},
             {"<table class=\"sign\">", "<table border=\"1\" cellspacing=\"0\" cellpadding=\"14\" width=\"100%\">"},
             {"<table>", "<table border=\"1\" cellspacing=\"0\" cellpadding=\"2\" width=\"100%\">"}})
        replaceAll(page, from, to);
    keepFirstCellsWhole(page);
    return printed;
}

} // namespace tilewright
