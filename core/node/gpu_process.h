// SPDX-License-Identifier: Apache-2.0
// One GPU worker, spoken to in types: started with the task's kernels and memory, given programs by slot, asked to
// verify and to time. What it says is checked for form here and for truth by the gates. Measuring thread only.
#pragma once

#include "core/device/cuda.h"
#include "core/node/cuda_builder.h"
#include "core/node/worker_channel.h"
#include "core/protocol/parked_programs.h"

#include <deque>
#include <variant>

namespace tilewright {

struct GpuProcessSetup {
    std::filesystem::path worker;
    std::vector<std::filesystem::path> libraries;
    CudaFacts facts;
    std::string kernels, reference; ///< cubins
    GpuFormats formats;
    std::vector<std::uint64_t> bufferBytes; ///< of each tensor and the workspace, largest shape
    std::uint64_t oftenHidden = 0, hiddenBytes = 0; ///< for the train shapes; for all
    std::optional<unsigned> minorNumber; ///< of the GPU's device file; none: not known
    StuckProcesses* stuck = nullptr; ///< takes the worker when it does not end
    /// Of a sandbox of its own. CUDA IPC is refused between processes of the same number, as all that are first have.
    bool isFirstProcess = true;
    bool openReferences = false; ///< for proofs: nothing is hidden from a candidate
};

constexpr std::size_t mostTogether = 64; ///< launches that are verified in one go
constexpr std::int64_t smallOneElements = 1 << 16; ///< of each tensor of such a launch at most
/// Buffers and hidden memory for a task's shapes, and for those that nobody announced.
void setBuffers(GpuProcessSetup& setup, const Task& task);

class GpuProcess
{
public:
    /// Errors: device/…, run/start.
    static Result<std::unique_ptr<GpuProcess>> start(const Sandbox& sandbox, const GpuProcessSetup& setup);

    /// Posted: an error of the worker, which names the slot, comes with what is asked for next.
    Result<void> load(const std::string& slot, const Hash& hash, const CudaArtifact& artifact);
    /// Launches to verify: one, or several in one go, whose failure tells in its evidence's "item" which of them it
    /// was. The worker tells which is under way: each is held to its own limit.
    struct Verification {
        std::vector<VerifyRequest> requests;
        std::chrono::milliseconds limit{};
        std::vector<std::chrono::milliseconds> launchLimits; ///< of each launch by itself; none: the limit of all
        std::chrono::milliseconds judgingLimit{}; ///< of truths and comparisons
        std::string message = {}; ///< messageFor() the requests, where that was done before their turn
    };
    /// The requests as the worker is sent them.
    static std::string messageFor(const std::vector<VerifyRequest>& requests);
    using VerifyReplies = std::vector<VerifyReply>;
    /// A kernel with a known result: what it is started with, and what it must give.
    struct Canary {
        std::uint64_t seed = 0, digest = 0;
    };
    /// One after another, each posted while the one before it is worked on, and the canary behind the last. `reply` is
    /// given each one's number and replies in their order; the first error, its own or the worker's, ends it and comes
    /// back.
    Result<void> verify(const std::vector<Verification>& verifications,
        const std::function<Result<void>(std::size_t, const Result<VerifyReplies>&)>& reply, const Canary& behind);
    /// Whether it still gives its result: what the one tells that was posted behind everything else, or else this one.
    /// Errors: run/canary.
    Result<void> canary(const Canary& canary);
    /// Behind the blocks that are posted, unless one stands there.
    void postCanary(const Canary& canary);
    /// What an operation's reference computes on these inputs: of each output its values, then its magnitudes.
    Result<std::vector<std::string>> truth(const std::vector<std::int64_t>& dims,
        const std::vector<std::int64_t>& elements, const std::vector<std::string>& inputs);
    /// One launch whose outputs are lent by the worker, until its next launch, or brought out of it as they are.
    struct Produced {
        VerifyReply around; ///< of the inputs and the red zones
        std::vector<std::string> outputs;
        std::vector<LentMemory> lent;
    };
    /// Errors: outside/not-lent where it was to lend.
    Result<Produced> produce(const VerifyRequest& request, bool lend, std::chrono::milliseconds limit);
    /// What this worker's reference says of outputs that another one produced for this request.
    /// Errors: outside/not-lent where they were lent.
    Result<VerifyReply> judge(const VerifyRequest& request, const Produced& produced, std::chrono::milliseconds limit);
    /// A block of samples, posted: takeBlock() waits for the reply to the one that was posted first.
    Result<void> postBlock(BlockRequest request);
    Result<BlockReply> takeBlock(std::chrono::milliseconds limit);
    /// For the energy of a launch; nothing else is under way. Errors: those of the program.
    Result<HotReply> hot(const HotRequest& request);
    /// Nobody wants the replies to what is still posted.
    void forgetPosted();
    /// By the node's clock, of the block that was taken last: since it could begin.
    double wallNs() const { return m_wallNs; }
    /// The same since there was nothing posted, and what the events claim of that time. The worker's pace in between is
    /// its own: single blocks may seem to have taken no time where the node was late to look.
    double busyWallNs() const { return m_busyWallNs; }
    double busyEventsNs() const { return m_busyEventsNs; }
    double eventFloorNs() const { return m_eventFloorNs; }
    /// Where references stand that are left open, for proofs: {"at", "bytes"}; else null.
    const nlohmann::json& openReferences() const { return m_openReferences; }
    bool isAlive() { return m_channel->isAlive(); }
    pid_t pid() const { return m_channel->pid(); }

private:
    explicit GpuProcess(std::unique_ptr<WorkerChannel> channel)
        : m_channel(std::move(channel))
    {
    }

