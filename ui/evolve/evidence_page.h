// SPDX-License-Identifier: GPL-3.0-or-later
// The evidence of the selected candidate: checks with what they measured, figures by shape, the vendor library. GUI
// thread.
#pragma once

#include "ui/models/evidence_model.h"
#include "ui/session/desk.h"

#include <QWidget>

class QLabel;

namespace tilewright::ui {

class Table;

class EvidencePage : public QWidget
{
    Q_OBJECT

public:
    explicit EvidencePage(const Desk& desk, QWidget* parent = nullptr);
    void show(const Candidate& candidate);
    void clear();

private:
    Table* table(const QString& name, const QString& accessibleName, QAbstractItemModel& model);

    Desk m_desk;
    CheckModel m_checks;
    ShapeIntervalModel m_shapes;
    QLabel* m_summary;
    Table *m_checkTable, *m_shapeTable;
};

} // namespace tilewright::ui
