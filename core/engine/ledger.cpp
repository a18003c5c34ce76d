// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/ledger.h"
#include "core/engine/proposals/proposing.h"
#include "core/llm/keys.h"
#include "core/llm/model_endpoint.h"
#include "core/llm/models_file.h"
#include "core/prompt/redaction.h"

#include <algorithm>

namespace tilewright {
namespace {

constexpr std::chrono::milliseconds groupCommit{50};
constexpr std::chrono::seconds retryAfterTrouble{2};
constexpr std::size_t textsHeld = 2048;

} // namespace

Ledger::Ledger(
    std::string path, std::unique_ptr<SessionWriter> writer, std::shared_ptr<const TaskPack> pack, RunState state)
    : m_path(std::move(path))
    , m_writer(std::move(writer))
    , m_pack(std::move(pack))
    , m_state(std::move(state))
    , m_secrets(m_state.settings.proposer)
{
    m_commitTimer.setSingleShot(true);
    connect(&m_commitTimer, &QTimer::timeout, this, [this] {
        if (auto written = flush(); !written)
            Q_EMIT broken(written.error());
    });
}

Ledger::~Ledger() { (void)flush(); }

Result<std::unique_ptr<Ledger>> Ledger::create(
    const std::string& path, const TaskPack& pack, const RunSettings& settings)
{
    RunState state;
    RunSettings complete = Secrets(settings.proposer).redacted(settings);
    complete.task = sha256(pack.blob());
    complete.taskName = pack.task.name;
    const Event created{RunId{1}, 1, SystemClock().utc(), events::RunCreated{complete}};
    if (auto applied = apply(state, created); !applied)
        return std::unexpected(applied.error());
    auto writer = SessionWriter::create(path, pack, created);
    if (!writer)
        return std::unexpected(writer.error());
    return std::unique_ptr<Ledger>(
        new Ledger(path, std::move(*writer), std::make_shared<const TaskPack>(pack), std::move(state)));
}

Result<std::unique_ptr<Ledger>> Ledger::open(const std::string& path, const ReplayWatch& watch)
{
    auto writer = SessionWriter::open(path);
    if (!writer)
        return std::unexpected(writer.error());
    auto state = (*writer)->load(watch);
    if (!state)
        return std::unexpected(state.error());
    auto pack = (*writer)->pack(*state);
    if (!pack)
        return std::unexpected(pack.error());
    return std::unique_ptr<Ledger>(
        new Ledger(path, std::move(*writer), std::make_shared<const TaskPack>(std::move(*pack)), std::move(*state)));
}

void Ledger::record(EventBody body)
{
    const Event event{m_state.run, m_state.lastSeq + 1, m_clock.utc(), m_secrets.redacted(std::move(body))};
    if (auto applied = apply(m_state, event); !applied) {
        // An event that does not fit its own state is a fault of this program: say so, keep the record whole.
        Q_EMIT broken(applied.error());
        return;
    }
    m_writer->append(event, m_state);
    if (m_behind)
        m_commitTimer.start(m_commitTimer.isActive() ? m_commitTimer.remainingTimeAsDuration() : groupCommit);
    else if (m_writer->isUrgent())
        m_commitTimer.start(std::chrono::milliseconds(0));
    else if (!m_commitTimer.isActive())
        m_commitTimer.start(groupCommit);
    Q_EMIT changed();
}

Hash Ledger::keep(const std::string& text)
{
    const Hash hash = m_writer->putText(text);
    if (m_texts.size() >= textsHeld)
        m_texts.clear();
    m_texts.try_emplace(hash, text);
    if (!m_commitTimer.isActive())
        m_commitTimer.start(groupCommit);
    return hash;
}

std::string Ledger::text(const Hash& hash)
{
    if (hash.isNull())
        return {};
    if (const auto held = m_texts.find(hash); held != m_texts.end())
        return held->second;
    auto read = m_writer->text(hash);
    if (!read)
        return {};
    if (m_texts.size() >= textsHeld)
        m_texts.clear();
    return m_texts.emplace(hash, std::move(*read)).first->second;
}

Result<void> Ledger::copyTo(const std::string& path)
{
    if (auto written = flush(); !written && written.error().code != "session/gone")
        return written;
    return m_writer->copyTo(path, m_state);
}

void Ledger::writeBeforeTelling()
{
    if (m_behind)
        return; // it is tried again in a while, not with each who asks
    if (const auto written = flush(); !written)
        QTimer::singleShot(0, this, [this, error = written.error()] { Q_EMIT broken(error); });
}

Result<void> Ledger::flush()
{
    if (!m_writer->hasPending())
        return {};
    auto written = m_writer->commit(m_state);
    if (!written) {
        m_behind = true;
        m_commitTimer.start(retryAfterTrouble);
        if (written.error().code == "session/full")
            written.error().hint = "free some space there: unsaved data is in memory, and is lost if the program ends";
        return written;
    }
    m_commitTimer.stop();
    m_savedAtUtc = m_clock.utc();
    if (std::exchange(m_behind, false))
        Q_EMIT mended();
    return written;
}

void Secrets::learnFrom(const std::string& proposer)
{
    for (const EndpointTemplate& known : endpointTemplates())
        if (const auto name = parseKeyName(known.key))
            m_redactor.learn(KeyRing::atHand(*name));
    const bool asksModels = wordsOfProposer(proposer).kind == "model";
    const std::filesystem::path file = modelsFileOf(asksModels ? proposer : "model");
    std::error_code problem;
    if (!std::filesystem::is_regular_file(file, problem))
        return;
    const auto models = loadModelsFile(file);
    if (!models)
        return; // whoever needs it says what is wrong with it
    for (const ModelEndpoint& endpoint : models->endpoints)
        if (const auto name = parseKeyName(endpoint.key))
            m_redactor.learn(KeyRing::atHand(*name));
}

std::string Secrets::redacted(const std::string& text)
{
    if (const auto known = KeyRing::known(); known.size() != m_learned) { // it only grows
        for (const std::string& key : known)
            m_redactor.learn(key);
        m_learned = known.size();
    }
    return m_redactor.withoutSecrets(text);
}

std::string Secrets::personsWords(const std::string& text) { return withoutKeyWords(redacted(text)); }

RunSettings Secrets::redacted(RunSettings settings)
{
    for (auto& [island, text] : settings.hints)
        text = personsWords(text);
    return settings;
}

EventBody Secrets::redacted(EventBody body)
{
    if (auto* hints = std::get_if<events::HintsChanged>(&body))
        hints->text = personsWords(hints->text);
    if (auto* saved = std::get_if<events::TemplateSaved>(&body))
        saved->note = redacted(saved->note);
    if (auto* marked = std::get_if<events::Marked>(&body)) {
        marked->marks.note = personsWords(marked->marks.note);
        for (std::string& tag : marked->marks.tags)
            tag = redacted(tag);
    }
    if (auto* requested = std::get_if<events::SteeringRequested>(&body))
        requested->steering.idea = personsWords(requested->steering.idea);
    if (auto* note = std::get_if<events::Noted>(&body)) {
        note->text = redacted(note->text);
        note->hint = redacted(note->hint);
    }
    return body;
}

WorkLog::WorkLog(Ledger& ledger, std::function<std::int64_t()> runTime)
    : m_ledger(ledger)
    , m_runTime(std::move(runTime))
{
}

int WorkLog::freePlace() const
{
    int place = 1;
    while (std::ranges::find(m_underWay, place, &WorkSpan::place) != m_underWay.end())
        ++place;
    return place;
}

void WorkLog::place(WorkSpan& span, const std::string& device) const
{
    const WorkRecord& record = m_ledger.state().work;
    span.device = record.first;
    for (std::size_t i = 0; i < record.devices.size(); ++i)
        if (record.devices[i].id == device)
            span.device = static_cast<int>(i);
    span.on = device == m_ledger.state().device ? "" : device;
}

void WorkLog::begin(CandidateId candidate, Work work, const std::string& device)
{
    WorkSpan span;
    span.candidate = candidate;
    span.work = work;
    span.place = work == Work::Build ? freePlace() : 0;
    place(span, device);
    span.askedNs = span.startedNs = m_runTime();
    m_underWay.push_back(std::move(span));
}

void WorkLog::waits(CandidateId candidate)
{
    const auto found = std::ranges::find(m_underWay, candidate, &WorkSpan::candidate);
    if (found != m_underWay.end())
        found->startedNs = std::max(m_runTime(), found->startedNs);
}

void WorkLog::end(CandidateId candidate, std::int64_t workedNs, const std::string& rule)
{
    const auto found = std::ranges::find(m_underWay, candidate, &WorkSpan::candidate);
    if (found == m_underWay.end())
        return;
    WorkSpan span = std::move(*found);
    m_underWay.erase(found);
    span.endedNs = std::max(m_runTime(), span.askedNs);
    span.endedNs = std::max(span.endedNs, span.startedNs);
    if (workedNs > 0)
        span.startedNs = std::max(span.startedNs, span.endedNs - workedNs);
    span.rule = rule;
    m_ledger.record(events::WorkDone{std::move(span)});
}

void WorkLog::dropAll()
{
    while (!m_underWay.empty())
        drop(m_underWay.front().candidate);
}

void WorkLog::noise(CandidateId incumbent, const std::string& device, std::int64_t workedNs)
{
    WorkSpan span;
    span.candidate = incumbent;
    span.work = Work::Noise;
    place(span, device);
    span.endedNs = m_runTime();
    span.startedNs = span.askedNs = std::max<std::int64_t>(span.endedNs - workedNs, 0);
    m_ledger.record(events::WorkDone{std::move(span)});
}

} // namespace tilewright
