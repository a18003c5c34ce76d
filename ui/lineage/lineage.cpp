// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lineage/lineage.h"

#include "core/model/reviews/review_queue.h"
#include "ui/models/figures.h"

#include <algorithm>
#include <set>

namespace tilewright::ui {
namespace {

NodeLook lookOf(const Candidate& candidate)
{
    switch (candidate.outcome) {
    case Outcome::Ranked:
        return candidate.score ? NodeLook::Ranked : NodeLook::Unranked;
    case Outcome::Unranked:
        return NodeLook::Unranked;
    case Outcome::Quarantined:
        return NodeLook::Quarantined;
    case Outcome::Refused:
        return NodeLook::Refused;
    case Outcome::BuildFailed:
        return NodeLook::BuildFailed;
    case Outcome::RunFailed:
        return NodeLook::RunFailed;
    case Outcome::None:
        break;
    }
    return candidate.stage == Stage::Review  ? NodeLook::Waiting
        : isEditedByPerson(candidate)        ? NodeLook::Edited
        : candidate.stage == Stage::Rejected ? NodeLook::Rejected
                                             : NodeLook::UnderWay;
}

/// Makes the nodes in the order in which they came, then sorts them into cells.
class Builder
{
public:
    explicit Builder(const RunState& run)
        : m_run(run)
        , m_bestOf(run.islands.size(), 0.0)
    {
        for (const Island& island : run.islands) {
            const bool isShown = island.hasCome();
            m_bandOf.push_back(isShown ? static_cast<int>(m_made.bands.size()) : -1);
            if (!isShown)
                continue;
            m_made.bands.push_back(island.id);
            m_alive.insert(island.members.begin(), island.members.end());
            for (const auto& [cell, elite] : island.niches)
                m_alive.insert(elite);
        }
        m_made.islands = static_cast<int>(m_made.bands.size());
        m_made.scale = scoreScale(run);
    }

    Lineage build()
    {
        for (const Candidate& candidate : m_run.candidates) {
            if (!candidate.migrated)
                addNotApplied(candidate.proposal.value);
            add(candidate);
        }
        addNotApplied(static_cast<std::int64_t>(m_run.proposals.size()) + 1);
        shadeByRank();
        place();
        connect();
        if (const Candidate* best = m_run.best())
            m_made.best = m_made.nodeOf(best->id);
        return std::move(m_made);
    }

private:
    bool fits(IslandId island) const { return island.value >= 1 && island.value <= std::ssize(m_bandOf); }
    /// −1: none.
    int bandOf(IslandId island) const { return m_bandOf[static_cast<std::size_t>(island.value - 1)]; }

    void add(const Candidate& candidate)
    {
        LineageNode node;
        node.candidate = candidate.id;
        node.proposal = candidate.proposal;
        node.island = fits(candidate.island) ? candidate.island : IslandId{1};
        if (candidate.takenBack || (fits(node.island) && bandOf(node.island) < 0))
            return;
        node.generation = std::max(candidate.generation, 0);
        node.look = lookOf(candidate);
        node.confirmed = candidate.confirmed;
        node.survives = m_alive.contains(candidate.id);
        const Marks& marks = m_run.marksOf(candidate.id);
        node.starred = marks.starred;
        node.pinned = marks.pinned;
        node.banned = isBanned(m_run, candidate.id);
        if (node.look == NodeLook::Ranked) {
            node.shade = 0.5F;
            m_scores.push_back(candidate.score->value);
            double& best = m_bestOf[static_cast<std::size_t>(node.island.value - 1)];
            if (candidate.score->value > best) {
                best = candidate.score->value;
                node.look = NodeLook::Best;
            }
        }
        m_came.push_back(node);
    }

