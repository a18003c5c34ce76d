// SPDX-License-Identifier: Apache-2.0
#include "core/node/guest_process.h"

#include "core/base/hash.h"
#include "core/base/json_text.h"
#include "core/node/core_clock.h"
#include "core/node/machine_trouble.h"
#include "core/protocol/futex.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace tilewright {
namespace {

constexpr std::uint64_t pageBytes = 4096;
constexpr auto guestStartLimit = std::chrono::seconds(10);
constexpr auto livenessSlice = std::chrono::milliseconds(20);
constexpr auto stopLimit = std::chrono::seconds(2); ///< until a stopped one stands still, or a dead one is told of

std::uint64_t wholePages(std::uint64_t bytes) { return (bytes + pageBytes - 1) / pageBytes * pageBytes; }

std::chrono::nanoseconds now() { return std::chrono::steady_clock::now().time_since_epoch(); }

/// The answer of a short call is watched for; a long one can bear the few microseconds of a wake-up.
constexpr auto spinLimit = std::chrono::milliseconds(10);
constexpr auto wakingAllowance = std::chrono::microseconds(20); ///< from the stop back to the doorbell
/// A program that lost its core in the middle of a call finds its caches emptied: about what refilling them costs.
constexpr auto undisturbedWait = std::chrono::microseconds(2); ///< for its core, at a hand-over
constexpr auto costOfInterruption = std::chrono::microseconds(50);
constexpr auto watchLimit = std::chrono::microseconds(100);

void relax()
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

/// What a schedstat file says of a thread.
struct ScheduleRecord {
    std::chrono::nanoseconds waited{}; ///< time spent ready but not running
    long long slices = 0; ///< how often it was given a core
};

ScheduleRecord scheduleOf(int file)
{
    char text[128];
    const ssize_t count = file < 0 ? 0 : pread(file, text, sizeof text - 1, 0);
    if (count <= 0)
        return {};
    text[count] = '\0';
    long long ran = 0, waited = 0, slices = 0;
    std::sscanf(text, "%lld %lld %lld", &ran, &waited, &slices);
    return {std::chrono::nanoseconds(waited), slices};
}

/// A file descriptor that closes itself.
class Fd
{
public:
    explicit Fd(int fd = -1)
        : m_fd(fd)
    {
    }
    Fd(Fd&& other) noexcept
        : m_fd(std::exchange(other.m_fd, -1))
    {
    }
    Fd& operator=(Fd&& other) noexcept
    {
        std::swap(m_fd, other.m_fd);
        return *this;
    }
    ~Fd()
    {
        if (m_fd >= 0)
            close(m_fd);
    }
    int get() const { return m_fd; }

private:
    int m_fd;
};

struct SharedMemory {
    Fd guestFd; ///< read-only where the guest may not write
    std::span<std::uint8_t> view;
};

int ownSchedule()
{
    thread_local const Fd file(open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC));
    return file.get();
}

Result<SharedMemory> makeShared(std::uint64_t bytes, bool guestWrites)
{
    Fd fd(memfd_create("tilewright", MFD_CLOEXEC));
    if (fd.get() < 0 || ftruncate(fd.get(), static_cast<off_t>(bytes)) != 0)
        return std::unexpected(noMemory("no shared memory for a guest process", errno));
    void* view = mmap(
        nullptr, std::max<std::uint64_t>(bytes, 1), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, fd.get(), 0);
    if (view == MAP_FAILED)
        return std::unexpected(noMemory("no shared memory for a guest process", errno));
    SharedMemory memory;
    memory.view = {static_cast<std::uint8_t*>(view), bytes};
    const std::string path = "/proc/self/fd/" + std::to_string(fd.get());
    memory.guestFd = guestWrites ? std::move(fd) : Fd(open(path.c_str(), O_RDONLY | O_CLOEXEC));
    return memory;
}

