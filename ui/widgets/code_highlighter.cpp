// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/code_highlighter.h"

#include "ui/theme/theme.h"

#include <QSet>

namespace tilewright::ui {
namespace {

using namespace Qt::StringLiterals;

const QSet<QString>& keywords()
{
    static const QSet<QString> words{u"alignas"_s, u"alignof"_s, u"asm"_s, u"auto"_s, u"break"_s, u"case"_s, u"class"_s,
        u"const"_s, u"constexpr"_s, u"continue"_s, u"default"_s, u"do"_s, u"else"_s, u"enum"_s, u"extern"_s, u"for"_s,
        u"goto"_s, u"if"_s, u"inline"_s, u"namespace"_s, u"new"_s, u"nullptr"_s, u"operator"_s, u"private"_s,
        u"public"_s, u"return"_s, u"sizeof"_s, u"static"_s, u"static_assert"_s, u"static_cast"_s, u"reinterpret_cast"_s,
        u"struct"_s, u"switch"_s, u"template"_s, u"typedef"_s, u"typename"_s, u"union"_s, u"using"_s, u"volatile"_s,
        u"while"_s, u"__restrict"_s, u"__restrict__"_s, u"__attribute__"_s, u"__global__"_s, u"__device__"_s,
        u"__shared__"_s, u"true"_s, u"false"_s};
    return words;
}

const QSet<QString>& types()
{
    static const QSet<QString> words{u"bool"_s, u"char"_s, u"double"_s, u"float"_s, u"int"_s, u"long"_s, u"short"_s,
        u"signed"_s, u"unsigned"_s, u"void"_s, u"size_t"_s, u"u8"_s, u"u32"_s, u"u64"_s, u"Args"_s, u"Dims"_s,
        u"Plan"_s, u"Device"_s, u"Launch"_s};
    return words;
}

constexpr int insideComment = 1;

} // namespace

CodeHighlighter::CodeHighlighter(QTextDocument* document)
    : QSyntaxHighlighter(document)
{
    connect(&Theme::instance(), &Theme::changed, this, [this] { rehighlight(); });
}

void CodeHighlighter::setEnabled(bool enabled) { m_enabled = enabled; }

int CodeHighlighter::comment(const QString& line, int from, bool block)
{
    const int length = static_cast<int>(line.size());
    const int end = block ? static_cast<int>(line.indexOf(u"*/"_s, from)) : -1;
    if (block && end < 0)
        setCurrentBlockState(insideComment);
    const int to = end < 0 ? length : end + 2;
    setFormat(from, to - from, tokens().codeComment);
    return to;
}

void CodeHighlighter::highlightBlock(const QString& line)
{
    if (!m_enabled)
        return;
    if (m_isPlain && m_isPlain(currentBlock().blockNumber())) {
        setCurrentBlockState(previousBlockState());
        return;
    }
    const Tokens& t = tokens();
    const int length = static_cast<int>(line.size());
    setCurrentBlockState(0);
    int at = previousBlockState() == insideComment ? comment(line, 0, true) : 0;
    const bool preprocessor = at == 0 && line.trimmed().startsWith(u'#');
    while (at < length) {
        const QChar c = line[at];
        if (c == u'/' && at + 1 < length && (line[at + 1] == u'/' || line[at + 1] == u'*')) {
            at = comment(line, at, line[at + 1] == u'*');
        } else if (c == u'"' || c == u'\'') {
            int end = at + 1;
            while (end < length && line[end] != c)
                end += line[end] == u'\\' ? 2 : 1;
            end = std::min(end + 1, length);
            setFormat(at, end - at, t.codeNumber);
            at = end;
        } else if (c.isDigit()) {
            int end = at + 1;
            while (end < length && (line[end].isLetterOrNumber() || line[end] == u'.' || line[end] == u'\''))
                ++end;
            setFormat(at, end - at, t.codeNumber);
            at = end;
        } else if (c.isLetter() || c == u'_' || c == u'#') {
            int end = at + 1;
            while (end < length && (line[end].isLetterOrNumber() || line[end] == u'_'))
                ++end;
            const QString word = line.mid(at, end - at);
            int next = end;
            while (next < length && line[next] == u' ')
                ++next;
            if (preprocessor)
                setFormat(at, end - at, t.codePreprocessor);
            else if (keywords().contains(word))
                setFormat(at, end - at, t.codeKeyword);
            else if (types().contains(word) || word.endsWith(u"_t"_s))
                setFormat(at, end - at, t.codeType);
            else if (next < length && line[next] == u'(')
                setFormat(at, end - at, t.codeFunction);
            at = end;
        } else {
            ++at;
        }
    }
}

} // namespace tilewright::ui
