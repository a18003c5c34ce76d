// SPDX-License-Identifier: GPL-3.0-or-later
// Who came from whom, laid out: bands are islands, columns are generations, a cell holds its nodes in rows. Pure; made
// whole from a run, on any thread. Lengths are in units: one row is one unit high, one node one unit wide.
#pragma once

#include "core/model/run_state.h"
#include "ui/models/figures.h"

#include <memory>
#include <vector>

namespace tilewright::ui {

/// What the shape of a node says. The first two have a score.
enum class NodeLook {
    Best,
    Ranked,
    Unranked,
    Quarantined,
    BuildFailed,
    Refused,
    RunFailed,
    UnderWay,
    Waiting,
    Rejected,
    Edited, ///< a user put another one in its place
    NotApplied
};

struct LineageNode {
    CandidateId candidate; ///< none for a proposal that became no candidate
    ProposalId proposal; ///< what it came from; none for the seed
    IslandId island;
    int generation = 0; ///< its column
    float x = 0, y = 0; ///< centre
    float shade = -1; ///< place among all scores by rank, 0 … 1, equal for equal scores; −1 without a score
    NodeLook look = NodeLook::Ranked;
    bool confirmed = false;
    bool survives = false; ///< lives on its island or holds a niche
    bool starred = false, pinned = false, banned = false; ///< marks of a user; a ban holds for copies as well
};

enum class EdgeKind { Edit, Crossover, Migration };

struct LineageEdge {
    int from = 0, to = 0; ///< nodes
    EdgeKind kind = EdgeKind::Edit; ///< Crossover: from the second parent on
};

struct Lineage {
    std::vector<LineageNode> nodes; ///< by generation, then island, then as they came
    std::vector<LineageEdge> edges; ///< by `to`
    std::vector<int> edgeStart; ///< first edge into each node; one more at the end
    std::vector<int> longEdges; ///< those that pass over a column
    std::vector<int> cellStart; ///< first node of cell generation · islands + band; one more at the end
    std::vector<float> columnX; ///< left end of each generation; one more at the end
    std::vector<int> nodeOfCandidate; ///< by id − 1
    int islands = 0, rows = 0; ///< bands; rows of a band
    std::vector<IslandId> bands; ///< the island of each
    int best = -1; ///< the confirmed best
    std::optional<ScoreScale> scale; ///< its top is the score of shade 1; none while one score is all there is

    bool empty() const { return nodes.empty(); }
    int generations() const { return columnX.empty() ? 0 : static_cast<int>(columnX.size()) - 1; }
    float width() const { return columnX.empty() ? 0 : columnX.back(); }
    float bandHeight() const { return static_cast<float>(rows) + bandGap; }
    float height() const { return bandHeight() * static_cast<float>(islands); }
    /// Column that holds x, −1 before the first; behind the last one the last.
    int columnAt(float x) const;
    /// The node whose square unit holds that point, −1 for none.
    int nodeAt(float x, float y) const;
    int nodeOf(CandidateId candidate) const;
    /// The node and everyone it came from, oldest generation first.
    std::vector<int> ancestry(int node) const;

    static constexpr float bandGap = 0.8F, columnGap = 1.0F;
};

Lineage lineageOf(const RunState& run);

} // namespace tilewright::ui
