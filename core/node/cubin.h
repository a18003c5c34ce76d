// SPDX-License-Identifier: GPL-3.0-or-later
// What a cubin says about itself, read off its ELF file: symbols with their initial contents, kernels with what they
// need. Total: any bytes give a result or an error. Pure.
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

class Cubin
{
public:
    /// The bytes must outlive the result. Errors: build/object.
    static Result<Cubin> parse(std::string_view bytes);

    const std::vector<CubinKernel>& kernels() const { return m_kernels; }
    const std::vector<CubinSymbol>& symbols() const { return m_symbols; }
    const CubinKernel* kernel(std::string_view name) const;
    const CubinSymbol* symbol(std::string_view name) const;
    std::int64_t writableBytes() const { return m_writableBytes; } ///< variables without initial contents
    std::int64_t initialisedBytes() const { return m_initialisedBytes; }

private:
    std::vector<CubinKernel> m_kernels;
    std::vector<CubinSymbol> m_symbols;
    std::int64_t m_writableBytes = 0, m_initialisedBytes = 0;
};

/// Errors: build/undefined-symbol (malloc, vprintf, …).
Result<void> checkCubin(const Cubin& cubin);

} // namespace tilewright
