// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lineage/lineage_repository.h"

#include "core/base/json_text.h"
#include "core/model/best.h"
#include "core/model/measurement/pair_ladder.h"

#include <algorithm>

namespace tilewright {
namespace {

constexpr int format = 1; ///< of what this file writes
constexpr const char* bestBranch = "refs/heads/best";
constexpr const char* branchBegin = "refs/heads/";
constexpr const char* tagBegin = "refs/tags/";
constexpr const char* candidateBegin = "refs/tilewright/c/";
constexpr const char* stateName = "refs/tilewright/state";
constexpr const char* notesName = "refs/notes/commits";

/// Beginnings of the names that the repository has of us; all others are the user's.
const std::vector<std::string>& ownNames()
{
    static const std::vector<std::string> names{
        bestBranch, "refs/heads/island-", "refs/tags/best-", "refs/tilewright/", notesName};
    return names;
}

std::string candidateRef(CandidateId id) { return candidateBegin + candidateName(id); }

/// Of all names of ours but that of the record itself.
std::string digestOf(const RefNames& refs)
{
    RefNames ours;
    for (const auto& [name, id] : refs)
        if (name != stateName
            && std::ranges::any_of(ownNames(), [&](const std::string& begin) { return name.starts_with(begin); }))
            ours[name] = id;
    return sha256(packedRefsText(ours)).hex();
}

/// How far a repository is written: the text behind refs/tilewright/state.
struct LineageRecord {
    int format = 0;
    std::string session, atUtc, names;
    std::int64_t seq = 0;
};

std::string recordText(const LineageRecord& record)
{
    const nlohmann::json json{{"format", record.format}, {"session", record.session}, {"seq", record.seq},
        {"at", record.atUtc}, {"names", record.names}};
    return dumped(json) + "\n";
}

LineageRecord recordOf(const std::string& text)
{
    const nlohmann::json json = parsedJson(text);
    if (!json.is_object())
        return {};
    const auto word = [&](const char* key) {
        const auto found = json.find(key);
        return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
    };
    const auto number = [&](const char* key) {
        const auto found = json.find(key);
        return found != json.end() && found->is_number_integer() ? found->get<std::int64_t>() : 0;
    };
    return {static_cast<int>(number("format")), word("session"), word("at"), word("names"), number("seq")};
}

/// Nothing more comes of it.
bool isOver(const Candidate& candidate) { return candidate.isOver() || candidate.takenBack; }

} // namespace

LineageRepository::LineageRepository(std::unique_ptr<GitStore> store)
    : m_store(std::move(store))
{
}

Result<std::unique_ptr<LineageRepository>> LineageRepository::open(const std::filesystem::path& folder)
{
    auto store = GitStore::open(folder, bestBranch + std::string(branchBegin).size());
    if (!store)
        return std::unexpected(store.error());
    std::unique_ptr<LineageRepository> lineage(new LineageRepository(std::move(*store)));
    const RefNames& refs = lineage->m_store->refs();
    const auto state = refs.find(stateName);
    if (state == refs.end() && digestOf(refs) == digestOf({}))
        return lineage;
    if (state == refs.end())
        return fail("lineage/damaged", "the record of the repository " + folder.string() + " is missing",
            "remove the folder and write it again");
    const auto text = lineage->m_store->blob(state->second);
    if (!text)
        return std::unexpected(text.error());
    const LineageRecord record = recordOf(*text);
    if (record.format > format)
        return fail("lineage/newer", folder.string() + " was written by a newer Tilewright", "update Tilewright");
    if (record.format < 1 || record.seq < 1)
        return fail("lineage/damaged", "the record of the repository " + folder.string() + " cannot be read",
            "remove the folder and write it again");
    if (record.names != digestOf(refs))
        return fail("lineage/changed",
            "another program changed branches, tags or notes of " + folder.string() + ": nothing was written",
            "work in a clone of it; remove the folder to have it written again, or choose another with --to");
    lineage->m_writtenSeq = record.seq;
    lineage->m_session = record.session;
    lineage->m_writtenAt = record.atUtc;
    return lineage;
}

void LineageRepository::take(const Event& event, const RunState& after)
{
    if (event.seq == 1)
        m_takenSession = sha256(event.atUtc + dumped(toJson(event.body))).hex();
    if (event.seq == m_writtenSeq)
        m_atWritten = event.atUtc;
    m_takenAt = event.atUtc;
    if (const auto* made = std::get_if<events::CandidateMade>(&event.body)) {
        m_madeAt[made->candidate.id] = event.atUtc;
    } else if (const auto* evaluated = std::get_if<events::Evaluated>(&event.body)) {
        m_evaluatedAt[evaluated->evaluation.id] = event.atUtc;
    } else if (const auto* admitted = std::get_if<events::Admitted>(&event.body)) {
        const CandidateId id = originOf(after, admitted->candidate);
        const Candidate* candidate = after.candidate(id);
        if (!candidate || !m_admittedSeq.emplace(id, event.seq).second)
            return; // the seed is admitted on every island
        const auto known = m_store->refs().find(candidateRef(id));
        if (event.seq <= m_writtenSeq && known != m_store->refs().end())
            m_admitted[id] = known->second;
        else
            m_pending.push_back({id, event.seq, event.atUtc, admittedMessage(after, *candidate)});
    }
}

Result<void> LineageRepository::checkRecord(const RunState& state) const
{
    if (m_writtenSeq == 0)
        return {};
    if (m_session != m_takenSession)
        return fail("lineage/other-session", "the repository is the lineage of another session: nothing was written",
            "choose another folder with --to, or remove it");
    if (m_writtenSeq > state.lastSeq || m_atWritten != m_writtenAt)
        return fail("lineage/diverged",
            "the repository holds events that the session does not have: nothing was written",
            "the session was replaced by an older copy; remove the folder to have it written again");
    return {};
}

Result<std::int64_t> LineageRepository::committedAt(const GitId& id)
{
    if (const auto known = m_committedAt.find(id); known != m_committedAt.end())
        return known->second;
    const auto at = m_store->committedAt(id);
    if (at)
        m_committedAt[id] = *at;
    return at;
}

/// The commit that a parent was at that event: of its admission if that had come, else of its making.
Result<GitId> LineageRepository::parentOf(
    const RunState& state, CandidateId parent, std::int64_t at, const TextOf& textOf)
{
    const CandidateId id = originOf(state, parent);
    const auto admitted = m_admittedSeq.find(id);
    if (admitted == m_admittedSeq.end() || admitted->second > at)
        return kept(state, id, textOf);
    return m_admitted.at(id); // pending ones are written in the order of their events
}

Result<GitId> LineageRepository::kept(const RunState& state, CandidateId id, const TextOf& textOf)
{
    if (const auto known = m_kept.find(id); known != m_kept.end())
        return known->second;
    const Candidate& candidate = *state.candidate(id);
    const auto written = m_store->refs().find(candidateRef(id));
    if (written != m_store->refs().end() && !m_admittedSeq.contains(id)) // else the name is that of its admission
        return m_kept[id] = written->second;
    const auto made = commit(state, {id, candidate.seq, m_madeAt[id], keptMessage(state, candidate)}, textOf);
    if (made)
        m_kept[id] = *made;
    return made;
}

Result<GitId> LineageRepository::commit(const RunState& state, const Pending& pending, const TextOf& textOf)
{
    const Candidate& candidate = *state.candidate(pending.candidate);
    GitCommit commit;
    for (const CandidateId each : candidate.parents) {
        auto parent = parentOf(state, each, pending.seq, textOf);
        if (!parent)
            return parent;
        if (std::ranges::find(commit.parents, *parent) == commit.parents.end())
            commit.parents.push_back(std::move(*parent));
    }
    // A child is never older than its parents, though the clock of the machine was set back: git relies on it.
    commit.committed = secondsOf(pending.atUtc);
    for (const GitId& parent : commit.parents) {
        const auto at = committedAt(parent);
        if (!at)
            return std::unexpected(at.error());
        commit.committed = std::max(commit.committed, *at);
    }
    commit.authored = secondsOf(m_madeAt[candidate.id]);
    commit.author = authorPerson(state, candidate);
    commit.committer = committerPerson();
    commit.message = pending.message;
    const auto text = textOf(candidate.source);
    const auto blob = text ? m_store->putBlob(*text, m_fileName.c_str()) : std::unexpected(text.error());
    const auto tree = blob ? m_store->putTree({{m_fileName, *blob}}, "") : blob;
    if (!tree)
        return tree;
    commit.tree = *tree;
    auto id = m_store->putCommit(commit);
    if (id)
        m_committedAt[*id] = commit.committed;
    return id;
}

Result<GitId> LineageRepository::note(const RunState& state, const Candidate& candidate)
{
    NoteKey key{candidate.newest, candidate.stage, candidate.outcome, candidate.rule, candidate.text, candidate.score,
        candidate.confirmed, candidate.disputed};
    auto& [known, blob] = m_notes[candidate.id];
    if (known == key)
        return blob;
    const std::string text = noteText(state, candidate, m_evaluatedAt);
    auto put = text.empty() ? Result<GitId>(GitId()) : m_store->putBlob(text, "note");
    if (put) {
        known = std::move(key);
        blob = *put;
    }
    return put;
}

Result<GitId> LineageRepository::notes(const RunState& state)
{
    std::map<std::string, GitTree> folders;
    const auto add = [&](CandidateId id, const GitId& commit) -> Result<void> {
        auto blob = note(state, *state.candidate(id));
        if (!blob)
            return std::unexpected(blob.error());
        if (!blob->empty())
            folders[commit.substr(0, 2)].emplace_back(commit.substr(2), std::move(*blob));
        return {};
    };
    for (const auto& [id, commit] : m_admitted)
        if (auto added = add(id, commit); !added)
            return std::unexpected(added.error());
    for (const auto& [id, commit] : m_kept) {
        if (m_admitted.contains(id)) // the commit of its admission has the note
            continue;
        if (auto added = add(id, commit); !added)
            return std::unexpected(added.error());
    }
    GitTree root;
    for (const auto& [name, folder] : folders) {
        auto tree = m_store->putTree(folder, name.c_str());
        if (!tree)
            return tree;
        root.emplace_back(name, std::move(*tree));
    }
    const auto tree = m_store->putTree(root, "");
    if (!tree)
        return tree;
    // Without a parent: how often notes were written says nothing of the session, and must not change an id.
    const std::int64_t at = secondsOf(m_takenAt);
    return m_store->putCommit({*tree, {}, committerPerson(), committerPerson(), at, at, "Measurements\n"});
}

Result<RefNames> LineageRepository::names(const RunState& state, const TextOf& textOf)
{
    RefNames names;
    const auto commitOf = [&](CandidateId id) {
        const auto found = m_admitted.find(originOf(state, id));
        return found == m_admitted.end() ? GitId() : found->second;
    };
    for (const Candidate& candidate : state.candidates) {
        GitId id = commitOf(candidate.id);
        if (id.empty() && !candidate.migrated && isOver(candidate)) {
            auto made = kept(state, candidate.id, textOf);
            if (!made)
                return std::unexpected(made.error());
            id = std::move(*made);
        }
        if (!id.empty())
            names[candidateRef(candidate.id)] = std::move(id);
    }
    const auto set = [&](const std::string& name, CandidateId candidate) {
        if (GitId id = candidate ? commitOf(candidate) : GitId(); !id.empty())
            names[name] = std::move(id);
    };
    set(bestBranch, state.best() ? state.best()->id : state.incumbent);
    for (const Island& island : state.islands)
        if (const Candidate* best = shownBest(state, island))
            set(branchBegin + islandBranch(island.id), best->id);
    for (std::size_t i = 0; i < state.incumbents.size(); ++i)
        set(tagBegin + bestTag(i + 1, originOf(state, state.incumbents[i])), state.incumbents[i]);
    return names;
}

Result<LineageReport> LineageRepository::write(const RunState& state, const TextOf& textOf)
{
    if (auto fits = checkRecord(state); !fits)
        return std::unexpected(fits.error());
    if (m_fileName.empty()) {
        const auto text = textOf(state.settings.task);
        const auto pack = text ? TaskPack::fromBlob(*text) : std::unexpected(text.error());
        if (!pack)
            return std::unexpected(pack.error());
        m_fileName = programFileName(pack->task);
    }
    LineageReport report;
    const RefNames before = m_store->refs();
    for (const Pending& pending : m_pending) {
        auto id = commit(state, pending, textOf);
        if (!id)
            return std::unexpected(id.error());
        m_admitted[pending.candidate] = std::move(*id);
    }
    auto names = this->names(state, textOf);
    if (!names)
        return std::unexpected(names.error());
    const auto notesCommit = notes(state);
    if (!notesCommit)
        return std::unexpected(notesCommit.error());
    (*names)[notesName] = *notesCommit;
    const auto record
        = m_store->putBlob(recordText({format, m_takenSession, m_takenAt, digestOf(*names), state.lastSeq}), "state");
    if (!record)
        return std::unexpected(record.error());
    (*names)[stateName] = *record;
    if (auto written = m_store->write(*names, ownNames()); !written)
        return std::unexpected(written.error());
    m_pending.clear();
    m_writtenSeq = state.lastSeq;
    m_session = m_takenSession;
    m_writtenAt = m_atWritten = m_takenAt;
    report.seq = state.lastSeq;
    report.admitted = static_cast<std::int64_t>(m_admitted.size());
    report.kept = std::ranges::count_if(m_kept, [&](const auto& each) { return !m_admitted.contains(each.first); });
    for (const auto& [name, id] : *names) {
        const auto known = before.find(name);
        report.fresh += name.starts_with(candidateBegin) && (known == before.end() || known->second != id)
            && !state.candidate(candidateFromName(name.substr(std::string(candidateBegin).size())))->migrated;
        report.branches += name.starts_with(branchBegin);
        report.bests += name.starts_with(tagBegin);
    }
    return report;
}

std::filesystem::path lineageFolder(const std::filesystem::path& session)
{
    std::filesystem::path folder = session;
    return folder.extension() == ".tilewright" ? folder.replace_extension(".git") : folder += ".git";
}

} // namespace tilewright
