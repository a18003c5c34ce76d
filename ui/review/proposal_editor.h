// SPDX-License-Identifier: GPL-3.0-or-later
// A person's own text of a proposal: begun, kept as a draft, sent to the engine, and taken or refused by it. GUI
// thread.
#pragma once

#include "ui/session/desk.h"

#include <QWidget>

class QLabel;

namespace tilewright::ui {

class NumberedEditor;

class ProposalEditor : public QWidget
{
    Q_OBJECT

public:
    /// Sent: the engine has yet to say whether it takes the text.
    enum class Stage { Closed, Open, Sent };

    explicit ProposalEditor(const Desk& desk, QWidget* parent = nullptr);

    Stage stage() const { return m_stage; }
    /// With the draft where one was begun, else with the proposal's own text; at the first line that differs from the
    /// parent's.
    void open(const Candidate& candidate, const QString& text, const QString& parent);
    void send(const QString& reason);
    /// Closes and forgets the draft.
    void discard();
    /// Closes; the draft stays.
    void end();
    /// Whether the run holds the text that was sent; it is closed then.
    bool isTaken();
    bool hasDraft(const Candidate& candidate) const;

Q_SIGNALS:
    void stageChanged();
    void accepted(); ///< Ctrl+Return

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void setStage(Stage stage);
    void refuse(const QString& why);
    void shadeLocked(); ///< lines that no edit may touch

    Desk m_desk;
    NumberedEditor* m_text;
    QLabel* m_refused;
    CandidateId m_candidate;
    QString m_original, m_place; ///< place: of the draft
    Stage m_stage = Stage::Closed;
};

} // namespace tilewright::ui
