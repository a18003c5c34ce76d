// SPDX-License-Identifier: GPL-3.0-or-later
// A user's own text of a proposal: begun, kept as a draft, checked and built whenever the user rests, sent to the
// engine once it builds, and taken or refused by it. GUI thread.
#pragma once

#include "ui/diff/split_diff.h"
#include "ui/review/proposal_head.h"
#include "ui/session/view_context.h"

#include <QWidget>

class QLabel;

namespace tilewright::ui {

class EditChecker;
class NumberedEditor;
class WritingDiff;

/// Kind of a draft of an edit, as Drafts::placeOf() takes it.
inline const QString editDraft = QStringLiteral("edit");

class ProposalEditor : public QWidget
{
    Q_OBJECT

public:
    /// Checked: it is sent as soon as it is known to build. Sent: the engine has yet to say whether it takes the text.
    enum class Stage { Closed, Open, Checked, Sent };

    explicit ProposalEditor(const ViewContext& context, QWidget* parent = nullptr);

    Stage stage() const { return m_stage; }
    const EditProgress& progress() const;
    /// What happens with the text now, in a sentence.
    QString word() const;
    /// Why the text cannot be approved as it stands, as far as that is known; "" where nothing speaks against it.
    QString obstacle() const;
    /// With the draft where one was begun, else with the proposal's own text; at the first line that differs from the
    /// parent's.
    void open(const Candidate& candidate, const QString& text, const QString& parent);
    /// What the columns are.
    void setTitles(const QString& before, const QString& after);
    void find();
    void setFolded(bool on);
    void setLongLines(SplitDiff::LongLines longLines);
    void setWhitespace(Whitespace whitespace);
    /// As WritingDiff; the keyboard writes there.
    void goToChange(int step);
    int changes() const;
    int current() const;
    void send(const QString& reason);
    /// Closes and forgets the draft.
    void discard();
    /// Closes; the draft stays.
    void end();
    /// Whether the run holds the text that was sent; it is closed then. Its draft stays until measuring starts, so that
    /// it is there when the word is taken back.
    bool isTaken();
    bool hasDraft(const Candidate& candidate) const;
    int removed() const;
    int added() const;

Q_SIGNALS:
    void stageChanged();
    void progressed(); ///< of the checks, or of what is marked
    void moved(); ///< to another change
    void accepted(); ///< Ctrl+Return

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void setStage(Stage stage);
    void takeText();
    void takeCheck();
    void pass();
    void refuse(const QString& why);
    void showComplaint();
    void dropMeasured();

    ViewContext m_context;
    WritingDiff* m_diff;
    NumberedEditor* m_text;
    QLabel* m_refused;
    EditChecker* m_checker;
    CandidateId m_candidate;
    QString m_original, m_place; ///< place: of the draft
    QString m_reason; ///< of the approval, while its text is checked
    Stage m_stage = Stage::Closed;
};

} // namespace tilewright::ui
