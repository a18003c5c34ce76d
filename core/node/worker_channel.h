// SPDX-License-Identifier: Apache-2.0
// The node's end of a CUDA worker: a sandboxed process that answers one request after another over a socket, and finds
// the next one there already where it was posted ahead. It dies with this object. Silence past a deadline, nonsense or
// death ends it, and every later request says so. One thread.
#pragma once

#include "core/node/child_process.h"
#include "core/node/sandbox.h"
#include "core/protocol/frames.h"

#include <functional>
#include <map>
#include <memory>

namespace tilewright {

struct WorkerSetup {
    std::filesystem::path worker; ///< tilewright-cuda-worker
    std::vector<std::string> arguments; ///< its mode first; the socket's number comes second
    std::vector<std::filesystem::path> libraries; ///< folders it loads from; those outside /usr are bound
    std::vector<std::filesystem::path> devices;
    std::vector<int> cpus; ///< where it may run; empty: anywhere
    int niceness = 0;
    std::size_t memoryBytes = 0; ///< of address space, at most, ever; 0: as much as there is, which CUDA needs
    bool keepsWords
        = false; ///< what it prints is kept for the error that tells of its end; else it is the node's output
    StuckProcesses* stuck = nullptr; ///< takes it when it does not end; null: anybody's
    bool isFirstProcess = true; ///< of its sandbox
};

/// Workers that are built with sanitizers reserve more address space than any limit could leave them.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool limitsWorkerMemory = false;
#else
inline constexpr bool limitsWorkerMemory = true;
#endif

/// What a worker may use for what it is asked next; the limits of what it was asked before are lifted.
struct WorkerLimits {
    std::size_t memoryBytes; ///< of address space, in all; beyond WorkerSetup's it is that
    std::chrono::seconds processorTime; ///< from now on
};

/// Bytes that go along with a request, which names them by their hash.
struct WorkerBlob {
    std::string_view bytes;
    Hash hash = sha256(bytes);
};

struct WorkerReply {
    nlohmann::json json;
    std::map<Hash, std::string> blobs; ///< that came with it
};

class WorkerChannel
{
public:
    /// Starts the worker and waits for its greeting. Errors: those of a greeting that says "failed", run/start.
    static Result<std::unique_ptr<WorkerChannel>> start(
        const Sandbox& sandbox, const WorkerSetup& setup, std::chrono::milliseconds limit);
    ~WorkerChannel();
    WorkerChannel(const WorkerChannel&) = delete;
    WorkerChannel& operator=(const WorkerChannel&) = delete;

    const nlohmann::json& greeting() const { return m_greeting; }
    /// Sends the blobs and the request, waits for the reply.
    /// Errors: a "failed" reply as it stands; run/timeout, run/exit, protocol/…, cancelled, after which the worker is
    /// dead.
    Result<WorkerReply> ask(const nlohmann::json& request, const std::vector<WorkerBlob>& blobs,
        std::chrono::milliseconds limit, const Cancelled& cancelled = never);
    /// The two halves of ask(): replies come in the order of the requests.
    Result<void> post(
        const nlohmann::json& request, const std::vector<WorkerBlob>& blobs, std::chrono::milliseconds limit);
    /// The first half, of a request that has been put into frames already.
    Result<void> postFrame(std::string_view bytes, std::chrono::milliseconds limit);
    /// What a worker says on its way to a reply ({"op":"progress"}), and how long it may be silent from then on; before
    /// it has said anything, `first`. The limit of the reply holds all the same.
    struct Pace {
        std::chrono::milliseconds first;
        std::function<std::chrono::milliseconds(const nlohmann::json&)> next;
    };
    Result<WorkerReply> receive(
        std::chrono::milliseconds limit, const Cancelled& cancelled = never, const Pace* pace = nullptr);
    /// False once nothing more can be asked; looks whether the process has ended meanwhile.
    bool isAlive() { return m_alive && !m_child.poll(); }
    pid_t pid() const { return m_child.pid(); }
    /// Sets them from outside, so that the worker need not be trusted to.
    void limit(const WorkerLimits& limits);
    /// How it ended; nothing while it lives, and where this end ended it.
    const std::optional<ExitStatus>& end() const { return m_end; }
    /// What it printed, where that is kept; once.
    std::string takeWords();

private:
    WorkerChannel(ChildProcess child, int fd, int words)
        : m_child(std::move(child))
        , m_fd(fd)
        , m_words(words)
    {
    }
    bool send(std::string_view bytes, std::chrono::steady_clock::time_point end);
    std::unexpected<Error> dead(Error error);

    ChildProcess m_child;
    int m_fd, m_words; ///< m_words: the pipe with what it prints; −1: it is not kept
    std::optional<ExitStatus> m_end;
    FrameReader m_reader;
    nlohmann::json m_greeting;
    bool m_alive = true;
};

} // namespace tilewright
