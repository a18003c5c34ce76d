// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/code_view.h"

#include "core/highlight/conversation_lines.h"
#include "ui/code/code_colours.h"
#include "ui/theme/theme.h"

#include <QPainter>
#include <QScrollBar>
#include <QTextBlock>
#include <algorithm>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

/// The column of numbers and signs beside the text.
class CodeGutter : public QWidget
{
public:
    explicit CodeGutter(CodeView* view)
        : QWidget(view)
        , m_view(view)
    {
    }

protected:
    void paintEvent(QPaintEvent* event) override { m_view->paintGutter(event); }

private:
    CodeView* m_view;
};

namespace {
constexpr int longestLine = 4000; // one giant line freezes QPlainTextEdit
constexpr int mostLines = 20000;

std::vector<CodeLine> numbered(const QString& text)
{
    std::vector<CodeLine> lines;
    int number = 0;
    QString whole = text;
    if (whole.endsWith(u'\n'))
        whole.chop(1);
    for (const QString& line : whole.split(u'\n'))
        lines.push_back({line, ++number, CodeLine::Mark::Plain, {}, false});
    return lines;
}

} // namespace

std::vector<CodeLine> conversationLines(const QString& text)
{
    std::vector<CodeLine> lines = numbered(text);
    const std::vector<ConversationLine> kinds = readConversation(text.toStdString());
    for (std::size_t i = 0; i < lines.size() && i < kinds.size(); ++i)
        if (kinds[i].edit != ConversationLine::Edit::None)
            lines[i].mark
                = kinds[i].edit == ConversationLine::Edit::Removed ? CodeLine::Mark::Removed : CodeLine::Mark::Added;
    return lines;
}

CodeView::CodeView(Kind kind, QWidget* parent)
    : FoldingEdit(parent)
    , m_kind(kind)
    , m_language(kind == Kind::Conversation ? u"conversation"_s : u"kernel"_s)
    , m_notes(new NoteColumn(this))
    , m_gutter(new CodeGutter(this))
{
    setReadOnly(true);
    setUndoRedoEnabled(false);
    setLineWrapMode(kind == Kind::Conversation ? WidgetWidth : NoWrap); // prose is read, code is laid beside code
    setFrameShape(NoFrame);
    setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    setTabChangesFocus(true);
    const auto restyle = [this] {
        setFont(fontOf(Type::Code));
        setTabStopDistance(QFontMetricsF(font()).horizontalAdvance(u' ') * tabColumns);
        place();
        forgetColours();
    };
    restyle();
    for (TextColours* colours : {&m_coloursBefore, &m_coloursAfter})
        connect(colours, &TextColours::changed, this, &CodeView::forgetColours);
    connect(this, &FoldingEdit::scrolled, this, &CodeView::colourVisible);
    // Rows that a fold brought into sight.
    connect(document()->documentLayout(), &QAbstractTextDocumentLayout::documentSizeChanged, this,
        &CodeView::colourVisible);
    connect(&Theme::instance(), &Theme::changed, this, restyle);
    connect(this, &QPlainTextEdit::updateRequest, this, [this](const QRect&, int) {
        m_gutter->update();
        m_notes->update();
    });
}

void CodeView::setNotes(std::vector<LineNote> notes)
{
    m_notes->setNotes(std::move(notes));
    place();
}

void CodeView::setLines(std::vector<CodeLine> lines)
{
    if (lines == m_lines)
        return;
    if (lines.size() > mostLines)
        lines.resize(mostLines);
    m_lines = std::move(lines);
    m_notes->setNotes({}); // they were of another text
    QString all;
    int largest = 1;
    for (const CodeLine& line : m_lines) {
        all += line.text.size() > longestLine ? line.text.left(longestLine) + u"…"_s : line.text;
        all += u'\n';
        largest = std::max(largest, line.number);
    }
    all.chop(1);
    m_digits = std::max<int>(2, static_cast<int>(QString::number(largest).size()));
    setPlaceholderText({});
    m_isColoured.clear(); // none while the text is taken in
    setPlainText(all);
    m_isColoured.assign(m_lines.size(), false);
    place();
    colourVisible();
}

void CodeView::setTexts(const QString& before, const QString& after)
{
    m_textBefore = before;
    m_textAfter = after;
    askForColours();
}

