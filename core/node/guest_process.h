// SPDX-License-Identifier: Apache-2.0
// The node's side of a CPU guest: makes its memory, starts it in the sandbox, rings its doorbell and takes the time on
// the node's own clock. Lives on the node's measuring thread, which has a core of its own beside the guest's and
// watches for the answer without sleeping; on a single core both take turns. Before outputs are looked at the guest is
// stopped, and seen to be stopped, so that one which answers early cannot finish its work behind the node's back.
#pragma once

#include "core/node/child_process.h"
#include "core/node/sandbox.h"
#include "core/protocol/guest_control.h"

#include <filesystem>
#include <memory>
#include <span>

namespace tilewright {

class CoreKeptAwake;

/// Real-time ranks, where the system grants them: the node above the guest, so that its deadline always comes true.
constexpr int nodePriority = 2, guestPriority = 1;

struct RegionSetup {
    std::uint64_t bytes = 0; ///< rounded up to whole pages
    bool writable = false; ///< by the guest; the node can always write
};

struct GuestSetup {
    std::filesystem::path worker; ///< tilewright-worker
    std::string object; ///< path of a shared object, or "vendor:NAME"
    std::vector<std::pair<std::string, std::string>> environment = {};
    std::vector<RegionSetup> regions;
    int cpu = -1; ///< the measuring core; −1: anywhere
    bool ownCore = false; ///< the calling thread does not share it
    CoreKeptAwake* awake = nullptr; ///< sleeps while the guest runs; outlives it
};

class GuestProcess
{
public:
    /// Errors: run/load (the object cannot be loaded), run/start.
    static Result<std::unique_ptr<GuestProcess>> start(const Sandbox& sandbox, const GuestSetup& setup);
    ~GuestProcess();
    GuestProcess(const GuestProcess&) = delete;
    GuestProcess& operator=(const GuestProcess&) = delete;

    /// The node's view of a region.
    std::span<std::uint8_t> region(std::size_t index) const { return m_regions[index].view; }
    /// Where the guest sees it.
    std::uint64_t guestAddress(std::size_t index) const { return m_regions[index].guestAddress; }

    void setArgs(std::span<const std::uint8_t> bytes);
    /// Rings, waits, and stops the guest again: the time it ran, in ns. That is the time between bell and answer on the
    /// node's own clock; where the core is shared, or either of the two lost its core in between, the processor time
    /// that the kernel records for the guest, which neither hand-overs nor other programs are part of. The guest is
    /// frozen (SIGSTOP) when this returns. Errors: time/early, run/timeout, run/crash, run/exit, run/syscall,
    /// run/clock, verify/input-write, verify/out-of-bounds-write, verify/out-of-bounds-read; and of the machine's, not
    /// the program's, machine/killed, machine/memory, time/unstable. The guest is dead after any of them.
    Result<std::chrono::nanoseconds> call(GuestCommand command, std::chrono::nanoseconds limit);
    /// As call(GuestCommand::RunBatch): so many calls, with the arguments that stand in the last region.
    Result<std::chrono::nanoseconds> callBatch(
        std::uint32_t calls, std::uint64_t workspaceBytes, std::chrono::nanoseconds limit);
    /// Which call of a batch began last, as the guest says: for evidence only.
    std::uint32_t batchAt() const { return m_control->batchAt; }
    /// What the vendor library said of itself when it was loaded.
    const std::string& vendorText() const { return m_vendorText; }
    /// What Workspace or RunBatch answered.
    std::uint64_t result() const { return m_control->result; }
    /// About what others cost the last call that its time still holds: refilling the caches, for each time that the
    /// guest lost its core by the kernel's record.
    std::chrono::nanoseconds lastWait() const { return m_lastWait; }

private:
    struct Region {
        std::span<std::uint8_t> view;
        std::uint64_t guestAddress = 0;
        bool writable = false;
    };
    explicit GuestProcess(ChildProcess child)
        : m_child(std::move(child))
    {
    }
    enum class Standing { Runs, Stopped, Gone }; ///< of its process, as the system tells
    void letRun();
    /// Stops it, as far as that comes true within a while.
    Standing freeze();
    Standing standing() const;
    /// Of a guest that has answered and was told to stop: whether it answered with its work done.
    Result<void> checkAnswer(Standing found);
    /// Stopped in the guest's own code, not in the candidate's: it returned, and does nothing behind our back.
    bool isAtItsDoorbell() const;
    /// How a guest ended that is gone: the sandbox tells a moment later.
    std::unexpected<Error> goneError();
    std::unexpected<Error> faultError() const;
    std::unexpected<Error> deathError(const ExitStatus& status) const;
    std::unexpected<Error> memoryFault(const GuestFault& fault) const;

    ChildProcess m_child;
    std::string m_vendorText;
    long m_endedBefore = -1; ///< processes that the system had ended for want of memory when this one started
    GuestControl* m_control = nullptr;
    std::vector<Region> m_regions;
    pid_t m_guestPid = -1;
    /// Rings and waits for `done` to change; how long that took.
    std::chrono::nanoseconds ringAndWait(std::uint32_t ring, std::chrono::nanoseconds limit);
    /// Of the guest so far, as the kernel records it.
    std::chrono::nanoseconds processorTime() const;

    std::uint64_t m_codeBegin = 0, m_codeEnd = 0;
    bool m_ownCore = false;
    clockid_t m_cpuClock = 0; ///< of the guest
    CoreKeptAwake* m_awake = nullptr;
    int m_schedule = -1; ///< /proc/PID/schedstat
    std::chrono::nanoseconds m_lastWait{};
    std::uint32_t m_ring = 1;
};

} // namespace tilewright
