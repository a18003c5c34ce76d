// SPDX-License-Identifier: Apache-2.0
// Tilewright's own kernels: they draw inputs, poison, scrub, hold the stream, probe the clock and check results. The
// node's build worker compiles them, a GPU worker launches them by name. Tensors of fp32, bf16 or fp16; products, and
// any other operation that a reference tells the truth of.
#pragma once

#include "core/protocol/gpu_messages.h"

namespace tilewright {

constexpr const char* gpuKernelText =
#include "core/protocol/gpu_kernels.cu.inc"
    ;

/// How large whole numbers are drawn as inputs, from minus that. A product that is rounded to bf16 would hide sums that
/// are rounded on their way if they were as small as elsewhere: so large that halves and parts of them are no halves'
/// and no bf16's any more, and so small that single precision holds each sum, in any order, up to a depth of 17 458.
inline int largestWholeNumber(const GpuFormats& formats)
{
    return formats.product && formats.out == GpuElement::Bf16 ? 31 : 2;
}

/// The kernels for tensors of these formats.
inline std::string gpuKernels(const GpuFormats& formats)
{
    const auto name = [](GpuElement element) {
        return element == GpuElement::Bf16 ? "bf16" : element == GpuElement::Fp16 ? "fp16" : "fp32";
    };
    return std::string("#define TW_IN ") + name(formats.in) + "\n#define TW_OUT " + name(formats.out)
        + "\n#define TW_WHOLE " + std::to_string(largestWholeNumber(formats)) + "\n" + gpuKernelText;
}

} // namespace tilewright