    /// Late programs differ by a few percent: by score they would all have one colour.
    void shadeByRank()
    {
        if (!m_made.scale)
            return;
        std::vector<double> sorted = m_scores;
        std::ranges::sort(sorted);
        sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
        std::size_t next = 0;
        for (LineageNode& node : m_came)
            if (node.shade >= 0) {
                const auto rank = std::ranges::lower_bound(sorted, m_scores[next++]) - sorted.begin();
                const auto last = std::max<std::ptrdiff_t>(std::ssize(sorted) - 1, 1);
                node.shade = static_cast<float>(rank) / static_cast<float>(last);
            }
    }

    /// The proposals before that one that became no candidate.
    void addNotApplied(std::int64_t before)
    {
        for (; m_nextProposal < before; ++m_nextProposal) {
            const Proposal* proposal = m_run.proposal({m_nextProposal});
            if (!proposal || !fits(proposal->island) || bandOf(proposal->island) < 0
                || (proposal->state != ProposalState::Refused && proposal->state != ProposalState::Duplicate))
                continue;
            LineageNode node;
            node.proposal = proposal->id;
            node.island = proposal->island;
            for (const CandidateId id : proposal->parents)
                if (const Candidate* parent = m_run.candidate(id))
                    node.generation = std::max(node.generation, parent->generation + 1);
            node.look = NodeLook::NotApplied;
            m_came.push_back(node);
        }
    }

    std::size_t cellOf(const LineageNode& node) const
    {
        return static_cast<std::size_t>(node.generation * m_made.islands + bandOf(node.island));
    }

    /// Few rows while the run is small; doubled, so that nodes seldom move, until the picture is not much wider than a
    /// screen.
    static int rowsFor(double nodes, double columns, double islands)
    {
        const double each = nodes / (columns * islands);
        int rows = 3;
        while (rows < 48 && columns * (each / rows + Lineage::columnGap) > 8 * islands * rows)
            rows *= 2;
        return rows;
    }

    void place()
    {
        if (m_came.empty() || m_made.islands == 0)
            return;
        int generations = 0;
        for (const LineageNode& node : m_came)
            generations = std::max(generations, node.generation + 1);
        m_made.rows = rowsFor(static_cast<double>(m_came.size()), generations, m_made.islands);
        const auto cells = static_cast<std::size_t>(generations * m_made.islands);
        m_made.cellStart.assign(cells + 1, 0);
        for (const LineageNode& node : m_came)
            ++m_made.cellStart[cellOf(node) + 1];
        m_made.columnX.assign(static_cast<std::size_t>(generations) + 1, 0);
        for (std::size_t column = 0; column < static_cast<std::size_t>(generations); ++column) {
            int most = 1;
            for (std::size_t island = 0; island < static_cast<std::size_t>(m_made.islands); ++island)
                most = std::max(most, m_made.cellStart[column * static_cast<std::size_t>(m_made.islands) + island + 1]);
            const int wide = (most + m_made.rows - 1) / m_made.rows;
            m_made.columnX[column + 1] = m_made.columnX[column] + static_cast<float>(wide) + Lineage::columnGap;
        }
        for (std::size_t i = 1; i < m_made.cellStart.size(); ++i)
            m_made.cellStart[i] += m_made.cellStart[i - 1];
        std::vector<int> next(m_made.cellStart.begin(), m_made.cellStart.end() - 1);
        m_made.nodes.resize(m_came.size());
        m_made.nodeOfCandidate.assign(m_run.candidates.size(), -1);
        for (LineageNode& node : m_came) {
            const std::size_t cell = cellOf(node);
            const int at = next[cell]++, k = at - m_made.cellStart[cell];
            node.x = m_made.columnX[static_cast<std::size_t>(node.generation)] + Lineage::columnGap / 2
                + static_cast<float>(k / m_made.rows) + 0.5F;
            node.y = static_cast<float>(bandOf(node.island)) * m_made.bandHeight() + Lineage::bandGap / 2
                + static_cast<float>(k % m_made.rows) + 0.5F;
            m_made.nodes[static_cast<std::size_t>(at)] = node;
            if (node.candidate)
                m_made.nodeOfCandidate[static_cast<std::size_t>(node.candidate.value - 1)] = at;
        }
    }

