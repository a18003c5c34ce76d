// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/game.h"

#include "core/base/text.h"
#include "core/tensor/game_search.h"
#include "core/tensor/scheme_expressions.h"
#include "core/tensor/verification.h"

#include <algorithm>
#include <cmath>

namespace tilewright::tensor {
namespace {

constexpr std::array gameOperands{Operand::A, Operand::B, Operand::C};
constexpr std::uint64_t prime = 2147483647; // 2^31 - 1
constexpr std::size_t mostMoves = 4096;

std::uint64_t inverseModulo(std::uint64_t value, std::uint64_t modulus)
{
    std::uint64_t result = 1;
    for (std::uint64_t exponent = modulus - 2; exponent > 0; exponent >>= 1) {
        if (exponent & 1)
            result = result * value % modulus;
        value = value * value % modulus;
    }
    return result;
}

/// The rank of a matrix modulo a prime.
int rankModulo(const std::vector<std::vector<std::int64_t>>& matrix, std::uint64_t modulus)
{
    std::vector<std::vector<std::uint64_t>> rows;
    for (const auto& row : matrix) {
        auto& reduced = rows.emplace_back();
        for (const std::int64_t value : row)
            reduced.push_back(static_cast<std::uint64_t>(
                (value % static_cast<std::int64_t>(modulus) + static_cast<std::int64_t>(modulus))
                % static_cast<std::int64_t>(modulus)));
    }
    std::size_t rank = 0;
    const std::size_t columns = rows.empty() ? 0 : rows[0].size();
    for (std::size_t column = 0; column < columns && rank < rows.size(); ++column) {
        const auto pivot = std::find_if(rows.begin() + static_cast<std::ptrdiff_t>(rank), rows.end(),
            [&](const auto& row) { return row[column] != 0; });
        if (pivot == rows.end())
            continue;
        std::swap(*pivot, rows[rank]);
        const std::uint64_t inverse = inverseModulo(rows[rank][column], modulus);
        for (std::size_t other = rank + 1; other < rows.size(); ++other)
            if (rows[other][column] != 0) {
                const std::uint64_t factor = modulus - rows[other][column] * inverse % modulus;
                for (std::size_t i = column; i < columns; ++i)
                    rows[other][i] = (rows[other][i] + factor * rows[rank][i]) % modulus;
            }
        ++rank;
    }
    return static_cast<int>(rank);
}

/// All vectors with entries 0 and 1 (and -1 with `isSigned`, the first of them that is not 0 being 1) with up to so
/// many that are not 0.
std::vector<std::vector<int>> smallVectors(int size, int terms, bool isSigned)
{
    std::vector<std::vector<int>> vectors, growing{std::vector<int>(static_cast<std::size_t>(size))};
    std::vector<int> last{-1};
    for (int count = 1; count <= terms; ++count) {
        std::vector<std::vector<int>> next;
        std::vector<int> nextLast;
        for (std::size_t i = 0; i < growing.size(); ++i)
            for (int entry = last[i] + 1; entry < size; ++entry)
                for (const int value : {1, -1}) {
                    if (value < 0 && (!isSigned || count == 1))
                        continue;
                    next.push_back(growing[i]);
                    next.back()[static_cast<std::size_t>(entry)] = value;
                    nextLast.push_back(entry);
                }
        vectors.insert(vectors.end(), next.begin(), next.end());
        growing = std::move(next);
        last = std::move(nextLast);
    }
    return vectors;
}

/// How many vectors smallVectors() returns.
double countOfSmall(int size, int terms, bool isSigned)
{
    double count = 0, choices = 1;
    for (int k = 1; k <= std::min(terms, size); ++k) {
        choices = choices * (size - k + 1) / k;
        count += choices * (isSigned ? std::exp2(k - 1) : 1);
    }
    return count;
}

int termsOf(const std::vector<int>& values)
{
    return static_cast<int>(std::ranges::count_if(values, [](int value) { return value != 0; }));
}

Factor factorOfMoves(const std::vector<GameMove>& moves, std::vector<int> GameMove::*values, int entries)
{
    Factor factor(entries, static_cast<int>(moves.size()));
    for (int product = 0; product < factor.products(); ++product)
        for (int entry = 0; entry < entries; ++entry)
            factor.at(entry, product)
                = Coefficient{(moves[static_cast<std::size_t>(product)].*values)[static_cast<std::size_t>(entry)]};
    return factor;
}

} // namespace

Result<GameMove> moveIn(std::string_view text, const Format& format)
{
    std::array<std::string_view, 3> parts;
    const bool hasBrackets = text.find(';') == std::string_view::npos;
    std::string_view rest = trimmed(text);
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const std::size_t end = hasBrackets ? rest.find(')') : i < 2 ? rest.find(';') : rest.size();
        if (end == std::string_view::npos || (hasBrackets && !rest.starts_with('(')))
            return fail(
                "tensor/move", "'" + oneLine(text, 60) + "' is not a move", "write it as (a11+a22)*(b11)*(c11-c12)");
        parts[i] = rest.substr(hasBrackets ? 1 : 0, end - (hasBrackets ? 1 : 0));
        rest = trimmed(rest.substr(std::min(end + 1, rest.size())));
        if (hasBrackets && i < 2 && rest.starts_with('*'))
            rest = trimmed(rest.substr(1));
    }
    if (!rest.empty())
        return fail("tensor/move", "'" + oneLine(text, 60) + "' has something behind the move");
    GameMove move;
    const std::array<std::vector<int>*, 3> values{&move.u, &move.v, &move.w};
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const auto form = formIn(parts[i], format, gameOperands[i]);
        if (!form)
            return fail("tensor/move", form.error().text);
        for (const Coefficient& value : *form) {
            if (!value.isInteger() || std::abs(value.re) > largestMoveNumber)
                return fail("tensor/move",
                    "the coefficient " + textOf(value) + " is no integer from -" + std::to_string(largestMoveNumber)
                        + " to " + std::to_string(largestMoveNumber));
            values[i]->push_back(static_cast<int>(value.re));
        }
    }
    return move;
}

