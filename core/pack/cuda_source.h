// SPDX-License-Identifier: GPL-3.0-or-later
// A user's CUDA file as a device compiler may see it: kernels and what they need stay, code of the host goes. Reads
// the text piece by piece, no more of the language than it takes to tell where one ends. Pure.
#pragma once

#include "core/pack/preprocessor.h"

#include <string>
#include <string_view>
#include <vector>

namespace tilewright {

/// The same text, as long and with the same lines, in which comments and what stands between quotes are blank.
std::string stripCommentsAndStrings(std::string_view text);

/// Something at namespace level, from its first sign to its last.
struct SourcePiece {
    enum class Kind { Directive, Function, Other, Open, Close }; ///< Open: "namespace x {", Close: its brace
    Kind kind = Kind::Other;
    std::size_t begin = 0, end = 0, body = 0; ///< body: where a function's brace opens
    int line = 0; ///< from 1
    std::string name; ///< of a function, without its namespace
};
std::vector<SourcePiece> piecesOf(std::string_view text);
bool holdsWord(std::string_view text, std::string_view word);

/// What a device compiler is given of a file, and what was left out, in words: "main() in line 40".
struct DevicePart {
    std::string text, launchBounds; ///< launchBounds: "__launch_bounds__(256)" where the kernel has it
    std::vector<std::string> leftOut;
};
/// `function`, with a namespace or not, becomes a device function if it is a kernel; other kernels and the host's code
/// go. A plain function stays with all that it calls: as a reference.
DevicePart devicePartOf(
    const std::string& source, const std::string& function, const Macros& macros = builtinMacros(true));

/// A variable in the device's memory that only host code would set, and that the kernel uses.
struct HostSetSymbol {
    std::string name, declaration;
    int line = 0; ///< from 1
    bool isConstant = false; ///< __constant__; else __device__
};
std::vector<HostSetSymbol> hostSetSymbols(const std::string& source, const std::string& function, const Macros& macros);

/// Names that the text defines and that what stands in front of a GPU program defines as well: "bf16", "ceil_div".
std::vector<std::string> clashingNames(const std::string& text);

/// Definitions of what the text uses out of standard headers, which a device compiler does not have: FLT_MAX,
/// uint32_t, std::max, …; "" where it uses none.
std::string fallbacksFor(const std::string& text);

} // namespace tilewright
