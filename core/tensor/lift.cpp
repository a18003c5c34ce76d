// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/lift.h"

#include "core/base/random.h"
#include "core/tensor/bit_columns.h"
#include "core/tensor/verification.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tilewright::tensor {
namespace {

constexpr std::size_t mostUnknowns = 16384;
constexpr std::size_t mostBits = std::size_t(1) << 28; ///< of the matrix: 32 MiB
constexpr int mostSteps = 40;

constexpr std::array liftOperands{Operand::A, Operand::B, Operand::C};

/// A coefficient of the scheme, as an unknown of the system.
struct Unknown {
    Operand operand;
    int entry, product;
};

/// Entries of the tensor, counted by entry of A, then of B, then of C.
class TensorEntries
{
public:
    explicit TensorEntries(const Format& format)
        : m_format(format)
        , m_b(static_cast<std::size_t>(format.bEntries()))
        , m_c(static_cast<std::size_t>(format.cEntries()))
    {
    }

    std::size_t count() const { return static_cast<std::size_t>(m_format.aEntries()) * m_b * m_c; }
    std::size_t place(int a, int b, int c) const
    {
        return (static_cast<std::size_t>(a) * m_b + static_cast<std::size_t>(b)) * m_c + static_cast<std::size_t>(c);
    }
    LiftProof::Equation equationAt(std::size_t place) const
    {
        return {
            static_cast<int>(place / m_c / m_b), static_cast<int>(place / m_c % m_b), static_cast<int>(place % m_c)};
    }

private:
    Format m_format;
    std::size_t m_b, m_c;
};

/// Which entries change by 2^k where a coefficient does, modulo 2.
BitVector derivative(const Scheme& scheme, const Unknown& unknown, const TensorEntries& entries)
{
    BitVector column(entries.count());
    const auto isOdd = [&](Operand operand, int entry) {
        return unknown.operand == operand ? entry == unknown.entry
                                          : scheme.factor(operand).at(entry, unknown.product).isOdd();
    };
    for (int a = 0; a < scheme.u.entries(); ++a)
        if (isOdd(Operand::A, a))
            for (int b = 0; b < scheme.v.entries(); ++b)
                if (isOdd(Operand::B, b))
                    for (int c = 0; c < scheme.w.entries(); ++c)
                        if (isOdd(Operand::C, c))
                            column.flip(entries.place(a, b, c));
    return column;
}

/// Coefficients of 1 first: where they suffice, those of 0 stay 0.
std::vector<Unknown> unknownsOf(const Scheme& scheme)
{
    std::vector<Unknown> unknowns;
    for (const bool wantsOdd : {true, false})
        for (const Operand operand : liftOperands)
            for (int product = 0; product < scheme.rank(); ++product)
                for (int entry = 0; entry < scheme.factor(operand).entries(); ++entry)
                    if (scheme.factor(operand).at(entry, product).isOdd() == wantsOdd)
                        unknowns.push_back({operand, entry, product});
    return unknowns;
}

/// Integer values of the coefficients, modulo a power of 2.
struct Values {
    std::array<std::vector<std::int64_t>, 3> factors; ///< product by product, as in Factor

    static std::size_t place(const Scheme& scheme, Operand operand, int entry, int product)
    {
        return static_cast<std::size_t>(product) * static_cast<std::size_t>(scheme.factor(operand).entries())
            + static_cast<std::size_t>(entry);
    }
};

/// The tensor less the sum of the products; exact modulo 2^64.
std::vector<std::uint64_t> residualOf(const Scheme& scheme, const Values& values, const TensorEntries& entries)
{
    std::vector<std::uint64_t> residual(entries.count());
    for (int a = 0; a < scheme.u.entries(); ++a)
        for (int b = 0; b < scheme.v.entries(); ++b)
            for (int c = 0; c < scheme.w.entries(); ++c)
                residual[entries.place(a, b, c)] = isInProduct(scheme.format, a, b, c) ? 1 : 0;
    for (int product = 0; product < scheme.rank(); ++product) {
        const auto at = [&](Operand operand, int entry) {
            return static_cast<std::uint64_t>(
                values.factors[static_cast<std::size_t>(operand)][Values::place(scheme, operand, entry, product)]);
        };
        for (int a = 0; a < scheme.u.entries(); ++a)
            if (const std::uint64_t u = at(Operand::A, a); u != 0)
                for (int b = 0; b < scheme.v.entries(); ++b)
                    if (const std::uint64_t uv = u * at(Operand::B, b); uv != 0)
                        for (int c = 0; c < scheme.w.entries(); ++c)
                            residual[entries.place(a, b, c)] -= uv * at(Operand::C, c);
    }
    return residual;
}

/// The fraction with small parts that is congruent to a number modulo 2^bits (Wang 1981).
std::optional<Coefficient> fractionOf(std::int64_t value, int bits)
{
    const std::int64_t modulus = std::int64_t(1) << bits;
    const auto bound
        = std::min<std::int64_t>(largestNumber, static_cast<std::int64_t>(std::sqrt(static_cast<double>(modulus) / 2)));
    std::int64_t r0 = modulus, r1 = (value % modulus + modulus) % modulus, t0 = 0, t1 = 1;
    while (r1 > bound) {
        const std::int64_t quotient = r0 / r1;
        r0 = std::exchange(r1, r0 - quotient * r1);
        t0 = std::exchange(t1, t0 - quotient * t1);
    }
    if (t1 == 0 || t1 % 2 == 0 || std::abs(t1) > bound)
        return std::nullopt;
    return coefficientOf(r1, 0, t1);
}

class Lifting
{
public:
    Lifting(const Scheme& scheme, const LiftLimits& limits)
        : m_scheme(scheme)
        , m_limits(limits)
        , m_entries(scheme.format)
        , m_unknowns(unknownsOf(scheme))
        , m_columns(m_entries.count(), m_unknowns.size())
    {
        for (const Unknown& unknown : m_unknowns)
            m_columns.add(derivative(scheme, unknown, m_entries));
    }

