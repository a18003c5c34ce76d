// SPDX-License-Identifier: Apache-2.0
// GPU programs: source → plans and cubin, by warm NVRTC workers in the sandbox and through the build cache. Plans come
// first, evaluated by the compiler itself; then the kernels, only those instances that the plans name. Thread-safe:
// each building thread takes a worker of its own from the pool.
#pragma once

#include "core/device/cuda.h"
#include "core/model/task/task.h"
#include "core/node/build_cache.h"
#include "core/node/cuda_toolkit.h"
#include "core/node/elf_rules.h"
#include "core/node/worker_channel.h"
#include "core/protocol/gpu_messages.h"

#include <deque>
#include <mutex>
#include <set>

namespace tilewright {

/// A built program: what is launched for each shape, and the code.
struct CudaArtifact {
    struct ShapePlan {
        Shape shape;
        bool unannounced = false; ///< drawn for this program; neither the task nor its author knows it
        GpuPlan plan;
    };
    std::vector<ShapePlan> plans;
    std::map<std::string, std::string> kernels; ///< in the cubin: as the plans write it ("gemm<128,64>") → its symbol
    bool reloadAlways = false; ///< it has initialised variables that instructions name: fresh before every launch
    std::string cubin;
    Hash cubinHash;

    const GpuPlan* planFor(const Shape& shape) const;
    std::string bytes() const;
    static Result<CudaArtifact> fromBytes(std::string_view bytes);
};

/// What a compiler makes of a program's kernels.
struct KernelCode {
    std::string cubin, ptx;
};

class CudaBuilder
{
public:
    /// secret: draws the unannounced shapes. cpus: where compilers may run; empty means anywhere.
    CudaBuilder(const Sandbox& sandbox, std::filesystem::path worker, std::filesystem::path cache,
        std::vector<int> cpus, std::string secret, StaticRules rules = StaticRules::On);

    /// "NVRTC 13.0", known after the first build; why there is none until then.
    std::string compiler() const;
    bool isAvailable() const { return m_toolkit.has_value(); }
    /// The folder of CUDA's headers; empty if there is none.
    std::filesystem::path headers() const { return m_toolkit ? m_toolkit->include : std::filesystem::path(); }
    const Error& whyNot() const { return m_toolkit.error(); }

    BuildOutcome buildCandidate(
        const Task& task, const std::string& source, const CudaFacts& facts, const Cancelled& cancelled = never);
    /// A built program by its hash. The last few stay in memory: each is asked for at its check, at its timing and as
    /// the one that others are held against.
    Result<std::shared_ptr<const CudaArtifact>> artifact(const Hash& hash) const;
    /// A program that was built before, with plans for these shapes in place of the task's. Its code is the same where
    /// it holds every instance that these plans name; else it is compiled once more with those. Errors: rules of a
    /// build (plan/…, build/…), build/no-artifact, cancelled, device/…, machine/….
    Result<CudaArtifact> planned(const Task& task, const Hash& artifact, const std::vector<Shape>& shapes,
        const CudaFacts& facts, const Cancelled& cancelled);
    /// A program that this one was built from; empty where the cache has none.
    std::string sourceOf(const Hash& artifact) const { return m_cache.sourceOf(artifact); }
    /// The kernels of a program that was built before, once more: by the same options, for this architecture ("sm_90a")
    /// and with these instances. No GPU is needed. Errors as rules of a build, and cancelled, device/…, machine/….
    Result<KernelCode> kernelsAgain(const Task& task, const std::string& source, const std::string& architecture,
        const std::vector<std::string>& kernels, const Cancelled& cancelled);
    /// Trusted code: a task's reference, or Tilewright's own kernels. Returns the cubin.
    Result<std::string> buildTrusted(const std::string& text, const std::string& fileName, const CudaFacts& facts);

private:
    struct Compilation {
        std::string text, fileName, architecture; ///< "sm_90a"
        std::vector<std::string> options, expressions; ///< options: beside that of the architecture
        double seconds = 30;
        bool withHeaders = false;
    };
    struct Compiled {
        CompileReply reply;
        std::string cubin, ptx;
    };
    /// Whoever is advised to set CUDA_HOME may have set it already, to a folder without a toolkit.
    Error ofThisToolkit(Error trouble) const;
    /// With these instances, in their order.
    Compilation kernelsOf(const Task& task, const std::string& source, const std::string& architecture,
        const std::set<std::string>& kernels) const;
    /// Why this program may not be compiled here, or cannot be.
    Result<void> checkCompilable(const Task& task, const std::string& source) const;
    /// Errors: build/limit, build/crash, machine/… (of which killedFromOutside after two workers), run/start, device/….
    Result<Compiled> compile(const Compilation& job, const Cancelled& cancelled);
    Result<Compiled> compileOnce(const Compilation& job, const Cancelled& cancelled);
    Result<std::unique_ptr<WorkerChannel>> worker(bool withHeaders);
    /// Plans for these shapes, with the names of kernels as the program writes them. outcome: takes the compiler's log.
    Result<std::vector<CudaArtifact::ShapePlan>> plans(const Task& task, const std::string& source,
        const std::vector<Shape>& shapes, const CudaFacts& facts, BuildOutcome& outcome, const Cancelled& cancelled);
    /// Of a plan that is no constant: the job once more, with planProbes() behind the program in place of the table.
    /// The log becomes theirs.
    Error whyNoConstant(Compilation job, const std::string& program, const std::vector<Shape>& shapes,
        const CudaFacts& facts, BuildOutcome& outcome, const Cancelled& cancelled);
    /// The rules that hold for compiled code, whatever is planned. artifact: learns whether it is loaded anew always.
    Result<void> inspect(const Compiled& compiled, CudaArtifact& artifact) const;
    /// Names the cubin's symbols in the plans, and holds them against what its kernels need. Returns the kernels as
    /// resources tell them. Errors: build/no-kernel, build/arguments, plan/grid.
    static Result<nlohmann::json> resolve(CudaArtifact& artifact, const Task& task, const CudaFacts& facts);
    /// The kernels that the plans name, compiled and inspected, their names resolved. outcome: takes log and resources.
    Result<void> compileKernels(const Task& task, const std::string& source, const CudaFacts& facts,
        CudaArtifact& artifact, BuildOutcome& outcome, const Cancelled& cancelled);
    /// Adds to each of the kernels that resources tell of what it is compiled to, in its hottest loop ("hot_loop");
    /// nothing where no disassembler is installed, or where it does not understand the code.
    void addHotLoops(const CudaArtifact& artifact, nlohmann::json& resources, const Cancelled& cancelled) const;
    BuildOutcome build(const Task& task, const std::string& source, const CudaFacts& facts, const Cancelled& cancelled,
        std::string& object);

    const Sandbox& m_sandbox;
    std::filesystem::path m_worker;
    BuildCache m_cache;
    std::vector<int> m_cpus;
    std::string m_secret;
    StaticRules m_rules;
    Result<CudaToolkit> m_toolkit;
    using Recent = std::pair<Hash, std::shared_ptr<const CudaArtifact>>;
    static constexpr std::size_t mostRecent = 16;
    mutable std::mutex m_mutex;
    mutable std::deque<Recent> m_recent;
    std::vector<std::unique_ptr<WorkerChannel>> m_idle[2]; ///< without and with headers
    std::map<std::string, std::string> m_headers;
    int m_version = 0;
    std::vector<int> m_capabilities; ///< that the compiler compiles for: 90 is 9.0
};

} // namespace tilewright
