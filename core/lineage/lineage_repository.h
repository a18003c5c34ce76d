// SPDX-License-Identifier: GPL-3.0-or-later
// The git view of a session: a bare repository that follows from the session's events and can be written anew at any
// time. The same events lead to the same commit ids, whether they are written at once or a few at a time.
//
//   refs/heads/best           the best program of the run
//   refs/heads/island-A       the best program of an island
//   refs/tags/best-003-c-0050 each program that was proven to be the best, in order
//   refs/tilewright/c/c-0012  every candidate whose measurement is over; a migrated copy leads to what it is a copy of
//   refs/tilewright/state     how far the events were written
//   refs/notes/commits        all measurements of a candidate, written a batch at a time
//
// An admitted candidate is a commit of the moment of its admission, with its parents; one that is not admitted is a
// commit of the moment it was made. Belongs to one thread at a time.
#pragma once

#include "core/lineage/commit_text.h"
#include "core/lineage/git_store.h"
#include "core/lineage/session_texts.h"
#include "core/model/run_state.h"

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tilewright {

/// What a repository holds after a write.
struct LineageReport {
    std::int64_t seq = 0; ///< event up to which it is written
    std::int64_t admitted = 0, kept = 0; ///< commits
    std::int64_t fresh = 0; ///< of them: written by the newest write
    int branches = 0, bests = 0;

    bool operator==(const LineageReport&) const = default;
};

class LineageRepository
{
public:
    /// Opens the repository in this folder, or makes one. Errors: those of GitStore::open().
    static Result<std::unique_ptr<LineageRepository>> open(const std::filesystem::path& folder);

    /// Takes the next event of the run, from its first one on, and the state after it. Work is left to write(), but for
    /// the words of a commit, whose figures are those of this moment.
    void take(const Event& event, const RunState& after);

    /// Writes all that was taken. `state` is that after the newest event.
    /// Errors: lineage/other-session, lineage/diverged (its events are not those of the session), lineage/changed
    /// (another program changed its branches), lineage/newer, those of GitStore, of `textOf`, and of the task's text.
    Result<LineageReport> write(const RunState& state, const TextOf& textOf);

private:
    /// A commit whose words are known and that is not in the repository yet.
    struct Pending {
        CandidateId candidate;
        std::int64_t seq = 0; ///< of the event that it is of
        std::string atUtc, message;
    };

    /// All that the words of a note depend on beside evaluations, which never change.
    struct NoteKey {
        EvaluationId newest;
        Stage stage = Stage::Queued;
        Outcome outcome = Outcome::None;
        std::string rule, text;
        std::optional<Interval> score;
        bool confirmed = false, disputed = false;
        bool operator==(const NoteKey&) const = default;
    };

    explicit LineageRepository(std::unique_ptr<GitStore> store);
    Result<void> checkRecord(const RunState& state) const;
    Result<GitId> commit(const RunState& state, const Pending& pending, const TextOf& textOf);
    Result<GitId> kept(const RunState& state, CandidateId id, const TextOf& textOf);
    Result<GitId> parentOf(const RunState& state, CandidateId parent, std::int64_t at, const TextOf& textOf);
    Result<std::int64_t> committedAt(const GitId& id);
    Result<GitId> note(const RunState& state, const Candidate& candidate);
    Result<GitId> notes(const RunState& state);
    Result<RefNames> names(const RunState& state, const TextOf& textOf);

    std::unique_ptr<GitStore> m_store;
    std::int64_t m_writtenSeq = 0; ///< as the repository says
    std::string m_session, m_writtenAt; ///< of its first event; when event m_writtenSeq was recorded
    std::string m_takenSession, m_takenAt, m_atWritten; ///< the same of the events that were taken
    std::map<CandidateId, std::string> m_madeAt;
    std::map<CandidateId, std::int64_t> m_admittedSeq; ///< of the first admission
    EvaluationTimes m_evaluatedAt;
    std::vector<Pending> m_pending;
    std::map<CandidateId, GitId> m_admitted, m_kept; ///< commits
    std::map<GitId, std::int64_t> m_committedAt;
    std::map<CandidateId, std::pair<NoteKey, GitId>> m_notes; ///< empty id: nothing was measured
    std::string m_fileName; ///< of the program
};

/// The folder beside a session: gemm.git of gemm.tilewright.
std::filesystem::path lineageFolder(const std::filesystem::path& session);

} // namespace tilewright
