// SPDX-License-Identifier: Apache-2.0
#include "core/model/task/task.h"

#include "core/base/expression.h"
#include "core/model/task/pack_rules.h"

#include <charconv>

namespace tilewright {
namespace {

Symbols symbolsOf(const Task& task, const Shape& shape)
{
    Symbols symbols;
    for (std::size_t i = 0; i < task.dims.size() && i < shape.size(); ++i)
        symbols[task.dims[i].name] = static_cast<double>(shape[i]);
    return symbols;
}

} // namespace

std::string nameOf(Dtype dtype) { return nameIn(dtypes, dtype); }
std::string nameOf(Target target) { return nameIn(targets, target); }
std::string nameOf(InputKind kind) { return nameIn(inputKinds, kind); }

double unitRoundoff(Dtype dtype)
{
    switch (dtype) {
    case Dtype::Fp64:
        return 0x1.0p-53;
    case Dtype::Fp32:
        return 0x1.0p-24;
    case Dtype::Tf32:
    case Dtype::Fp16:
        return 0x1.0p-11;
    case Dtype::Bf16:
        return 0x1.0p-8;
    case Dtype::E4m3:
        return 0x1.0p-4;
    case Dtype::E5m2:
        return 0x1.0p-3;
    case Dtype::Int8:
    case Dtype::Int32:
        return 0;
    }
    return 0;
}

std::size_t bytesOf(Dtype dtype)
{
    switch (dtype) {
    case Dtype::Fp64:
        return 8;
    case Dtype::Fp32:
    case Dtype::Tf32:
    case Dtype::Int32:
        return 4;
    case Dtype::Fp16:
    case Dtype::Bf16:
        return 2;
    case Dtype::E4m3:
    case Dtype::E5m2:
    case Dtype::Int8:
        return 1;
    }
    return 0;
}

std::string shapeText(const Shape& shape)
{
    std::string text;
    for (const std::int64_t extent : shape)
        text += (text.empty() ? "" : "×") + std::to_string(extent);
    return text;
}

double Task::flopsOf(const Shape& shape) const { return evaluate(flops, symbolsOf(*this, shape)).value_or(0); }

double Task::leastFlopsOf(const Shape& shape) const
{
    return flopsOf(shape) * (numeric.scheme ? leastWorkShare(*numeric.scheme) : 1);
}

double Task::bytesOf(const Shape& shape) const { return evaluate(bytes, symbolsOf(*this, shape)).value_or(0); }

std::optional<std::int64_t> fixedExtent(const std::string& extent)
{
    std::int64_t value = 0;
    const auto [end, problem] = std::from_chars(extent.data(), extent.data() + extent.size(), value);
    const bool isNumber = problem == std::errc{} && end == extent.data() + extent.size() && value >= 1
        && extent.front() >= '1' && extent.front() <= '9';
    return isNumber ? std::optional(value) : std::nullopt;
}

std::int64_t Task::extentOf(const std::string& extent, const Shape& shape) const
{
    for (std::size_t i = 0; i < dims.size() && i < shape.size(); ++i)
        if (dims[i].name == extent)
            return shape[i];
    return fixedExtent(extent).value_or(1);
}

std::int64_t Task::elementsOf(const Tensor& tensor, const Shape& shape) const
{
    std::int64_t elements = 1;
    for (const std::string& extent : tensor.shape)
        elements *= extentOf(extent, shape);
    return elements;
}

} // namespace tilewright
