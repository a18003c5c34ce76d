// SPDX-License-Identifier: GPL-3.0-or-later
// What whoever proposes should know, a hint a line, in every prompt: for one island, or for all of them. GUI thread.
#pragma once

#include "core/model/run_state.h"
#include "ui/evolve/edit_popup.h"
#include "ui/session/drafts.h"

class QComboBox;
class QLabel;
class QPlainTextEdit;
class QPushButton;

namespace tilewright::ui {

class HintEditor : public EditPopup
{
    Q_OBJECT

public:
    /// Opens with the hints of that island, or with what was typed for it and not applied; id 0: of all.
    HintEditor(const RunState& run, IslandId island, Drafts& drafts, QWidget* parent);

Q_SIGNALS:
    void accepted(tilewright::IslandId island, const QString& text);

protected:
    void accept() override;
    void keyPressEvent(QKeyEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    IslandId island() const;
    QString known() const; ///< what holds for the chosen island
    QString place() const; ///< of the draft
    void choose();
    void enable();

    std::map<IslandId, std::string> m_hints;
    Drafts& m_drafts;
    QString m_unread; ///< why nobody reads hints in this run; empty: somebody does
    QComboBox* m_island;
    QPlainTextEdit* m_text;
    QLabel* m_note;
    QPushButton* m_apply;
};

} // namespace tilewright::ui
