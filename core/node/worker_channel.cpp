// SPDX-License-Identifier: Apache-2.0
#include "core/node/worker_channel.h"

#include "core/base/text.h"
#include "core/node/gpu_tool_output.h"

#include <cerrno>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

namespace tilewright {
namespace {

using namespace std::chrono_literals;

constexpr auto slice = 100ms; ///< between two looks at a cancel
constexpr auto endLimit = 2s; ///< for the end of a process whose socket is closed

bool isSystems(const std::filesystem::path& path)
{
    const std::string text = path.string();
    return text.starts_with("/usr/") || text.starts_with("/lib");
}

SandboxRequest requestFor(const Sandbox& sandbox, const WorkerSetup& setup, int fd)
{
    SandboxRequest request;
    request.readOnly.emplace_back(setup.worker, "/tilewright-cuda-worker");
    request.command
        = {sandbox.pathInside(setup.worker, "/tilewright-cuda-worker"), setup.arguments.front(), std::to_string(fd)};
    request.command.insert(request.command.end(), setup.arguments.begin() + 1, setup.arguments.end());
    std::string search;
    for (const auto& folder : setup.libraries) {
        search += (search.empty() ? "" : ":") + folder.string();
        if (!isSystems(folder))
            request.readOnly.emplace_back(folder, folder.string());
    }
    request.environment = {{"CUDA_CACHE_DISABLE", "1"}, {"CUDA_MODULE_LOADING", "LAZY"}, {"LC_ALL", "C.UTF-8"}};
    if (!search.empty())
        request.environment.emplace_back("LD_LIBRARY_PATH", search);
    if (!setup.devices.empty())
        for (auto& said : gpuVisibility())
            request.environment.push_back(std::move(said));
    request.devices = setup.devices;
    request.isFirstProcess = setup.isFirstProcess;
    return request;
}

} // namespace

Result<std::unique_ptr<WorkerChannel>> WorkerChannel::start(
    const Sandbox& sandbox, const WorkerSetup& setup, std::chrono::milliseconds limit)
{
    int ends[2] = {-1, -1};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return fail("run/start", std::string("no socket could be made: ") + std::strerror(errno));
    int words[2] = {-1, -1}; // nobody waits for room in it: what does not fit is lost
    if (setup.keepsWords && pipe2(words, O_CLOEXEC | O_NONBLOCK) != 0)
        words[0] = words[1] = -1;
    ChildSetup child;
    child.command = sandbox.wrap(requestFor(sandbox, setup, ends[1]));
    child.inheritedFds = {ends[1]};
    child.cpus = setup.cpus;
    child.memoryBytes = limitsWorkerMemory ? setup.memoryBytes : 0;
    child.niceness = setup.niceness;
    child.outputFd = words[1] >= 0 ? words[1] : STDERR_FILENO;
    child.stuck = setup.stuck;
    auto process = ChildProcess::start(child);
    close(ends[1]);
    if (words[1] >= 0)
        close(words[1]);
    if (!process) {
        close(ends[0]);
        if (words[0] >= 0)
            close(words[0]);
        return std::unexpected(process.error());
    }
    std::unique_ptr<WorkerChannel> channel(new WorkerChannel(std::move(*process), ends[0], words[0]));
    auto greeting = channel->receive(limit, never);
    if (!greeting)
        return std::unexpected(greeting.error());
    channel->m_greeting = std::move(greeting->json);
    return channel;
}

WorkerChannel::~WorkerChannel()
{
    m_child.kill();
    close(m_fd);
    if (m_words >= 0)
        close(m_words);
}

void WorkerChannel::limit(const WorkerLimits& limits)
{
    const auto set = [&](pid_t pid) {
        const auto soft = [&](__rlimit_resource what, rlim_t value) {
            rlimit both{};
            if (prlimit(pid, what, nullptr, &both) != 0)
                return;
            both.rlim_cur = std::min(value, both.rlim_max);
            prlimit(pid, what, &both, nullptr);
        };
        if (limitsWorkerMemory)
            soft(RLIMIT_AS, limits.memoryBytes);
        clockid_t clock{};
        timespec used{};
        if (clock_getcpuclockid(pid, &clock) == 0 && clock_gettime(clock, &used) == 0)
            soft(RLIMIT_CPU, static_cast<rlim_t>(used.tv_sec + 1 + limits.processorTime.count()));
    };
    set(m_child.pid());
    for (const ProcessHandle& process : processesBeneath(m_child.pid())) // the worker, where a sandbox is around it
        set(process.pid());
}

std::string WorkerChannel::takeWords()
{
    std::string words;
    char buffer[4096];
    for (ssize_t count; m_words >= 0 && (count = read(m_words, buffer, sizeof buffer)) > 0;)
        words.append(buffer, static_cast<std::size_t>(count));
    return printable(words);
}

std::unexpected<Error> WorkerChannel::dead(Error error)
{
    m_alive = false;
    const bool ended
        = error.code == "run/exit"; // its status comes a while after its socket closes: a GPU is let go first
    for (auto end = std::chrono::steady_clock::now() + endLimit;
         ended && !m_child.poll() && std::chrono::steady_clock::now() < end;)
        poll(nullptr, 0, 5);
    if (const auto status = m_child.poll(); status && ended) {
        const ExitStatus own = withoutWrapper(*status);
        m_end = own;
        error.text = "the worker " + own.text();
        if (own.signal != 0)
            error.evidence = {{"signal", own.signal}};
    }
    m_child.kill();
    return std::unexpected(std::move(error));
}

bool WorkerChannel::send(std::string_view bytes, std::chrono::steady_clock::time_point end)
{
    while (!bytes.empty()) {
        pollfd ready{m_fd, POLLOUT, 0};
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
        if (left <= 0ms || poll(&ready, 1, static_cast<int>(left.count())) < 0)
            return false;
        const ssize_t count = ::send(m_fd, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (count < 0 && (errno == EINTR || errno == EAGAIN))
            continue;
        if (count <= 0)
            return false;
        bytes.remove_prefix(static_cast<std::size_t>(count));
    }
    return true;
}

Result<WorkerReply> WorkerChannel::receive(
    std::chrono::milliseconds limit, const Cancelled& cancelled, const Pace* pace)
{
    if (!m_alive)
        return fail("run/exit", "the worker has ended");
    const auto last = std::chrono::steady_clock::now() + limit;
    auto end = pace ? std::min(last, std::chrono::steady_clock::now() + pace->first) : last;
    WorkerReply reply;
    char buffer[65536];
    for (;;) {
        auto frame = m_reader.next();
        if (!frame)
            return dead(frame.error());
        if (*frame) {
            nlohmann::json& json = (*frame)->json;
            if (json.value("op", nlohmann::json()) == "blob") {
                reply.blobs[sha256((*frame)->blob)] = std::move((*frame)->blob);
                continue;
            }
            if (json.value("op", nlohmann::json()) == "progress") {
                if (pace)
                    end = std::min(last, std::chrono::steady_clock::now() + pace->next(json));
                continue;
            }
            if (json.value("op", nlohmann::json()) == "failed") {
                const auto text = [&](const char* key) {
                    const nlohmann::json value = json.value(key, nlohmann::json());
                    return value.is_string() ? value.get<std::string>() : std::string();
                };
                Error error{text("rule"), text("text"), text("hint"), json.value("evidence", nlohmann::json())};
                if (json.value("lost", nlohmann::json()) == true)
                    return dead(std::move(error));
                return std::unexpected(std::move(error));
            }
            reply.json = std::move(json);
            return reply;
        }
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
        if (left <= 0ms)
            return dead({"run/timeout", "the worker did not reply in time", "", nullptr});
        if (cancelled())
            return dead({"cancelled", "the request was cancelled", "", nullptr});
        pollfd ready{m_fd, POLLIN, 0};
        if (poll(&ready, 1, static_cast<int>(std::min(left, std::chrono::milliseconds(slice)).count())) <= 0)
            continue;
        const ssize_t count = read(m_fd, buffer, sizeof buffer);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return dead({"run/exit", "the worker ended", "", nullptr});
        m_reader.append({buffer, static_cast<std::size_t>(count)});
    }
}

Result<void> WorkerChannel::post(
    const nlohmann::json& request, const std::vector<WorkerBlob>& blobs, std::chrono::milliseconds limit)
{
    std::string frames;
    for (const WorkerBlob& blob : blobs)
        frames += encodeBlob(blob.hash, blob.bytes);
    return postFrame(frames + encodeFrame(request), limit);
}

Result<void> WorkerChannel::postFrame(std::string_view bytes, std::chrono::milliseconds limit)
{
    if (!m_alive)
        return fail("run/exit", "the worker has ended");
    const auto end = std::chrono::steady_clock::now() + limit;
    if (!send(bytes, end)) {
        if (std::chrono::steady_clock::now() >= end)
            return dead({"run/timeout", "the worker was not ready in time", "", nullptr});
        return dead({"run/exit", "the worker ended", "", nullptr});
    }
    return {};
}

Result<WorkerReply> WorkerChannel::ask(const nlohmann::json& request, const std::vector<WorkerBlob>& blobs,
    std::chrono::milliseconds limit, const Cancelled& cancelled)
{
    const auto end = std::chrono::steady_clock::now() + limit;
    if (auto posted = post(request, blobs, limit); !posted)
        return std::unexpected(posted.error());
    return receive(
        std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now()), cancelled);
}

} // namespace tilewright
