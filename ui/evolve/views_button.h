// SPDX-License-Identifier: GPL-3.0-or-later
// The menu beside the query: which columns the table of candidates shows, and views under a name. GUI thread.
#pragma once

#include "ui/evolve/candidate_views.h"
#include "ui/session/settings.h"

#include <QToolButton>

namespace tilewright::ui {

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

} // namespace tilewright::ui
