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
    const auto function = reinterpret_cast<Function>(dlsym(library, "tilewright_reference"));
    if (!function) {
        dlclose(library);
        return fail("task/reference", "the task's reference does not define tilewright_reference");
    }
    return std::shared_ptr<const Reference>(new Reference(library, function));
}

Reference::~Reference() { dlclose(m_library); }

ReferenceProduct Reference::product(
    const Task& task, const Shape& shape, std::span<const float> a, std::span<const float> b) const
{
    const ProductShape extents = productShape(task, shape);
    ReferenceProduct product;
    product.values.resize(static_cast<std::size_t>(extents.sizeC()));
    product.magnitudes.resize(product.values.size());
    const std::vector<std::int32_t> dims(shape.begin(), shape.end());
    m_function(dims.data(), a.data(), b.data(), product.values.data(), product.magnitudes.data());
    return product;
}

} // namespace tilewright
