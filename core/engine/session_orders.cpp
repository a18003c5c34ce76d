// SPDX-License-Identifier: GPL-3.0-or-later
// What a person orders islands to do, in a session that is open for writing.
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

Result<void> Session::orderIslands(const IslandOrder& order)
{
    const RunState& state = m_ledger->state();
    if (auto fits = fitsProposer(order, state.settings.proposer); !fits)
        return fits;
    auto events = eventsOf(order, state, *m_strategy);
    if (!events)
        return std::unexpected(events.error());
    for (EventBody& body : *events)
        m_ledger->record(std::move(body));
    schedule();
    return {};
}

} // namespace tilewright
