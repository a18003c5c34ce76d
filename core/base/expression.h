// SPDX-License-Identifier: Apache-2.0
// Arithmetic over named numbers, as task packs and tunables use it: "2*M*N*K", "BM % TM == 0 && KC <= 512".
// Operators: || && == != < <= > >= << >> + - * / % unary - ! and parentheses, with C's precedence. Numbers are doubles;
// / and % of two whole numbers are whole, as in C. Pure.
#pragma once

#include "core/base/result.h"

#include <map>
#include <string>
#include <string_view>

namespace tilewright {

using Symbols = std::map<std::string, double, std::less<>>;

/// Value of the expression; comparison and logic give 0 or 1. Errors: expression/syntax, expression/unknown-name,
/// expression/division-by-zero.
Result<double> evaluate(std::string_view expression, const Symbols& symbols);

} // namespace tilewright
