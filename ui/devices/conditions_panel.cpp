// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/devices/conditions_panel.h"

#include "ui/devices/work_words.h"
#include "ui/models/display_text.h"
#include "ui/theme/theme.h"
#include "ui/theme/words.h"
#include "ui/widgets/pane.h"
#include "ui/widgets/plot/plot_hover.h"
#include "ui/widgets/plot/plot_view.h"
#include "ui/widgets/segments.h"
#include "ui/widgets/table.h"

#include <QLabel>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {
constexpr double conditionMinute = 60e9;
constexpr double widestConditionWords = 260;
} // namespace

ConditionsPanel::ConditionsPanel(const ViewContext& context, DockTitle& title, QWidget* parent)
    : QFrame(parent)
    , m_context(context)
    , m_title(title)
    , m_choice(new Segments(tr("Plotted quantity"),
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
    m_table->setAccessibleName(tr("Clock, temperature, power and throttling of each measurement, newest first"));
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
        m_context.selection.select(m_context.session.run().work.conditions[number].candidate);
    });
    connect(m_plot, &PlotView::hovered, this, [this](int series, int index, const QPoint& at) {
        m_hover->setVisible(false);
        if (series >= 0 && index >= 0)
            say(m_dots[static_cast<std::size_t>(series)][static_cast<std::size_t>(index)], at);
    });
    connect(m_plot, &PlotView::guideHovered, this,
        [this](int guide, const QPoint& at) { say(m_throttled[static_cast<std::size_t>(guide)], at); });
    connect(m_table, &Table::rowChosen, this, [this](const QModelIndex& index) {
        m_context.selection.select(CandidateId{index.data(ConditionsModel::IdRole).toLongLong()});
    });
    connect(&Theme::instance(), &Theme::changed, this, [this] {
        m_stale = true;
        refresh();
    });
    connect(&context.session, &SessionClient::replaced, this, [this] {
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
    const bool isNew = m_model.show(m_context.session.run().work);
    m_table->setNothing(tr("No measurements yet."));
    if (isNew)
        m_table->growColumns(widestConditionWords);
    if (isNew || std::exchange(m_stale, false))
        plot();
}

void ConditionsPanel::plot()
{
    const WorkRecord& work = m_context.session.run().work;
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
    m_plot->setAccessibleName(tr("%1 over the run, in %2: %3; Ctrl+T shows it as a table")
                                  .arg(words(m_what), unitOf(m_what), series.isEmpty() ? whatIsMissing() : told));
}

QString ConditionsPanel::whatIsMissing() const
{
    const WorkRecord& work = m_context.session.run().work;
    if (work.conditions.empty())
        return tr("No %1 data: no measurements yet.").arg(words(m_what).toLower());
    return tr("No %1 data: %2 does not report it.")
        .arg(words(m_what).toLower(), deviceOf(work, work.conditions.back()));
}

/// "1 965–1 980 MHz · throttled in 3 of 40 measurements".
QString ConditionsPanel::summary() const
{
    std::int64_t throttled = 0, told = 0;
    const auto& all = m_context.session.run().work.conditions;
    for (const Conditions& seen : all) {
        throttled += seen.isThrottled() ? 1 : 0;
        told += seen.throttling ? 1 : 0;
    }
    QStringList words;
    if (const auto range = rangeOf(m_context.session.run().work, m_what))
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
    const Conditions& seen = m_context.session.run().work.conditions[number];
    QStringList lines;
    for (const Condition what : {Condition::Clock, Condition::Temperature, Condition::Power})
        if (const auto& readings = readingsOf(seen, what))
            lines << u"%1 %2 %3"_s.arg(words(what), readingWords(readings), unitOf(what));
    if (m_dots.size() > 1)
        lines << deviceOf(m_context.session.run().work, seen);
    lines << tr("Throttling: %1").arg(seen.throttling ? throttlingWords(seen) : tr("not reported"));
    m_hover->show({}, nameOfCandidate(seen.candidate), duration(seen.runNs), lines, at);
}

namespace {

Qt::Alignment conditionAlignment(ConditionsModel::Column column)
{
    const bool isWords = column == ConditionsModel::Column::Candidate || column == ConditionsModel::Column::Throttling
        || column == ConditionsModel::Column::Device;
    return (isWords ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter;
}

} // namespace

const std::optional<Readings>& readingsOf(const Conditions& seen, Condition what)
{
    return what == Condition::Clock ? seen.mhz : what == Condition::Temperature ? seen.celsius : seen.watts;
}

QString words(Condition what)
{
    return what == Condition::Clock ? tr("Clock") : what == Condition::Temperature ? tr("Temperature") : tr("Power");
}

QString unitOf(Condition what)
{
    return what == Condition::Clock ? u"MHz"_s : what == Condition::Temperature ? u"°C"_s : u"W"_s;
}

QString readingWords(const std::optional<Readings>& readings)
{
    if (!readings)
        return u"–"_s;
    const QString lo = grouped(std::llround(readings->lo)), hi = grouped(std::llround(readings->hi));
    return lo == hi ? lo : lo + u'–' + hi;
}

std::optional<Readings> rangeOf(const WorkRecord& work, Condition what, const std::string& device)
{
    const auto first = static_cast<std::size_t>(std::max(work.first, 0));
    const std::string firstDevice = first < work.devices.size() ? work.devices[first].id : std::string();
    std::optional<Readings> range;
    for (const Conditions& seen : work.conditions) {
        const auto& here = readingsOf(seen, what);
        if (!here || (!device.empty() && (seen.device.empty() ? firstDevice : seen.device) != device))
            continue;
        range = range ? Readings{std::min(range->lo, here->lo), std::max(range->hi, here->hi)} : *here;
    }
    return range;
}

QString throttlingWords(const Conditions& seen)
{
    if (!seen.throttling)
        return u"–"_s;
    if (seen.throttling->empty())
        return tr("none");
    QStringList all;
    for (const auto& [reason, blocks] : *seen.throttling)
        all << (seen.blocks > 0 ? tr("%1 in %2 of %3 blocks").arg(text(reason)).arg(blocks).arg(seen.blocks)
                                : text(reason));
    return all.join(u", "_s);
}

QString deviceOf(const WorkRecord& work, const Conditions& seen)
{
    const auto first = static_cast<std::size_t>(std::max(work.first, 0));
    if (seen.device.empty())
        return first < work.devices.size() ? deviceName(work.devices, work.devices[first].id) : u"–"_s;
    return deviceName(work.devices, seen.device);
}

bool ConditionsModel::show(const WorkRecord& work)
{
    const auto& before = m_work.conditions;
    const auto& now = work.conditions;
    const bool grows = now.size() >= before.size() && work.devices == m_work.devices
        && (before.empty() || (now[0] == before[0] && now[before.size() - 1] == before.back()));
    if (grows && now.size() == before.size())
        return false;
    grows ? beginInsertRows({}, 0, static_cast<int>(now.size() - before.size()) - 1) : beginResetModel();
    m_work.conditions = now;
    m_work.devices = work.devices;
    m_work.first = work.first;
    grows ? endInsertRows() : endResetModel();
    return true;
}

int ConditionsModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_work.conditions.size());
}

int ConditionsModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(Column::Count);
}

QString ConditionsModel::textOf(const Conditions& seen, Column column) const
{
    switch (column) {
    case Column::RunTime:
        return duration(seen.runNs);
    case Column::Candidate:
        return nameOfCandidate(seen.candidate);
    case Column::Clock:
        return readingWords(seen.mhz);
    case Column::Temperature:
        return readingWords(seen.celsius);
    case Column::Power:
        return readingWords(seen.watts);
    case Column::Throttling:
        return throttlingWords(seen);
    case Column::Device:
        return deviceOf(m_work, seen);
    case Column::Count:
        break;
    }
    return {};
}

QVariant ConditionsModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const Conditions& seen = m_work.conditions[m_work.conditions.size() - 1 - static_cast<std::size_t>(index.row())];
    const auto column = static_cast<Column>(index.column());
    if (role == IdRole)
        return QVariant::fromValue<qlonglong>(seen.candidate.value);
    if (role == Qt::TextAlignmentRole)
        return QVariant(conditionAlignment(column));
    if (role == Qt::ForegroundRole && column == Column::Throttling && seen.isThrottled())
        return tokens().warning;
    if (role == Qt::ToolTipRole && column == Column::Throttling && seen.isThrottled())
        return throttlingWords(seen);
    return role == Qt::DisplayRole ? QVariant(textOf(seen, column)) : QVariant();
}

QVariant ConditionsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant(conditionAlignment(static_cast<Column>(section)));
    const auto withUnit = [](Condition what) { return u"%1 (%2)"_s.arg(words(what), unitOf(what)); };
    const QString names[] = {tr("Run time"), tr("Candidate"), withUnit(Condition::Clock),
        withUnit(Condition::Temperature), withUnit(Condition::Power), tr("Throttling"), tr("Device")};
    return role == Qt::DisplayRole ? QVariant(names[section]) : QVariant();
}

} // namespace tilewright::ui
