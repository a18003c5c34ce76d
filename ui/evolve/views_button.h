// SPDX-License-Identifier: GPL-3.0-or-later
// The menu beside the query: which columns the table of candidates shows, and views under a name. GUI thread.
#pragma once

#include "ui/models/candidate_model.h"
#include "ui/models/candidate_query.h"
#include "ui/session/settings.h"

#include <QByteArray>
#include <QLineEdit>
#include <QString>
#include <QTimer>
#include <QToolButton>
#include <set>
#include <vector>

namespace tilewright::ui {

// Ways to look at the table of candidates that a user has given a name: query, columns, order. Kept as JSON. Pure.

struct CandidateView {
    QString name; ///< empty: the one that was in use last
    QString query;
    std::set<int> unwanted; ///< columns that are not shown
    int sortColumn = static_cast<int>(CandidateModel::Column::Name);
    Qt::SortOrder order = Qt::DescendingOrder;

    bool operator==(const CandidateView&) const = default;
};

/// Columns by name, so that a later version still knows them.
QByteArray toJson(const std::vector<CandidateView>& views);
/// What cannot be read is left out.
std::vector<CandidateView> viewsFrom(const QByteArray& json);
/// In the place of one with that name, else at the end.
std::vector<CandidateView> withView(std::vector<CandidateView> views, const CandidateView& view);
/// Brought back to the place it had, under another name where its own is taken now.
std::vector<CandidateView> withViewBack(std::vector<CandidateView> views, CandidateView view, std::size_t place);
std::vector<CandidateView> withoutView(std::vector<CandidateView> views, const QString& name);

class CandidateTable;

class ViewsButton : public QToolButton
{
    Q_OBJECT

public:
    /// Brings the table to the view that was in use last, and keeps what becomes of it.
    ViewsButton(CandidateTable* table, Settings& settings, QWidget* parent = nullptr);

private:
    void fill();
    void addColumns();
    void addViews();
    /// Goes; it can be taken back.
    void forgetView(const QString& name);
    void addNameRow();
    void keep();
    std::vector<CandidateView> views() const;
    void setViews(const std::vector<CandidateView>& views);

    CandidateTable* m_table;
    Settings& m_settings;
};

// The line in which a user types what candidates to see. What cannot be read is underlined where it stands; `?` in
// the empty line asks for help. GUI thread.

class QueryBox : public QLineEdit
{
    Q_OBJECT

public:
    explicit QueryBox(QWidget* parent = nullptr);
    /// What was typed last and read.
    const CandidateQuery& query() const { return m_query; }
    /// Empties the line, and that counts at once.
    void reset();

Q_SIGNALS:
    /// A moment after the last key.
    void queryChanged();
    void helpAsked();
    /// Enter or Escape was pressed.
    void helpRead();

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void read();
    void underline();

    CandidateQuery m_query;
    QTimer m_debounce;
};

} // namespace tilewright::ui
