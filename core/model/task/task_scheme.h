// SPDX-License-Identifier: Apache-2.0
// The scheme of matrix multiplication that a task's programs may use (Strassen 1969 and its kin), as the task carries
// it: its exact coefficients. What the gates allow because of it is computed here from them, never from a program's
// text. Pure. core/tensor finds and transforms schemes; this is the part that a node has to know.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tilewright {

/// C[k] = Σ_r w[r][k] · (Σ_i u[r][i] A[i]) · (Σ_j v[r][j] B[j]) for n × m times m × p blocks, row by row; C is not
/// transposed. Used on up to `levels` levels, one inside of the other.
struct TaskScheme {
    int n = 0, m = 0, p = 0;
    int levels = 1;
    std::vector<std::vector<double>> u, v, w; ///< by product

    bool operator==(const TaskScheme&) const = default;

    int rank() const { return static_cast<int>(u.size()); }
    int naiveRank() const { return n * m * p; }
};

inline constexpr int mostSchemeEntries = 64; ///< of A, of B and of C each
inline constexpr int mostSchemeProducts = 1024;
inline constexpr int mostSchemeLevels = 4;

/// A multiple of 2^-16 of at most 65536: floats and doubles hold it exactly, and so do the sums of objectionTo().
bool isSchemeCoefficient(double value);

/// Why it multiplies no matrices, by the first entry that is wrong: "a12·b21 in c11 is 0, not 1". All (nm)(mp)(np) sums
/// are compared, in integers. Empty if it is exact. Takes a scheme whose sizes fit.
std::string objectionTo(const TaskScheme& scheme);

/// By what factor the rounding errors of a program with up to scheme.levels levels may exceed those of a product by the
/// definition that sums `depth` terms. At least 1.
///
/// Forward error analysis of bilinear algorithms (Higham 2002, section 23.2.2; Ballard, Benson, Druinsky, Lipshitz,
/// Schwartz 2016, arXiv 1507.00687), in the norm ‖X‖ = max |x|, to first order in the unit roundoff ε:
///     ‖Ĉ − C‖ ≤ f_L(K) ε ‖A‖ ‖B‖,  f_0(K) = K²,  f_L(K) = E · (f_{L−1}(K/m) + Q · K/m)
/// with E = max_k Σ_r |w_rk| ‖u_r‖₁ ‖v_r‖₁ the growth factor of one level (12 for Strassen, 18 for Winograd's variant)
/// and Q = max over k and the products r in C[k] of the terms of u_r, of v_r and of C[k]: each term of a sum takes
/// part in at most as many roundings as the sum has terms. The factor is max over ℓ ≤ L of f_ℓ(K) / K²; for large K it
/// is (E/m²)^L: 3 for one level of Strassen, 4.5 for one of Winograd's variant.
/// A level counts only where its products still sum leastLeafDepth terms.
double schemeGrowth(const TaskScheme& scheme, std::int64_t depth);
inline constexpr int leastLeafDepth = 16;

/// Multiplications of all levels over those of the definition, (R / nmp)^levels: what a program of the scheme cannot do
/// without, whatever its sums cost.
double leastWorkShare(const TaskScheme& scheme);

} // namespace tilewright
