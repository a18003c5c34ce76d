// SPDX-License-Identifier: GPL-3.0-or-later
// NVIDIA's driver as far as a worker looks at it before it has a GPU. It sees none where CUDA_VISIBLE_DEVICES says so,
// and else says that it is not ready; with TILEWRIGHT_OLD_DRIVER it lacks what later ones have.
#include <cstdlib>

#define STUB(name)                                                                                                     \
    int name() { return 999; }

extern "C" {

int cuInit(unsigned)
{
    const char* visible = std::getenv("CUDA_VISIBLE_DEVICES");
    return visible && *visible == '\0' ? 100 : 802;
}

int cuGetErrorName(int, const char** name)
{
    *name = "CUDA_ERROR_FAKE";
    return 0;
}

int cuGetErrorString(int, const char** text)
{
    *text = "as a test has it";
    return 0;
}

#ifndef TILEWRIGHT_OLD_DRIVER
STUB(cuLaunchKernelEx)
#endif
STUB(cuDriverGetVersion)
STUB(cuDeviceGetCount)
STUB(cuDeviceGet)
STUB(cuDeviceGetName)
STUB(cuDeviceGetUuid_v2)
STUB(cuDeviceTotalMem_v2)
STUB(cuDeviceGetAttribute)
STUB(cuDevicePrimaryCtxSetFlags_v2)
STUB(cuDevicePrimaryCtxRetain)
STUB(cuCtxSetCurrent)
STUB(cuCtxSynchronize)
STUB(cuCtxSetLimit)
STUB(cuCtxResetPersistingL2Cache)
STUB(cuModuleLoadData)
STUB(cuModuleUnload)
STUB(cuModuleGetFunction)
STUB(cuFuncSetAttribute)
STUB(cuFuncGetAttribute)
STUB(cuMemAlloc_v2)
STUB(cuMemFree_v2)
STUB(cuMemGetAddressRange_v2)
STUB(cuIpcGetMemHandle)
STUB(cuIpcOpenMemHandle_v2)
STUB(cuIpcCloseMemHandle)
STUB(cuMemHostAlloc)
STUB(cuMemcpyDtoH_v2)
STUB(cuMemcpyDtoHAsync_v2)
STUB(cuMemcpyHtoD_v2)
STUB(cuMemcpyDtoDAsync_v2)
STUB(cuMemsetD8Async)
STUB(cuMemsetD32Async)
STUB(cuStreamCreate)
STUB(cuStreamSynchronize)
STUB(cuEventCreate)
STUB(cuEventDestroy_v2)
STUB(cuEventRecord)
STUB(cuEventSynchronize)
STUB(cuEventElapsedTime)
STUB(cuMemGetAllocationGranularity)
STUB(cuMemAddressReserve)
STUB(cuMemAddressFree)
STUB(cuMemCreate)
STUB(cuMemMap)
STUB(cuMemSetAccess)
STUB(cuMemUnmap)
STUB(cuMemRelease)
}
