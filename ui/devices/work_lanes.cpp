// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/devices/work_lanes.h"
#include "ui/devices/lanes_painting.h"
#include "ui/devices/work_words.h"
#include "ui/theme/theme.h"

#include <QPainter>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>

namespace tilewright::ui {
namespace {

constexpr std::int64_t surelyAWait = 10'000'000; ///< where times are known to a few milliseconds
constexpr std::size_t piecesAtOnce = 30'000; ///< that are read in much less than a frame
constexpr std::int64_t untilAnswered = std::numeric_limits<std::int64_t>::max();

std::size_t indexOf(Activity activity) { return static_cast<std::size_t>(activity); }

/// Of those that came to nothing.
void countIn(LaneLoad& sum, const LaneSpan& span)
{
    sum.failed += span.failed && !span.thrownOut ? 1 : 0;
    sum.thrownOut += span.thrownOut ? 1 : 0;
}

LaneLoad& operator+=(LaneLoad& sum, const LaneSpan& span)
{
    sum.ns[indexOf(span.activity)] += static_cast<double>(span.endNs - span.startNs);
    countIn(sum, span);
    return sum;
}

std::string deviceOf(const RunState& run, int index)
{
    const bool known = index >= 0 && static_cast<std::size_t>(index) < run.work.devices.size();
    return known ? run.work.devices[static_cast<std::size_t>(index)].id : run.device;
}

LaneSpan spanOf(const WorkSpan& work, std::size_t source)
{
    LaneSpan span;
    span.startNs = work.startedNs;
    span.endNs = work.endedNs;
    span.waitedNs = work.startedNs - work.askedNs;
    if (work.derived && span.waitedNs < surelyAWait)
        span.waitedNs = 0;
    span.candidate = work.candidate;
    span.activity = activityOf(work.work);
    span.failed = !work.rule.empty() && !work.isCancelled();
    span.thrownOut = work.rule == "time/unstable";
    span.source = source;
    return span;
}

LaneSpan spanOf(const ModelRequest& modelRequest, std::size_t source)
{
    LaneSpan span;
    span.startNs = modelRequest.askedNs;
    span.endNs = std::max(modelRequest.askedNs, modelRequest.answeredNs);
    span.modelRequest = modelRequest.id;
    span.activity = Activity::Call;
    span.failed = modelRequest.hasFailed();
    span.source = source;
    return span;
}

} // namespace

Activity activityOf(Work work)
{
    switch (work) {
    case Work::Build:
        return Activity::Build;
    case Work::Check:
    case Work::CheckAll:
        return Activity::Check;
    case Work::Screen:
        return Activity::Screen;
    case Work::Confirm:
        return Activity::Confirm;
    case Work::Noise:
        break;
    }
    return Activity::Noise;
}

double LaneLoad::total() const { return std::accumulate(ns.begin(), ns.end(), 0.0); }

void Lane::add(LaneSpan span)
{
    if (!m_spans.empty())
        span.startNs = std::max(span.startNs, m_spans.back().endNs);
    span.endNs = std::max(span.endNs, span.startNs);
    LaneLoad before;
    if (!m_spans.empty()) {
        before = m_before.back();
        before += m_spans.back();
    }
    m_before.push_back(before);
    m_spans.push_back(span);
}

std::size_t Lane::firstAfter(double ns, std::size_t from) const
{
    // Whoever walks through time asks for a place nearby: look there first, in growing steps.
    std::size_t low = from, step = 1;
    while (low + step < m_spans.size() && static_cast<double>(m_spans[low + step].endNs) <= ns) {
        low += step;
        step *= 2;
    }
    const auto begin = m_spans.begin() + static_cast<std::ptrdiff_t>(std::min(low, m_spans.size()));
    const auto end = m_spans.begin() + static_cast<std::ptrdiff_t>(std::min(low + step + 1, m_spans.size()));
    const auto found = std::partition_point(
        begin, end, [ns](const LaneSpan& span) { return static_cast<double>(span.endNs) <= ns; });
    return static_cast<std::size_t>(found - m_spans.begin());
}

LaneLoad Lane::before(double ns, std::size_t at) const
{
    if (at >= m_spans.size())
        return load();
    LaneLoad sum = m_before[at];
    const LaneSpan& span = m_spans[at];
    if (const double part = ns - static_cast<double>(span.startNs); part > 0) {
        sum.ns[indexOf(span.activity)] += part;
        countIn(sum, span);
    }
    return sum;
}

LaneLoad Lane::load() const
{
    if (m_spans.empty())
        return {};
    LaneLoad sum = m_before.back();
    sum += m_spans.back();
    return sum;
}

LaneLoad Lane::load(double fromNs, double toNs, std::size_t& hint) const
{
    const std::size_t first = firstAfter(fromNs, hint), last = firstAfter(toNs, first);
    hint = last;
    const LaneLoad then = before(fromNs, first);
    LaneLoad sum = before(toNs, last);
    for (std::size_t i = 0; i < activityCount; ++i)
        sum.ns[i] = std::max(sum.ns[i] - then.ns[i], 0.0);
    sum.failed -= then.failed;
    sum.thrownOut -= then.thrownOut;
    if (first < m_spans.size() && static_cast<double>(m_spans[first].startNs) < fromNs)
        countIn(sum, m_spans[first]); // one that had begun before counts here as well
    return sum;
}

int Lane::spanAt(double ns, double slackNs) const
{
    const std::size_t after = firstAfter(ns);
    int best = -1;
    double nearest = slackNs;
    for (const std::size_t i : {after, after - 1}) {
        if (i >= m_spans.size())
            continue;
        const double away
            = std::max({static_cast<double>(m_spans[i].startNs) - ns, ns - static_cast<double>(m_spans[i].endNs), 0.0});
        if (away <= nearest && (best < 0 || away < nearest)) {
            best = static_cast<int>(i);
            nearest = away;
        }
    }
    return best;
}

int WorkLanes::find(Lane::Kind kind, const std::string& name, int number) const
{
    const auto found = std::ranges::find_if(
        m_lanes, [&](const Lane& lane) { return lane.kind == kind && lane.number == number && lane.name == name; });
    return found == m_lanes.end() ? -1 : static_cast<int>(found - m_lanes.begin());
}

double WorkLanes::workedNs(std::size_t lane, std::int64_t nowNs) const
{
    double worked = m_lanes[lane].load().total();
    for (const LiveSpan& live : m_live)
        if (live.lane == static_cast<int>(lane))
            worked += static_cast<double>(std::max<std::int64_t>(nowNs - live.span.startNs, 0));
    return worked;
}

Lane& WorkLanes::lane(Lane::Kind kind, const std::string& name, int number)
{
    if (const int known = find(kind, name, number); known >= 0)
        return m_lanes[static_cast<std::size_t>(known)];
    Lane fresh;
    fresh.kind = kind;
    fresh.name = name;
    fresh.number = number;
    // Devices stand in the order of their numbers, one not numbered yet behind them.
    const auto numberOf
        = [this](const std::string& device) { return std::ranges::find(m_devices, device) - m_devices.begin(); };
    const auto place = std::ranges::find_if(m_lanes, [&](const Lane& other) {
        return kind == Lane::Kind::Device
            ? other.kind != Lane::Kind::Device || numberOf(other.name) > numberOf(name)
            : std::tie(other.kind, other.name, other.number) > std::tie(kind, name, number);
    });
    m_arrangement += place == m_lanes.end() ? 0 : 1;
    return *m_lanes.insert(place, std::move(fresh));
}

Lane& WorkLanes::laneOf(const RunState& run, const WorkSpan& span)
{
    return span.work == Work::Build ? lane(Lane::Kind::Build, "", std::max(span.place, 1))
                                    : lane(Lane::Kind::Device, deviceOf(run, span.device), 1);
}

void WorkLanes::add(Lane& lane, LaneSpan span)
{
    lane.add(span);
    ++m_size;
    m_endNs = std::max(m_endNs, span.endNs);
}

void WorkLanes::followWork(const RunState& run)
{
    const auto& spans = run.work.spans;
    const std::size_t end = std::min(spans.size(), m_seenWork + piecesAtOnce);
    for (; m_seenWork < end; ++m_seenWork) {
        const WorkSpan& work = spans[m_seenWork];
        m_hasBuilds = m_hasBuilds || work.work == Work::Build;
        m_lacksBuilds = m_lacksBuilds || (work.derived && !m_hasBuilds);
        add(laneOf(run, work), spanOf(work, m_seenWork));
    }
}

void WorkLanes::endCall(const RunState& run, const OpenCall& call)
{
    const LaneSpan span = spanOf(run.modelRequests[call.modelRequest], call.modelRequest);
    m_slots[call.model][call.slot] = span.endNs;
    add(lane(Lane::Kind::Model, call.model, static_cast<int>(call.slot) + 1), span);
}

void WorkLanes::followCalls(const RunState& run)
{
    std::erase_if(m_open, [&](const OpenCall& call) {
        const bool ended = run.modelRequests[call.modelRequest].state != ModelRequestState::Open;
        if (ended)
            endCall(run, call);
        return ended;
    });
    for (; m_seenCalls < run.modelRequests.size(); ++m_seenCalls) {
        const ModelRequest& modelRequest = run.modelRequests[m_seenCalls];
        Slots& taken = m_slots[modelRequest.model];
        const auto free = std::ranges::find_if(taken, [&](std::int64_t until) { return until <= modelRequest.askedNs; })
            - taken.begin();
        const OpenCall call{m_seenCalls, modelRequest.model, static_cast<std::size_t>(free)};
        if (call.slot == taken.size())
            taken.push_back(untilAnswered);
        taken[call.slot] = untilAnswered;
        if (modelRequest.state == ModelRequestState::Open)
            m_open.push_back(call);
        else
            endCall(run, call);
    }
}

void WorkLanes::findLive(const Snapshot& snapshot)
{
    m_live.clear();
    const RunState& run = snapshot.run;
    for (const WorkSpan& work : snapshot.status.work) {
        const Lane& own = laneOf(run, work);
        m_live.push_back({static_cast<int>(&own - m_lanes.data()), spanOf(work, 0)});
        m_live.back().span.endNs = 0;
    }
    for (const OpenCall& call : m_open) {
        const ModelRequest& modelRequest = run.modelRequests[call.modelRequest];
        // What nobody waits for any more was cut off with the program.
        if (!std::ranges::count(snapshot.status.openModelRequests, modelRequest.id))
            continue;
        const Lane& own = lane(Lane::Kind::Model, call.model, static_cast<int>(call.slot) + 1);
        m_live.push_back({static_cast<int>(&own - m_lanes.data()), spanOf(modelRequest, call.modelRequest)});
        m_live.back().span.endNs = 0;
    }
}

void WorkLanes::follow(const Snapshot& snapshot)
{
    const RunState& run = snapshot.run;
    for (std::size_t i = m_devices.size(); i < run.work.devices.size(); ++i)
        m_devices.push_back(run.work.devices[i].id);
    // Lanes first, so that finding the live ones moves none.
    if (!run.device.empty())
        lane(Lane::Kind::Device, run.device, 1);
    for (const std::string& device : run.otherDevices)
        lane(Lane::Kind::Device, device, 1);
    for (int place = 1; place <= snapshot.status.builders; ++place)
        lane(Lane::Kind::Build, "", place);
    followWork(run);
    m_behind = m_seenWork < run.work.spans.size();
    followCalls(run);
    for (const WorkSpan& work : snapshot.status.work)
        laneOf(run, work);
    for (const OpenCall& call : m_open)
        lane(Lane::Kind::Model, call.model, static_cast<int>(call.slot) + 1);
    findLive(snapshot);
}

namespace {

enum class Sign { Piece, Failed, UnderWay, NodeEnd };

struct Entry {
    QString text;
    Sign sign = Sign::Piece;
    Activity activity = Activity::Screen;
};

std::vector<Entry> entries()
{
    std::vector<Entry> all;
    for (std::size_t i = 0; i < activityCount; ++i)
        all.push_back({words(static_cast<Activity>(i)), Sign::Piece, static_cast<Activity>(i)});
    all.push_back({LanesLegend::tr("failed"), Sign::Failed, Activity::Screen});
    all.push_back({LanesLegend::tr("in progress"), Sign::UnderWay, Activity::Screen});
    all.push_back({LanesLegend::tr("measuring program restarted"), Sign::NodeEnd, Activity::Screen});
    return all;
}

constexpr double signWidth = 14, signHeight = 12, gap = 5, apart = 14, lineHeight = 18;

/// Where each entry stands, in lines of this width; calls `at` with its left, its line and its text's width.
int lay(int width, const QFontMetricsF& metrics, const std::function<void(const Entry&, double, int, double)>& at)
{
    double x = 0;
    int line = 0;
    for (const Entry& entry : entries()) {
        const double text = std::ceil(metrics.horizontalAdvance(entry.text));
        const double needed = px(signWidth) + px(gap) + text;
        if (x > 0 && x + needed > width) {
            x = 0;
            ++line;
        }
        at(entry, x, line, text);
        x += needed + px(apart);
    }
    return line + 1;
}

} // namespace

LanesLegend::LanesLegend(QWidget* parent)
    : QWidget(parent)
{
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    QStringList names;
    for (const Entry& entry : entries())
        names << entry.text;
    setAccessibleName(tr("Legend: %1").arg(names.join(QStringLiteral(", "))));
}

int LanesLegend::heightForWidth(int width) const
{
    return lay(width, QFontMetricsF(fontOf(Type::Secondary)), [](const Entry&, double, int, double) {})
        * px(lineHeight);
}

QSize LanesLegend::sizeHint() const { return {px(420), heightForWidth(px(420))}; }
QSize LanesLegend::minimumSizeHint() const { return {px(160), px(lineHeight)}; }

void LanesLegend::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setFont(fontOf(Type::Secondary));
    const Tokens& t = tokens();
    lay(width(), QFontMetricsF(painter.font()), [&](const Entry& entry, double x, int line, double textWidth) {
        const double top = line * px(lineHeight) + (px(lineHeight) - px(signHeight)) / 2.0;
        const double height = px(signHeight) * heightOf(entry.activity);
        const QRectF sign(x, top + px(signHeight) - height, px(signWidth), height);
        const QColor colour = colourOf(t, entry.activity);
        switch (entry.sign) {
        case Sign::Piece:
            painter.fillRect(sign, colour);
            break;
        case Sign::Failed:
            painter.fillRect(sign, colour);
            painter.fillRect(QRectF(sign.left(), sign.bottom() - px(4), sign.width(), px(4)), t.bad);
            break;
        case Sign::UnderWay:
            painter.fillRect(sign, QBrush(colour, Qt::BDiagPattern));
            painter.setPen(QPen(colour, 1));
            painter.drawRect(sign.adjusted(0.5, 0.5, -0.5, -0.5));
            break;
        case Sign::NodeEnd:
            painter.setPen(QPen(t.bad, 1, Qt::DashLine));
            painter.drawLine(QPointF(sign.center().x(), top), QPointF(sign.center().x(), top + px(signHeight)));
            break;
        }
        painter.setPen(t.secondary);
        painter.drawText(QRectF(x + px(signWidth) + px(gap), line * px(lineHeight), textWidth + 1, px(lineHeight)),
            Qt::AlignLeft | Qt::AlignVCenter, entry.text);
    });
}

} // namespace tilewright::ui
