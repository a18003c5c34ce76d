// SPDX-License-Identifier: Apache-2.0
#include "core/worker/cuda/driver.h"

#include "core/protocol/gpu_trouble.h"

#include <algorithm>
#include <dlfcn.h>

namespace tilewright::cu {

Result<std::unique_ptr<Driver>> Driver::load()
{
    void* library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_GLOBAL);
    if (!library)
        return fail("device/no-driver", "there is no NVIDIA driver on this machine (libcuda.so.1 cannot be loaded)",
            gpuRemedy("device/no-driver"));
    std::unique_ptr<Driver> driver(new Driver);
    std::string missing;
    const auto bind = [&](const char* name, auto& function) {
        function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
        if (!function && missing.empty())
            missing = name;
    };
    bind("cuInit", driver->init);
    bind("cuDriverGetVersion", driver->driverGetVersion);
    bind("cuDeviceGetCount", driver->deviceGetCount);
    bind("cuDeviceGet", driver->deviceGet);
    bind("cuDeviceGetName", driver->deviceGetName);
    bind("cuDeviceGetUuid_v2", driver->deviceGetUuid);
    bind("cuDeviceTotalMem_v2", driver->deviceTotalMem);
    bind("cuDeviceGetAttribute", driver->deviceGetAttribute);
    bind("cuDevicePrimaryCtxSetFlags_v2", driver->primaryCtxSetFlags);
    bind("cuDevicePrimaryCtxRetain", driver->primaryCtxRetain);
    bind("cuCtxSetCurrent", driver->ctxSetCurrent);
    bind("cuCtxSynchronize", driver->ctxSynchronize);
    bind("cuCtxSetLimit", driver->ctxSetLimit);
    bind("cuCtxResetPersistingL2Cache", driver->ctxResetPersistingL2);
    bind("cuModuleLoadData", driver->moduleLoadData);
    bind("cuModuleUnload", driver->moduleUnload);
    bind("cuModuleGetFunction", driver->moduleGetFunction);
    bind("cuFuncSetAttribute", driver->funcSetAttribute);
    bind("cuFuncGetAttribute", driver->funcGetAttribute);
    bind("cuMemAlloc_v2", driver->memAlloc);
    bind("cuMemFree_v2", driver->memFree);
    bind("cuMemGetAddressRange_v2", driver->memGetAddressRange);
    bind("cuIpcGetMemHandle", driver->ipcGetMemHandle);
    bind("cuIpcOpenMemHandle_v2", driver->ipcOpenMemHandle);
    bind("cuIpcCloseMemHandle", driver->ipcCloseMemHandle);
    bind("cuMemHostAlloc", driver->memHostAlloc);
    bind("cuMemcpyDtoH_v2", driver->memcpyDtoH);
    bind("cuMemcpyDtoHAsync_v2", driver->memcpyDtoHAsync);
    bind("cuMemcpyHtoD_v2", driver->memcpyHtoD);
    bind("cuMemcpyDtoDAsync_v2", driver->memcpyDtoDAsync);
    bind("cuMemsetD8Async", driver->memsetD8Async);
    bind("cuMemsetD32Async", driver->memsetD32Async);
    bind("cuStreamCreate", driver->streamCreate);
    bind("cuStreamSynchronize", driver->streamSynchronize);
    bind("cuStreamWaitEvent", driver->streamWaitEvent);
    bind("cuStreamBeginCapture_v2", driver->streamBeginCapture);
    bind("cuStreamEndCapture", driver->streamEndCapture);
    bind("cuGraphInstantiateWithFlags", driver->graphInstantiate);
    bind("cuGraphUpload", driver->graphUpload);
    bind("cuGraphLaunch", driver->graphLaunch);
    bind("cuGraphDestroy", driver->graphDestroy);
    bind("cuGraphExecDestroy", driver->graphExecDestroy);
    bind("cuEventCreate", driver->eventCreate);
    bind("cuEventDestroy_v2", driver->eventDestroy);
    bind("cuEventRecord", driver->eventRecord);
    bind("cuEventRecordWithFlags", driver->eventRecordWithFlags);
    bind("cuEventSynchronize", driver->eventSynchronize);
    bind("cuEventElapsedTime", driver->eventElapsedTime);
    bind("cuLaunchKernelEx", driver->launchKernelEx);
    bind("cuMemGetAllocationGranularity", driver->memGetAllocationGranularity);
    bind("cuMemAddressReserve", driver->memAddressReserve);
    bind("cuMemAddressFree", driver->memAddressFree);
    bind("cuMemCreate", driver->memCreate);
    bind("cuMemMap", driver->memMap);
    bind("cuMemSetAccess", driver->memSetAccess);
    bind("cuMemUnmap", driver->memUnmap);
    bind("cuMemRelease", driver->memRelease);
    bind("cuGetErrorName", driver->m_errorName);
    bind("cuGetErrorString", driver->m_errorString);
    if (!missing.empty())
        return fail("device/driver-too-old", "the NVIDIA driver is too old: it has no " + missing,
            gpuRemedy("device/driver-too-old"));
    bind("cuTensorMapEncodeTiled", driver->tensorMapEncodeTiled); // may stay null
    if (const Code code = driver->init(0); code != 0) {
        Error error = driver->error(code, "the NVIDIA driver cannot be initialised");
        if (!error.code.starts_with("device/"))
            error.code = "device/driver";
        error.hint = gpuRemedy(error.code);
        return std::unexpected(std::move(error));
    }
    return driver;
}

Error Driver::error(Code code, const std::string& what) const
{
    const char *name = nullptr, *text = nullptr;
    if (m_errorName(code, &name) != 0 || !name)
        name = "unknown error";
    if (m_errorString(code, &text) != 0 || !text)
        text = "";
    return {gpuRuleOf(code), what + ": " + name + (*text ? std::string(" (") + text + ")" : std::string()), "",
        {{"cuda_error", code}, {"name", name}}};
}

bool Driver::isSticky(Code code)
{
    constexpr Code sticky[] = {46, 214, 220, 700, 702, 709, 710, 714, 715, 716, 717, 718, 719, 721, 722, 999};
    return std::ranges::find(sticky, code) != std::end(sticky);
}

} // namespace tilewright::cu
