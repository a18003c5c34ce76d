// SPDX-License-Identifier: Apache-2.0
// The page of memory through which a node and a CPU guest talk: a doorbell, an answer, and room for last words.
// The guest may scribble over all of it once candidate code runs, so the node believes nothing here but `done`, and
// that only as "stop the guest and look at the outputs".
#pragma once

#include <atomic>
#include <cstdint>

namespace tilewright {

constexpr std::uint32_t guestCrashed = 0xffffffff; ///< value of done when a signal handler speaks
constexpr std::uint64_t guardBytes = 64 << 10; ///< inaccessible on both sides of each region
constexpr int mostRegions = 12;
constexpr std::size_t mostArgsBytes = 256;
/// Regions of a guest beside its tensors: the workspace, and the list of arguments of a batch.
constexpr int otherRegions = 2;

enum class GuestCommand : std::uint32_t { Nothing, Workspace, Run, RunBatch };
enum class GuestState : std::uint32_t { Starting, Ready, LoadFailed };

struct GuestRegion {
    std::uint64_t bytes = 0; ///< whole pages
    std::uint64_t address = 0; ///< in the guest, filled in by it before any candidate code is loaded
    std::int32_t fd = -1;
    std::uint32_t writable = 0;
};

struct GuestFault {
    std::int32_t signal = 0;
    std::int32_t syscall = -1; ///< for SIGSYS
    std::uint64_t address = 0;
    std::uint32_t write = 0; ///< the access that faulted was a write
    std::uint8_t instruction[12] = {}; ///< first bytes at the instruction pointer
};

struct GuestControl {
    std::atomic<std::uint32_t> doorbell{0}; ///< the node adds 1 for each call
    std::atomic<std::uint32_t> done{0}; ///< the guest copies the doorbell here when the call returned
    std::atomic<std::uint32_t> attend{
        0}; ///< the node adds 1 before a call: until then the guest sleeps after an answer
    std::atomic<std::uint32_t> watching{0}; ///< the guest counts up while it watches the doorbell without sleeping
    GuestCommand command = GuestCommand::Nothing;
    std::atomic<GuestState> state{GuestState::Starting};
    std::uint32_t regions = 0;
    std::uint32_t confine = 1; ///< 1: strict system-call filter before candidate code; 0: the vendor library
    std::uint32_t sharesCore = 0; ///< with the node: the guest sleeps at its doorbell instead of watching it
    std::uint64_t codeBegin = 0, codeEnd = 0; ///< the guest's own code, told before any candidate code is loaded
    GuestRegion region[mostRegions];
    std::uint8_t args[mostArgsBytes] = {};
    std::uint64_t result = 0; ///< of Workspace; of RunBatch the largest workspace that a call wants
    std::uint32_t batch = 0; ///< calls of RunBatch; their arguments stand in the last region, mostArgsBytes each
    std::uint32_t batchAt = 0; ///< the call of RunBatch that began last
    std::uint64_t batchWorkspace = 0; ///< bytes that are there: no call that wants more is made
    GuestFault fault;
    char message[256] = {}; ///< why loading failed; of the vendor library, once loaded: what it says of itself
};
static_assert(sizeof(GuestControl) <= 4096);

} // namespace tilewright
