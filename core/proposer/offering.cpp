// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/proposer/offering.h"

#include "core/base/text.h"
#include "core/patch/diff.h"
#include "core/patch/patch.h"

namespace tilewright {

Result<Variation> variationOf(CandidateId parent, const ProposerView& view)
{
    const Candidate* candidate = view.state.candidate(parent);
    if (!candidate)
        return fail("proposer/parent", "there is no candidate " + candidateName(parent));
    std::string text = view.text(candidate->source);
    if (text.empty())
        return fail("proposer/parent", "the text of " + candidateName(parent) + " is not in the session");
    return Variation{std::move(text), candidate->moves, {}, {}};
}

bool isNew(const Variation& variation, const RunState& state)
{
    return !state.firstOfProgram.contains(programIdentity(variation.text));
}

Offer offerOf(
    const Variation& variation, const std::string& parentText, const std::string& sourceName, const std::string& claim)
{
    std::vector<std::string> reasons = variation.reasons;
    const std::string changes = changesText(valuesOf(tunablesOf(parentText)), valuesOf(tunablesOf(variation.text)));
    if (!changes.empty() && variation.edits.empty()) // nothing else changes: that is what it is called by
        reasons.insert(reasons.begin(), changes + ".");
    else if (!changes.empty())
        reasons.push_back("Constants: " + changes + ".");
    Offer offer;
    offer.reply = replyText({joined(reasons, "\n"), unifiedDiff(parentText, variation.text, sourceName), claim});
    offer.moves = variation.edits;
    return offer;
}

CounterRandom randomFor(const RunState& state, const ProposalRequest& request)
{
    return CounterRandom(state.settings.seed, static_cast<std::uint64_t>(request.island.value),
        static_cast<std::uint64_t>(request.ordinal));
}

} // namespace tilewright
