// SPDX-License-Identifier: GPL-3.0-or-later
// The values that events hold, as the session file stores them: each member by its key (core/base/json_members.h). A
// key that changes is a change of the file's format: user_version rises, and core/store/migrations gets a step.
#pragma once

#include "core/base/json_members.h"
#include "core/model/event.h"
#include "core/model/event_names.h"
#include "core/model/measurement/evaluation_members.h"
#include "core/model/reviews/judgement.h"
#include "core/model/work.h"

namespace tilewright {

template <> struct JsonNames<Focus> {
    static constexpr const auto& table = focusNames;
};
template <> struct JsonNames<ProposalState> {
    static constexpr const auto& table = proposalStateNames;
};
template <> struct JsonNames<ModelRequestState> {
    static constexpr const auto& table = modelRequestStateNames;
};
template <> struct JsonNames<Stage> {
    static constexpr const auto& table = stageNames;
};
template <> struct JsonNames<events::Phase> {
    static constexpr const auto& table = phaseNames;
};
template <> struct JsonNames<Decision> {
    static constexpr const auto& table = decisionNames;
};
template <> struct JsonNames<ReviewPolicy> {
    static constexpr const auto& table = reviewPolicyNames;
};
template <> struct JsonNames<Placing> {
    static constexpr const auto& table = placingNames;
};
template <> struct JsonNames<Standing> {
    static constexpr const auto& table = standingNames;
};
template <> struct JsonNames<MigrationPlan::Ways> {
    static constexpr const auto& table = waysNames;
};
template <> struct JsonNames<Work> {
    static constexpr const auto& table = workNames;
};
template <> struct JsonNames<JudgeVerdict> {
    static constexpr const auto& table = judgeVerdictNames;
};

template <> struct JsonForm<ProposerKind> {
    static nlohmann::json write(ProposerKind kind) { return nameOf(kind); }
    static ProposerKind read(const nlohmann::json& json)
    {
        const auto kind = proposerKindFromName(json.get<std::string>());
        return kind ? *kind : throw UnknownWord(json);
    }
};
template <> struct JsonForm<TokenUsage> {
    static nlohmann::json write(const TokenUsage& usage) { return toJson(usage); }
    static TokenUsage read(const nlohmann::json& json) { return usageFromJson(json); }
};
template <> struct JsonForm<ModelStatistics> {
    static nlohmann::json write(const ModelStatistics& statistics) { return toJson(statistics); }
    static ModelStatistics read(const nlohmann::json& json) { return modelStatisticsFromJson(json); }
};
template <> struct JsonMembers<Budget> {
    static constexpr std::tuple list{always("evaluations", &Budget::evaluations),
        always("wall_s", &Budget::wallSeconds), always("tokens", &Budget::tokens),
        always("cost_micro_usd", &Budget::costMicroUsd), always("no_gain", &Budget::noGain),
        rare("replies", &Budget::replies)};
};

/// Each weight by its name.
template <> struct JsonForm<FocusMix> {
    static nlohmann::json write(const FocusMix& mix)
    {
        nlohmann::json json;
        for (const auto& [weight, name] : mixNames)
            json[std::string(name)] = mix.*weight;
        return json;
    }
    static FocusMix read(const nlohmann::json& json)
    {
        FocusMix mix;
        for (const auto& [weight, name] : mixNames)
            mix.*weight = json.value(std::string(name), 0.0);
        return mix;
    }
};
/// Only what an island may be told to ask for.
template <> struct JsonForm<std::optional<Focus>> {
    static nlohmann::json write(const std::optional<Focus>& aim) { return nameIn(aimNames, *aim); }
    static std::optional<Focus> read(const nlohmann::json& json)
    {
        const auto aim = valueIn(aimNames, json.get<std::string>());
        return aim ? aim : throw UnknownWord(json);
    }
};
template <> struct JsonMembers<IslandSteering> {
    static constexpr std::tuple list{rare("focus", &IslandSteering::focus), rare("mix", &IslandSteering::mix),
        rare("selection", &IslandSteering::selection), rare("temperature", &IslandSteering::sampling),
        rare("proposers", &IslandSteering::proposers), rare("repair_turns", &IslandSteering::repairTurns),
        rare("stagnation", &IslandSteering::stagnation)};
};
/// A pair of islands as a list of two numbers.
template <> struct JsonForm<std::set<MigrationPlan::Edge>> {
    static nlohmann::json write(const std::set<MigrationPlan::Edge>& edges)
    {
        nlohmann::json list = nlohmann::json::array();
        for (const auto& [from, to] : edges)
            list.push_back({from.value, to.value});
        return list;
    }
    static std::set<MigrationPlan::Edge> read(const nlohmann::json& list)
    {
        std::set<MigrationPlan::Edge> edges;
        for (const nlohmann::json& edge : list)
            edges.emplace(IslandId{edge.at(0).get<std::int64_t>()}, IslandId{edge.at(1).get<std::int64_t>()});
        return edges;
    }
};
template <> struct JsonMembers<MigrationPlan> {
    static constexpr std::tuple list{required("ways", &MigrationPlan::ways),
        always("interval", &MigrationPlan::interval), rare("edges", &MigrationPlan::edges)};
};

template <> struct JsonMembers<events::HintsChanged> {
    static constexpr std::tuple list{always("island", &events::HintsChanged::island),
        required("text", &events::HintsChanged::text), rare("undo", &events::HintsChanged::undo)};
};
template <> struct JsonMembers<events::ReviewPolicyChanged> {
    using Changed = events::ReviewPolicyChanged;
    static constexpr std::tuple list{always("island", &Changed::island), required("policy", &Changed::policy),
        rare("proposer", &Changed::proposer), rare("continued", &Changed::continued), rare("undo", &Changed::undo)};
};
/// By island, as the changes that lead to them.
template <> struct JsonForm<std::map<IslandId, std::string>> {
    static nlohmann::json write(const std::map<IslandId, std::string>& hints)
    {
        nlohmann::json list = nlohmann::json::array();
        for (const auto& [island, text] : hints)
            list.push_back(jsonOf(events::HintsChanged{island, text}));
        return list;
    }
    static std::map<IslandId, std::string> read(const nlohmann::json& list)
    {
        std::map<IslandId, std::string> hints;
        for (const nlohmann::json& each : list) {
            const auto change = fromJson<events::HintsChanged>(each);
            hints[change.island] = change.text;
        }
        return hints;
    }
};
template <> struct JsonForm<IslandPolicies> {
    static nlohmann::json write(const IslandPolicies& all)
    {
        nlohmann::json list = nlohmann::json::array();
        for (const auto& [island, policies] : all) {
            if (const auto common = policies.common())
                list.push_back(jsonOf(events::ReviewPolicyChanged{island, *common}));
            else
                for (const ProposerKind kind : proposerKinds)
                    list.push_back(jsonOf(events::ReviewPolicyChanged{island, policies.of(kind), kind}));
        }
        return list;
    }
    static IslandPolicies read(const nlohmann::json& list)
    {
        IslandPolicies all; // id 0 stands first: it is the smallest key
        for (const nlohmann::json& each : list) {
            const auto change = fromJson<events::ReviewPolicyChanged>(each);
            setPolicy(all, change.scope(), change.policy);
        }
        return all;
    }
};
template <> struct JsonMembers<RunSettings> {
    static constexpr std::tuple list{always("task", &RunSettings::task), always("task_name", &RunSettings::taskName),
        always("seed", &RunSettings::seed), always("proposer", &RunSettings::proposer),
        always("device", &RunSettings::device), always("islands", &RunSettings::islands),
        rare("strategies", &RunSettings::strategies), always("budget", &RunSettings::budget),
        rare("hints", &RunSettings::hints), rare("review", &RunSettings::review),
        always("review_limit", &RunSettings::reviewLimit), rare("migration", &RunSettings::migration),
        rare("tuning", &RunSettings::tuning), rare("edits", &RunSettings::edits),
        rare("recombinations", &RunSettings::recombinations)};
};

template <> struct JsonMembers<Proposal> {
    static constexpr std::tuple list{always("id", &Proposal::id), always("island", &Proposal::island),
        always("ordinal", &Proposal::ordinal), required("proposer", &Proposal::proposer),
        required("focus", &Proposal::focus), always("parents", &Proposal::parents), always("moves", &Proposal::moves),
        rare("title", &Proposal::title), always("reasoning", &Proposal::reasoning), always("claim", &Proposal::claim),
        always("reply", &Proposal::reply), required("state", &Proposal::state), always("rule", &Proposal::rule),
        always("detail", &Proposal::detail), rare("inquiry", &Proposal::modelRequest), rare("whole", &Proposal::whole),
        rare("part", &Proposal::part), rare("finish", &Proposal::finish), rare("repair_of", &Proposal::repairOf),
        rare("attempt", &Proposal::attempt), rare("repairs", &Proposal::repairs), rare("wish", &Proposal::steering),
        rare("why", &Proposal::why)};
};
template <> struct JsonMembers<Candidate> {
    static constexpr std::tuple list{always("id", &Candidate::id), always("proposal", &Candidate::proposal),
        always("island", &Candidate::island), always("generation", &Candidate::generation),
        always("parents", &Candidate::parents), always("program", &Candidate::program),
        always("source", &Candidate::source), always("patch", &Candidate::patch), rare("repairs", &Candidate::repairs),
        always("moves", &Candidate::moves), always("tunables", &Candidate::tunables),
        always("tuned_from", &Candidate::tunedFrom), always("cell", &Candidate::cell),
        always("migrated", &Candidate::migrated), required("stage", &Candidate::stage),
        always("outcome", &Candidate::outcome), always("rule", &Candidate::rule), always("text", &Candidate::text),
        always("verdict", &Candidate::verdict), always("vs_incumbent", &Candidate::versusIncumbent),
        always("score", &Candidate::score), always("vs_vendor", &Candidate::vsVendor),
        always("heldout_score", &Candidate::heldoutScore), always("heldout_vs_vendor", &Candidate::heldoutVsVendor),
        always("confirmed", &Candidate::confirmed), always("audited", &Candidate::audited),
        always("latest", &Candidate::latest), always("evaluation_number", &Candidate::evaluationNumber),
        always("finished_ns", &Candidate::finishedNs), rare("review", &Candidate::review),
        rare("disputed", &Candidate::disputed)};
};
template <> struct JsonMembers<NicheScale> {
    static constexpr std::tuple list{required("lo", &NicheScale::lo), required("hi", &NicheScale::hi)};
};
template <> struct JsonMembers<Evaluation> {
    static constexpr std::tuple list{always("id", &Evaluation::id), always("candidate", &Evaluation::candidate),
        always("against", &Evaluation::against), always("device", &Evaluation::device),
        required("result", &Evaluation::result)};
};

template <> struct JsonMembers<ModelRequestBody> {
    static constexpr std::tuple list{always("attempt", &ModelRequestBody::attempt),
        always("status", &ModelRequestBody::status), always("protocol", &ModelRequestBody::protocol),
        always("bytes", &ModelRequestBody::bytes)};
};
template <> struct JsonMembers<InsightNote> {
    static constexpr std::tuple list{always("number", &InsightNote::number), required("author", &InsightNote::author),
        always("evaluations", &InsightNote::evaluations), always("text", &InsightNote::text),
        always("inquiry", &InsightNote::modelRequest)};
};
template <> struct JsonMembers<ModelRequest> {
    static constexpr std::tuple list{always("id", &ModelRequest::id), required("proposer", &ModelRequest::proposer),
        rare("model", &ModelRequest::model), always("place", &ModelRequest::place),
        rare("island", &ModelRequest::island), always("ordinal", &ModelRequest::ordinal),
        required("focus", &ModelRequest::focus), always("parents", &ModelRequest::parents),
        always("repair_of", &ModelRequest::repairOf), always("attempt", &ModelRequest::attempt),
        rare("most_tokens", &ModelRequest::mostTokens), rare("most_micro_usd", &ModelRequest::mostMicroUsd),
        rare("continues", &ModelRequest::continues), rare("repeats", &ModelRequest::repeats),
        rare("wish", &ModelRequest::steering), always("prompt_name", &ModelRequest::promptName),
        always("prompt_version", &ModelRequest::promptVersion), always("system", &ModelRequest::system),
        always("prompt", &ModelRequest::prompt), rare("left_out", &ModelRequest::leftOut),
        rare("why", &ModelRequest::why), always("asked_ns", &ModelRequest::askedNs)};
};
template <> struct JsonMembers<ModelRequestAnswer> {
    static constexpr std::tuple list{required("state", &ModelRequestAnswer::state),
        always("reply", &ModelRequestAnswer::reply), always("finish", &ModelRequestAnswer::finish),
        always("model", &ModelRequestAnswer::model), always("tokens", &ModelRequestAnswer::tokens),
        rare("guessed", &ModelRequestAnswer::guessed), always("cost_micro_usd", &ModelRequestAnswer::costMicroUsd),
        always("tries", &ModelRequestAnswer::tries), always("untold", &ModelRequestAnswer::untold),
        always("rule", &ModelRequestAnswer::rule), always("detail", &ModelRequestAnswer::detail)};
    /// The first sessions did not count: of a try that was lost, or has neither tokens nor a cost, nobody told.
    static void mend(const nlohmann::json& json, ModelRequestAnswer& answer)
    {
        if (!json.contains("untold")
            && (answer.rule == "llm/lost" || (!answer.costMicroUsd && answer.tokens.total() == 0)))
            answer.untold = answer.tries;
    }
};

template <> struct JsonMembers<SteeringPrompt> {
    static constexpr std::tuple list{rare("template", &SteeringPrompt::templateName),
        rare("island", &SteeringPrompt::island), rare("other", &SteeringPrompt::other),
        rare("changed", &SteeringPrompt::changed), rare("text", &SteeringPrompt::text)};
};
template <> struct JsonMembers<SteeringRequest> {
    static constexpr std::tuple list{required("id", &SteeringRequest::id), required("parent", &SteeringRequest::parent),
        always("count", &SteeringRequest::count), rare("idea", &SteeringRequest::idea), part(&SteeringRequest::prompt)};
};
template <> struct JsonMembers<Marks> {
    static constexpr std::tuple list{rare("starred", &Marks::starred), rare("pinned", &Marks::pinned),
        rare("banned", &Marks::banned), rare("boost", &Marks::boost), rare("tags", &Marks::tags),
        rare("note", &Marks::note)};
};
template <> struct JsonMembers<Judgement> {
    static constexpr std::tuple list{always("inquiry", &Judgement::modelRequest),
        always("candidate", &Judgement::candidate), required("verdict", &Judgement::verdict),
        rare("of", &Judgement::of), always("reason", &Judgement::reason),
        rare("expected_ratio", &Judgement::expectedRatio)};
};
template <> struct JsonMembers<WorkSpan> {
    static constexpr std::tuple list{always("candidate", &WorkSpan::candidate), required("work", &WorkSpan::work),
        rare("place", &WorkSpan::place), rare("device", &WorkSpan::on), always("asked_ns", &WorkSpan::askedNs),
        required("start_ns", &WorkSpan::startedNs), required("end_ns", &WorkSpan::endedNs),
        rare("rule", &WorkSpan::rule)};
    static void mend(const nlohmann::json& json, WorkSpan& span)
    {
        if (!json.contains("asked_ns")) // the first sessions told of no wait
            span.askedNs = span.startedNs;
    }
};
/// Who came and went is written where the island went into another.
template <> struct JsonForm<events::IslandStandingChanged> {
    using Changed = events::IslandStandingChanged;
    static constexpr std::tuple plain{
        always("island", &Changed::island), required("standing", &Changed::standing), rare("into", &Changed::into)};
    static constexpr std::tuple merged{
        always("newcomers", &Changed::newcomers), always("displaced", &Changed::displaced)};
    static nlohmann::json write(const Changed& event)
    {
        nlohmann::json json = nlohmann::json::object();
        writeAll(json, event, plain);
        if (event.into)
            writeAll(json, event, merged);
        return json;
    }
    static Changed read(const nlohmann::json& json)
    {
        Changed event{};
        readAll(json, event, plain);
        readAll(json, event, merged);
        return event;
    }
};

} // namespace tilewright
