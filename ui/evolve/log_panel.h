// SPDX-License-Identifier: GPL-3.0-or-later
// The event log, and above it what of it is shown: words and a kind, which are kept between starts. It follows the
// newest line while the user is at the end of it. GUI thread.
#pragma once

#include "ui/models/log_model.h"
#include "ui/session/file_watch.h"
#include "ui/session/view_context.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;

namespace tilewright::ui {

class Table;

class LogPanel : public QWidget
{
    Q_OBJECT

public:
    explicit LogPanel(const ViewContext& context, QWidget* parent = nullptr);
    /// Chooses a row of the log, from 0, and puts it in the middle of what is seen; all are shown where a filter would
    /// hide it.
    void goTo(int row);
    /// The keyboard goes to the words that lines are looked for with.
    void find();
    bool isFiltered() const { return m_filter.isFiltered(); }
    int matching() const { return m_filter.rowCount(); }

Q_SIGNALS:
    void filtered();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QWidget* filterLine();
    void refresh();
    void filter();
    void take();
    void showAll();
    void sayHowMany();
    void recall();
    int rowOf(const QModelIndex& shown) const { return m_filter.mapToSource(shown).row(); }

    ViewContext m_context;
    LogModel m_model;
    LogFilter m_filter;
    Table* m_table;
    QLineEdit* m_words;
    QComboBox* m_kind;
    QLabel* m_count;
    QPushButton* m_all;
    QString m_filterOf; ///< path of the session; empty where none is open
    Paced m_follow{[this] { refresh(); }}; ///< each snapshot
};

} // namespace tilewright::ui
