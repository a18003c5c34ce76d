// SPDX-License-Identifier: Apache-2.0
// The device with Tilewright's own kernels on it: inputs, poison, scrubbing, flushing, checks, and the two things done
// with candidates: one verified launch, and cold timed samples. One stream. A launch's buffers, the zones around them
// and shared memory are set anew before each launch of anything. Elsewhere in reach lies what came of other inputs,
// which are never drawn again (core/node/inputs.h); all of it is poisoned before the one launch that runs on inputs
// a second time, and what is nobody's is looked at behind that.
#pragma once

#include "core/protocol/parked_programs.h"
#include "core/worker/cuda/captured_graph.h"
#include "core/worker/cuda/gpu_program.h"
#include "core/worker/cuda/vendor_lt.h"

#include <chrono>
#include <functional>
#include <memory>
#include <utility>

namespace tilewright {

/// Sizes of the device that the bench needs.
struct CudaLimits {
    int sms = 1;
    std::uint64_t l2Bytes = 0;
    unsigned sharedPerBlock = 0; ///< with opt-in
};

/// Adds the time until its end to one entry of a ledger.
class Spending
{
public:
    Spending(std::map<std::string, double>& ledger, const char* what)
        : m_entry(ledger[what])
    {
    }
    ~Spending() { m_entry += static_cast<double>((std::chrono::steady_clock::now() - m_start).count()); }
    Spending(const Spending&) = delete;
    Spending& operator=(const Spending&) = delete;

private:
    double& m_entry;
    std::chrono::steady_clock::time_point m_start = std::chrono::steady_clock::now();
};

/// While it lives, what is queued goes to another stream.
class Aside
{
public:
    Aside(cu::Stream& usual, cu::Stream other)
        : m_place(usual)
        , m_usual(std::exchange(usual, other))
    {
    }
    ~Aside() { m_place = m_usual; }
    Aside(const Aside&) = delete;
    Aside& operator=(const Aside&) = delete;

private:
    cu::Stream& m_place;
    cu::Stream m_usual;
};

/// Of the inputs in one set of buffers, of those that a sample goes round.
constexpr std::uint64_t seedOfSet(std::uint64_t sampleSeed, std::size_t set)
{
    return sampleSeed + set * 0x9e3779b97f4a7c15;
}

/// A set of buffers as a sample filled it.
struct FilledSet {
    BoundBuffers buffers;
    std::uint64_t seed = 0;
    std::size_t number = 0; ///< among the sets that a program was made ready for
};

/// 64 bits that nothing in this process knew before.
std::uint64_t unforeseeable();

/// What outputs hold before the first launch of a check, and before the second.
constexpr std::uint8_t firstPoison = 0xff, secondPoison = 0x7b;

inline std::uint64_t elementsOf(const VerifyRequest& request)
{
    return static_cast<std::uint64_t>(request.extents.rows * request.extents.columns);
}

/// A worker's failure, and whether its context is gone with it.
struct GpuFailure {
    Error error;
    bool lost = false;
};
template <typename T> using GpuResult = std::expected<T, GpuFailure>;

/// What a launch left: its outputs as they are in memory or where they are, and what was found of the inputs and the
/// red zones.
struct Produced {
    VerifyReply around;
    std::vector<std::string> outputs;
    std::vector<LentMemory> lent = {}; ///< in place of the bytes
};

class GpuBench
{
public:
    GpuBench(const cu::Driver& driver, cu::Device device, const CudaLimits& limits);

