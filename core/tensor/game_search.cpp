// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/game_search.h"

#include "core/base/random.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace tilewright::tensor {
namespace {

constexpr std::size_t mostTermsWalked = 1024;

/// Coefficients of the entries of one operand, from the first one; the rest is 0.
template <int Width> struct Sum {
    alignas(16) std::array<std::int8_t, Width> at{};

    bool operator==(const Sum&) const = default;
    bool isZero() const { return *this == Sum{}; }
};

/// sign · f[0] ⊗ f[1] ⊗ f[2]. The first coefficient of each factor that is not 0 is positive, so factors that are equal
/// up to sign are equal.
template <int Width> struct Term {
    std::array<Sum<Width>, 3> f;
    std::array<std::uint64_t, 3> hash{};
    int sign = 1;

    bool shares(const Term& other, std::size_t operand) const
    {
        return hash[operand] == other.hash[operand] && f[operand] == other.f[operand];
    }
};

template <int Width> using Terms = std::vector<Term<Width>>;

template <int Width> class GameWalk
{
public:
    GameWalk(Terms<Width> start, bool isMod2, int largest, CounterRandom& random)
        : m_isMod2(isMod2)
        , m_largest(largest)
        , m_random(random)
    {
        for (auto& term : start) {
            for (std::size_t operand = 0; operand < 3; ++operand)
                normalize(term, operand);
            m_terms.push_back(term);
            settle(m_terms.size() - 1);
        }
        m_best = m_terms;
    }

    const Terms<Width>& best() const { return m_best; }

    /// At most so many flips, those counted that were tried in vain; stops at so few terms.
    void walk(std::uint64_t flips, std::size_t target)
    {
        std::uint64_t stuck = 0;
        for (m_tried = 0; m_tried < flips && m_best.size() > target;) {
            const bool isMade = flip();
            if (m_terms.size() < m_best.size()) {
                m_best = m_terms;
                stuck = 0;
            } else if (++stuck >= patience() || !isMade) {
                stuck = 0;
                if (m_terms.size() > m_best.size() + 1)
                    m_terms = m_best;
                else if (m_terms.size() == m_best.size())
                    m_best = m_terms; // from here on, not from where it was reached
                for (int tries = 0; tries < 16 && !split(); ++tries) { }
            }
        }
    }

private:
    std::uint64_t patience() const { return 100 + 4 * m_terms.size() * m_terms.size(); }

    std::size_t any() { return static_cast<std::size_t>(m_random.below(m_terms.size())); }

    /// Makes the first coefficient of a factor positive and hashes it.
    void normalize(Term<Width>& term, std::size_t operand) const
    {
        auto& values = term.f[operand].at;
        if (!m_isMod2) {
            const auto first = std::ranges::find_if(values, [](std::int8_t value) { return value != 0; });
            if (first != values.end() && *first < 0) {
                for (std::int8_t& value : values)
                    value = static_cast<std::int8_t>(-value);
                term.sign = -term.sign;
            }
        }
        std::uint64_t hash = 0;
        for (std::size_t at = 0; at < Width; at += 8) {
            std::uint64_t word = 0;
            std::memcpy(&word, values.data() + at, 8);
            hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
            hash ^= hash >> 32;
        }
        term.hash[operand] = hash;
    }

    /// scale · old + factor · other; none where a coefficient grows beyond the limit. Scale and factor are 1 or -1.
    bool combine(const Sum<Width>& old, int scale, const Sum<Width>& other, int factor, Sum<Width>& result) const
    {
        if (m_isMod2) {
            for (std::size_t i = 0; i < Width; ++i)
                result.at[i] = old.at[i] ^ other.at[i];
            return true;
        }
        bool isLarge = false;
        for (std::size_t i = 0; i < Width; ++i) {
            const int value = scale * old.at[i] + factor * other.at[i];
            isLarge |= std::abs(value) > std::max(m_largest, std::abs(int(old.at[i])));
            result.at[i] = static_cast<std::int8_t>(value);
        }
        return !isLarge;
    }

    void remove(std::size_t term)
    {
        m_terms[term] = m_terms.back();
        m_terms.pop_back();
    }

    /// Merges this term with those that share two of its factors, until there is none. True where a term is gone, after
    /// which places of terms are others.
    bool settle(std::size_t term)
    {
        bool isReduced = false;
        for (std::size_t other = 0; other < m_terms.size();) {
            bool isMerged = false;
            if (other != term)
                for (std::size_t third = 0; third < 3 && !isMerged; ++third) {
                    auto &kept = m_terms[term], &gone = m_terms[other];
                    if (!kept.shares(gone, (third + 1) % 3) || !kept.shares(gone, (third + 2) % 3))
                        continue;
                    Sum<Width> sum;
                    if (!combine(kept.f[third], kept.sign, gone.f[third], gone.sign, sum))
                        continue;
                    isMerged = true;
                    kept.f[third] = sum;
                    kept.sign = 1;
                    normalize(kept, third);
                }
            if (!isMerged) {
                ++other;
                continue;
            }
            isReduced = true;
            const bool isZero = std::ranges::any_of(m_terms[term].f, [](const auto& sum) { return sum.isZero(); });
            const std::size_t last = m_terms.size() - 1;
            remove(other);
            if (term == last)
                term = other;
            if (isZero) {
                remove(term);
                return true;
            }
            other = 0;
        }
        return isReduced;
    }

    /// With an equal factor `shared`: s1 u⊗v1⊗w1 + s2 u⊗v2⊗w2 = s1 u⊗(v1 + t v2)⊗w1 + u⊗v2⊗(s2 w2 - t s1 w1), v being
    /// the operand `changed`. False, and nothing done, where a coefficient would be too large.
    bool flip(std::size_t first, std::size_t second, std::size_t shared, std::size_t changed, int t)
    {
        const std::size_t third = 3 - shared - changed;
        auto &one = m_terms[first], &two = m_terms[second];
        Sum<Width> v, w;
        if (!combine(one.f[changed], 1, two.f[changed], t, v)
            || !combine(two.f[third], two.sign, one.f[third], -t * one.sign, w))
            return false;
        one.f[changed] = v;
        normalize(one, changed);
        two.f[third] = w;
        two.sign = 1;
        normalize(two, third);
        const bool isFirstZero = v.isZero(), isSecondZero = w.isZero();
        if (isFirstZero || isSecondZero) {
            if (isFirstZero && isSecondZero) {
                remove(std::max(first, second));
                remove(std::min(first, second));
            } else {
                // The other one may now share two factors with a third term.
                const std::size_t gone = isFirstZero ? first : second, kept = isFirstZero ? second : first;
                const std::size_t last = m_terms.size() - 1;
                remove(gone);
                settle(kept == last ? gone : kept);
            }
            return true;
        }
        if (!settle(first))
            settle(second);
        return true;
    }

    /// A random flip; false where none was found.
    bool flip()
    {
        const std::size_t count = m_terms.size();
        if (count < 2)
            return false;
        const auto attempt = [&](std::size_t first, std::size_t second) {
            if (first == second)
                return false;
            const std::uint64_t draw = m_random.next();
            for (std::size_t i = 0; i < 3; ++i) {
                const std::size_t shared = (draw % 3 + i) % 3;
                if (m_terms[first].shares(m_terms[second], shared) && ++m_tried > 0)
                    return flip(first, second, shared, (shared + 1 + (draw >> 32 & 1)) % 3, draw >> 33 & 1 ? 1 : -1);
            }
            return false;
        };
        for (std::size_t tries = 0; tries < 8 * count; ++tries) {
            const std::size_t first = any(), second = any();
            if (attempt(first, second))
                return true;
        }
        const std::size_t from = any();
        m_tried += count / 2; // what the comparisons cost
        for (std::size_t i = 0; i < count; ++i)
            for (std::size_t second = 0; second < count; ++second)
                if (attempt((from + i) % count, second))
                    return true;
        return false;
    }

    /// One term more (the plus transition of Arai, Ichikawa and Hukushima, 2024): with a factor a2 of another term,
    /// a⊗b⊗c = t a2⊗b⊗c + (a - t a2)⊗b⊗c, of which the first is then flipped with that other term.
    bool split()
    {
        if (m_terms.size() < 2 || m_terms.size() >= mostTermsWalked)
            return false;
        const std::size_t term = any(), other = any(), operand = static_cast<std::size_t>(m_random.below(3));
        ++m_tried;
        if (term == other || m_terms[term].shares(m_terms[other], operand))
            return false;
        const int t = m_random.below(2) == 0 ? 1 : -1;
        Term<Width> part = m_terms[term], rest = part;
        if (!combine(part.f[operand], 1, m_terms[other].f[operand], -t, rest.f[operand]))
            return false;
        normalize(rest, operand);
        part.f[operand] = m_terms[other].f[operand];
        part.hash[operand] = m_terms[other].hash[operand];
        part.sign *= t;
        const Term<Width> whole = m_terms[term];
        m_terms[term] = part;
        m_terms.push_back(rest);
        const std::size_t changed = (operand + 1 + static_cast<std::size_t>(m_random.below(2))) % 3;
        if (flip(term, other, operand, changed, m_random.below(2) == 0 ? 1 : -1))
            return true;
        m_terms[term] = whole;
        m_terms.pop_back();
        return false;
    }

    bool m_isMod2;
    int m_largest;
    CounterRandom& m_random;
    Terms<Width> m_terms, m_best;
    std::uint64_t m_tried = 0;
};

/// What is left, one term for each fibre along this operand that is not zero; over Z2 as many for each slice as its
/// rank. Empty where these are too many.
template <int Width> Terms<Width> startAlong(const TensorGame& game, std::size_t along)
{
    const Format& format = game.format();
    const std::array<int, 3> sizes{format.aEntries(), format.bEntries(), format.cEntries()};
    const std::size_t slice = along == 0 ? 1 : 0, row = 3 - along - slice;
    const bool isMod2 = game.ring() == Ring::Mod2;
    Terms<Width> terms;
    std::array<int, 3> at{};
    for (at[slice] = 0; at[slice] < sizes[slice]; ++at[slice]) {
        const std::size_t begin = terms.size();
        const auto termOf = [&](const Sum<Width>& fibre) {
            Term<Width> term;
            term.f[slice].at[static_cast<std::size_t>(at[slice])] = 1;
            term.f[row].at[static_cast<std::size_t>(at[row])] = 1;
            term.f[along] = fibre;
            return term;
        };
        for (at[row] = 0; at[row] < sizes[row]; ++at[row]) {
            std::array<std::int64_t, Width> left{};
            for (at[along] = 0; at[along] < sizes[along]; ++at[along])
                left[static_cast<std::size_t>(at[along])] = game.residual(at[0], at[1], at[2]);
            while (std::ranges::any_of(left, [](std::int64_t value) { return value != 0; })) {
                Sum<Width> fibre;
                for (std::size_t i = 0; i < Width; ++i) {
                    fibre.at[i] = static_cast<std::int8_t>(
                        std::clamp<std::int64_t>(left[i], -largestMoveNumber, largestMoveNumber));
                    left[i] -= fibre.at[i];
                }
                // Over Z2 a fibre is a sum of those before it, whose terms then get this row too, and of what is new.
                if (isMod2)
                    for (std::size_t term = begin; term < terms.size(); ++term) {
                        auto& basis = terms[term].f[along].at;
                        const auto pivot = static_cast<std::size_t>(std::ranges::find(basis, 1) - basis.begin());
                        if (fibre.at[pivot] == 0)
                            continue;
                        terms[term].f[row].at[static_cast<std::size_t>(at[row])] = 1;
                        for (std::size_t i = 0; i < Width; ++i)
                            fibre.at[i] ^= basis[i];
                    }
                if (fibre.isZero())
                    continue;
                if (terms.size() == mostTermsWalked)
                    return {};
                terms.push_back(termOf(fibre));
            }
        }
    }
    return terms;
}

template <int Width> std::vector<GameMove> searched(const TensorGame& game, const GameSearch& search)
{
    const Format& format = game.format();
    const auto target = static_cast<std::size_t>(game.lowerBound());
    std::vector<Terms<Width>> starts;
    for (std::size_t along = 0; along < 3; ++along)
        if (auto start = startAlong<Width>(game, along); !start.empty())
            starts.push_back(std::move(start));
    if (starts.empty())
        return {};
    std::ranges::stable_sort(starts, {}, [](const Terms<Width>& start) { return start.size(); });
    // A flip compares two terms with all others.
    const std::uint64_t terms = starts[0].size(), cost = (20 + terms) * (Width / 16);
    const std::uint64_t flips
        = search.flips > 0 ? search.flips : std::min<std::uint64_t>(400'000 * terms, 16'000'000) / cost;
    const std::uint64_t walks = terms > 20 ? 3 : 6;
    bool isLarge = false; // then larger coefficients than usual may be needed
    for (const Term<Width>& term : starts[0])
        for (const Sum<Width>& sum : term.f)
            isLarge |= std::ranges::any_of(sum.at, [&](int value) { return std::abs(value) > search.largest; });
    Terms<Width> best;
    for (std::uint64_t walk = 0; walk < walks && (best.empty() || best.size() > target); ++walk) {
        CounterRandom random(search.seed, 0, walk);
        GameWalk<Width> walker(starts[walk % starts.size()], game.ring() == Ring::Mod2,
            search.largest + (isLarge ? static_cast<int>(walk % 3) : 0), random);
        walker.walk(flips / walks, target);
        if (best.empty() || walker.best().size() < best.size())
            best = walker.best();
    }
    std::vector<GameMove> moves;
    for (const Term<Width>& term : best) {
        const auto values = [&](std::size_t operand, int entries, int sign) {
            std::vector<int> result;
            for (int entry = 0; entry < entries; ++entry)
                result.push_back(sign * term.f[operand].at[static_cast<std::size_t>(entry)]);
            return result;
        };
        moves.push_back({values(0, format.aEntries(), 1), values(1, format.bEntries(), 1),
            values(2, format.cEntries(), game.ring() == Ring::Mod2 ? 1 : term.sign)});
    }
    return moves;
}

} // namespace

std::vector<GameMove> movesToEnd(const TensorGame& game, const GameSearch& search)
{
    if (game.isSolved())
        return {};
    const Format& format = game.format();
    const int widest = std::max({format.aEntries(), format.bEntries(), format.cEntries()});
    std::vector<GameMove> moves = widest <= 16 ? searched<16>(game, search) : searched<mostEntries>(game, search);
    if (!game.isSumOf(moves))
        return {};
    return moves;
}

} // namespace tilewright::tensor
