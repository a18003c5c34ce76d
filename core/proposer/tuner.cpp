// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/proposer/tuner.h"

#include "core/proposer/experience.h"
#include "core/proposer/mutator.h"

#include <algorithm>
#include <functional>

namespace tilewright {
namespace {

constexpr int mostAssignments = 60;
/// Assignments that the model weighs against each other.
constexpr std::size_t modelChoice = 160;
/// Best variants around which it looks.
constexpr std::size_t leaders = 3;

Variation with(const Variation& parent, const Tunables& values)
{
    Variation variation = parent;
    variation.text = withTunables(parent.text, values);
    return variation;
}

std::vector<Tunable> at(std::vector<Tunable> tunables, const Tunables& values)
{
    for (Tunable& tunable : tunables)
        if (const auto known = values.find(tunable.name); known != values.end())
            tunable.value = known->second;
    return tunables;
}

/// The assignment with one tunable a choice up and another a choice down, for every two of them: tiles keep their size
/// and change their form, which no single step does.
void offerExchanges(const std::vector<Tunable>& leader, const std::function<void(Tunables)>& offer)
{
    const auto neighbour = [](const Tunable& tunable, std::ptrdiff_t step) -> std::optional<std::int64_t> {
        const auto at = std::find(tunable.choices.begin(), tunable.choices.end(), tunable.value);
        const std::ptrdiff_t index = at - tunable.choices.begin() + step;
        if (at == tunable.choices.end() || index < 0 || index >= std::ssize(tunable.choices))
            return std::nullopt;
        return tunable.choices[static_cast<std::size_t>(index)];
    };
    for (const Tunable& raised : leader)
        for (const Tunable& lowered : leader) {
            const auto up = neighbour(raised, 1), down = neighbour(lowered, -1);
            if (&raised == &lowered || !up || !down)
                continue;
            Tunables values = valuesOf(leader);
            values[raised.name] = *up;
            values[lowered.name] = *down;
            offer(std::move(values));
        }
}

/// Feasible assignments for the model: single steps, exchanges and a few changes of the leaders, and some from
/// anywhere.
std::vector<Tunables> pool(const Variation& parent, const std::vector<const Candidate*>& best, CounterRandom& random)
{
    const std::vector<Tunable> tunables = tunablesOf(parent.text);
    const Constraints constraints(parent.text);
    std::vector<Tunables> found;
    const auto offer = [&](Tunables values) {
        if (constraints.hold(values))
            found.push_back(std::move(values));
    };
    for (std::size_t i = 0; i < std::min(leaders, best.size()); ++i) {
        const std::vector<Tunable> leader = at(tunables, best[i]->tunables);
        for (const Tunable& tunable : leader)
            for (const std::int64_t choice : tunable.choices) {
                Tunables values = valuesOf(leader);
                values[tunable.name] = choice;
                offer(std::move(values));
            }
        offerExchanges(leader, offer);
    }
    const std::vector<Tunable> start = best.empty() ? tunables : at(tunables, best.front()->tunables);
    for (std::size_t i = 0; i < modelChoice / 2; ++i)
        offer(perturbed(start, 4, random));
    for (std::size_t i = 0; i < modelChoice / 2; ++i)
        offer(drawnAnew(tunables, random));
    return found;
}

/// `counts`: whose measurements it learns from.
std::optional<Variation> byModel(const Variation& parent, const std::vector<const Candidate*>& best,
    const ProposerView& view, const std::function<bool(const Candidate&)>& counts, CounterRandom& random)
{
    std::map<std::string, Tunable> choices = tunablesOfPack(view.pack);
    const std::vector<Tunable> tunables = tunablesOf(parent.text);
    for (const Tunable& tunable : tunables)
        choices.insert_or_assign(tunable.name, tunable);
    const PerformanceModel model(samplesOf(view.state, choices, counts));
    std::vector<std::pair<double, Tunables>> weighed;
    for (Tunables& values : pool(parent, best, random))
        weighed.emplace_back(
            model.expectedImprovement(pointOf(parent.lineage, at(tunables, values))), std::move(values));
    std::stable_sort(weighed.begin(), weighed.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    for (const auto& [gain, values] : weighed)
        if (Variation variation = with(parent, values); isNew(variation, view.state))
            return variation;
    return std::nullopt;
}

} // namespace

Hash structureOf(const std::string& text)
{
    Tunables masked;
    for (const Tunable& tunable : tunablesOf(text))
        masked[tunable.name] = tunable.choices.front();
    return programIdentity(withTunables(text, masked));
}

const Hash& Tuner::structureOf(const Candidate& candidate, const ProposerView& view)
{
    auto known = m_structures.find(candidate.program);
    if (known == m_structures.end())
        known = m_structures.emplace(candidate.program, tilewright::structureOf(view.text(candidate.source))).first;
    return known->second;
}

Tuner::Variants Tuner::variantsOf(const Hash& structure, const ProposerView& view)
{
    Variants variants;
    for (const Candidate& candidate : view.state.candidates) {
        if (candidate.migrated || candidate.outcome == Outcome::None || candidate.tunables.empty())
            continue;
        if (structureOf(candidate, view) != structure)
            continue;
        ++variants.measured;
        if (candidate.isRanked())
            variants.best.push_back(&candidate);
    }
    std::stable_sort(variants.best.begin(), variants.best.end(),
        [](const Candidate* a, const Candidate* b) { return a->score->value > b->score->value; });
    return variants;
}

void Tuner::propose(const ProposalRequest& request, const ProposerView& view, Answer answer)
{
    auto parent = request.parents.empty() ? Result<Variation>(fail("proposer/parent", "the request has no parent"))
                                          : variationOf(request.parents.front(), view);
    if (!parent) {
        answer(std::unexpected(parent.error()));
        return;
    }
    const std::vector<Tunable> tunables = tunablesOf(parent->text);
    const Hash structure = tilewright::structureOf(parent->text);
    const Variants variants = variantsOf(structure, view);
    CounterRandom random = randomFor(view.state, request);
    std::optional<Variation> chosen;
    const char* how = "Random values: few versions of this program are measured so far.";
    if (variants.measured > localUntil) {
        // Programs that models and users write are made of no moves: by their moves the model cannot tell them apart,
        // and what one of them is worth says nothing about another.
        const auto counts = [&](const Candidate& candidate) {
            return candidate.moves != parent->lineage || structureOf(candidate, view) == structure;
        };
        chosen = byModel(*parent, variants.best, view, counts, random);
        how = "Values that look best among the untried, from the measurements so far.";
    }
    const std::vector<Tunable> start = variants.best.empty() ? tunables : at(tunables, variants.best.front()->tunables);
    for (int attempt = 0; attempt < mostAssignments && !chosen && !tunables.empty(); ++attempt) {
        const bool local = variants.measured > randomUntil && attempt < mostAssignments / 2;
        auto variation = fitted(with(*parent, local ? perturbed(start, 2, random) : drawnAnew(tunables, random)));
        if (!variation || !isNew(*variation, view.state))
            continue;
        how = local ? "Close to the values of the fastest version of this program so far." : how;
        chosen = std::move(variation);
    }
    if (!chosen) {
        answer(fail("proposer/exhausted",
            "no new assignment of the tunables of " + candidateName(request.parents.front()) + " was found"));
        return;
    }
    chosen->reasons = {how};
    Offer offer = offerOf(*chosen, parent->text, view.pack.task.sources.front(), "± a few %");
    offer.proposer = name();
    offer.parents = {request.parents.front()};
    answer(std::move(offer));
}

} // namespace tilewright
