// SPDX-License-Identifier: Apache-2.0
#include "core/worker/cuda/nvrtc.h"

#include <dlfcn.h>

namespace tilewright {
namespace {

template <typename Function> bool bind(void* library, const char* name, Function& function)
{
    function = reinterpret_cast<Function>(dlsym(library, name));
    return function != nullptr;
}

} // namespace

Result<std::unique_ptr<Nvrtc>> Nvrtc::load(const std::string& library)
{
    void* handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle)
        return fail("build/no-nvrtc", std::string("NVRTC cannot be loaded: ") + dlerror(),
            "install the CUDA toolkit, or set CUDA_HOME to it");
    std::unique_ptr<Nvrtc> nvrtc(new Nvrtc);
    int (*version)(int*, int*) = nullptr;
    const bool bound = bind(handle, "nvrtcVersion", version) && bind(handle, "nvrtcCreateProgram", nvrtc->m_create)
        && bind(handle, "nvrtcDestroyProgram", nvrtc->m_destroy)
        && bind(handle, "nvrtcCompileProgram", nvrtc->m_compile)
        && bind(handle, "nvrtcGetProgramLogSize", nvrtc->m_logSize) && bind(handle, "nvrtcGetProgramLog", nvrtc->m_log)
        && bind(handle, "nvrtcGetCUBINSize", nvrtc->m_cubinSize) && bind(handle, "nvrtcGetCUBIN", nvrtc->m_cubin)
        && bind(handle, "nvrtcGetPTXSize", nvrtc->m_ptxSize) && bind(handle, "nvrtcGetPTX", nvrtc->m_ptx)
        && bind(handle, "nvrtcAddNameExpression", nvrtc->m_addName)
        && bind(handle, "nvrtcGetLoweredName", nvrtc->m_loweredName);
    if (!bound)
        return fail("build/no-nvrtc", "this NVRTC is too old: " + library + " lacks functions of CUDA 11.1",
            "install a newer CUDA toolkit");
    int (*count)(int*) = nullptr; // both since CUDA 11.2
    int (*architectures)(int*) = nullptr;
    int known = 0;
    if (bind(handle, "nvrtcGetNumSupportedArchs", count) && bind(handle, "nvrtcGetSupportedArchs", architectures)
        && count(&known) == 0 && known > 0) {
        nvrtc->m_architectures.resize(static_cast<std::size_t>(known));
        if (architectures(nvrtc->m_architectures.data()) != 0)
            nvrtc->m_architectures.clear();
    }
    int major = 0, minor = 0;
    version(&major, &minor);
    nvrtc->m_version = 1000 * major + 10 * minor;
    return nvrtc;
}

std::string Nvrtc::text(Program program, int (*sizeOf)(Program, std::size_t*), int (*get)(Program, char*)) const
{
    std::size_t size = 0;
    if (sizeOf(program, &size) != 0 || size == 0)
        return {};
    std::string bytes(size, '\0');
    return get(program, bytes.data()) == 0 ? bytes : std::string();
}

NvrtcResult Nvrtc::compile(const NvrtcJob& job) const
{
    NvrtcResult result;
    std::vector<const char*> names, texts, options;
    for (const auto& [name, header] : job.headers) {
        names.push_back(name.c_str());
        texts.push_back(header.c_str());
    }
    for (const std::string& option : job.options)
        options.push_back(option.c_str());
    Program program = nullptr;
    result.code = m_create(
        &program, job.source.c_str(), job.fileName.c_str(), static_cast<int>(names.size()), texts.data(), names.data());
    if (result.code != 0)
        return result;
    for (const std::string& expression : job.expressions)
        m_addName(program, expression.c_str());
    result.code = m_compile(program, static_cast<int>(options.size()), options.data());
    result.log = text(program, m_logSize, m_log);
    while (result.log.ends_with('\0'))
        result.log.pop_back();
    if (result.code == 0) {
        result.cubin = text(program, m_cubinSize, m_cubin);
        result.ptx = text(program, m_ptxSize, m_ptx);
        for (const std::string& expression : job.expressions)
            if (const char* name = nullptr; m_loweredName(program, expression.c_str(), &name) == 0 && name)
                result.lowered[expression] = name;
    }
    m_destroy(&program);
    return result;
}

} // namespace tilewright
