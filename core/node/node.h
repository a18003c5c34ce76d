// SPDX-License-Identifier: Apache-2.0
// The node: reads requests from one stream, answers on another, and does the work in threads of its own: builders,
// one that makes listings behind them, and for each device one that measures and one that judges. Trusted; holds seeds,
// clock, locks and verdicts. Ends when its input ends.
#pragma once

#include "core/device/core_split.h"
#include "core/node/builder.h"
#include "core/node/cuda_builder.h"
#include "core/node/device.h"
#include "core/node/listing_maker.h"
#include "core/protocol/frames.h"

#include <condition_variable>
#include <deque>
#include <set>
#include <shared_mutex>
#include <thread>

namespace tilewright {

struct NodeSetup {
    int inputFd = 0, outputFd = 1;
    std::filesystem::path worker; ///< tilewright-worker
    std::filesystem::path cudaWorker; ///< tilewright-cuda-worker
    std::filesystem::path cache; ///< build cache
    StaticRules staticRules = StaticRules::On;
    bool openReferences = false; ///< what candidates are held against stays in their reach

    /// What is left out, for proofs alone; empty for a node whose results count.
    std::string leftOut() const;
};

class Node
{
public:
    explicit Node(NodeSetup setup);
    ~Node();

    /// Serves until the input ends. Returns the process's exit code.
    int serve();

private:
    /// Work for one kind of thread, first come, first served.
    class Queue
    {
    public:
        void push(std::function<void()> work);
        /// Nothing once closed.
        std::optional<std::function<void()>> pop();
        void close();
        int waiting() const;

    private:
        mutable std::mutex m_mutex;
        std::condition_variable m_filled;
        std::deque<std::function<void()>> m_work;
        bool m_closed = false;
    };

    /// A device with the thread that measures on it.
    struct Bench {
        std::unique_ptr<Device> device;
        Queue measurements;
        Queue judgements; ///< of what was measured, while the device goes on
    };

    bool take(const Frame& frame);
    void handle(const HelloRequest& request);
    void handle(const BuildRequest& request);
    void handle(const CheckRequest& request);
    void handle(const TimeRequest& request);
    void handle(const ListingRequest& request);
    void handle(const CancelRequest& request);
    void list(const ListingRequest& request);
    /// Until no build waits for a builder and one is free, or nobody wants the listing any more.
    void letBuildsPass(std::int64_t listing);
    struct Program {
        std::shared_ptr<const TaskPack> pack;
        std::string source;
    };
    Result<Program> programOf(const Hash& task, const Hash& program);
    void build(const BuildRequest& request);
    BuildOutcome buildFor(const BuildRequest& request, const Task& task, const std::string& source);
    /// The device of a request, fit for the task; by its id, or the first of its kind if it names none.
    Result<Bench*> bench(const std::string& id, const Task& task);
    void measure(const Hash& task, const std::string& device, std::int64_t id,
        std::function<void(Bench&, const std::shared_ptr<const TaskPack>&)> work);
    Result<std::shared_ptr<const TaskPack>> pack(const Hash& task);
    DeviceJob job(std::int64_t id);
    void send(const nlohmann::json& json);
    void sendBlob(const std::string& bytes);
    void sendBytes(const std::string& bytes);
    void sendFailure(std::int64_t id, const Error& error);
    bool isCancelled(std::int64_t id);
    void beat(std::stop_token stop);

    NodeSetup m_setup;
    Sandbox m_sandbox;
    CoreSplit m_cores;
    Builder m_builder;
    CudaBuilder m_cudaBuilder;
    ListingMaker m_listingMaker;
    std::vector<std::unique_ptr<Bench>> m_benches; ///< the CPU first, then GPUs in the driver's order
    Error m_whyNoGpu; ///< code empty if there are some
    std::mutex m_sending, m_state;
    std::map<Hash, std::string> m_blobs;
    std::map<Hash, std::shared_ptr<const TaskPack>> m_packs;
    std::set<Hash> m_sentBlobs;
    std::set<std::int64_t> m_cancelled;
    std::shared_mutex m_timing; ///< held by builds (shared) and timing (exclusive) where they would share a core
    std::atomic<int> m_building{0}, m_measuring{0};
    std::atomic<int> m_quietWanted{0}; ///< measurements that wait for m_timing
    Queue m_builds, m_listings;
    std::vector<std::jthread> m_threads;
};

} // namespace tilewright
