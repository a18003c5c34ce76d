// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/proposer/mutator.h"

#include "core/base/text.h"
#include "core/patch/diff.h"
#include "core/patch/patch.h"
#include "core/proposer/experience.h"

#include <algorithm>

namespace tilewright {
namespace {

/// Drafts that are made at most before a request is given up.
constexpr int mostDrafts = 40;
/// Constants that a draft changes at most; where so many drafts were not enough, all near ones may be tried, and every
/// few drafts one more is changed.
constexpr int mostSteps = 3, nearDrafts = 20, draftsPerStep = 4;
/// New drafts among which a request chooses: the more, the greedier.
constexpr std::size_t exploitingChoice = 20, exploringChoice = 4;
/// An island's first proposals are a design of experiments: random subsets of the moves, of any size, so that what
/// follows knows something about every move. With four moves at most a run on gemm-fp32 stood at 1.8 after a hundred
/// evaluations in place of 8 to 11 (docs/measurements.md, 2026-11-26): moves depend on each other.
constexpr std::int64_t designed = 4;
/// Moves that one proposal adds at most while fewer than so many were measured, and later.
constexpr std::int64_t earlyEvaluations = 80;
constexpr std::uint64_t mostMovesEarly = 4, mostMovesLater = 2;

/// Draws drafts for one request; holds what they all start from.
class Drafting
{
public:
    Drafting(const ProposalRequest& request, const ProposerView& view, Variation parent)
        : m_request(request)
        , m_view(view)
        , m_parent(std::move(parent))
        , m_random(randomFor(view.state, request))
    {
    }

    Variation draft(int attempt)
    {
        if (m_request.ordinal <= designed)
            return experiment();
        if (m_request.focus == Focus::Crossover && m_request.parents.size() > 1 && attempt < mostDrafts / 2)
            if (const Candidate* second = m_view.state.candidate(m_request.parents[1]))
                return crossed(m_parent, *second, m_view.pack, attempt, m_random);
        const bool exploring = m_request.focus != Focus::Exploit;
        const double draw = m_random.uniform();
        const double adding = exploring ? 0.65 : 0.45, removing = exploring ? 0.15 : 0.12;
        if (draw < adding) {
            Variation variation = added();
            if (!variation.edits.empty())
                return adorned(std::move(variation));
        }
        if (draw >= adding && draw < adding + removing && !m_parent.lineage.empty())
            return removed();
        return tuned(m_parent, mostSteps + std::max(0, attempt - nearDrafts) / draftsPerStep);
    }

private:
    /// What is believed about a move where the parent stands; asked for many times a request.
    const MoveBelief& beliefIn(const std::string& move)
    {
        const auto known = m_beliefs.find(move);
        return known != m_beliefs.end()
            ? known->second
            : m_beliefs.emplace(move, beliefAbout(m_view.state, move, m_parent.lineage)).first->second;
    }

