// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/tunables_page.h"

#include "core/base/format.h"
#include "core/model/measurement/resource_figures.h"
#include "ui/compare/plot_pane.h"
#include "ui/models/display_text.h"
#include "ui/theme/theme.h"
#include "ui/theme/words.h"
#include "ui/widgets/pane.h"
#include "ui/widgets/table.h"

#include <QComboBox>
#include <QSignalBlocker>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace tilewright::ui {

using namespace Qt::StringLiterals;
using Kind = TunableAxis::Kind;

namespace {

constexpr std::size_t mostParallelAxes = 8; ///< more have no room beside each other
constexpr Kind resourceKinds[] = {Kind::Registers, Kind::SharedMemory, Kind::MachineCode};

QString nameOfAxis(const TunableAxis& axis)
{
    switch (axis.kind) {
    case Kind::Tunable:
        return text(axis.tunable);
    case Kind::Registers:
        return tr("registers per thread");
    case Kind::SharedMemory:
        return tr("shared memory of a block (bytes)");
    case Kind::MachineCode:
        return tr("machine code (bytes)");
    }
    return {};
}

std::optional<double> valueAlong(const RunState& run, const Candidate& candidate, const TunableAxis& axis)
{
    if (axis.kind == Kind::Tunable) {
        const auto at = candidate.tunables.find(axis.tunable);
        return at == candidate.tunables.end() ? std::nullopt : std::optional(static_cast<double>(at->second));
    }
    const Evaluation* evaluation = run.evaluation(candidate.latest);
    if (!evaluation)
        return std::nullopt;
    const ResourceFigures figures = resourceFigures(evaluation->result.resources);
    const auto number = [](const auto& figure) {
        return figure && *figure > 0 ? std::optional(static_cast<double>(*figure)) : std::nullopt;
    };
    switch (axis.kind) {
    case Kind::Registers:
        return number(figures.registers);
    case Kind::SharedMemory:
        return number(figures.sharedBytes);
    default:
        return number(figures.machineCodeBytes);
    }
}

bool isShown(const Candidate& candidate) { return candidate.isRanked() && !candidate.migrated && !candidate.takenBack; }

} // namespace

std::vector<TunableAxis> axesOf(const RunState& run)
{
    std::set<std::string> names;
    for (const Candidate& candidate : run.candidates)
        if (isShown(candidate))
            for (const auto& [name, value] : candidate.tunables)
                names.insert(name);
    std::vector<TunableAxis> axes;
    for (const std::string& name : names)
        axes.push_back({Kind::Tunable, name});
    for (const Kind kind : resourceKinds)
        axes.push_back({kind, {}});
    std::vector<std::pair<std::size_t, TunableAxis>> told; // with how many values
    for (TunableAxis& axis : axes) {
        std::set<double> values;
        for (const Candidate& candidate : run.candidates)
            if (isShown(candidate))
                if (const auto value = valueAlong(run, candidate, axis))
                    values.insert(*value);
        if (values.size() > 1)
            told.emplace_back(values.size(), std::move(axis));
    }
    // Tunables first, those with most values before others.
    std::ranges::stable_sort(told, [](const auto& a, const auto& b) {
        return std::pair(a.second.kind, b.first) < std::pair(b.second.kind, a.first);
    });
    axes.clear();
    for (auto& [values, axis] : told)
        axes.push_back(std::move(axis));
    return axes;
}

PointScene tunableScene(const RunState& run, const TunableAxis& axis)
{
    PointScene scene;
    scene.x = {nameOfAxis(axis)};
    scene.y = {tr("score (× baseline)"), true};
    scene.headings = {tr("Candidate"), tr("Island"), nameOfAxis(axis), tr("Score"), tr("95 % interval")};
    scene.figures = {2, 3, 4};
    std::map<double, double> best;
    double low = 1e300, high = 0;
    std::set<IslandId> islands;
    int number = 0;
    for (const Candidate& candidate : run.candidates) {
        const auto value = isShown(candidate) ? valueAlong(run, candidate, axis) : std::nullopt;
        if (!value)
            continue;
        const Interval& score = *candidate.score;
        PointMark mark{{*value, score.value}, markerOf(static_cast<int>(candidate.island.value) - 1),
            PointMark::Size::Small, std::pair{score.lo, score.hi}};
        mark.name = nameOfCandidate(candidate.id);
        mark.aside = candidate.confirmed ? tr("confirmed") : tr("provisional");
        mark.lines = {tr("%1 = %2").arg(nameOfAxis(axis), text(numberText(*value))),
            tr("score %1").arg(text(ratioText(score.value)))};
        mark.candidate = candidate.id;
        scene.marks.push_back(mark);
        const Island* island = run.island(candidate.island);
        scene.rows.push_back({mark.name, island ? text(island->name) : QString(), text(numberText(*value)),
            text(ratioText(score.value)), u"[%1, %2]"_s.arg(text(ratioText(score.lo)), text(ratioText(score.hi)))});
        best[*value] = std::max(best[*value], score.value);
        low = std::min(low, *value), high = std::max(high, *value);
        islands.insert(candidate.island);
        ++number;
    }
    if (number == 0) {
        scene.nothing = tr("No ranked candidate has this figure.");
        return scene;
    }
    scene.x.isLogarithmic = low > 0 && high / low >= 8;
    PointLine front;
    front.tone = PointLine::Tone::Front;
    front.label = tr("best of each value");
    for (const auto& [value, score] : best)
        front.points << QPointF(value, score);
    scene.lines.push_back(front);
    for (const IslandId id : islands)
        if (const Island* island = run.island(id))
            scene.legend.push_back(
                {markerOf(static_cast<int>(id.value) - 1), tr("island %1").arg(text(island->name)), {}});
    scene.summary = tr("%1 ranked candidates, measured; other constants differ as well").arg(number);
    return scene;
}