    bool hasFirstStep() const
    {
        return m_columns.solve(rightSide(residualOf(m_scheme, parities(), m_entries), 1)).exists;
    }

    Lift run()
    {
        Lift lift;
        lift.equations = static_cast<int>(m_entries.count());
        lift.unknowns = static_cast<int>(m_unknowns.size());
        lift.matrixRank = static_cast<int>(m_columns.rank());
        for (int branch = 0; branch < std::max(m_limits.branches, 1) && lift.outcome == LiftOutcome::Undecided;
             ++branch) {
            lift.branches = branch + 1;
            follow(branch, lift);
        }
        return lift;
    }

private:
    void follow(int branch, Lift& lift)
    {
        CounterRandom random(m_limits.seed, static_cast<std::uint64_t>(branch), 0);
        Values values = parities();
        for (int bits = 1; bits < mostSteps; ++bits) {
            const std::vector<std::uint64_t> residual = residualOf(m_scheme, values, m_entries);
            if (std::ranges::all_of(residual, [](std::uint64_t entry) { return entry == 0; })
                && accept(lift, integersOf(values)))
                return;
            if (bits % 8 == 0 && accept(lift, fractionsOf(values, bits)))
                return;
            auto solution = m_columns.solve(rightSide(residual, bits));
            if (!solution.exists && bits == 1) {
                lift.outcome = LiftOutcome::Impossible;
                for (const std::size_t row : solution.contradiction)
                    lift.proof.equations.push_back(m_entries.equationAt(row));
                return;
            }
            lift.bits = std::max(lift.bits, bits);
            if (!solution.exists)
                return;
            // Another branch: another solution of the first steps.
            constexpr int stepsWithChoice = 4;
            if (branch > 0 && bits <= stepsWithChoice && !m_columns.kernel().empty())
                for (std::uint64_t i = 0, count = 1 + random.below(3); i < count; ++i)
                    solution.columns.add(
                        m_columns.kernel()[static_cast<std::size_t>(random.below(m_columns.kernel().size()))]);
            step(values, solution.columns, bits);
        }
    }

    /// The coefficients modulo 2, as integers.
    Values parities() const
    {
        Values values;
        for (const Operand operand : liftOperands)
            for (const Coefficient& value : m_scheme.factor(operand).values())
                values.factors[static_cast<std::size_t>(operand)].push_back(value.re);
        return values;
    }

    static BitVector rightSide(const std::vector<std::uint64_t>& residual, int bits)
    {
        BitVector right(residual.size());
        for (std::size_t i = 0; i < residual.size(); ++i)
            if ((residual[i] >> bits & 1) != 0)
                right.flip(i);
        return right;
    }

    /// Adds 2^bits where the solution says so; all values then lie in (-2^bits, 2^bits].
    void step(Values& values, const BitVector& solution, int bits) const
    {
        const std::int64_t unit = std::int64_t(1) << bits;
        for (auto at = solution.firstFrom(0); at; at = solution.firstFrom(*at + 1)) {
            const Unknown& unknown = m_unknowns[*at];
            std::int64_t& value = values.factors[static_cast<std::size_t>(unknown.operand)][Values::place(
                m_scheme, unknown.operand, unknown.entry, unknown.product)];
            value += value > 0 ? -unit : unit;
        }
    }

