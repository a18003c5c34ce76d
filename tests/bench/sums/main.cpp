// SPDX-License-Identifier: GPL-3.0-or-later
// How far softmax, LayerNorm and RMSNorm are off, in the forms in which people write them, beside the limits of the
// gates: of each form and kind of inputs the largest of some seeds, in parts of the unit that a sum's roundings grow
// by, and what share of the norm gate's limit and of the elements' bounds that is.
//   bench-sums [ROWS [SEEDS]]
#include "tests/node/norm_forms.h"

#include <cstdio>
#include <cstdlib>

using namespace tilewright;

namespace {

/// The largest |error| / bound of an element, as checkElements() has it.
double worstElement(const forms::Computed& computed, std::int64_t terms, double growth)
{
    constexpr double unit = 0x1.0p-24;
    double worst = 0;
    for (std::size_t i = 0; i < computed.y.size(); ++i) {
        const double bound = 1.05 * unit * std::abs(computed.truth.values[i])
            + growth * 4 * std::sqrt(static_cast<double>(terms)) * unit * computed.truth.magnitudes[i] + leastBound;
        worst = std::max(worst, std::abs(computed.y[i] - computed.truth.values[i]) / bound);
    }
    return worst;
}

void print(const forms::Form& form, std::int64_t rows, int seeds)
{
    constexpr InputKind kinds[]{InputKind::Normal, InputKind::Scaled, InputKind::Mixed, InputKind::Integer};
    constexpr const char* names[]{"normal", "scaled", "mixed", "integer"};
    for (const std::int64_t columns : {256, 1024, 4096, 8192, 16384, 32768}) {
        std::printf("%-36s %6lld", form.name, static_cast<long long>(columns));
        for (int kind = 0; kind < 4; ++kind) {
            const Rounding rounding = roundingOf(kinds[kind]);
            double error = 0, element = 0;
            for (int seed = 1; seed <= seeds; ++seed) {
                const auto computed
                    = forms::computed(form, {rows, columns}, kinds[kind], static_cast<std::uint64_t>(seed));
                error = std::max(error, forms::relativeError(computed));
                element = std::max(element, worstElement(computed, columns, roundingGrowth(rounding, columns)));
            }
            const double unit = std::sqrt(static_cast<double>(columns)) * 0x1.0p-24;
            std::printf("  %s %8.2f units %5.2f %5.2f", names[kind], error / unit,
                error / normLimit(std::max(2e-5, 8 * unit), rounding, columns), element);
        }
        std::printf("\n");
    }
}

} // namespace

int main(int argc, char** argv)
{
    const std::int64_t rows = argc > 1 ? std::atol(argv[1]) : 64;
    const int seeds = argc > 2 ? std::atoi(argv[2]) : 2;
    for (const forms::Form& form : forms::honestForms())
        print(form, rows, seeds);
    std::printf("wrong ones\n");
    for (const forms::Form& form : forms::wrongForms())
        print(form, rows, seeds);
}
