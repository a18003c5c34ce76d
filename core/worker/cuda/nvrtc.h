// SPDX-License-Identifier: Apache-2.0
// NVRTC, loaded at run time: the program starts and says a clear word where there is none. The few types are declared
// by hand (NVRTC's API is stable since CUDA 7), so that no CUDA header is needed to build.
#pragma once

#include "core/base/result.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace tilewright {

struct NvrtcJob {
    std::string source, fileName;
    std::map<std::string, std::string> headers; ///< by the name they are included by
    std::vector<std::string> options, expressions;
};

struct NvrtcResult {
    int code = 0; ///< 0: compiled; 6: the source is wrong
    std::string log, cubin, ptx;
    std::map<std::string, std::string> lowered;
};

class Nvrtc
{
public:
    /// Errors: build/no-nvrtc.
    static Result<std::unique_ptr<Nvrtc>> load(const std::string& library);
    int version() const { return m_version; } ///< 1000 × major + 10 × minor
    /// Compute capabilities that it compiles for, 90 for 9.0; empty where it does not say.
    const std::vector<int>& architectures() const { return m_architectures; }
    NvrtcResult compile(const NvrtcJob& job) const;

private:
    using Program = struct NvrtcProgramOpaque*;
    Nvrtc() = default;
    std::string text(Program program, int (*sizeOf)(Program, std::size_t*), int (*get)(Program, char*)) const;

    int m_version = 0;
    std::vector<int> m_architectures;
    int (*m_create)(Program*, const char*, const char*, int, const char* const*, const char* const*) = nullptr;
    int (*m_destroy)(Program*) = nullptr;
    int (*m_compile)(Program, int, const char* const*) = nullptr;
    int (*m_logSize)(Program, std::size_t*) = nullptr;
    int (*m_log)(Program, char*) = nullptr;
    int (*m_cubinSize)(Program, std::size_t*) = nullptr;
    int (*m_cubin)(Program, char*) = nullptr;
    int (*m_ptxSize)(Program, std::size_t*) = nullptr;
    int (*m_ptx)(Program, char*) = nullptr;
    int (*m_addName)(Program, const char*) = nullptr;
    int (*m_loweredName)(Program, const char*, const char**) = nullptr;
};

} // namespace tilewright
