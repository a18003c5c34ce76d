// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/proposer/random_proposer.h"

#include "core/proposer/mutator.h"
#include "core/proposer/tuner.h"

namespace tilewright {

void RandomProposer::propose(const ProposalRequest& request, const ProposerView& view, Answer answer)
{
    auto parent = request.parents.empty() ? Result<Variation>(fail("proposer/parent", "the request has no parent"))
                                          : variationOf(request.parents.front(), view);
    if (!parent) {
        answer(std::unexpected(parent.error()));
        return;
    }
    CounterRandom random = randomFor(view.state, request);
    for (int attempt = 0; attempt < 60; ++attempt) {
        Variation variation = *parent;
        const std::uint64_t wanted = random.below(view.pack.moves.size() + 1);
        for (std::uint64_t i = 0; i < wanted; ++i) {
            const auto fitting = applicableMoves(variation, view.pack);
            if (fitting.empty())
                break;
            if (auto next = withMove(variation, *fitting[random.below(fitting.size())]))
                variation = std::move(*next);
        }
        variation.text = withTunables(variation.text, drawnAnew(tunablesOf(variation.text), random));
        const auto draft = fitted(std::move(variation));
        if (!draft || !isNew(*draft, view.state))
            continue;
        Offer offer = offerOf(*draft, parent->text, view.pack.task.sources.front(), "unknown");
        offer.proposer = name();
        offer.parents = {request.parents.front()};
        answer(std::move(offer));
        return;
    }
    answer(fail("proposer/exhausted", "no new random combination was found"));
}

std::unique_ptr<Proposer> proposerNamed(const std::string& name)
{
    if (name == "mutator")
        return std::make_unique<Mutator>();
    if (name == "tuner")
        return std::make_unique<Tuner>();
    if (name == "random")
        return std::make_unique<RandomProposer>();
    return nullptr;
}

std::vector<std::string> proposerNames() { return {"mutator", "tuner", "random"}; }

} // namespace tilewright
