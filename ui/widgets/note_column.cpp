// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/note_column.h"

#include "ui/theme/theme.h"
#include "ui/widgets/code_view.h"

#include <QAccessible>
#include <QCoreApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QTextBlock>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

NoteColumn::NoteColumn(CodeView* view)
    : QWidget(view)
    , m_view(view)
{
    setObjectName(u"noteColumn"_s);
    setAccessibleName(tr("Notes beside the lines"));
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
    hide();
}

void NoteColumn::setNotes(std::vector<LineNote> notes)
{
    if (notes == m_notes)
        return;
    m_notes = std::move(notes);
    m_current = 0;
    setVisible(!m_notes.empty());
    update();
}

int NoteColumn::widthIn(int viewWidth) const
{
    if (m_notes.empty())
        return 0;
    const QFontMetrics metrics(fontOf(Type::Mono));
    int widest = 0;
    for (std::size_t i = 0; i < m_notes.size(); ++i)
        if (i == 0 || m_notes[i].origin != m_notes[i - 1].origin)
            widest = std::max(widest, metrics.horizontalAdvance(m_notes[i].words));
    return std::min(widest + px(16), viewWidth * 2 / 5);
}

const LineNote* NoteColumn::noteOf(int line) const
{
    return line < 1 || static_cast<std::size_t>(line) > m_notes.size() ? nullptr
                                                                       : &m_notes[static_cast<std::size_t>(line - 1)];
}

int NoteColumn::lineAt(int y) const
{
    for (QTextBlock block = m_view->firstVisibleBlock(); block.isValid(); block = block.next()) {
        const QRectF box = m_view->blockBoundingGeometry(block).translated(m_view->contentOffset());
        const auto at = static_cast<std::size_t>(block.blockNumber());
        if (at >= m_view->lines().size() || box.top() > y)
            break;
        if (block.isVisible() && y < box.bottom())
            return m_view->lines()[at].number;
    }
    return 0;
}

int NoteColumn::blockBegin(int line) const
{
    const LineNote* const note = noteOf(line);
    while (note && noteOf(line - 1) && noteOf(line - 1)->origin == note->origin)
        --line;
    return line;
}

int NoteColumn::nextBlock(int line, int step) const
{
    if (step < 0) {
        const int begin = blockBegin(line);
        return begin > 1 ? blockBegin(begin - 1) : begin;
    }
    const LineNote* const note = noteOf(line);
    int next = line;
    while (note && noteOf(next) && noteOf(next)->origin == note->origin)
        ++next;
    return noteOf(next) ? next : blockBegin(line);
}

void NoteColumn::goTo(int line)
{
    const LineNote* note = noteOf(line);
    if (!note)
        return;
    m_current = line;
    const QTextBlock block = m_view->document()->findBlockByNumber(line - 1);
    const QRectF box = m_view->blockBoundingGeometry(block).translated(m_view->contentOffset());
    if (block.isValid() && (box.top() < 0 || box.bottom() > m_view->viewport()->height()))
        m_view->setTopRow(std::max(0, line - 3));
    setAccessibleDescription(note->whole);
    QAccessibleEvent event(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&event);
    update();
}

void NoteColumn::choose(int line)
{
    if (const LineNote* note = noteOf(line); note && note->origin != 0)
        Q_EMIT chosen(note->origin, note->line);
}

bool NoteColumn::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const LineNote* note = noteOf(lineAt(help->pos().y()));
        note ? QToolTip::showText(help->globalPos(), note->whole.toHtmlEscaped().replace(u'\n', u"<br>"_s), this)
             : QToolTip::hideText();
        return true;
    }
    return QWidget::event(event);
}

void NoteColumn::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton && rect().contains(event->pos()))
        choose(lineAt(event->pos().y()));
}

void NoteColumn::wheelEvent(QWheelEvent* event) { QCoreApplication::sendEvent(m_view->viewport(), event); }

void NoteColumn::keyPressEvent(QKeyEvent* event)
{
    const int last = static_cast<int>(m_notes.size());
    switch (event->key()) {
    case Qt::Key_Up:
        return goTo(nextBlock(m_current, -1));
    case Qt::Key_Down:
        return goTo(m_current == 0 ? 1 : nextBlock(m_current, 1));
    case Qt::Key_Home:
        return goTo(1);
    case Qt::Key_End:
        return goTo(blockBegin(last));
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        return choose(m_current);
    default:
        QWidget::keyPressEvent(event);
    }
}

void NoteColumn::focusInEvent(QFocusEvent* event)
{
    QWidget::focusInEvent(event);
    if (m_current == 0 && event->reason() != Qt::MouseFocusReason)
        goTo(std::max(1, lineAt(1)));
    update();
}

void NoteColumn::paintEvent(QPaintEvent* event)
{
    const Tokens& t = tokens();
    QPainter painter(this);
    painter.fillRect(event->rect(), t.raised);
    painter.setFont(fontOf(Type::Mono));
    const int current = hasFocus() ? blockBegin(m_current) : 0;
    bool isFirst = true; // the block that begins above what is seen has its words as well
    std::int64_t above = 0;
    for (QTextBlock block = m_view->firstVisibleBlock(); block.isValid(); block = block.next()) {
        const QRectF box = m_view->blockBoundingGeometry(block).translated(m_view->contentOffset());
        const auto at = static_cast<std::size_t>(block.blockNumber());
        if (box.top() > event->rect().bottom() || at >= m_view->lines().size())
            break;
        const int number = m_view->lines()[at].number;
        const LineNote* note = noteOf(number);
        if (!block.isVisible() || !note)
            continue;
        const bool begins = isFirst || note->origin != above;
        const QRectF row(0, box.top(), width(), box.height());
        if (note->isNew) // a bar beside the words
            painter.fillRect(QRectF(0, box.top(), px(3), box.height()), t.accent);
        if (begins && !isFirst)
            painter.fillRect(QRectF(0, box.top(), width(), 1), t.border);
        if (begins) {
            painter.setPen(note->isNew ? t.text : t.secondary);
            const QRectF words = row.adjusted(px(8), 0, -px(4), 0);
            painter.drawText(words, Qt::AlignLeft | Qt::AlignVCenter,
                painter.fontMetrics().elidedText(note->words, Qt::ElideRight, static_cast<int>(words.width())));
        }
        if (current > 0 && number == m_current) {
            painter.setPen(QPen(t.accent, px(2)));
            painter.drawRect(row.adjusted(1, 1, -1, -1));
        }
        above = note->origin;
        isFirst = false;
    }
    painter.fillRect(QRect(width() - 1, 0, 1, height()), t.border);
}

} // namespace tilewright::ui
