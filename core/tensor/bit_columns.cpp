// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/bit_columns.h"

#include <bit>

namespace tilewright::tensor {

std::optional<std::size_t> BitVector::firstFrom(std::size_t bit) const
{
    for (std::size_t word = bit / 64; word < m_words.size(); ++word) {
        const std::uint64_t rest
            = m_words[word] & (word == bit / 64 ? ~std::uint64_t(0) << (bit % 64) : ~std::uint64_t(0));
        if (rest != 0)
            return word * 64 + static_cast<std::size_t>(std::countr_zero(rest));
    }
    return std::nullopt;
}

void BitColumns::add(BitVector column)
{
    BitVector combination(m_columns);
    combination.flip(m_added++);
    for (const Basis& basis : m_basis)
        if (column.at(basis.pivot)) {
            column.add(basis.column);
            combination.add(basis.combination);
        }
    if (const auto pivot = column.firstFrom(0))
        m_basis.push_back({*pivot, std::move(column), std::move(combination)});
    else
        m_kernel.push_back(std::move(combination));
}

BitColumns::Solution BitColumns::solve(BitVector right) const
{
    Solution solution{true, BitVector(m_columns), {}};
    for (const Basis& basis : m_basis)
        if (right.at(basis.pivot)) {
            right.add(basis.column);
            solution.columns.add(basis.combination);
        }
    const auto row = right.firstFrom(0);
    if (!row)
        return solution;
    // What is left has 0 at all pivots. So the row, and such pivots that every basis column has an even number of them,
    // contradict: from the last basis column to the first, as each has 0 at the pivots of those before it.
    solution.exists = false;
    BitVector chosen(m_rows);
    chosen.flip(*row);
    for (auto basis = m_basis.rbegin(); basis != m_basis.rend(); ++basis) {
        bool isOdd = false;
        for (auto at = basis->column.firstFrom(0); at; at = basis->column.firstFrom(*at + 1))
            isOdd ^= chosen.at(*at);
        if (isOdd)
            chosen.flip(basis->pivot);
    }
    for (auto at = chosen.firstFrom(0); at; at = chosen.firstFrom(*at + 1))
        solution.contradiction.push_back(*at);
    return solution;
}

} // namespace tilewright::tensor
