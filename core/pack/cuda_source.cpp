// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pack/cuda_source.h"

#include "core/base/text.h"
#include "core/source/text_scan.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>

namespace tilewright {
namespace {

bool inWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

/// Where the sign that closes the one at `open` stands; the end of the text where none does.
std::size_t closingSign(std::string_view text, std::size_t open)
{
    static constexpr std::string_view opening = "({[", ending = ")}]";
    const char sign = text[open], close = ending[opening.find(sign)];
    int depth = 0;
    for (std::size_t i = open; i < text.size(); ++i) {
        if (text[i] == sign)
            ++depth;
        else if (text[i] == close && --depth == 0)
            return i;
    }
    return text.size();
}

bool isAttribute(std::string_view word)
{
    return word == "__launch_bounds__" || word == "__cluster_dims__" || word == "__maxnreg__" || word == "__attribute__"
        || word == "alignas" || word == "__block_size__";
}

/// The word in front of a function's parameters; "" where this is no function's head.
std::string functionName(std::string_view head)
{
    static constexpr std::array<std::string_view, 5> others{"struct", "class", "union", "enum", "namespace"};
    std::string word;
    for (std::size_t i = 0; i < head.size();) {
        if (head[i] == '=')
            return {};
        if (head[i] == '<' && word == "template") { // a template's own parameters
            int depth = 0;
            do
                depth += head[i] == '<' ? 1 : head[i] == '>' ? -1 : 0;
            while (++i < head.size() && depth > 0);
            word.clear();
            continue;
        }
        if (head[i] == '(') {
            if (!isAttribute(word))
                return word;
            i = closingSign(head, i) + 1;
            word.clear();
            continue;
        }
        if (!inWord(head[i])) {
            if (!std::isspace(static_cast<unsigned char>(head[i])))
                word.clear();
            ++i;
            continue;
        }
        std::size_t end = i;
        while (end < head.size() && inWord(head[end]))
            ++end;
        word = head.substr(i, end - i);
        if (std::ranges::find(others, word) != others.end())
            return {};
        i = end;
    }
    return {};
}

/// Joins directives that go over several lines.
std::size_t endOfDirective(std::string_view text, std::size_t at)
{
    for (std::size_t end = text.find('\n', at); end != std::string_view::npos; end = text.find('\n', end + 1))
        if (end == 0 || text[end - 1] != '\\')
            return end;
    return text.size();
}

/// Cuts a text into pieces, one after another.
class Cutter
{
public:
    explicit Cutter(std::string_view text)
        : m_bare(stripCommentsAndStrings(text))
    {
    }

    std::vector<SourcePiece> pieces()
    {
        for (std::size_t at = 0; at < m_bare.size();) {
            if (std::isspace(static_cast<unsigned char>(m_bare[at]))) {
                m_line += m_bare[at++] == '\n';
                continue;
            }
            SourcePiece piece;
            piece.begin = at;
            piece.line = m_line;
            take(piece);
            m_line += static_cast<int>(std::count(m_bare.begin() + static_cast<std::ptrdiff_t>(at),
                m_bare.begin() + static_cast<std::ptrdiff_t>(piece.end), '\n'));
            at = piece.end;
            m_pieces.push_back(std::move(piece));
        }
        return std::move(m_pieces);
    }

private:
    void take(SourcePiece& piece) const
    {
        const std::string_view text = m_bare;
        const std::size_t begin = piece.begin;
        if (text[begin] == '#') {
            piece.kind = SourcePiece::Kind::Directive;
            piece.end = endOfDirective(text, begin);
            return;
        }
        if (text[begin] == '}') {
            piece.kind = SourcePiece::Kind::Close;
            piece.end = begin + 1;
            return;
        }
        std::size_t at = begin;
        while (at < text.size() && text[at] != ';' && text[at] != '{')
            at = text[at] == '(' ? std::min(text.size(), closingSign(text, at) + 1) : at + 1;
        const std::string_view head = text.substr(begin, at - begin);
        if (at >= text.size() || text[at] == ';') {
            piece.end = std::min(text.size(), at + 1);
            return;
        }
        const bool linkage = trimmed(head).starts_with("extern") && head.find('(') == std::string_view::npos
            && trimmed(head).ends_with('"');
        if ((holdsWord(head, "namespace") && head.find('(') == std::string_view::npos) || linkage) {
            piece.kind = SourcePiece::Kind::Open;
            piece.end = at + 1;
            return;
        }
        piece.name = functionName(head);
        piece.body = at;
        piece.end = std::min(text.size(), closingSign(text, at) + 1);
        if (!piece.name.empty()) {
            piece.kind = SourcePiece::Kind::Function;
            return;
        }
        const std::size_t semicolon = text.find(';', piece.end); // behind a struct or a braced value
        piece.end = semicolon == std::string_view::npos ? text.size() : semicolon + 1;
    }

