// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/scheme_draft.h"

#include "core/tensor/verification.h"

namespace tilewright::tensor {
namespace {

/// Integers modulo 2 as 0 and 1; none where there is a fraction or an imaginary part.
std::optional<Factor> integersMod2(const Factor& factor)
{
    Factor result(factor.entries(), factor.products());
    for (int product = 0; product < factor.products(); ++product)
        for (int entry = 0; entry < factor.entries(); ++entry) {
            const Coefficient& value = factor.at(entry, product);
            if (!value.isInteger())
                return std::nullopt;
            result.at(entry, product) = Coefficient{value.isOdd() ? 1 : 0};
        }
    return result;
}

std::string nameOf(OutputLayout layout) { return layout == OutputLayout::Plain ? "C as it is" : "C transposed"; }

} // namespace

Factor withOtherLayout(const Factor& w, int rowsOfC, OutputLayout from)
{
    Factor result(w.entries(), w.products());
    const int columnsOfC = w.entries() / rowsOfC;
    for (int product = 0; product < w.products(); ++product)
        for (int row = 0; row < rowsOfC; ++row)
            for (int column = 0; column < columnsOfC; ++column) {
                const int plain = row * columnsOfC + column, transposed = column * rowsOfC + row;
                if (from == OutputLayout::Plain)
                    result.at(transposed, product) = w.at(plain, product);
                else
                    result.at(plain, product) = w.at(transposed, product);
            }
    return result;
}

Result<ImportedScheme> importedScheme(const SchemeDraft& draft)
{
    Scheme scheme{draft.format, Ring::Gaussian, draft.u, draft.v, draft.w, draft.name, draft.origin};
    if (const auto checked = checkScheme(scheme); !checked)
        return std::unexpected(checked.error());
    std::vector<Ring> rings;
    if (draft.ring && *draft.ring != Ring::Mod2)
        rings = {*draft.ring};
    else if (!draft.ring)
        rings = {smallestRing(scheme), Ring::Mod2};
    else
        rings = {Ring::Mod2};
    const OutputLayout first = draft.layout.value_or(OutputLayout::Plain);
    const OutputLayout second = first == OutputLayout::Plain ? OutputLayout::Transposed : OutputLayout::Plain;
    std::string wrong;
    for (const Ring ring : rings) {
        scheme.ring = ring;
        if (ring == Ring::Mod2) {
            const auto u = integersMod2(draft.u), v = integersMod2(draft.v), w = integersMod2(draft.w);
            if (!u || !v || !w) {
                if (draft.ring)
                    return fail("tensor/coefficient",
                        "the scheme is said to be over Z2, but has coefficients that are no integers");
                continue;
            }
            scheme.u = *u;
            scheme.v = *v;
            scheme.w = *w;
        }
        const Factor asWritten = scheme.w;
        for (const OutputLayout layout : {first, second}) {
            scheme.w = layout == OutputLayout::Plain
                ? asWritten
                : withOtherLayout(asWritten, draft.format.n, OutputLayout::Transposed);
            if (const auto checked = checkScheme(scheme); !checked)
                return std::unexpected(checked.error());
            const Verification verification = verified(scheme);
            if (verification.isExact())
                return ImportedScheme{scheme, layout, !draft.ring && ring == Ring::Mod2};
            if (ring == rings.front())
                wrong += (wrong.empty() ? "" : "; ") + ("with " + nameOf(layout)) + ", "
                    + textOf(scheme.format, *verification.first) + " (" + std::to_string(verification.wrong)
                    + " wrong)";
        }
    }
    return fail("tensor/wrong",
        "the scheme does not multiply matrices of " + textOf(draft.format) + " over " + nameIn(ringNames, rings.front())
            + (rings.size() > 1 ? " or Z2" : "") + ": " + wrong);
}

} // namespace tilewright::tensor