    /// The variation with a further move: the one with the highest draw from what is believed about each that fits.
    std::optional<Variation> grown(const Variation& variation, const std::string& except = {})
    {
        const double width = m_request.focus == Focus::Exploit ? 1.0 : 1.6;
        std::vector<std::pair<double, const Move*>> drawn;
        for (const Move& move : m_view.pack.moves)
            if (!variation.has(move.name) && move.name != except) {
                const MoveBelief& belief = beliefIn(move.name);
                drawn.emplace_back(belief.mean + width * belief.deviation * m_random.normal(), &move);
            }
        std::sort(drawn.begin(), drawn.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
        for (const auto& [gain, move] : drawn)
            if (auto next = withMove(variation, *move))
                return next;
        return std::nullopt;
    }

    Variation experiment()
    {
        Variation variation = m_parent;
        const std::uint64_t wanted = 1 + m_random.below(m_view.pack.moves.size());
        for (std::uint64_t i = 0; i < wanted; ++i) {
            const auto fitting = applicableMoves(variation, m_view.pack);
            if (fitting.empty())
                break;
            if (auto next = withMove(variation, *fitting[m_random.below(fitting.size())]))
                variation = std::move(*next);
        }
        variation.text = withTunables(variation.text, drawnAnew(tunablesOf(variation.text), m_random));
        return variation;
    }

    Variation added()
    {
        const std::uint64_t most = m_view.state.evaluationsStarted < earlyEvaluations ? mostMovesEarly : mostMovesLater;
        const auto count = 1 + static_cast<int>(m_random.below(most));
        Variation variation = m_parent;
        for (int i = 0; i < count; ++i) {
            auto next = grown(variation);
            if (!next)
                break;
            variation = std::move(*next);
        }
        return variation;
    }

    /// Constants of new moves: the best known value, the pack's own, or any; now and then old ones change with them.
    Variation adorned(Variation variation)
    {
        const Tunables before = valuesOf(tunablesOf(m_parent.text));
        Tunables values;
        for (const Tunable& tunable : tunablesOf(variation.text)) {
            if (before.contains(tunable.name))
                continue;
            const double draw = m_random.uniform();
            const auto known = bestKnownValue(m_view.state, tunable.name);
            if (known && draw < 0.55)
                values[tunable.name] = *known;
            else if (draw > 0.7)
                values[tunable.name] = tunable.choices[m_random.below(tunable.choices.size())];
        }
        variation.text = withTunables(variation.text, values);
        return m_random.uniform() < 0.2 ? tuned(std::move(variation), 2) : variation;
    }

    Variation removed()
    {
        const std::string& move = m_parent.lineage[m_random.below(m_parent.lineage.size())];
        auto variation = withoutMove(m_parent, move, m_view.pack);
        if (!variation)
            return m_parent;
        // Half the time another takes its place.
        if (m_random.uniform() < 0.5)
            if (auto replaced = grown(*variation, move))
                return adorned(std::move(*replaced));
        return std::move(*variation);
    }

    Variation tuned(Variation variation, int most)
    {
        variation.text = withTunables(variation.text, perturbed(tunablesOf(variation.text), most, m_random));
        return variation;
    }

    const ProposalRequest& m_request;
    const ProposerView& m_view;
    Variation m_parent;
    CounterRandom m_random;
    std::map<std::string, MoveBelief> m_beliefs;
};

std::string claimFor(const Variation& variation, const TaskPack& pack)
{
    for (const std::string& edit : variation.edits)
        if (const Move* move = moveNamed(pack, edit); move && !move->expects.empty())
            return move->expects;
    return "± a few %";
}

/// The draft that the performance model expects most of.
const Variation& mostPromising(const std::vector<Variation>& drafts, const ProposerView& view)
{
    const PerformanceModel model(samplesOf(view.state, tunablesOfPack(view.pack)));
    const Variation* best = &drafts.front();
    double highest = -1;
    for (const Variation& draft : drafts)
        if (const double gain = model.expectedImprovement(pointOf(draft.lineage, tunablesOf(draft.text)));
            gain > highest) {
            highest = gain;
            best = &draft;
        }
    return *best;
}

} // namespace

Variation crossed(
    const Variation& first, const Candidate& second, const TaskPack& pack, int attempt, CounterRandom& random)
{
    const auto taken = [&] { return attempt == 0 || random.uniform() < 0.5; };
    Variation child = first;
    for (const std::string& name : second.moves)
        if (const Move* move = moveNamed(pack, name); move && !child.has(name) && taken())
            if (auto next = withMove(child, *move))
                child = std::move(*next);
    const Tunables own = valuesOf(tunablesOf(first.text));
    Tunables values;
    for (const auto& [name, value] : second.tunables)
        if (!own.contains(name) || taken())
            values[name] = value;
    child.text = withTunables(child.text, values);
    child.reasons.push_back(
        "Crossed with " + candidateName(second.id) + ": its constants, and its transforms where this line lacks them.");
    return child;
}

void Mutator::propose(const ProposalRequest& request, const ProposerView& view, Answer answer)
{
    auto parent = request.parents.empty() ? Result<Variation>(fail("proposer/parent", "the request has no parent"))
                                          : variationOf(request.parents.front(), view);
    if (!parent) {
        answer(std::unexpected(parent.error()));
        return;
    }
    const std::size_t wanted = request.ordinal <= designed ? 1
        : request.focus == Focus::Exploit                  ? exploitingChoice
                                                           : exploringChoice;
    std::vector<Variation> drafts;
    Drafting drafting(request, view, *parent);
    for (int attempt = 0; attempt < mostDrafts && drafts.size() < wanted; ++attempt) {
        auto draft = fitted(drafting.draft(attempt));
        if (draft && isNew(*draft, view.state))
            drafts.push_back(std::move(*draft));
    }
    if (drafts.empty()) {
        answer(fail("proposer/exhausted",
            "no new variation of " + candidateName(request.parents.front()) + " was found in "
                + std::to_string(mostDrafts) + " drafts"));
        return;
    }
    const Variation& chosen = drafts.size() == 1 ? drafts.front() : mostPromising(drafts, view);
    Offer offer = offerOf(chosen, parent->text, view.pack.task.sources.front(), claimFor(chosen, view.pack));
    offer.proposer = name();
    offer.parents = request.parents;
    if (request.focus != Focus::Crossover)
        offer.parents.resize(1);
    answer(std::move(offer));
}

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
