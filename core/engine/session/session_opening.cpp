// SPDX-License-Identifier: GPL-3.0-or-later
// How a session comes and goes: made, opened, recovered, closed.
#include "core/engine/session/session.h"

#include "core/base/folders.h"
#include "core/base/text.h"
#include "core/engine/proposals/proposing.h"
#include "core/engine/session/run_activity.h"
#include "core/protocol/gpu_trouble.h"

#include <algorithm>
#include <filesystem>

namespace tilewright {
namespace {

namespace fs = std::filesystem;

/// The folders on the way to a new session's file, as far as they are not there yet. Errors: session/missing.
Result<void> makeFolderOf(const std::string& file)
{
    const fs::path folder = fs::path(file).parent_path();
    std::error_code problem;
    if (!folder.empty())
        fs::create_directories(folder, problem);
    if (!problem)
        return {};
    return fail("session/missing", "the folder " + folder.string() + " cannot be created: " + problem.message(),
        "choose a file in another folder");
}

/// "…/gemm-fp32-cpu-2026-11-21-174634.tilewright", with a number if that is taken.
std::string freshPath(const std::string& task)
{
    const fs::path folder = sessionsFolder();
    std::error_code problem;
    std::string stamp = SystemClock().utc().substr(0, 19);
    std::erase(stamp, ':');
    std::replace(stamp.begin(), stamp.end(), 'T', '-');
    fs::path path = folder / (task + "-" + stamp + ".tilewright");
    for (int i = 2; fs::exists(path, problem); ++i)
        path = folder / (task + "-" + stamp + "-" + std::to_string(i) + ".tilewright");
    return path.string();
}

constexpr std::chrono::seconds statusTick{1};

} // namespace

Session::~Session() = default;

Result<std::unique_ptr<Session>> Session::create(const NewSession& wanted)
{
    std::string path = wanted.path.toStdString();
    if (path.empty())
        path = freshPath(wanted.pack.task.name);
    if (auto sound = checkFounders(wanted.settings, wanted.steering); !sound)
        return std::unexpected(sound.error());
    if (auto made = makeFolderOf(path); !made)
        return std::unexpected(made.error());
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
    m_resultsNoted = m_ledger->state().resultsEver;
    m_pack = m_ledger->sharedPack();
    m_node = std::make_unique<NodeConnection>();
    m_listings = std::make_unique<Listings>(*m_node);
    m_edits = std::make_unique<EditChecks>(*m_node);
    m_intake = std::make_unique<ProposalIntake>(*m_ledger, [this] { return runNs(); });
    m_gate = std::make_unique<ReviewGate>(*m_ledger);
    m_pipeline = std::make_unique<Pipeline>(*m_ledger, *m_node, *m_gate, [this] { return runNs(); });
    m_candidateCommands = std::make_unique<CandidateCommands>(*m_ledger, *m_intake, *m_pipeline,
        CandidateCommands::Prompts{
            [this](const PromptDraft& draft) { return sendable(draft); }, [this] { return askJudges(); }},
        [this](const std::string& wanted) { return otherDevice(wanted); });
    m_node->setBlobSource([this](const Hash& hash) {
        const std::string* edited = m_edits->program(hash);
        return edited ? *edited : m_ledger->text(hash);
    });
    m_wallTimer.setSingleShot(true);
    m_grace.setSingleShot(true);
    m_tick.setInterval(statusTick);

    connect(m_ledger.get(), &Ledger::changed, this, &Session::changed);
    connect(m_ledger.get(), &Ledger::broken, this, &Session::unsaved);
    connect(m_ledger.get(), &Ledger::mended, this, [this] {
        if (!isRunning() || !m_ending) // a run that winds down keeps its trouble until it has ended
            tellEnd();
    });
    connect(m_intake.get(), &ProposalIntake::candidateMade, this, [this](CandidateId id) {
        m_pipeline->enqueue(id);
        schedule(); // an answer may come while nothing else moves
    });
    connect(m_intake.get(), &ProposalIntake::idle, this, &Session::schedule);
    connect(m_intake.get(), &ProposalIntake::stuck, this, &Session::stuck);
    connect(m_pipeline.get(), &Pipeline::settled, this, [this](CandidateId id) {
        m_intake->settled(id);
        remember();
        noteResults();
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
        m_ledger->record(events::Noted{"warning", device + " is ignored: " + reason.text, reason.hint});
    });
    connect(m_pipeline.get(), &Pipeline::released, this, [this] {
        if (m_trouble.code == "machine/busy" || gpuTroubleKind(m_trouble.code) == GpuTroubleKind::Passing)
            m_trouble = {};
    });
    connect(m_pipeline.get(), &Pipeline::measuresAgain, this, [this] {
        m_ledger->record(events::Noted{"info", "the device is available again: the run resumes", ""});
    });
    connect(m_pipeline.get(), &Pipeline::deviceTaken, this, [this] {
        m_ledger->record(events::Noted{"warning", "another program uses this device for measurements",
            "the run waits for its turn and resumes by itself"});
    });
    connect(m_node.get(), &NodeConnection::ready, this, &Session::nodeReady);
    connect(m_node.get(), &NodeConnection::lost, this, [this](const QString& reason) {
        m_ledger->record(events::Noted{"warning", reason.toStdString(), nodeStartedAnew});
        // One end costs one candidate and is told in the log; several in a row hold the run up.
        if (++m_lostInARow > 1)
            m_trouble = {"node/lost", reason.toStdString(), "the run waits while it restarts", nullptr};
    });
    connect(m_node.get(), &NodeConnection::givenUp, this, &Session::nodeGivenUp);
    connect(m_node.get(), &NodeConnection::telemetry, this, [this](const Telemetry& news) {
        m_latestTelemetry[news.device] = news;
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
        endWhenIdle(events::Phase::Finished, "wall-time budget exhausted", "budget/wall-time");
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
        endNow(events::Phase::Paused, "it was closed while running");
    else
        m_intake->dropPending(); // a judge may be asked while nothing runs
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

} // namespace tilewright
