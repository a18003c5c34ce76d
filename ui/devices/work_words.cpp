// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/devices/work_words.h"

#include "ui/devices/time_axis.h"
#include "ui/models/display_text.h"
#include "ui/models/rule_words.h"
#include "ui/models/statistics_model.h"
#include "ui/theme/words.h"

#include <algorithm>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

const WorkSpan* workOf(const RunState& run, const LaneSpan& span)
{
    const bool known = span.activity != Activity::Call && span.endNs > 0 && span.source < run.work.spans.size();
    return known ? &run.work.spans[span.source] : nullptr;
}

/// The result of that pass over that candidate; null if there is none. Results of one candidate lie close together.
const EvaluationResult* resultOf(const RunState& run, CandidateId id, Purpose purpose)
{
    constexpr std::int64_t farthest = 256;
    const Candidate* candidate = run.candidate(id);
    if (!candidate)
        return nullptr;
    for (std::int64_t i = candidate->latest.value; i >= 1 && i > candidate->latest.value - farthest; --i)
        if (const Evaluation* evaluation = run.evaluation({i});
            evaluation && evaluation->candidate == id && evaluation->result.purpose == purpose)
            return &evaluation->result;
    return nullptr;
}

/// It was timed beside whoever was the best then; the score beside it is over the baseline.
QString versusBestThen(Verdict verdict)
{
    switch (verdict) {
    case Verdict::None:
        break;
    case Verdict::Better:
        return tr("faster than the best at that time");
    case Verdict::Neutral:
        return tr("as fast as the best at that time");
    case Verdict::Worse:
        return tr("slower than the best at that time");
    }
    return {};
}

QString timedWords(const EvaluationResult* result)
{
    if (!result)
        return tr("measured");
    if (result->outcome != Outcome::Ranked)
        return result->rule.empty() ? words(result->outcome) : ruleWords(result->rule);
    const QString verdict = versusBestThen(result->verdict);
    return !result->score   ? verdict
        : verdict.isEmpty() ? tr("score %1").arg(times(result->score->value))
                            : tr("%1; score %2").arg(verdict, times(result->score->value));
}

QString callWords(const ModelRequest& modelRequest)
{
    if (modelRequest.state == ModelRequestState::Open)
        return tr("no reply yet");
    const ModelRequestAnswer& answer = modelRequest.answer;
    QStringList said;
    if (modelRequest.state != ModelRequestState::Complete)
        said << (answer.rule.empty() ? tr("interrupted") : ruleWords(answer.rule));
    else if (modelRequest.unwanted)
        said << tr("not used: its island was undone");
    if (answer.tokens.total())
        said << tr("%1 tokens").arg(grouped(answer.tokens.total()));
    if (answer.costMicroUsd && (*answer.costMicroUsd > 0 || answer.tokens.total()))
        said << spentWords(*answer.costMicroUsd, 0, answer.tokens.total());
    return said.isEmpty() ? tr("replied") : said.join(u", "_s);
}

} // namespace

QString words(Activity activity)
{
    switch (activity) {
    case Activity::Build:
        return tr("build");
    case Activity::Check:
        return tr("check");
    case Activity::Screen:
        return tr("screening");
    case Activity::Confirm:
        return tr("confirmation");
    case Activity::Noise:
        return tr("noise floor");
    case Activity::Call:
        break;
    }
    return tr("model request");
}

QString deviceName(const RunState& run, const std::string& id) { return deviceName(run.work.devices, id); }

QString deviceName(const std::vector<MeasuringDevice>& devices, const std::string& id)
{
    const auto known = std::ranges::find(devices, id, &MeasuringDevice::id);
    if (known == devices.end() || known->name.empty())
        return text(id);
    // Two of a kind may have measured one run, together or one after the other.
    const auto alike = [&](const MeasuringDevice& device) { return device.name == known->name; };
    return std::ranges::count_if(devices, alike) < 2
        ? text(known->name)
        : u"%1 · %2"_s.arg(text(known->name)).arg(std::count_if(devices.begin(), known, alike) + 1);
}

QString laneName(const RunState& run, const Lane& lane)
{
    switch (lane.kind) {
    case Lane::Kind::Device:
        return deviceName(run, lane.name);
    case Lane::Kind::Build:
        return tr("Build %1").arg(lane.number);
    case Lane::Kind::Model:
        break;
    }
    const QString name = lane.name.empty() ? tr("Manual replies") : text(lane.name);
    return lane.number == 1 ? name : u"%1 · %2"_s.arg(name).arg(lane.number);
}

