// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/devices/conditions_panel.h"

#include "ui/models/format.h"
#include "ui/theme/theme.h"
#include "ui/widgets/dock_title.h"
#include "ui/widgets/plot_hover.h"
#include "ui/widgets/plot_view.h"
#include "ui/widgets/segments.h"
#include "ui/widgets/table.h"

#include <QLabel>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <map>
#include <utility>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {
constexpr double conditionMinute = 60e9;
constexpr double widestConditionWords = 260;
} // namespace

ConditionsPanel::ConditionsPanel(const Desk& desk, DockTitle& title, QWidget* parent)
    : QFrame(parent)
    , m_desk(desk)
    , m_title(title)
    , m_choice(new Segments(tr("What is plotted over the run"),
          {words(Condition::Clock), words(Condition::Temperature), words(Condition::Power)}, &title))
    , m_stack(new QStackedWidget(this))
    , m_plot(new PlotView(this))
    , m_hover(new PlotHover(m_plot))
    , m_table(new Table(this))
    , m_nothing(new QLabel(this))
{
    setProperty("role", u"panel"_s);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_stack);
    m_stack->addWidget(m_plot);
    m_stack->addWidget(m_table);
    m_nothing->setObjectName(u"conditionsMissing"_s);
    m_nothing->setAlignment(Qt::AlignCenter);
    m_nothing->setWordWrap(true);
    m_nothing->setTextFormat(Qt::PlainText);
    m_nothing->setProperty("tone", u"secondary"_s);
    m_stack->addWidget(m_nothing);
    m_choice->setObjectName(u"conditionChoice"_s);
    m_title.addControl(m_choice);
    m_plot->setObjectName(u"conditionsPlot"_s);
    m_plot->setMinimumSize(px(200), px(120));
    m_plot->setLeastSpan(0.1);
    m_table->setObjectName(u"conditionsTable"_s);
    m_table->setAccessibleName(tr("Clock, temperature, power and throttling of each measurement, the newest first"));
    m_table->setModel(&m_model);
    m_table->setIdentity(ConditionsModel::IdRole);
    m_table->setColumns({{72}, {76}, {84}, {84}, {70}, {120}, {80, 0, true}});
    connect(m_choice, &Segments::chosen, this, [this](int index) {
        m_what = static_cast<Condition>(index);
        plot();
        m_plot->fit();
    });
    connect(m_plot, &PlotView::clicked, this, [this](int series, int index) {
        const auto number = m_dots[static_cast<std::size_t>(series)][static_cast<std::size_t>(index)];
        m_desk.selection.select(m_desk.session.run().work.conditions[number].candidate);
    });
    connect(m_plot, &PlotView::hovered, this, [this](int series, int index, const QPoint& at) {
        m_hover->setVisible(false);
        if (series >= 0 && index >= 0)
            say(m_dots[static_cast<std::size_t>(series)][static_cast<std::size_t>(index)], at);
    });
    connect(m_plot, &PlotView::guideHovered, this,
        [this](int guide, const QPoint& at) { say(m_throttled[static_cast<std::size_t>(guide)], at); });
    connect(m_table, &Table::rowChosen, this, [this](const QModelIndex& index) {
        m_desk.selection.select(CandidateId{index.data(ConditionsModel::IdRole).toLongLong()});
    });
    connect(&Theme::instance(), &Theme::changed, this, [this] {
        m_stale = true;
        refresh();
    });
    connect(&desk.session, &Session::replaced, this, [this] {
        m_stale = true;
        m_plot->fit();
        refresh();
    });
}

void ConditionsPanel::setTableTwin(bool table)
{
    m_isTable = table;
    turn();
}

/// Where nothing is known there is no axis either.
void ConditionsPanel::turn()
{
    QWidget* const plotted = m_nothing->text().isEmpty() ? static_cast<QWidget*>(m_plot) : m_nothing;
    m_stack->setCurrentWidget(m_isTable ? static_cast<QWidget*>(m_table) : plotted);
}

void ConditionsPanel::fit() { m_plot->fit(); }

void ConditionsPanel::refresh()
{
    if (!isVisible())
        return;
    const bool isNew = m_model.show(m_desk.session.run().work);
    m_table->setNothing(tr("Nothing was measured yet."));
    if (isNew)
        m_table->growColumns(widestConditionWords);
    if (isNew || std::exchange(m_stale, false))
        plot();
}

