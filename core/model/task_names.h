// SPDX-License-Identifier: GPL-3.0-or-later
// The words of task.json for the enumerations of task.h.
#pragma once

#include "core/base/names.h"
#include "core/model/task.h"

namespace tilewright {

inline constexpr NameTable<Dtype, 9> dtypes{
    {{Dtype::Fp64, "fp64"}, {Dtype::Fp32, "fp32"}, {Dtype::Tf32, "tf32"}, {Dtype::Fp16, "fp16"}, {Dtype::Bf16, "bf16"},
        {Dtype::E4m3, "e4m3"}, {Dtype::E5m2, "e5m2"}, {Dtype::Int8, "int8"}, {Dtype::Int32, "int32"}}};
inline constexpr NameTable<Target, 3> targets{
    {{Target::Cpp, "cpp"}, {Target::Cuda, "cuda"}, {Target::Outside, "outside"}}};
inline constexpr NameTable<InputKind, 4> inputKinds{{{InputKind::Normal, "normal"}, {InputKind::Scaled, "scaled"},
    {InputKind::Mixed, "mixed"}, {InputKind::Integer, "integer"}}};
inline constexpr NameTable<NumericBound, 4> numericBounds{{{NumericBound::Product, "product"},
    {NumericBound::Sum, "sum"}, {NumericBound::Ulp, "ulp"}, {NumericBound::Exact, "exact"}}};

} // namespace tilewright