    std::string m_bare;
    std::vector<SourcePiece> m_pieces;
    int m_line = 1;
};

/// Headers that CUDA programs may include (EVALUATION §2), as core/node/cuda_toolkit.h allows them.
bool isDeviceHeader(std::string_view directive)
{
    static constexpr std::array<std::string_view, 8> names{"cuda_fp16.h", "cuda_bf16.h", "cuda_fp8.h", "mma.h",
        "cuda_pipeline.h", "cuda_pipeline_primitives.h", "cuda_awbarrier_primitives.h", "cooperative_groups.h"};
    const std::size_t open = directive.find_first_of("<\"");
    const std::size_t close = directive.find_first_of(">\"", open == std::string_view::npos ? open : open + 1);
    return open != std::string_view::npos && close != std::string_view::npos
        && std::ranges::find(names, directive.substr(open + 1, close - open - 1)) != names.end();
}

bool isOfTheHost(std::string_view bare)
{
    if (bare.find("std::") != std::string_view::npos)
        return true;
    for (std::size_t at = bare.find("cuda"); at != std::string_view::npos; at = bare.find("cuda", at + 1))
        if ((at == 0 || !inWord(bare[at - 1])) && at + 4 < bare.size()
            && std::isupper(static_cast<unsigned char>(bare[at + 4])))
            return true; // cudaStream_t, cudaMalloc
    return false;
}

/// A file's pieces, and which of them a device compiler gets.
class Sorting
{
public:
    Sorting(const std::string& source, const std::string& function, const Macros& macros)
        : m_source(source)
        , m_compiled(asCompiled(source, macros))
        , m_bare(stripCommentsAndStrings(m_compiled.text))
        , m_pieces(piecesOf(m_bare))
    {
        const std::string plain = function.substr(0, function.find('<'));
        const std::size_t colons = plain.rfind("::");
        m_function = colons == std::string::npos ? plain : plain.substr(colons + 2);
        findPlainOnes();
    }

    DevicePart part()
    {
        std::size_t written = 0;
        for (const SourcePiece& piece : m_pieces) {
            const std::string why = whyNot(piece);
            if (why.empty() && !(piece.kind == SourcePiece::Kind::Function && isKernel(piece)))
                continue;
            const std::size_t begin = why.empty() ? piece.begin : withItsComment(piece.begin, written);
            m_part.text += m_source.substr(written, begin - written);
            if (why.empty())
                m_part.text += asDeviceFunction(piece);
            else if (why != " ")
                m_part.leftOut.push_back(why + " in line " + std::to_string(piece.line));
            written = piece.end;
        }
        m_part.text += m_source.substr(written);
        tidy(m_part.text);
        return std::move(m_part);
    }

