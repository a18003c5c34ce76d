// SPDX-License-Identifier: GPL-3.0-or-later
// NVIDIA's driver as far as a worker looks at it before it has a GPU. It sees none where CUDA_VISIBLE_DEVICES says so,
// and else says that it is not ready; with TILEWRIGHT_OLD_DRIVER it lacks what later ones have.
#include <cstdlib>

#define ENTRY(name)                                                                                                    \
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
ENTRY(cuLaunchKernelEx)
#endif
ENTRY(cuDriverGetVersion)
ENTRY(cuDeviceGetCount)
ENTRY(cuDeviceGet)
ENTRY(cuDeviceGetName)
ENTRY(cuDeviceGetUuid_v2)
ENTRY(cuDeviceTotalMem_v2)
ENTRY(cuDeviceGetAttribute)
ENTRY(cuDevicePrimaryCtxSetFlags_v2)
ENTRY(cuDevicePrimaryCtxRetain)
ENTRY(cuCtxSetCurrent)
ENTRY(cuCtxSynchronize)
ENTRY(cuCtxSetLimit)
ENTRY(cuCtxResetPersistingL2Cache)
ENTRY(cuModuleLoadData)
ENTRY(cuModuleUnload)
ENTRY(cuModuleGetFunction)
ENTRY(cuFuncSetAttribute)
ENTRY(cuFuncGetAttribute)
ENTRY(cuMemAlloc_v2)
ENTRY(cuMemFree_v2)
ENTRY(cuMemGetAddressRange_v2)
ENTRY(cuIpcGetMemHandle)
ENTRY(cuIpcOpenMemHandle_v2)
ENTRY(cuIpcCloseMemHandle)
ENTRY(cuMemHostAlloc)
ENTRY(cuMemcpyDtoH_v2)
ENTRY(cuMemcpyDtoHAsync_v2)
ENTRY(cuMemcpyHtoD_v2)
ENTRY(cuMemcpyDtoDAsync_v2)
ENTRY(cuMemsetD8Async)
ENTRY(cuMemsetD32Async)
ENTRY(cuStreamCreate)
ENTRY(cuStreamSynchronize)
ENTRY(cuStreamWaitEvent)
ENTRY(cuStreamBeginCapture_v2)
ENTRY(cuStreamEndCapture)
ENTRY(cuGraphInstantiateWithFlags)
ENTRY(cuGraphUpload)
ENTRY(cuGraphLaunch)
ENTRY(cuGraphDestroy)
ENTRY(cuGraphExecDestroy)
ENTRY(cuEventCreate)
ENTRY(cuEventDestroy_v2)
ENTRY(cuEventRecord)
ENTRY(cuEventRecordWithFlags)
ENTRY(cuEventSynchronize)
ENTRY(cuEventElapsedTime)
ENTRY(cuMemGetAllocationGranularity)
ENTRY(cuMemAddressReserve)
ENTRY(cuMemAddressFree)
ENTRY(cuMemCreate)
ENTRY(cuMemMap)
ENTRY(cuMemSetAccess)
ENTRY(cuMemUnmap)
ENTRY(cuMemRelease)
}
