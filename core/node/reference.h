// SPDX-License-Identifier: GPL-3.0-or-later
// The task's plain reference, built from its pack and loaded into the node: trusted code that defines the truth.
#pragma once

#include "core/node/builder.h"
#include "core/node/gates.h"

#include <memory>

namespace tilewright {

class Reference
{
public:
    /// Errors: task/reference.
    static Result<std::shared_ptr<const Reference>> load(const Builder& builder, const TaskPack& pack);
    ~Reference();
    Reference(const Reference&) = delete;
    Reference& operator=(const Reference&) = delete;

    ReferenceProduct product(
        const Task& task, const Shape& shape, std::span<const float> a, std::span<const float> b) const;

private:
    using Function = void (*)(const void* dims, const float* a, const float* b, double* c, double* magnitude);
    Reference(void* library, Function function)
        : m_library(library)
        , m_function(function)
    {
    }
    void* m_library;
    Function m_function;
};

} // namespace tilewright
