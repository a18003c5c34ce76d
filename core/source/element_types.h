// SPDX-License-Identifier: Apache-2.0
// What an element of a tensor is called in each language that is written for it: one row a type. Pure.
#pragma once

#include "core/model/task/task.h"

#include <string>

namespace tilewright {

struct ElementType {
    Dtype dtype;
    /// As candidates spell it. 16- and 8-bit floats are freestanding structs that hold the bits (smallTypes()): g++ 12
    /// has none of its own, and the GPU's come with headers that cost a second.
    std::string program;
    std::string c; ///< in the plain C interface, with the same bits: 16- and 8-bit floats are unsigned integers
    std::string scalar; ///< of PyTorch in C++: a c10::ScalarType
    std::string torch; ///< of PyTorch in Python, below torch
};

const ElementType& elementType(Dtype dtype);

} // namespace tilewright
