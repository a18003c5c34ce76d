// SPDX-License-Identifier: GPL-3.0-or-later
// Lineage: the view with its map and legend, or the same candidates as a table (Ctrl+T). Long runs are laid out on
// another thread; the newest layout is taken, older ones are dropped. GUI thread.
#pragma once

#include "ui/lineage/lineage.h"
#include "ui/models/candidate_filter.h"
#include "ui/models/candidate_model.h"
#include "ui/session/file_watch.h"
#include "ui/session/view_context.h"

#include <QWidget>
#include <set>

class QAbstractItemDelegate;
class QStackedWidget;
class QToolButton;

namespace tilewright::ui {

class DockTitle;
class LineageLegend;
class LineageView;
class PlotHover;
class Segments;
class Table;

class LineagePanel : public QWidget
{
    Q_OBJECT

public:
    explicit LineagePanel(const ViewContext& context, QWidget* parent = nullptr);
    void setTableTwin(bool table);
    /// Paints the rows of the twin.
    void setRowDelegate(QAbstractItemDelegate* delegate);
    void fit();
    /// To be used as the dock's title bar.
    DockTitle* title() { return m_title; }

Q_SIGNALS:
    /// The menu of what can be done to the current candidate is wanted at this place of the screen.
    void menuRequested(const QPoint& global);

private:
    void markRow(); ///< of the table
    using Made = std::shared_ptr<const Lineage>;

    void refresh();
    void addLegendButton();
    void filterTable(bool isNewEmphasis);
    /// Lays out a short run at once, or says how a long one is laid out.
    std::function<Made()> lay();
    void take(const Made& lineage);
    void sayWhatIsSeen();
    void hover(int node, const QPoint& at);
    QString whatToSay() const;

    ViewContext m_context;
    DockTitle* m_title;
    Segments* m_emphasis;
    QStackedWidget* m_stack;
    LineageView* m_view;
    LineageLegend* m_legend;
    QToolButton* m_legendButton;
    PlotHover* m_hover;
    Table* m_table;
    CandidateModel m_model;
    CandidateFilter m_filter;
    std::set<CandidateId> m_shownAncestry; ///< in the table, while ancestry stands out
    SnapshotPtr m_laid; ///< what is shown, or on its way
    MadeAside<Made> m_laying{[this] { return lay(); }, [this](const Made& lineage) { take(lineage); }};
};

} // namespace tilewright::ui
