// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/plot_pane.h"

#include "ui/compare/flow_layout.h"
#include "ui/compare/point_plot.h"
#include "ui/theme/theme.h"
#include "ui/widgets/pane.h"
#include "ui/widgets/table.h"

#include <QStackedWidget>
#include <QVBoxLayout>
#include <utility>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

QWidget* choicesRow(QWidget* parent)
{
    auto* row = new QWidget(parent);
    row->setLayout(new FlowLayout(px(4)));
    row->layout()->setContentsMargins(px(12), px(3), px(6), px(3));
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    row->setSizePolicy(policy);
    row->hide();
    return row;
}

PlotPane::PlotPane(const QString& title, const QString& name, std::function<PointScene()> scene, QWidget* parent)
    : QFrame(parent)
    , m_name(title)
    , m_scene(std::move(scene))
    , m_title(new DockTitle(title, this))
    , m_choices(choicesRow(this))
    , m_stack(new QStackedWidget(this))
    , m_plot(new PointPlot(this))
    , m_table(new Table(this))
{
    setProperty("role", u"panel"_s);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_choices);
    column->addWidget(m_stack, 1);
    m_stack->addWidget(m_plot);
    m_stack->addWidget(m_table);
    m_plot->setObjectName(name);
    m_table->setObjectName(name + u"Table"_s);
    m_table->setAccessibleName(title);
    m_table->setModel(&m_rows);
    connect(m_plot, &PointPlot::chosen, this, &PlotPane::chosen);
}

void PlotPane::addChoice(QWidget* control) { m_title->addMovableControl(control, m_choices); }

void PlotPane::setTableTwin(bool table) { m_stack->setCurrentIndex(table ? 1 : 0); }

void PlotPane::showEvent(QShowEvent* event)
{
    QFrame::showEvent(event);
    if (m_isOutdated)
        refresh();
}

void PlotPane::refresh()
{
    m_isOutdated = !isVisible();
    if (m_isOutdated)
        return;
    PointScene scene = m_scene();
    m_title->setSubText(scene.summary);
    m_plot->setAccessibleName(scene.nothing.isEmpty()
            ? tr("%1: %2; Ctrl+T shows it as a table").arg(m_name, scene.summary)
            : tr("%1: %2").arg(m_name, scene.nothing));
    m_table->setNothing(scene.nothing);
    m_rows.show(scene.headings, scene.figures, scene.rows);
    fitToRows(*m_table);
    m_plot->show(std::move(scene));
}

} // namespace tilewright::ui
