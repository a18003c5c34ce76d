// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/unmade_island.h"

#include "core/base/text.h"
#include "core/model/editing.h"
#include "core/model/handwritten.h"

namespace tilewright {
namespace {

/// Whatever it waits for; it was not sent to be measured.
bool isUnmeasured(Stage stage)
{
    return stage == Stage::Queued || stage == Stage::Building || stage == Stage::Checking || stage == Stage::Review;
}

/// Nobody is asked about it any more, and the word that it went on by, if there was one, is left nothing to do.
void closeReview(RunState& state, const Candidate& candidate)
{
    Review* review = edit(state, candidate.review);
    if (!review || review->undone)
        return;
    state.waitingReviews -= review->isWaiting() ? 1 : 0;
    review->undone = true;
}

} // namespace

UnderWay underWayFor(const RunState& state, IslandId island)
{
    UnderWay found;
    for (const Candidate& candidate : state.candidates)
        if (candidate.island == island && !candidate.migrated && !candidate.isOver())
            (isUnmeasured(candidate.stage) ? found.unmeasured : found.measured).push_back(candidate.id);
    for (const Inquiry& inquiry : state.inquiries)
        if (inquiry.island == island && inquiry.state == InquiryState::Open && !inquiry.unwanted)
            found.asked.push_back(inquiry.id);
    return found;
}

std::string wordsOf(const UnderWay& underWay)
{
    std::vector<std::string> parts;
    const auto add = [&parts](std::size_t count, const char* one, const char* several) {
        if (count > 0)
            parts.push_back(counted(static_cast<std::int64_t>(count), one, several));
    };
    add(underWay.unmeasured.size(), "edit made for it is withdrawn", "edits made for it are withdrawn");
    add(underWay.measured.size(), "edit that is being measured is finished",
        "edits that are being measured are finished");
    add(underWay.asked.size(), "answer still to come is not used", "answers still to come are not used");
    return joined(parts, ", ");
}

bool isUnmade(const RunState& state, IslandId id)
{
    const Island* island = state.island(id);
    return island && island->unmade;
}

Result<void> withdrawWith(RunState& state, const events::LeverUndone& e)
{
    for (const CandidateId id : e.withdrawn) {
        const Candidate* candidate = state.candidate(id);
        if (!candidate)
            return fail("event/unknown-id", "an event names the unknown candidate " + std::to_string(id.value));
        closeReview(state, *candidate);
        withdraw(state, id, std::string(ruleOfUnmade), "the island that it was made for was taken back");
    }
    for (const InquiryId id : e.unwanted) {
        Inquiry* inquiry = edit(state, id);
        if (!inquiry)
            return fail("event/unknown-id", "an event names the unknown inquiry " + std::to_string(id.value));
        inquiry->unwanted = true;
    }
    return {};
}

} // namespace tilewright