QString laneNote(const WorkLanes& lanes, std::size_t at, std::int64_t runNs)
{
    const Lane& lane = lanes.lanes()[at];
    const LaneLoad load = lane.load();
    const double worked = lanes.workedNs(at, runNs);
    const auto pieces = static_cast<std::int64_t>(lane.spans().size());
    if (pieces == 0 && (lane.kind != Lane::Kind::Device || worked <= 0))
        return lane.kind == Lane::Kind::Build && lanes.lacksBuilds() ? tr("time not recorded") : QString();
    QStringList said;
    if (lane.kind == Lane::Kind::Device)
        said << (runNs > 0 ? (lanes.lacksBuilds() ? tr("busy at most %1") : tr("busy %1"))
                                 .arg(percent(std::min(worked / static_cast<double>(runNs), 1.0)))
                           : counted(pieces, tr("%1 item"), tr("%1 items")));
    else if (lane.kind == Lane::Kind::Build)
        said << counted(pieces, tr("%1 build"), tr("%1 builds"));
    else
        said << counted(pieces, tr("%1 request"), tr("%1 requests"));
    if (load.failed > 0)
        said << (lane.kind == Lane::Kind::Device ? counted(load.failed, tr("%1 job failed"), tr("%1 jobs failed"))
                                                 : tr("%1 of them failed").arg(load.failed));
    if (load.thrownOut > 0)
        said << tr("%1 repeated").arg(load.thrownOut);
    return said.join(u" · "_s);
}

QString pieceName(const RunState& run, const LaneSpan& span)
{
    if (span.activity != Activity::Call)
        return nameOfCandidate(span.candidate);
    const ModelRequest* modelRequest = run.modelRequest(span.modelRequest);
    return modelRequest ? asksFor(*modelRequest) : QString();
}

QString workWords(const RunState& run, const LaneSpan& span)
{
    const WorkSpan* work = workOf(run, span);
    if (work && work->work == Work::CheckAll)
        return tr("check on all shapes");
    return words(span.activity);
}

QString outcomeWords(const RunState& run, const LaneSpan& span)
{
    if (span.activity == Activity::Call) {
        const ModelRequest* modelRequest = run.modelRequest(span.modelRequest);
        return modelRequest ? callWords(*modelRequest) : QString();
    }
    const WorkSpan* work = workOf(run, span);
    if (!work)
        return tr("in progress");
    if (work->isCancelled())
        return tr("cancelled");
    if (work->rule == "time/unstable")
        return tr("discarded: the machine was too busy; repeated");
    if (!work->rule.empty())
        return ruleWords(work->rule);
    switch (span.activity) {
    case Activity::Build:
        return tr("built");
    case Activity::Check:
        return tr("passed");
    case Activity::Screen:
        return timedWords(resultOf(run, span.candidate, Purpose::Screen));
    case Activity::Confirm:
        return timedWords(resultOf(run, span.candidate, Purpose::Confirm));
    default:
        return tr("measured");
    }
}

CandidateId candidateOf(const RunState& run, const LaneSpan& span)
{
    if (span.candidate)
        return span.candidate;
    const ModelRequest* modelRequest = run.modelRequest(span.modelRequest);
    if (!modelRequest)
        return {};
    for (const Candidate& candidate : run.candidates)
        if (const Proposal* proposal = run.proposal(candidate.proposal);
            proposal && proposal->modelRequest == modelRequest->id)
            return candidate.id;
    return modelRequest->parents.empty() ? CandidateId{} : modelRequest->parents.front();
}

QStringList pieceLines(const RunState& run, const LaneSpan& span, double nowNs)
{
    constexpr double millisecond = 1e6;
    const bool ended = span.endNs > 0;
    const double took = (ended ? static_cast<double>(span.endNs) : nowNs) - static_cast<double>(span.startNs);
    QStringList lines{tr("starts at %1").arg(timeLabel(static_cast<double>(span.startNs), millisecond)),
        ended ? tr("took %1").arg(shortTime(took)) : tr("running for %1").arg(shortTime(std::max(took, 0.0)))};
    if (span.waitedNs > millisecond)
        lines << tr("waited %1 before it").arg(shortTime(static_cast<double>(span.waitedNs)));
    lines << outcomeWords(run, span);
    if (const WorkSpan* work = workOf(run, span); work && work->derived)
        lines << (span.activity == Activity::Check ? tr("derived from recorded events, includes waits")
                                                   : tr("derived from recorded events"));
    return lines;
}

} // namespace tilewright::ui
