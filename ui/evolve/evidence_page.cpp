// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/evolve/evidence_page.h"

#include "ui/theme/theme.h"
#include "ui/widgets/table.h"
#include "ui/widgets/wrapping_delegate.h"

#include <QLabel>
#include <QScrollArea>
#include <QVBoxLayout>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

EvidencePage::EvidencePage(const Desk& desk, QWidget* parent)
    : QWidget(parent)
    , m_desk(desk)
    , m_summary(new QLabel(this))
{
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    auto* area = new QScrollArea(this);
    area->setObjectName(u"evidenceScroll"_s);
    area->setProperty("role", u"plain"_s);
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* inside = new QWidget(area);
    inside->setProperty("role", u"plain"_s);
    auto* column = new QVBoxLayout(inside);
    column->setContentsMargins(0, px(6), 0, 0);
    column->setSpacing(px(6));
    m_summary->setObjectName(u"evidenceSummary"_s);
    m_summary->setFont(fontOf(Type::Secondary));
    m_summary->setTextFormat(Qt::PlainText);
    m_summary->setWordWrap(true);
    m_summary->setContentsMargins(px(8), 0, px(8), 0);
    m_summary->setTextInteractionFlags(Qt::TextSelectableByMouse);
    column->addWidget(m_summary);
    column->addWidget(m_checkTable = table(u"evidenceChecks"_s, tr("Checks, measured values and limits"), m_checks));
    column->addWidget(m_shapeTable = table(u"evidenceShapes"_s, tr("Figures by shape with 95 % intervals"), m_shapes));
    column->addStretch(1);
    area->setWidget(inside);
    outer->addWidget(area);
    for (const auto wrapped : {CheckModel::Column::Measured, CheckModel::Column::Limit})
        m_checkTable->setItemDelegateForColumn(static_cast<int>(wrapped), new WrappingDelegate(m_checkTable));
    for (const auto wrapped : {ShapeIntervalModel::Column::Baseline, ShapeIntervalModel::Column::Vendor})
        m_shapeTable->setItemDelegateForColumn(static_cast<int>(wrapped), new WrappingDelegate(m_shapeTable));
    m_checkTable->setColumns({{124}, {80, 0, true}, {88}, {92}});
    m_shapeTable->setColumns({{104}, {60}, {96}, {80, 0, true}, {60, 1}});
}

Table* EvidencePage::table(const QString& name, const QString& accessibleName, QAbstractItemModel& model)
{
    auto* made = new Table(this);
    made->setObjectName(name);
    made->setAccessibleName(accessibleName);
    made->setModel(&model);
    made->setSizeAdjustPolicy(QAbstractScrollArea::AdjustToContents); // the page scrolls, not each table
    made->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Maximum);
    made->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    fitRowsToWords(*made); // the dock is narrow
    return made;
}

void EvidencePage::show(const Candidate& candidate)
{
    const Snapshot& snapshot = m_desk.session.snapshot();
    const Evidence evidence = evidenceOf(snapshot.run, candidate, snapshot.pack ? &snapshot.pack->task : nullptr);
    m_summary->setText(evidenceSummary(evidence));
    m_checks.show(evidence.checks);
    m_shapes.show(evidence.shapes);
    for (Table* each : {m_checkTable, m_shapeTable}) {
        each->setVisible(each->model()->rowCount() > 0);
        each->resizeRowsToContents();
        each->updateGeometry();
    }
}

void EvidencePage::clear()
{
    m_summary->clear();
    m_checks.show({});
    m_shapes.show({});
    m_checkTable->hide();
    m_shapeTable->hide();
}

} // namespace tilewright::ui
