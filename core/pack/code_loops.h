// SPDX-License-Identifier: GPL-3.0-or-later
// The innermost for loops and the functions of a C++ or CUDA text, found by its brackets: enough to put a pragma in
// front of a loop, or to rewrite a sum. Knows no macros and no types. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright {

/// A letter, digit or underscore.
bool isNameChar(char c);

/// `for (int k = FROM; k < END; k += 1) TARGET += TERM;` on two lines, the header and one statement.
struct SumLoop {
    std::string type, variable, from, end; ///< "int", "k", "0", "columns"
    std::string target, term; ///< "sum", "a[k] * b[k]"
};

struct CodeLoop {
    std::size_t line = 0; ///< 0-based, of the word `for`, which begins the line
    std::string variable; ///< "" where the header declares none
    std::string function; ///< name of the function it is in; "" if unknown
    std::optional<SumLoop> sum;
};

struct CodeFunction {
    std::string name;
    std::size_t firstLine = 0, lastLine = 0; ///< of its parameters, from the line of ( to that of )
};

/// A text line by line, with what is code in it.
struct CodeLines {
    explicit CodeLines(std::string_view text);

    std::vector<std::string> lines; ///< as they are
    std::vector<std::string> code; ///< without comments and string contents; preprocessor lines are empty
};

/// Loops on lines [first, last] that have no loop inside and no pragma in front, in order.
std::vector<CodeLoop> innermostLoops(const CodeLines& text, std::size_t first, std::size_t last);

/// Functions with a body whose parameters stand on lines [first, last], in order.
std::vector<CodeFunction> functionsIn(const CodeLines& text, std::size_t first, std::size_t last);

} // namespace tilewright
