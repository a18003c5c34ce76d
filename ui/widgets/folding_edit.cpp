// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/folding_edit.h"

#include "ui/theme/theme.h"

#include <QGuiApplication>
#include <QMouseEvent>
#include <QPainter>
#include <QPlainTextDocumentLayout>
#include <QScopedValueRollback>
#include <QScrollBar>
#include <algorithm>
#include <cmath>
#include <utility>

namespace tilewright::ui {
namespace {

/// Stays with its row while the text around it is edited.
class RowNote : public QTextBlockUserData
{
public:
    int room = 0; ///< rows left free below
    int lines = 0; ///< of the fold that it stands for
    bool isOneLine = false; ///< it was laid out in one line, as it stands for a fold
};

const RowNote* noteOf(const QTextBlock& row) { return static_cast<const RowNote*>(row.userData()); }

RowNote& noteFor(QTextBlock row)
{
    if (!row.userData())
        row.setUserData(new RowNote);
    return *static_cast<RowNote*>(row.userData());
}

/// How far right the row goes on where it is wrapped; of one that is laid out.
double hangingOf(const QTextBlock& row)
{
    const QString text = row.text();
    const auto begin = std::ranges::find_if(text, [](QChar c) { return c != u' ' && c != u'\t'; });
    const QTextLine first = row.layout()->lineAt(0);
    const double blanks = first.cursorToX(static_cast<int>(begin - text.begin())) - first.x();
    const double two = QFontMetricsF(row.document()->defaultFont()).horizontalAdvance(QStringLiteral("  "));
    return std::min(blanks + two, first.width() / 2);
}

/// Anew, in the width that it is laid out in.
void layOutHanging(QTextBlock row)
{
    QTextLayout& layout = *row.layout();
    const double left = layout.lineAt(0).x(), width = layout.lineAt(0).width(), hanging = hangingOf(row);
    double indent = 0, height = 0;
    layout.beginLayout();
    for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine()) {
        line.setLeadingIncluded(true);
        line.setLineWidth(width - indent);
        line.setPosition(QPointF(left + indent, height));
        height += line.height();
        indent = hanging;
    }
    layout.endLayout();
    row.setLineCount(layout.lineCount());
}

/// In one line, which its bar covers.
void layOutInOneLine(QTextBlock row, double margin)
{
    QTextLayout& layout = *row.layout();
    layout.beginLayout();
    QTextLine line = layout.createLine();
    line.setLeadingIncluded(true);
    line.setNumColumns(std::max(row.length(), 1));
    line.setPosition(QPointF(margin, 0));
    layout.endLayout();
    row.setLineCount(1);
    noteFor(row).isOneLine = true;
}

/// Rows, some with room below; those that stand for a fold are one line each, and others may hang where they are
/// wrapped.
class RowLayout : public QPlainTextDocumentLayout
{
public:
    using QPlainTextDocumentLayout::QPlainTextDocumentLayout;

    void setHanging(bool on)
    {
        m_isHanging = on;
        for (QTextBlock row = document()->begin(); row.isValid(); row = row.next())
            row.clearLayout();
    }

    QRectF blockBoundingRect(const QTextBlock& row) const override
    {
        const RowNote* note = row.isVisible() ? noteOf(row) : nullptr;
        const bool isFold = FoldingEdit::isFold(row);
        if (isFold && row.layout()->lineCount() != 1)
            layOutInOneLine(row, document()->documentMargin());
        else if (!isFold && note && note->isOneLine)
            layOutAnew(row);
        QRectF box = QPlainTextDocumentLayout::blockBoundingRect(row);
        if (m_isHanging && row.isVisible() && isFlush(row)) { // as it was laid out just now, or when it was edited
            const int lines = row.layout()->lineCount();
            layOutHanging(row);
            box = QPlainTextDocumentLayout::blockBoundingRect(row);
            if (row.layout()->lineCount() != lines)
                tellHeight();
        }
        if (note && note->room > 0)
            box.setHeight(box.height() + note->room * row.layout()->lineAt(0).height());
        return box;
    }
    /// Rows that came to stand for a fold, or stand for none any more, have another height than before.
    void tellSize()
    {
        for (QTextBlock row = document()->begin(); row.isValid(); row = row.next())
            if (FoldingEdit::isFold(row) || (noteOf(row) && noteOf(row)->isOneLine))
                blockBoundingRect(row);
        requestUpdate();
        Q_EMIT documentSizeChanged(documentSize());
    }

private:
    static bool isFlush(const QTextBlock& row)
    {
        const QTextLayout& layout = *row.layout();
        return layout.lineCount() > 1 && layout.lineAt(1).x() <= layout.lineAt(0).x();
    }
    /// Whoever is told looks at other rows, of which the same is to be told.
    void tellHeight() const
    {
        if (std::exchange(m_isTelling, true))
            return;
        Q_EMIT const_cast<RowLayout*>(this)->documentSizeChanged(documentSize());
        m_isTelling = false;
    }
    static void layOutAnew(QTextBlock row)
    {
        row.clearLayout();
        noteFor(row).isOneLine = false;
    }

