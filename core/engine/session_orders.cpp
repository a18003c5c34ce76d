// SPDX-License-Identifier: GPL-3.0-or-later
// What a person orders islands to do, and whom to ask for edits, in a session that is open for writing.
#include "core/engine/proposer_choices.h"
#include "core/engine/proposing.h"
#include "core/engine/session.h"
#include "core/evolve/island_orders.h"

namespace tilewright {
namespace {

/// Whether an order would change anything with this proposer.
Result<void> fitsProposer(const IslandOrder& order, const std::string& proposer)
{
    const std::string kind = wordsOfProposer(proposer).kind;
    if (kind == "replay")
        return fail("island/replay", "a replay proposes what was recorded, in its order: islands are not steered",
            "steer a run of another proposer");
    const auto* steer = std::get_if<orders::SteerIsland>(&order);
    if (steer && steer->steering.sampling && kind != "model")
        return fail("island/no-models", "no models are asked in this run: a sampling temperature reaches nobody",
            "the selection temperature works with every proposer");
    return {};
}

} // namespace

Result<void> Session::setProposer(const std::string& proposer)
{
    const RunState& state = m_ledger->state();
    if (proposer == state.settings.proposer && m_modelsFile.empty())
        return {};
    for (const std::string& one : {state.settings.proposer, proposer})
        if (one == "random")
            return fail("proposer/search", "random search is a search of its own: a run keeps to it, or never does it",
                "begin another session");
    if (wordsOfProposer(proposer).kind == "replay")
        return fail("proposer/search", "a recording is replayed from a session's beginning",
            "begin another session with --proposer " + proposer);
    if (auto ready = checkProposing(proposer, *m_pack, state); !ready)
        return ready;
    Budget budget = state.settings.budget;
    if (wordsOfProposer(proposer).kind == "model") {
        auto limited = budgetWithModels(proposer, budget);
        if (!limited)
            return std::unexpected(limited.error());
        budget = *limited;
    }
    auto next = employment(proposer);
    if (!next)
        return std::unexpected(next.error());
    m_ledger->learnKeysOf(proposer);
    m_ledger->record(events::ProposerChanged{proposer});
    if (!(budget == state.settings.budget))
        setBudget(budget);
    m_modelsFile.clear();
    m_employed = false;
    if (isRunning())
        m_next = std::move(*next);
    else
        m_desk->dismiss();
    schedule();
    return {};
}

void Session::handOver()
{
    if (m_desk->isAwaited())
        return; // replies that are paid for
    m_desk->dismiss();
    if (m_next)
        employ(std::move(*m_next));
    else if (auto employed = employ(); !employed)
        return stuck(employed.error());
    m_desk->resumeOpen();
    m_desk->refresh();
}

Result<void> Session::checkAskable(const IslandOrder& order) const
{
    const auto* steer = std::get_if<orders::SteerIsland>(&order);
    const Island* island = steer ? m_ledger->state().island(steer->island) : nullptr;
    if (!island || steer->steering.proposers == island->steering.proposers)
        return {};
    return checkProposers(steer->steering.proposers, ownProposer(), *island, m_pack.get(), m_ledger->state());
}

void Session::stopWorkFor(const events::LeverUndone& undone)
{
    for (const CandidateId candidate : undone.withdrawn)
        m_pipeline->withdraw(candidate);
    m_desk->dropUnwanted();
}

Result<void> Session::orderIslands(const IslandOrder& order)
{
    const RunState& state = m_ledger->state();
    if (auto fits = fitsProposer(order, state.settings.proposer); !fits)
        return fits;
    if (auto askable = checkAskable(order); !askable)
        return askable;
    auto events = eventsOf(order, state);
    if (!events)
        return std::unexpected(events.error());
    m_gate->whileItMayLetGo([&] {
        for (const EventBody& body : *events)
            m_ledger->record(body);
    });
    for (const EventBody& body : *events)
        if (const auto* undone = std::get_if<events::LeverUndone>(&body))
            stopWorkFor(*undone);
    schedule();
    return {};
}

} // namespace tilewright