/// bubblewrap's {"child-pid": N}: with --as-pid-1 that is the guest itself.
pid_t readChildPid(int fd)
{
    std::string text;
    char buffer[256];
    for (ssize_t count; text.find('}') == std::string::npos && (count = read(fd, buffer, sizeof buffer)) > 0;)
        text.append(buffer, static_cast<std::size_t>(count));
    const nlohmann::json json = parsedJson(text);
    return json.is_object() ? json.value("child-pid", -1) : -1;
}

std::string hexText(std::uint64_t value)
{
    char text[24];
    std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
    return text;
}

} // namespace

Result<std::unique_ptr<GuestProcess>> GuestProcess::start(const Sandbox& sandbox, const GuestSetup& setup)
{
    auto page = makeShared(pageBytes, true);
    if (!page)
        return std::unexpected(page.error());
    auto* control = new (page->view.data()) GuestControl;
    control->confine = setup.object.starts_with("vendor:") ? 0 : 1;
    control->sharesCore = setup.ownCore ? 0 : 1;
    control->regions = static_cast<std::uint32_t>(setup.regions.size());
    ChildSetup child;
    child.inheritedFds.push_back(page->guestFd.get());
    std::vector<SharedMemory> memory;
    for (std::size_t i = 0; i < setup.regions.size(); ++i) {
        auto shared = makeShared(wholePages(setup.regions[i].bytes), setup.regions[i].writable);
        if (!shared)
            return std::unexpected(shared.error());
        control->region[i].bytes = shared->view.size();
        control->region[i].fd = shared->guestFd.get();
        control->region[i].writable = setup.regions[i].writable;
        child.inheritedFds.push_back(shared->guestFd.get());
        memory.push_back(std::move(*shared));
    }
    int info[2] = {-1, -1};
    if (pipe2(info, O_CLOEXEC) != 0)
        return std::unexpected(noMemory("no pipe could be made", errno));
    const Fd infoRead(info[0]);
    Fd infoWrite(info[1]);
    const bool vendor = control->confine == 0;
    SandboxRequest request;
    request.readOnly.emplace_back(setup.worker, "/tilewright-worker");
    if (!vendor)
        request.readOnly.emplace_back(setup.object, "/candidate.so");
    request.command = {sandbox.pathInside(setup.worker, "/tilewright-worker"), "guest",
        std::to_string(page->guestFd.get()), vendor ? setup.object : sandbox.pathInside(setup.object, "/candidate.so")};
    request.environment = {{"OPENBLAS_NUM_THREADS", "1"}};
    request.environment.insert(request.environment.end(), setup.environment.begin(), setup.environment.end());
    if (sandbox.isFull()) {
        request.infoFd = infoWrite.get();
        child.inheritedFds.push_back(infoWrite.get());
    }
    child.command = sandbox.wrap(request);
    if (setup.cpu >= 0) {
        child.cpus = {setup.cpu};
        child.realtimePriority = guestPriority;
    }
    auto process = ChildProcess::start(child);
    if (!process)
        return std::unexpected(process.error());
    infoWrite = Fd();
    std::unique_ptr<GuestProcess> guest(new GuestProcess(std::move(*process)));
    guest->m_control = control;
    guest->m_endedBefore = endedForMemory();
    guest->m_ownCore = setup.ownCore;
    guest->m_awake = setup.awake;
    for (std::size_t i = 0; i < memory.size(); ++i)
        guest->m_regions.push_back({memory[i].view, 0, setup.regions[i].writable});
    guest->m_guestPid = sandbox.isFull() ? readChildPid(infoRead.get()) : guest->m_child.pid();
    const auto end = now() + guestStartLimit;
    while (control->done.load() == 0 && now() < end) {
        futexWait(control->done, 0, livenessSlice);
        if (const auto status = guest->m_child.poll(); status && control->done.load() == 0) {
            const ExitStatus own = withoutWrapper(*status);
            if (isFromOutside(own))
                return guest->deathError(own);
            return fail("run/start", "the guest " + own.text() + " before it was ready");
        }
    }
    if (control->state.load() != GuestState::Ready) {
        control->message[sizeof control->message - 1] = '\0';
        return fail("run/load", control->message[0] ? std::string(control->message) : "the guest did not get ready");
    }
    if (guest->m_guestPid <= 0) // a signal would go to everybody
        return fail("run/start", "the sandbox did not report the process id of the guest");
    if (clock_getcpuclockid(guest->m_guestPid, &guest->m_cpuClock) != 0)
        return fail("run/start", "the system records no processor time of the guest");
    if (vendor) {
        control->message[sizeof control->message - 1] = '\0';
        guest->m_vendorText = control->message;
    }
    for (std::size_t i = 0; i < memory.size(); ++i)
        guest->m_regions[i].guestAddress = control->region[i].address;
    guest->m_codeBegin = control->codeBegin;
    guest->m_codeEnd = vendor ? 0 : control->codeEnd;
    guest->m_schedule
        = open(("/proc/" + std::to_string(guest->m_guestPid) + "/schedstat").c_str(), O_RDONLY | O_CLOEXEC);
    guest->freeze();
    return guest;
}