void CodeView::askForColours()
{
    if (!isVisible())
        return; // they are asked for when somebody looks
    m_coloursBefore.ask(m_textBefore, m_language);
    m_coloursAfter.ask(m_textAfter, m_language);
}

void CodeView::forgetColours()
{
    m_isColoured.assign(m_lines.size(), false);
    colourVisible();
}

void CodeView::colourVisible()
{
    if (!isVisible() || (!m_coloursBefore.spans() && !m_coloursAfter.spans()))
        return;
    for (QTextBlock block = firstVisibleBlock(); block.isValid(); block = block.next()) {
        if (blockBoundingGeometry(block).translated(contentOffset()).top() > viewport()->height())
            break;
        const auto at = static_cast<std::size_t>(block.blockNumber());
        if (!block.isVisible() || at >= m_isColoured.size() || m_isColoured[at])
            continue;
        m_isColoured[at] = true;
        block.layout()->setFormats(coloursOf(m_lines[at]));
        document()->markContentsDirty(block.position(), block.length());
    }
}

QList<QTextLayout::FormatRange> CodeView::coloursOf(const CodeLine& line) const
{
    QList<QTextLayout::FormatRange> ranges;
    const bool isRemoved = line.mark == CodeLine::Mark::Removed;
    const bool isBefore = isRemoved && m_kind == Kind::Diff; // a reply is one text
    const CodeSpansPtr& spans = isBefore ? m_coloursBefore.spans() : m_coloursAfter.spans();
    if (!spans || line.number < 1)
        return ranges;
    const Tokens& t = tokens();
    const QColor whole = ground(line), word = isRemoved ? t.removedWord : t.addedWord;
    const auto add = [&](int from, int to, CodeStyle style, const QColor& on) {
        if (from >= to)
            return;
        QTextLayout::FormatRange range;
        range.start = from;
        range.length = to - from;
        applyCodeStyle(range.format, t, style, on);
        ranges.append(range);
    };
    for (const CodeSpan& span : spans->ofLine(line.number - 1)) {
        int at = std::max(span.start - line.from, 0);
        const int end = std::min<int>(span.start + span.length - line.from, static_cast<int>(line.text.size()));
        for (const auto& [start, length] : line.words) { // in order
            if (start + length <= at || start >= end)
                continue;
            add(at, start, span.style, whole);
            at = std::max(at, start);
            const int to = std::min(start + length, end);
            add(at, to, span.style, word);
            at = to;
        }
        add(at, end, span.style, whole);
    }
    return ranges;
}

void CodeView::showEvent(QShowEvent* event)
{
    FoldingEdit::showEvent(event);
    askForColours();
    colourVisible();
}

void CodeView::setNumbered(const QString& text)
{
    std::vector<CodeLine> lines = m_kind == Kind::Conversation ? conversationLines(text) : numbered(text);
    if (m_kind != Kind::Log)
        setTexts({}, text);
    setLines(std::move(lines));
}

void CodeView::goToLine(int number)
{
    const auto found = std::ranges::find(m_lines, number, &CodeLine::number);
    if (number <= 0 || found == m_lines.end())
        return;
    for (CodeLine& line : m_lines)
        line.isChosen = false;
    found->isChosen = true;
    setTextCursor(QTextCursor(document()->findBlockByNumber(static_cast<int>(found - m_lines.begin()))));
    centerCursor();
    viewport()->update();
    m_gutter->update();
}

void CodeView::setNote(const QString& note)
{
    m_lines.clear();
    m_notes->setNotes({});
    m_isColoured.clear();
    setTexts({}, {});
    setPlainText({});
    setPlaceholderText(note);
    place();
}

QColor CodeView::ground(const CodeLine& line) const
{
    const Tokens& t = tokens();
    switch (line.mark) {
    case CodeLine::Mark::Added:
        return t.addedLine;
    case CodeLine::Mark::Removed:
        return t.removedLine;
    case CodeLine::Mark::Filler:
        return t.window;
    case CodeLine::Mark::Plain:
        break;
    }
    return line.isChosen ? t.selected : t.panel;
}

int CodeView::columns() const
{
    const qreal room = viewport()->width() - 2 * document()->documentMargin();
    return std::max(1, static_cast<int>(room / QFontMetricsF(font()).horizontalAdvance(u'0')));
}