    /// Own kernels and the task's reference.
    GpuResult<void> loadKernels(const std::string& kernels, const std::string& reference, const GpuFormats& formats);
    /// No cubin: the program of this hash is parked. What had the slot is parked instead, unless it may have written to
    /// variables of its own.
    GpuResult<void> load(const std::string& slot, const Hash& hash, const std::string& cubin, bool reloadAlways);
    GpuResult<void> allocate(
        const std::vector<std::uint64_t>& bytes, std::uint64_t oftenHidden, std::uint64_t hiddenBytes);
    /// For proofs: hidden memory stays mapped, and is there.
    GpuResult<MemoryRange> leaveReferencesOpen();
    GpuResult<VerifyReply> verify(const VerifyRequest& request);
    /// The same for several: their launches one behind another, then their truths. A failure's evidence tells in "item"
    /// which of them it was.
    GpuResult<std::vector<VerifyReply>> verifyTogether(const std::vector<VerifyRequest>& requests);
    /// One launch whose outputs leave this process as they are; what was found around them comes with them.
    GpuResult<Produced> produce(const VerifyRequest& request, bool lend);
    /// Outputs that another process produced for this request, held against the reference. No program is launched.
    GpuResult<VerifyReply> judgeOutputs(const VerifyRequest& request, const Produced& produced);
    GpuResult<BlockReply> block(const BlockRequest& request);
    /// Launches the block's only program for that long.
    GpuResult<HotReply> hot(const HotRequest& request);
    /// Told, while launches are verified, which of them is under way now, or that it is being judged: of a group that
    /// runs in a row, all of it.
    using Progress = std::function<void(std::size_t item, bool judging)>;
    void setProgress(Progress progress) { m_progress = std::move(progress); }
    /// Who knows the block that is to come right behind the one that is measured; null: none is there yet. Its first
    /// inputs are filled while the last launch before it is checked.
    using NextBlock = std::function<std::shared_ptr<const BlockRequest>()>;
    void setNext(NextBlock next) { m_next = std::move(next); }
    /// Values and magnitudes of each output by an operation's reference, for inputs that are given.
    GpuResult<std::vector<std::string>> truth(const TruthRequest& request, const std::vector<std::string>& inputs);
    /// What the kernel with a known result gives for this seed, on all multiprocessors.
    GpuResult<std::uint64_t> canary(std::uint64_t seed);
    /// Median of 100 pairs of events with nothing in between, in ns.
    GpuResult<double> eventFloor();
    /// Nobody asked for anything for so long, and then for this.
    void waited(std::chrono::nanoseconds time, const std::string& op)
    {
        m_spent["waited"] += static_cast<double>(time.count());
        m_spent["waited_" + op] += static_cast<double>(time.count());
    }

private:
    struct Loaded {
        std::unique_ptr<GpuProgram> program;
        Hash cubin;
        bool reloadAlways = false;
    };
    struct Runner; // one contestant of a block
    struct Head; // what of a block is under way before its turn
    /// What a launch that is checked is preceded by.
    struct Preparation {
        const BoundBuffers& buffers;
        const ProductExtents& extents;
        std::uint64_t seed = 0;
        FillKind kind = FillKind::Normal;
        std::uint8_t poison = 0xff;
        std::uint32_t number = 0; ///< told when its turn comes; 0: not
        bool isCold = false;
    };
    /// Where in m_results something stands: what one check found, the probe of the clock, how a reference is
    /// launched, a sum on the way to its truth, what many checks found.
    static constexpr std::uint64_t clockAt = 512, launchAt = 640, squaresAt = 704, findingsAt = 1024,
                                   bytesOfFindings = 128,
                                   heldAt = 120; // in a finding
    static constexpr std::size_t mostFindings = 256;
    static constexpr std::uint64_t sealsAt = findingsAt + mostFindings * bytesOfFindings,
                                   bytesOfResults = sealsAt + 8 * mostFindings;
    /// |C − R| may be perValue·|R| + perMagnitude·(|A||B|); EVALUATION §3. Sums are of fp32.
    struct Bound {
        double perValue = 0, perMagnitude = 0;
    };
    Bound boundOf(const ProductExtents& extents) const;
    /// `elements` of each tensor where it is no product.
    GpuResult<std::vector<std::uint64_t>> sizesOf(
        const ProductExtents& extents, const std::vector<std::int64_t>& elements, std::uint64_t workspaceBytes) const;
    GpuResult<BoundBuffers> bind(const ProductExtents& extents, const std::vector<std::int64_t>& elements,
        std::uint64_t workspaceBytes, std::uint64_t place) const;
    /// Which of the buffers tw_before and tw_after work on, and on the zones around them.
    enum class Parts { Zones, Inputs, InputsAndZones, All };
    /// Queues one of these two; `more`: its arguments behind the poison.
    cu::Code workOn(const char* kernel, const BoundBuffers& buffers, Parts parts, std::uint64_t seed, FillKind fill,
        std::uint8_t poison, std::vector<void*> more = {});
    cu::Code prepare(const Preparation& preparation);
    cu::Code fillAndPoison(const Preparation& preparation);
    cu::Code fillInputs(const BoundBuffers& buffers, std::uint64_t seed, FillKind kind);
    cu::Code flush(); ///< queues what empties the cache
    /// Another one each time, of four bytes that are the same.
    std::uint32_t nextFlush() { return 0x01010101U * ++m_flushes; }
    cu::Code scrub(); ///< queues what overwrites shared memory
    /// Does both.
    cu::Code emptyCaches(std::uint64_t holdNs = 0, bool isFlushed = true);
    /// Scrubs, and flushes where a launch is to begin cold; what comes from here on waits on the device until
    /// release(), when all of it is queued.
    cu::Code hold(bool isCold);
    /// Whether the launch that is preceded by this poison begins cold.
    static bool findsCold(const VerifyRequest& request, std::uint8_t poison)
    {
        return request.coldLaunch == (poison == firstPoison ? 1 : 2);
    }
    void release() { *static_cast<volatile std::uint32_t*>(m_released) = 1; }
    /// Queues the launch between two events.
    cu::Code queueLaunch(const std::function<cu::Code()>& launch) { return queueLaunch(launch, m_begin, m_end); }
    cu::Code queueLaunch(const std::function<cu::Code()>& launch, cu::Event begin, cu::Event end);
    GpuFailure failedLaunch(cu::Code code, const std::string& what, const std::string& slot) const;
    GpuFailure whyNotQueued(cu::Code queued, const std::string& slot) const;
    /// Waits for the launch, not for what is queued behind it: why it failed, if it did. queued: its code.
    GpuResult<void> awaitLaunch(cu::Code queued, const std::string& slot);
    /// Of a launch that was waited for: the time between the events, in ns.
    GpuResult<double> launchTime(const std::string& slot);
    GpuResult<double> launchBetweenEvents(const std::function<cu::Code()>& launch, const std::string& slot);
    GpuResult<std::map<std::string, Runner>> enter(const BlockRequest& request, BlockReply& reply);
    /// All samples of a block: while one is checked, the inputs of the next are filled behind it, the block's own or
    /// those of the block to come.
    GpuResult<void> takeSamples(
        const BlockRequest& request, std::map<std::string, Runner>& runners, bool isBegun, BlockReply& reply);
    /// Enters the block that is to come, if it is there, and queues its first inputs. What fails does so again, and is
    /// told, in its turn.
    void beginNext();
    GpuResult<void> queueInputs(const BlockRequest& request, std::size_t index, Runner& runner);
    /// Adds what one launch of an operation wrote, held against the reference.
    GpuResult<void> judgeSet(
        const BlockRequest& request, std::size_t sample, const FilledSet& set, std::vector<VerifyReply>& outputs);
    /// Adds what a sample of an operation left of the sets that were held back.
    GpuResult<void> judgeHeld(const Runner& runner, std::uint8_t poison, BlockSample& sample);
    /// The runner's program, ready for its sets of buffers.
    GpuResult<void> makeReady(const BlockRequest& request, Runner& runner);
    /// Draws the sample's launches, as one graph where that is asked for.
    GpuResult<void> drawRound(const BlockRequest& request, std::size_t sample, Runner& runner);
    cu::Code readyRound(std::size_t launches); ///< events for each of so many
    cu::Code launchOn(const Runner& runner, const FilledSet& set, cu::Stream stream);
    /// One launch on each set that was drawn; of several, each between two events of its own.
    cu::Code launchRound(const Runner& runner, cu::Stream stream, bool isCaptured);
    cu::Code launchAll(Runner& runner);
    /// Of each launch of a sample that was waited for, in ns.
    GpuResult<std::vector<double>> roundTimes(const Runner& runner);
    /// Queues the look at the sets that were held back; of each, what is no longer as it was filled is counted in a
    /// finding, in the first of them memory that is no set's as well.
    cu::Code lookAtHeld(const Runner& runner, std::uint8_t poison, std::size_t firstFinding);
    /// All that these findings of a sample counted, once they came home.
    std::int64_t heldChanged(std::size_t firstFinding, std::size_t held) const;
    /// Memory for B·v, which may wait for what is queued.
    cu::Code allocateProjection(std::uint64_t depth);
    /// Queues, while the launches run, the look at their red zones, which no secret is needed for.
    cu::Code queueLookAround(const Runner& runner, std::uint8_t poison);
    /// Queues Freivalds' test of each launch of a sample that was waited for, and the way home of what was found.
    cu::Code queueCheck(const Runner& runner, const ProductExtents& extents);
    /// Once that has been waited for, added to the sample.
    void readCheck(BlockSample& sample, std::size_t held);
    /// Queues a probe of the clock, beside what is queued otherwise; where nothing of a program runs.
    cu::Code queueClock();
    /// Of the multiprocessors, by the probe that was queued last, which is waited for.
    GpuResult<double> clockMhz();
    GpuFailure failed(cu::Code code, const std::string& what) const;
    /// Blocks for a kernel that goes through so many elements: a few a multiprocessor, and no more than have work.
    unsigned blocksFor(std::uint64_t elements, unsigned aMultiprocessor = 4) const;
    struct Grid {
        unsigned x = 1, y = 1, z = 1;
    };
    cu::Code run(const char* kernel, Grid grid, unsigned block, std::vector<void*> arguments, unsigned sharedBytes = 0);
    /// The program of the request's slot, ready to be launched; loaded anew where it has variables of its own.
    GpuResult<GpuProgram*> ready(const VerifyRequest& request, const BoundBuffers& buffers);
    /// One launch of the program on inputs of its own, once references are hidden; it is queued, awaitLaunch() waits.
    GpuResult<cu::Code> queueOnce(const VerifyRequest& request, const BoundBuffers& buffers, std::uint8_t poison);
    /// The same, waited for, in ns.
    GpuResult<double> launchOnce(const VerifyRequest& request, const BoundBuffers& buffers, std::uint8_t poison);
    /// Adds what the launch left of inputs and red zones.
    cu::Code lookAround(
        const VerifyRequest& request, const BoundBuffers& buffers, std::uint8_t poison, cu::Pointer findings);
    /// Adds what launches left in memory that is nobody's, all of which forgetAll() had poisoned.
    cu::Code lookBetween(const std::vector<BoundBuffers>& launches, std::uint8_t poison, cu::Pointer findings);
    /// Adds to what `count` points at the bytes there that are no longer poison.
    cu::Code lookAtNobodys(const std::vector<MemoryRange>& gaps, std::uint8_t poison, cu::Pointer count);
    /// Counts the elements whose bits are not the same.
    cu::Code differ(cu::Pointer first, cu::Pointer second, std::uint64_t elements, cu::Pointer findings);
    /// The truth by the task's plain reference, or by tiles once both agreed in this process.
    cu::Code computeTruth(
        const VerifyRequest& request, const BoundBuffers& buffers, cu::Pointer truth, cu::Pointer magnitude);
    cu::Code computeByTiles(
        const VerifyRequest& request, const BoundBuffers& buffers, cu::Pointer truth, cu::Pointer magnitude);
    /// Whether tilesAgree() has nothing more to find out.
    bool isSettled() const { return m_disagreed || m_agreed >= agreementsWanted; }
    GpuResult<bool> tilesAgree(const VerifyRequest& request, const BoundBuffers& buffers, cu::Pointer plain);
    /// How an operation's reference is called: with values and magnitudes to write, one thread an element; or as the
    /// task launches it, writing values alone, in the outputs' type or in double.
    enum class TruthForm { Elements, Found, Values };
    /// Where one output's truth stands in hidden memory, and what is kept of the first launch.
    struct Place {
        std::uint64_t elements = 0;
        cu::Pointer truth = 0, magnitude = 0, found = 0, kept = 0;
    };
    /// Of each output, and how much hidden memory they take.
    std::pair<std::vector<Place>, std::uint64_t> places(const std::vector<std::int64_t>& elements) const;
    GpuResult<void> revealFor(const std::vector<std::int64_t>& elements);
    GpuResult<void> findTruthForm();
    /// Waits for what is queued, and computes truth and magnitudes, in memory that has been revealed.
    GpuResult<void> computeOperation(
        const std::vector<std::int64_t>& dims, const std::vector<std::int64_t>& elements, const BoundBuffers& buffers);
    cu::Code launchReference(const char* name, const std::array<std::uint32_t, 7>& how, std::vector<void*> arguments);
    /// Holds all outputs against the truth; what was found of output i stands at findings(i).
    cu::Code judgeOperation(const ProductExtents& extents, const std::vector<Place>& places,
        const BoundBuffers& buffers, std::uint8_t poison, FillKind kind = FillKind::Normal);
    GpuResult<VerifyReply> verifyOperation(const VerifyRequest& request);
    GpuResult<void> takeOperationSamples(
        const BlockRequest& request, std::map<std::string, Runner>& runners, BlockReply& reply);
    /// Holds C, which may stand elsewhere by now, against the truth, which is computed at `truth`, in memory that has
    /// been revealed.
    cu::Code judge(const VerifyRequest& request, const BoundBuffers& buffers, cu::Pointer c, std::uint8_t poison,
        cu::Pointer truth, cu::Pointer findings);
    struct Together; // launches that are verified together, and where what is needed for that stands
    GpuResult<Together> layOut(const std::vector<VerifyRequest>& requests) const;
    /// Those of the launches that are wanted, one behind another, each on inputs of its own; waited for, while what
    /// they left of inputs and zones is looked at.
    GpuResult<void> launchTogether(const Together& all, const std::vector<std::size_t>& which, std::uint8_t poison,
        std::vector<VerifyReply>& replies);
    GpuResult<void> judgeTogether(const Together& all, std::vector<VerifyReply>& replies);
    GpuResult<void> compareAgain(
        const Together& all, const std::vector<std::size_t>& which, std::vector<VerifyReply>& replies);
    GpuResult<void> showHidden(std::uint64_t bytes);
    /// Queues a sum of the output and the workspace that a launch of a group left under a key that is drawn for the
    /// group; `opens`: takes it away again.
    cu::Code seal(const BoundBuffers& buffers, std::size_t item, std::uint64_t key, bool opens);
    /// Adds what launches of a group did to what earlier ones had left; the seals have been opened.
    GpuResult<void> readSeals(std::vector<VerifyReply>& replies);
    GpuFailure failedTogether(const Together& all, cu::Code queued, cu::Code ended, std::size_t last) const;
    cu::Pointer findings(std::size_t number = 0) const { return m_results + findingsAt + number * bytesOfFindings; }
    cu::Code clearFindings(std::size_t count = 1);
    /// Before the second launch on the same inputs: nothing that a program could reach tells what came of the first.
    /// Nothing is under way.
    cu::Code forgetAll(std::uint8_t poison);
    bool reloadsAlways(const std::string& slot) const;
    void tell(std::size_t item, bool judging)
    {
        if (m_progress)
            m_progress(m_firstItem + item, judging);
    }
    /// The GPU's own time between two points of the stream: the first, the second, and, once both have passed, the sum.
    cu::Code beginChecks() { return m_driver.eventRecord(m_checkBegin, m_stream); }
    cu::Code endChecks() { return m_driver.eventRecord(m_checkEnd, m_stream); }
    void addChecks();
    void addChecksAndAround(); ///< where the zones are looked at before the host takes its turn
    void addAround(); ///< the look at what is around buffers, which is part of the checks, and the turn behind it
    /// Adds the GPU's own time between two events that have passed.
    void addBetween(cu::Event begin, cu::Event end, const char* what);
    /// What the steps since clearFindings() found, added to the replies; they have been waited for.
    GpuResult<void> readFindings(VerifyReply* replies, std::size_t count = 1);
    /// The same of one launch: queued, and read once that has been waited for. Nothing of a program runs in between.
    cu::Code queueFound();
    void readFound(VerifyReply& reply) const;