std::vector<ParallelLine> parallelLines(const RunState& run, const std::vector<TunableAxis>& axes)
{
    std::vector<ParallelLine> lines;
    for (const Candidate& candidate : run.candidates) {
        if (!isShown(candidate))
            continue;
        ParallelLine line{candidate.id, {}, candidate.score->value,
            tr("%1: score %2").arg(nameOfCandidate(candidate.id), text(timesText(*candidate.score)))};
        for (const TunableAxis& axis : axes) {
            line.values.push_back(valueAlong(run, candidate, axis));
            if (line.values.back())
                line.words += u", %1 %2"_s.arg(nameOfAxis(axis), text(numberText(*line.values.back())));
        }
        if (std::ranges::any_of(line.values, [](const auto& value) { return value.has_value(); }))
            lines.push_back(std::move(line));
    }
    return lines;
}

TunablesPage::TunablesPage(const ViewContext& context, QWidget* parent)
    : QWidget(parent)
    , m_context(context)
{
    setObjectName(u"tunablesPage"_s);
    m_plot = new PlotPane(
        tr("Score against a tunable"), u"tunablePlot"_s,
        [this] {
            const int at = m_choice->currentIndex();
            if (at >= 0 && at < static_cast<int>(m_axes.size()))
                return tunableScene(m_context.session.run(), m_axes[static_cast<std::size_t>(at)]);
            PointScene scene;
            scene.nothing = m_context.session.isOpen()
                ? tr("No two ranked candidates differ in a tunable or a resource yet.")
                : tr("Open a session: its candidates are shown by any of their tunables.");
            return scene;
        },
        this);
    m_choice = new QComboBox(&m_plot->title());
    m_choice->setObjectName(u"tunableChoice"_s);
    m_choice->setAccessibleName(tr("Tunable or resource"));
    m_choice->setFont(fontOf(Type::Secondary));
    m_plot->title().addControl(m_choice);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    auto* both = new QSplitter(Qt::Horizontal, this);
    both->addWidget(pane(&m_plot->title(), m_plot, this));
    both->addWidget(buildParallel());
    both->setChildrenCollapsible(false);
    column->addWidget(both);
    connect(m_choice, &QComboBox::currentIndexChanged, m_plot, &PlotPane::refresh);
    connect(m_plot, &PlotPane::chosen, this, [this](CandidateId candidate) { m_context.selection.select(candidate); });
    refresh();
}

QWidget* TunablesPage::buildParallel()
{
    auto* title = new DockTitle(tr("Parallel coordinates"), this);
    title->setSubText(tr("a line for each ranked candidate; a drag along an axis filters, a double click ends that"));
    m_parallel = new ParallelView(this);
    m_table = new Table(this);
    m_table->setObjectName(u"parallelTable"_s);
    m_table->setAccessibleName(tr("Candidates with all their tunables"));
    m_table->setModel(&m_rows);
    m_stack = new QStackedWidget(this);
    m_stack->addWidget(m_parallel);
    m_stack->addWidget(m_table);
    connect(m_parallel, &ParallelView::chosen, this,
        [this](CandidateId candidate) { m_context.selection.select(candidate); });
    return pane(title, m_stack, this);
}

void TunablesPage::showParallel()
{
    std::vector<TunableAxis> axes = m_axes;
    axes.resize(std::min(axes.size(), mostParallelAxes));
    std::vector<QString> names;
    QStringList headings{tr("Candidate"), tr("Score")};
    std::vector<int> figures{1};
    for (const TunableAxis& axis : axes) {
        names.push_back(nameOfAxis(axis));
        figures.push_back(static_cast<int>(headings.size()));
        headings << names.back();
    }
    std::vector<ParallelLine> lines = parallelLines(m_context.session.run(), axes);
    std::vector<QStringList> rows;
    for (const ParallelLine& line : lines) {
        QStringList row{nameOfCandidate(line.candidate), text(ratioText(line.score))};
        for (const auto& value : line.values)
            row << (value ? text(numberText(*value)) : QString());
        rows.push_back(row);
    }
    m_rows.show(headings, figures, rows);
    fitToRows(*m_table);
    m_parallel->show(std::move(names), std::move(lines),
        m_context.session.isOpen() ? tr("No two ranked candidates differ in a tunable or a resource yet.")
                                   : tr("Open a session: its candidates are lines here."));
}

void TunablesPage::refresh()
{
    auto axes = axesOf(m_context.session.run());
    if (axes != m_axes || m_choice->count() == 0) {
        const QString before = m_choice->currentText();
        m_axes = std::move(axes);
        const QSignalBlocker quiet(m_choice);
        m_choice->clear();
        for (const TunableAxis& axis : m_axes)
            m_choice->addItem(nameOfAxis(axis));
        m_choice->setCurrentIndex(std::max(0, m_choice->findText(before)));
        m_choice->setVisible(!m_axes.empty());
    }
    if (!m_wanted.empty())
        choose(std::exchange(m_wanted, {}));
    m_plot->refresh();
    showParallel();
}

void TunablesPage::choose(const std::string& tunable)
{
    const auto at = std::ranges::find(m_axes, TunableAxis{Kind::Tunable, tunable});
    if (at == m_axes.end())
        m_wanted = tunable;
    else
        m_choice->setCurrentIndex(static_cast<int>(at - m_axes.begin()));
}

void TunablesPage::setTableTwin(bool table)
{
    m_plot->setTableTwin(table);
    m_stack->setCurrentIndex(table ? 1 : 0);
}

QString TunablesPage::statusText() const
{
    return m_axes.empty() ? QString() : tr("score against %1").arg(m_choice->currentText());
}

} // namespace tilewright::ui