    void connect()
    {
        for (std::size_t to = 0; to < m_made.nodes.size(); ++to) {
            m_made.edgeStart.push_back(static_cast<int>(m_made.edges.size()));
            const LineageNode& node = m_made.nodes[to];
            const Candidate* candidate = m_run.candidate(node.candidate);
            const Proposal* proposal = candidate ? nullptr : m_run.proposal(node.proposal);
            if (!candidate && !proposal)
                continue;
            bool first = true;
            for (const CandidateId id : candidate ? candidate->parents : proposal->parents) {
                const int from = m_made.nodeOf(id);
                if (from < 0)
                    continue;
                const EdgeKind kind = candidate && candidate->migrated ? EdgeKind::Migration
                    : first                                            ? EdgeKind::Edit
                                                                       : EdgeKind::Crossover;
                first = false;
                if (node.generation - m_made.nodes[static_cast<std::size_t>(from)].generation > 1)
                    m_made.longEdges.push_back(static_cast<int>(m_made.edges.size()));
                m_made.edges.push_back({from, static_cast<int>(to), kind});
            }
        }
        m_made.edgeStart.push_back(static_cast<int>(m_made.edges.size()));
    }

    const RunState& m_run;
    Lineage m_made;
    std::vector<LineageNode> m_came;
    std::vector<double> m_scores; ///< of the nodes that have one, as they came
    std::set<CandidateId> m_alive;
    std::vector<int> m_bandOf; ///< by island
    std::vector<double> m_bestOf; ///< highest score so far, by island
    std::int64_t m_nextProposal = 1;
};

} // namespace

int Lineage::columnAt(float x) const
{
    if (columnX.empty())
        return -1;
    const auto after = std::upper_bound(columnX.begin(), columnX.end() - 1, x);
    return static_cast<int>(after - columnX.begin()) - 1;
}

int Lineage::nodeAt(float x, float y) const
{
    const int column = columnAt(x);
    if (column < 0 || y < 0 || y >= height() || x >= width())
        return -1;
    const int band = static_cast<int>(y / bandHeight());
    const float inColumn = x - columnX[static_cast<std::size_t>(column)] - columnGap / 2;
    const float inBand = y - static_cast<float>(band) * bandHeight() - bandGap / 2;
    if (inColumn < 0 || inBand < 0 || inBand >= static_cast<float>(rows))
        return -1;
    const auto cell = static_cast<std::size_t>(column * islands + band);
    const int at = cellStart[cell] + static_cast<int>(inColumn) * rows + static_cast<int>(inBand);
    return at < cellStart[cell + 1] ? at : -1;
}

int Lineage::nodeOf(CandidateId candidate) const
{
    return candidate.value >= 1 && candidate.value <= static_cast<std::int64_t>(nodeOfCandidate.size())
        ? nodeOfCandidate[static_cast<std::size_t>(candidate.value - 1)]
        : -1;
}

std::vector<int> Lineage::ancestry(int node) const
{
    if (node < 0 || node >= static_cast<int>(nodes.size()))
        return {};
    std::vector<int> found{node};
    std::vector<bool> seen(nodes.size(), false);
    seen[static_cast<std::size_t>(node)] = true;
    for (std::size_t i = 0; i < found.size(); ++i) {
        const auto to = static_cast<std::size_t>(found[i]);
        for (int edge = edgeStart[to]; edge < edgeStart[to + 1]; ++edge) {
            const int from = edges[static_cast<std::size_t>(edge)].from;
            if (!seen[static_cast<std::size_t>(from)])
                found.push_back(from);
            seen[static_cast<std::size_t>(from)] = true;
        }
    }
    std::ranges::sort(found); // nodes stand by generation
    return found;
}

Lineage lineageOf(const RunState& run) { return Builder(run).build(); }

} // namespace tilewright::ui
