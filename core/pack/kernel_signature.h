// SPDX-License-Identifier: GPL-3.0-or-later
// The functions that a user's C++ or CUDA file defines, and what their parameters look like: enough to describe a
// kernel, not a compiler. What cannot be read is said, never guessed. Pure.
#pragma once

#include "core/model/task/task.h"
#include "core/pack/preprocessor.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright {

/// What a parameter's type makes of it. A pointer to const is an input, any other pointer an output; a whole number is
/// a dimension; any other number has to be given a value, as a task has no scalars.
enum class ParameterKind { Input, Output, Dimension, Constant, Unknown };

struct KernelParameter {
    std::string name; ///< "" where the function names none
    std::string type; ///< as it is written, without the name: "const float* __restrict__"
    ParameterKind kind = ParameterKind::Unknown;
    std::optional<Dtype> dtype; ///< of a tensor whose element type is known
    std::string element; ///< of a pointer: "float", "double", "std::complex<float>"
    bool isConst = false; ///< of a pointer: what it points to
    bool isReference = false; ///< to an array
    std::vector<std::string> extents; ///< of an array, in the file's words: "KH * KW"; "" where the first is left out
    std::string declaration; ///< all of it, with macros expanded: "const float weights[KH * KW]"

    bool operator==(const KernelParameter&) const = default;
};

struct KernelFunction {
    std::string name; ///< as the file calls it from outside: "mine::softmax"
    int line = 0; ///< from 1
    std::string result; ///< "void"
    bool isTemplate = false;
    std::vector<std::string> templateParameters; ///< their names
    bool isGlobal = false; ///< __global__: a kernel of its own
    bool isOpen = false; ///< its body does not end
    std::vector<KernelParameter> parameters;
};

/// Every function with a body at namespace level that is compiled, in the order of the file; members of classes are not
/// among them. `predefined`: of the compiler, its options and the headers.
std::vector<KernelFunction> kernelFunctionsOf(std::string_view text, const Macros& predefined = builtinMacros(false));

/// The function of that name; "name<64, float>" is an instance of a template. Errors, each with its line and a way out:
/// own/no-function (lists what there is), own/overloaded, own/template, own/result (it returns something),
/// own/parameter (one that cannot be handed over).
Result<KernelFunction> kernelFunctionNamed(
    std::string_view text, std::string_view name, const Macros& predefined = builtinMacros(false));
/// Why this function cannot be a kernel; empty if it can.
Error objectionTo(const KernelFunction& function);

} // namespace tilewright
