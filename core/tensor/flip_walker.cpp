// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/flip_walker.h"

#include <algorithm>
#include <type_traits>

namespace tilewright::tensor {
namespace {

constexpr int bucketBits = 9;
constexpr std::size_t bucketCount = std::size_t(1) << bucketBits;

std::size_t bucketOf(std::uint64_t value) { return (value * 0x9e3779b97f4a7c15u) >> (64 - bucketBits); }

/// Uniform in [0, count) from 32 random bits.
std::uint32_t scaled(std::uint64_t bits, std::uint32_t count)
{
    return static_cast<std::uint32_t>(((bits & 0xffffffffu) * count) >> 32);
}

/// Merges products that share two factors and leaves out those with a factor 0, until there are none of either.
void reduceFully(std::vector<Mod2Product>& products)
{
    const auto hasZero = [](const Mod2Product& product) { return std::ranges::find(product, 0u) != product.end(); };
    const auto mergeOnce = [&] {
        for (std::size_t i = 0; i < products.size(); ++i)
            for (std::size_t j = i + 1; j < products.size(); ++j)
                for (std::size_t factor = 0; factor < 3; ++factor)
                    if (products[i][(factor + 1) % 3] == products[j][(factor + 1) % 3]
                        && products[i][(factor + 2) % 3] == products[j][(factor + 2) % 3]) {
                        products[i][factor] ^= products[j][factor];
                        products[j] = products.back();
                        products.pop_back();
                        return true;
                    }
        return false;
    };
    do
        std::erase_if(products, hasZero);
    while (mergeOnce());
}

/// The two factors beside the shared one, in one of their two orders.
Flip withFactors(int shared, bool isSwapped, int first, int second)
{
    const int next = shared == 2 ? 0 : shared + 1, last = shared == 0 ? 2 : shared - 1;
    return isSwapped ? Flip{shared, last, next, first, second} : Flip{shared, next, last, first, second};
}

} // namespace

/// What a walker does, whatever its size.
class FlipWalker::State
{
public:
    virtual ~State() = default;
    virtual int rank() const = 0;
    virtual int pairs() const = 0;
    virtual std::vector<Mod2Product> products() const = 0;
    /// Flips made, and how the walk ended.
    virtual std::pair<std::uint64_t, WalkEnd> walk(std::uint64_t limit, CounterRandom& random) = 0;
    virtual Flip randomFlip(CounterRandom& random) const = 0;
    virtual int nonzerosAdded(const Flip& flip) const = 0;
    virtual bool make(const Flip& flip) = 0;

