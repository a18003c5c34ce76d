// SPDX-License-Identifier: Apache-2.0
// What a node and its two kinds of CUDA worker say to each other, as frames over a socket pair: a build worker
// compiles, a GPU worker launches. A worker answers each request with a reply of the same "op" or with "failed". The
// node believes no figure for what it is worth by itself: it sets them against its own clock, its own bounds and its
// own seeds.
#pragma once

#include "core/base/hash.h"
#include "core/protocol/gpu_plan.h"

#include <array>
#include <map>

namespace tilewright {

/// Build worker. Sources, headers, cubins and PTX travel as blobs.
struct CompileRequest {
    Hash source;
    std::string fileName;
    std::vector<std::string> options, expressions; ///< expressions: names whose instances are wanted
};

struct CompileReply {
    bool ok = false;
    int code = 0; ///< NVRTC's
    std::string log;
    Hash cubin, ptx;
    std::map<std::string, std::string> lowered; ///< expression → symbol
};

/// Of the memory around each buffer that no program has a right to; what an allocation for a buffer takes with it, and
/// what one of several buffers that stand in an allocation side by side takes of it.
constexpr std::uint64_t zoneBytes = 64 << 10, bufferAlignment = 256;
/// More that each allocation has, so that where a buffer begins in it, counted from a page's beginning, tells nothing.
constexpr std::uint64_t bufferRoam = 2 << 20;
constexpr std::uint64_t allocationOf(std::uint64_t bytes) { return bytes + 2 * zoneBytes + bufferAlignment; }
constexpr std::uint64_t alignedBytes(std::uint64_t bytes)
{
    return (bytes + bufferAlignment - 1) / bufferAlignment * bufferAlignment;
}
constexpr std::uint64_t roomOf(std::uint64_t bytes) { return alignedBytes(bytes + 2 * zoneBytes); }

/// Sets of buffers that a sample's launches may go round, and the L2 caches' worth that is touched between two uses of
/// one of them.
constexpr std::uint64_t mostRing = 256, ringOverL2 = 3;

/// How the contents of the inputs are drawn: as InputKind of the task.
enum class FillKind { Normal, Scaled, Mixed, Integer };

/// What the elements of all inputs and of all outputs are, how many there are, and whether they are those of a product.
enum class GpuElement { Fp32, Bf16, Fp16 };
struct GpuFormats {
    GpuElement in = GpuElement::Fp32, out = GpuElement::Fp32;
    int inputs = 2, outputs = 1;
    bool product = true;

    bool operator==(const GpuFormats&) const = default;
};

constexpr std::uint64_t bytesOf(GpuElement element) { return element == GpuElement::Fp32 ? 4 : 2; }
/// Largest relative error of rounding to it: 2^-24, 2^-8, 2^-11.
constexpr double unitRoundoff(GpuElement element)
{
    return element == GpuElement::Bf16 ? 0x1.0p-8 : element == GpuElement::Fp16 ? 0x1.0p-11 : 0x1.0p-24;
}

/// Extents of the product and one program's plan for it; of any other operation its depth alone, what is summed over.
struct ProductExtents {
    std::int64_t rows = 0, columns = 0, depth = 0;

    bool operator==(const ProductExtents&) const = default;
};

/// One launch of one program on fresh inputs, checked against the reference element by element.
struct VerifyRequest {
    std::string slot;
    ProductExtents extents;
    std::vector<std::int64_t> dims; ///< as the task orders them
    GpuPlan plan;
    FillKind kind = FillKind::Normal;
    std::uint64_t seed = 0;
    bool twice = false; ///< and again with the other poison, to be bitwise equal
    std::vector<std::int64_t> elements; ///< of each tensor of an operation, inputs first; none for a product
    int coldLaunch = 0; ///< which of the two begins with nothing in the cache, as a timed one does: 1, 2; 0: neither

    bool operator==(const VerifyRequest&) const = default;
};

/// What was found; the node holds it against the bounds.
struct VerifyReply {
    std::int64_t unwritten = 0, notFinite = 0, inexact = 0, differing = 0; ///< elements
    std::int64_t inputsChanged = 0, zonesChanged = 0; ///< elements; bytes around the buffers
    std::int64_t firstBad = -1; ///< element that was not written or not finite
    double differenceSquares = 0, referenceSquares = 0;
    double worstExcess = 0; ///< |C − R| / bound, largest
    std::int64_t worstIndex = -1;
    double got = 0, want = 0, magnitude = 0; ///< at worstIndex
    double ns = 0; ///< of the first launch, by events
    std::map<std::string, double> spentNs; ///< by the worker, by what for
    std::vector<VerifyReply> more; ///< of an operation: its further outputs

