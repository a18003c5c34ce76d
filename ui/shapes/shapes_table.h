// SPDX-License-Identifier: GPL-3.0-or-later
// The per-shape table of a candidate's latest evaluation, as high as its rows, with a legend. GUI thread.
#pragma once

#include "ui/models/shape_model.h"

#include <QWidget>

class QLabel;

namespace tilewright::ui {

class ShapeBarDelegate;
class Table;

class ShapesTable : public QWidget
{
    Q_OBJECT

public:
    ShapesTable(const QString& tableName, QWidget* parent);
    void show(const Candidate& candidate, const Evaluation* evaluation, const Task* task);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void fitColumns();

    ShapeModel m_model;
    Table* m_table;
    ShapeBarDelegate* m_delegate;
    QLabel* m_legend;
};

} // namespace tilewright::ui
