// SPDX-License-Identifier: GPL-3.0-or-later
// Names of a CUDA file that a device compiler does not know, or that the contract has taken.
#include "core/base/text.h"
#include "core/pack/cuda_source.h"

#include <algorithm>
#include <array>

namespace tilewright {

std::vector<std::string> clashingNames(const std::string& text)
{
    static constexpr std::array<std::string_view, 16> taken{"bf16", "fp16", "e4m3", "e5m2", "ceil_div", "element_bytes",
        "Dims", "Args", "Plan", "Launch", "Device", "Buffer", "DType", "Swizzle", "TensorMap", "L2Promotion"};
    const std::string bare = stripCommentsAndStrings(text);
    const std::vector<SourcePiece> pieces = piecesOf(text);
    std::vector<std::string> names;
    for (const std::string_view name : taken) {
        const auto defines = [&](const SourcePiece& piece) {
            if (piece.kind == SourcePiece::Kind::Function)
                return piece.name == name;
            const std::string_view own = std::string_view(bare).substr(piece.begin, piece.end - piece.begin);
            if (piece.kind != SourcePiece::Kind::Other || !holdsWord(own, name))
                return false;
            const std::string_view head = own.substr(0, own.find_first_of("={"));
            const std::string_view end = trimmedRight(own.substr(0, own.rfind(';')));
            return holdsWord(own, "typedef")
                ? end.ends_with(name)
                : holdsWord(head, name) && (head.size() < own.size() || holdsWord(head, "struct"));
        };
        if (std::ranges::any_of(pieces, defines))
            names.emplace_back(name);
    }
    return names;
}

std::string fallbacksFor(const std::string& source)
{
    struct StandIn {
        std::string_view word, text;
    };
    static constexpr std::array values{StandIn{"INFINITY", "__int_as_float(0x7f800000)"},
        StandIn{"CUDART_INF_F", "__int_as_float(0x7f800000)"}, StandIn{"HUGE_VALF", "__int_as_float(0x7f800000)"},
        StandIn{"NAN", "__int_as_float(0x7fffffff)"}, StandIn{"FLT_MAX", "3.402823466e+38F"},
        StandIn{"FLT_MIN", "1.175494351e-38F"}, StandIn{"FLT_EPSILON", "1.192092896e-07F"},
        StandIn{"DBL_MAX", "1.7976931348623158e+308"}, StandIn{"INT_MAX", "2147483647"},
        StandIn{"INT_MIN", "(-2147483647 - 1)"}, StandIn{"M_PI", "3.14159265358979323846"},
        StandIn{"M_SQRT1_2", "0.70710678118654752440"}, StandIn{"M_2_SQRTPI", "1.12837916709551257390"}};
    static constexpr std::array types{StandIn{"int8_t", "signed char"}, StandIn{"uint8_t", "unsigned char"},
        StandIn{"int16_t", "short"}, StandIn{"uint16_t", "unsigned short"}, StandIn{"int32_t", "int"},
        StandIn{"uint32_t", "unsigned int"}, StandIn{"int64_t", "long long"}, StandIn{"uint64_t", "unsigned long long"},
        StandIn{"uintptr_t", "unsigned long"}, StandIn{"uint", "unsigned int"}, StandIn{"uchar", "unsigned char"},
        StandIn{"ushort", "unsigned short"}};
    static constexpr std::array<std::string_view, 20> functions{"exp", "exp2", "log", "log2", "sqrt", "fabs", "abs",
        "tanh", "pow", "sin", "cos", "floor", "ceil", "round", "erf", "fmax", "fmin", "fma", "isnan", "isinf"};
    const std::string text = stripCommentsAndStrings(source);
    std::string lines, standard;
    for (const StandIn& value : values)
        if (holdsWord(text, value.word))
            lines += "#ifndef " + std::string(value.word) + "\n#define " + std::string(value.word) + " "
                + std::string(value.text) + "\n#endif\n";
    if (holdsWord(text, "assert"))
        lines += "#undef assert\n#define assert(condition) ((void)0)\n";
    for (const StandIn& type : types)
        if (holdsWord(text, type.word))
            lines += "typedef " + std::string(type.text) + " " + std::string(type.word) + ";\n";
    for (const StandIn& type : types)
        if (text.find("std::" + std::string(type.word)) != std::string::npos)
            standard += " using ::" + std::string(type.word) + ";";
    const auto standardOnes = [&](std::string_view name) { return holdsWord(text, "std::" + std::string(name)); };
    for (const std::string_view function : functions)
        if (standardOnes(function))
            standard += " using ::" + std::string(function) + ";";
    for (const auto& [name, test] :
        {std::pair<std::string, std::string>{"max", "a < b ? b : a"}, {"min", "b < a ? b : a"}})
        if (standardOnes(name))
            standard += "\ntemplate <typename T> __device__ constexpr const T& " + name
                + "(const T& a, const T& b) { return " + test + "; }\n";
    if (standardOnes("size_t"))
        standard += " using ::size_t;";
    if (!standard.empty())
        lines += "namespace std {" + standard + " }\n";
    return lines.empty() ? lines : "// Out of standard headers, which a device compiler does not have.\n" + lines;
}

} // namespace tilewright
