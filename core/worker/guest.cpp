// SPDX-License-Identifier: Apache-2.0
#include "core/worker/guest.h"

#include "core/protocol/futex.h"
#include "core/protocol/guest_control.h"
#include "core/worker/seccomp_filter.h"
#include "core/worker/vendor_blas.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <ucontext.h>
#include <vector>

extern "C" char __executable_start, etext; // set by the linker

namespace tilewright {
namespace {

using RunFunction = void (*)(const void* args);
using WorkspaceFunction = unsigned long (*)(const void* dims);

constexpr std::uint32_t firstRing = 1; // "loaded and ready"

GuestControl* control = nullptr; // for the signal handler
bool sharesCore = false; ///< with the node
const unsigned char* batchList = nullptr; // the last region: its place is noted before candidate code can change it

[[noreturn]] void leave(int code)
{
    syscall(SYS_exit_group, code);
    __builtin_unreachable();
}

/// Last words: what happened and where. Runs on its own stack; the node believes none of it blindly.
void reportFault(int signal, siginfo_t* info, void* context)
{
    GuestFault& fault = control->fault;
    fault.signal = signal;
    fault.address = reinterpret_cast<std::uint64_t>(info->si_addr);
    if (signal == SIGSYS)
        fault.syscall = info->si_syscall;
#if defined(__x86_64__)
    const auto& registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
    fault.write = (registers[REG_ERR] & 2) != 0;
    // A jump into nowhere has no readable instruction.
    if (fault.address != static_cast<std::uint64_t>(registers[REG_RIP]))
        std::memcpy(fault.instruction, reinterpret_cast<const void*>(registers[REG_RIP]), sizeof fault.instruction);
#else
    (void)context;
#endif
    control->done.store(guestCrashed);
    futexWake(control->done);
    leave(80);
}

void installHandlers()
{
    static char stack[64 << 10];
    const stack_t alternate{stack, 0, sizeof stack};
    sigaltstack(&alternate, nullptr);
    struct sigaction action {
    };
    action.sa_sigaction = reportFault;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    for (const int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGSYS, SIGTRAP, SIGABRT})
        sigaction(signal, &action, nullptr);
}

[[noreturn]] void failLoading(const char* what, const char* why)
{
    std::snprintf(control->message, sizeof control->message, "%s: %s", what, why ? why : "unknown reason");
    control->state.store(GuestState::LoadFailed);
    control->done.store(guestCrashed);
    futexWake(control->done);
    leave(81);
}

void mapRegions()
{
    std::uint64_t total = guardBytes;
    for (std::uint32_t i = 0; i < control->regions; ++i)
        total += control->region[i].bytes + guardBytes;
    char* place
        = static_cast<char*>(mmap(nullptr, total, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
    if (place == MAP_FAILED)
        failLoading("mmap", std::strerror(errno));
    place += guardBytes;
    for (std::uint32_t i = 0; i < control->regions; ++i) {
        GuestRegion& region = control->region[i];
        const int protection = PROT_READ | (region.writable ? PROT_WRITE : 0);
        if (region.bytes > 0
            && mmap(place, region.bytes, protection, MAP_SHARED | MAP_FIXED | MAP_POPULATE, region.fd, 0) == MAP_FAILED)
            failLoading("mmap", std::strerror(errno));
        region.address = reinterpret_cast<std::uint64_t>(place);
        batchList = reinterpret_cast<const unsigned char*>(place);
        place += region.bytes + guardBytes;
        close(region.fd);
    }
}

void limitResources()
{
    const rlimit none{0, 0}, files{64, 64}, stack{8 << 20, 8 << 20};
    setrlimit(RLIMIT_CORE, &none);
    setrlimit(RLIMIT_FSIZE, &none);
    setrlimit(RLIMIT_NOFILE, &files);
    setrlimit(RLIMIT_STACK, &stack);
}

struct Pages {
    std::uint64_t begin = 0, end = 0;
};

/// The kernel's own pages: its coarse clocks are read from memory, which no trap on the time stamp counter sees.
std::vector<Pages> kernelClocks()
{
    std::vector<Pages> found;
    std::FILE* maps = std::fopen("/proc/self/maps", "r");
    if (!maps)
        failLoading("the kernel's clock", std::strerror(errno));
    char line[512];
    while (std::fgets(line, sizeof line, maps))
        if (Pages pages; (std::strstr(line, "[vvar") || std::strstr(line, "[vdso]"))
            && std::sscanf(line, "%lx-%lx", &pages.begin, &pages.end) == 2)
            found.push_back(pages);
    std::fclose(maps);
    return found;
}

struct Program {
    RunFunction run = nullptr;
    WorkspaceFunction workspace = nullptr;
};

Program loadObject(const char* object)
{
    if (std::strncmp(object, "vendor:", 7) == 0) {
        const char* why = nullptr;
        const RunFunction run = loadVendorBlas(&why);
        if (!run)
            failLoading("vendor library", why);
        describeVendorBlas(control->message, sizeof control->message);
        return {run, nullptr};
    }
    const std::vector<Pages> clocks = kernelClocks();
    if (!allowOnly(loaderSyscalls()))
        failLoading("seccomp", std::strerror(errno));
    void* handle = dlopen(object, RTLD_NOW | RTLD_LOCAL);
    if (!handle)
        failLoading("dlopen", dlerror());
    Program program;
    program.run = reinterpret_cast<RunFunction>(dlsym(handle, "tilewright_run"));
    program.workspace = reinterpret_cast<WorkspaceFunction>(dlsym(handle, "tilewright_workspace"));
    if (!program.run)
        failLoading("dlsym", "the program does not define tilewright_run");
    for (const Pages& pages : clocks) // only now: the dynamic loader reads the names in them
        munmap(reinterpret_cast<void*>(pages.begin), pages.end - pages.begin);
#if defined(__x86_64__)
    prctl(PR_SET_TSC, PR_TSC_SIGSEGV, 0, 0, 0); // candidates have no clock
#endif
    return program;
}

/// Sleeps after an answer, so that its processor time stands still, until the node attends to it. Then watches the
/// doorbell for about half a millisecond, so that no wake-up is part of a timed call, and sleeps again. On a core that
/// it shares with the node it does not watch.
std::uint32_t nextRing(std::uint32_t seen)
{
    static std::uint32_t attended = 0;
    while (control->attend.load() == attended && control->doorbell.load() == seen)
        futexWait(control->attend, attended);
    attended = control->attend.load();
    constexpr int mostLooks = 40'000;
    const int looks = sharesCore ? 0 : mostLooks;
    std::uint32_t rung = control->doorbell.load();
    for (int i = 0; i < looks && rung == seen; ++i) {
        control->watching.fetch_add(1, std::memory_order_relaxed);
#if defined(__x86_64__)
        __builtin_ia32_pause();
#endif
        rung = control->doorbell.load();
    }
    while (rung == seen) {
        futexWait(control->doorbell, seen);
        rung = control->doorbell.load();
    }
    return rung;
}

/// Calls the program with every entry of the batch list in turn; before each it is asked for its workspace.
void runBatch(const Program& program)
{
    const std::uint32_t calls = control->batch;
    const std::uint64_t room = control->batchWorkspace;
    std::uint64_t largest = 0;
    for (std::uint32_t i = 0; i < calls && largest <= room; ++i) {
        alignas(64) unsigned char args[mostArgsBytes];
        std::memcpy(args, batchList + std::size_t(i) * mostArgsBytes, sizeof args);
        control->batchAt = i;
        const std::uint64_t wanted = program.workspace ? program.workspace(args) : 0;
        largest = wanted > largest ? wanted : largest;
        if (wanted <= room)
            program.run(args);
    }
    control->result = largest;
}

[[noreturn]] void serve(const Program& program)
{
    for (std::uint32_t seen = firstRing;;) {
        seen = nextRing(seen);
        alignas(64) unsigned char args[sizeof control->args];
        std::memcpy(args, control->args, sizeof args);
        if (control->command == GuestCommand::Run)
            program.run(args);
        else if (control->command == GuestCommand::Workspace)
            control->result = program.workspace ? program.workspace(args) : 0;
        else if (control->command == GuestCommand::RunBatch)
            runBatch(program);
        control->done.store(seen);
        futexWake(control->done);
    }
}

} // namespace

int runGuest(int argc, char** argv)
{
    if (argc < 3)
        return 2;
    const int controlFd = std::atoi(argv[1]);
    void* page = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, controlFd, 0);
    if (page == MAP_FAILED)
        return 82;
    close(controlFd);
    control = static_cast<GuestControl*>(page);
    control->codeBegin = reinterpret_cast<std::uint64_t>(&__executable_start);
    control->codeEnd = reinterpret_cast<std::uint64_t>(&etext);
    sharesCore = control->sharesCore != 0;
    mapRegions();
    limitResources();
    installHandlers();
    const bool confine = control->confine != 0;
    const Program program = loadObject(argv[2]);
    if (confine && !allowWaitingAndLeaving())
        failLoading("seccomp", std::strerror(errno));
    control->state.store(GuestState::Ready);
    control->doorbell.store(firstRing); // the node rings the next number
    control->done.store(firstRing);
    futexWake(control->done);
    serve(program);
}

} // namespace tilewright
