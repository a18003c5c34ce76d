// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pack/description_reread.h"

#include <algorithm>

namespace tilewright {
namespace {

bool takesTheSame(const KernelDescription& a, const KernelDescription& b)
{
    return a.function == b.function && a.target == b.target
        && std::ranges::equal(
            a.parameters, b.parameters, [](const DescribedParameter& one, const DescribedParameter& other) {
                return one.name == other.name && one.type == other.type;
            });
}

} // namespace

std::optional<KernelDescription> reread(
    const KernelDescription& wasRead, const KernelDescription& byHand, const KernelDescription& isRead)
{
    if (!takesTheSame(wasRead, isRead))
        return std::nullopt;
    KernelDescription merged = isRead;
    const auto keep = [&](auto... fields) {
        const bool isSaid = (... || !(wasRead.*fields == byHand.*fields));
        if (isSaid)
            ((merged.*fields = byHand.*fields), ...);
    };
    using D = KernelDescription;
    keep(&D::name);
    keep(&D::title);
    keep(&D::launch);
    // Shapes are in names of dimensions, sizes and cost in their order: they belong together.
    keep(&D::parameters, &D::dims, &D::train, &D::heldout, &D::verify, &D::flops, &D::bytes);
    keep(&D::truth, &D::referenceFileName, &D::referenceSource, &D::referenceFunction);
    keep(&D::tolerance, &D::reduction, &D::toleranceSaid, &D::tau);
    keep(&D::inputs);
    return merged;
}

} // namespace tilewright