    template <typename Read> std::optional<Scheme> schemeOf(const Values& values, Read read) const
    {
        Scheme scheme = emptyScheme(m_scheme.format, Ring::Integers, m_scheme.rank());
        const std::array<Factor*, 3> factors{&scheme.u, &scheme.v, &scheme.w};
        for (const Operand operand : liftOperands) {
            Factor& factor = *factors[static_cast<std::size_t>(operand)];
            for (int product = 0; product < scheme.rank(); ++product)
                for (int entry = 0; entry < factor.entries(); ++entry) {
                    const auto value = read(values.factors[static_cast<std::size_t>(operand)]
                                                          [Values::place(m_scheme, operand, entry, product)]);
                    if (!value)
                        return std::nullopt;
                    factor.at(entry, product) = *value;
                }
        }
        scheme.ring = smallestRing(scheme);
        scheme.name = m_scheme.name;
        scheme.origin = m_scheme.origin;
        return scheme;
    }
    std::optional<Scheme> integersOf(const Values& values) const
    {
        return schemeOf(values, [](std::int64_t value) { return coefficientOf(value); });
    }
    std::optional<Scheme> fractionsOf(const Values& values, int bits) const
    {
        return schemeOf(values, [&](std::int64_t value) { return fractionOf(value, bits); });
    }

    static bool accept(Lift& lift, std::optional<Scheme> scheme)
    {
        if (!scheme || !checkScheme(*scheme) || !verified(*scheme).isExact())
            return false;
        lift.outcome = LiftOutcome::Lifted;
        lift.scheme = std::move(scheme);
        return true;
    }

    const Scheme& m_scheme;
    LiftLimits m_limits;
    TensorEntries m_entries;
    std::vector<Unknown> m_unknowns;
    BitColumns m_columns;
};

} // namespace

namespace {

Result<void> checkLiftable(const Scheme& scheme)
{
    if (const auto checked = checkScheme(scheme); !checked)
        return checked;
    if (scheme.ring != Ring::Mod2)
        return fail("tensor/ring",
            "the scheme is over " + nameIn(ringNames, scheme.ring) + " already: there is nothing to lift");
    if (const Verification verification = verified(scheme); !verification.isExact())
        return fail("tensor/wrong", "the scheme is wrong modulo 2: " + textOf(scheme.format, *verification.first));
    const std::size_t entries = TensorEntries(scheme.format).count();
    const auto unknowns = static_cast<std::size_t>(scheme.rank())
        * static_cast<std::size_t>(scheme.u.entries() + scheme.v.entries() + scheme.w.entries());
    if (unknowns > mostUnknowns || entries * unknowns > mostBits)
        return fail("tensor/large",
            "the linear system of the lift has " + std::to_string(entries) + " equations and "
                + std::to_string(unknowns) + " unknowns: that is too large");
    return {};
}

} // namespace

Result<Lift> lifted(const Scheme& scheme, const LiftLimits& limits)
{
    if (const auto checked = checkLiftable(scheme); !checked)
        return std::unexpected(checked.error());
    return Lifting(scheme, limits).run();
}

Result<bool> liftsModulo4(const Scheme& scheme)
{
    if (const auto checked = checkLiftable(scheme); !checked)
        return std::unexpected(checked.error());
    return Lifting(scheme, {}).hasFirstStep();
}

bool holds(const LiftProof& proof, const Scheme& scheme)
{
    if (proof.equations.empty() || scheme.ring != Ring::Mod2 || !checkScheme(scheme) || !verified(scheme).isExact())
        return false;
    // The residual over Z, halved, and how often each unknown occurs, over the equations of the proof.
    std::int64_t right = 0;
    std::array<std::vector<bool>, 3> occurs;
    for (const Operand operand : liftOperands)
        occurs[static_cast<std::size_t>(operand)].resize(scheme.factor(operand).values().size());
    const auto toggle = [&](Operand operand, int entry, int product) {
        auto& all = occurs[static_cast<std::size_t>(operand)];
        const std::size_t place = Values::place(scheme, operand, entry, product);
        all[place] = !all[place];
    };
    for (const auto& [a, b, c] : proof.equations) {
        if (a < 0 || b < 0 || c < 0 || a >= scheme.u.entries() || b >= scheme.v.entries() || c >= scheme.w.entries())
            return false;
        std::int64_t residual = isInProduct(scheme.format, a, b, c) ? 1 : 0;
        for (int product = 0; product < scheme.rank(); ++product) {
            const bool u = scheme.u.at(a, product).isOdd(), v = scheme.v.at(b, product).isOdd();
            const bool w = scheme.w.at(c, product).isOdd();
            residual -= u && v && w ? 1 : 0;
            if (v && w)
                toggle(Operand::A, a, product);
            if (u && w)
                toggle(Operand::B, b, product);
            if (u && v)
                toggle(Operand::C, c, product);
        }
        right += residual / 2;
    }
    return right % 2 != 0 && std::ranges::all_of(occurs, [](const std::vector<bool>& all) {
        return std::ranges::none_of(all, [](bool isOdd) { return isOdd; });
    });
}

} // namespace tilewright::tensor
