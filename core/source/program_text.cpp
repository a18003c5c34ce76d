// SPDX-License-Identifier: Apache-2.0
#include "core/source/program_text.h"

#include "core/base/text.h"
#include "core/model/niche_grid.h"
#include "core/source/text_scan.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <regex>

namespace tilewright {
namespace {

/// The part of a comment after "tune:" or "require:", nothing if it does not begin so.
std::optional<std::string_view> afterKey(std::string_view comment, std::string_view key)
{
    comment = trimmed(comment);
    if (!comment.starts_with(key))
        return std::nullopt;
    return trimmed(comment.substr(key.size()));
}

bool isKept(const ScannedLine& line) { return afterKey(line.comment, "tune:") || afterKey(line.comment, "require:"); }

std::optional<std::int64_t> integerOf(std::string_view text)
{
    std::int64_t value = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    return problem == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

/// Where name and value stand in the code of a tunable's line.
struct Definition {
    std::string name;
    std::int64_t value = 0;
    std::size_t valueAt = 0, valueLength = 0;
};

std::optional<Definition> definitionIn(const std::string& code)
{
    if (code.find("constexpr") == std::string::npos && code.find("define") == std::string::npos)
        return std::nullopt; // as most lines are: no need to look closer
    static const std::regex constant(
        R"(^\s*(?:static\s+|inline\s+)*constexpr\s+(?:unsigned|unsigned int|int|long|auto)\s+(\w+)\s*=\s*(-?\d+)\s*;\s*$)");
    static const std::regex macro(R"(^\s*#\s*define\s+(\w+)\s+(-?\d+)\s*$)");
    std::smatch match;
    if (!std::regex_match(code, match, constant) && !std::regex_match(code, match, macro))
        return std::nullopt;
    const auto value = integerOf(match[2].str());
    if (!value)
        return std::nullopt;
    return Definition{
        match[1], *value, static_cast<std::size_t>(match.position(2)), static_cast<std::size_t>(match.length(2))};
}

/// Adds what a line says of constants that follow from others: "constexpr int OWN = TILE / PARTS, TWO = 2;".
void addDerived(const std::string& code, std::vector<Constant>& constants)
{
    if (code.find("constexpr") == std::string::npos)
        return;
    static const std::regex several(
        R"(^\s*(?:static\s+|inline\s+)*constexpr\s+(?:unsigned|unsigned int|int|long|auto)\s+(.+);\s*$)");
    static const std::regex constant(R"(\s*(\w+)\s*=([^,]+),?)"); // a comma within the value: an expression has none
    std::smatch list;
    if (!std::regex_match(code, list, several))
        return;
    const std::string all = list[1];
    for (std::sregex_iterator one(all.begin(), all.end(), constant), end; one != end; ++one)
        constants.push_back({(*one)[1], std::nullopt, (*one)[2]});
}

/// What names stand for, the first where one comes twice; others may stand for a number. What cannot be computed is
/// left out.
Symbols symbolsOf(const std::vector<Constant>& constants, const Tunables& others = {})
{
    Symbols symbols;
    for (const Constant& constant : constants) {
        if (constant.value) {
            const auto other = others.find(constant.name);
            symbols.try_emplace(
                constant.name, static_cast<double>(other == others.end() ? *constant.value : other->second));
        } else if (const auto value = evaluate(constant.expression, symbols)) {
            symbols.try_emplace(constant.name, *value);
        }
    }
    return symbols;
}

void readChoices(std::string_view list, Tunable& tunable)
{
    for (std::size_t at = 0; at < list.size();) {
        const std::size_t end = std::min(list.find_first_of(" ,\t", at), list.size());
        const std::string_view word = list.substr(at, end - at);
        const std::size_t equals = word.find('=');
        if (const auto value = integerOf(word.substr(0, equals))) {
            tunable.choices.push_back(*value);
            tunable.labels.emplace_back(equals == std::string_view::npos ? "" : word.substr(equals + 1));
        }
        at = end + 1;
    }
    if (std::ranges::find(tunable.choices, tunable.value) == tunable.choices.end()) {
        tunable.choices.push_back(tunable.value);
        tunable.labels.emplace_back();
    }
}

/// What a program's blocks say about it, from one look at the text; nothing where the markers are broken.
class BlockLines
{
public:
    explicit BlockLines(std::string_view text)
        : m_lines(scanLines(text))
    {
        const auto blocks = evolveBlocks(text);
        for (std::size_t i = 0; blocks && i < m_lines.size(); ++i)
            if (std::ranges::any_of(*blocks, [i](const EvolveBlock& block) { return block.contains(i); }))
                m_inside.push_back(i);
    }

    /// In order; tunable or not.
    std::vector<Constant> constants() const
    {
        std::vector<Constant> constants;
        for (const std::size_t line : m_inside)
            if (const auto definition = definitionIn(m_lines[line].code))
                constants.push_back({definition->name, definition->value, {}});
            else
                addDerived(m_lines[line].code, constants);
        return constants;
    }

    std::vector<Tunable> tunables() const
    {
        std::vector<Tunable> tunables;
        for (const std::size_t line : m_inside) {
            const auto list = afterKey(m_lines[line].comment, "tune:");
            const auto definition = list ? definitionIn(m_lines[line].code) : std::nullopt;
            if (!definition)
                continue;
            Tunable tunable;
            tunable.name = definition->name;
            tunable.value = definition->value;
            tunable.line = line;
            readChoices(*list, tunable);
            tunables.push_back(std::move(tunable));
        }
        return tunables;
    }

    /// Names that are given something on a line with a list of values, which is none of a tunable: where they stand.
    std::map<std::string, std::size_t> misplaced() const
    {
        static const std::regex given(R"((\w+)\s*=|#\s*define\s+(\w+))");
        std::map<std::string, std::size_t> found;
        for (const std::size_t line : m_inside) {
            const std::string& code = m_lines[line].code;
            if (!afterKey(m_lines[line].comment, "tune:") || definitionIn(code))
                continue;
            for (std::sregex_iterator one(code.begin(), code.end(), given), end; one != end; ++one)
                found.emplace((*one)[(*one)[1].matched ? 1 : 2], line);
        }
        return found;
    }

    /// Calls it with the expression and the number of each line that requires something.
    template <typename Take> void forRequirements(Take take) const
    {
        for (const std::size_t line : m_inside)
            if (const auto expression = afterKey(m_lines[line].comment, "require:"))
                take(std::string(*expression), line);
    }

private:
    std::vector<ScannedLine> m_lines;
    std::vector<std::size_t> m_inside; ///< lines of the blocks
};

/// Value of a niche feature; nothing if it cannot be computed.
std::optional<double> featureOf(const std::string& feature, std::string_view text)
{
    if (feature == "code_bytes")
        return static_cast<double>(codeBytes(text));
    constexpr std::string_view key = "tunables:";
    if (!feature.starts_with(key))
        return std::nullopt;
    const auto value = evaluate(std::string_view(feature).substr(key.size()), symbolsOf(BlockLines(text).constants()));
    return value ? std::optional(*value) : std::nullopt;
}

} // namespace

std::vector<Tunable> tunablesOf(std::string_view text) { return BlockLines(text).tunables(); }

Tunables valuesOf(const std::vector<Tunable>& tunables)
{
    Tunables values;
    for (const Tunable& tunable : tunables)
        values[tunable.name] = tunable.value;
    return values;
}

std::string withTunables(std::string_view text, const Tunables& values)
{
    std::vector<std::string> lines;
    for (const std::string_view line : splitLines(text))
        lines.emplace_back(line);
    for (const Tunable& tunable : tunablesOf(text)) {
        const auto wanted = values.find(tunable.name);
        if (wanted == values.end() || wanted->second == tunable.value)
            continue;
        std::string& line = lines[tunable.line];
        const std::size_t comment = line.find("//");
        if (const auto definition = definitionIn(line.substr(0, comment)))
            line.replace(definition->valueAt, definition->valueLength, std::to_string(wanted->second));
    }
    std::string changed = joined(lines, "\n");
    if (text.ends_with('\n'))
        changed += '\n';
    return changed;
}

Constraints::Constraints(std::string_view text)
{
    const BlockLines lines(text);
    lines.forRequirements([&](std::string expression, std::size_t line) {
        m_lines.push_back({std::move(expression), line + 1});
    });
    if (m_lines.empty())
        return;
    m_constants = lines.constants();
    m_misplaced = lines.misplaced();
}

Result<std::string> Constraints::broken(const Tunables& values) const
{
    const Symbols symbols = symbolsOf(m_constants, values);
    for (const Line& line : m_lines) {
        const auto holds = evaluate(line.expression, symbols);
        if (!holds) {
            std::string text
                = "line " + std::to_string(line.number) + ": require: " + line.expression + ": " + holds.error().text;
            for (const auto& [name, misplacedAt] : m_misplaced)
                if (holds.error().text.starts_with("'" + name + "' "))
                    text += "; a line with a '// tune:' list holds its constant and nothing else, as 'constexpr int "
                        + name + " = 8; // tune: 4 8' does; line " + std::to_string(misplacedAt + 1) + " does not";
            return fail("tune/constraint", std::move(text));
        }
        if (*holds == 0)
            return line.expression;
    }
    return std::string();
}

bool Constraints::hold(const Tunables& values) const
{
    const auto found = broken(values);
    return found && found->empty();
}

std::string normalised(std::string_view text)
{
    std::string result;
    const std::string unixText = withUnixLineEnds(text);
    const std::vector<BlockMarker> markers = blockMarkers(unixText);
    auto marker = markers.begin();
    std::size_t number = 0;
    for (const ScannedLine& line : scanLines(unixText)) {
        std::string kept(line.code);
        if (marker != markers.end() && marker->line == number) {
            kept.append(marker->isStart ? "// EVOLVE-BLOCK-START" : "// EVOLVE-BLOCK-END");
            ++marker;
        } else if (isKept(line)) {
            kept.append("// ").append(trimmed(line.comment));
        }
        ++number;
        result.append(trimmedRight(kept)) += '\n';
    }
    while (result.ends_with("\n\n"))
        result.pop_back();
    return result == "\n" ? std::string() : result;
}

Hash programIdentity(std::string_view text) { return sha256(normalised(text)); }

std::int64_t codeBytes(std::string_view text) { return static_cast<std::int64_t>(normalised(text).size()); }

std::optional<double> nicheFeature(const NicheAxis& axis, std::string_view text)
{
    const auto value = featureOf(axis.feature, text);
    return value && *value > 0 ? value : std::nullopt;
}

std::string nicheBin(const NicheAxis& axis, std::string_view text)
{
    const auto value = nicheFeature(axis, text);
    if (!value)
        return "unknown";
    const auto [lo, hi] = nicheScale(axis);
    const double place = axis.log2 ? (std::log2(*value) - lo) / (hi - lo) : *value / std::exp2(hi);
    const int bin = static_cast<int>(std::floor(place * axis.bins));
    return std::to_string(std::clamp(bin, 0, axis.bins - 1));
}

std::string nicheCell(const std::vector<NicheAxis>& axes, std::string_view text)
{
    std::vector<std::string> bins;
    for (const NicheAxis& axis : axes)
        bins.push_back(nicheBin(axis, text));
    return joined(bins, ",");
}

} // namespace tilewright