    bool m_isHanging = false;
    mutable bool m_isTelling = false;
};

bool showRow(QTextBlock row, bool isShown)
{
    if (row.isVisible() == isShown)
        return false;
    row.setVisible(isShown);
    row.setLineCount(isShown ? std::max(1, row.layout()->lineCount()) : 0);
    return true;
}

} // namespace

FoldingEdit::FoldingEdit(QWidget* parent)
    : QPlainTextEdit(parent)
{
    auto* text = new QTextDocument(this);
    auto* layout = new RowLayout(text);
    text->setDocumentLayout(layout);
    text->setDefaultFont(font());
    layout->setPaintDevice(viewport());
    setDocument(text);
    connect(this, &QPlainTextEdit::cursorPositionChanged, this, [this] {
        if (QGuiApplication::mouseButtons() == Qt::NoButton) // what is selected with the mouse does not jump
            unfoldAtCursor();
    });
    connect(this, &QPlainTextEdit::textChanged, this, &FoldingEdit::unfoldAtCursor);
    connect(this, &QPlainTextEdit::updateRequest, this, &FoldingEdit::tellScrolled);
    connect(verticalScrollBar(), &QScrollBar::valueChanged, this, &FoldingEdit::tellScrolled);
    connect(horizontalScrollBar(), &QScrollBar::valueChanged, viewport(), qOverload<>(&QWidget::update));
}

/// Where a wrapped row was scrolled into, QPlainTextEdit keeps a part of a pixel for good: views that stand beside each
/// other would not be level any more. It forgets that when it is scrolled unseen.
void FoldingEdit::straighten()
{
    const double top = contentOffset().y();
    if (topLine() > 0 || top == std::round(top))
        return;
    const QScopedValueRollback straightening(m_isStraightening, true);
    QScrollBar& bar = *verticalScrollBar();
    const int value = bar.value(), most = bar.maximum();
    viewport()->setUpdatesEnabled(false);
    bar.setMaximum(std::max(most, 1));
    bar.setValue(value > 0 ? value - 1 : 1);
    bar.setValue(value);
    bar.setMaximum(most);
    viewport()->setUpdatesEnabled(true);
}

void FoldingEdit::tellScrolled()
{
    if (m_isStraightening)
        return;
    straighten();
    const int value = verticalScrollBar()->value();
    if (std::exchange(m_scrolledTo, value) != value)
        Q_EMIT scrolled(value);
}

void FoldingEdit::unfoldAtCursor()
{
    if (!document()->isEmpty() && unfold(textCursor().blockNumber()))
        ensureCursorVisible();
}

void FoldingEdit::layOutAgain()
{
    static_cast<RowLayout*>(document()->documentLayout())->tellSize();
    viewport()->update();
}

void FoldingEdit::setHanging(bool on)
{
    static_cast<RowLayout*>(document()->documentLayout())->setHanging(on);
    layOutAgain();
}

void FoldingEdit::setFolds(const std::vector<Fold>& folds)
{
    bool isChanged = false;
    auto fold = folds.begin();
    for (QTextBlock row = document()->begin(); row.isValid(); row = row.next()) {
        const int at = row.blockNumber();
        while (fold != folds.end() && at >= fold->first + fold->rows)
            ++fold;
        if (fold != folds.end() && at == fold->first)
            noteFor(row).lines = fold->lines;
        isChanged = showRow(row, fold == folds.end() || at <= fold->first) || isChanged;
    }
    if (isChanged)
        layOutAgain();
}

std::vector<Fold> FoldingEdit::folds() const
{
    std::vector<Fold> closed;
    for (QTextBlock row = document()->begin(); row.isValid(); row = row.next()) {
        if (isFold(row))
            closed.push_back({row.blockNumber(), 1, noteOf(row) ? noteOf(row)->lines : 0});
        else if (!row.isVisible() && !closed.empty())
            ++closed.back().rows;
    }
    return closed;
}

bool FoldingEdit::unfold(int row)
{
    QTextBlock first = document()->findBlockByNumber(row);
    while (first.isValid() && !first.isVisible())
        first = first.previous();
    if (!first.isValid() || !isFold(first))
        return false;
    for (QTextBlock each = first.next(); each.isValid() && !each.isVisible(); each = each.next())
        showRow(each, true);
    layOutAgain();
    Q_EMIT unfolded(row);
    return true;
}

void FoldingEdit::setRoomBelow(const std::vector<int>& rows)
{
    bool isChanged = false;
    for (QTextBlock row = document()->begin(); row.isValid(); row = row.next()) {
        const auto at = static_cast<std::size_t>(row.blockNumber());
        const int room = at < rows.size() ? rows[at] : 0;
        if (roomBelow(row.blockNumber()) == room)
            continue;
        noteFor(row).room = room;
        isChanged = true;
    }
    if (isChanged)
        layOutAgain();
}

int FoldingEdit::roomBelow(int row) const
{
    const RowNote* note = noteOf(document()->findBlockByNumber(row));
    return note ? note->room : 0;
}

