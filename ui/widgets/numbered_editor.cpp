// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/numbered_editor.h"

#include "ui/theme/theme.h"

#include <QPainter>
#include <QScopedValueRollback>
#include <QTextBlock>
#include <QTextLayout>
#include <algorithm>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

class NumberGutter : public QWidget
{
public:
    explicit NumberGutter(NumberedEditor* editor)
        : QWidget(editor)
        , m_editor(editor)
    {
    }

protected:
    void paintEvent(QPaintEvent* event) override { m_editor->paintGutter(event); }

private:
    NumberedEditor* m_editor;
};

NumberedEditor::NumberedEditor(QWidget* parent)
    : FoldingEdit(parent)
    , m_gutter(new NumberGutter(this))
{
    setFont(fontOf(Type::Code));
    setFrameShape(QFrame::NoFrame);
    connect(this, &QPlainTextEdit::blockCountChanged, this, [this] { place(); });
    connect(this, &QPlainTextEdit::updateRequest, this, [this](const QRect& area, int dy) {
        if (dy)
            m_gutter->scroll(0, dy);
        else
            m_gutter->update(0, area.y(), m_gutter->width(), area.height());
    });
    connect(&Theme::instance(), &Theme::changed, this, [this] { m_gutter->update(); });
    connect(this, &QPlainTextEdit::textChanged, this, [this] {
        if (!m_isTrying)
            Q_EMIT edited();
    });
    place();
}

void NumberedEditor::withinFence(const std::function<void()>& edit)
{
    if (!m_fence || m_isTrying)
        return edit();
    const QString before = toPlainText();
    const QTextCursor cursor = textCursor();
    const int position = cursor.position(), anchor = cursor.anchor();
    {
        const QScopedValueRollback trying(m_isTrying, true);
        edit();
        const QString after = toPlainText();
        if (after == before)
            return;
        if (m_fence(before) && !m_fence(after)) {
            document()->undo();
            QTextCursor back(document());
            if (toPlainText() != before) { // it was joined with what was typed before
                back.select(QTextCursor::Document);
                back.insertText(before);
            }
            back.setPosition(anchor);
            back.setPosition(position, QTextCursor::KeepAnchor);
            setTextCursor(back);
            Q_EMIT refused();
            return;
        }
    }
    Q_EMIT edited();
}

void NumberedEditor::keyPressEvent(QKeyEvent* event)
{
    withinFence([this, event] { FoldingEdit::keyPressEvent(event); });
}

void NumberedEditor::inputMethodEvent(QInputMethodEvent* event)
{
    withinFence([this, event] { FoldingEdit::inputMethodEvent(event); });
}

void NumberedEditor::dropEvent(QDropEvent* event)
{
    withinFence([this, event] { FoldingEdit::dropEvent(event); });
}

void NumberedEditor::insertFromMimeData(const QMimeData* source)
{
    withinFence([this, source] { FoldingEdit::insertFromMimeData(source); });
}

void NumberedEditor::markMistake(int line)
{
    if (line == m_mistake)
        return;
    m_mistake = line;
    unfold(line - 1);
    m_gutter->update();
}

void NumberedEditor::setLines(std::vector<EditedLine> lines)
{
    if (lines == m_lines)
        return;
    m_lines = std::move(lines);
    viewport()->update();
    m_gutter->update();
}

const EditedLine* NumberedEditor::lineAt(int block) const
{
    const auto at = static_cast<std::size_t>(block);
    return at < m_lines.size() ? &m_lines[at] : nullptr;
}

