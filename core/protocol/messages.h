// SPDX-License-Identifier: Apache-2.0
// Requests and replies between the engine and a node. Each has its JSON form (documented in CONTRACT terms beside the
// members); ids grow; several requests may be in flight, one timing a device. Blobs (pack, sources, logs) travel as
// `blob` frames before the message that names them.
#pragma once

#include "core/model/measurement/evaluation.h"
#include "core/model/measurement/listing.h"
#include "core/model/measurement/measured_checks.h"

#include <map>
#include <variant>

namespace tilewright {

struct HelloReply {
    int protocol = 1;
    std::string host;
    struct Device {
        std::string id; ///< "cpu0", later "GPU-…"
        std::string name, arch, isolation; ///< isolation: sandbox | reduced
        nlohmann::json facts;

        bool operator==(const Device&) const = default;
    };
    std::vector<Device> devices;
    int builders = 1;
    std::string whyNoGpu = {}, noGpuHint = {}; ///< where there is none
};

struct BuildRequest {
    std::int64_t id = 0;
    Hash task; ///< blob of the pack
    Hash program; ///< blob of the source text
    std::string device = {}; ///< whose architecture is wanted; empty: the first that fits the task
};

struct BuildReply {
    std::int64_t id = 0;
    bool ok = false;
    std::string rule, text; ///< when not ok: build/error, build/limit, build/undefined-symbol, …
    nlohmann::json evidence;
    Hash artifact, log; ///< the log is sent as a blob before the reply
    bool cached = false;
    nlohmann::json resources; ///< {"code_bytes": source bytes without comments, "text_bytes", "rodata_bytes"}
    std::vector<std::string> warnings; ///< static/…
    std::int64_t wallNs = 0;
};

/// Correctness: every gate on the task's verify and train shapes (and held-out ones when all is set).
struct CheckRequest {
    std::int64_t id = 0;
    std::string device;
    Hash task, artifact;
    std::string evaluation; ///< unique text; seeds the inputs together with the node's secret
    bool all = false;
};

struct CheckReply {
    std::int64_t id = 0;
    bool ok = false;
    std::string rule, text;
    nlohmann::json evidence; ///< {shape, tensor, index, want, got, bound, …}
    std::vector<std::string> passed; ///< the gates that were passed
    MeasuredChecks measured = {}; ///< what they measured; nothing from a node of an earlier version
    std::int64_t wallNs = 0;
};

/// Timing of one candidate, paired with the incumbent; confirming pairs with baseline and vendor as well.
struct TimeRequest {
    std::int64_t id = 0;
    std::string device;
    Purpose purpose = Purpose::Screen;
    Hash task, candidate, incumbent, baseline; ///< artefacts
    bool vendor = false;
    std::string evaluation;
    std::optional<Interval> incumbentScore; ///< for the provisional score while screening; the seed has exactly 1
    double stopBelow = 0; ///< screening may stop when clearly below this ratio to the incumbent; 0 = never
    int repeats = 1; ///< times the samples of a confirmation; 1 to 20
    /// The GPU's counters are read beside it where the candidate's score is above this and the node may read them
    /// ("counters" of the result's environment); none: they are not. Nothing that is judged depends on them.
    std::optional<double> countAbove = {};
};

/// Outcome, verdict, figures and per-shape table are in result; the candidate's build and check parts are not.
struct TimeReply {
    std::int64_t id = 0;
    EvaluationResult result;
    std::vector<double> noiseRatios; ///< log ratios of A/A blocks seen by the way
    nlohmann::json blocks; ///< raw: [{"shape","order","ns":{slot:[…]},"mhz":[lo,hi],"void":null|"…"}]
};

/// What a program was compiled to, as a text. Waits behind all builds; made anew where it is not kept, in a node that
/// need not have the device.
struct ListingRequest {
    std::int64_t id = 0;
    Hash task, program; ///< blobs, as of a build
    ListingForm form = ListingForm::Assembly;
    Hash artifact; ///< what was measured; null where the session does not tell
    std::string builtBy = {}; ///< in words: what built that, and for what
    std::string architecture = {}; ///< of a GPU: "sm_90a"
    std::vector<std::string> kernels = {}; ///< for a GPU: what the plans of the measured program launch
    Hash ptx = {}, cubin = {}; ///< of the measured program, for a GPU; null where the session does not tell

    bool operator==(const ListingRequest&) const = default;
};

struct ListingReply {
    std::int64_t id = 0;
    Listing listing;
    std::int64_t wallNs = 0;
};

struct CancelRequest {
    std::int64_t id = 0; ///< of the request to cancel
};

struct Failure {
    std::int64_t id = 0;
    std::string rule, text;
    nlohmann::json evidence;
    bool deviceLost = false;
    std::string hint = {}; ///< what a user can do about it; may be empty
};

struct Progress {
    std::int64_t id = 0;
    std::string stage;
    double done = 0, of = 0;
};

/// Once a second.
struct Telemetry {
    std::string device;
    double mhz = 0, noiseFloor = 0;
    std::optional<double> temperature; ///< °C
    int building = 0, queued = 0, measuring = 0;
    std::string isolation;
    /// What the driver or the system tells of it at this moment; none: this machine does not report it.
    std::optional<double> nowMhz = {}, watts = {};
    std::optional<std::string> throttling = {}; ///< what slows it down, in words; empty: nothing does
};

/// Between two requests the device measured its incumbent against itself.
struct NoiseRun {
    std::string device;
    std::int64_t wallNs = 0;
};

/// What a node can be asked, by "op": hello, build, check, time, listing, cancel.
struct HelloRequest {
    int protocol = 1;
};
using Request = std::variant<HelloRequest, BuildRequest, CheckRequest, TimeRequest, ListingRequest, CancelRequest>;
nlohmann::json toJson(const Request& request);
/// Errors: protocol/unknown (unknown op), protocol/field. Unknown fields are ignored.
Result<Request> requestFromJson(const nlohmann::json& json);

/// What a node answers, by "op": hello, build, check, time, listing, failure, progress, telemetry, noise.
using Reply
    = std::variant<HelloReply, BuildReply, CheckReply, TimeReply, ListingReply, Failure, Progress, Telemetry, NoiseRun>;
nlohmann::json toJson(const Reply& reply);
Result<Reply> replyFromJson(const nlohmann::json& json);

} // namespace tilewright