    bool operator==(const VerifyReply&) const = default;
};

/// What an operation's reference computes on these inputs, to calibrate the bounds with.
struct TruthRequest {
    std::vector<std::int64_t> dims, elements;
    std::vector<Hash> inputs; ///< their elements as they are in memory
};
struct TruthReply {
    std::vector<Hash> outputs; ///< of each output its values, then its magnitudes, in double
};

/// The two halves of a check in two processes: "produce" is a VerifyRequest to the worker that holds the program, which
/// answers with what it found around the outputs, and lends their memory (CUDA IPC) or sends their bytes, as it is
/// asked; "judge" hands these to a worker that holds none.
using LentMemory = std::array<std::uint8_t, 72>; ///< the driver's handle of one allocation; where in it, 8 bytes
struct ProducedReply {
    VerifyReply around; ///< inputsChanged, zonesChanged, ns
    std::vector<Hash> outputs;
    std::vector<LentMemory> lent = {};
};
struct JudgeRequest {
    VerifyRequest launch; ///< its plan is not used
    std::vector<Hash> outputs;
    std::vector<LentMemory> lent = {};
};
/// What a worker says where memory cannot be lent or borrowed: the bytes will do.
constexpr const char* notLent = "outside/not-lent";

/// Samples of several programs in the order given, each with fresh inputs, poisoned and checked. A sample is one launch
/// with cold caches (ring 1), or one launch on each of `ring` sets of buffers, one behind another, queued one by one or
/// as one CUDA graph. Then the worker draws which of ring + held sets these are, and in which order, anew for each
/// sample; the others are filled as well and left alone.
struct BlockRequest {
    ProductExtents extents;
    std::vector<std::int64_t> dims;
    std::map<std::string, GpuPlan> programs; ///< by slot; "vendor" needs none
    std::vector<std::string> order;
    std::vector<std::uint64_t> seeds; ///< of the inputs, one for each sample
    std::vector<std::int64_t> elements; ///< as VerifyRequest's
    int vendorChoice = -1; ///< which of the library's proposals runs as "vendor"; negative: it is to be found out
    int ring = 1, held = 0;
    bool graph = false;
};

/// Of several launches: their mean time, and what was worst in one of them.
struct BlockSample {
    std::string slot;
    double ns = 0;
    double worst = 0; ///< max |dᵢ| / ‖Cᵢ‖ of Freivalds' test
    double differences = 0, norms = 0; ///< Σdᵢ², Σ‖Cᵢ‖²
    double rowsExcess = 0; ///< |C − R| / bound, largest in the rows that were computed anew; 0 where none were
    std::int64_t worstRow = -1, notFinite = 0, inputsChanged = 0, zonesChanged = 0;
    std::vector<VerifyReply> outputs = {}; ///< of an operation: each of each launch held against the reference
    int launches = 1;
    std::vector<double> launchNs = {}; ///< of each, where there are several
    std::int64_t heldChanged = 0; ///< elements and bytes of sets that no launch was on

    bool operator==(const BlockSample&) const = default;
};

struct BlockReply {
    std::vector<BlockSample> samples;
    double mhzBefore = 0, mhzAfter = 0; ///< of the multiprocessors, by a probe kernel
    std::map<std::string, double> spentNs; ///< by the worker, by what for
    int vendorChoice = -1; ///< which of the library's proposals ran; negative: none
    int vendorVersion = 0; ///< of cublasLt, as it says itself where it ran: 130100; 0: it did not run
};

/// One program launched again and again on the same buffers, for the energy of a launch: nothing of it is checked, and
/// its time is no sample. `launch`: a block of one sample with one launch.
struct HotRequest {
    BlockRequest launch;
    int milliseconds = 2000; ///< 1 to mostHotMs
};
constexpr int mostHotMs = 10'000;
struct HotReply {
    std::int64_t launches = 0; ///< behind the first one
    double ns = 0; ///< from before them until all have ended, by the worker's clock
};

nlohmann::json toJson(const GpuFormats&);
nlohmann::json toJson(const CompileRequest&);
nlohmann::json toJson(const CompileReply&);
nlohmann::json toJson(const VerifyRequest&);
/// Several in one go, "verify_together"; a plan is told once for all requests in a row that share it.
nlohmann::json toJson(const std::vector<VerifyRequest>&);
nlohmann::json toJson(const VerifyReply&);
nlohmann::json produceJson(const VerifyRequest&, bool lend);
nlohmann::json toJson(const ProducedReply&);
nlohmann::json toJson(const JudgeRequest&);
nlohmann::json toJson(const BlockRequest&);
nlohmann::json toJson(const BlockReply&);
nlohmann::json toJson(const HotRequest&);
nlohmann::json toJson(const HotReply&);
nlohmann::json toJson(const TruthRequest&);
nlohmann::json toJson(const TruthReply&);
/// They throw a std::exception on what cannot be read.
GpuFormats gpuFormatsFrom(const nlohmann::json&);
CompileRequest compileRequestFrom(const nlohmann::json&);
CompileReply compileReplyFrom(const nlohmann::json&);
VerifyRequest verifyRequestFrom(const nlohmann::json&);
std::vector<VerifyRequest> verifyRequestsFrom(const nlohmann::json&);
VerifyReply verifyReplyFrom(const nlohmann::json&);
ProducedReply producedReplyFrom(const nlohmann::json&);
JudgeRequest judgeRequestFrom(const nlohmann::json&);
BlockRequest blockRequestFrom(const nlohmann::json&);
BlockReply blockReplyFrom(const nlohmann::json&);
HotRequest hotRequestFrom(const nlohmann::json&);
HotReply hotReplyFrom(const nlohmann::json&);
TruthRequest truthRequestFrom(const nlohmann::json&);
TruthReply truthReplyFrom(const nlohmann::json&);

/// {"op":"failed", …}: the worker's word for an error; `lost` means that its context is gone with it.
nlohmann::json failedJson(const Error& error, bool lost);

} // namespace tilewright
