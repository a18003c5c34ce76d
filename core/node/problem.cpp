// SPDX-License-Identifier: Apache-2.0
#include "core/node/problem.h"

#include "core/base/random.h"
#include "core/protocol/guest_control.h"
#include "core/source/candidate_header.h"

#include <algorithm>
#include <functional>

namespace tilewright {
namespace {

/// The types that a product may have whose vendor's library is called beside it.
bool isTypeOfProducts(Dtype dtype, Target target)
{
    return dtype == Dtype::Fp32 || (target == Target::Cuda && dtype == Dtype::Bf16);
}

/// C[m,n] = A[m,k] B[k,n], of whatever types.
bool hasFormOfProduct(const Task& task)
{
    const auto& t = task.tensors;
    return t.size() == 3 && t[0].role == TensorRole::Input && t[1].role == TensorRole::Input
        && t[2].role == TensorRole::Output
        && std::ranges::all_of(t, [](const Tensor& tensor) { return tensor.shape.size() == 2; })
        && task.numeric.bound == NumericBound::Product && t[0].shape[1] == task.numeric.reduction
        && t[1].shape[0] == task.numeric.reduction && t[0].shape[0] == t[2].shape[0] && t[1].shape[1] == t[2].shape[1];
}

/// Of a task that is not compared with a vendor's library, and names one.
std::string whyNoVendor(const Task& task)
{
    const auto other = std::ranges::find_if(
        task.tensors, [&](const Tensor& tensor) { return !isTypeOfProducts(tensor.dtype, task.target); });
    if (!hasFormOfProduct(task) || other == task.tensors.end())
        return "'" + task.vendor + "' can only be compared with products; vendor must be null";
    return "'" + task.vendor + "' is compared with products of "
        + (task.target == Target::Cuda ? "fp32 or bf16" : "fp32") + " only, and " + other->name + " is "
        + nameOf(other->dtype)
        + ": change the types of its tensors, or set vendor to null for an evaluation without a vendor library";
}

/// Inputs in front of the outputs, all of one type each, with sums in fp32.
Result<void> checkGpuOperation(
    const Task& task, const std::function<std::unexpected<Error>(const std::string&)>& refused)
{
    constexpr std::size_t mostTensors = 7; // and a workspace
    if (task.tensors.size() > mostTensors)
        return refused("it has " + std::to_string(task.tensors.size()) + " tensors, at most "
            + std::to_string(mostTensors) + " are possible");
    const Tensor* first[2] = {};
    for (const Tensor& tensor : task.tensors) {
        const bool output = tensor.role == TensorRole::Output;
        if (tensor.dtype != Dtype::Fp32 && tensor.dtype != Dtype::Bf16 && tensor.dtype != Dtype::Fp16)
            return refused(tensor.name + " is " + nameOf(tensor.dtype) + ": on a GPU tensors are fp32, bf16 or fp16"
                + (hasFormOfProduct(task) ? ", and for a product with a vendor library fp32 or bf16" : ""));
        if (!output && first[1])
            return refused("the input " + tensor.name + " follows an output");
        if (first[output] && first[output]->dtype != tensor.dtype)
            return refused(std::string("not all of its ") + (output ? "outputs" : "inputs") + " have one type");
        first[output] = &tensor;
    }
    if (task.numeric.accumulate != Dtype::Fp32)
        return refused("numeric.accumulate is not fp32");
    if (!task.vendor.empty())
        return refused(whyNoVendor(task));
    return {};
}

} // namespace

Result<void> checkIsProduct(const Task& task)
{
    const bool gpu = task.target == Target::Cuda;
    if (gpu && task.numeric.allowTf32)
        return fail("task/unsupported",
            "the task '" + task.name
                + "' allows TF32, and this version cannot check products whose inputs are rounded to it",
            "remove \"tf32\" from numeric.allow: fp32 is then checked as fp32, bf16 as bf16");
    const auto& t = task.tensors;
    const bool product = hasFormOfProduct(task) && t[0].dtype == t[1].dtype && task.numeric.accumulate == Dtype::Fp32
        && std::ranges::all_of(t, [&](const Tensor& tensor) { return isTypeOfProducts(tensor.dtype, task.target); });
    if ((task.target != Target::Cpp && !gpu) || !product)
        return fail("task/unsupported",
            "the task '" + task.name + "' cannot be evaluated on the " + (gpu ? "GPU" : "CPU") + " by this version",
            "it evaluates products C[m,n] = A[m,k] B[k,n] with sums in fp32: of fp32 with target cpp or cuda, of bf16 "
            "with target cuda");
    return {};
}

bool isProduct(const Task& task) { return checkIsProduct(task).has_value(); }

Result<void> checkCanBeEvaluated(const Task& task)
{
    const auto product = checkIsProduct(task);
    if (product || task.target == Target::Outside)
        return product;
    if (task.target == Target::Cuda && task.numeric.allowTf32)
        return product;
    const auto refused = [&](const std::string& why) {
        return fail("task/unsupported", "the task '" + task.name + "' cannot be evaluated by this version: " + why,
            "it evaluates products of fp32 (on a GPU also bf16) with a vendor library, and any operation on fp32 "
            "tensors (on a GPU also fp16 and bf16) without one");
    };
    if (task.target == Target::Cuda)
        return checkGpuOperation(task, refused);
    for (const Tensor& tensor : task.tensors)
        if (tensor.dtype != Dtype::Fp32)
            return refused(tensor.name + " is " + nameOf(tensor.dtype) + ": on the CPU all tensors are fp32");
    if (task.numeric.accumulate != Dtype::Fp32)
        return refused("numeric.accumulate is not fp32");
    if (task.tensors.size() + otherRegions > mostRegions)
        return refused("it has " + std::to_string(task.tensors.size()) + " tensors, at most "
            + std::to_string(mostRegions - otherRegions) + " are possible");
    if (argsBytes(Shape(task.dims.size()), std::vector<std::uint64_t>(task.tensors.size()), 0, 0).size()
        > sizeof(GuestControl::args))
        return refused("it has too many dimensions");
    if (!task.vendor.empty())
        return refused(whyNoVendor(task));
    return {};
}

ProductShape outputShape(const Task& task, const Tensor& output, const Shape& shape)
{
    ProductShape extents;
    extents.columns = task.extentOf(output.shape.back(), shape);
    extents.rows = task.elementsOf(output, shape) / std::max<std::int64_t>(1, extents.columns);
    const bool sums = task.numeric.bound == NumericBound::Product || task.numeric.bound == NumericBound::Sum;
    extents.depth = sums ? task.extentOf(task.numeric.reduction, shape) : 1;
    return extents;
}

ProductShape productShape(const Task& task, const Shape& shape)
{
    const Tensor &a = task.tensors[0], &b = task.tensors[1];
    return {task.extentOf(a.shape[0], shape), task.extentOf(b.shape[1], shape), task.extentOf(a.shape[1], shape)};
}

std::vector<Shape> unannouncedShapes(const Task& task, std::uint64_t seed, int count)
{
    static constexpr std::int64_t primes[]
        = {2, 3, 5, 7, 11, 13, 19, 23, 29, 31, 37, 43, 47, 53, 61, 67, 71, 79, 83, 89, 97, 101};
    std::vector<Shape> shapes;
    if (std::ranges::any_of(task.dims, [](const Dimension& dim) { return dim.multiple > 1; }))
        return shapes;
    CounterRandom random(seed, 17, 0);
    for (int i = 0; i < count; ++i) {
        const Shape& near = task.train[random.below(task.train.size())];
        Shape shape;
        for (std::size_t d = 0; d < task.dims.size(); ++d) {
            const std::int64_t prime = primes[random.below(std::size(primes))];
            const std::int64_t beside = std::min<std::int64_t>(near[d], 192) + (random.below(2) ? 1 : -1);
            shape.push_back(std::max(task.dims[d].min, random.below(2) ? prime : beside));
        }
        shapes.push_back(std::move(shape));
    }
    return shapes;
}

} // namespace tilewright