void ConditionsPanel::plot()
{
    const WorkRecord& work = m_desk.session.run().work;
    const auto& all = work.conditions;
    const bool brief = all.empty() || static_cast<double>(all.back().runNs) < 3 * conditionMinute;
    const double unit = brief ? 1e9 : conditionMinute;
    m_plot->setAxes(u"%1 (%2)"_s.arg(words(m_what), unitOf(m_what)), brief ? tr("run time (s)") : tr("run time (min)"));
    std::map<std::string, std::size_t> places; // by device
    QVector<PlotSeries> series;
    QVector<PlotGuide> guides;
    m_dots.clear();
    m_throttled.clear();
    for (std::size_t i = 0; i < all.size(); ++i) {
        const Conditions& seen = all[i];
        const double x = static_cast<double>(seen.runNs) / unit;
        if (seen.isThrottled()) {
            guides.push_back({x, tokens().warning});
            m_throttled.push_back(i);
        }
        const std::optional<Readings>& readings = readingsOf(seen, m_what);
        if (!readings)
            continue;
        const auto place = places.try_emplace(seen.device, m_dots.size()).first->second;
        if (place == m_dots.size()) {
            m_dots.emplace_back();
            series.push_back({});
        }
        PlotSeries& line = series[static_cast<qsizetype>(place)];
        const auto dot = [&](double y) {
            line.x << x;
            line.y << y;
            m_dots[place].push_back(i);
        };
        dot(readings->lo);
        if (readings->hi > readings->lo)
            dot(readings->hi);
    }
    for (qsizetype i = 0; i < series.size(); ++i) {
        PlotSeries& line = series[i];
        line.colour = series.size() == 1 ? tokens().accent : Theme::instance().island(IslandId{i + 1});
        if (series.size() == 1)
            break;
        line.label = QString::number(i + 1); // beside its last dot: nobody looked in between, so no line joins them
        line.stepX << line.x.last();
        line.stepY << line.y.last();
    }
    m_plot->setGuides(guides);
    m_nothing->setText(series.isEmpty() ? whatIsMissing() : QString());
    m_plot->setSeries(series);
    turn();
    const QString told = summary();
    const auto range = rangeOf(work, m_what);
    m_title.setSubForms({told, range ? readingWords(range) + u' ' + unitOf(m_what) : QString(), QString()});
    m_plot->setAccessibleName(tr("%1 over the run, in %2: %3; Ctrl+T shows the same as a table")
                                  .arg(words(m_what), unitOf(m_what), series.isEmpty() ? whatIsMissing() : told));
}

QString ConditionsPanel::whatIsMissing() const
{
    const WorkRecord& work = m_desk.session.run().work;
    if (work.conditions.empty())
        return tr("No %1 data: nothing was measured yet.").arg(words(m_what).toLower());
    return tr("No %1 data: %2 does not report it.")
        .arg(words(m_what).toLower(), deviceOf(work, work.conditions.back()));
}

/// "1 965–1 980 MHz · throttled in 3 of 40 measurements".
QString ConditionsPanel::summary() const
{
    std::int64_t throttled = 0, told = 0;
    const auto& all = m_desk.session.run().work.conditions;
    for (const Conditions& seen : all) {
        throttled += seen.isThrottled() ? 1 : 0;
        told += seen.throttling ? 1 : 0;
    }
    QStringList words;
    if (const auto range = rangeOf(m_desk.session.run().work, m_what))
        words << readingWords(range) + u' ' + unitOf(m_what);
    if (told > 0)
        words << (throttled > 0 ? tr("throttled in %1 of %2 measurements").arg(grouped(throttled), grouped(told))
                                : tr("not throttled"));
    else if (!all.empty())
        words << tr("throttling is not reported");
    return words.join(u" · "_s);
}

void ConditionsPanel::say(std::size_t number, const QPoint& at)
{
    const Conditions& seen = m_desk.session.run().work.conditions[number];
    QStringList lines;
    for (const Condition what : {Condition::Clock, Condition::Temperature, Condition::Power})
        if (const auto& readings = readingsOf(seen, what))
            lines << u"%1 %2 %3"_s.arg(words(what), readingWords(readings), unitOf(what));
    if (m_dots.size() > 1)
        lines << deviceOf(m_desk.session.run().work, seen);
    lines << tr("Throttling: %1").arg(seen.throttling ? throttlingWords(seen) : tr("not reported"));
    m_hover->show({}, nameOfCandidate(seen.candidate), duration(seen.runNs), lines, at);
}

} // namespace tilewright::ui
