// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pack/generic_moves.h"

#include "core/base/block_markers.h"
#include "core/base/text.h"
#include "core/pack/code_loops.h"
#include "core/patch/patch.h"
#include "core/source/program_text.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace tilewright {
namespace {

constexpr std::size_t mostLoops = 8, mostConstants = 8, mostMoves = 40;
constexpr std::int64_t leastConstant = 2, largestConstant = 4096;

/// A change of whole lines: `removed` lines from `line` on are replaced by `added`.
struct LineEdit {
    std::size_t line = 0, removed = 0;
    std::vector<std::string> added;
};

/// The seed, and the patches that change it with as little context as makes their place unique, so that most moves can
/// be combined.
class Patches
{
public:
    Patches(const CodeLines& text, std::string sourceName)
        : m_text(text)
        , m_sourceName(std::move(sourceName))
    {
    }

    /// None where some edit's place cannot be told from another one.
    std::optional<std::string> diffOf(std::vector<LineEdit> edits) const
    {
        std::ranges::sort(edits, {}, &LineEdit::line);
        std::string diff = "--- a/" + m_sourceName + "\n+++ b/" + m_sourceName + "\n";
        std::ptrdiff_t shift = 0;
        for (const LineEdit& edit : edits) {
            std::size_t end = edit.line + std::max<std::size_t>(edit.removed, 1);
            while (end < m_text.lines.size() && !isUnique(edit.line, end))
                ++end;
            if (!isUnique(edit.line, end))
                return std::nullopt;
            const std::size_t before = end - edit.line, after = before - edit.removed + edit.added.size();
            diff += "@@ -" + std::to_string(edit.line + 1) + "," + std::to_string(before) + " +"
                + std::to_string(static_cast<std::ptrdiff_t>(edit.line) + 1 + shift) + "," + std::to_string(after)
                + " @@\n";
            for (std::size_t i = edit.line; i < edit.line + edit.removed; ++i)
                diff += "-" + m_text.lines[i] + "\n";
            for (const std::string& line : edit.added)
                diff += "+" + line + "\n";
            for (std::size_t i = edit.line + edit.removed; i < end; ++i)
                diff += " " + m_text.lines[i] + "\n";
            shift += static_cast<std::ptrdiff_t>(edit.added.size()) - static_cast<std::ptrdiff_t>(edit.removed);
        }
        return diff;
    }

private:
    bool isUnique(std::size_t begin, std::size_t end) const
    {
        const auto wanted = std::span(m_text.lines).subspan(begin, end - begin);
        std::size_t found = 0;
        for (std::size_t at = 0; at + wanted.size() <= m_text.lines.size(); ++at)
            found += std::ranges::equal(wanted, std::span(m_text.lines).subspan(at, wanted.size())) ? 1 : 0;
        return found == 1;
    }

    const CodeLines& m_text;
    std::string m_sourceName;
};

std::string indentOf(std::string_view line)
{
    return std::string(line.substr(0, std::min(line.find_first_not_of(" \t"), line.size())));
}

std::string withName(std::string text, std::string_view name, const std::string& with)
{
    for (std::size_t at = 0; (at = text.find(name, at)) != std::string::npos;) {
        const bool isWhole = (at == 0 || !isNameChar(text[at - 1]))
            && (at + name.size() >= text.size() || !isNameChar(text[at + name.size()]));
        if (isWhole)
            text.replace(at, name.size(), with);
        at += isWhole ? with.size() : 1;
    }
    return text;
}

/// "the loop over k in softmax(), line 17".
std::string placeOf(const CodeLoop& loop)
{
    return "the loop" + (loop.variable.empty() ? std::string() : " over " + loop.variable)
        + (loop.function.empty() ? std::string() : " in " + loop.function + "()") + ", line "
        + std::to_string(loop.line + 1);
}

/// Makes all moves of one seed.
class GenericMoves
{
public:
    GenericMoves(std::string_view seed, const std::string& sourceName, Target target)
        : m_seed(seed)
        , m_text(seed)
        , m_patches(m_text, sourceName)
        , m_isGpu(target == Target::Cuda)
    {
        if (auto blocks = evolveBlocks(seed))
            m_blocks = std::move(*blocks);
        for (std::size_t i = 0; i < m_text.lines.size(); ++i) {
            const std::string_view line = trimmed(m_text.lines[i]);
            if (line == "// SPDX-SnippetBegin")
                m_snippet = i;
        }
    }

    std::vector<Move> make()
    {
        for (const EvolveBlock& block : m_blocks) {
            if (block.lastLine < block.firstLine)
                continue;
            const std::size_t last = std::min(block.lastLine, m_snippet == 0 ? block.lastLine : m_snippet - 1);
            constants(block.firstLine, last);
            restricted(block.firstLine, last);
            loops(block, last);
        }
        if (m_isGpu)
            launches();
        if (m_moves.size() > mostMoves)
            m_moves.resize(mostMoves);
        return std::move(m_moves);
    }

private:
    void add(const std::string& name, const std::string& title, const std::string& reasoning,
        const std::string& expects, std::vector<LineEdit> edits)
    {
        const auto diff = m_patches.diffOf(std::move(edits));
        if (diff && applyDiff(m_seed, *diff))
            m_moves.push_back({"generic-" + name, title + " (generic)", reasoning, expects, *diff});
    }

