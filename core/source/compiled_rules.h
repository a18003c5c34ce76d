// SPDX-License-Identifier: Apache-2.0
// What a program of C++ does against a task that does not allow fast math, read off what the compiler made of it: the
// text after the preprocessor, in which macros are expanded, and the assembly, in which inline assembly stands as it is
// assembled. For g++ on x86-64. Pure; the list stands in docs/evaluation.md.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tilewright {

// What a program's text does against a task that does not allow fast math: options set from inside, control registers
// of the floating-point unit, and approximate instructions. Pure; the list stands in docs/evaluation.md.

struct MathFinding {
    /// Approximations may be allowed apart from fast math; nothing else may.
    bool isApproximation = false;
    int line = 0; ///< from 1; of the first line that holds it, 0 where it is put together from pieces
    std::string found; ///< "#pragma GCC optimize", "__expf", …
};

/// The first finding, those that nothing but fast math allows before approximations; none: the text does nothing of it.
std::optional<MathFinding> findFastMath(std::string_view source);

/// The lines of a preprocessed text that are no system header's: what the file itself holds, and what it includes by a
/// relative path. A "#line" of the file hides nothing.
std::string ownLines(std::string_view preprocessed);

/// The first finding in the expanded text of the program; its line is 0.
std::optional<MathFinding> findFastMathExpanded(std::string_view preprocessed);

/// Control registers of the floating-point unit that are written, instructions given as data in a section that is
/// executed, and what could put either together (.macro, .rept, .irp).
std::optional<MathFinding> findFastMathInAssembly(std::string_view assembly);

} // namespace tilewright
