// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/devices/noise_panel.h"

#include "ui/models/format.h"
#include "ui/models/score_words.h"
#include "ui/theme/theme.h"
#include "ui/widgets/dock_title.h"
#include "ui/widgets/plot_view.h"
#include "ui/widgets/sentence.h"
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

NoisePanel::NoisePanel(const Desk& desk, QWidget* parent)
    : QFrame(parent)
    , m_desk(desk)
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
    m_table->setAccessibleName(tr("Noise floor over the run, the newest first"));
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
    const Snapshot& snapshot = m_desk.session.snapshot();
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
    m_plot->setAccessibleName(tr("Noise floor over the run: %1; Ctrl+T shows the same as a table")
                                  .arg(now.isEmpty() ? noiseNotYet(run) : now));
}

} // namespace tilewright::ui
