// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/export/report_plots.h"

#include "core/base/format.h"
#include "core/export/html_text.h"

#include <algorithm>
#include <cmath>

namespace tilewright {
namespace {

constexpr double width = 720, right = 30;

std::string number(double value) { return fixedText(value, 1); }

std::string textAt(double x, double y, const std::string& text, const char* anchor)
{
    return "<text x=\"" + number(x) + "\" y=\"" + number(y) + "\" text-anchor=\"" + anchor + "\">" + htmlEscaped(text)
        + "</text>\n";
}

std::string lineFrom(double x1, double y1, double x2, double y2, const char* className)
{
    return "<line class=\"" + std::string(className) + "\" x1=\"" + number(x1) + "\" y1=\"" + number(y1) + "\" x2=\""
        + number(x2) + "\" y2=\"" + number(y2) + "\"/>\n";
}

std::string dotAt(double x, double y)
{
    return "<circle class=\"dot\" cx=\"" + number(x) + "\" cy=\"" + number(y) + "\" r=\"4\"/>\n";
}

std::string figure(double height, const std::string& title, const std::string& content)
{
    return "<figure><svg viewBox=\"0 0 " + number(width) + " " + number(height) + "\" role=\"img\" aria-label=\""
        + htmlEscaped(title) + "\">\n" + content + "</svg>" + htmlElement("figcaption", title) + "</figure>\n";
}

/// A logarithmic axis over [lo, hi], widened to have some room, with ticks at 1, 2 and 5 times powers of ten or, of a
/// narrow range, at even steps.
class LogAxis
{
public:
    LogAxis(double lo, double hi, double from, double to)
        : m_lo(std::log(lo))
        , m_hi(std::log(hi))
        , m_from(from)
        , m_to(to)
    {
        const double room = std::max(0.02, (m_hi - m_lo) * 0.06);
        m_lo -= room;
        m_hi += room;
    }
    double at(double value) const { return m_from + (m_to - m_from) * (std::log(value) - m_lo) / (m_hi - m_lo); }
    std::vector<double> ticks() const
    {
        const double lo = std::exp(m_lo), hi = std::exp(m_hi);
        std::vector<double> all;
        if (hi / lo > 4) {
            for (double power = 1e-6; power < 1e9; power *= 10)
                for (const double factor : {1.0, 2.0, 5.0})
                    if (power * factor >= lo && power * factor <= hi)
                        all.push_back(power * factor);
            return all;
        }
        double step = std::pow(10.0, std::floor(std::log10(hi - lo)));
        while ((hi - lo) / step < 4)
            step /= 2;
        for (double tick = std::ceil(lo / step) * step; tick <= hi; tick += step)
            all.push_back(tick);
        return all;
    }

private:
    double m_lo, m_hi, m_from, m_to;
};

/// Where the drawing begins, right of the labels: the longest one is whole in any sans-serif face at 12 px.
double leftOf(const std::vector<PlotRow>& rows)
{
    constexpr double least = 150, widest = 330, character = 7.3, gap = 14;
    double longest = 0;
    for (const PlotRow& row : rows)
        longest = std::max(longest, static_cast<double>(std::ranges::count_if(row.label, [](char byte) {
            return (static_cast<unsigned char>(byte) & 0xc0) != 0x80;
        })));
    return std::clamp(longest * character + gap, least, widest);
}

bool isDrawable(const Interval& interval) { return interval.lo > 0 && interval.value > 0 && interval.hi > 0; }

} // namespace

std::string ratioPlot(const std::vector<PlotRow>& rows, const std::string& title, const std::string& axisLabel)
{
    double lo = 1, hi = 1;
    std::vector<PlotRow> drawn;
    std::ranges::copy_if(rows, std::back_inserter(drawn), [](const PlotRow& row) { return isDrawable(row.ratio); });
    if (drawn.empty())
        return {};
    for (const PlotRow& row : drawn) {
        lo = std::min(lo, row.ratio.lo);
        hi = std::max(hi, row.ratio.hi);
    }
    const double left = leftOf(drawn);
    const LogAxis axis(lo, hi, left, width - right);
    constexpr double rowHeight = 22, top = 10;
    const double bottom = top + rowHeight * static_cast<double>(drawn.size());
    std::string content;
    for (const double tick : axis.ticks()) {
        content += lineFrom(axis.at(tick), top, axis.at(tick), bottom, "grid");
        content += textAt(axis.at(tick), bottom + 16, numberText(tick), "middle");
    }
    content += lineFrom(axis.at(1), top - 4, axis.at(1), bottom + 4, "one");
    double y = top + rowHeight / 2;
    for (const PlotRow& row : drawn) {
        content += textAt(left - 10, y + 4, row.label, "end");
        content += lineFrom(axis.at(row.ratio.lo), y, axis.at(row.ratio.hi), y, "interval");
        content += dotAt(axis.at(row.ratio.value), y);
        y += rowHeight;
    }
    content += textAt((left + width - right) / 2, bottom + 34, axisLabel, "middle");
    return figure(bottom + 42, title, content);
}

std::string tracePlot(
    const std::vector<std::pair<std::int64_t, double>>& trace, std::int64_t evaluations, const std::string& title)
{
    if (trace.size() < 2)
        return {};
    constexpr double top = 10, bottom = 190, from = 60;
    double lo = trace.front().second, hi = lo;
    for (const auto& [at, score] : trace) {
        lo = std::min(lo, score);
        hi = std::max(hi, score);
    }
    if (lo <= 0)
        return {};
    const LogAxis axis(lo, hi, bottom, top);
    const double last = static_cast<double>(std::max(evaluations, trace.back().first));
    const auto x = [&](std::int64_t at) {
        return from + (width - right - from) * (last > 0 ? static_cast<double>(at) / last : 0);
    };
    std::string content;
    for (const double tick : axis.ticks()) {
        content += lineFrom(from, axis.at(tick), width - right, axis.at(tick), "grid");
        content += textAt(from - 8, axis.at(tick) + 4, numberText(tick), "end");
    }
    std::string points;
    for (std::size_t i = 0; i < trace.size(); ++i) {
        const double y = axis.at(trace[i].second);
        if (i > 0)
            points += number(x(trace[i].first)) + "," + number(axis.at(trace[i - 1].second)) + " ";
        points += number(x(trace[i].first)) + "," + number(y) + " ";
        content += dotAt(x(trace[i].first), y);
    }
    points += number(x(static_cast<std::int64_t>(last))) + "," + number(axis.at(trace.back().second));
    content += "<polyline class=\"trace\" points=\"" + points + "\"/>\n";
    for (const std::int64_t at : {std::int64_t(0), static_cast<std::int64_t>(last)})
        content += textAt(x(at), bottom + 18, std::to_string(at), "middle");
    content += textAt((from + width - right) / 2, bottom + 34, "evaluations", "middle");
    return figure(bottom + 42, title, content);
}

std::string lineagePlot(const std::vector<PlotStep>& steps, const std::string& title)
{
    std::vector<PlotRow> rows;
    for (const PlotStep& step : steps)
        rows.push_back({step.label, step.score});
    return steps.size() < 2 ? std::string() : ratioPlot(rows, title, "× baseline (log scale)");
}

} // namespace tilewright
