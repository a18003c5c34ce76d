// SPDX-License-Identifier: GPL-3.0-or-later
// The JSON form of each event kind, as the session file stores it. Fields at their default may be absent.
#include "core/model/candidate_names.h"
#include "core/model/event.h"
#include "core/model/event_fields.h"
#include "core/model/event_names.h"
#include "core/model/placement_names.h"
#include "core/model/review_names.h"

#include <functional>

namespace tilewright {
namespace {

using Json = nlohmann::json;

Json budgetJson(const Budget& budget)
{
    return {{"evaluations", budget.evaluations}, {"wall_s", budget.wallSeconds}, {"tokens", budget.tokens},
        {"cost_micro_usd", budget.costMicroUsd}, {"no_gain", budget.noGain}};
}

Budget budgetFrom(const Json& json)
{
    return {json.value("evaluations", std::int64_t(0)), json.value("wall_s", 0.0),
        json.value("tokens", std::int64_t(0)), json.value("cost_micro_usd", std::int64_t(0)),
        json.value("no_gain", std::int64_t(0))};
}

Json hintJson(IslandId island, const std::string& text) { return {{"island", island.value}, {"text", text}}; }

Json hintsJson(const std::map<IslandId, std::string>& hints)
{
    Json list = Json::array();
    for (const auto& [island, text] : hints)
        list.push_back(hintJson(island, text));
    return list;
}

std::map<IslandId, std::string> hintsFrom(const Json& list)
{
    std::map<IslandId, std::string> hints;
    for (const Json& each : list)
        hints[idAt<IslandId>(each, "island")] = each.at("text").get<std::string>();
    return hints;
}

Json policyJson(const events::ReviewPolicyChanged& change)
{
    Json json{{"island", change.island.value}, {"policy", nameOf(change.policy)}};
    if (change.proposer)
        json["proposer"] = nameOf(*change.proposer);
    return json;
}

events::ReviewPolicyChanged policyFrom(const Json& json)
{
    events::ReviewPolicyChanged change{idAt<IslandId>(json, "island"), enumAt(json, "policy", reviewPolicyNames), {}};
    if (const auto proposer = json.find("proposer"); proposer != json.end()) {
        change.proposer = proposerKindFromName(proposer->get<std::string>());
        if (!change.proposer)
            throw std::runtime_error("proposer has the unknown value " + proposer->dump());
    }
    return change;
}

/// As the changes that lead to them.
Json policiesJson(const IslandPolicies& all)
{
    Json list = Json::array();
    for (const auto& [island, policies] : all) {
        if (const auto common = policies.common())
            list.push_back(policyJson({island, *common, {}}));
        else
            for (const ProposerKind kind : proposerKinds)
                list.push_back(policyJson({island, policies.of(kind), kind}));
    }
    return list;
}

IslandPolicies policiesFrom(const Json& list)
{
    IslandPolicies all; // id 0 stands first: it is the smallest key
    for (const Json& each : list) {
        const events::ReviewPolicyChanged change = policyFrom(each);
        setPolicy(all, change.scope(), change.policy);
    }
    return all;
}

/// What most proposals do not have is written only where it is.
void addRare(Json& json, const Proposal& p)
{
    if (p.inquiry)
        json["inquiry"] = p.inquiry.value;
    if (p.whole)
        json["whole"] = true;
    if (p.part)
        json["part"] = p.part;
    if (!p.finish.empty())
        json["finish"] = p.finish;
    if (p.repairOf)
        json["repair_of"] = p.repairOf.value;
    if (p.attempt != 1)
        json["attempt"] = p.attempt;
    if (!p.repairs.empty())
        json["repairs"] = p.repairs;
    if (p.wish)
        json["wish"] = p.wish.value;
}

Json proposalJson(const Proposal& p)
{
    Json json{{"id", p.id.value}, {"island", p.island.value}, {"ordinal", p.ordinal}, {"proposer", p.proposer},
        {"focus", nameOf(p.focus)}, {"parents", idsJson(p.parents)}, {"moves", p.moves}, {"reasoning", p.reasoning},
        {"claim", p.claim}, {"reply", hexOf(p.reply)}, {"state", nameOf(p.state)}, {"rule", p.rule},
        {"detail", p.detail}};
    addRare(json, p);
    return json;
}

Proposal proposalFrom(const Json& json)
{
    Proposal p;
    p.id = idAt<ProposalId>(json, "id");
    p.island = idAt<IslandId>(json, "island");
    p.ordinal = json.value("ordinal", std::int64_t(0));
    p.proposer = json.at("proposer").get<std::string>();
    p.focus = enumAt(json, "focus", focusNames);
    p.parents = idsAt(json, "parents");
    p.moves = json.value("moves", std::vector<std::string>{});
    p.reasoning = json.value("reasoning", "");
    p.claim = json.value("claim", "");
    p.reply = hashAt(json, "reply");
    p.state = enumAt(json, "state", proposalStateNames);
    p.rule = json.value("rule", "");
    p.detail = json.value("detail", "");
    p.inquiry = idAt<InquiryId>(json, "inquiry");
    p.whole = json.value("whole", false);
    p.part = json.value("part", 0);
    p.finish = json.value("finish", "");
    p.repairOf = idAt<ProposalId>(json, "repair_of");
    p.attempt = json.value("attempt", 1);
    p.repairs = json.value("repairs", std::vector<std::string>{});
    p.wish = idAt<WishId>(json, "wish");
    return p;
}

Json candidateJson(const Candidate& c)
{
    Json json{{"id", c.id.value}, {"proposal", c.proposal.value}, {"island", c.island.value},
        {"generation", c.generation}, {"parents", idsJson(c.parents)}, {"program", hexOf(c.program)},
        {"source", hexOf(c.source)}, {"patch", hexOf(c.patch)}, {"moves", c.moves}, {"tunables", c.tunables},
        {"tuned_from", c.tunedFrom.value}, {"cell", c.cell}, {"migrated", c.migrated}, {"stage", nameOf(c.stage)},
        {"outcome", nameOf(c.outcome)}, {"rule", c.rule}, {"text", c.text}, {"verdict", nameOf(c.verdict)},
        {"vs_incumbent", intervalJson(c.versusIncumbent)}, {"score", intervalJson(c.score)},
        {"vs_vendor", intervalJson(c.vsVendor)}, {"heldout_score", intervalJson(c.heldoutScore)},
        {"heldout_vs_vendor", intervalJson(c.heldoutVsVendor)}, {"confirmed", c.confirmed}, {"audited", c.audited},
        {"latest", c.latest.value}, {"evaluation_number", c.evaluationNumber}, {"finished_ns", c.finishedNs}};
    if (!c.repairs.empty())
        json["repairs"] = c.repairs;
    if (c.review)
        json["review"] = c.review.value;
    if (c.disputed)
        json["disputed"] = true;
    return json;
}

Candidate candidateFrom(const Json& json)
{
    Candidate c;
    c.id = idAt<CandidateId>(json, "id");
    c.proposal = idAt<ProposalId>(json, "proposal");
    c.island = idAt<IslandId>(json, "island");
    c.generation = json.value("generation", 0);
    c.parents = idsAt(json, "parents");
    c.program = hashAt(json, "program");
    c.source = hashAt(json, "source");
    c.patch = hashAt(json, "patch");
    c.repairs = json.value("repairs", std::vector<std::string>{});
    c.moves = json.value("moves", std::vector<std::string>{});
    c.tunables = json.value("tunables", Tunables{});
    c.tunedFrom = idAt<CandidateId>(json, "tuned_from");
    c.cell = json.value("cell", "");
    c.migrated = json.value("migrated", false);
    c.stage = enumAt(json, "stage", stageNames);
    c.outcome = outcomeFromName(json.value("outcome", "none"));
    c.rule = json.value("rule", "");
    c.text = json.value("text", "");
    c.verdict = verdictFromName(json.value("verdict", "none"));
    c.versusIncumbent = intervalAt(json, "vs_incumbent");
    c.score = intervalAt(json, "score");
    c.vsVendor = intervalAt(json, "vs_vendor");
    c.heldoutScore = intervalAt(json, "heldout_score");
    c.heldoutVsVendor = intervalAt(json, "heldout_vs_vendor");
    c.confirmed = json.value("confirmed", false);
    c.audited = json.value("audited", false);
    c.latest = idAt<EvaluationId>(json, "latest");
    c.evaluationNumber = json.value("evaluation_number", std::int64_t(0));
    c.finishedNs = json.value("finished_ns", std::int64_t(0));
    c.review = idAt<ReviewId>(json, "review");
    c.disputed = json.value("disputed", false);
    return c;
}

Evaluation evaluationFrom(const Json& json)
{
    Evaluation e;
    e.id = idAt<EvaluationId>(json, "id");
    e.candidate = idAt<CandidateId>(json, "candidate");
    e.against = idAt<CandidateId>(json, "against");
    e.device = json.value("device", "");
    auto result = EvaluationResult::fromJson(json.at("result"));
    if (!result)
        throw std::runtime_error(result.error().text);
    e.result = std::move(*result);
    return e;
}

struct Writer {
    Json operator()(const events::RunCreated& e) const
    {
        const RunSettings& s = e.settings;
        Json json{{"task", hexOf(s.task)}, {"task_name", s.taskName}, {"seed", s.seed}, {"proposer", s.proposer},
            {"device", s.device}, {"islands", s.islands}, {"budget", budgetJson(s.budget)}};
        if (!s.hints.empty())
            json["hints"] = hintsJson(s.hints);
        if (!s.review.empty())
            json["review"] = policiesJson(s.review);
        json["review_limit"] = s.reviewLimit;
        if (!(s.migration == MigrationPlan{}))
            json["migration"] = toJson(s.migration);
        return json;
    }
    Json operator()(const events::IslandCreated& e) const { return tilewright::toJson(e); }
    Json operator()(const events::DeviceFound& e) const
    {
        Json json{{"device", e.device}, {"host", e.host}, {"facts", e.facts}};
        if (!e.others.empty())
            json["others"] = e.others;
        return json;
    }
    Json operator()(const events::Proposed& e) const { return proposalJson(e.proposal); }
    Json operator()(const events::ProposalRefused& e) const
    {
        Json json{{"id", e.id.value}, {"state", nameOf(e.state)}, {"rule", e.rule}, {"detail", e.detail}};
        if (!e.repairs.empty())
            json["repairs"] = e.repairs;
        return json;
    }
    Json operator()(const events::CandidateMade& e) const { return candidateJson(e.candidate); }
    Json operator()(const events::EvaluationStarted& e) const { return {{"candidate", e.candidate.value}}; }
    Json operator()(const events::StageReached& e) const
    {
        return {{"candidate", e.candidate.value}, {"stage", nameOf(e.stage)}};
    }
    Json operator()(const events::Evaluated& e) const
    {
        return {{"id", e.evaluation.id.value}, {"candidate", e.evaluation.candidate.value},
            {"against", e.evaluation.against.value}, {"device", e.evaluation.device},
            {"result", e.evaluation.result.json()}, {"run_ns", e.runNs}};
    }
    Json operator()(const events::Admitted& e) const
    {
        return {{"candidate", e.candidate.value}, {"island", e.island.value}, {"cell", e.cell}, {"elite", e.elite},
            {"displaced", idsJson(e.displaced)}};
    }
    Json operator()(const events::Migrated& e) const
    {
        Json json{{"from", e.from.value}, {"copy", candidateJson(e.copy)}, {"cell", e.cell}, {"elite", e.elite},
            {"displaced", idsJson(e.displaced)}};
        if (e.byOrder)
            json["by_order"] = true;
        return json;
    }
    Json operator()(const events::IncumbentChanged& e) const { return {{"candidate", e.candidate.value}}; }
    Json operator()(const events::NoiseMeasured& e) const
    {
        return {{"device", e.device}, {"floor", e.floor}, {"blocks", e.blocks}};
    }
    Json operator()(const events::BudgetChanged& e) const { return budgetJson(e.budget); }
    Json operator()(const events::PhaseChanged& e) const
    {
        Json json{{"phase", nameOf(e.phase)}, {"reason", e.reason}, {"run_ns", e.runNs}};
        if (!e.code.empty())
            json["code"] = e.code;
        return json;
    }
    Json operator()(const events::Noted& e) const
    {
        return {{"severity", e.severity}, {"text", e.text}, {"hint", e.hint}};
    }
    Json operator()(const events::Asked& e) const { return toJson(e.inquiry); }
    Json operator()(const events::Answered& e) const
    {
        return {{"id", e.id.value}, {"answer", toJson(e.answer)}, {"run_ns", e.runNs}};
    }
    Json operator()(const events::BodyArrived& e) const { return {{"id", e.id.value}, {"body", toJson(e.body)}}; }
    Json operator()(const events::ArmChanged& e) const { return {{"model", e.model}, {"arm", toJson(e.arm)}}; }
    Json operator()(const events::InsightsWritten& e) const { return toJson(e.note); }
    Json operator()(const events::TriedAgain& e) const { return {{"id", e.id.value}, {"number", e.number}}; }
    Json operator()(const events::HintsChanged& e) const { return hintJson(e.island, e.text); }
    Json operator()(const events::ReviewPolicyChanged& e) const { return policyJson(e); }
    Json operator()(const events::ReviewLimitChanged& e) const { return {{"per_island", e.perIsland}}; }
    Json operator()(const events::TurnsWaived& e) const { return {{"island", e.island.value}}; }
    Json operator()(const events::ReviewAsked& e) const
    {
        return {{"id", e.id.value}, {"candidate", e.candidate.value}, {"risks", e.risks}, {"facts", e.facts}};
    }
    Json operator()(const events::Reviewed& e) const
    {
        Json json{{"id", e.id.value}, {"decision", nameOf(e.decision)}, {"by", e.by}, {"reason", e.reason}};
        if (e.edited)
            json["edited"] = e.edited.value;
        return json;
    }
    Json operator()(const events::ReviewUndone& e) const { return {{"id", e.id.value}}; }
    Json operator()(const events::FeatureUsed& e) const
    {
        return {{"candidate", e.candidate.value}, {"feature", e.feature}};
    }
    Json operator()(const events::TemplateSaved& e) const
    {
        Json json{{"island", e.island.value}, {"name", e.name}, {"text", e.text.isNull() ? "" : e.text.hex()},
            {"note", e.note}};
        if (e.again)
            json["again"] = e.again;
        if (e.isUndo)
            json["undo"] = true;
        return json;
    }
    Json operator()(const events::IslandStandingChanged& e) const { return tilewright::toJson(e); }
    Json operator()(const events::IslandSteered& e) const
    {
        return {{"island", e.island.value}, {"steering", toJson(e.steering)}};
    }
    Json operator()(const events::IslandReset& e) const
    {
        return {{"island", e.island.value}, {"kept", idsJson(e.kept)}};
    }
    Json operator()(const events::MigrationPlanned& e) const { return toJson(e.plan); }
    Json operator()(const events::LeverUndone& e) const { return tilewright::toJson(e); }
    Json operator()(const events::Marked& e) const
    {
        return {{"candidate", e.candidate.value}, {"marks", toJson(e.marks)}};
    }
    Json operator()(const events::MarkUndone& e) const { return {{"candidate", e.candidate.value}}; }
    Json operator()(const events::Wished& e) const { return toJson(e.wish); }
    Json operator()(const events::WishWithdrawn& e) const { return {{"id", e.id.value}}; }
    Json operator()(const events::Placed& e) const
    {
        return {{"from", e.from.value}, {"copy", candidateJson(e.copy)}, {"placing", nameOf(e.placing)},
            {"cell", e.cell}, {"elite", e.elite}, {"displaced", idsJson(e.displaced)}};
    }
    Json operator()(const events::PlacementUndone& e) const { return {{"copy", e.copy.value}}; }
    Json operator()(const events::HandwrittenWithdrawn& e) const { return {{"candidate", e.candidate.value}}; }
    Json operator()(const events::RerunAsked& e) const
    {
        Json json{
            {"id", e.id.value}, {"candidate", e.candidate.value}, {"repeats", e.repeats}, {"against", e.against.value}};
        if (!e.shapes.empty())
            json["shapes"] = e.shapes;
        if (!e.device.empty())
            json["device"] = e.device;
        return json;
    }
    Json operator()(const events::RerunWithdrawn& e) const { return {{"id", e.id.value}}; }
    Json operator()(const events::WorkDone& e) const { return tilewright::toJson(e); }
    Json operator()(const events::Judged& e) const { return tilewright::toJson(e.judgement); }
    Json operator()(const events::ProposerChanged& e) const { return {{"proposer", e.proposer}}; }
};

RunSettings settingsFrom(const Json& json)
{
    RunSettings s;
    s.task = hashAt(json, "task");
    s.taskName = json.value("task_name", "");
    s.seed = json.value("seed", std::uint64_t(1));
    s.proposer = json.value("proposer", "mutator");
    s.device = json.value("device", "cpu");
    s.islands = json.value("islands", 4);
    s.budget = budgetFrom(json.value("budget", Json::object()));
    s.hints = hintsFrom(json.value("hints", Json::array()));
    s.review = policiesFrom(json.value("review", Json::array()));
    s.reviewLimit = json.value("review_limit", usualReviewLimit);
    if (const auto plan = json.find("migration"); plan != json.end())
        s.migration = migrationFrom(*plan);
    return s;
}

// By kind, in the order of EventBody's alternatives as event.cpp names them.
const std::map<std::string, std::function<EventBody(const Json&)>, std::less<>>& readers()
{
    static const std::map<std::string, std::function<EventBody(const Json&)>, std::less<>> table{
        {"run_created", [](const Json& j) { return events::RunCreated{settingsFrom(j)}; }},
        {"island_created", [](const Json& j) { return createdFrom(j); }},
        {"device_found",
            [](const Json& j) {
                return events::DeviceFound{j.at("device"), j.value("host", ""), j.value("facts", Json()),
                    j.value("others", std::vector<std::string>())};
            }},
        {"proposed", [](const Json& j) { return events::Proposed{proposalFrom(j)}; }},
        {"proposal_refused",
            [](const Json& j) {
                return events::ProposalRefused{idAt<ProposalId>(j, "id"), enumAt(j, "state", proposalStateNames),
                    j.value("rule", ""), j.value("detail", ""), j.value("repairs", std::vector<std::string>{})};
            }},
        {"candidate_made", [](const Json& j) { return events::CandidateMade{candidateFrom(j)}; }},
        {"evaluation_started",
            [](const Json& j) { return events::EvaluationStarted{idAt<CandidateId>(j, "candidate")}; }},
        {"stage_reached",
            [](const Json& j) {
                return events::StageReached{idAt<CandidateId>(j, "candidate"), enumAt(j, "stage", stageNames)};
            }},
        {"evaluated",
            [](const Json& j) {
                return events::Evaluated{evaluationFrom(j), j.value("run_ns", std::int64_t(0))};
            }},
        {"admitted",
            [](const Json& j) {
                return events::Admitted{idAt<CandidateId>(j, "candidate"), idAt<IslandId>(j, "island"),
                    j.value("cell", ""), j.value("elite", false), idsAt(j, "displaced")};
            }},
        {"migrated",
            [](const Json& j) {
                return events::Migrated{idAt<CandidateId>(j, "from"), candidateFrom(j.at("copy")), j.value("cell", ""),
                    j.value("elite", false), idsAt(j, "displaced"), j.value("by_order", false)};
            }},
        {"incumbent_changed",
            [](const Json& j) { return events::IncumbentChanged{idAt<CandidateId>(j, "candidate")}; }},
        {"noise_measured",
            [](const Json& j) {
                return events::NoiseMeasured{j.value("device", ""), j.at("floor"), j.value("blocks", 0)};
            }},
        {"budget_changed", [](const Json& j) { return events::BudgetChanged{budgetFrom(j)}; }},
        {"phase_changed",
            [](const Json& j) {
                return events::PhaseChanged{enumAt(j, "phase", phaseNames), j.value("reason", ""),
                    j.value("run_ns", std::int64_t(0)), j.value("code", "")};
            }},
        {"noted",
            [](const Json& j) {
                return events::Noted{j.at("severity"), j.at("text"), j.value("hint", "")};
            }},
        {"asked", [](const Json& j) { return events::Asked{inquiryFrom(j)}; }},
        {"answered",
            [](const Json& j) {
                return events::Answered{
                    idAt<InquiryId>(j, "id"), answerFrom(j.at("answer")), j.value("run_ns", std::int64_t(0))};
            }},
        {"body_arrived",
            [](const Json& j) {
                return events::BodyArrived{idAt<InquiryId>(j, "id"), bodyFrom(j.at("body"))};
            }},
        {"arm_changed",
            [](const Json& j) {
                return events::ArmChanged{j.at("model"), armFromJson(j.at("arm"))};
            }},
        {"insights_written", [](const Json& j) { return events::InsightsWritten{noteFrom(j)}; }},
        {"tried_again",
            [](const Json& j) {
                return events::TriedAgain{idAt<InquiryId>(j, "id"), j.value("number", 2)};
            }},
        {"hints_changed",
            [](const Json& j) {
                return events::HintsChanged{idAt<IslandId>(j, "island"), j.at("text")};
            }},
        {"review_policy_changed", [](const Json& j) { return policyFrom(j); }},
        {"review_asked",
            [](const Json& j) {
                return events::ReviewAsked{idAt<ReviewId>(j, "id"), idAt<CandidateId>(j, "candidate"),
                    j.value("risks", std::vector<std::string>{}), j.value("facts", Json())};
            }},
        {"reviewed",
            [](const Json& j) {
                return events::Reviewed{idAt<ReviewId>(j, "id"), enumAt(j, "decision", decisionNames),
                    j.value("by", ""), j.value("reason", ""), idAt<CandidateId>(j, "edited")};
            }},
        {"review_undone", [](const Json& j) { return events::ReviewUndone{idAt<ReviewId>(j, "id")}; }},
        {"feature_used",
            [](const Json& j) {
                return events::FeatureUsed{idAt<CandidateId>(j, "candidate"), j.at("feature")};
            }},
        {"template_saved",
            [](const Json& j) {
                return events::TemplateSaved{idAt<IslandId>(j, "island"), j.at("name"), hashAt(j, "text"),
                    j.value("note", ""), j.value("again", 0), j.value("undo", false)};
            }},
        {"island_standing_changed", [](const Json& j) { return standingFrom(j); }},
        {"island_steered",
            [](const Json& j) {
                return events::IslandSteered{idAt<IslandId>(j, "island"), steeringFrom(j.at("steering"))};
            }},
        {"island_reset",
            [](const Json& j) {
                return events::IslandReset{idAt<IslandId>(j, "island"), idsAt(j, "kept")};
            }},
        {"migration_planned", [](const Json& j) { return events::MigrationPlanned{migrationFrom(j)}; }},
        {"lever_undone", [](const Json& j) { return undoneFrom(j); }},
        {"marked",
            [](const Json& j) {
                return events::Marked{idAt<CandidateId>(j, "candidate"), marksFrom(j.at("marks"))};
            }},
        {"mark_undone", [](const Json& j) { return events::MarkUndone{idAt<CandidateId>(j, "candidate")}; }},
        {"wished", [](const Json& j) { return events::Wished{wishFrom(j)}; }},
        {"wish_withdrawn", [](const Json& j) { return events::WishWithdrawn{idAt<WishId>(j, "id")}; }},
        {"placed",
            [](const Json& j) {
                return events::Placed{idAt<CandidateId>(j, "from"), candidateFrom(j.at("copy")),
                    enumAt(j, "placing", placingNames), j.value("cell", ""), j.value("elite", false),
                    idsAt(j, "displaced")};
            }},
        {"placement_undone", [](const Json& j) { return events::PlacementUndone{idAt<CandidateId>(j, "copy")}; }},
        {"handwritten_withdrawn",
            [](const Json& j) { return events::HandwrittenWithdrawn{idAt<CandidateId>(j, "candidate")}; }},
        {"rerun_asked",
            [](const Json& j) {
                return events::RerunAsked{idAt<RerunId>(j, "id"), idAt<CandidateId>(j, "candidate"),
                    j.value("repeats", 1), idAt<CandidateId>(j, "against"), j.value("shapes", std::vector<Shape>{}),
                    j.value("device", "")};
            }},
        {"rerun_withdrawn", [](const Json& j) { return events::RerunWithdrawn{idAt<RerunId>(j, "id")}; }},
        {"work_done", [](const Json& j) { return workDoneFrom(j); }},
        {"judged", [](const Json& j) { return events::Judged{judgementFrom(j)}; }},
        {"proposer_changed", [](const Json& j) { return events::ProposerChanged{j.at("proposer")}; }},
        {"review_limit_changed", [](const Json& j) { return events::ReviewLimitChanged{j.at("per_island")}; }},
        {"turns_waived", [](const Json& j) { return events::TurnsWaived{idAt<IslandId>(j, "island")}; }},
    };
    return table;
}

} // namespace

nlohmann::json toJson(const EventBody& body) { return std::visit(Writer{}, body); }

Result<EventBody> eventFromJson(std::string_view kind, const nlohmann::json& json)
{
    const auto reader = readers().find(kind);
    if (reader == readers().end())
        return fail("event/unknown-kind", "the session holds an event of the unknown kind '" + std::string(kind) + "'",
            "it was written by a newer Tilewright");
    try {
        return reader->second(json);
    } catch (const std::exception& problem) {
        return fail("event/field", "an event of kind '" + std::string(kind) + "' cannot be read: " + problem.what());
    }
}

} // namespace tilewright