    /// An edit that declares a tunable at the beginning of the block.
    LineEdit tunable(const EvolveBlock& block, const std::string& name, const std::string& value) const
    {
        return {block.firstLine, 0, {"constexpr int " + name + " = " + value}};
    }

    /// `#define BLOCK 256` and `constexpr int TILE = 16;` get values to try.
    void constants(std::size_t first, std::size_t last)
    {
        std::size_t made = 0;
        for (std::size_t i = first; i <= last && made < mostConstants; ++i) {
            const std::string& line = m_text.lines[i];
            if (line.contains("//") || line.contains("/*") || line.empty() || line.front() == ' ')
                continue;
            std::string name, number;
            if (line.starts_with("#define ")) {
                const std::string_view rest = trimmed(std::string_view(line).substr(8));
                const std::size_t end = std::min(rest.find_first_of(" \t"), rest.size());
                name = rest.substr(0, end);
                number = trimmed(rest.substr(end));
            } else if (const std::size_t equals = line.find('=');
                       (line.starts_with("constexpr int ") || line.starts_with("const int ")
                           || line.starts_with("static const int ") || line.starts_with("static constexpr int "))
                       && equals != std::string::npos && line.ends_with(';')) {
                const std::string_view left = trimmed(std::string_view(line).substr(0, equals));
                name = left.substr(left.rfind(' ') + 1);
                number = trimmed(std::string_view(line).substr(equals + 1, line.size() - equals - 2));
            }
            if (name.empty() || number.empty() || number.size() > 4 || !std::ranges::all_of(name, isNameChar)
                || !std::ranges::all_of(number, [](char c) { return c >= '0' && c <= '9'; }))
                continue;
            const std::int64_t value = std::stoll(number);
            if (value < leastConstant || value > largestConstant)
                continue;
            std::vector<std::string> choices;
            for (const std::int64_t each : {value / 4, value / 2, value, value * 2, value * 4})
                if (each >= 1 && (choices.empty() || choices.back() != std::to_string(each)))
                    choices.push_back(std::to_string(each));
            add("constant-" + lowered(name), "Try other values of " + name,
                "The best size of a block or tile depends on the device and cannot be told from the text. Values that "
                "the "
                "kernel does not work with are refused by the checks.",
                "unknown", {{i, 1, {line + " // tune: " + joined(choices, " ")}}});
            ++made;
        }
    }

    /// Pointer parameters that promise not to overlap.
    void restricted(std::size_t first, std::size_t last)
    {
        std::vector<LineEdit> edits;
        for (const CodeFunction& function : functionsIn(m_text, first, last))
            for (std::size_t i = function.firstLine; i <= function.lastLine; ++i) {
                const std::string& line = m_text.lines[i];
                if (line.contains("restrict") || m_text.code[i].find('*') == std::string::npos)
                    continue;
                std::string changed;
                for (std::size_t at = 0; at < line.size(); ++at) {
                    changed += line[at];
                    if (line[at] != '*' || at + 1 >= line.size())
                        continue;
                    std::size_t next = at + 1;
                    while (next < line.size() && line[next] == ' ')
                        ++next;
                    const std::string_view rest = std::string_view(line).substr(next);
                    if (!rest.empty() && isNameChar(rest.front()) && !rest.starts_with("const"))
                        changed += next == at + 1 ? " __restrict " : " __restrict";
                }
                if (changed != line && std::ranges::find(edits, i, &LineEdit::line) == edits.end())
                    edits.push_back({i, 1, {changed}});
            }
        if (!edits.empty())
            add("restrict", "Promise that pointers do not overlap",
                "Without the promise the compiler loads values again after each store. Buffers never overlap here.",
                "0 % to 30 %", std::move(edits));
    }

    void loops(const EvolveBlock& block, std::size_t last)
    {
        std::size_t number = 0;
        for (const CodeLoop& loop : innermostLoops(m_text, block.firstLine, last)) {
            if (++number > mostLoops)
                return;
            const std::string n = std::to_string(number), place = placeOf(loop);
            const std::string unroll = m_isGpu ? "#pragma unroll " : "#pragma GCC unroll ";
            add("unroll-" + n, "Unroll " + place,
                "Fewer branches and address computations for each step. Too much of it grows the code and gains "
                "nothing.",
                "0 % to 20 %",
                {tunable(block, "UNROLL_" + n, "4; // tune: 1 2 4 8 16"), {loop.line, 0, {unroll + "UNROLL_" + n}}});
            if (!m_isGpu && !loop.sum)
                add("independent-" + n, "Say that the steps of " + place + " are independent",
                    "The compiler vectorizes the loop without a test at run time of whether its arrays overlap. Wrong "
                    "where a "
                    "step reads what an earlier one wrote.",
                    "0 % to 50 %", {{loop.line, 0, {"#pragma GCC ivdep"}}});
            if (loop.sum)
                accumulators(block, loop, n, place);
        }
    }

