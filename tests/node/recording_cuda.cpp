// SPDX-License-Identifier: GPL-3.0-or-later
// NVIDIA's driver as far as an exported program uses it: one GPU with the facts of an H200, on which nothing runs. What
// would be launched is written down: tilewright_recorded_launches() gives it and begins anew.
#include <cstdint>
#include <cstring>
#include <map>
#include <string>

#define ENTRY(name)                                                                                                    \
    int name() { return 999; }

namespace {

struct LaunchAttribute {
    int id, padding;
    std::uint32_t value[16];
};
struct LaunchConfig {
    unsigned grid[3], block[3], sharedBytes;
    void* stream;
    LaunchAttribute* attributes;
    unsigned attributeCount;
};

std::string launches, taken;
std::map<std::string, int> functions; // names, by which a handle is told

} // namespace

extern "C" {

const char* tilewright_recorded_launches()
{
    taken = launches;
    launches.clear();
    return taken.c_str();
}

int cuInit(unsigned) { return 0; }

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

int cuCtxGetCurrent(void** context)
{
    static int one = 0;
    *context = &one;
    return 0;
}

int cuCtxGetDevice(int* device)
{
    *device = 0;
    return 0;
}

int cuDeviceGetAttribute(int* value, int which, int)
{
    const std::map<int, int> facts{{75, 9}, {76, 0}, {16, 132}, {38, 60 << 20}, {97, 232448}, {81, 233472}, {111, 1024},
        {82, 65536}, {39, 2048}, {106, 32}};
    const auto found = facts.find(which);
    *value = found == facts.end() ? 0 : found->second;
    return 0;
}

int cuModuleLoadData(void** module, const void* image)
{
    if (std::memcmp(image, "\177ELF", 4) != 0)
        return 200;
    static int one = 0;
    *module = &one;
    return 0;
}

int cuModuleUnload(void*) { return 0; }

int cuModuleGetFunction(void** function, void*, const char* name)
{
    const auto place = functions.emplace(name, 0).first;
    *function = const_cast<std::string*>(&place->first);
    return 0;
}

int cuFuncSetAttribute(void*, int, int) { return 0; }

int cuTensorMapEncodeTiled(
    void* map, int, unsigned, void* address, const void*, const void*, const void*, const void*, int, int, int, int)
{
    std::memset(map, 0, 128);
    std::memcpy(map, &address, sizeof address);

    return 0;
}

/// "KERNEL grid XxYxZ block X shared N stream S dims M,N,K at A,B,C,W", of a program with three dimensions and tensors.
int cuLaunchKernelEx(const LaunchConfig* config, void* function, void** arguments, void**)
{
    const auto* bytes = static_cast<const unsigned char*>(arguments[0]) + 8 * 128;
    std::int32_t dims[3];
    std::uint64_t addresses[4];
    std::memcpy(dims, bytes, sizeof dims);
    std::memcpy(addresses, bytes + 16, sizeof addresses);
    const auto list = [](const auto* values, int count, const char* between) {
        std::string text;
        for (int i = 0; i < count; ++i)
            text += (i > 0 ? between : "") + std::to_string(values[i]);
        return text;
    };
    launches += *static_cast<const std::string*>(function) + " grid " + list(config->grid, 3, "x") + " block "
        + list(config->block, 3, "x") + " shared " + std::to_string(config->sharedBytes) + " stream "
        + std::to_string(reinterpret_cast<std::uintptr_t>(config->stream)) + " dims " + list(dims, 3, ",") + " at "
        + list(addresses, 4, ",") + "\n";
    return 0;
}

ENTRY(cuDriverGetVersion)
ENTRY(cuDeviceGetCount)
ENTRY(cuDeviceGet)
ENTRY(cuDeviceGetName)
ENTRY(cuDeviceGetUuid_v2)
ENTRY(cuDeviceTotalMem_v2)
ENTRY(cuDevicePrimaryCtxSetFlags_v2)
ENTRY(cuDevicePrimaryCtxRetain)
ENTRY(cuCtxSetCurrent)
ENTRY(cuCtxSynchronize)
ENTRY(cuCtxSetLimit)
ENTRY(cuCtxResetPersistingL2Cache)
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