int CodeView::gutterWidth() const
{
    if (m_lines.empty())
        return 0;
    const int digit = fontMetrics().horizontalAdvance(u'0');
    return digit * m_digits + px(m_kind == Kind::Diff ? 30 : 18);
}

void CodeView::place()
{
    const QRect area = contentsRect();
    const int notes = m_notes->widthIn(area.width());
    setViewportMargins(notes + gutterWidth(), 0, 0, 0);
    m_notes->setGeometry(area.left(), area.top(), notes, area.height());
    m_gutter->setGeometry(area.left() + notes, area.top(), gutterWidth(), area.height());
}

void CodeView::resizeEvent(QResizeEvent* event)
{
    FoldingEdit::resizeEvent(event);
    place();
    colourVisible();
}

void CodeView::paintEvent(QPaintEvent* event)
{
    {
        QPainter painter(viewport());
        for (QTextBlock block = firstVisibleBlock(); block.isValid(); block = block.next()) {
            const QRectF box = blockBoundingGeometry(block).translated(contentOffset());
            if (box.top() > event->rect().bottom())
                break;
            const auto at = static_cast<std::size_t>(block.blockNumber());
            const bool isMarked
                = at < m_lines.size() && (m_lines[at].mark != CodeLine::Mark::Plain || m_lines[at].isChosen);
            if (!block.isVisible() || !isMarked)
                continue;
            const CodeLine& line = m_lines[at];
            const QRectF whole(0, box.top(), viewport()->width(), box.height());
            painter.fillRect(whole, ground(line));
            if (line.mark == CodeLine::Mark::Filler)
                painter.fillRect(whole, QBrush(tokens().border, Qt::BDiagPattern));
            const QColor word = line.mark == CodeLine::Mark::Added ? tokens().addedWord : tokens().removedWord;
            for (const auto& [start, length] : line.words)
                for (const QRectF& place : placesOf(block, start, length))
                    painter.fillRect(place, word);
        }
    }
    FoldingEdit::paintEvent(event);
}

void CodeView::paintGutter(QPaintEvent* event)
{
    const Tokens& t = tokens();
    QPainter painter(m_gutter);
    painter.fillRect(event->rect(), t.panel);
    painter.setFont(font());
    const int width = m_gutter->width();
    const int sign = m_kind == Kind::Diff ? px(18) : px(8); // right of the number
    for (QTextBlock block = firstVisibleBlock(); block.isValid(); block = block.next()) {
        const QRectF box = blockBoundingGeometry(block).translated(contentOffset());
        if (box.top() > event->rect().bottom())
            break;
        const auto at = static_cast<std::size_t>(block.blockNumber());
        if (at >= m_lines.size())
            break;
        if (!block.isVisible())
            continue;
        const CodeLine& line = m_lines[at];
        const QRectF row(0, box.top(), width, box.height());
        const bool isLaidOut = block.layout()->lineCount() > 0;
        const QRectF words(0, box.top(), width, isLaidOut ? block.layout()->lineAt(0).height() : box.height());
        painter.setPen(t.secondary);
        if (isFold(block)) {
            painter.fillRect(row, t.raised);
            painter.drawText(row.adjusted(width - sign, 0, -px(2), 0), Qt::AlignCenter, u"⋯"_s);
            continue;
        }
        painter.fillRect(row, ground(line));
        if (line.number && line.from > 0)
            painter.drawText(words.adjusted(0, 0, -sign, 0), Qt::AlignRight | Qt::AlignVCenter, u"↪"_s);
        else if (line.number)
            painter.drawText(
                words.adjusted(0, 0, -sign, 0), Qt::AlignRight | Qt::AlignVCenter, QString::number(line.number));
        if (line.isChosen) // a bar beside the colour
            painter.fillRect(QRectF(width - px(4), box.top(), px(2), box.height()), t.accent);
        const QString mark = line.mark == CodeLine::Mark::Added ? u"+"_s
            : line.mark == CodeLine::Mark::Removed              ? u"−"_s
                                                                : QString();
        if (m_kind == Kind::Diff && !mark.isEmpty() && line.from == 0) {
            painter.setPen(line.mark == CodeLine::Mark::Added ? t.good : t.bad);
            painter.drawText(words.adjusted(width - sign, 0, -px(2), 0), Qt::AlignCenter, mark);
        }
    }
}

} // namespace tilewright::ui
