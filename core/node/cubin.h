// SPDX-License-Identifier: Apache-2.0
// What a cubin says about itself, read off its ELF file: symbols with their initial contents, variables, kernels with
// what they need. Total: any bytes give a result or an error. Pure.
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright {

struct CubinKernel {
    std::string name;
    int registers = 0;
    std::int64_t staticShared = 0, frameBytes = 0, codeBytes = 0; ///< frame: local memory of a thread
    int parameters = 0;
    std::int64_t parameterBytes = 0; ///< of the first one
};

struct CubinSymbol {
    std::string name;
    bool undefined = false, isFunction = false;
    std::string_view bytes; ///< initial contents of a variable; empty where there are none in the file
};

/// A place in the GPU's memory that a program may write to and that outlives its launches.
struct CubinVariable {
    std::string name;
    bool isInitialised = false; ///< with contents in the file, else zeros
};

class Cubin
{
public:
    /// The bytes must outlive the result. Errors: build/object.
    static Result<Cubin> parse(std::string_view bytes);

    const std::vector<CubinKernel>& kernels() const { return m_kernels; }
    const std::vector<CubinSymbol>& symbols() const { return m_symbols; }
    const CubinKernel* kernel(std::string_view name) const;
    const CubinSymbol* symbol(std::string_view name) const;
    const std::vector<CubinVariable>& variables() const { return m_variables; }

private:
    std::vector<CubinKernel> m_kernels;
    std::vector<CubinSymbol> m_symbols;
    std::vector<CubinVariable> m_variables;
};

/// Errors: build/undefined-symbol (malloc, vprintf, …).
Result<void> checkCubin(const Cubin& cubin);

} // namespace tilewright
