// SPDX-License-Identifier: GPL-3.0-or-later
// Who brought each line of the code that is shown: the line above the Code tab that switches it on, and what the column
// beside the code says. Texts of the ancestors come from the engine one by one; the lines are followed on a pool
// thread, and a newer candidate supersedes an older one. Gains are updated while a run measures. GUI thread.
#pragma once

#include "core/lineage/blame.h"
#include "ui/session/view_context.h"

#include <QWidget>
#include <map>
#include <memory>
#include <optional>

class QPushButton;

namespace tilewright::ui {

class CodeView;
class ElidedLabel;
struct LineNote;

/// What the column says of each line. Pure.
std::vector<LineNote> notesOf(const Blame& blame);

class CodeBlame : public QWidget
{
    Q_OBJECT

public:
    /// `code` shows the program of the candidate, and outlives this.
    CodeBlame(const ViewContext& context, CodeView& code, QWidget* parent);
    /// Its program is on its way to the view, or there.
    void show(CandidateId candidate);
    /// The program is in the view now, which has dropped the notes of the one before.
    void textArrived();
    void clear();
    static void addTo(ActionRegistry& actions);

    enum class State { Off, Computing, Shown, Failed };
    State state() const { return m_state; }

Q_SIGNALS:
    /// A line was clicked: the candidate that brought it, and its line (from 1) there.
    void chosen(tilewright::CandidateId candidate, int line);

private:
    void ask();
    void takeText(quint64 tag, const QString& text);
    void followLines();
    void take(Blame blame);
    void fail(const Error& error);
    void tell();
    void seeGains();
    /// What the gains depend on: the newest evaluation of each candidate that brought a line, and how many re-runs it
    /// has had.
    std::vector<std::pair<EvaluationId, std::size_t>> gainsOf(const Blame& blame) const;
    void showNotes();

    ViewContext m_context;
    CodeView& m_code;
    QPushButton* m_toggle;
    ElidedLabel* m_told;
    State m_state = State::Off;
    CandidateId m_candidate;
    std::map<quint64, Hash> m_awaited; ///< texts by the tag they were asked for with
    std::shared_ptr<std::map<Hash, std::string>> m_texts;
    std::optional<Blame> m_blame;
    std::vector<std::pair<EvaluationId, std::size_t>> m_gains;
    quint64 m_id = 0; ///< of the newest work asked for
    bool m_isRetelling = false; ///< gains are worked out anew
    QString m_trouble;
};

} // namespace tilewright::ui
