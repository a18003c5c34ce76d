// SPDX-License-Identifier: GPL-3.0-or-later
// What a session publishes of itself and its run.
#include "core/engine/session/session.h"

#include "core/base/format.h"
#include "core/base/text.h"
#include "core/model/reviews/review_queue.h"
#include "core/protocol/gpu_trouble.h"

#include <algorithm>

namespace tilewright {
namespace {

/// "try 3 failed: 9 of 11 blocks of samples on 512×512×512 were disturbed", as far as the node tells.
std::string wordsOfTry(const Pipeline::Struggle& struggle)
{
    std::string words = "attempt " + std::to_string(struggle.tries) + " failed";
    const nlohmann::json& told = struggle.last.evidence;
    if (!told.is_object() || !told.contains("shape_text") || !told.contains("void") || !told.contains("blocks"))
        return words;
    return words + ": " + std::to_string(told.value("void", 0)) + " of "
        + counted(told.value("blocks", 0), "block of samples", "blocks of samples") + " on "
        + printable(told.value("shape_text", "")) + " were disturbed";
}

bool isSeedMeasured(const RunState& state)
{
    const Candidate* incumbent = state.candidate(state.incumbent);
    return incumbent && incumbent->isRanked();
}

} // namespace

void Session::fill(Snapshot& snapshot)
{
    if (m_ledger)
        m_ledger->writeBeforeTelling();
    snapshot.run = m_ledger ? m_ledger->state() : m_recorded;
    snapshot.pack = m_pack;
    EngineStatus& status = snapshot.status;
    status.sessionOpen = true;
    status.sessionPath = m_ledger ? m_ledger->path() : m_path;
    status.savedAtUtc = m_ledger ? m_ledger->savedAtUtc() : m_recordedAtUtc;
    status.unsaved = m_ledger && m_ledger->isBehind();
    status.readOnly = isReadOnly();
    status.phase = snapshot.run.phase;
    status.pausing = m_ending && isRunning() && m_ending->phase == events::Phase::Paused;
    status.pausedAsTold = m_pausedAsTold && status.phase == events::Phase::Paused;
    status.runNs = runNs();
    status.recovered = m_recoveredText;
    status.trouble = m_trouble.text;
    status.troubleHint = m_trouble.hint;
    status.troubleCode = m_trouble.code;
    status.telemetry = m_telemetry;
    status.deviceName = snapshot.run.deviceFacts.is_object() ? snapshot.run.deviceFacts.value("name", "") : "";
    status.isolation = snapshot.run.deviceFacts.is_object() ? snapshot.run.deviceFacts.value("isolation", "") : "";
    fillStatistics(snapshot);
    if (!m_ledger)
        return;
    fillOutside(status);
    fillWaiting(status);
    status.elsewhere = m_otherDevice ? m_otherDevice->text : "";
    status.needsBudget = needsBudget();
    const PipelineCounts counts = m_pipeline->counts();
    status.proposing = m_intake->pending();
    status.building = counts.building;
    status.checking = counts.checking;
    status.measuring = counts.measuring;
    status.queued = counts.queued;
    status.jobs = m_pipeline->jobs();
    status.work = m_pipeline->work();
    fillDevices(status);
    status.evaluationsPerMinute = evaluationsPerMinute();
    status.rateNs = rateNs();
}

namespace {
constexpr std::int64_t secondNs = 1'000'000'000, minuteNs = EngineStatus::longestRateNs;
}

/// Not what was settled otherwise: a word on a candidate settles it too.
void Session::noteResults()
{
    for (const std::int64_t all = m_ledger->state().resultsEver; m_resultsNoted < all; ++m_resultsNoted)
        m_finishedAt.push_back(runNs());
}

std::int64_t Session::rateNs() const { return std::clamp(runNs() - m_ranBeforeOpening, secondNs, minuteNs); }

double Session::evaluationsPerMinute()
{
    const std::int64_t now = runNs();
    while (!m_finishedAt.empty() && m_finishedAt.front() < now - minuteNs)
        m_finishedAt.pop_front();
    if (!isRunning() || m_clock.isHeld())
        return 0; // what it was before is no sign of what comes
    return static_cast<double>(m_finishedAt.size()) * static_cast<double>(minuteNs) / static_cast<double>(rateNs());
}

void Session::fillDevices(EngineStatus& status) const
{
    if (!m_node->isReady())
        return;
    status.builders = m_node->hello().builders;
    for (const HelloReply::Device& device : m_node->hello().devices) {
        const RunState& state = m_ledger->state();
        DeviceStatus shown{
            device, std::nullopt, device.id == state.device || std::ranges::count(state.otherDevices, device.id) > 0};
        if (const auto told = m_latestTelemetry.find(device.id); told != m_latestTelemetry.end())
            shown.telemetry = told->second;
        status.devices.push_back(std::move(shown));
    }
}

void Session::fillStatistics(Snapshot& snapshot)
{
    constexpr qint64 freshMs = 1000;
    const bool isDue = !m_statistics || !isRunning() || m_statisticsAge.elapsed() >= freshMs;
    if (isDue && m_statisticsSeq != snapshot.run.lastSeq) {
        m_statistics = std::make_shared<const RunStatistics>(runStatistics(snapshot.run));
        m_statisticsSeq = snapshot.run.lastSeq;
        m_statisticsAge.start();
    }
    snapshot.statistics = m_statistics;
}

void Session::fillWaiting(EngineStatus& status) const
{
    if (!isRunning())
        return;
    const auto say = [&status](const char* code, std::string text) {
        status.waitingCode = code;
        status.waiting = std::move(text);
    };
    const int replies = m_intake->requestQueue() ? m_intake->requestQueue()->out() : 0;
    if (m_trouble.code == "machine/busy" || gpuTroubleKind(m_trouble.code) == GpuTroubleKind::Passing) {
        const auto wait = m_pipeline->triesAgainIn();
        const auto struggle = m_pipeline->struggle();
        const std::string next = struggle ? "attempt " + std::to_string(struggle->tries + 1) + " " : "retry ";
        say(m_trouble.code.c_str(),
            "waiting: " + m_trouble.text + (struggle ? "; " + wordsOfTry(*struggle) : "") + "; " + next
                + (wait ? "in " + remainingText(*wait) : "now"));
    } else if (const auto taken = m_pipeline->deviceTakenFor()) {
        say("device/taken",
            "waiting: another program has used this device for " + elapsedText(*taken)
                + " for measurements; the run resumes by itself");
    } else if (m_trouble.code == "node/lost") {
        say("node/lost", "waiting: " + m_trouble.text + "; it restarts");
    } else if (awaitsOnlyPerson()) {
        const std::int64_t reviews = m_ledger->state().waitingReviews;
        say("reviews",
            "waiting for " + counted(reviews, "review", "reviews")
                + (!m_ending && everyIslandWaits(m_ledger->state())
                        ? ": no island requests further edits until some are decided"
                        : ": the run has no other work left"));
    } else if (m_ending && m_intake->isAwaited()) {
        say("replies",
            "waiting for " + counted(replies, "reply", "replies")
                + (m_grace.isActive() ? ", at most " + remainingText(m_grace.remainingTimeAsDuration()) + " more"
                                      : ""));
    } else if (const auto disturbance = m_pipeline->disturbance()) {
        say("machine/disturbed",
            "waiting for a quiet machine: " + std::to_string(disturbance->disturbed) + " of "
                + counted(disturbance->blocks, "block of samples", "blocks of samples") + " were disturbed ("
                + printable(disturbance->by) + ") and are repeated");
    }
    if (!status.waiting.empty() && m_intake->requestQueue() && !isSeedMeasured(m_ledger->state())
        && !m_pipeline->struggle())
        status.waiting += "; the first request is sent once the seed is measured";
}

void Session::fillOutside(EngineStatus& status) const
{
    const ModelRequestQueue* outside = m_intake->requestQueue();
    if (!outside)
        return;
    status.openModelRequests = outside->open();
    status.answersByHand = outside->replySource().keepsRequests();
    status.models = outside->replySource().models();
    status.notices = outside->notices();
    status.reservedTokens = outside->replySource().reservedTokens();
    for (const Island& island : m_ledger->state().islands)
        if (isRunning() && m_intake->hasFallback(island.id))
            status.mutatorOnly.push_back(island.id);
    for (const ModelStatus& model : status.models)
        for (const IslandId island : model.islands) {
            std::string& words = status.islandTrouble[island];
            words += (words.empty() ? m_intake->hasFallback(island) ? "mutator only; " : "" : "; ") + model.name + ": "
                + model.text;
        }
}

} // namespace tilewright
