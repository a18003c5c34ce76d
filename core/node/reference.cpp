// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/node/reference.h"

#include <dlfcn.h>

namespace tilewright {

Result<std::shared_ptr<const Reference>> Reference::load(const Builder& builder, const TaskPack& pack)
{
    const auto path = builder.buildReference(pack);
    if (!path)
        return std::unexpected(path.error());
    void* library = dlopen(path->c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return fail("task/reference", std::string("the task's reference cannot be loaded: ") + dlerror());
    const auto function = reinterpret_cast<Function>(dlsym(library, "tilewright_reference_entry"));
    if (!function) {
        dlclose(library);
        return fail("task/reference", "the task's reference does not define tilewright_reference");
    }
    return std::shared_ptr<const Reference>(new Reference(library, function));
}

Reference::~Reference() { dlclose(m_library); }

std::vector<ReferenceProduct> Reference::outputs(
    const Task& task, const Shape& shape, const std::vector<std::span<const float>>& inputs) const
{
    std::vector<ReferenceProduct> found;
    for (const Tensor& tensor : task.tensors)
        if (tensor.role == TensorRole::Output) {
            const auto elements = static_cast<std::size_t>(task.elementsOf(tensor, shape));
            found.push_back({std::vector<double>(elements), std::vector<double>(elements)});
        }
    std::vector<const float*> from;
    for (const std::span<const float> input : inputs)
        from.push_back(input.data());
    std::vector<double*> values, magnitudes;
    for (ReferenceProduct& output : found) {
        values.push_back(output.values.data());
        magnitudes.push_back(output.magnitudes.data());
    }
    const std::vector<std::int32_t> dims(shape.begin(), shape.end());
    m_function(dims.data(), from.data(), values.data(), magnitudes.data());
    return found;
}

} // namespace tilewright
