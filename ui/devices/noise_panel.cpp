// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/devices/noise_panel.h"

#include "core/model/measurement/steadiness.h"
#include "ui/devices/work_words.h"
#include "ui/models/display_text.h"
#include "ui/models/score_words.h"
#include "ui/theme/theme.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/pane.h"
#include "ui/widgets/plot/plot_view.h"
#include "ui/widgets/table.h"

#include <QStackedWidget>
#include <QVBoxLayout>
#include <cstdlib>
#include <map>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {
constexpr double noiseMinute = 60e9;
constexpr double widestNoiseWords = 160;
constexpr std::int64_t worthAPaint = 1'000'000'000;
} // namespace

NoisePanel::NoisePanel(const ViewContext& context, QWidget* parent)
    : QFrame(parent)
    , m_context(context)
    , m_title(new DockTitle(tr("Noise floor"), this))
    , m_stack(new QStackedWidget(this))
    , m_plot(new PlotView(this))
    , m_table(new Table(this))
{
    setProperty("role", u"panel"_s);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_title);
    column->addWidget(m_stack, 1);
    m_stack->addWidget(m_plot);
    m_stack->addWidget(m_table);
    m_table->setObjectName(u"noiseTable"_s);
    m_table->setAccessibleName(tr("Noise floor over the run, newest first"));
    m_table->setModel(&m_model);
    m_table->setNothing(tr("Not measured yet."));
    m_table->setTextElideMode(Qt::ElideMiddle); // of two of a kind the number at the end tells which
    m_table->setColumns({{72}, {64, 1, true}, {76}, {66}});
    m_plot->setObjectName(u"noisePlot"_s);
    m_plot->setMinimumSize(px(200), px(150));
    connect(&Theme::instance(), &Theme::changed, this, [this] {
        m_untilNs = -1;
        refresh();
    });
}

void NoisePanel::setTableTwin(bool table) { m_stack->setCurrentIndex(table ? 1 : 0); }

void NoisePanel::refresh()
{
    if (!isVisible())
        return;
    const Snapshot& snapshot = m_context.session.snapshot();
    m_model.show(snapshot.run.work);
    m_table->growColumns(widestNoiseWords);
    const std::vector<NoisePoint>& noise = snapshot.run.work.noise;
    const std::int64_t until = snapshot.status.runNs;
    if (noise == m_shown && m_untilNs >= 0 && std::abs(until - m_untilNs) < worthAPaint)
        return;
    m_shown = noise;
    m_untilNs = until;
    const bool brief = until < 3 * static_cast<std::int64_t>(noiseMinute);
    const double unit = brief ? 1e9 : noiseMinute;
    m_plot->setAxes(tr("± %"), brief ? tr("run time (s)") : tr("run time (min)"));
    std::map<int, PlotSeries> series; // by device
    for (const NoisePoint& point : noise) {
        PlotSeries& line = series[point.device];
        const double x = static_cast<double>(point.runNs) / unit, y = point.floor * 100;
        line.x << x;
        line.y << y;
        line.stepX << x;
        line.stepY << y;
    }
    QVector<PlotSeries> shown;
    for (auto& [device, line] : series) { // it holds until now
        const auto number = shown.size() + 1;
        line.colour = series.size() == 1 ? tokens().accent : Theme::instance().island(IslandId{number});
        if (series.size() > 1)
            line.label = QString::number(number);
        line.stepX << std::max(static_cast<double>(until) / unit, line.stepX.last());
        line.stepY << line.stepY.last();
        shown.push_back(std::move(line));
    }
    const RunState& run = snapshot.run;
    m_plot->setMessage(noise.empty() ? asSentences(noiseNotYet(run), {}) : QString());
    m_plot->setSeries(shown);
    const QString now = noise.empty()
        ? QString()
        : (shown.size() > 1 ? tr("± %1 now at most, from %2 timings") : tr("± %1 now, from %2 timings"))
              .arg(percent(run.noiseFloor))
              .arg(run.noiseBlocks);
    m_title->setSubText(now);
    m_plot->setAccessibleName(
        tr("Noise floor over the run: %1; Ctrl+T shows it as a table").arg(now.isEmpty() ? noiseNotYet(run) : now));
}

namespace {

/// As fine as the plot that the table is the twin of.
QString finely(double floor) { return QString::number(floor * 100, 'f', 2) + u" %"_s; }

} // namespace

void NoiseModel::show(const WorkRecord& work)
{
    if (work.noise == m_points && work.devices == m_devices)
        return;
    beginResetModel();
    m_points = work.noise;
    m_devices = work.devices;
    endResetModel();
}

int NoiseModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_points.size());
}

int NoiseModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(Column::Count);
}

QVariant NoiseModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const NoisePoint& point = m_points[m_points.size() - 1 - static_cast<std::size_t>(index.row())];
    const auto column = static_cast<Column>(index.column());
    if (role == Qt::TextAlignmentRole)
        return QVariant((column == Column::Device ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    if (role == Qt::ForegroundRole && column == Column::Floor && isNoisy(point.floor))
        return tokens().warning;
    if (role != Qt::DisplayRole)
        return {};
    const auto device = static_cast<std::size_t>(point.device);
    switch (column) {
    case Column::RunTime:
        return duration(point.runNs);
    case Column::Device:
        return point.device >= 0 && device < m_devices.size() ? deviceName(m_devices, m_devices[device].id) : u"–"_s;
    case Column::Floor: // a word beside the colour
        return isNoisy(point.floor) ? tr("high: ± %1").arg(finely(point.floor)) : u"± "_s + finely(point.floor);
    case Column::Timings:
        return grouped(point.blocks);
    case Column::Count:
        break;
    }
    return {};
}

QVariant NoiseModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant(
            (section == static_cast<int>(Column::Device) ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    const QString names[] = {tr("Run time"), tr("Device"), tr("Floor"), tr("Timings")};
    return role == Qt::DisplayRole ? QVariant(names[section]) : QVariant();
}

} // namespace tilewright::ui