void FoldingEdit::setTopRow(int row, int line)
{
    const QTextBlock block = document()->findBlockByNumber(row);
    verticalScrollBar()->setValue(block.firstLineNumber() + std::clamp(line, 0, std::max(block.lineCount() - 1, 0)));
}

std::pair<int, int> FoldingEdit::rowsOnScreen() const
{
    const QTextBlock top = firstVisibleBlock();
    int above = 0, seen = 0;
    for (QTextBlock row = document()->begin(); row.isValid() && row != top; row = row.next())
        above += row.isVisible();
    for (QTextBlock row = top; row.isValid(); row = row.next()) {
        if (boxOf(row).top() >= viewport()->height())
            break;
        seen += row.isVisible();
    }
    return {above, seen};
}

int FoldingEdit::rowBelow(int above) const
{
    QTextBlock row = document()->begin();
    while (row.next().isValid() && (!row.isVisible() || above-- > 0))
        row = row.next();
    return row.blockNumber();
}

int FoldingEdit::topLine() const
{
    return std::max(verticalScrollBar()->value() - firstVisibleBlock().firstLineNumber(), 0);
}

std::vector<int> FoldingEdit::heights()
{
    std::vector<int> lines;
    for (QTextBlock row = document()->begin(); row.isValid(); row = row.next()) {
        document()->documentLayout()->blockBoundingRect(row); // lays it out where that was not done yet
        lines.push_back(row.isVisible() ? std::max(row.layout()->lineCount(), 1) : 0);
    }
    return lines;
}

std::vector<QRectF> FoldingEdit::placesOf(const QTextBlock& row, int start, int length) const
{
    std::vector<QRectF> places;
    const QRectF box = blockBoundingGeometry(row).translated(contentOffset());
    for (int i = 0; i < row.layout()->lineCount(); ++i) {
        const QTextLine line = row.layout()->lineAt(i);
        const int from = std::max(start, line.textStart());
        const int to = std::min(start + length, line.textStart() + line.textLength());
        if (from < to) {
            const qreal left = line.cursorToX(from), right = line.cursorToX(to);
            places.emplace_back(box.left() + left, box.top() + line.y(), right - left, line.height());
        }
    }
    return places;
}

void FoldingEdit::mousePressEvent(QMouseEvent* event)
{
    const QTextBlock row = cursorForPosition(event->pos()).block();
    if (event->button() == Qt::LeftButton && isFold(row) && boxOf(row).contains(event->pos())) {
        unfold(row.blockNumber());
        return;
    }
    QPlainTextEdit::mousePressEvent(event);
}

void FoldingEdit::changeEvent(QEvent* event)
{
    QPlainTextEdit::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        layOutAgain();
}

QRectF FoldingEdit::boxOf(const QTextBlock& row) const
{
    QRectF box = blockBoundingGeometry(row).translated(contentOffset());
    if (const int room = roomBelow(row.blockNumber()))
        box.setHeight(box.height() - room * row.layout()->lineAt(0).height());
    return box;
}

void FoldingEdit::paintEvent(QPaintEvent* event)
{
    paintRoom(event->rect());
    QPlainTextEdit::paintEvent(event);
    paintFolds(event->rect());
}

void FoldingEdit::paintRoom(const QRect& area)
{
    QPainter painter(viewport());
    for (QTextBlock row = firstVisibleBlock(); row.isValid(); row = row.next()) {
        const QRectF whole = blockBoundingGeometry(row).translated(contentOffset());
        if (whole.top() > area.bottom())
            break;
        if (!row.isVisible() || !roomBelow(row.blockNumber()))
            continue;
        const QRectF room(0, boxOf(row).bottom(), viewport()->width(), whole.bottom() - boxOf(row).bottom());
        painter.fillRect(room, tokens().window);
        painter.fillRect(room, QBrush(tokens().border, Qt::BDiagPattern));
    }
}

/// Over the row's own text, which is one of those that are folded.
void FoldingEdit::paintFolds(const QRect& area)
{
    QPainter painter(viewport());
    painter.setFont(font());
    for (QTextBlock row = firstVisibleBlock(); row.isValid(); row = row.next()) {
        const QRectF box = boxOf(row);
        if (box.top() > area.bottom())
            break;
        if (!isFold(row))
            continue;
        const int lines = noteOf(row) ? noteOf(row)->lines : 0;
        const QString words = lines == 1 ? tr("1 unchanged line") : tr("%1 unchanged lines").arg(lines);
        const QRectF whole(0, box.top(), viewport()->width(), box.height());
        painter.fillRect(whole, tokens().raised);
        painter.setPen(tokens().secondary);
        const double from = document()->documentMargin(); // stays in sight when the text is scrolled sideways
        painter.drawText(whole.adjusted(from, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, words);
        const double hatched = from + fontMetrics().horizontalAdvance(words) + px(12); // lines that are not there
        painter.fillRect(whole.adjusted(hatched, px(4), 0, -px(4)), QBrush(tokens().strongBorder, Qt::BDiagPattern));
    }
}

} // namespace tilewright::ui
