// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/prompts/template_editor.h"

#include "core/prompt/template_files.h"
#include "ui/models/display_text.h"
#include "ui/theme/focus_style.h"
#include "ui/theme/theme.h"

#include <QAbstractItemView>
#include <QCompleter>
#include <QRegularExpression>
#include <QScrollBar>
#include <QStringListModel>
#include <QTextBlock>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

QStringList placeholderNames()
{
    QStringList names;
    for (const Placeholder& placeholder : placeholders())
        names << text(placeholder.name);
    return names;
}

} // namespace

TemplateHighlighter::TemplateHighlighter(QTextDocument* document)
    : QSyntaxHighlighter(document)
{
    for (const QString& name : placeholderNames())
        m_known.insert(name);
    connect(&Theme::instance(), &Theme::changed, this, &QSyntaxHighlighter::rehighlight);
}

void TemplateHighlighter::setEmpty(const QSet<QString>& names)
{
    if (names == m_empty)
        return;
    m_empty = names;
    rehighlight();
}

void TemplateHighlighter::highlightBlock(const QString& line)
{
    static const QRegularExpression tag(u"\\{\\{([#/>!]?)\\s*(.*?)\\s*\\}\\}"_s);
    const Tokens& t = tokens();
    if (line.startsWith(u'#')) {
        QTextCharFormat heading;
        heading.setFontWeight(QFont::DemiBold);
        setFormat(0, static_cast<int>(line.size()), heading);
    }
    for (auto found = tag.globalMatch(line); found.hasNext();) {
        const QRegularExpressionMatch match = found.next();
        const QString kind = match.captured(1);
        QTextCharFormat format;
        if (kind == u"!"_s) {
            format.setForeground(t.codeComment);
        } else if (kind == u">"_s) {
            format.setForeground(t.codePreprocessor);
        } else {
            format.setForeground(t.accent);
            format.setBackground(t.selected);
            if (m_empty.contains(match.captured(2))) {
                format.setForeground(t.warning);
                format.setBackground(t.warningPill);
            }
            if (!m_known.contains(match.captured(2))) {
                format.setForeground(t.bad);
                format.setUnderlineStyle(QTextCharFormat::WaveUnderline);
                format.setUnderlineColor(t.bad);
            }
        }
        setFormat(static_cast<int>(match.capturedStart()), static_cast<int>(match.capturedLength()), format);
    }
}

TemplateEditor::TemplateEditor(QWidget* parent)
    : NumberedEditor(parent)
    , m_colours(new TemplateHighlighter(document()))
    , m_completer(new QCompleter(placeholderNames(), this))
{
    setLineWrapMode(QPlainTextEdit::WidgetWidth);
    setTabChangesFocus(true);
    setAccessibleName(tr("Text of the template"));
    m_completer->setWidget(this);
    m_completer->popup()->setItemDelegate(new ListRows(m_completer->popup()));
    m_completer->setCaseSensitivity(Qt::CaseInsensitive);
    connect(m_completer, qOverload<const QString&>(&QCompleter::activated), this, &TemplateEditor::complete);
}

void TemplateEditor::markEmpty(const QSet<QString>& names)
{
    const QSignalBlocker quiet(this); // another colour is no other text
    m_colours->setEmpty(names);
}

void TemplateEditor::insertPlaceholder(const QString& name)
{
    textCursor().insertText(u"{{%1}}"_s.arg(name));
    setFocus();
}

QString TemplateEditor::begunName() const
{
    const QTextCursor cursor = textCursor();
    const QString before = cursor.block().text().left(cursor.positionInBlock());
    const qsizetype open = before.lastIndexOf(u"{{"_s);
    if (open < 0 || before.indexOf(u"}}"_s, open) >= 0)
        return {};
    QString name = before.mid(open + 2);
    if (name.startsWith(u'#') || name.startsWith(u'/'))
        name.remove(0, 1);
    static const QRegularExpression word(u"^\\w*$"_s);
    return word.match(name).hasMatch() ? (name.isEmpty() ? u""_s : name) : QString();
}

void TemplateEditor::complete(const QString& name)
{
    QTextCursor cursor = textCursor();
    cursor.movePosition(
        QTextCursor::Left, QTextCursor::KeepAnchor, static_cast<int>(m_completer->completionPrefix().size()));
    const QString after = cursor.block().text().mid(textCursor().positionInBlock());
    cursor.insertText(after.startsWith(u"}}"_s) ? name : name + u"}}"_s);
    setTextCursor(cursor);
}

void TemplateEditor::offer()
{
    const QString begun = begunName();
    if (begun.isNull()) {
        m_completer->popup()->hide();
        return;
    }
    m_completer->setCompletionPrefix(begun);
    if (m_completer->completionCount() == 0
        || (m_completer->completionCount() == 1 && m_completer->currentCompletion() == begun)) {
        m_completer->popup()->hide();
        return;
    }
    QRect place = cursorRect();
    place.translate(viewportMargins().left(), 0);
    place.setWidth(m_completer->popup()->sizeHintForColumn(0)
        + m_completer->popup()->verticalScrollBar()->sizeHint().width() + px(16));
    m_completer->complete(place);
    m_completer->popup()->setCurrentIndex(m_completer->completionModel()->index(0, 0));
}

void TemplateEditor::keyPressEvent(QKeyEvent* event)
{
    if (m_completer->popup()->isVisible())
        switch (event->key()) {
        case Qt::Key_Enter:
        case Qt::Key_Return:
        case Qt::Key_Escape:
        case Qt::Key_Tab:
            event->ignore(); // the list takes it
            return;
        default:
            break;
        }
    NumberedEditor::keyPressEvent(event);
    if (!event->text().isEmpty() || event->key() == Qt::Key_Backspace)
        offer();
}

} // namespace tilewright::ui
