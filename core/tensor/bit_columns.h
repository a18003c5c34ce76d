// SPDX-License-Identifier: GPL-3.0-or-later
// Linear systems over Z2 with one matrix and many right-hand sides. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace tilewright::tensor {

/// A vector over Z2.
class BitVector
{
public:
    explicit BitVector(std::size_t size = 0)
        : m_words((size + 63) / 64)
    {
    }

    bool at(std::size_t bit) const { return (m_words[bit / 64] >> (bit % 64) & 1) != 0; }
    void flip(std::size_t bit) { m_words[bit / 64] ^= std::uint64_t(1) << (bit % 64); }
    void add(const BitVector& other)
    {
        for (std::size_t i = 0; i < m_words.size(); ++i)
            m_words[i] ^= other.m_words[i];
    }
    /// The first bit that is 1, from a bit on.
    std::optional<std::size_t> firstFrom(std::size_t bit) const;

private:
    std::vector<std::uint64_t> m_words;
};

/// The columns of a matrix in echelon form, and for each which of the given columns it is the sum of.
class BitColumns
{
public:
    BitColumns(std::size_t rows, std::size_t columns)
        : m_rows(rows)
        , m_columns(columns)
    {
    }

    /// The next column of the matrix. Those that come first are preferred in solutions.
    void add(BitVector column);

    std::size_t rank() const { return m_basis.size(); }
    /// Sums of columns that are 0.
    const std::vector<BitVector>& kernel() const { return m_kernel; }

    struct Solution {
        bool exists = false;
        BitVector columns; ///< that add up to the right-hand side
        std::vector<std::size_t>
            contradiction; ///< else: rows of which each column has an even number, the right side not
    };
    Solution solve(BitVector right) const;

private:
    struct Basis {
        std::size_t pivot;
        BitVector column, combination;
    };
    std::size_t m_rows, m_columns, m_added = 0;
    std::vector<Basis> m_basis; ///< each has 0 at the pivots of those before it
    std::vector<BitVector> m_kernel;
};

} // namespace tilewright::tensor
