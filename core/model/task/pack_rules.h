// SPDX-License-Identifier: Apache-2.0
// What kernels/README.md asks of a pack's folder beyond fields that can be read. Loading a folder keeps these rules; a
// session's own copy of its pack is read without them, so that one from before a rule still opens.
#pragma once

#include "core/base/names.h"
#include "core/model/task/task.h"

#include <string>
#include <string_view>

namespace tilewright {

/// Every field is there, even where it is empty: what is left out cannot be told from what was forgotten. Takes
/// task.json as it was read. Errors: task/file, with file, field and reason.
Result<void> checkComplete(const std::string& json);
/// The pack is named as its folder. Errors as above.
Result<void> checkName(const std::filesystem::path& folder, const Task& task);
/// Each axis is `code_bytes`, or `tunables:` and an expression over tunables and other whole constants that the seed or
/// a move has. Errors as above.
Result<void> checkNiches(const TaskPack& pack);

// The words of task.json for the enumerations of task.h.

inline constexpr NameTable<Dtype, 9> dtypes{
    {{Dtype::Fp64, "fp64"}, {Dtype::Fp32, "fp32"}, {Dtype::Tf32, "tf32"}, {Dtype::Fp16, "fp16"}, {Dtype::Bf16, "bf16"},
        {Dtype::E4m3, "e4m3"}, {Dtype::E5m2, "e5m2"}, {Dtype::Int8, "int8"}, {Dtype::Int32, "int32"}}};
inline constexpr NameTable<Target, 3> targets{
    {{Target::Cpp, "cpp"}, {Target::Cuda, "cuda"}, {Target::Outside, "outside"}}};
inline constexpr NameTable<InputKind, 4> inputKinds{{{InputKind::Normal, "normal"}, {InputKind::Scaled, "scaled"},
    {InputKind::Mixed, "mixed"}, {InputKind::Integer, "integer"}}};
inline constexpr NameTable<NumericBound, 4> numericBounds{{{NumericBound::Product, "product"},
    {NumericBound::Sum, "sum"}, {NumericBound::Ulp, "ulp"}, {NumericBound::Exact, "exact"}}};

// Which options a task may give to its candidates' compiler: those that choose optimisations and instructions, and
// nothing that loads code, reads files or changes what a result means.

enum class FastMath { Refused, Allowed };

/// Why the option may not be given; empty if it may.
std::string objectionToOption(std::string_view option, FastMath fastMath);

} // namespace tilewright