    /// A sum in several parts, which do not wait for each other and can be vectorized.
    void accumulators(const EvolveBlock& block, const CodeLoop& loop, const std::string& n, const std::string& place)
    {
        const SumLoop& sum = *loop.sum;
        const std::string in = indentOf(m_text.lines[loop.line]), parts = "PARTS_" + n, v = sum.variable;
        const std::string pragma = m_isGpu ? "#pragma unroll" : "#pragma GCC unroll " + parts;
        const std::string term = withName(sum.term, v, "(" + v + " + part)");
        // With the line before: a pragma of another move in front of the loop would stand in front of the braces.
        std::vector<std::string> added{m_text.lines[loop.line - 1], in + "{ // " + parts + " sums, added up at the end",
            in + "    __typeof__(" + sum.target + ") parts[" + parts + "] = {};",
            in + "    " + sum.type + " " + v + " = " + sum.from + ";",
            in + "    for (; " + v + " + (" + parts + " - 1) < " + sum.end + "; " + v + " += " + parts + ")", pragma,
            in + "        for (int part = 0; part < " + parts + "; ++part)",
            in + "            parts[part] += " + term + ";",
            in + "    for (; " + v + " < " + sum.end + "; ++" + v + ")",
            in + "        " + sum.target + " += " + sum.term + ";", pragma,
            in + "    for (int part = 0; part < " + parts + "; ++part)",
            in + "        " + sum.target + " += parts[part];", in + "}"};
        add("accumulators-" + n, "Add up in several parts: " + place,
            "Each addition to one sum waits for the one before; the compiler may not reorder them. Several sums run "
            "side by "
            "side and fill vector registers. The rounding changes.",
            "0 % to 8x",
            {tunable(block, parts, (m_isGpu ? "4; // tune: 2 4 8" : "16; // tune: 2 4 8 16 32 64")),
                {loop.line - 1, 3, std::move(added)}});
    }

    /// Block size and blocks for each multiprocessor, where Tilewright wrote the launch.
    void launches()
    {
        constexpr std::string_view bounds = "__launch_bounds__(";
        for (std::size_t i = m_snippet; i < m_text.lines.size() && m_snippet > 0; ++i) {
            const std::string& line = m_text.lines[i];
            const std::size_t at = line.find(bounds);
            const auto block
                = std::ranges::find_if(m_blocks, [i](const EvolveBlock& each) { return each.contains(i); });
            if (at == std::string::npos || block == m_blocks.end())
                continue;
            const std::size_t end = line.find(')', at);
            const std::string size = line.substr(at + bounds.size(), end - at - bounds.size());
            if (end == std::string::npos || size.contains(','))
                continue;
            std::string bounded = line;
            bounded.insert(end, ", BLOCKS_PER_SM");
            add("launch-bounds", "Ask for several blocks on a multiprocessor",
                "The compiler limits registers so that as many blocks fit: more warps hide latency, fewer registers "
                "may "
                "spill.",
                "-20 % to 20 %", {tunable(*block, "BLOCKS_PER_SM", "2; // tune: 1 2 3 4 6 8"), {i, 1, {bounded}}});
            if (std::ranges::all_of(size, [](char c) { return c >= '0' && c <= '9'; }))
                blockSize(*block, size);
            return;
        }
    }

    /// The number of threads, wherever the launch names it.
    void blockSize(const EvolveBlock& block, const std::string& size)
    {
        std::vector<LineEdit> edits{tunable(block, "THREADS", size + "; // tune: 64 128 256 512 1024")};
        for (std::size_t i = m_snippet; i < m_text.lines.size(); ++i)
            if (const std::string changed = withName(m_text.lines[i], size, "THREADS"); changed != m_text.lines[i])
                edits.push_back({i, 1, {changed}});
        add("block-size", "Try other block sizes",
            "More threads in a block share more and are scheduled more coarsely. A kernel that holds the number of "
            "threads "
            "in its own text becomes wrong, and is refused.",
            "-20 % to 30 %", std::move(edits));
    }

    std::string m_seed;
    CodeLines m_text;
    Patches m_patches;
    bool m_isGpu = false;
    std::vector<EvolveBlock> m_blocks;
    std::size_t m_snippet = 0; ///< line where what Tilewright wrote begins; 0: nowhere
    std::vector<Move> m_moves;
};

} // namespace

std::vector<Move> genericMoves(std::string_view seed, const std::string& sourceName, Target target)
{
    return GenericMoves(seed, sourceName, target).make();
}

std::string moveFileOf(const Move& move)
{
    return "# title: " + move.title + "\n# reasoning: " + move.reasoning + "\n# expects: " + move.expects + "\n"
        + move.diff;
}

} // namespace tilewright
