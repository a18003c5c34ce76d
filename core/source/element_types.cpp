// SPDX-License-Identifier: Apache-2.0
#include "core/source/element_types.h"

#include <algorithm>
#include <vector>

namespace tilewright {

const ElementType& elementType(Dtype dtype)
{
    static const std::vector<ElementType> types{
        {Dtype::Fp64, "double", "double", "at::kDouble", "float64"},
        {Dtype::Fp32, "float", "float", "at::kFloat", "float32"},
        {Dtype::Tf32, "float", "float", "at::kFloat", "float32"},
        {Dtype::Fp16, "fp16", "uint16_t", "at::kHalf", "float16"},
        {Dtype::Bf16, "bf16", "uint16_t", "at::kBFloat16", "bfloat16"},
        {Dtype::E4m3, "e4m3", "uint8_t", "at::ScalarType::Float8_e4m3fn", "float8_e4m3fn"},
        {Dtype::E5m2, "e5m2", "uint8_t", "at::ScalarType::Float8_e5m2", "float8_e5m2"},
        {Dtype::Int8, "signed char", "int8_t", "at::kChar", "int8"},
        {Dtype::Int32, "int", "int32_t", "at::kInt", "int32"},
    };
    return *std::ranges::find(types, dtype, &ElementType::dtype);
}

} // namespace tilewright
