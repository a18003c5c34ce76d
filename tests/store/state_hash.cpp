// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/store/state_hash.h"

#include <algorithm>
#include <bit>
#include <concepts>
#include <type_traits>

namespace tilewright::test {
namespace {

/// Values one after another, each with its length, so that no two lists of values are the same bytes.
class Feed
{
public:
    Hash hash() const { return sha256(m_bytes); }

    template <typename Number>
    requires std::integral<Number> Feed& operator<<(Number value) { return bytes(std::to_string(value)); }
    template <typename Enum>
    requires std::is_enum_v<Enum> Feed& operator<<(Enum value) { return *this << static_cast<int>(value); }
    Feed& operator<<(double value) { return *this << std::bit_cast<std::uint64_t>(value); }
    Feed& operator<<(const std::string& value) { return bytes(value); }
    Feed& operator<<(const Hash& value) { return bytes(value.hex()); }
    Feed& operator<<(const nlohmann::json& value) { return bytes(value.is_null() ? "" : value.dump()); }
    template <typename Tag> Feed& operator<<(Id<Tag> id) { return *this << id.value; }
    Feed& operator<<(const Interval& value) { return *this << value.value << value.lo << value.hi; }
    template <typename Value> Feed& operator<<(const std::optional<Value>& value)
    {
        *this << value.has_value();
        return value ? *this << *value : *this;
    }
    template <typename First, typename Second> Feed& operator<<(const std::pair<First, Second>& value)
    {
        return *this << value.first << value.second;
    }
    template <typename Value> Feed& operator<<(const std::vector<Value>& values) { return list(values); }
    template <typename Key, typename Value> Feed& operator<<(const std::map<Key, Value>& values)
    {
        return list(values);
    }
    template <typename Value> Feed& operator<<(const std::set<Value>& values) { return list(values); }
    template <typename Value, std::size_t Size> Feed& operator<<(const Chunked<Value, Size>& values)
    {
        *this << values.size();
        for (std::size_t i = 0; i < values.size(); ++i)
            *this << values[i];
        return *this;
    }