GuestProcess::Standing GuestProcess::freeze()
{
    ::kill(m_guestPid, SIGSTOP);
    // On a shared core the guest needs a moment of it to stop; elsewhere it may even be running still.
    const auto end = now() + stopLimit;
    Standing found = Standing::Runs;
    do {
        const timespec moment{0, 15'000}; // a shorter sleep ends before the guest is even switched to
        nanosleep(&moment, nullptr);
        found = standing();
    } while (found == Standing::Runs && now() < end);
    return found;
}

GuestProcess::Standing GuestProcess::standing() const
{
    char text[512];
    const Fd file(open(("/proc/" + std::to_string(m_guestPid) + "/stat").c_str(), O_RDONLY | O_CLOEXEC));
    const ssize_t count = file.get() < 0 ? 0 : read(file.get(), text, sizeof text - 1);
    if (count <= 0)
        return Standing::Gone;
    text[count] = '\0';
    const char* afterName = std::strrchr(text, ')');
    const char state = afterName ? afterName[2] : 'R';
    return state == 'Z' || state == 'X' ? Standing::Gone
        : state == 'T' || state == 't'  ? Standing::Stopped
                                        : Standing::Runs;
}

GuestProcess::~GuestProcess()
{
    m_child.kill();
    if (m_schedule >= 0)
        close(m_schedule);
    if (m_control)
        munmap(m_control, pageBytes);
    for (const Region& region : m_regions)
        munmap(region.view.data(), std::max<std::size_t>(region.view.size(), 1));
}

void GuestProcess::setArgs(std::span<const std::uint8_t> bytes)
{
    std::memcpy(m_control->args, bytes.data(), std::min(bytes.size(), sizeof m_control->args));
}

Result<std::chrono::nanoseconds> GuestProcess::call(GuestCommand command, std::chrono::nanoseconds limit)
{
    m_control->command = command;
    if (m_awake)
        m_awake->pause();
    // Of a process that runs on another core Linux 6.18 reports the processor time as of the last tick, which may be
    // milliseconds ago: it is read while the guest stands still. On one core it stands still whenever this thread runs.
    const auto woken = processorTime();
    letRun();
    const auto attended = now();
    const std::uint32_t wanted = ++m_ring, before = wanted - 1;
    m_control->done.store(before); // whatever the guest scribbled there
    const ScheduleRecord guestBefore = scheduleOf(m_schedule), ownBefore = scheduleOf(ownSchedule());
    const auto rung = m_ownCore ? woken : processorTime();
    const auto atBell = now();
    auto elapsed = ringAndWait(wanted, limit);
    const auto answeredAt = now();
    auto ran = processorTime() - rung;
    const ScheduleRecord guestAfter = scheduleOf(m_schedule), ownAfter = scheduleOf(ownSchedule());
    const Standing found = freeze(); // before anybody looks at the outputs
    const auto spun = (atBell - attended) + (now() - answeredAt); // at most: at its doorbell, before and after
    if (m_ownCore)
        ran = processorTime() - woken;
    const auto waited = guestAfter.waited - guestBefore.waited + ownAfter.waited - ownBefore.waited;
    long long interruptions = guestAfter.slices - guestBefore.slices;
    if (!m_ownCore)
        --interruptions; // it had to be given the core once
    const bool isRanExact = !m_ownCore || found == Standing::Stopped;
    if (isRanExact && ran > std::chrono::nanoseconds(0)
        && (!m_ownCore || interruptions > 0 || waited > undisturbedWait))
        elapsed = std::min(elapsed, ran);
    // Candidate code that never returned computes from the moment it is woken: what it had of that before the bell is
    // charged. An honest guest is back at its doorbell at once.
    const auto early = m_ownCore ? ran - elapsed - spun : rung - woken;
    elapsed += std::max(early - wakingAllowance, std::chrono::nanoseconds(0));
    m_lastWait = costOfInterruption * std::max(0LL, interruptions);
    if (m_awake)
        m_awake->resume();
    const std::uint32_t answered = m_control->done.load();
    if (answered == wanted) {
        if (auto done = checkAnswer(found); !done)
            return std::unexpected(done.error());
        return elapsed;
    }
    if (answered == before)
        if (const auto status = m_child.poll())
            return deathError(*status);
    if (answered == guestCrashed)
        return faultError();
    m_child.kill();
    if (answered != before)
        return fail("run/crash", "the guest's reply is invalid: candidate code wrote over the control page");
    return fail("run/timeout", "the call did not return within " + std::to_string(limit.count() / 1'000'000) + " ms",
        "", {{"limit_ns", limit.count()}});
}

Result<std::chrono::nanoseconds> GuestProcess::callBatch(
    std::uint32_t calls, std::uint64_t workspaceBytes, std::chrono::nanoseconds limit)
{
    m_control->batch = calls;
    m_control->batchWorkspace = workspaceBytes;
    return call(GuestCommand::RunBatch, limit);
}

Result<void> GuestProcess::checkAnswer(Standing found)
{
    // Where it stands says something only of one that stood still before and after: who is killed meanwhile is nowhere.
    const auto end = now() + stopLimit;
    for (; now() < end; found = freeze()) {
        const bool isAtDoorbell = isAtItsDoorbell();
        const Standing after = standing();
        if (after == Standing::Gone)
            return goneError();
        if (found != Standing::Stopped || after != Standing::Stopped)
            continue;
        if (isAtDoorbell)
            return {};
        m_child.kill();
        return fail("time/early", "the program replied before it was done: its code was still running");
    }
    m_child.kill();
    return fail("time/unstable", "the machine is too busy to time: a program could not be stopped after its reply");
}

std::unexpected<Error> GuestProcess::goneError()
{
    const auto end = now() + stopLimit;
    while (!m_child.poll() && now() < end)
        usleep(500);
    if (const auto status = m_child.poll())
        return deathError(*status);
    m_child.kill();
    return fail("time/unstable", "the machine is too busy to time: the end of a program is unknown");
}

bool GuestProcess::isAtItsDoorbell() const
{
    if (m_codeEnd == 0)
        return true; // the vendor library: trusted code
    // "-1 SP PC" for a thread stopped in its own code, "NR A0 … A5 SP PC" in a system call (proc(5)).
    char text[512];
    const Fd file(open(("/proc/" + std::to_string(m_guestPid) + "/syscall").c_str(), O_RDONLY | O_CLOEXEC));
    const ssize_t count = file.get() < 0 ? 0 : read(file.get(), text, sizeof text - 1);
    if (count <= 0)
        return true; // not to be had on this system; the outputs are still looked at while it stands still
    text[count] = '\0';
    const char* last = std::strrchr(text, ' ');
    const std::uint64_t counter = last ? std::strtoull(last, nullptr, 16) : 0;
    return counter >= m_codeBegin && counter < m_codeEnd;
}

void GuestProcess::letRun()
{
    const std::uint32_t watched = m_control->watching.load();
    m_control->attend.fetch_add(1);
    ::kill(m_guestPid, SIGCONT);
    futexWake(m_control->attend);
    // Until it watches its doorbell again, so that waking from the stop is not timed; if it sleeps there, so be it.
    if (!m_ownCore) {
        const timespec moment{0, 15'000};
        nanosleep(&moment, nullptr);
        return;
    }
    const auto end = now() + watchLimit;
    while (m_control->watching.load() == watched && now() < end)
        relax();
}

std::chrono::nanoseconds GuestProcess::processorTime() const
{
    timespec time{};
    clock_gettime(m_cpuClock, &time);
    return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

std::chrono::nanoseconds GuestProcess::ringAndWait(std::uint32_t ring, std::chrono::nanoseconds limit)
{
    const std::uint32_t before = ring - 1;
    const auto start = now();
    m_control->doorbell.store(ring);
    futexWake(m_control->doorbell);
    auto waited = now() - start;
    while (m_control->done.load() == before && waited < limit) {
        if (m_ownCore && waited < spinLimit) {
            relax();
        } else {
            futexWait(m_control->done, before, std::min<std::chrono::nanoseconds>(limit - waited, livenessSlice));
            if (m_control->done.load() == before && m_child.poll())
                break;
        }
        waited = now() - start;
    }
    return waited;
}

std::unexpected<Error> GuestProcess::deathError(const ExitStatus& status) const
{
    const int signal = withoutWrapper(status).signal;
    if (signal == 0)
        return fail("run/exit", "the program ended the process instead of returning", "", {{"code", status.code}});
    if (signal == SIGKILL && endedForMemory() > m_endedBefore)
        return std::unexpected(noMemory("the system killed a running program because memory ran out", ENOMEM));
    if (isOutsideSignal(signal))
        return std::unexpected(endedFromOutside("a running program", signal));
    return fail("run/crash",
        std::string("the program was ended by signal ") + std::to_string(signal) + " (" + strsignal(signal) + ")", "",
        {{"signal", signal}});
}

std::unexpected<Error> GuestProcess::faultError() const
{
    const GuestFault fault = m_control->fault;
    if (fault.signal == SIGSYS)
        return fail("run/syscall", "the program made the forbidden system call " + std::to_string(fault.syscall), "",
            {{"syscall", fault.syscall}});
    if (fault.signal == SIGSEGV || fault.signal == SIGBUS)
        return memoryFault(fault);
    const int signal = std::clamp(fault.signal, 0, 64);
    return fail("run/crash", std::string("the program crashed: ") + strsignal(signal), "", {{"signal", signal}});
}

std::unexpected<Error> GuestProcess::memoryFault(const GuestFault& fault) const
{
    const std::uint8_t* code = fault.instruction;
    if (code[0] == 0x0f && (code[1] == 0x31 || (code[1] == 0x01 && code[2] == 0xf9)))
        return fail("run/clock", "the program read the clock (rdtsc), which is not allowed");
    for (std::size_t i = 0; i < m_regions.size(); ++i) {
        const Region& region = m_regions[i];
        const std::uint64_t begin = region.guestAddress, end = begin + region.view.size();
        const nlohmann::json evidence{{"region", i}, {"address", hexText(fault.address)},
            {"offset", static_cast<std::int64_t>(fault.address) - static_cast<std::int64_t>(begin)},
            {"region_bytes", region.view.size()}};
        if (fault.address >= begin && fault.address < end && fault.write && !region.writable)
            return fail("verify/input-write", "the program wrote to an input", "", evidence);
        const bool before = fault.address < begin && fault.address + guardBytes >= begin;
        const bool behind = fault.address >= end && fault.address < end + guardBytes;
        if (before || behind)
            return fail(fault.write ? "verify/out-of-bounds-write" : "verify/out-of-bounds-read",
                std::string("the program ") + (fault.write ? "wrote" : "read")
                    + (before ? " before the start" : " past the end") + " of a buffer",
                "", evidence);
    }
    return fail("run/crash", "the program accessed memory outside of its own", "",
        {{"address", hexText(fault.address)}, {"write", fault.write != 0}});
}

} // namespace tilewright