    /// What was posted and not yet received.
    enum class Awaited { Load, Block, Canary };
    /// Receives what was posted before the first block, or all of it. Error: of the first load that failed.
    Result<void> awaitBefore(bool block);
    void awaitCanary();
    Result<WorkerReply> receiveVerified(const Verification& verification);
    Result<void> sendCanary(const Canary& canary);
    /// Asks for something else once all that is done.
    Result<WorkerReply> ask(
        const nlohmann::json& request, const std::vector<WorkerBlob>& blobs, std::chrono::milliseconds limit);

    std::unique_ptr<WorkerChannel> m_channel;
    std::deque<Awaited> m_awaited; ///< in the order in which it was posted
    std::deque<std::string> m_loading; ///< slots, in the order in which they were posted
    Canary m_canary; ///< posted last
    std::optional<Result<void>> m_canaryTold; ///< of one behind which nothing has run
    struct Loaded {
        Hash artifact, cubin;
        bool reloadAlways = false;
    };
    std::map<std::string, Loaded> m_loaded; ///< by slot
    ParkedPrograms<std::monostate> m_parked; ///< as the worker has it
    std::deque<BlockRequest> m_posted;
    std::chrono::steady_clock::time_point m_busySince, m_freeAt; ///< first block posted; last one taken
    double m_wallNs = 0, m_busyWallNs = 0, m_busyEventsNs = 0, m_eventFloorNs = 0;
    nlohmann::json m_openReferences;
};

/// Device files that a GPU worker needs: of the GPU with this number alone, where it is known and there.
std::vector<std::filesystem::path> gpuDeviceFiles(
    std::optional<unsigned> minorNumber = {}, const std::filesystem::path& folder = "/dev");

/// The GPUs of this machine, by a worker that lists them and ends. Empty, with the reason, where there is none.
struct GpuListing {
    std::vector<CudaFacts> gpus;
    Error whyNone; ///< code empty if there are some
};
GpuListing listGpus(const Sandbox& sandbox, const std::filesystem::path& worker);

} // namespace tilewright
