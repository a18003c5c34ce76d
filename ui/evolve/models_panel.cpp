// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/evolve/models_panel.h"

#include "ui/evolve/insights_box.h"
#include "ui/models/display_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/segments.h"
#include "ui/widgets/table.h"

#include <QHBoxLayout>
#include <QItemSelectionModel>
#include <QPushButton>
#include <QSplitter>
#include <QVBoxLayout>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {
constexpr double widestModelColumn = 280;
constexpr double roomForBoth = 760; ///< beside each other: the figures that a user asks for first, and what was learned

/// What a user asks for first stays in sight: how it does now gives way to that, the other figures are scrolled to.
std::vector<TableColumn> statisticsColumns()
{
    using Column = StatisticsModel::Column;
    std::vector<TableColumn> columns(static_cast<std::size_t>(Column::Count), TableColumn{.width = 30});
    columns[static_cast<std::size_t>(Column::State)] = {.width = 64, .fills = true};
    for (auto at = static_cast<std::size_t>(Column::Cost) + 1; at < columns.size(); ++at)
        columns[at].isScrolledTo = true;
    return columns;
}
} // namespace

ModelsPanel::ModelsPanel(const ViewContext& context, QWidget* parent)
    : QWidget(parent)
    , m_context(context)
    , m_split(new QSplitter(this))
    , m_grouping(new Segments(tr("Statistics"), {tr("By model"), tr("By template")}, this))
    , m_spent(new ElidedLabel({}, this))
    , m_resume(new QPushButton(icon(u"play"_s, Tint::Secondary), tr("Try again"), this))
    , m_table(new Table(this))
{
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    m_split->setChildrenCollapsible(false);
    m_split->setHandleWidth(1);
    row->addWidget(m_split);
    auto* left = new QFrame(m_split);
    left->setProperty("role", u"panel"_s);
    auto* column = new QVBoxLayout(left);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(px(8), px(6), px(8), px(4));
    bar->setSpacing(px(8));
    m_grouping->setObjectName(u"statisticsGrouping"_s);
    m_spent->setObjectName(u"spentOnModels"_s);
    m_spent->setFont(fontOf(Type::Secondary));
    m_spent->setProperty("tone", u"secondary"_s);
    m_resume->setObjectName(u"resumeModel"_s);
    m_resume->setProperty("kind", u"small"_s);
    m_resume->setToolTip(tr("The chosen model can be asked again at once"));
    bar->addWidget(m_grouping);
    bar->addWidget(m_spent, 1);
    bar->addWidget(m_resume);
    column->addLayout(bar);
    m_table->setObjectName(u"statisticsTable"_s);
    m_table->setAccessibleName(tr("Statistics of models and templates"));
    m_table->setModel(&m_model);
    m_table->setColumns(statisticsColumns());
    column->addWidget(m_table, 1);
    m_insights = new InsightsBox(context, m_split);
    m_split->addWidget(left);
    m_split->addWidget(m_insights);
    divide(Qt::Horizontal);
    connect(m_grouping, &Segments::chosen, this, [this] { refresh(); });
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this] { enable(); });
    connect(m_resume, &QPushButton::clicked, this, [this] {
        if (const ModelStatus* status = m_model.statusAt(m_table->currentIndex().row()))
            m_context.session.execute(commands::ResumeModel{status->name});
    });
    connect(&context.session, &SessionClient::changed, this, [this] { refresh(); });
    refresh();
}

void ModelsPanel::divide(Qt::Orientation orientation)
{
    const bool isBeside = orientation == Qt::Horizontal;
    m_split->setOrientation(orientation);
    m_insights->setForm(isBeside ? InsightsBox::Form::Column : InsightsBox::Form::Row);
    m_split->setStretchFactor(0, isBeside ? 3 : 1);
    m_split->setStretchFactor(1, 1);
    m_split->setSizes(isBeside ? QList<int>{px(680), px(240)} : QList<int>{px(160), px(120)});
}

QSize ModelsPanel::minimumSizeHint() const { return {px(200), px(205)}; }

void ModelsPanel::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    const Qt::Orientation wanted = width() < px(roomForBoth) ? Qt::Vertical : Qt::Horizontal;
    if (wanted != m_split->orientation())
        divide(wanted);
}

void ModelsPanel::refresh()
{
    const Snapshot& snapshot = m_context.session.snapshot();
    const RunState& run = snapshot.run;
    m_model.show(
        snapshot, m_grouping->current() == 0 ? StatisticsModel::Grouping::Model : StatisticsModel::Grouping::Template);
    m_table->growColumns(widestModelColumn);
    QStringList spent;
    if (run.modelRequests.size() > 0) {
        spent << counted(static_cast<std::int64_t>(run.modelRequests.size()), tr("%1 request"), tr("%1 requests"));
        spent << (run.tokensGuessed
                ? tr("%1 tokens, %2 of them estimated").arg(grouped(run.tokensSpent), grouped(run.tokensGuessed))
                : tr("%1 tokens").arg(grouped(run.tokensSpent)));
        spent << tr("cost %1").arg(spentWords(run.costMicroUsd, run.unpriced, run.tokensSpent));
        if (run.lost)
            spent << tr("%1 cut off, cost unknown").arg(run.lost);
    } else {
        spent << tr("No model requests in this session.");
    }
    m_spent->setText(spent.join(u" · "_s));
    enable();
}

void ModelsPanel::enable()
{
    const ModelStatus* status = m_model.statusAt(m_table->currentIndex().row());
    m_resume->setVisible(status && status->condition != ModelCondition::Ready
        && status->condition != ModelCondition::Slow && !m_context.session.snapshot().status.readOnly);
}

} // namespace tilewright::ui