std::string textOf(const GameMove& move, const Format& format)
{
    const std::vector<GameMove> one{move};
    const auto text = [&](std::vector<int> GameMove::*values, Operand operand) {
        return "(" + formText(factorOfMoves(one, values, static_cast<int>((move.*values).size())), 0, format, operand)
            + ")";
    };
    return text(&GameMove::u, Operand::A) + "*" + text(&GameMove::v, Operand::B) + "*" + text(&GameMove::w, Operand::C);
}

TensorGame::TensorGame(const Format& format, Ring ring)
    : m_format(format)
    , m_ring(ring == Ring::Mod2 ? Ring::Mod2 : Ring::Integers)
    , m_residual(static_cast<std::size_t>(format.aEntries()) * static_cast<std::size_t>(format.bEntries())
          * static_cast<std::size_t>(format.cEntries()))
{
    for (int a = 0; a < format.aEntries(); ++a)
        for (int b = 0; b < format.bEntries(); ++b)
            for (int c = 0; c < format.cEntries(); ++c)
                m_residual[place(a, b, c)] = isInProduct(format, a, b, c) ? 1 : 0;
}

std::size_t TensorGame::place(int a, int b, int c) const
{
    return (static_cast<std::size_t>(a) * static_cast<std::size_t>(m_format.bEntries()) + static_cast<std::size_t>(b))
        * static_cast<std::size_t>(m_format.cEntries())
        + static_cast<std::size_t>(c);
}

int TensorGame::nonzeros() const
{
    return static_cast<int>(std::ranges::count_if(m_residual, [](std::int64_t value) { return value != 0; }));
}

void TensorGame::subtract(const GameMove& move, int sign)
{
    for (int a = 0; a < m_format.aEntries(); ++a)
        for (int b = 0; b < m_format.bEntries(); ++b) {
            const int uv = sign * move.u[static_cast<std::size_t>(a)] * move.v[static_cast<std::size_t>(b)];
            if (uv == 0)
                continue;
            std::size_t at = place(a, b, 0);
            for (const int w : move.w) {
                m_residual[at] -= std::int64_t(uv) * w;
                if (m_ring == Ring::Mod2)
                    m_residual[at] &= 1;
                ++at;
            }
        }
}

Result<void> TensorGame::play(const GameMove& move)
{
    if (static_cast<int>(move.u.size()) != m_format.aEntries() || static_cast<int>(move.v.size()) != m_format.bEntries()
        || static_cast<int>(move.w.size()) != m_format.cEntries())
        return fail("tensor/move", "the move does not fit the format " + textOf(m_format));
    if (isSolved())
        return fail("tensor/move", "the game is solved: nothing is left to subtract from", "undo, or save the scheme");
    if (m_moves.size() == mostMoves)
        return fail("tensor/move", "a game has at most " + std::to_string(mostMoves) + " moves");
    GameMove played = move;
    for (std::vector<int>* values : {&played.u, &played.v, &played.w}) {
        for (int& value : *values) {
            if (std::abs(value) > largestMoveNumber)
                return fail("tensor/move",
                    "the coefficient " + std::to_string(value) + " is larger than "
                        + std::to_string(largestMoveNumber));
            if (m_ring == Ring::Mod2)
                value &= 1;
        }
        if (termsOf(*values) == 0)
            return fail("tensor/move", "one of the three sums is zero, so the move changes nothing");
    }
    subtract(played, 1);
    if (const auto planned = std::ranges::find(m_plan, played); planned != m_plan.end())
        m_plan.erase(planned);
    else
        m_plan.clear();
    m_moves.push_back(std::move(played));
    m_undone.clear();
    return {};
}

