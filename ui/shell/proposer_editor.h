// SPDX-License-Identifier: GPL-3.0-or-later
// Who is asked for edits in the open run, from here on. GUI thread; closes itself.
#pragma once

#include "ui/evolve/edit_popup.h"
#include "ui/session/session_client.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;

namespace tilewright::ui {

class ProposerEditor : public EditPopup
{
    Q_OBJECT

public:
    /// wanted: what is chosen when it opens, in the words of the settings; empty: what the run has.
    ProposerEditor(const Snapshot& snapshot, QWidget* parent, const QString& wanted = {});
    /// Opens one over a widget of the window. What it chooses is told to the session; while a folder or file is looked
    /// for it makes room, and it comes back with what was found.
    static void present(SessionClient& session, QWidget& over, const QString& wanted = {});

Q_SIGNALS:
    /// In the words of the settings: "tuner", "model:FILE", "manual".
    void accepted(const QString& proposer);
    /// A folder (of "manual") or a models file is to be looked for, from this one on.
    void placeWanted(const QString& kind, const QString& from);

protected:
    void accept() override;

private:
    QWidget* placeRow();
    QString kind() const;
    bool isInFolder() const;
    QString chosen() const;
    /// What the choice needs is shown, the rest not.
    void showFields();
    void judge();

    QString m_now; ///< the run's
    std::map<QString, QString> m_whyNot; ///< by kind; those that have something to do are not in it
    bool m_isRunning;
    QComboBox* m_kind;
    QLabel* m_about;
    QLabel* m_waitsName;
    QComboBox* m_waits; ///< where prompts for a user wait: this window, or a folder
    QLabel* m_withName;
    QLineEdit* m_with;
    QPushButton* m_choose;
    QLabel* m_note;
    QWidget* m_apply;
};

} // namespace tilewright::ui
