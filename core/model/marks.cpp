// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/marks.h"

#include "core/base/format.h"
#include "core/base/text.h"
#include "core/model/best.h"
#include "core/model/reviews/editing.h"

#include <algorithm>
#include <cmath>

namespace tilewright {
namespace {

constexpr double strongestBoost = 1000;
constexpr std::size_t longestTag = 40, longestNote = 20'000;

/// ", no longer pinned": what the newer of two marks that exclude each other took away; empty where nothing went so.
std::string wordsOfLost(const Marks& before, const Marks& now)
{
    return now.banned && before.pinned && !now.pinned ? ", no longer pinned"
        : now.pinned && before.banned && !now.banned  ? ", no longer banned"
                                                      : "";
}

/// Cells and the title of the best change hands where a ban came or went, and nowhere else.
Result<LogLine> marked(RunState& state, CandidateId id, const Marks& earlier, const std::string& words)
{
    const bool wasBanned = earlier.banned;
    const Candidate* before = state.best();
    const bool banned = state.marksOf(id).banned;
    if (banned != wasBanned)
        state.bans.push_back({id, wasBanned, state.resultsEver, state.runNs});
    if (banned && !wasBanned) {
        releaseCells(state);
        loseBest(state);
    } else if (!banned && wasBanned) {
        claimCells(state, id);
        regainBest(state, id);
    }
    const Candidate* best = state.best();
    const std::string now = best && best != before ? "; the best is now " + candidateName(best->id) : "";
    return LogLine{0, "", "info", id,
        candidateName(id) + words + wordsOf(state.marksOf(id)) + wordsOfLost(earlier, state.marksOf(id)) + now};
}

} // namespace

Result<Marks> orderly(Marks marks)
{
    if (!std::isfinite(marks.boost) || marks.boost <= 0 || marks.boost > strongestBoost)
        return fail("mark/boost", "a lineage cannot be boosted by " + generalText(marks.boost),
            "use a factor above 0 and up to " + generalText(strongestBoost) + "; 1 removes the boost");
    if (marks.pinned && marks.banned)
        return fail("mark/contradiction", "a candidate cannot be pinned and banned at once", "choose one of the two");
    for (std::string& tag : marks.tags) {
        tag = std::string(trimmed(tag));
        if (tag.empty() || tag.size() > longestTag || tag.find_first_of(" \t\n,\"") != std::string::npos)
            return fail("mark/tag", tag.empty() ? "a tag is empty" : "'" + tag + "' is not a valid tag",
                "a tag is one word of at most " + std::to_string(longestTag) + " bytes, without comma and quote");
    }
    std::ranges::sort(marks.tags);
    marks.tags.erase(std::unique(marks.tags.begin(), marks.tags.end()), marks.tags.end());
    marks.note = std::string(trimmed(printable(marks.note)));
    if (marks.note.size() > longestNote)
        return fail("mark/note", "the note is too long", "at most " + std::to_string(longestNote) + " bytes");
    return marks;
}

std::string wordsOf(const Marks& marks)
{
    std::vector<std::string> words;
    if (marks.starred)
        words.push_back("starred");
    if (marks.pinned)
        words.push_back("pinned");
    if (marks.banned)
        words.push_back("banned");
    if (marks.boost != 1)
        words.push_back("boost " + generalText(marks.boost));
    if (!marks.tags.empty())
        words.push_back("tags " + joined(marks.tags, " "));
    if (!marks.note.empty())
        words.push_back("note");
    return words.empty() ? "no marks" : joined(words, ", ");
}

CandidateId banOf(const RunState& state, CandidateId id)
{
    if (state.marks.empty())
        return {};
    for (const Candidate* each = state.candidate(id); each;
         each = each->migrated && !each->parents.empty() ? state.candidate(each->parents.front()) : nullptr)
        if (state.marksOf(each->id).banned)
            return each->id;
    return {};
}

bool isCopyOf(const RunState& state, CandidateId id, CandidateId original)
{
    for (const Candidate* each = state.candidate(id); each && each->migrated && !each->parents.empty();
         each = state.candidate(each->parents.front()))
        if (each->parents.front() == original)
            return true;
    return id == original;
}

bool isPinned(const RunState& state, CandidateId id) { return state.marksOf(id).pinned; }

Result<LogLine> applyMarks(RunState& state, const events::Marked& e)
{
    if (!state.candidate(e.candidate))
        return fail("event/unknown-id", "an event names the unknown candidate " + std::to_string(e.candidate.value));
    const Marks before = state.marksOf(e.candidate);
    state.marks[e.candidate].push_back({e.marks, seqOfEvent(state)});
    return marked(state, e.candidate, before, " was marked: ");
}

Result<LogLine> applyMarks(RunState& state, const events::MarkUndone& e)
{
    const auto found = state.marks.find(e.candidate);
    if (found == state.marks.end())
        return fail("event/order", "marks are undone that were never set");
    const Marks before = found->second.back().marks;
    found->second.pop_back();
    if (found->second.empty())
        state.marks.erase(found);
    return marked(state, e.candidate, before, ", last mark undone: ");
}

} // namespace tilewright
