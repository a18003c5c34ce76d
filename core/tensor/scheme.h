// SPDX-License-Identifier: GPL-3.0-or-later
// A scheme of matrix multiplication: R products of a sum of entries of A and a sum of entries of B, and how the entries
// of C are made of these products. Strassen 1969 is the first with fewer products than the definition.
// Value types and pure functions; nothing here knows a file or a clock.
#pragma once

#include "core/base/names.h"
#include "core/base/result.h"
#include "core/tensor/coefficient.h"

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::tensor {

inline constexpr int mostEntries = 64; ///< of A, of B and of C each: one bit of a word for each entry
inline constexpr int mostProducts = 1024;

/// A is n × m, B is m × p, C = A B is n × p.
struct Format {
    int n = 0, m = 0, p = 0;

    bool operator==(const Format&) const = default;

    int aEntries() const { return n * m; }
    int bEntries() const { return m * p; }
    int cEntries() const { return n * p; }
    int naiveRank() const { return n * m * p; }
};

/// "2x3x4".
std::string textOf(const Format& format);
/// Reads "2x3x4" and "2,3,4". Errors: tensor/format, also for a format beyond mostEntries.
Result<Format> formatIn(std::string_view text);
/// Errors: tensor/format, where a dimension is below 1 or a matrix has more than mostEntries entries.
Result<void> checkFormat(const Format& format);

/// Over which numbers a scheme is exact.
enum class Ring {
    Mod2, ///< Z2: coefficients 0 and 1, sums modulo 2
    Integers, ///< Z
    Rationals, ///< Q
    Gaussian ///< Q(i): for import, verification and display
};
inline constexpr NameTable<Ring, 4> ringNames{
    {{Ring::Mod2, "Z2"}, {Ring::Integers, "Z"}, {Ring::Rationals, "Q"}, {Ring::Gaussian, "Q(i)"}}};

enum class Operand { A, B, C };

/// One column of coefficients for each product, one row for each entry of a matrix (row-major).
class Factor
{
public:
    Factor() = default;
    Factor(int entries, int products)
        : m_entries(entries)
        , m_values(static_cast<std::size_t>(entries) * static_cast<std::size_t>(products))
    {
    }

    int entries() const { return m_entries; }
    int products() const { return m_entries == 0 ? 0 : static_cast<int>(m_values.size()) / m_entries; }
    const Coefficient& at(int entry, int product) const { return m_values[place(entry, product)]; }
    Coefficient& at(int entry, int product) { return m_values[place(entry, product)]; }
    /// All of them, product by product.
    const std::vector<Coefficient>& values() const { return m_values; }

    bool operator==(const Factor&) const = default;

private:
    std::size_t place(int entry, int product) const
    {
        return static_cast<std::size_t>(product) * static_cast<std::size_t>(m_entries)
            + static_cast<std::size_t>(entry);
    }

    int m_entries = 0;
    std::vector<Coefficient> m_values;
};

/// C[k] = Σ_r w[k, r] · (Σ_i u[i, r] A[i]) · (Σ_j v[j, r] B[j]). Entries count row by row in A, B and C; C is not
/// transposed. A scheme may be wrong: verification.h says so.
struct Scheme {
    Format format;
    Ring ring = Ring::Integers;
    Factor u; ///< n·m × R
    Factor v; ///< m·p × R
    Factor w; ///< n·p × R
    std::string name; ///< for display: "Strassen"; may be empty
    std::string origin; ///< where it is from: "flip graph, seed 7, 0.2 s"; may be empty

    bool operator==(const Scheme&) const = default;

    int rank() const { return u.products(); }
    const Factor& factor(Operand operand) const;
};

/// A scheme of this shape with all coefficients 0.
Scheme emptyScheme(const Format& format, Ring ring, int rank);

/// Errors: tensor/format, tensor/rank, tensor/shape, tensor/coefficient: dimensions, number of products, sizes of the
/// factors, and coefficients that the ring has and that are small enough to be verified exactly.
Result<void> checkScheme(const Scheme& scheme);

/// The smallest ring, of Z, Q and Q(i), that has all coefficients.
Ring smallestRing(const Scheme& scheme);

/// "a12" for the entry of row 1, column 2 (both from 1); "a1_12" where a dimension exceeds 9.
std::string entryName(const Format& format, Operand operand, int entry);
/// Rows and columns of A, B or C.
std::array<int, 2> sizeOf(const Format& format, Operand operand);

} // namespace tilewright::tensor
