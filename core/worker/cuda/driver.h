// SPDX-License-Identifier: Apache-2.0
// The CUDA driver API, as much of it as a GPU worker needs: loaded at run time and declared by hand, so that Tilewright
// builds and starts where there is no CUDA. Values and layouts are those of cuda.h (ABI-stable since CUDA 12.0).
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <memory>
#include <string>

namespace tilewright::cu {

using Code = int; ///< CUresult
using Device = int;
using Pointer = std::uint64_t; ///< CUdeviceptr
using Context = struct CUctx_st*;
using Module = struct CUmod_st*;
using Function = struct CUfunc_st*;
using Stream = struct CUstream_st*;
using Event = struct CUevent_st*;
using Graph = struct CUgraph_st*;
using ExecutableGraph = struct CUgraphExec_st*;
using MemoryHandle = std::uint64_t;

enum Attribute : int {
    ClockRate = 13,
    Multiprocessors = 16,
    KernelTimeout = 17,
    MemoryClockRate = 36,
    MemoryBusWidth = 37,
    L2Size = 38,
    ThreadsPerSm = 39,
    Major = 75,
    Minor = 76,
    SharedPerSm = 81,
    RegistersPerSm = 82,
    PageableAccess = 88,
    SharedPerBlockOptIn = 97,
    BlocksPerSm = 106,
    ReservedSharedPerBlock = 111
};
enum FunctionAttribute : int {
    MostThreads = 0,
    LocalBytes = 3,
    Registers = 4,
    MaxDynamicShared = 8,
    NonPortableCluster = 14
};
constexpr int limitPersistingL2 = 6;
constexpr unsigned schedSpin = 1, hostAllocDeviceMap = 2;

struct LaunchAttribute {
    int id = 0; ///< 2 cooperative, 4 cluster, 6 programmatic serialisation
    int padding = 0;
    std::uint32_t value[16] = {};
};
static_assert(sizeof(LaunchAttribute) == 72);

struct LaunchConfig {
    unsigned grid[3], block[3];
    unsigned sharedBytes;
    Stream stream;
    LaunchAttribute* attributes;
    unsigned attributeCount;
};
static_assert(sizeof(LaunchConfig) == 56);

struct Location {
    int type = 1; ///< a device
    int id = 0;
};
struct AllocationProperties {
    int type = 1; ///< pinned
    int handleTypes = 0;
    Location location;
    void* metaData = nullptr;
    std::uint8_t flags[8] = {};
};
static_assert(sizeof(AllocationProperties) == 32);
struct AccessDescription {
    Location location;
    int flags = 3; ///< read and write
};

struct Uuid {
    std::uint8_t bytes[16];
};

struct alignas(64) TensorMap {
    std::uint64_t opaque[16];
};

struct IpcHandle {
    unsigned char bytes[64];
};
constexpr unsigned ipcLazyPeerAccess = 1;
constexpr unsigned eventRecordExternal = 1; ///< while it is captured: the event is recorded each time the graph runs

/// The functions, by their names without "cu". A call's code goes through Driver::error() when it is not 0.
class Driver
{
public:
    /// Loads and initialises. Errors: device/no-driver, device/driver (cuInit failed: too old, no device, …).
    static Result<std::unique_ptr<Driver>> load();

    /// "CUDA_ERROR_ILLEGAL_ADDRESS: an illegal memory access was encountered" as an error with the rule that fits.
    Error error(Code code, const std::string& what) const;
    /// After these only a new process helps.
    static bool isSticky(Code code);

