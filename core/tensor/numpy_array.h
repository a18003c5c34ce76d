// SPDX-License-Identifier: GPL-3.0-or-later
// Arrays in NumPy's .npy form (NEP 1): numbers, and lists of such arrays, which NumPy pickles. A pickle is read as
// data: nothing in it is called. Pure.
#pragma once

#include "core/tensor/coefficient.h"

#include "core/base/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace tilewright::tensor {

/// Numbers in row-major order, or arrays.
struct NumpyArray {
    std::vector<std::size_t> shape;
    std::vector<Coefficient> values; ///< of an array of numbers: as many as the shape says
    std::vector<NumpyArray> arrays; ///< of a list of arrays

    bool operator==(const NumpyArray&) const = default;

    bool isList() const { return !arrays.empty(); }
};

inline constexpr std::size_t mostNumbers = 200'000; ///< of an array

/// Types: bool, int8 to int64, unsigned ones, float32, float64, complex64, complex128, and objects that are arrays.
/// Errors: tensor/file; a number that is no Coefficient is one too.
Result<NumpyArray> numpyArrayIn(std::string_view bytes);

/// As .npy: of int8 where all are small integers, else of int32, float64 or complex128; a list as an array of objects.
/// A fraction that is no double is rounded: callers check the result by reading it.
std::string numpyBytes(const NumpyArray& array);

} // namespace tilewright::tensor
