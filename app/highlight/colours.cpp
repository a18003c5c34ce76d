// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/highlight/colours.h"

#include "core/highlight/conversation_lines.h"

#include <KSyntaxHighlighting/AbstractHighlighter>
#include <KSyntaxHighlighting/Definition>
#include <KSyntaxHighlighting/Format>
#include <KSyntaxHighlighting/Repository>
#include <KSyntaxHighlighting/State>
#include <KSyntaxHighlighting/Theme>
#include <QString>
#include <QStringList>
#include <algorithm>

namespace tilewright {
namespace {

using KSyntaxHighlighting::Theme;

CodeStyle styleOf(Theme::TextStyle style)
{
    switch (style) {
    case Theme::Keyword:
    case Theme::ControlFlow:
    case Theme::Attribute: // in C++: const, static and their like
        return CodeStyle::Keyword;
    case Theme::DataType:
    case Theme::BuiltIn:
    case Theme::Extension:
        return CodeStyle::Type;
    case Theme::DecVal:
    case Theme::BaseN:
    case Theme::Float:
    case Theme::Constant:
        return CodeStyle::Number;
    case Theme::Char:
    case Theme::SpecialChar:
    case Theme::String:
    case Theme::VerbatimString:
    case Theme::SpecialString:
        return CodeStyle::String;
    case Theme::Comment:
    case Theme::Documentation:
    case Theme::CommentVar:
    case Theme::RegionMarker:
    case Theme::Annotation: // words with a meaning in comments: licences, parameters, things to do
    case Theme::Information:
    case Theme::Warning:
    case Theme::Alert:
        return CodeStyle::Comment;
    case Theme::Preprocessor:
    case Theme::Import:
    case Theme::Others:
        return CodeStyle::Preprocessor;
    case Theme::Function:
        return CodeStyle::Function;
    default:
        return CodeStyle::Plain; // an error, too: what stands in a diff need not be a whole program
    }
}

/// Some formats say more than their style does.
CodeStyle styleOf(const KSyntaxHighlighting::Format& format)
{
    if (format.name() == QLatin1String("Tilewright annotation")) // of resources/syntax/kernel.xml
        return CodeStyle::Annotation;
    if (format.name().startsWith(QLatin1String("Header"))) // of Markdown
        return CodeStyle::Heading;
    return styleOf(format.textStyle());
}

/// Headings and code alone: what Markdown takes for a link is an interval here, "[0.98, 1.02]".
CodeStyle styleOfProse(const KSyntaxHighlighting::Format& format)
{
    if (format.name().contains(QLatin1String("Code"), Qt::CaseInsensitive))
        return CodeStyle::Number;
    return styleOf(format) == CodeStyle::Heading ? CodeStyle::Heading : CodeStyle::Plain;
}

class Reader : public KSyntaxHighlighting::AbstractHighlighter
{
public:
    /// What is read next begins anew, in that language.
    void begin(const KSyntaxHighlighting::Definition& definition)
    {
        setDefinition(definition);
        m_state = {};
        m_isProse = definition.name() == QLatin1String("Markdown");
    }
    /// `from`: where the code begins in the line.
    void read(const QString& line, int from = 0)
    {
        m_first = m_spans.size();
        m_from = from;
        m_state = highlightLine(line.mid(from, longestColouredLine - from), m_state);
        ++m_line;
    }
    void pass(const QString& line, CodeStyle style)
    {
        const int length = std::min<int>(static_cast<int>(line.size()), longestColouredLine);
        if (style != CodeStyle::Plain && length > 0)
            m_spans.push_back({m_line, 0, length, style});
        ++m_line;
    }
    std::vector<CodeSpan> taken() { return std::move(m_spans); }

protected:
    void applyFormat(int offset, int length, const KSyntaxHighlighting::Format& format) override
    {
        const CodeStyle style = m_isProse ? styleOfProse(format) : styleOf(format);
        const int start = m_from + offset;
        const bool follows = m_spans.size() > m_first
            && m_spans.back().start + m_spans.back().length > start; // never seen; an answer may not overlap
        if (style == CodeStyle::Plain || length < 1 || offset < 0 || follows)
            return;
        if (m_spans.size() > m_first && m_spans.back().style == style
            && m_spans.back().start + m_spans.back().length == start)
            m_spans.back().length += length;
        else
            m_spans.push_back({m_line, start, length, style});
    }

private:
    KSyntaxHighlighting::State m_state;
    std::vector<CodeSpan> m_spans;
    std::size_t m_first = 0; ///< span of the line that is read
    std::int32_t m_line = 0;
    bool m_isProse = false;
    int m_from = 0; ///< of the line: where what is read begins
};

QStringList linesOf(const std::string& text) { return QString::fromStdString(text).split(QLatin1Char('\n')); }

} // namespace

struct Colours::Library {
    KSyntaxHighlighting::Repository repository;

    KSyntaxHighlighting::Definition definition(const std::string& language) const
    {
        const auto named = [this](const char* name) { return repository.definitionForName(QLatin1String(name)); };
        if (language == "ptx")
            return named("Tilewright PTX");
        if (language == "sass")
            return named("Tilewright SASS");
        if (language != "kernel")
            return repository.definitionForName(QString::fromStdString(language));
        const KSyntaxHighlighting::Definition ours = named("Tilewright kernel");
        return ours.isValid() ? ours : named("ISO C++");
    }
};

Colours::Colours(const std::string& syntaxFolder)
    : m_library(std::make_unique<Library>())
{
    m_library->repository.addCustomSearchPath(QString::fromStdString(syntaxFolder));
}

Colours::~Colours() = default;

ColourAnswer Colours::of(const ColourRequest& request)
{
    if (request.language == "conversation")
        return {request.id, ofConversation(request.text)};
    const KSyntaxHighlighting::Definition definition = m_library->definition(request.language);
    if (!definition.isValid())
        return {request.id, {}};
    Reader reader;
    reader.begin(definition);
    for (const QString& line : linesOf(request.text))
        reader.read(line);
    return {request.id, reader.taken()};
}

std::vector<CodeSpan> Colours::ofConversation(const std::string& text)
{
    const QStringList lines = linesOf(text);
    const std::vector<ConversationLine> kinds = readConversation(text);
    Reader reader;
    const ConversationLine* last = nullptr;
    bool isKnown = false;
    for (std::size_t i = 0; i < kinds.size() && static_cast<qsizetype>(i) < lines.size(); ++i) {
        const ConversationLine& kind = kinds[i];
        const QString& line = lines[static_cast<qsizetype>(i)];
        if (!last || last->kind != kind.kind || last->language != kind.language) {
            const KSyntaxHighlighting::Definition definition
                = m_library->definition(kind.kind == ConversationLine::Kind::Prose ? "Markdown" : kind.language);
            isKnown = definition.isValid() && kind.kind != ConversationLine::Kind::Sign;
            if (isKnown)
                reader.begin(definition);
        }
        last = &kind;
        if (isKnown)
            reader.read(line, kind.indent);
        else
            reader.pass(line, kind.kind == ConversationLine::Kind::Sign ? CodeStyle::Comment : CodeStyle::Plain);
    }
    return reader.taken();
}

} // namespace tilewright
