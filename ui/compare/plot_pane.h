// SPDX-License-Identifier: GPL-3.0-or-later
// A plot of the Compare screen with its title, or the same as a table (Ctrl+T). Its scene is made while it is seen.
// GUI thread.
#pragma once

#include "ui/compare/point_scene.h"
#include "ui/compare/rows_model.h"

#include <QFrame>
#include <functional>

class QStackedWidget;

namespace tilewright::ui {

class DockTitle;
class PointPlot;
class Table;

/// A row for choices that the title above has no room for.
QWidget* choicesRow(QWidget* parent);

class PlotPane : public QFrame
{
    Q_OBJECT

public:
    /// `name`: of the plot; its table has "Table" behind it.
    PlotPane(const QString& title, const QString& name, std::function<PointScene()> scene, QWidget* parent);
    DockTitle& title() { return *m_title; }
    PointPlot& plot() { return *m_plot; }
    /// In the title, or above the plot where the title has no room.
    void addChoice(QWidget* control);
    void setTableTwin(bool table);
    /// Something that the scene is made of has changed.
    void refresh();

Q_SIGNALS:
    void chosen(tilewright::CandidateId candidate);

protected:
    void showEvent(QShowEvent* event) override;

private:
    QString m_name;
    std::function<PointScene()> m_scene;
    DockTitle* m_title;
    QWidget* m_choices; ///< above the plot
    QStackedWidget* m_stack;
    PointPlot* m_plot;
    Table* m_table;
    RowsModel m_rows;
    bool m_isOutdated = true;
};

} // namespace tilewright::ui