    static std::unique_ptr<State> of(std::vector<Mod2Product> products);
};

/// Up to 64·Words products. A bucket of a hash table is the set of products whose factor falls into it.
template <int Words> class FlipWalker::Tables final : public State
{
public:
    static constexpr int capacity = Words * 64;

    explicit Tables(std::vector<Mod2Product> products)
        : m_pairs(std::size_t(3) * capacity * (capacity - 1) / 2)
        , m_places(std::size_t(3) * stride * stride)
    {
        rebuild(std::move(products));
    }

    int rank() const override { return m_rank; }
    int pairs() const override { return static_cast<int>(m_pairCount); }

    std::vector<Mod2Product> products() const override
    {
        std::vector<Mod2Product> products;
        for (int i = 0; i < m_rank; ++i)
            products.push_back({m_factors[0][i], m_factors[1][i], m_factors[2][i]});
        return products;
    }

    std::pair<std::uint64_t, WalkEnd> walk(std::uint64_t limit, CounterRandom& random) override
    {
        for (std::uint64_t made = 0; made < limit; ++made) {
            if (m_pairCount == 0)
                return {made, WalkEnd::NoFlips};
            if (make(randomFlip(random)))
                return {made + 1, WalkEnd::Reduced};
        }
        return {limit, WalkEnd::Limit};
    }

    Flip randomFlip(CounterRandom& random) const override
    {
        const std::uint64_t bits = random.next();
        const std::uint32_t pair = m_pairs[scaled(bits, m_pairCount)];
        return withFactors(static_cast<int>(pair / (stride * stride)), bits >> 63,
            static_cast<int>(pair / stride % stride), static_cast<int>(pair % stride));
    }

    int nonzerosAdded(const Flip& flip) const override
    {
        const auto added = [this](int factor, int to, int from) {
            const std::uint64_t old = m_factors[factor][to];
            return std::popcount(old ^ m_factors[factor][from]) - std::popcount(old);
        };
        return added(flip.changed, flip.first, flip.second) + added(flip.third, flip.second, flip.first);
    }

    bool make(const Flip& flip) override
    {
        forget(flip.changed, flip.first);
        forget(flip.third, flip.second);
        m_factors[flip.changed][flip.first] ^= m_factors[flip.changed][flip.second];
        m_factors[flip.third][flip.second] ^= m_factors[flip.third][flip.first];
        // Both results differ from 0: products that share two factors were merged before.
        bool canMerge = learn(flip.changed, flip.first);
        canMerge |= learn(flip.third, flip.second);
        if (!canMerge)
            return false;
        rebuild(products());
        return true;
    }

private:
    static constexpr std::uint32_t stride = std::bit_ceil(std::uint32_t(capacity)); ///< a power of two: fast to divide
    using Place = std::conditional_t<Words <= 2, std::uint16_t, std::uint32_t>;

    static std::uint32_t codeOf(int factor, int one, int other)
    {
        const auto least = static_cast<std::uint32_t>(std::min(one, other));
        const auto most = static_cast<std::uint32_t>(std::max(one, other));
        return (static_cast<std::uint32_t>(factor) * stride + least) * stride + most;
    }

    /// Visits the products that share the value in this factor; `product` itself must not be in the table.
    template <typename Visit> void eachEqual(int factor, std::uint64_t value, const std::uint64_t* bucket, Visit visit)
    {
        for (int word = 0; word < Words; ++word)
            for (std::uint64_t rest = bucket[word]; rest != 0; rest &= rest - 1) {
                const int other = word * 64 + std::countr_zero(rest);
                if (m_factors[factor][other] == value)
                    visit(other);
            }
    }

    void forget(int factor, int product)
    {
        const std::uint64_t value = m_factors[factor][product];
        std::uint64_t* bucket = m_buckets[factor][bucketOf(value)].data();
        bucket[product / 64] ^= std::uint64_t(1) << (product % 64);
        eachEqual(factor, value, bucket, [&](int other) {
            const Place place = m_places[codeOf(factor, product, other)];
            const std::uint32_t last = m_pairs[--m_pairCount];
            m_pairs[place] = last;
            m_places[last] = place;
        });
    }

    /// True where the product now shares two factors with another one.
    bool learn(int factor, int product)
    {
        const int next = factor == 2 ? 0 : factor + 1, last = factor == 0 ? 2 : factor - 1;
        const std::uint64_t value = m_factors[factor][product];
        std::uint64_t* bucket = m_buckets[factor][bucketOf(value)].data();
        bool canMerge = false;
        eachEqual(factor, value, bucket, [&](int other) {
            const std::uint32_t code = codeOf(factor, product, other);
            m_places[code] = static_cast<Place>(m_pairCount);
            m_pairs[m_pairCount++] = code;
            canMerge |= m_factors[next][product] == m_factors[next][other]
                || m_factors[last][product] == m_factors[last][other];
        });
        bucket[product / 64] ^= std::uint64_t(1) << (product % 64);
        return canMerge;
    }

    void rebuild(std::vector<Mod2Product> products)
    {
        reduceFully(products);
        m_rank = static_cast<int>(products.size());
        m_pairCount = 0;
        for (int factor = 0; factor < 3; ++factor) {
            m_buckets[factor].fill({});
            for (int i = 0; i < m_rank; ++i) {
                m_factors[factor][i] = products[static_cast<std::size_t>(i)][factor];
                learn(factor, i);
            }
        }
    }

    int m_rank = 0;
    std::array<std::array<std::uint64_t, capacity>, 3> m_factors{};
    std::array<std::array<std::array<std::uint64_t, Words>, bucketCount>, 3> m_buckets{};
    std::uint32_t m_pairCount = 0;
    std::vector<std::uint32_t> m_pairs; ///< codeOf() each; the first m_pairCount hold
    std::vector<Place> m_places; ///< of each code in m_pairs
};

std::unique_ptr<FlipWalker::State> FlipWalker::State::of(std::vector<Mod2Product> products)
{
    const std::size_t room = products.size() + 3; // for some plus transitions; more make it grow
    if (room <= 64)
        return std::make_unique<Tables<1>>(std::move(products));
    if (room <= 128)
        return std::make_unique<Tables<2>>(std::move(products));
    if (room <= 256)
        return std::make_unique<Tables<4>>(std::move(products));
    return std::make_unique<Tables<largestWalkedRank / 64>>(std::move(products));
}

FlipWalker::FlipWalker(const Mod2Scheme& scheme)
    : m_state(State::of(scheme.products))
    , m_format(scheme.format)
{
}

FlipWalker::~FlipWalker() = default;
FlipWalker::FlipWalker(FlipWalker&&) noexcept = default;
FlipWalker& FlipWalker::operator=(FlipWalker&&) noexcept = default;

int FlipWalker::rank() const { return m_state->rank(); }
int FlipWalker::pairs() const { return m_state->pairs(); }
Mod2Scheme FlipWalker::scheme() const { return {m_format, m_state->products()}; }
int FlipWalker::nonzerosAdded(const Flip& flip) const { return m_state->nonzerosAdded(flip); }

WalkEnd FlipWalker::walk(std::uint64_t limit, CounterRandom& random)
{
    const auto [made, end] = m_state->walk(limit, random);
    m_flips += made;
    return end;
}

bool FlipWalker::plus(CounterRandom& random)
{
    std::vector<Mod2Product> products = m_state->products();
    const std::size_t count = products.size();
    if (count < 2 || static_cast<int>(count) >= largestWalkedRank)
        return false;
    const std::size_t first = random.below(count), second = (first + 1 + random.below(count - 1)) % count;
    const std::size_t a = random.below(3), b = (a + 1 + random.below(2)) % 3, c = 3 - a - b;
    // a⊗b⊗c + a'⊗b'⊗c' = a⊗(b+b')⊗c + a⊗b'⊗(c'+c) + (a'+a)⊗b'⊗c'
    const Mod2Product one = products[first], other = products[second];
    products[first][b] ^= other[b];
    Mod2Product middle;
    middle[a] = one[a];
    middle[b] = other[b];
    middle[c] = other[c] ^ one[c];
    products[second][a] ^= one[a];
    products.push_back(middle);
    m_state = State::of(std::move(products));
    return true;
}

std::optional<Flip> FlipWalker::proposed(CounterRandom& random) const
{
    return m_state->pairs() == 0 ? std::nullopt : std::optional(m_state->randomFlip(random));
}

bool FlipWalker::make(const Flip& flip)
{
    ++m_flips;
    return m_state->make(flip);
}

} // namespace tilewright::tensor