    Feed& operator<<(const Budget& each)
    {
        return *this << each.evaluations << each.wallSeconds << each.tokens << each.costMicroUsd << each.noGain;
    }
    Feed& operator<<(const TokenUsage& each)
    {
        return *this << each.input << each.cacheRead << each.cacheWrite << each.outputVisible << each.reasoning;
    }
    Feed& operator<<(const MigrationPlan& each) { return *this << each.ways << each.edges << each.interval; }
    Feed& operator<<(const FocusMix& each)
    {
        return *this << each.explore << each.neighbour << each.exploit << each.crossover << each.tune;
    }
    Feed& operator<<(const IslandSteering& each)
    {
        return *this << each.focus << each.mix << each.selection << each.sampling << each.proposers;
    }
    Feed& operator<<(const Marks& each)
    {
        return *this << each.starred << each.pinned << each.banned << each.boost << each.tags << each.note;
    }
    Feed& operator<<(const Marking& each) { return *this << each.marks << each.seq; }
    Feed& operator<<(const NoiseFloor& each) { return *this << each.floor << each.blocks; }
    Feed& operator<<(const Island& each)
    {
        return *this << each.id << each.name << each.focus << each.proposals << each.admissions << each.best
                     << each.niches << each.members << each.bestTrace << each.lastMigration << each.standing
                     << each.mergedInto << each.unmade << each.clonedFrom << each.steering << each.headStart;
    }
    Feed& operator<<(const Proposal& each)
    {
        return *this << each.id << each.island << each.ordinal << each.proposer << each.focus << each.parents
                     << each.moves << each.reasoning << each.claim << each.reply << each.modelRequest << each.whole
                     << each.part << each.finish << each.repairOf << each.attempt << each.state << each.rule
                     << each.repairs << each.steering;
    }
    Feed& operator<<(const Candidate& each)
    {
        *this << each.id << each.proposal << each.island << each.generation << each.parents << each.program
              << each.source << each.patch << each.repairs << each.moves << each.tunables << each.tunedFrom << each.cell
              << each.migrated << each.takenBack << each.stage << each.outcome << each.rule << each.verdict;
        return *this << each.versusIncumbent << each.score << each.vsVendor << each.heldoutScore << each.heldoutVsVendor
                     << each.confirmed << each.audited << each.latest << each.newest << each.evaluationNumber
                     << each.resultNumber << each.finishedNs << each.seq << each.review << each.disputed;
    }
    Feed& operator<<(const ShapeResult& each)
    {
        return *this << each.shape << each.split << each.candidateNs << each.incumbentNs << each.baselineNs
                     << each.vendorNs << each.versusIncumbent << each.versusBaseline << each.versusVendor
                     << each.samples << each.voidBlocks;
    }
    Feed& operator<<(const Evaluation& each)
    {
        const EvaluationResult& result = each.result;
        *this << each.id << each.candidate << each.against << each.device << each.before;
        return *this << result.purpose << result.outcome << result.rule << result.verdict << result.versusIncumbent
                     << result.score << result.vsVendor << result.heldoutScore << result.heldoutVsVendor
                     << result.noiseFloor << result.shapes << result.evidence << result.resources << result.environment
                     << result.artifact << result.log << result.wallNs;
    }
    Feed& operator<<(const ModelRequestBody& each)
    {
        return *this << each.attempt << each.status << each.protocol << each.bytes;
    }
    Feed& operator<<(const ModelRequest& each)
    {
        const ModelRequestAnswer& answer = each.answer;
        *this << each.id << each.proposer << each.model << each.place << each.island << each.ordinal << each.focus
              << each.parents << each.repairOf << each.attempt << each.mostTokens << each.mostMicroUsd << each.continues
              << each.steering << each.repeats << each.promptName << each.promptVersion << each.system << each.prompt
              << each.askedNs << each.answeredNs << each.state << each.tries << each.bodies << each.unwanted;
        return *this << answer.state << answer.reply << answer.finish << answer.model << answer.tokens << answer.guessed
                     << answer.costMicroUsd << answer.tries << answer.untold << answer.rule;
    }
    Feed& operator<<(const Review& each)
    {
        return *this << each.id << each.candidate << each.facts << each.decision << each.by << each.reason
                     << each.edited << each.undone << each.askedAtUtc << each.decidedSeq;
    }
    Feed& operator<<(const LogLine& each) { return *this << each.seq << each.atUtc << each.candidate << each.proposal; }
    Feed& operator<<(const ModelStatistics& each)
    {
        return *this << each.asked << each.reward << each.usd << each.priced << each.hasAnswered << each.failedCalls
                     << each.failuresInRow << each.restsUntilUtc;
    }
    Feed& operator<<(const InsightNote& each)
    {
        return *this << each.number << each.author << each.evaluations << each.text << each.modelRequest;
    }
    Feed& operator<<(const TemplateVersion& each)
    {
        return *this << each.island << each.name << each.number << each.text << each.again << each.note
                     << each.firstModelRequest << each.evaluations << each.seq << each.isUndo;
    }
    Feed& operator<<(const IslandChange& each)
    {
        return *this << each.number << each.kind << each.before << each.plan << each.beganEmpty << each.undone
                     << each.seq << each.kept << each.traceSteps;
    }
    Feed& operator<<(const RunChange& each)
    {
        return *this << each.seq << each.atUtc << each.evaluations << each.runNs << each.island << each.isOfSettings
                     << each.kind << each.candidate << each.isEnded << each.takesBack;
    }
    Feed& operator<<(const MigrationMark& each)
    {
        return *this << each.from << each.copy << each.to << each.evaluations << each.runNs << each.isBest << each.at
                     << each.before << each.byOrder;
    }
    Feed& operator<<(const BanMark& each)
    {
        return *this << each.candidate << each.isLifted << each.evaluations << each.runNs;
    }
    Feed& operator<<(const SteeringRequest& each)
    {
        return *this << each.id << each.parent << each.count << each.idea << each.granted << each.withdrawn
                     << each.prompt.templateName << each.prompt.island << each.prompt.other << each.prompt.changed
                     << each.prompt.text << each.seq;
    }
    Feed& operator<<(const Placement& each)
    {
        return *this << each.from << each.copy << each.placing << each.displaced << each.undone;
    }
    Feed& operator<<(const Rerun& each)
    {
        return *this << each.id << each.candidate << each.repeats << each.against << each.shapes << each.device
                     << each.evaluation << each.withdrawn << each.seq;
    }
    Feed& operator<<(const Judgement& each)
    {
        return *this << each.modelRequest << each.candidate << each.verdict << each.of << each.reason
                     << each.expectedRatio;
    }
    Feed& operator<<(const WorkSpan& each)
    {
        return *this << each.work << each.candidate << each.startedNs << each.endedNs;
    }
    Feed& operator<<(const NoisePoint& each) { return *this << each.runNs << each.floor << each.blocks << each.device; }
    Feed& operator<<(const MeasuringDevice& each) { return *this << each.id << each.name; }

private:
    Feed& bytes(std::string_view value)
    {
        m_bytes += std::to_string(value.size());
        m_bytes += ':';
        m_bytes += value;
        return *this;
    }
    template <typename List> Feed& list(const List& values)
    {
        *this << values.size();
        for (const auto& value : values)
            *this << value;
        return *this;
    }

    std::string m_bytes;
};

void feedSettings(Feed& feed, const RunSettings& settings)
{
    feed << settings.task << settings.taskName << settings.seed << settings.proposer << settings.device
         << settings.islands << settings.budget << settings.hints << settings.reviewLimit << settings.migration;
    constexpr int islandsAsked = 16;
    for (int island = 1; island <= islandsAsked; ++island)
        for (const ProposerKind kind : proposerKinds)
            feed << settings.reviewPolicyOf(IslandId{island}, kind);
}

} // namespace

Hash stateHash(const RunState& state)
{
    Feed feed;
    feed << state.run << state.lastSeq;
    feedSettings(feed, state.settings);
    feed << state.phase << state.phaseCode << state.runNs << state.device << state.host << state.deviceFacts
         << state.otherDevices << state.noise << state.noiseFloor << state.noiseBlocks;
    feed << state.islands << state.proposals << state.candidates << state.evaluations << state.modelRequests
         << state.reviews << state.waitingReviews << state.log;
    for (const auto& [feature, first] : state.features)
        feed << first;
    std::vector<std::int64_t> outcomes;
    for (const auto& [outcome, count] : state.outcomes)
        outcomes.push_back(count);
    std::ranges::sort(outcomes);
    feed << outcomes << state.evaluationsStarted << state.freedPlaces << state.placesFreed << state.evaluationsDone
         << state.resultsEver << state.tokensSpent << state.tokensGuessed << state.costMicroUsd << state.unpriced
         << state.lost << state.doubtfulTokens << state.doubtfulMicroUsd << state.statisticsByModel << state.insights
         << state.templates << state.islandChanges << state.changes << state.migrations << state.incumbent
         << state.incumbents << state.bestTrace << state.bans << state.marks << state.steeringRequests
         << state.placements << state.reruns << state.judgements;
    feed << state.work.spans << state.work.devices << state.work.noise;
    return feed.hash();
}

} // namespace tilewright::test
