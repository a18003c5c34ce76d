// SPDX-License-Identifier: GPL-3.0-or-later
// What the machines of a run did, and when: builds, checks, timings and noise measurements, each with the run time of
// its beginning and end. Part of the run's state; followed from its events alone, so that a session opened again shows
// the same. Sessions from before `work_done` was recorded get what the times of their other events tell: those spans
// are marked as derived, and builds, whose end was not recorded then, are not among them.
#pragma once

#include "core/base/chunked.h"
#include "core/base/ids.h"
#include "core/model/measurement/conditions.h"
#include "core/model/measurement/progress_stages.h"

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright {

/// CheckAll: the check of all shapes before a confirmation. Noise: the incumbent against itself, between screenings.
enum class Work { Build, Check, Screen, CheckAll, Confirm, Noise };
std::string nameOf(Work work);

/// Times are nanoseconds of run time: pauses do not count.
struct WorkSpan {
    CandidateId candidate; ///< what was built or measured; of noise: the incumbent
    Work work = Work::Build;
    int place = 0; ///< of a build: 1, 2, … of those that run side by side; 0: on the device
    int device = -1; ///< index into WorkRecord::devices; −1: none was known
    std::int64_t askedNs = 0; ///< it was sent to the node; until startedNs it waited there
    std::int64_t startedNs = 0, endedNs = 0;
    std::string rule; ///< why it came to nothing: "build/error", "cancelled"; empty if all went well
    bool derived = false; ///< from the times of other events, to a few milliseconds
    std::string on = {}; ///< id of the device, where it is not the run's first

    bool operator==(const WorkSpan&) const = default;
    std::int64_t durationNs() const { return endedNs - startedNs; }
    bool isCancelled() const { return rule == "cancelled"; } ///< a user, or the run's end: nothing failed
};

struct MeasuringDevice {
    std::string id, name;

    bool operator==(const MeasuringDevice&) const = default;
};

struct NoisePoint {
    std::int64_t runNs = 0;
    double floor = 0; ///< fraction
    int blocks = 0; ///< it stands on
    int device = -1; ///< index into WorkRecord::devices

    bool operator==(const NoisePoint&) const = default;
};

/// The node ended unasked, and a new one was started.
struct NodeEnd {
    std::int64_t runNs = 0;
    std::string reason;

    bool operator==(const NodeEnd&) const = default;
};

/// The hint of the note that tells of a node's end; by it such notes are known.
inline constexpr const char* nodeStartedAnew = "it is restarted";

struct WorkRecord {
    Chunked<WorkSpan> spans; ///< in the order of their ends
    std::vector<MeasuringDevice> devices; ///< in the order they came
    int first = -1; ///< index of the run's first device
    std::vector<NoisePoint> noise;
    Chunked<Conditions> conditions; ///< of each measurement that tells any, in the order of results
    std::vector<NodeEnd> nodeEnds;
    std::map<CandidateId, WorkSpan> open; ///< begun, as other events tell; until the end is known
    std::int64_t runningSinceMs = 0, runNsThen = 0; ///< UTC in ms since 1970, and run time, of the last start; 0: rests

    bool operator==(const WorkRecord&) const = default;
};

/// The last piece of work of this kind on the candidate that went well; null where none is known. From the newest on,
/// past all that came after it.
const WorkSpan* lastDone(const WorkRecord& record, CandidateId candidate, Work work);

struct Event;

namespace events {
/// The node ended a piece of work, or it was dropped (rule "cancelled"). device and derived are not part of it.
struct WorkDone {
    WorkSpan span;
    bool operator==(const WorkDone&) const = default;
};
} // namespace events

/// What an event tells of work. runNs: the run time that is known after it.
void followWork(WorkRecord& record, const Event& event, std::int64_t runNs);

// A candidate on its way through the node: what the engine tells the screen beside the record.

/// What is done with it now, or what it waits for.
struct PipelineJob {
    CandidateId candidate;
    Work next = Work::Build;
    bool underWay = false; ///< the node has it; else it waits for its turn

    bool operator==(const PipelineJob&) const = default;
};

} // namespace tilewright
