// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/niches/niche_chart.h"

#include "core/model/niche_grid.h"
#include "ui/models/activity_words.h"
#include "ui/models/display_text.h"
#include "ui/theme/words.h"

#include <QStringList>
#include <algorithm>
#include <optional>

namespace tilewright::ui {
namespace {

using namespace Qt::StringLiterals;

std::optional<int> binOf(const QString& part)
{
    bool known = false;
    const int value = part.toInt(&known);
    return known ? std::optional(value) : part == u"unknown"_s ? std::optional(-1) : std::nullopt;
}

NicheLine lineOf(const NicheAxis& axis)
{
    NicheLine line;
    line.name = axisName(axis.feature);
    line.term = axisTerm(axis.feature);
    line.unit = axis.feature == "code_bytes" ? u"B"_s : QString();
    for (int bin = 0; bin <= axis.bins; ++bin)
        line.starts.push_back(nicheBinStart(axis, bin));
    return line;
}

} // namespace

const NicheCell* NicheChart::at(int column, int row) const
{
    const auto found
        = std::ranges::find_if(cells, [&](const NicheCell& cell) { return cell.column == column && cell.row == row; });
    return found == cells.end() ? nullptr : &*found;
}

NicheChart nicheChartOf(const RunState& run, const Task* task, IslandId id)
{
    NicheChart chart;
    const Island* island = run.island(id);
    if (!island)
        return chart;
    chart.island = id;
    const std::vector<NicheAxis> axes = task ? nicheAxes(run, *task) : std::vector<NicheAxis>();
    if (!axes.empty())
        chart.across = lineOf(axes[0]);
    if (axes.size() > 1)
        chart.up = lineOf(axes[1]);
    for (const auto& [address, elite] : island->niches) {
        const QStringList parts = text(address).split(u',');
        const auto column = binOf(parts.value(0));
        const auto row = parts.size() > 1 ? binOf(parts[1]) : std::optional(0);
        if (!column || !row)
            continue;
        chart.across.unknown = chart.across.unknown || *column < 0;
        chart.up.unknown = chart.up.unknown || *row < 0;
        chart.cells.push_back({*column, *row, elite});
    }
    std::ranges::sort(chart.cells, {}, [](const NicheCell& cell) { return std::pair(cell.row, cell.column); });
    return chart;
}

QString binaryNumber(double value)
{
    const char* const prefixes[] = {"", " Ki", " Mi", " Gi"};
    int at = 0;
    for (; value >= 1024 && at < 3; ++at)
        value /= 1024;
    return QString::number(value, 'g', value >= 1000 ? 4 : 3) + QLatin1String(prefixes[at]);
}

QString boundsText(const NicheLine& line, int bin)
{
    if (bin < 0)
        return tr("unknown");
    if (line.starts.empty() || bin >= line.bins())
        return QString::number(bin);
    if (line.bins() == 1)
        return tr("all");
    const auto start = [&line](int of) {
        const QString number = binaryNumber(line.starts[static_cast<std::size_t>(of)]);
        const bool prefixed = number.back() == u'i'; // "8 KiB", "512 B"
        return line.unit.isEmpty() ? number : number + (prefixed ? QString() : u" "_s) + line.unit;
    };
    if (bin == 0)
        return u"< "_s + start(1);
    if (bin == line.bins() - 1)
        return u"≥ "_s + start(bin);
    return u"%1 … %2"_s.arg(start(bin), start(bin + 1));
}

} // namespace tilewright::ui
