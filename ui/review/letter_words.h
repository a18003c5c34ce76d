// SPDX-License-Identifier: GPL-3.0-or-later
// Below the queue: which letters are orders here, as a letter that is typed to find something would be one. For a while
// after a word was typed it says what finds. GUI thread.
#pragma once

#include <QLabel>
#include <QTimer>

namespace tilewright::ui {

class ActionRegistry;

class LetterWords : public QLabel
{
    Q_OBJECT

public:
    explicit LetterWords(const ActionRegistry& actions, QWidget* parent = nullptr);
    /// A word was typed, as if letters were none.
    void sayWhatFinds();
    /// Letters are written: a text is edited.
    void setWriting(bool writing);

private:
    void tell();

    const ActionRegistry& m_actions;
    QTimer m_while;
    bool m_isWriting = false;
};

} // namespace tilewright::ui