bool TensorGame::undo()
{
    if (m_moves.empty())
        return false;
    subtract(m_moves.back(), -1);
    m_plan.clear();
    m_undone.push_back(std::move(m_moves.back()));
    m_moves.pop_back();
    return true;
}

bool TensorGame::redo()
{
    if (m_undone.empty())
        return false;
    subtract(m_undone.back(), 1);
    m_plan.clear();
    m_moves.push_back(std::move(m_undone.back()));
    m_undone.pop_back();
    return true;
}

std::vector<std::vector<std::int64_t>> TensorGame::flattening(Operand rows) const
{
    const std::array<int, 3> sizes{m_format.aEntries(), m_format.bEntries(), m_format.cEntries()};
    std::vector<std::vector<std::int64_t>> matrix(static_cast<std::size_t>(sizes[static_cast<std::size_t>(rows)]));
    for (int a = 0; a < sizes[0]; ++a)
        for (int b = 0; b < sizes[1]; ++b)
            for (int c = 0; c < sizes[2]; ++c) {
                const std::array<int, 3> at{a, b, c};
                matrix[static_cast<std::size_t>(at[static_cast<std::size_t>(rows)])].push_back(residual(a, b, c));
            }
    return matrix;
}

int TensorGame::lowerBound() const
{
    int bound = 0;
    for (const Operand operand : gameOperands)
        bound = std::max(bound, rankModulo(flattening(operand), m_ring == Ring::Mod2 ? 2 : prime));
    return bound;
}

int TensorGame::upperBound() const
{
    const std::array<int, 3> sizes{m_format.aEntries(), m_format.bEntries(), m_format.cEntries()};
    int bound = nonzeros();
    for (std::size_t along = 0; along < sizes.size(); ++along) {
        // Slices by the first of the other two operands, as matrices of the second and this one.
        const auto sliceBy = static_cast<Operand>(along == 0 ? 1 : 0);
        const std::size_t second = along == 2 ? 1 : 2;
        int fibres = 0, ranks = 0;
        for (const auto& slice : flattening(sliceBy)) {
            // In a slice the two remaining operands run in their order: is `along` the faster one?
            const auto rows = static_cast<std::size_t>(sizes[second]), columns = static_cast<std::size_t>(sizes[along]);
            std::vector<std::vector<std::int64_t>> matrix(rows, std::vector<std::int64_t>(columns));
            for (std::size_t i = 0; i < slice.size(); ++i) {
                const bool isFaster = along > second;
                const std::size_t row = isFaster ? i / columns : i % rows, column = isFaster ? i % columns : i / rows;
                matrix[row][column] = slice[i];
            }
            for (const auto& row : matrix)
                fibres += std::ranges::any_of(row, [](std::int64_t value) { return value != 0; }) ? 1 : 0;
            if (m_ring == Ring::Mod2)
                ranks += rankModulo(matrix, 2);
        }
        bound = std::min(bound, m_ring == Ring::Mod2 ? ranks : fibres);
    }
    return bound;
}

bool TensorGame::isSumOf(const std::vector<GameMove>& moves) const
{
    TensorGame rest = *this;
    for (const GameMove& move : moves) {
        if (static_cast<int>(move.u.size()) != m_format.aEntries()
            || static_cast<int>(move.v.size()) != m_format.bEntries()
            || static_cast<int>(move.w.size()) != m_format.cEntries())
            return false;
        rest.subtract(move, 1);
    }
    return rest.isSolved();
}

bool TensorGame::follow(std::vector<GameMove> plan)
{
    if (!isSumOf(plan))
        return false;
    m_plan = std::move(plan);
    return true;
}

std::optional<GameHint> TensorGame::hint() const
{
    if (isSolved())
        return std::nullopt;
    if (!m_plan.empty())
        return hintOf(m_plan);
    std::vector<GameMove> plan = movesToEnd(*this);
    if (plan.empty() || static_cast<int>(plan.size()) > upperBound())
        return scannedHint();
    return hintOf(std::move(plan));
}

