// SPDX-License-Identifier: GPL-3.0-or-later
// The whole search for a scheme mod 2: stages of growing formats, each with pools by rank and paths on all threads.
//
// It goes in rounds. In a round each lane makes the same number of flips with randomness of its own (seed, lane,
// round), reading the pools as they were before the round; then the lanes' schemes are added in the order of lanes. So
// a search is the same for the same seed and number of threads, whatever the timing, and can be written to a file
// between rounds.
#pragma once

#include "core/base/result.h"
#include "core/tensor/flip_extension.h"
#include "core/tensor/flip_pools.h"

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <stop_token>
#include <vector>

namespace tilewright::tensor {

inline constexpr int mostFlipThreads = 256;
inline constexpr int largestCheckedVolume = 100; ///< n·m·p: there the first step of a lift takes about a second

struct FlipRequest {
    Format format;
    int target = 0; ///< rank to reach
    std::uint64_t seed = 1;
    int threads = 1;
    FlipRules rules;
    /// Products that stay: only the rest of the tensor is searched for others. They count in all ranks, and every
    /// scheme that is found has them.
    std::vector<Mod2Product> played = {};
    /// Keeps only schemes whose lift to the integers has a first step (liftsModulo4()), of every format on the way: for
    /// a search over Z. A rank counts as reached by those alone. In formats beyond largestCheckedVolume all are kept.
    bool onlyLiftable = false;

    bool operator==(const FlipRequest&) const = default;
};

/// What was done, of all stages. Every path is in one of the four counts, or underway.
struct FlipStatistics {
    std::uint64_t flips = 0, plusTransitions = 0, rounds = 0;
    std::uint64_t paths = 0; ///< begun
    std::uint64_t endedAtLimit = 0, endedReduced = 0, endedWithoutFlips = 0;
    std::uint64_t leftBehind = 0; ///< underway when their stage ended
    std::uint64_t withoutLift = 0; ///< schemes that were not kept, as they have no lift

    bool operator==(const FlipStatistics&) const = default;
};

/// A step of the rank staircase: the first scheme of a new lowest rank of this format.
struct RankStep {
    Format format; ///< n ≤ m ≤ p
    int rank = 0;
    std::uint64_t flips = 0; ///< made by then
    double seconds = 0; ///< of searching by then

    bool operator==(const RankStep&) const = default;
};

/// How a search stands, for a page or a line.
struct FlipSnapshot {
    Format format; ///< of the stage, n ≤ m ≤ p
    int stage = 1, stages = 1;
    int target = 0; ///< of the stage
    int level = 0; ///< rank that paths begin with
    int lowest = 0; ///< rank of the stage's best scheme
    std::map<int, int> poolSizes; ///< schemes by rank
    int pathsUnderway = 0;
    FlipStatistics statistics;
    std::vector<RankStep> staircase;
    double seconds = 0; ///< of searching, those before a resumption included
    double flipsPerSecond = 0; ///< of the last round
};

enum class FlipSearchEnd {
    Found, ///< as many schemes as wanted
    Stopped, ///< asked to, or out of time
};

class FlipSearch
{
public:
    /// Errors: tensor/format, tensor/rank (a target that leaves no product to find), tensor/threads, tensor/shape (what
    /// is played does not fit the format).
    static Result<FlipSearch> of(const FlipRequest& request);
    /// Goes on with what json() gave. Errors: tensor/search-file.
    static Result<FlipSearch> fromJson(const nlohmann::json& json);
    nlohmann::json json() const;

    /// Searches until so many different schemes of the target's rank or below are found, or until it is stopped, which
    /// takes the rest of a round. `told` is called between rounds. Errors: tensor/wrong, which is a bug.
    Result<FlipSearchEnd> run(int wanted, std::stop_token stop, std::optional<std::chrono::duration<double>> limit = {},
        const std::function<void(const FlipSnapshot&)>& told = {});

    const FlipRequest& request() const { return m_request; }
    FlipSnapshot snapshot() const;
    /// Schemes of the target's rank or below, lowest first, in the format that was asked for; each verified.
    std::vector<Mod2Scheme> found() const;
    /// The lowest scheme of the last stage so far; none before that stage.
    std::optional<Mod2Scheme> best() const;

private:
    struct Lane {
        std::optional<FlipPath> path;
    };
    struct LaneRound; ///< what a lane did in a round

    FlipSearch() = default;
    void beginStage(std::size_t stage, std::vector<Mod2Scheme> starts);
    LaneRound roundOf(std::size_t lane, std::uint64_t flips) const;
    /// Leaves those that the pools have room for and whose lift has a first step; how many had none.
    std::uint64_t keepLiftable(std::vector<Mod2Scheme>& schemes) const;
    std::vector<LaneRound> roundOfAll(std::uint64_t flips) const;
    Result<void> take(std::vector<LaneRound> rounds, double seconds);
    Result<void> note(const Mod2Scheme& scheme, double seconds);
    bool isStageDone(int wanted) const;
    int pathsUnderway() const;
    bool isLastStage() const { return m_stage + 1 == m_stages.size(); }
    /// With what is played, and in the format that was asked for.
    Mod2Scheme asAskedFor(const Mod2Scheme& scheme) const;
    int fixedRank() const { return static_cast<int>(m_played.size()); }

    FlipRequest m_request;
    std::vector<FlipStage> m_stages; ///< ranks without what is played, here and below
    std::vector<Mod2Product> m_played; ///< with the axes of the stage
    std::size_t m_stage = 0;
    FlipPools m_pools;
    std::vector<Lane> m_lanes;
    FlipStatistics m_statistics;
    std::uint64_t m_stageRounds = 0, m_stageFlips = 0;
    std::uint64_t m_reachedAfter = 0; ///< flips of the stage until its target was reached; 0 before that
    std::vector<RankStep> m_staircase;
    std::optional<Mod2Scheme> m_best; ///< of the stage
    double m_seconds = 0, m_flipsPerSecond = 0;
};

} // namespace tilewright::tensor
