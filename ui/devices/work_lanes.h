// SPDX-License-Identifier: GPL-3.0-or-later
// The work of a run as lanes: one for each device, place of a build and call of a model that runs beside others. In a
// lane nothing overlaps. Grows with the run: only what is new is read. Pure; times are nanoseconds of run time.
#pragma once

#include "core/engine/snapshot.h"

#include <QWidget>
#include <array>
#include <map>
#include <vector>

namespace tilewright::ui {

enum class Activity { Build, Check, Screen, Confirm, Noise, Call };
inline constexpr std::size_t activityCount = 6;
Activity activityOf(Work work);

struct LaneSpan {
    std::int64_t startNs = 0, endNs = 0;
    std::int64_t waitedNs = 0; ///< at the node, before it began
    CandidateId candidate; ///< none for a call
    ModelRequestId modelRequest; ///< none for all else
    Activity activity = Activity::Build;
    bool failed = false; ///< it came to nothing
    std::size_t source = 0; ///< index into RunState::work.spans or RunState::model requests
    bool thrownOut
        = false; ///< it failed, but nothing is wrong: the machine was too busy to time, and it is taken again

    bool operator==(const LaneSpan&) const = default;
};

/// Time by activity, in nanoseconds, and how many pieces came to nothing.
struct LaneLoad {
    std::array<double, activityCount> ns{};
    int failed = 0, thrownOut = 0; ///< apart from each other

    double total() const;
};

class Lane
{
public:
    enum class Kind { Device, Build, Model };

    Kind kind = Kind::Device;
    std::string name; ///< of the device or model; empty for builds, and for answers by hand
    int number = 1; ///< of those alike: the second place of a build, the third call of a model at a time

    const std::vector<LaneSpan>& spans() const { return m_spans; }
    /// Appends; where it begins before the last one ended, it begins with that end.
    void add(LaneSpan span);
    /// The first span that ends after this time; searched from `from` on, which must not lie behind it.
    std::size_t firstAfter(double ns, std::size_t from = 0) const;
    /// What happened between two times. Spans before `hint` are left aside; hint moves on to where the end lies.
    LaneLoad load(double fromNs, double toNs, std::size_t& hint) const;
    /// All of it.
    LaneLoad load() const;
    /// The span at this time, or the nearest one within `slackNs` of it; −1 if there is none.
    int spanAt(double ns, double slackNs) const;

private:
    LaneLoad before(double ns, std::size_t at) const;

    std::vector<LaneSpan> m_spans; ///< by time
    std::vector<LaneLoad> m_before; ///< what happened before each
};

/// Something that has not ended yet.
struct LiveSpan {
    int lane = 0;
    LaneSpan span; ///< endNs is 0

    bool operator==(const LiveSpan&) const = default;
};

class WorkLanes
{
public:
    /// Reads what is new, of a long run a part at a time. Of another run: clear() first.
    void follow(const Snapshot& snapshot);
    /// More is to be read: follow() again.
    bool isBehind() const { return m_behind; }
    void clear() { *this = {}; }

    const std::vector<Lane>& lanes() const { return m_lanes; }
    const std::vector<LiveSpan>& live() const { return m_live; }
    /// Time of work in a lane until now, what is under way included.
    double workedNs(std::size_t lane, std::int64_t nowNs) const;
    std::size_t size() const { return m_size; } ///< spans in all lanes
    std::int64_t endNs() const { return m_endNs; } ///< of the last one that ended
    /// Grows where lanes were put between others: indices from before mean other lanes now.
    int arrangement() const { return m_arrangement; }
    /// Builds that ended before their times were recorded are in no lane.
    bool lacksBuilds() const { return m_lacksBuilds; }
    /// A lane by what it is; −1: there is none.
    int find(Lane::Kind kind, const std::string& name, int number) const;

private:
    /// Of one model: until when each of its lanes is taken.
    using Slots = std::vector<std::int64_t>;
    struct OpenCall {
        std::size_t modelRequest = 0;
        std::string model;
        std::size_t slot = 0;
    };

    Lane& lane(Lane::Kind kind, const std::string& name, int number);
    Lane& laneOf(const RunState& run, const WorkSpan& span);
    void add(Lane& lane, LaneSpan span);
    void followWork(const RunState& run);
    void followCalls(const RunState& run);
    void endCall(const RunState& run, const OpenCall& call);
    void findLive(const Snapshot& snapshot);

    std::vector<Lane> m_lanes;
    std::vector<std::string> m_devices; ///< by id, in the order of their numbers
    std::vector<LiveSpan> m_live;
    std::map<std::string, Slots> m_slots;
    std::vector<OpenCall> m_open;
    std::size_t m_seenWork = 0, m_seenCalls = 0, m_size = 0;
    std::int64_t m_endNs = 0;
    int m_arrangement = 0;
    bool m_lacksBuilds = false, m_hasBuilds = false, m_behind = false;
};

// What the colours and heights of the timeline mean. GUI thread.

class LanesLegend : public QWidget
{
    Q_OBJECT

public:
    explicit LanesLegend(QWidget* parent = nullptr);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;

protected:
    void paintEvent(QPaintEvent* event) override;
};

} // namespace tilewright::ui