    Code (*init)(unsigned) = nullptr;
    Code (*driverGetVersion)(int*) = nullptr;
    Code (*deviceGetCount)(int*) = nullptr;
    Code (*deviceGet)(Device*, int) = nullptr;
    Code (*deviceGetName)(char*, int, Device) = nullptr;
    Code (*deviceGetUuid)(Uuid*, Device) = nullptr;
    Code (*deviceTotalMem)(std::size_t*, Device) = nullptr;
    Code (*deviceGetAttribute)(int*, int, Device) = nullptr;
    Code (*primaryCtxSetFlags)(Device, unsigned) = nullptr;
    Code (*primaryCtxRetain)(Context*, Device) = nullptr;
    Code (*ctxSetCurrent)(Context) = nullptr;
    Code (*ctxSynchronize)() = nullptr;
    Code (*ctxSetLimit)(int, std::size_t) = nullptr;
    Code (*ctxResetPersistingL2)() = nullptr;
    Code (*moduleLoadData)(Module*, const void*) = nullptr;
    Code (*moduleUnload)(Module) = nullptr;
    Code (*moduleGetFunction)(Function*, Module, const char*) = nullptr;
    Code (*funcSetAttribute)(Function, int, int) = nullptr;
    Code (*funcGetAttribute)(int*, int, Function) = nullptr;
    Code (*memAlloc)(Pointer*, std::size_t) = nullptr;
    Code (*memFree)(Pointer) = nullptr;
    Code (*memGetAddressRange)(Pointer*, std::size_t*, Pointer) = nullptr;
    Code (*ipcGetMemHandle)(IpcHandle*, Pointer) = nullptr;
    Code (*ipcOpenMemHandle)(Pointer*, IpcHandle, unsigned) = nullptr;
    Code (*ipcCloseMemHandle)(Pointer) = nullptr;
    Code (*memHostAlloc)(void**, std::size_t, unsigned) = nullptr;
    Code (*memcpyDtoH)(void*, Pointer, std::size_t) = nullptr;
    Code (*memcpyDtoHAsync)(void*, Pointer, std::size_t, Stream) = nullptr;
    Code (*memcpyHtoD)(Pointer, const void*, std::size_t) = nullptr;
    Code (*memcpyDtoDAsync)(Pointer, Pointer, std::size_t, Stream) = nullptr;
    Code (*memsetD8Async)(Pointer, unsigned char, std::size_t, Stream) = nullptr;
    Code (*memsetD32Async)(Pointer, unsigned, std::size_t, Stream) = nullptr;
    Code (*streamCreate)(Stream*, unsigned) = nullptr;
    Code (*streamSynchronize)(Stream) = nullptr;
    Code (*streamWaitEvent)(Stream, Event, unsigned) = nullptr;
    Code (*streamBeginCapture)(Stream, int) = nullptr;
    Code (*streamEndCapture)(Stream, Graph*) = nullptr;
    Code (*graphInstantiate)(ExecutableGraph*, Graph, unsigned long long) = nullptr;
    Code (*graphUpload)(ExecutableGraph, Stream) = nullptr;
    Code (*graphLaunch)(ExecutableGraph, Stream) = nullptr;
    Code (*graphDestroy)(Graph) = nullptr;
    Code (*graphExecDestroy)(ExecutableGraph) = nullptr;
    Code (*eventCreate)(Event*, unsigned) = nullptr;
    Code (*eventDestroy)(Event) = nullptr;
    Code (*eventRecord)(Event, Stream) = nullptr;
    Code (*eventRecordWithFlags)(Event, Stream, unsigned) = nullptr;
    Code (*eventSynchronize)(Event) = nullptr;
    Code (*eventElapsedTime)(float*, Event, Event) = nullptr;
    Code (*launchKernelEx)(const LaunchConfig*, Function, void**, void**) = nullptr;
    Code (*memGetAllocationGranularity)(std::size_t*, const AllocationProperties*, int) = nullptr;
    Code (*memAddressReserve)(Pointer*, std::size_t, std::size_t, Pointer, unsigned long long) = nullptr;
    Code (*memCreate)(MemoryHandle*, std::size_t, const AllocationProperties*, unsigned long long) = nullptr;
    Code (*memMap)(Pointer, std::size_t, std::size_t, MemoryHandle, unsigned long long) = nullptr;
    Code (*memSetAccess)(Pointer, std::size_t, const AccessDescription*, std::size_t) = nullptr;
    Code (*memUnmap)(Pointer, std::size_t) = nullptr;
    Code (*memRelease)(MemoryHandle) = nullptr;
    Code (*memAddressFree)(Pointer, std::size_t) = nullptr;
    Code (*tensorMapEncodeTiled)(TensorMap*, int, std::uint32_t, void*, const std::uint64_t*, const std::uint64_t*,
        const std::uint32_t*, const std::uint32_t*, int, int, int, int)
        = nullptr; ///< null before driver 525

private:
    Driver() = default;
    Code (*m_errorName)(Code, const char**) = nullptr;
    Code (*m_errorString)(Code, const char**) = nullptr;
};

} // namespace tilewright::cu