GameHint TensorGame::hintOf(std::vector<GameMove> plan) const
{
    struct Left {
        int nonzeros = 0;
        std::int64_t magnitude = 0;
        int terms = 0;
        auto operator<=>(const Left&) const = default;
    };
    std::optional<Left> least;
    GameHint hint;
    TensorGame after = *this;
    for (const GameMove& move : plan) {
        after.subtract(move, 1);
        Left left{after.nonzeros(), 0, termsOf(move.u) + termsOf(move.v) + termsOf(move.w)};
        for (const std::int64_t value : after.m_residual)
            left.magnitude += std::abs(value);
        if (!least || left < *least) {
            least = left;
            hint.move = move;
            hint.nonzeros = left.nonzeros;
        }
        after.subtract(move, -1);
    }
    hint.remaining = static_cast<int>(plan.size());
    hint.plan = std::move(plan);
    return hint;
}

std::optional<GameHint> TensorGame::scannedHint() const
{
    const bool isSigned = m_ring == Ring::Integers;
    const int a = m_format.aEntries(), b = m_format.bEntries(), c = m_format.cEntries();
    // As many terms as can be compared in some tenths of a second.
    constexpr double mostWork = 2e8;
    int terms = std::max(a, b);
    while (
        terms > 1 && countOfSmall(a, terms, isSigned) * countOfSmall(b, terms, isSigned) * terms * terms * c > mostWork)
        --terms;
    const auto us = smallVectors(a, std::min(terms, a), isSigned), vs = smallVectors(b, std::min(terms, b), isSigned);
    GameHint best;
    best.isComplete = terms >= std::max(a, b);
    best.mostTerms = terms;
    const auto width = static_cast<std::size_t>(c);
    struct Gain {
        int nonzeros = 0; ///< fewer
        std::int64_t magnitude = 0; ///< less
        int terms = 0; ///< fewer
        auto operator<=>(const Gain&) const = default;
    };
    std::optional<Gain> bestGain;
    std::vector<Gain> plus(width), minus(width);
    // What an entry of C gains where the product is added or subtracted there is independent of the other entries.
    for (const auto& u : us)
        for (const auto& v : vs) {
            std::ranges::fill(plus, Gain{});
            std::ranges::fill(minus, Gain{});
            for (int i = 0; i < a; ++i)
                if (const int ui = u[static_cast<std::size_t>(i)]; ui != 0)
                    for (int j = 0; j < b; ++j)
                        if (const int uv = ui * v[static_cast<std::size_t>(j)]; uv != 0) {
                            const std::int64_t* const fibre = &m_residual[place(i, j, 0)];
                            for (std::size_t k = 0; k < width; ++k) {
                                const std::int64_t old = fibre[k];
                                const std::int64_t less = isSigned ? old - uv : old ^ 1,
                                                   more = isSigned ? old + uv : less;
                                plus[k].nonzeros += (old != 0) - (less != 0);
                                plus[k].magnitude += std::abs(old) - std::abs(less);
                                minus[k].nonzeros += (old != 0) - (more != 0);
                                minus[k].magnitude += std::abs(old) - std::abs(more);
                            }
                        }
            Gain gain;
            gain.terms = -termsOf(u) - termsOf(v);
            std::vector<int> w(width);
            for (std::size_t k = 0; k < width; ++k) {
                const Gain& chosen = isSigned && minus[k] > plus[k] ? minus[k] : plus[k];
                if (chosen.nonzeros < 0 || (chosen.nonzeros == 0 && chosen.magnitude <= 0))
                    continue;
                w[k] = &chosen == &minus[k] ? -1 : 1;
                gain.nonzeros += chosen.nonzeros;
                gain.magnitude += chosen.magnitude;
                --gain.terms;
            }
            if (termsOf(w) > 0 && (!bestGain || gain > *bestGain)) {
                bestGain = gain;
                best.move = {u, v, w};
            }
        }
    if (!bestGain)
        return std::nullopt;
    best.nonzeros = nonzeros() - bestGain->nonzeros;
    return best;
}

Scheme TensorGame::scheme() const
{
    Scheme scheme;
    scheme.format = m_format;
    scheme.ring = m_ring;
    scheme.u = factorOfMoves(m_moves, &GameMove::u, m_format.aEntries());
    scheme.v = factorOfMoves(m_moves, &GameMove::v, m_format.bEntries());
    scheme.w = factorOfMoves(m_moves, &GameMove::w, m_format.cEntries());
    scheme.origin = "TensorGame";
    return scheme;
}

} // namespace tilewright::tensor
