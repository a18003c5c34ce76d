// SPDX-License-Identifier: Apache-2.0
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

    /// Of every output of the task, in their order.
    std::vector<ReferenceProduct> outputs(
        const Task& task, const Shape& shape, const std::vector<std::span<const float>>& inputs) const;

private:
    /// The entry that referenceFooter() puts behind every reference.
    using Function
        = void (*)(const void* dims, const float* const* inputs, double* const* outputs, double* const* magnitudes);
    Reference(void* library, Function function)
        : m_library(library)
        , m_function(function)
    {
    }
    void* m_library;
    Function m_function;
};

} // namespace tilewright
