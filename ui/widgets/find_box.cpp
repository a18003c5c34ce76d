// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/find_box.h"

#include "ui/theme/theme.h"

#include <QKeyEvent>
#include <QPlainTextEdit>
#include <QTextBlock>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

FindBox::FindBox(QPlainTextEdit& view, QWidget* parent)
    : QLineEdit(parent)
    , m_view(view)
{
    setPlaceholderText(tr("Find"));
    setAccessibleName(tr("Find in the text"));
    setFont(fontOf(Type::Secondary));
    view.installEventFilter(this);
    connect(this, &QLineEdit::textEdited, this, [this] {
        QTextCursor cursor = m_view.textCursor(); // what is found already is found again while it is typed
        cursor.setPosition(cursor.selectionStart());
        m_view.setTextCursor(cursor);
        find(Way::Forward);
    });
}

void FindBox::come()
{
    Q_EMIT wanted();
    setFocus();
    selectAll();
}

/// In the view its key is its own, whatever action of the window has it too.
bool FindBox::eventFilter(QObject* watched, QEvent* event)
{
    const bool isKey = event->type() == QEvent::ShortcutOverride || event->type() == QEvent::KeyPress;
    if (watched != &m_view || !isKey || !static_cast<QKeyEvent*>(event)->matches(QKeySequence::Find))
        return QLineEdit::eventFilter(watched, event);
    event->accept();
    if (event->type() == QEvent::KeyPress)
        come();
    return true;
}

bool FindBox::find(Way way)
{
    const QString words = text();
    if (words.isEmpty()) {
        tell(true);
        return false;
    }
    const auto flags = way == Way::Back ? QTextDocument::FindBackward : QTextDocument::FindFlags();
    bool isFound = m_view.find(words, flags);
    if (!isFound) { // around the end
        const QTextCursor before = m_view.textCursor();
        m_view.moveCursor(way == Way::Back ? QTextCursor::End : QTextCursor::Start);
        isFound = m_view.find(words, flags);
        if (!isFound)
            m_view.setTextCursor(before);
    }
    tell(isFound);
    return isFound;
}

void FindBox::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
        find(event->modifiers() & Qt::ShiftModifier ? Way::Back : Way::Forward);
        return;
    }
    if (event->key() == Qt::Key_Escape) {
        clear();
        tell(true);
        m_view.setFocus();
        Q_EMIT left();
        return;
    }
    QLineEdit::keyPressEvent(event);
}

void FindBox::tell(bool isFound)
{
    const QString nowhere = isFound ? QString() : tr("It does not occur.");
    setToolTip(isFound ? tr("Return: next; Shift+Return: the one before") : nowhere);
    setAccessibleDescription(toolTip());
    QPalette colours = palette();
    colours.setColor(QPalette::Text, isFound ? tokens().text : tokens().bad);
    setPalette(colours);
    Q_EMIT told(nowhere);
}

} // namespace tilewright::ui