void NumberedEditor::paintMarks(const QRect& area)
{
    QPainter painter(viewport());
    const Tokens& t = tokens();
    for (QTextBlock block = firstVisibleBlock(); block.isValid(); block = block.next()) {
        const QRectF box = boxOf(block);
        if (box.top() > area.bottom())
            break;
        const EditedLine* line = lineAt(block.blockNumber());
        if (!line)
            break;
        if (!block.isVisible())
            continue;
        const QRectF whole(0, box.top(), viewport()->width(), box.height());
        if (line->isChanged)
            painter.fillRect(whole, t.addedLine);
        else if (line->isLocked)
            painter.fillRect(whole, t.raised); // the text stands on panel
        for (const auto& [start, length] : line->words) // the text may be a moment ahead of its marks
            for (const QRectF& place : placesOf(block, start, length))
                painter.fillRect(place, t.addedWord);
        if (line->isAfterRemoved && !roomBelow(block.blockNumber() - 1)) // which tells it already
            painter.fillRect(QRectF(0, box.top() - px(1), viewport()->width(), px(2)), t.removedWord);
    }
}

void NumberedEditor::paintEvent(QPaintEvent* event)
{
    if (!m_lines.empty())
        paintMarks(event->rect());
    FoldingEdit::paintEvent(event);
}

void NumberedEditor::goToLine(int line)
{
    setTextCursor(QTextCursor(document()->findBlockByNumber(std::clamp(line, 1, blockCount()) - 1)));
    centerCursor();
}

void NumberedEditor::resizeEvent(QResizeEvent* event)
{
    const QRect line = cursorRect();
    const bool wasSeen = line.top() >= 0 && line.bottom() <= event->oldSize().height();
    FoldingEdit::resizeEvent(event);
    place();
    if (wasSeen)
        ensureCursorVisible(); // what a user writes is not covered by what comes below
}

void NumberedEditor::changeEvent(QEvent* event)
{
    FoldingEdit::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        place();
}

int NumberedEditor::gutterWidth() const
{
    const auto digits = QString::number(std::max(blockCount(), 10)).size();
    return px(32) + static_cast<int>(digits) * QFontMetrics(font()).horizontalAdvance(u'0');
}

void NumberedEditor::place()
{
    setViewportMargins(gutterWidth(), 0, px(8), 0); // words do not touch the edge
    const QRect inside = contentsRect();
    m_gutter->setGeometry(inside.left(), inside.top(), gutterWidth(), inside.height());
}

void NumberedEditor::paintGutter(QPaintEvent* event)
{
    QPainter painter(m_gutter);
    const Tokens& t = tokens();
    painter.fillRect(event->rect(), t.panel);
    painter.setFont(font());
    const int height = QFontMetrics(font()).height();
    for (QTextBlock block = firstVisibleBlock(); block.isValid(); block = block.next()) {
        const QRectF area = blockBoundingGeometry(block).translated(contentOffset());
        if (area.top() > event->rect().bottom())
            break;
        if (!block.isVisible())
            continue;
        const bool wrong = block.blockNumber() + 1 == m_mistake;
        const QRectF line(0, area.top(), m_gutter->width(), height);
        if (isFold(block)) {
            painter.fillRect(line, t.raised);
            painter.setPen(t.secondary);
            painter.drawText(line.adjusted(0, 0, -px(10), 0), Qt::AlignRight | Qt::AlignVCenter, u"⋯"_s);
            continue;
        }
        const EditedLine* marked = lineAt(block.blockNumber());
        const bool isChanged = marked && marked->isChanged;
        if (wrong || isChanged)
            painter.fillRect(line, wrong ? t.badPill : t.addedLine);
        painter.setPen(wrong ? t.bad : t.secondary);
        painter.drawText(line.adjusted(0, 0, -px(10), 0), Qt::AlignRight | Qt::AlignVCenter,
            QString::number(block.blockNumber() + 1));
        if (isChanged && !wrong) { // a sign beside the colour
            painter.setPen(t.good);
            painter.drawText(line.adjusted(px(6), 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, u"+"_s);
        }
        if (marked && marked->isAfterRemoved && !roomBelow(block.blockNumber() - 1))
            painter.fillRect(QRectF(0, area.top() - px(1), m_gutter->width(), px(2)), t.removedWord);
        if (wrong) // in a column of its own
            painter.drawText(line.adjusted(px(6), 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, u"✗"_s);
    }
}

} // namespace tilewright::ui
