// SPDX-License-Identifier: GPL-3.0-or-later
// Diff, code, evidence, prompt, reply, build log, compiled code, runs and the note of a candidate. Texts come from the
// engine; stale answers are dropped; the diff is computed on a pool thread. GUI thread.
#pragma once

#include "ui/session/listing_slot.h"
#include "ui/session/view_context.h"

#include <QWidget>
#include <optional>

class QPushButton;
class QStackedWidget;
class QTabBar;

namespace tilewright::ui {

class CodeBlame;
class CodeView;
class ElidedLabel;
class ConversationView;
class DockTitle;
class EvidencePage;
class ListingView;
class NoteEditor;
class RunsPage;

class TextTabs : public QWidget
{
    Q_OBJECT

public:
    enum Tab { Diff, Code, Evidence, Prompt, Reply, BuildLog, Compiled, Runs, Notes };

    explicit TextTabs(const ViewContext& context, QWidget* parent = nullptr);
    void show(const Candidate& candidate);
    void clear();
    void setTab(Tab tab);
    Tab tab() const;
    /// To the field that finds words in the text that is shown, if it has one.
    void find();
    /// Code or Build log, with this line (from 1) in the middle of what is seen, as soon as the text is there.
    void showLine(Tab tab, int line);

Q_SIGNALS:
    /// Something that was asked for has been on its way for a while, or is not any more.
    void loading(bool isOn);

private:
    QWidget* diffPage();
    QWidget* codePage();
    void sayCompared(const Candidate& candidate, const Candidate* base);
    void showDiff();
    void goToWantedLine();
    void showNoLog(const QString& note);

    ViewContext m_context;
    QTabBar* m_tabs;
    QStackedWidget* m_stack;
    ElidedLabel* m_compared; ///< whom the diff compares with
    QPushButton* m_ownParent; ///< lets go of the reference
    CodeView *m_diff, *m_code, *m_log;
    CodeBlame* m_blame; ///< who brought the lines of the code
    ConversationView *m_prompt, *m_reply;
    ListingView* m_listing;
    EvidencePage* m_evidence;
    RunsPage* m_runs;
    NoteEditor* m_notes;
    TextSlot m_source, m_base, m_logText;
    QString m_built; ///< what is known of the build, where its compiler said nothing
    Hash m_shownSource, m_shownBase, m_shownLog;
    std::optional<QString> m_after, m_before;
    Tab m_wantedTab = Code;
    int m_wantedLine = 0; ///< that is shown once its text is there; 0: none
    quint64 m_diffId = 0; ///< of the newest diff asked for
};

} // namespace tilewright::ui
