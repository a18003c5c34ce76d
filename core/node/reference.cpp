// SPDX-License-Identifier: Apache-2.0
#include "core/node/reference.h"

#include <algorithm>
#include <cstdlib>
#include <dlfcn.h>
#include <new>

namespace tilewright {
namespace {

constexpr std::size_t tensorAlignment = 64; ///< of tensors, as programs are handed them

/// Inputs where a reference that loads whole vectors may take them: those that lie elsewhere are copied.
class AlignedInputs
{
public:
    explicit AlignedInputs(const std::vector<std::span<const float>>& inputs)
    {
        for (const std::span<const float> input : inputs) {
            if (reinterpret_cast<std::uintptr_t>(input.data()) % tensorAlignment == 0) {
                m_addresses.push_back(input.data());
                continue;
            }
            const std::size_t bytes = (input.size_bytes() + tensorAlignment - 1) / tensorAlignment * tensorAlignment;
            auto* room = static_cast<float*>(std::aligned_alloc(tensorAlignment, std::max(bytes, tensorAlignment)));
            if (!room)
                throw std::bad_alloc();
            m_copies.emplace_back(room, std::free);
            std::ranges::copy(input, room);
            m_addresses.push_back(room);
        }
    }

    const float* const* addresses() const { return m_addresses.data(); }

private:
    std::vector<std::unique_ptr<float, decltype(&std::free)>> m_copies;
    std::vector<const float*> m_addresses;
};

} // namespace

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
    const AlignedInputs from(inputs);
    std::vector<double*> values, magnitudes;
    for (ReferenceProduct& output : found) {
        values.push_back(output.values.data());
        magnitudes.push_back(output.magnitudes.data());
    }
    const std::vector<std::int32_t> dims(shape.begin(), shape.end());
    m_function(dims.data(), from.addresses(), values.data(), magnitudes.data());
    return found;
}

} // namespace tilewright
