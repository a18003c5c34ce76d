// SPDX-License-Identifier: GPL-3.0-or-later
// How a session comes and goes: made, opened, recovered, closed; its node; what it publishes.
#include "core/engine/session.h"

#include "core/base/files.h"
#include "core/base/text.h"
#include "core/base/time_text.h"
#include "core/engine/measuring_device.h"
#include "core/engine/proposing.h"
#include "core/engine/recovery.h"
#include "core/model/review_queue.h"
#include "core/protocol/device_names.h"
#include "core/protocol/gpu_trouble.h"

#include <algorithm>
#include <filesystem>

namespace tilewright {
namespace {

namespace fs = std::filesystem;

/// "…/gemm-fp32-cpu-2026-11-21-174634.tilewright", with a number if that is taken.
Result<std::string> freshPath(const std::string& task)
{
    const fs::path folder = sessionsFolder();
    std::error_code problem;
    fs::create_directories(folder, problem);
    if (problem)
        return fail("session/missing", "the folder " + folder.string() + " cannot be made: " + problem.message(),
            "name a file with --session");
    std::string stamp = SystemClock().utc().substr(0, 19);
    std::erase(stamp, ':');
    std::replace(stamp.begin(), stamp.end(), 'T', '-');
    fs::path path = folder / (task + "-" + stamp + ".tilewright");
    for (int i = 2; fs::exists(path, problem); ++i)
        path = folder / (task + "-" + stamp + "-" + std::to_string(i) + ".tilewright");
    return path.string();
}

bool isSeedMeasured(const RunState& state)
{
    const Candidate* incumbent = state.candidate(state.incumbent);
    return incumbent && incumbent->isRanked();
}

constexpr std::chrono::seconds statusTick{1};

} // namespace

Session::~Session() = default;

Result<std::unique_ptr<Session>> Session::create(const NewSession& wanted)
{
    std::string path = wanted.path.toStdString();
    if (path.empty()) {
        auto fresh = freshPath(wanted.pack.task.name);
        if (!fresh)
            return std::unexpected(fresh.error());
        path = std::move(*fresh);
    }
    if (auto sound = checkFounders(wanted.settings, wanted.steering); !sound)
        return std::unexpected(sound.error());
    auto ledger = Ledger::create(path, wanted.pack, wanted.settings);
    if (!ledger)
        return std::unexpected(ledger.error());
    std::unique_ptr<Session> session(new Session);
    session->adopt(std::move(*ledger));
    if (const Error unchecked = uncheckedPack(wanted.pack); !unchecked.code.empty())
        session->m_ledger->record(events::Noted{"warning", unchecked.text, unchecked.hint});
    if (!wanted.steering.empty())
        session->found(wanted.steering);
    return session;
}

void Session::found(const std::map<IslandId, IslandSteering>& steering)
{
    for (events::IslandCreated& island : foundersOf(m_ledger->state().settings)) {
        if (const auto own = steering.find(island.id); own != steering.end())
            island.steering = own->second;
        m_ledger->record(std::move(island));
    }
}

Result<std::unique_ptr<Session>> Session::open(const std::string& path, const ReplayWatch& watch)
{
    std::unique_ptr<Session> session(new Session);
    auto ledger = Ledger::open(path, watch);
    if (ledger) {
        session->adopt(std::move(*ledger));
        session->m_deviceIsHere = false;
        session->recover();
        return session;
    }
    if (ledger.error().code != "session/locked" && ledger.error().code != "session/read-only")
        return std::unexpected(ledger.error());
    auto reader = SessionReader::open(path);
    if (!reader)
        return std::unexpected(reader.error());
    auto state = (*reader)->load(watch);
    if (!state)
        return std::unexpected(state.error());
    auto pack = (*reader)->pack(*state);
    if (!pack)
        return std::unexpected(pack.error());
    session->m_trouble = ledger.error();
    session->m_path = path;
    session->m_recordedAtUtc = (*reader)->lastEventUtc();
    session->m_reader = std::move(*reader);
    session->m_recorded = std::move(*state);
    session->m_pack = std::make_shared<const TaskPack>(std::move(*pack));
    return session;
}

void Session::adopt(std::unique_ptr<Ledger> ledger)
{
    m_ledger = std::move(ledger);
    m_ranBeforeOpening = m_ledger->state().runNs;
    m_pack = m_ledger->sharedPack();
    m_strategy = strategyNamed(strategyOf(m_ledger->state().settings.proposer));
    m_node = std::make_unique<NodeConnection>();
    m_listings = std::make_unique<Listings>(*m_node);
    m_desk = std::make_unique<ProposalDesk>(*m_ledger, *m_strategy, [this] { return runNs(); });
    m_gate = std::make_unique<ReviewGate>(*m_ledger);
    m_pipeline = std::make_unique<Pipeline>(*m_ledger, *m_node, *m_strategy, *m_gate, [this] { return runNs(); });
    m_hand = std::make_unique<Hand>(*m_ledger, *m_desk, *m_pipeline,
        Hand::Prompts{[this](const PromptDraft& draft) { return sendable(draft); }, [this] { return askJudges(); }},
        [this](const std::string& wanted) { return otherDevice(wanted); });
    m_node->setBlobSource([this](const Hash& hash) { return m_ledger->text(hash); });
    m_wallTimer.setSingleShot(true);
    m_grace.setSingleShot(true);
    m_tick.setInterval(statusTick);

    connect(m_ledger.get(), &Ledger::changed, this, &Session::changed);
    connect(m_ledger.get(), &Ledger::broken, this, &Session::unsaved);
    connect(m_ledger.get(), &Ledger::mended, this, [this] {
        if (!isRunning()) // a run that winds down keeps its trouble until it has ended
            tellEnd();
    });
    connect(m_desk.get(), &ProposalDesk::candidateMade, this, [this](CandidateId id) {
        m_pipeline->enqueue(id);
        schedule(); // an answer may come while nothing else moves
    });
    connect(m_desk.get(), &ProposalDesk::idle, this, &Session::schedule);
    connect(m_desk.get(), &ProposalDesk::stuck, this, &Session::stuck);
    connect(m_pipeline.get(), &Pipeline::settled, this, [this](CandidateId id) {
        m_desk->settled(id);
        remember();
        m_finishedAt.push_back(runNs());
        schedule();
    });
    connect(m_pipeline.get(), &Pipeline::moved, this, [this] {
        schedule();
        Q_EMIT changed();
    });
    connect(m_pipeline.get(), &Pipeline::halted, this, &Session::halted);
    connect(m_pipeline.get(), &Pipeline::hindered, this, &Session::hindered);
    connect(m_pipeline.get(), &Pipeline::held, this, [this](const Error& reason) {
        m_trouble = reason;
        m_ledger->record(events::Noted{"warning", m_trouble.text, m_trouble.hint});
    });
    connect(m_pipeline.get(), &Pipeline::leftOut, this, [this](const std::string& device, const Error& reason) {
        m_ledger->record(events::Noted{"warning", device + " is left out: " + reason.text, reason.hint});
    });
    connect(m_pipeline.get(), &Pipeline::released, this, [this] {
        if (m_trouble.code == "machine/busy" || gpuTroubleKind(m_trouble.code) == GpuTroubleKind::Passing)
            m_trouble = {};
    });
    connect(m_pipeline.get(), &Pipeline::measuresAgain, this, [this] {
        m_ledger->record(events::Noted{"info", "the device can be measured on again: the run goes on", ""});
    });
    connect(m_pipeline.get(), &Pipeline::deviceTaken, this, [this] {
        m_ledger->record(events::Noted{
            "warning", "another program measures on this device", "the run waits for its turn and goes on by itself"});
    });
    connect(m_node.get(), &NodeConnection::ready, this, &Session::nodeReady);
    connect(m_node.get(), &NodeConnection::lost, this, [this](const QString& reason) {
        m_ledger->record(events::Noted{"warning", reason.toStdString(), nodeStartedAnew});
        // One end costs one candidate and is told in the log; several in a row hold the run up.
        if (++m_lostInARow > 1)
            m_trouble = {"node/lost", reason.toStdString(), "the run waits while it is started again", nullptr};
    });
    connect(m_node.get(), &NodeConnection::givenUp, this, &Session::nodeGivenUp);
    connect(m_node.get(), &NodeConnection::telemetry, this, [this](const Telemetry& news) {
        m_weather[news.device] = news;
        if (news.device == m_ledger->state().device)
            m_telemetry = news;
        Q_EMIT changed();
    });
    connect(m_node.get(), &NodeConnection::blobReceived, this,
        [this](const Hash&, const QByteArray& bytes) { m_ledger->keep(bytes.toStdString()); });
    connect(m_node.get(), &NodeConnection::stopped, this, &Session::closed);
    connect(&m_wallTimer, &QTimer::timeout, this, [this] {
        if (!isRunning())
            return;
        m_grace.start();
        endWhenIdle(events::Phase::Finished, "wall time used up", "budget/wall-time");
    });
    connect(&m_grace, &QTimer::timeout, this, &Session::graceIsOver);
    connect(&m_tick, &QTimer::timeout, this, [this] {
        if (m_ending)
            schedule(); // what holds the device up may have lasted long enough
        tellWait();
        Q_EMIT changed();
    });
}

void Session::recover()
{
    const RunState& state = m_ledger->state();
    // A clean close leaves unfinished evaluations as well; only a run that was cut off has something to recover.
    if (state.phase != events::Phase::Running)
        return;
    m_ledger->record(events::PhaseChanged{events::Phase::Paused, "interrupted", state.runNs});
    m_recoveredText = wordsOfRecovery(state);
}

void Session::startNode(const QStringList& command, std::chrono::milliseconds silenceLimit)
{
    m_nodeCommand = command;
    m_silenceLimit = silenceLimit;
    if (isReadOnly())
        return;
    m_node->setCommand(command);
    m_node->setSilenceLimit(silenceLimit);
    m_node->start();
}

void Session::nodeReady()
{
    m_lostInARow = 0;
    if (m_trouble.code == "node/lost")
        m_trouble = {};
    const RunState& state = m_ledger->state();
    const auto devices = devicesNamed(m_node->hello(), state.settings.device);
    const auto alike = devices ? checkAlike(*devices) : Result<void>(std::unexpected(devices.error()));
    m_otherDevice.reset();
    if (!alike) {
        MissingDevice missing = missingDevice(state, alike.error());
        if (isRunning() || !missing.measuredThere)
            m_trouble = missing.why;
        m_otherDevice = std::move(missing.why); // one that was measured may be looked at without a word
        if (isRunning())
            endNow(events::Phase::Paused, m_trouble.text);
        else if (m_onceHere)
            refuseToStart(*m_otherDevice);
        Q_EMIT changed();
        return;
    }
    const HelloReply::Device* device = devices->front();
    nlohmann::json facts = factsOf(*device);
    std::vector<std::string> others;
    for (std::size_t i = 1; i < devices->size(); ++i)
        others.push_back((*devices)[i]->id);
    if (const auto same = checkSameDevice(state, device->id, facts); !same) {
        // It may be looked at without a word; only to go on would mix figures.
        m_otherDevice = same.error();
        if (isRunning()) {
            m_trouble = same.error();
            endNow(events::Phase::Paused, m_trouble.text);
        } else if (m_onceHere) {
            refuseToStart(*m_otherDevice);
        }
        Q_EMIT changed();
        return;
    }
    if (m_trouble.code == "device/other")
        m_trouble = {};
    if (m_trouble.code == "device/mixed" || m_trouble.code == "device/missing")
        m_trouble = {};
    if (state.device != device->id || state.host != m_node->hello().host || state.deviceFacts != facts
        || state.otherDevices != others)
        m_ledger->record(events::DeviceFound{device->id, m_node->hello().host, std::move(facts), std::move(others)});
    m_deviceIsHere = true;
    if (const auto work = std::exchange(m_onceHere, {}))
        work();
    schedule();
}

void Session::onceDeviceIsHere(std::function<void()> work)
{
    if (m_otherDevice && !isRunning())
        return refuseToStart(*m_otherDevice);
    if (m_deviceIsHere || isRunning())
        return work();
    m_onceHere = std::move(work);
    m_node->start(); // where it was given up
}

void Session::refuseToStart(const Error& why)
{
    m_onceHere = {};
    m_trouble = why;
    Q_EMIT failed(why);
    Q_EMIT changed();
}

void Session::nodeGivenUp(const QString& reason, const QString& hint)
{
    m_trouble = {"node/missing", reason.toStdString(), hint.toStdString(), nullptr};
    m_ledger->record(events::Noted{"error", m_trouble.text, m_trouble.hint});
    if (isRunning())
        endNow(events::Phase::Paused, m_trouble.text);
    else if (m_onceHere)
        refuseToStart(m_trouble);
    Q_EMIT changed();
}

void Session::close()
{
    m_onceHere = {};
    if (!m_ledger) {
        m_listings.reset();
        m_node.reset();
        QTimer::singleShot(0, this, &Session::closed);
        return;
    }
    if (isRunning())
        endNow(events::Phase::Paused, "closed");
    else
        m_desk->dropPending(); // a judge may be asked while nothing runs
    if (auto written = m_ledger->flush(); !written)
        unsaved(written.error());
    m_node->stop();
}

std::string Session::text(const Hash& hash)
{
    if (m_ledger)
        return m_ledger->text(hash);
    auto read = m_reader->text(hash);
    return read ? *read : std::string();
}

Result<std::int64_t> Session::saveCopy(const std::string& path)
{
    if (auto copied = m_ledger ? m_ledger->copyTo(path) : m_reader->copyTo(path); !copied)
        return std::unexpected(copied.error());
    return state().lastSeq;
}

void Session::fill(Snapshot& snapshot)
{
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
    status.proposing = m_desk->pending();
    status.building = counts.building;
    status.checking = counts.checking;
    status.measuring = counts.measuring;
    status.queued = counts.queued;
    status.jobs = m_pipeline->jobs();
    status.work = m_pipeline->work();
    fillDevices(status);
    status.evaluationsPerMinute = evaluationsPerMinute();
}

double Session::evaluationsPerMinute()
{
    constexpr std::int64_t second = 1'000'000'000, minute = 60 * second;
    const std::int64_t now = runNs();
    while (!m_finishedAt.empty() && m_finishedAt.front() < now - minute)
        m_finishedAt.pop_front();
    if (!isRunning() || m_clock.isHeld())
        return 0; // what it was before is no sign of what comes
    const std::int64_t span = std::clamp(now - m_ranBeforeOpening, second, minute);
    return static_cast<double>(m_finishedAt.size()) * static_cast<double>(minute) / static_cast<double>(span);
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
        if (const auto told = m_weather.find(device.id); told != m_weather.end())
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
    const int replies = m_desk->correspondence() ? m_desk->correspondence()->out() : 0;
    if (m_trouble.code == "machine/busy" || gpuTroubleKind(m_trouble.code) == GpuTroubleKind::Passing) {
        const auto wait = m_pipeline->triesAgainIn();
        say(m_trouble.code.c_str(),
            "waiting: " + m_trouble.text + "; trying again " + (wait ? "in " + remainingText(*wait) : "now"));
    } else if (const auto taken = m_pipeline->deviceTakenFor()) {
        say("device/taken",
            "waiting: another program measures on this device, for " + elapsedText(*taken)
                + " now; the run goes on by itself");
    } else if (m_trouble.code == "node/lost") {
        say("node/lost", "waiting: " + m_trouble.text + "; it is started again");
    } else if (awaitsOnlyPerson()) {
        const std::int64_t reviews = m_ledger->state().waitingReviews;
        say("reviews",
            "waiting for " + counted(reviews, "review", "reviews")
                + (!m_ending && everyIslandWaits(m_ledger->state())
                        ? ": until some are decided, no island asks for further edits"
                        : ": nothing else is left to do in this run"));
    } else if (m_ending && m_desk->isAwaited()) {
        say("replies",
            "waiting for " + counted(replies, "reply", "replies")
                + (m_grace.isActive() ? ", at most " + remainingText(m_grace.remainingTimeAsDuration()) + " more"
                                      : ""));
    }
    if (!status.waiting.empty() && m_desk->correspondence() && !isSeedMeasured(m_ledger->state()))
        status.waiting += "; the first request goes out once the seed is measured";
}

void Session::fillOutside(EngineStatus& status) const
{
    const Correspondence* outside = m_desk->correspondence();
    if (!outside)
        return;
    status.openInquiries = outside->open();
    status.answersByHand = outside->correspondent().keepsLetters();
    status.models = outside->correspondent().models();
    status.notices = outside->notices();
    status.reservedTokens = outside->correspondent().reservedTokens();
    for (const ModelStatus& model : status.models)
        for (const IslandId island : model.islands) {
            std::string& words = status.islandTrouble[island];
            words += (words.empty() ? "" : "; ") + model.name + ": " + model.text;
        }
}

} // namespace tilewright