    const cu::Driver& m_driver;
    CudaLimits m_limits;
    GpuFormats m_formats;
    TruthForm m_truthForm = TruthForm::Elements;
    GpuMemory m_memory;
    std::unique_ptr<GpuProgram> m_kernels, m_reference;
    std::map<std::string, cu::Function> m_functions;
    std::map<std::string, Loaded> m_programs; ///< by slot
    ParkedPrograms<Loaded> m_parked;
    std::unique_ptr<VendorLt> m_vendor;
    cu::Stream m_stream = nullptr;
    std::vector<cu::Stream> m_beside; ///< for what is judged side by side
    std::vector<cu::Event> m_besideEnds; ///< of each of them
    cu::Stream m_clockStream = nullptr;
    cu::Event m_clockEnd = nullptr;
    std::vector<std::array<cu::Event, 2>> m_launches; ///< begin and end of those that are queued one behind another
    std::vector<std::array<cu::Event, 2>> m_round; ///< the same of a sample's launches
    NextBlock m_next;
    Progress m_progress;
    std::size_t m_firstItem = 0; ///< of those that are verified one by one, the one whose turn it is
    std::shared_ptr<Head> m_head; ///< of the block that is to come
    cu::Event m_prepareBegin = nullptr, m_prepareEnd = nullptr; ///< of the preparation of a launch
    cu::Event m_begin = nullptr, m_end = nullptr, m_checkBegin = nullptr, m_checkEnd = nullptr;
    cu::Event m_aroundBegin = nullptr,
              m_aroundEnd = nullptr; ///< of a look at red zones that does not wait for the host
    cu::Pointer m_flush = 0, m_results = 0, m_projection = 0;
    std::uint64_t m_projectionCount = 0;
    /// Host memory that holds the stream; behind it, in words, which launch is under way, what was found of one launch,
    /// of the clock, and of the launches of a sample.
    std::uint32_t* m_released = nullptr;
    static constexpr std::size_t underWayAt = 64, foundAt = 128, clockHomeAt = 512, sampleAt = 1024,
                                 bytesAtHome = 4 * sampleAt + mostRing * bytesOfFindings;
    cu::Pointer m_releasedAddress = 0;
    std::uint8_t m_flushes = 0; ///< what m_flush is full of, once it was written over
    static constexpr int agreementsWanted = 12; ///< launches for which the plain reference is computed as well
    double m_lastMhz = 0; ///< of the probe behind the last block
    std::chrono::steady_clock::time_point m_lastProbe;
    int m_agreed = 0; ///< launches whose truth was the same by tiles and by the plain reference
    bool m_disagreed = false;
    /// Since the last reply that told it, in ns; "…_gpu": by the GPU's own events.
    std::map<std::string, double> m_spent;
};

} // namespace tilewright
