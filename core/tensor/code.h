// SPDX-License-Identifier: GPL-3.0-or-later
// From a scheme to a program for tasks of single-precision matrix products on a CPU (kernels/README.md, "The program").
// Pure.
#pragma once

#include "core/tensor/scheme.h"

namespace tilewright::tensor {

struct CodeOptions {
    int levels = 1; ///< of recursion, 1 to 4
    int mostLevels = 3; ///< that the tunable LEVELS offers; `levels` where that is more
    int cutoff = 256; ///< the smallest of M, N and K for which another level is used, 1 to 65536
    /// A program of the same kind that multiplies below the cut-off; a plain one where it is empty.
    std::string leaf;
    std::string leafName; ///< for the comment: "c-0012"
};

/// Whether floating-point programs follow from schemes over this ring. Errors: tensor/mod2, tensor/complex.
Result<void> checkRingOfCode(Ring ring);

/// The program: one level as straight-line sums of blocks with reduced additions, each sum in one pass; recursion with
/// a cut-off; sizes that do not divide are padded with zeros in the workspace. LEVELS and CUTOFF are tunables.
/// Errors: those of checkRingOfCode(), tensor/fraction for a coefficient that no float is, tensor/wrong, tensor/leaf
/// for a leaf without tilewright_run, tensor/code for options out of range.
Result<std::string> programOf(const Scheme& scheme, const CodeOptions& options);

/// Bytes of workspace that the program asks for at this size, without those of its leaf. Of options and a scheme that
/// programOf() takes.
std::int64_t workspaceBytesOf(
    const Scheme& scheme, const CodeOptions& options, std::int64_t rows, std::int64_t columns, std::int64_t depth);

/// A program with main() that runs the same text, with a small cut-off, on matrices of -1, 0 and 1 of many sizes, and
/// compares each element with the product in integers: exit code 0 and "exact", else 1 and the first that differs.
/// Errors: those of programOf().
Result<std::string> selfTestOf(const Scheme& scheme, const CodeOptions& options);

} // namespace tilewright::tensor
