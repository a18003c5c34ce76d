// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/highlight/colours.h"

#include <KSyntaxHighlighting/AbstractHighlighter>
#include <KSyntaxHighlighting/Definition>
#include <KSyntaxHighlighting/Format>
#include <KSyntaxHighlighting/Repository>
#include <KSyntaxHighlighting/State>
#include <KSyntaxHighlighting/Theme>
#include <QString>
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

class Reader : public KSyntaxHighlighting::AbstractHighlighter
{
public:
    std::vector<CodeSpan> read(const KSyntaxHighlighting::Definition& definition, const QString& text)
    {
        setDefinition(definition);
        KSyntaxHighlighting::State state;
        const int end = static_cast<int>(text.size());
        for (int from = 0; from <= end; ++m_line) {
            const int found = static_cast<int>(text.indexOf(QLatin1Char('\n'), from));
            const int to = found < 0 ? end : found;
            m_first = m_spans.size();
            state = highlightLine(text.mid(from, std::min<int>(to - from, longestColouredLine)), state);
            from = to + 1;
        }
        return std::move(m_spans);
    }

protected:
    void applyFormat(int offset, int length, const KSyntaxHighlighting::Format& format) override
    {
        const bool isOurs = format.name() == QLatin1String("Tilewright annotation"); // of resources/syntax/kernel.xml
        const CodeStyle style = isOurs ? CodeStyle::Annotation : styleOf(format.textStyle());
        const bool follows = m_spans.size() > m_first
            && m_spans.back().start + m_spans.back().length > offset; // never seen; an answer may not overlap
        if (style == CodeStyle::Plain || length < 1 || offset < 0 || follows)
            return;
        if (m_spans.size() > m_first && m_spans.back().style == style
            && m_spans.back().start + m_spans.back().length == offset)
            m_spans.back().length += length;
        else
            m_spans.push_back({m_line, offset, length, style});
    }

private:
    std::vector<CodeSpan> m_spans;
    std::size_t m_first = 0; ///< span of the line that is read
    std::int32_t m_line = 0;
};

} // namespace

struct Colours::Library {
    KSyntaxHighlighting::Repository repository;
};

Colours::Colours(const std::string& syntaxFolder)
    : m_library(std::make_unique<Library>())
{
    m_library->repository.addCustomSearchPath(QString::fromStdString(syntaxFolder));
}

Colours::~Colours() = default;

ColourAnswer Colours::of(const ColourRequest& request)
{
    const bool isKernel = request.language == "kernel";
    KSyntaxHighlighting::Definition definition = m_library->repository.definitionForName(
        isKernel ? QStringLiteral("Tilewright kernel") : QString::fromStdString(request.language));
    if (isKernel && !definition.isValid())
        definition = m_library->repository.definitionForName(QStringLiteral("ISO C++"));
    if (!definition.isValid())
        return {request.id, {}};
    return {request.id, Reader().read(definition, QString::fromStdString(request.text))};
}

} // namespace tilewright
