// SPDX-License-Identifier: GPL-3.0-or-later
// Everything about the selected candidate: who, how fast, why not, on which shapes, and its texts. GUI thread.
#pragma once

#include "ui/evolve/text_tabs.h"
#include "ui/session/view_context.h"

#include <QWidget>

class QLabel;
class QSplitter;
class QStackedWidget;

namespace tilewright::ui {

class EnvironmentNote;
class FiguresCard;
class InspectorHeader;
class OutcomeCard;
class ResourceBoxes;
class ResourceNotes;
class ShapesTable;

class CandidateInspector : public QWidget
{
    Q_OBJECT

public:
    explicit CandidateInspector(const ViewContext& context, QWidget* parent = nullptr);
    void setTab(TextTabs::Tab tab) { m_texts->setTab(tab); }
    /// The room of facts and texts as it is where nobody divided it.
    void divideAsUsual();
    /// Its tab, where it is in sight.
    bool shows(TextTabs::Tab tab) const { return m_texts->isVisible() && m_texts->tab() == tab; }
    void find() { m_texts->find(); }
    /// As TextTabs::showLine().
    void showLine(TextTabs::Tab tab, int line) { m_texts->showLine(tab, line); }

Q_SIGNALS:
    /// The menu of what can be done to the candidate is wanted at this place of the screen.
    void menuRequested(const QPoint& global);
    /// A text that was asked for has been on its way for a while, or is not any more.
    void loading(bool isOn);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void refresh();
    void divide(); ///< as it is where nobody did, at this height
    void tellNewBest();
    void tellReference();

    ViewContext m_context;
    QStackedWidget* m_stack;
    QSplitter* m_split; ///< facts above texts
    bool m_isDivided = false; ///< by a user
    InspectorHeader* m_header;
    FiguresCard* m_figures;
    OutcomeCard* m_outcome;
    ShapesTable* m_shapes;
    ResourceNotes* m_resourceNotes;
    ResourceBoxes* m_resources; ///< below what is scrolled: always in sight
    EnvironmentNote* m_environment;
    TextTabs* m_texts;
    Candidate m_shown;
    CandidateId m_shownBest;
    std::pair<CandidateId, CandidateId> m_bestThen; ///< of which candidate: the best when it was come to
    Marks m_shownMarks;
    std::ptrdiff_t m_shownReruns = 0; ///< results of them
    QString m_shownState; ///< which the run has a part in: what is under way halts with it
};

} // namespace tilewright::ui
