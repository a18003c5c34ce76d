// SPDX-License-Identifier: GPL-3.0-or-later
// Schemes: the library with where each scheme is from. The one that is chosen here is that of all pages. GUI thread.
#pragma once

#include "ui/compare/rows_model.h"
#include "ui/lab/lab_model.h"
#include "ui/lab/scheme_list.h"

#include <QWidget>

class QAction;
class QLabel;
class QPushButton;

namespace tilewright::ui {

class DockTitle;
class Table;

class SchemesPage : public QWidget
{
    Q_OBJECT

public:
    SchemesPage(LabModel& lab, SchemeList& list, QWidget* parent = nullptr);
    QString statusText() const;

Q_SIGNALS:
    void failed(const QString& text, const QString& hint);
    void saved(const QString& words);
    void schemeWanted(); ///< on the page that shows its products
    void evolveWanted(); ///< a task is to be made of it

private:
    void fill();
    void showChosen();
    int chosen() const; ///< −1: none
    void askToImport();
    void askToExport();
    void removeChosen();
    void keepLift();

    LabModel& m_lab;
    SchemeList& m_list;
    RowsModel m_rows;
    Table* m_table;
    DockTitle* m_title;
    QLabel *m_words, *m_problem;
    QPushButton *m_use, *m_evolve, *m_lift, *m_export, *m_remove;
    QAction* m_evolveEntry; ///< of the menu of a row
    bool m_isFilling = false;
};

/// Writes by the file's ending. Errors: those of tensor::bytesOf() and saveFile().
Result<void> exportScheme(const tensor::Scheme& scheme, const QString& path);

} // namespace tilewright::ui