    std::vector<HostSetSymbol> hostSet() const
    {
        std::vector<HostSetSymbol> found;
        for (const SourcePiece& piece : m_pieces) {
            const std::string_view text = bare(piece);
            const bool isConstant = holdsWord(text, "__constant__");
            if (piece.kind != SourcePiece::Kind::Other || (!isConstant && !holdsWord(text, "__device__"))
                || text.find_first_of("={") != std::string_view::npos || text.find('(') != std::string_view::npos)
                continue;
            for (const std::string& name : namesIn(text)) {
                const bool isUsed = std::ranges::any_of(m_pieces, [&](const SourcePiece& other) {
                    return other.kind == SourcePiece::Kind::Function && holdsWord(bare(other), name)
                        && (isForDevices(other) || (isKernel(other) && other.name == m_function));
                });
                const bool isSetByHost = isConstant || m_bare.find("ToSymbol(" + name) != std::string::npos
                    || m_bare.find("ToSymbolAsync(" + name) != std::string::npos || !mayBeChanged(name);
                if (isUsed && isSetByHost)
                    found.push_back({name, std::string(trimmed(text)), piece.line, isConstant});
            }
        }
        return found;
    }

private:
    /// Of "__constant__ float a[3], b;": a and b.
    static std::vector<std::string> namesIn(std::string_view declaration)
    {
        std::vector<std::string> names;
        std::string last;
        int depth = 0;
        for (std::size_t i = 0; i < declaration.size(); ++i) {
            const char c = declaration[i];
            depth += c == '[' ? 1 : c == ']' ? -1 : 0;
            if (depth == 0 && inWord(c)) {
                if (i == 0 || !inWord(declaration[i - 1]))
                    last.clear();
                last += c;
            }
            if (depth == 0 && (c == ',' || c == ';') && !last.empty())
                names.push_back(last);
        }
        return names;
    }

    /// Something in the text gives the variable a value, or hands it on so that it may get one.
    bool mayBeChanged(const std::string& name) const
    {
        const auto signAt = [&](std::size_t at) {
            at = m_bare.find_first_not_of(" \t\n", at);
            return at == std::string::npos ? std::string_view() : std::string_view(m_bare).substr(at, 3);
        };
        for (std::size_t at = m_bare.find(name); at != std::string::npos; at = m_bare.find(name, at + 1)) {
            std::size_t end = at + name.size();
            if ((at > 0 && inWord(m_bare[at - 1])) || (end < m_bare.size() && inWord(m_bare[end])))
                continue;
            const std::string_view before = trimmedRight(std::string_view(m_bare).substr(0, at));
            const bool isHanded = signAt(end).starts_with(')') || signAt(end).starts_with(',');
            while (signAt(end).starts_with('['))
                end = std::min(closingSign(m_bare, m_bare.find('[', end)) + 1, m_bare.size());
            const std::string_view sign = signAt(end);
            const bool isSet = (sign.starts_with('=') && !sign.starts_with("==")) || sign.starts_with("++")
                || sign.starts_with("--") || (sign.size() > 1 && sign[1] == '=' && sign.find_first_of("+-*/%&|^") == 0)
                || sign.starts_with("<<=") || sign.starts_with(">>=");
            const bool isPointedAt = (before.ends_with('&') && !before.ends_with("&&")) || before.ends_with("++")
                || before.ends_with("--");
            if (isSet || isPointedAt || isHanded)
                return true;
        }
        return false;
    }

    std::string_view bare(const SourcePiece& piece) const
    {
        return std::string_view(m_bare).substr(piece.begin, piece.end - piece.begin);
    }
    std::string_view headOf(const SourcePiece& piece) const
    {
        return std::string_view(m_bare).substr(piece.begin, piece.body - piece.begin);
    }
    bool isKernel(const SourcePiece& piece) const { return headHolds(piece, "__global__"); }
    bool isForDevices(const SourcePiece& piece) const
    {
        return headHolds(piece, "__device__") || headHolds(piece, "constexpr");
    }
    /// The word itself, or a macro that stands for it.
    bool headHolds(const SourcePiece& piece, std::string_view word) const
    {
        const std::string_view head = headOf(piece);
        return holdsWord(head, word) || holdsWord(expandedCode(head, m_compiled.macros), word);
    }

