// SPDX-License-Identifier: GPL-3.0-or-later
// A user's C++ or CUDA text as the compiler sees it after its preprocessor: branches that are not compiled are blank,
// macros are expanded. Headers are not read: what they define is given as macros. Pure.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright {

struct Macro {
    bool takesArguments = false;
    std::vector<std::string> parameters; ///< the last may be "..."
    std::string body;

    bool operator==(const Macro&) const = default;
};
using Macros = std::map<std::string, Macro, std::less<>>;

/// A word, a number, a string or a sign ("::", "[[" and "##" are one) of the code, with its line from 1.
struct CodeToken {
    std::string text;
    int line = 0;
};
using CodeTokens = std::vector<CodeToken>;

/// Of a text without directives and comments.
CodeTokens tokensOfCode(std::string_view code, int line = 1);

struct CompiledText {
    std::string text; ///< as long as the source, with the same lines; what is not compiled is blank
    CodeTokens tokens; ///< of the code, with macros expanded; a macro's tokens have the line where it is used
    Macros macros; ///< as they stand at the end of the text
    std::string trouble; ///< of a condition that cannot be read, which then counts as false: "'#if …' in line 4"
};

/// One piece of code with macros expanded.
std::string expandedCode(std::string_view code, const Macros& macros);

/// `predefined`: of the compiler, of its options, and of the headers that the text includes.
CompiledText asCompiled(std::string_view source, const Macros& predefined);
/// Its text alone, which takes less time.
std::string compiledTextOf(std::string_view source, const Macros& predefined);

/// Macros of "-D" options and of "#define" lines as `g++ -dM` prints them.
Macros macrosOf(std::string_view defines);
/// What every compiler of Tilewright's programs defines: g++ in C++20 for the CPU, NVRTC for a GPU. core/pack's
/// compilerMacros() asks the compiler itself.
const Macros& builtinMacros(bool isCuda);

} // namespace tilewright
