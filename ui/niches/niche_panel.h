// SPDX-License-Identifier: GPL-3.0-or-later
// The niches of one island, chosen above the grid, or the same as a table (Ctrl+T). GUI thread.
#pragma once

#include "ui/niches/niche_view.h"
#include "ui/session/file_watch.h"
#include "ui/session/view_context.h"

#include <QFrame>

class QComboBox;
class QLabel;
class QStackedWidget;

namespace tilewright::ui {

class NicheView;
class PlotHover;
class Table;

class NichePanel : public QFrame
{
    Q_OBJECT

public:
    explicit NichePanel(const ViewContext& context, QWidget* parent = nullptr);
    void setTableTwin(bool table);

private:
    void refresh();
    void fillIslands();
    IslandId islandShown() const;
    void hover(CandidateId candidate, const QPoint& at);

    ViewContext m_context;
    QComboBox* m_island;
    std::vector<IslandId> m_ids; ///< of its entries
    QLabel* m_summary;
    QStackedWidget* m_stack;
    NicheView* m_view;
    PlotHover* m_hover;
    Table* m_table;
    NicheModel m_model;
    Paced m_follow{[this] { refresh(); }}; ///< each snapshot
};

} // namespace tilewright::ui