    /// Where the wanted function is a plain one: its name, and the names of all that it calls.
    void findPlainOnes()
    {
        const auto plain = [&](const SourcePiece& piece) {
            return piece.kind == SourcePiece::Kind::Function && !isKernel(piece) && !isForDevices(piece);
        };
        for (const SourcePiece& piece : m_pieces)
            if (plain(piece) && piece.name == m_function)
                m_plain.insert(piece.name);
        for (bool more = !m_plain.empty(); more;) {
            more = false;
            for (const SourcePiece& piece : m_pieces) {
                if (!plain(piece) || m_plain.contains(piece.name))
                    continue;
                const bool called = std::ranges::any_of(m_pieces, [&](const SourcePiece& other) {
                    return m_plain.contains(other.name) && holdsWord(bare(other), piece.name);
                });
                if (called)
                    more = m_plain.insert(piece.name).second;
            }
        }
    }

    /// What the piece is if a device compiler must not see it; " " where that needs no word.
    std::string whyNot(const SourcePiece& piece) const
    {
        using Kind = SourcePiece::Kind;
        switch (piece.kind) {
        case Kind::Directive:
            return whyNotDirective(piece);
        case Kind::Function:
            if (isKernel(piece))
                return piece.name == m_function && m_plain.empty() ? "" : "the kernel " + piece.name + "()";
            return isForDevices(piece) || m_plain.contains(piece.name) ? "" : piece.name + "()";
        case Kind::Other:
            return whyNotStatement(bare(piece));
        case Kind::Open:
        case Kind::Close:
            return {};
        }
        return {};
    }

    std::string whyNotDirective(const SourcePiece& piece) const
    {
        const std::string text = m_source.substr(piece.begin, piece.end - piece.begin);
        const std::string_view rest = trimmed(std::string_view(text).substr(1));
        if (!rest.starts_with("include") || isDeviceHeader(rest))
            return {};
        return rest.find('"') == std::string_view::npos ? " " : "#" + std::string(rest);
    }

    std::string whyNotStatement(std::string_view text) const
    {
        const auto has = [&](std::string_view word) { return holdsWord(text, word); };
        if (has("__global__"))
            return " "; // declared, or an instance asked for
        if (has("__device__") || has("__constant__") || text == ";")
            return {};
        if (has("using") && has("namespace")) {
            const std::string_view named = trimmed(text.substr(text.find("namespace") + 9));
            const std::string_view space = named.substr(0, named.find_first_of(":; \n"));
            const bool known = space == "cooperative_groups" || space == "nvcuda"
                || m_bare.find("namespace " + std::string(space) + " {") != std::string::npos;
            return known ? "" : " ";
        }
        if (has("static_assert") || (has("namespace") && text.find('(') == std::string_view::npos))
            return {};
        if (isOfTheHost(text))
            return "something of the host";
        for (const std::string_view word : {"using", "typedef", "struct", "class", "union", "enum", "constexpr"})
            if (has(word))
                return {};
        if (has("const") && text.find('=') != std::string_view::npos)
            return {};
        return text.find('(') != std::string_view::npos ? " " : "a variable of the host";
    }

    /// The lines of comment that stand right above.
    std::size_t withItsComment(std::size_t begin, std::size_t from) const
    {
        std::size_t line = m_source.rfind('\n', begin);
        line = line == std::string::npos ? 0 : line + 1;
        if (line < from || !trimmed(std::string_view(m_source).substr(line, begin - line)).empty())
            return begin;
        while (line > from) {
            const std::size_t before = line < 2 ? std::string::npos : m_source.rfind('\n', line - 2);
            const std::size_t above = before == std::string::npos ? 0 : before + 1;
            if (above < from || above == line)
                break;
            const auto at = [&](const std::string& text) { return trimmed(text.substr(above, line - above)).empty(); };
            if (at(m_source) || !at(m_bare))
                break;
            line = above;
        }
        return line;
    }

