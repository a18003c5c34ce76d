// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/code/editor_colours.h"

#include "ui/code/code_colours.h"
#include "ui/code/code_reader.h"
#include "ui/theme/theme.h"

#include <QTextDocument>

namespace tilewright::ui {
namespace {

constexpr int restMs = 200;
constexpr int insideComment = 1;

} // namespace

EditorColours::EditorColours(QTextDocument* document)
    : QSyntaxHighlighter(document)
{
    m_rest.setSingleShot(true);
    m_rest.setInterval(restMs);
    connect(document, &QTextDocument::contentsChange, this, [this](int, int removed, int added) {
        if (removed || added)
            m_rest.start();
    });
    connect(&m_rest, &QTimer::timeout, this, [this] {
        m_asked = this->document()->toPlainText();
        m_colours.ask(m_asked);
    });
    connect(&m_colours, &TextColours::changed, this, [this] {
        m_lines = m_asked.split(QLatin1Char('\n'));
        rehighlight();
    });
    connect(&Theme::instance(), &Theme::changed, this, [this] { rehighlight(); });
}

void EditorColours::highlightBlock(const QString& line)
{
    const int number = currentBlock().blockNumber();
    std::vector<CodeSpan> ours;
    setCurrentBlockState(readCodeLine(line, number, previousBlockState() == insideComment, ours) ? insideComment : 0);
    const bool known = m_colours.spans() && m_lines.value(number) == line && !line.isEmpty();
    for (const CodeSpan& span : known ? m_colours.spans()->ofLine(number) : std::span<const CodeSpan>(ours))
        setFormat(span.start, span.length, codeColour(tokens(), span.style));
}

} // namespace tilewright::ui
