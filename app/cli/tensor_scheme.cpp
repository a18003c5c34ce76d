// SPDX-License-Identifier: GPL-3.0-or-later
// tilewright-cli tensor verify, show, lift and compose.
#include "app/cli/tensor_commands.h"

#include "core/base/format.h"
#include "core/base/text.h"
#include "core/tensor/additions.h"
#include "core/tensor/lift.h"
#include "core/tensor/measures.h"
#include "core/tensor/scheme_expressions.h"
#include "core/tensor/transforms.h"
#include "core/tensor/verification.h"

#include <charconv>
#include <cstdio>

namespace tilewright::cli {
namespace {

using namespace tensor;

const char* layoutText(OutputLayout layout)
{
    return layout == OutputLayout::Plain ? "C as it is" : "C transposed in the file";
}

std::string verifiedLine(const ImportedScheme& imported)
{
    const Scheme& scheme = imported.scheme;
    const std::int64_t entries
        = std::int64_t(scheme.format.aEntries()) * scheme.format.bEntries() * scheme.format.cEntries();
    return headingOf(scheme) + ": exact in all " + std::to_string(entries) + " entries, " + layoutText(imported.layout)
        + (imported.isOnlyMod2 ? "; over Z it is wrong" : "");
}

std::string variableName(const Format& format, Operand operand, int variable, int inputs)
{
    if (variable >= inputs)
        return (operand == Operand::A          ? "s"
                       : operand == Operand::B ? "t"
                                               : "x")
            + std::to_string(variable - inputs + 1);
    return operand == Operand::C ? "m" + std::to_string(variable + 1) : entryName(format, operand, variable);
}

std::string formLine(const Format& format, Operand operand, const LinearForm& form, int inputs)
{
    std::string text;
    for (const auto& [variable, coefficient] : form) {
        const bool isNegative = coefficient.isReal() && coefficient.re < 0;
        const Coefficient size = isNegative ? negated(coefficient) : coefficient;
        text += text.empty() ? (isNegative ? "-" : "") : (isNegative ? " - " : " + ");
        text += (size == Coefficient{1} ? "" : textOf(size) + " ") + variableName(format, operand, variable, inputs);
    }
    return text.empty() ? "0" : text;
}

std::string stepLines(const Format& format, Operand operand, const LinearProgram& program)
{
    std::string text;
    int variable = program.inputs;
    for (const LinearStep& step : program.steps)
        text += "  " + variableName(format, operand, variable++, program.inputs) + " = "
            + formLine(format, operand, {{step.left, Coefficient{1}}, {step.right, step.ratio}}, program.inputs) + "\n";
    return text;
}

/// The scheme with reduced additions, as a program to read.
std::string programText(const Scheme& scheme, const SchemePrograms& programs)
{
    const Format& format = scheme.format;
    std::string text = stepLines(format, Operand::A, programs.a) + stepLines(format, Operand::B, programs.b);
    for (std::size_t r = 0; r < programs.a.outputs.size(); ++r)
        text += "  m" + std::to_string(r + 1) + " = ("
            + formLine(format, Operand::A, programs.a.outputs[r], programs.a.inputs) + ") ("
            + formLine(format, Operand::B, programs.b.outputs[r], programs.b.inputs) + ")\n";
    text += stepLines(format, Operand::C, programs.c);
    for (std::size_t k = 0; k < programs.c.outputs.size(); ++k)
        text += "  " + entryName(format, Operand::C, static_cast<int>(k)) + " = "
            + formLine(format, Operand::C, programs.c.outputs[k], programs.c.inputs) + "\n";
    return text;
}

std::string figureLines(const Scheme& scheme, const SchemePrograms& programs)
{
    const auto exponent = exponentOf(scheme);
    std::string text = "  products " + std::to_string(scheme.rank()) + " (definition "
        + std::to_string(scheme.format.naiveRank()) + "), exponent " + (exponent ? fixedText(*exponent, 4) : "–")
        + "\n  additions " + std::to_string(naiveAdditionsOf(scheme)) + ", " + std::to_string(programs.additions())
        + " with common sums; nonzeros " + std::to_string(nonzerosOf(scheme)) + "\n";
    if (scheme.ring == Ring::Mod2)
        return text + "  valid modulo 2 only: no floating-point code follows from it\n";
    return text + "  growth factor " + generalText(growthFactorOf(scheme)) + ", largest coefficient "
        + generalText(largestCoefficientOf(scheme)) + "\n";
}

Result<Scheme> extendedBy(const Scheme& scheme, const std::string& word)
{
    const auto along = word.size() > 2 && word[1] == '=' ? valueIn(dimensionNames, word.substr(0, 1)) : std::nullopt;
    int by = 0;
    const char* const end = word.data() + word.size();
    if (!along || std::from_chars(word.data() + 2, end, by).ptr != end || by < 1)
        return fail("usage", "--extend takes a dimension and a size, such as p=1, not '" + oneLine(word, 40) + "'");
    return extended(scheme, *along, by);
}

Result<Scheme> composedOf(const std::vector<std::string>& words, const Options& options)
{
    std::optional<Scheme> scheme;
    for (const std::string& word : words) {
        auto imported = schemeNamed(word, options);
        if (!imported)
            return std::unexpected(imported.error());
        auto next = scheme ? composed(*scheme, imported->scheme) : Result<Scheme>(imported->scheme);
        if (!next)
            return next;
        scheme = std::move(*next);
    }
    if (options.has("--rotate"))
        scheme = rotated(*scheme);
    if (options.has("--transpose"))
        scheme = transposed(*scheme);
    if (options.has("--extend")) {
        auto longer = extendedBy(*scheme, options.text("--extend"));
        if (!longer)
            return longer;
        scheme = std::move(*longer);
    }
    if (options.has("--mod2"))
        return reducedMod2(*scheme);
    return std::move(*scheme);
}

nlohmann::json proofJson(const Lift& lift, const Scheme& scheme)
{
    nlohmann::json equations = nlohmann::json::array();
    for (const auto& [a, b, c] : lift.proof.equations)
        equations.push_back({entryName(scheme.format, Operand::A, a), entryName(scheme.format, Operand::B, b),
            entryName(scheme.format, Operand::C, c)});
    return equations;
}

std::string liftText(const Lift& lift, const Scheme& scheme)
{
    const std::string system = std::to_string(lift.equations) + " equations, " + std::to_string(lift.unknowns)
        + " unknowns, rank " + std::to_string(lift.matrixRank);
    if (lift.outcome == LiftOutcome::Lifted)
        return headingOf(*lift.scheme) + ": lifted, exact"
            + (isTernary(*lift.scheme) ? ", coefficients -1, 0 and 1" : "") + " (" + system + ", branch "
            + std::to_string(lift.branches) + ")\n";
    if (lift.outcome == LiftOutcome::Impossible)
        return headingOf(scheme) + ": no lift to Z. Proof: " + std::to_string(lift.proof.equations.size())
            + " of the conditions modulo 4 add up to 0 = 1 (" + system
            + "). --json lists them. Other schemes of this rank may have a lift.\n";
    return headingOf(scheme) + ": undecided after " + counted(lift.branches, "branch", "branches")
        + "; the best is right modulo 2^" + std::to_string(lift.bits) + " (" + system
        + "). Try more --branches or another --seed.\n";
}

} // namespace

int verifyScheme(const std::vector<std::string>& words, const Options& options)
{
    nlohmann::json list = nlohmann::json::array();
    std::string text;
    int code = Done;
    for (const std::string& word : words) {
        const auto imported = schemeNamed(word, options);
        if (!imported) {
            code = std::max(code, refuseTensor(imported.error()));
            list.push_back({{"scheme", word}, {"exact", false}, {"reason", imported.error().text}});
            continue;
        }
        list.push_back({{"scheme", word}, {"exact", true}, {"format", textOf(imported->scheme.format)},
            {"rank", imported->scheme.rank()}, {"ring", nameIn(ringNames, imported->scheme.ring)},
            {"layout", nameIn(outputLayouts, imported->layout)}, {"only_mod2", imported->isOnlyMod2}});
        text += verifiedLine(*imported) + "\n";
    }
    if (options.has("--json"))
        printJson({{"schemes", list}});
    else
        std::fputs(text.c_str(), stdout);
    return code;
}

int showScheme(const std::vector<std::string>& words, const Options& options)
{
    const auto imported = schemeNamed(words[0], options);
    if (!imported)
        return refuseTensor(imported.error());
    const Scheme& scheme = imported->scheme;
    if (const auto written = writeScheme(scheme, options); !written)
        return refuseTensor(written.error());
    const SchemePrograms programs = reducedPrograms(scheme);
    if (options.has("--json")) {
        nlohmann::json json = figuresOf(scheme, programs.additions());
        json["layout"] = nameIn(outputLayouts, imported->layout);
        json["only_mod2"] = imported->isOnlyMod2;
        json["products"] = nlohmann::json::array();
        const std::string expressions = expressionsOf(scheme);
        for (const std::string_view line : splitLines(expressions))
            json["products"].push_back(std::string(line));
        printJson(json);
        return Done;
    }
    const std::string text
        = verifiedLine(*imported) + "\n" + figureLines(scheme, programs) + programText(scheme, programs);
    std::fputs(text.c_str(), stdout);
    return Done;
}

int liftScheme(const std::vector<std::string>& words, const Options& options)
{
    const auto imported = schemeNamed(words[0], options);
    if (!imported)
        return refuseTensor(imported.error());
    constexpr std::int64_t mostBranches = 100'000;
    LiftLimits limits;
    if (options.count("--branches", limits.branches) > mostBranches)
        return refuseTensor({"usage", "--branches takes at most " + std::to_string(mostBranches), {}, nullptr});
    limits.branches = static_cast<int>(options.count("--branches", limits.branches));
    limits.seed = static_cast<std::uint64_t>(options.count("--seed", 1));
    const auto lift = lifted(imported->scheme, limits);
    if (!lift)
        return refuseTensor(lift.error());
    if (lift->scheme)
        if (const auto written = writeScheme(*lift->scheme, options); !written)
            return refuseTensor(written.error());
    if (options.has("--json")) {
        nlohmann::json json{{"outcome", nameIn(liftOutcomes, lift->outcome)}, {"equations", lift->equations},
            {"unknowns", lift->unknowns}, {"matrix_rank", lift->matrixRank}, {"branches", lift->branches}};
        if (lift->scheme)
            json["scheme"] = figuresOf(*lift->scheme, reducedPrograms(*lift->scheme).additions());
        if (lift->outcome == LiftOutcome::Impossible)
            json["proof"] = proofJson(*lift, imported->scheme);
        if (lift->outcome == LiftOutcome::Undecided)
            json["right_modulo_bits"] = lift->bits;
        printJson(json);
    } else {
        std::fputs(liftText(*lift, imported->scheme).c_str(), stdout);
    }
    return lift->outcome == LiftOutcome::Lifted ? Done : RefusedByRule;
}

int composeSchemes(const std::vector<std::string>& words, const Options& options)
{
    const auto scheme = composedOf(words, options);
    if (!scheme)
        return refuseTensor(scheme.error());
    if (const Verification verification = verified(*scheme); !verification.isExact())
        return refuseTensor(
            {"tensor/wrong", "the result is wrong: " + textOf(scheme->format, *verification.first), {}, nullptr});
    if (const auto written = writeScheme(*scheme, options); !written)
        return refuseTensor(written.error());
    const SchemePrograms programs = reducedPrograms(*scheme);
    if (options.has("--json"))
        printJson(figuresOf(*scheme, programs.additions()));
    else
        std::fputs((headingOf(*scheme) + ": exact\n" + figureLines(*scheme, programs)).c_str(), stdout);
    return Done;
}

} // namespace tilewright::cli