    /// The kernel as a function that another kernel calls; how it may be launched goes to that one.
    std::string asDeviceFunction(const SourcePiece& piece)
    {
        std::string head, word;
        const std::string_view bareHead = headOf(piece);
        for (std::size_t i = 0; i < bareHead.size();) {
            if (!inWord(bareHead[i])) {
                head += m_source[piece.begin + i++];
                continue;
            }
            std::size_t end = i;
            while (end < bareHead.size() && inWord(bareHead[end]))
                ++end;
            word = bareHead.substr(i, end - i);
            const std::size_t open = std::min(bareHead.find_first_not_of(" \n\t", end), bareHead.size());
            if (isAttribute(word) && word.starts_with("__") && word != "__attribute__" && open < bareHead.size()
                && bareHead[open] == '(') {
                const std::size_t close = std::min(closingSign(bareHead, open) + 1, bareHead.size());
                if (word == "__launch_bounds__")
                    m_part.launchBounds = m_source.substr(piece.begin + i, close - i);
                i = std::min(bareHead.find_first_not_of(" \n\t", close), bareHead.size());
                continue;
            }
            const std::string meant = m_compiled.macros.contains(word) ? expandedCode(word, m_compiled.macros) : word;
            if (const std::size_t global = meant.find("__global__"); global != std::string::npos)
                head += std::string(meant).replace(global, 10, "__device__ __forceinline__");
            else
                head += word;
            i = end;
        }
        return head + m_source.substr(piece.body, piece.end - piece.body);
    }

    /// No more than one empty line in a row, none at the ends.
    static void tidy(std::string& text)
    {
        std::string tidied;
        bool empty = true;
        for (const std::string_view line : splitLines(text)) {
            const std::string_view right = trimmedRight(line);
            if (right.empty() && empty)
                continue;
            empty = right.empty();
            (tidied += right) += '\n';
        }
        while (tidied.ends_with("\n\n"))
            tidied.pop_back();
        text = std::move(tidied);
    }

    const std::string& m_source;
    CompiledText m_compiled;
    std::string m_bare, m_function;
    std::vector<SourcePiece> m_pieces;
    std::set<std::string> m_plain; ///< functions without a word of CUDA that stay
    DevicePart m_part;
};

} // namespace

std::string stripCommentsAndStrings(std::string_view source)
{
    std::string bare = withoutRawStrings(source);
    const std::string text = bare;
    const auto blank = [&](std::size_t from, std::size_t to) {
        for (std::size_t i = from; i < std::min(to, bare.size()); ++i)
            if (bare[i] != '\n')
                bare[i] = ' ';
    };
    for (std::size_t i = 0; i < text.size();) {
        if (text.compare(i, 2, "//") == 0) {
            const std::size_t end = endOfDirective(text, i);
            blank(i, end);
            i = end;
        } else if (text.compare(i, 2, "/*") == 0) {
            const std::size_t close = text.find("*/", i + 2),
                              end = close == std::string::npos ? text.size() : close + 2;
            blank(i, end);
            i = end;
        } else if (text[i] == '"'
            || (text[i] == '\'' && (i == 0 || !std::isxdigit(static_cast<unsigned char>(text[i - 1]))))) {
            std::size_t end = i + 1;
            while (end < text.size() && text[end] != text[i] && text[end] != '\n')
                end += text[end] == '\\' ? 2 : 1;
            blank(i + 1, end);
            i = std::min(text.size(), end + 1);
        } else {
            ++i;
        }
    }
    return bare;
}

std::vector<SourcePiece> piecesOf(std::string_view text) { return Cutter(text).pieces(); }

bool holdsWord(std::string_view text, std::string_view word)
{
    for (std::size_t at = text.find(word); at != std::string_view::npos && !word.empty();
         at = text.find(word, at + 1)) {
        const std::size_t end = at + word.size();
        if ((at == 0 || !inWord(text[at - 1])) && (end >= text.size() || !inWord(text[end])))
            return true;
    }
    return false;
}

DevicePart devicePartOf(const std::string& source, const std::string& function, const Macros& macros)
{
    return Sorting(source, function, macros).part();
}

std::vector<HostSetSymbol> hostSetSymbols(const std::string& source, const std::string& function, const Macros& macros)
{
    return Sorting(source, function, macros).hostSet();
}

} // namespace tilewright
