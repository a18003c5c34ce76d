// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/code/code_reader.h"

#include "core/base/block_markers.h"
#include "core/highlight/conversation_lines.h"

#include <QSet>
#include <algorithm>

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

bool isTilewrights(const QString& comment)
{
    const QString words = comment.mid(2).trimmed();
    return markerOfLine(comment.toStdString()) || words.startsWith(u"tune:"_s) || words.startsWith(u"require:"_s);
}

} // namespace

bool readCodeLine(const QString& text, int line, bool insideComment, std::vector<CodeSpan>& spans)
{
    const int length = std::min(static_cast<int>(text.size()), longestColouredLine);
    const auto add = [&](int from, int to, CodeStyle style) {
        spans.push_back({line, from, to - from, style});
        return to;
    };
    int at = 0;
    bool open = false;
    const auto block = [&](int from) {
        const auto end = static_cast<int>(text.indexOf(u"*/"_s, insideComment && from == 0 ? 0 : from + 2));
        open = end < 0 || end + 2 > length;
        return open ? length : end + 2;
    };
    if (insideComment && length == 0)
        return true;
    if (insideComment)
        at = add(0, block(0), CodeStyle::Comment);
    const bool preprocessor = at == 0 && text.trimmed().startsWith(u'#');
    while (at < length) {
        const QChar c = text[at];
        if (c == u'/' && at + 1 < length && text[at + 1] == u'/') {
            at = add(at, length, isTilewrights(text.mid(at)) ? CodeStyle::Annotation : CodeStyle::Comment);
        } else if (c == u'/' && at + 1 < length && text[at + 1] == u'*') {
            insideComment = false;
            at = add(at, block(at), CodeStyle::Comment);
        } else if (c == u'"' || c == u'\'') {
            int end = at + 1;
            while (end < length && text[end] != c)
                end += text[end] == u'\\' ? 2 : 1;
            at = add(at, std::min(end + 1, length), CodeStyle::String);
        } else if (c.isDigit()) {
            int end = at + 1;
            while (end < length && (text[end].isLetterOrNumber() || text[end] == u'.' || text[end] == u'\''))
                ++end;
            at = add(at, end, CodeStyle::Number);
        } else if (c.isLetter() || c == u'_' || c == u'#') {
            int end = at + 1;
            while (end < length && (text[end].isLetterOrNumber() || text[end] == u'_'))
                ++end;
            const QString word = text.mid(at, end - at);
            int next = end;
            while (next < length && text[next] == u' ')
                ++next;
            if (preprocessor)
                add(at, end, CodeStyle::Preprocessor);
            else if (keywords().contains(word))
                add(at, end, CodeStyle::Keyword);
            else if (types().contains(word) || word.endsWith(u"_t"_s))
                add(at, end, CodeStyle::Type);
            else if (next < length && text[next] == u'(')
                add(at, end, CodeStyle::Function);
            at = end;
        } else {
            ++at;
        }
    }
    return open;
}

std::vector<CodeSpan> readCode(const QString& text)
{
    std::vector<CodeSpan> spans;
    bool insideComment = false;
    int line = 0;
    for (const QString& each : text.split(u'\n'))
        insideComment = readCodeLine(each, line++, insideComment, spans);
    return spans;
}

std::vector<CodeSpan> readConversationText(const QString& text)
{
    const QStringList lines = text.split(u'\n');
    const std::vector<ConversationLine> kinds = readConversation(text.toStdString());
    std::vector<CodeSpan> spans;
    bool open = false;
    for (std::size_t i = 0; i < kinds.size() && static_cast<qsizetype>(i) < lines.size(); ++i) {
        const ConversationLine& kind = kinds[i];
        const QString& line = lines[static_cast<qsizetype>(i)];
        const auto number = static_cast<int>(i);
        if (kind.language == "kernel") {
            const std::size_t first = spans.size();
            open = readCodeLine(line.mid(kind.indent), number, open, spans);
            for (std::size_t at = first; at < spans.size(); ++at)
                spans[at].start += kind.indent;
            continue;
        }
        open = false;
        const int length = std::min(static_cast<int>(line.size()), longestColouredLine);
        const bool isHeading = kind.kind == ConversationLine::Kind::Prose && line.startsWith(u'#');
        if (length > 0 && (isHeading || kind.kind == ConversationLine::Kind::Sign))
            spans.push_back({number, 0, length, isHeading ? CodeStyle::Heading : CodeStyle::Comment});
    }
    return spans;
}

} // namespace tilewright::ui
