// SPDX-License-Identifier: GPL-3.0-or-later
// A small popup that asks for one text: a line, or several. GUI thread; blocks nobody, closes itself.
#pragma once

#include <QFrame>
#include <QKeyEvent>
#include <functional>

class QLabel;
class QLineEdit;
class QPlainTextEdit;

namespace tilewright::ui {

class AskBox : public QFrame
{
    Q_OBJECT

public:
    enum class Lines { One, Several };

    /// `button` says what accepting does. With several lines Ctrl+Return accepts.
    AskBox(const QString& question, const QString& text, const QString& button, Lines lines, QWidget* parent);
    /// Why what was typed cannot be accepted; empty if it can. It is said, and the box stays.
    void setCheck(std::function<QString(const QString&)> check) { m_check = std::move(check); }
    /// In the middle of the parent, with the keyboard in it.
    void ask();

Q_SIGNALS:
    void accepted(const QString& text);
    void typed(const QString& text); ///< of several lines

protected:
    void keyPressEvent(QKeyEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void accept();

    std::function<QString(const QString&)> m_check;
    QLabel* m_refusal;
    QLineEdit* m_line = nullptr;
    QPlainTextEdit* m_text = nullptr;
};

// Ctrl+Enter starts or applies what stands written, wherever that is.

inline bool isAccept(const QKeyEvent& key)
{
    return key.modifiers().testFlag(Qt::ControlModifier) && (key.key() == Qt::Key_Return || key.key() == Qt::Key_Enter);
}

} // namespace tilewright::ui
