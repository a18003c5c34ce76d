// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/run_change.h"

#include "core/base/text.h"
#include "core/model/islands/island_change.h"
#include "core/model/measurement/dispute.h"
#include "core/model/run_state.h"

#include <algorithm>

namespace tilewright {
namespace {

/// What of the marks steers the run: a star, a tag and a note are the user's own matter.
Marks steeringPart(Marks marks)
{
    marks.starred = false;
    marks.tags.clear();
    marks.note.clear();
    return marks;
}

/// What steers of them, and "none" where nothing does.
std::string wordsOfSteering(const Marks& marks) { return marks == Marks{} ? "none" : wordsOf(marks); }

/// Of marks that differ: what was done, that which came before that which went.
std::pair<ChangeKind, bool> markingBetween(const Marks& before, const Marks& now)
{
    if (now.banned && !before.banned)
        return {ChangeKind::Ban, false};
    if (now.pinned && !before.pinned)
        return {ChangeKind::Pin, false};
    if (now.boost != before.boost && now.boost != 1)
        return {ChangeKind::Boost, false};
    return {before.banned && !now.banned   ? ChangeKind::Ban
            : before.pinned && !now.pinned ? ChangeKind::Pin
                                           : ChangeKind::Boost,
        true};
}

std::string called(IslandId island) { return island ? "island " + islandLetter(island) : "all islands"; }

std::string membersText(std::size_t count) { return counted(static_cast<std::int64_t>(count), "member", "members"); }

std::string wordsOfReviewLimit(int perIsland) { return perIsland > 0 ? std::to_string(perIsland) : "no limit"; }

std::string whatIsRequested(const SteeringRequest& steering)
{
    return steering.isForJudge() ? "judging" : "parent of the next";
}

/// "1 request, with the prompt 'exploit' for island B and a text of 'exploit' for this once"; "2 requests: try 8x6".
std::string describeSteeringRequest(const SteeringRequest& steering)
{
    const SteeringPrompt& prompt = steering.prompt;
    std::string words = counted(steering.count, "request", "requests");
    if (prompt)
        words += ", with the prompt '" + prompt.templateName + "'";
    if (prompt.island)
        words += " for " + called(prompt.island);
    if (!prompt.changed.empty())
        words += " and a text of '" + prompt.changed + "' used once";
    return words + (steering.idea.empty() ? "" : ": " + steering.idea);
}

/// The words that differ between two ways of steering, in the order of what, from, to.
struct Difference {
    std::vector<std::string> what, from, to;

    void add(const std::string& name, const std::string& before, const std::string& after)
    {
        if (before == after)
            return;
        what.push_back(name);
        from.push_back(before);
        to.push_back(after);
    }
};

Difference between(const IslandSteering& before, const IslandSteering& after)
{
    const auto sampling = [](const IslandSteering& one) {
        return one.sampling ? wordsOf(*one.sampling) : std::string("the models file's");
    };
    Difference difference;
    difference.add("focus", wordsOfAim(before), wordsOfAim(after));
    difference.add("proposers", wordsOf(before.proposers), wordsOf(after.proposers));
    difference.add("selection temperature", wordsOf(before.selection), wordsOf(after.selection));
    difference.add("sampling temperature", sampling(before), sampling(after));
    for (const SteeredCount& count : steeredCounts)
        difference.add(
            std::string(count.name), std::to_string(before.*count.member), std::to_string(after.*count.member));
    return difference;
}

std::string standingWords(const events::IslandStandingChanged& change)
{
    return change.into ? "merged into " + called(change.into) : nameOf(change.standing);
}

/// Fills whose, what, from and to; false for what is no change.
class Telling
{
public:
    Telling(const RunState& before, RunChange& change)
        : m_before(before)
        , m_change(change)
    {
    }

    bool operator()(const events::BudgetChanged& e)
    {
        return tell({}, "budget", wordsOfBudget(m_before.settings.budget), wordsOfBudget(e.budget));
    }
    bool operator()(const events::ProposerChanged& e)
    {
        return tell({}, "proposer", m_before.settings.proposer, e.proposer);
    }
    bool operator()(const events::HintsChanged& e)
    {
        const auto& hints = m_before.settings.hints;
        const auto known = hints.find(e.island);
        return tell(e.island, "hint for " + called(e.island), known == hints.end() ? "none" : known->second,
            e.text.empty() ? "none" : e.text);
    }
    bool operator()(const events::ReviewPolicyChanged& e)
    {
        const ReviewPolicies before = m_before.settings.reviewPoliciesOf(e.island);
        return tell(e.island,
            "review policy of " + called(e.island) + (e.proposer ? ", proposer " + nameOf(*e.proposer) : ""),
            e.proposer ? nameOf(before.of(*e.proposer)) : describe(before), nameOf(e.policy));
    }
    bool operator()(const events::ReviewLimitChanged& e)
    {
        return tell({}, "pending reviews per island", wordsOfReviewLimit(m_before.settings.reviewLimit),
            wordsOfReviewLimit(e.perIsland));
    }
    bool operator()(const events::PhaseChanged& e)
    {
        m_change.runNs = std::max(m_change.runNs, e.runNs);
        const bool begins = m_before.candidates.empty();
        const bool goesOn = m_before.phase == events::Phase::Running && e.phase == events::Phase::Running
            && !events::isOrderedToGoOn(e.reason); // it waited for a user
        return !begins && !goesOn
            && became({}, "run", nameOf(m_before.phase), nameOf(e.phase) + (e.reason.empty() ? "" : ": " + e.reason));
    }
    bool operator()(const events::ModelStatisticsChanged& e)
    {
        const auto known = m_before.statisticsByModel.find(e.model);
        const std::string why = known == m_before.statisticsByModel.end() ? "" : known->second.pausedBecause;
        return !why.empty() && e.statistics.pausedBecause.empty()
            && became({}, "model " + e.model, "paused: " + why, "in use again");
    }
    bool operator()(const events::InsightsWritten& e)
    {
        m_change.kind = ChangeKind::Insights;
        const InsightNote* held = m_before.personsInsight();
        return e.note.author == "person"
            && tell({}, "your insights",
                held ? "written after " + counted(held->evaluations, "result", "results") : "none",
                e.note.text.isNull() ? "none" : "written");
    }
    bool operator()(const events::IslandCreated& e)
    {
        return !m_before.candidates.empty()
            && became(e.id, called(e.id), "",
                (e.clonedFrom ? "cloned from " + called(e.clonedFrom) + ", " : "added, ") + e.name);
    }
    bool operator()(const events::IslandStandingChanged& e)
    {
        const Island* island = m_before.island(e.island);
        return island && became(e.island, called(e.island), nameOf(island->standing), standingWords(e));
    }
    bool operator()(const events::IslandSteered& e)
    {
        const Island* island = m_before.island(e.island);
        return island && tell(e.island, between(island->steering, e.steering));
    }
    bool operator()(const events::IslandReset& e)
    {
        const Island* island = m_before.island(e.island);
        return island
            && became(e.island, "population of " + called(e.island), membersText(island->members.size()),
                e.kept.empty() ? "reset, empty" : "reset, " + membersText(e.kept.size()));
    }
    bool operator()(const events::MigrationPlanned& e)
    {
        return tell({}, "migration", wordsOf(m_before.settings.migration), wordsOf(e.plan));
    }
    bool operator()(const events::IslandChangeUndone& e)
    {
        const IslandChange* islandChange = m_before.newestIslandChange();
        if (!islandChange || !takenBack(*islandChange))
            return false;
        if (islandChange->kind != IslandChangeKind::Added)
            return true;
        const UnderWay under{e.withdrawn, underWayFor(m_before, islandChange->before.id).measured, e.unwanted};
        if (!(under == UnderWay{}))
            m_change.to += ": " + wordsOf(under);
        return true;
    }
    bool operator()(const events::Marked& e) { return tellMarks(e.candidate, e.marks, ""); }
    bool operator()(const events::MarkUndone& e)
    {
        const auto known = m_before.marks.find(e.candidate);
        if (known == m_before.marks.end() || known->second.empty())
            return false;
        const std::vector<Marking>& held = known->second;
        m_change.takesBack = held.back().seq;
        return tellMarks(e.candidate, held.size() > 1 ? held[held.size() - 2].marks : Marks{}, back);
    }
    bool operator()(const events::SteeringRequested& e)
    {
        return did(ChangeKind::SteeringRequest, e.steering.parent, whatIsRequested(e.steering), "",
            describeSteeringRequest(e.steering));
    }
    bool operator()(const events::SteeringRequestCancelled& e)
    {
        const auto steering = std::ranges::find(m_before.steeringRequests, e.id, &SteeringRequest::id);
        return steering != m_before.steeringRequests.end()
            && ended(steering->seq, ChangeKind::SteeringRequest, steering->parent, whatIsRequested(*steering),
                describeSteeringRequest(*steering), "not" + back);
    }
    bool operator()(const events::Placed& e)
    {
        const bool isMove = e.placing == Placing::Move;
        return did(isMove ? ChangeKind::Move : ChangeKind::Copy, e.from, "placing", "",
            (isMove ? "moved to " : "copied to ") + called(e.copy.island) + " as " + candidateName(e.copy.id));
    }
    bool operator()(const events::PlacementUndone& e)
    {
        const Candidate* copy = m_before.candidate(e.copy);
        return copy
            && ended(copy->seq, ChangeKind::Copy, e.copy, "placing", "on " + called(copy->island), "gone" + back);
    }
    bool operator()(const events::CandidateMade& e)
    {
        const Proposal* proposal = m_before.proposal(e.candidate.proposal);
        return proposal && proposal->proposer == "person" && !e.candidate.migrated
            && did(ChangeKind::Write, e.candidate.id, "your version", "", "added", e.candidate.island);
    }
    bool operator()(const events::HandwrittenWithdrawn& e)
    {
        const Candidate* written = m_before.candidate(e.candidate);
        return written && ended(written->seq, ChangeKind::Write, e.candidate, "your version", "added", "gone" + back);
    }
    bool operator()(const events::TemplateSaved& e)
    {
        const TemplateVersion* before = m_before.newestTemplate(e.island, e.name);
        const auto version = [](int number) { return "version " + std::to_string(number); };
        const std::string note = e.note.empty() ? "" : ": " + e.note;
        return tell(e.island, "template " + e.name + (e.island ? " of " + called(e.island) : ""),
            before && !before->text.isNull() ? version(before->held()) : wordsOfCommonTemplate(e),
            e.text.isNull() ? "deleted"
                : e.again   ? version(e.again) + " again"
                            : version(before ? before->number + 1 : 1) + note);
    }
    bool operator()(const events::RerunAsked& e)
    {
        const Rerun asked{e.id, e.candidate, e.repeats, e.against, e.shapes, e.device, {}, false};
        return did(ChangeKind::Rerun, e.candidate, "measuring", "",
            isQuickResult(m_before, asked) ? quickResult : "again" + wordsOf(asked));
    }
    bool operator()(const events::RerunWithdrawn& e)
    {
        const auto rerun = std::ranges::find(m_before.reruns, e.id, &Rerun::id);
        return rerun != m_before.reruns.end()
            && ended(rerun->seq, ChangeKind::Rerun, rerun->candidate, "measuring",
                isQuickResult(m_before, *rerun) ? quickResult : "again", "not" + back);
    }
    template <typename Other> bool operator()(const Other&) { return false; }

private:
    /// What an island has that no text of its own stands in for: "version 2 of all islands"; "" where nothing was
    /// saved.
    std::string wordsOfCommonTemplate(const events::TemplateSaved& e) const
    {
        const TemplateVersion* common = e.island ? m_before.newestTemplate({}, e.name) : nullptr;
        return common && !common->text.isNull()
            ? "version " + std::to_string(common->held()) + " of " + called(IslandId{})
            : std::string();
    }

    bool tell(IslandId island, std::string what, std::string from, std::string to)
    {
        m_change.island = island;
        m_change.what = std::move(what);
        m_change.from = std::move(from);
        m_change.to = std::move(to);
        return m_change.from != m_change.to;
    }

    bool became(IslandId island, std::string what, std::string from, std::string to)
    {
        m_change.kind = ChangeKind::Became;
        return tell(island, std::move(what), std::move(from), std::move(to));
    }

    /// "c-0012 marks": of the candidate's island, if it is there already.
    bool did(ChangeKind kind, CandidateId candidate, const std::string& what, std::string from, std::string to,
        IslandId island = {})
    {
        m_change.kind = kind;
        m_change.candidate = candidate;
        const Candidate* known = m_before.candidate(candidate);
        return tell(
            known ? known->island : island, candidateName(candidate) + " " + what, std::move(from), std::move(to));
    }

    /// `takesBack`: number of the event that it takes back.
    bool ended(std::int64_t takesBack, ChangeKind kind, CandidateId candidate, const std::string& what,
        std::string from, std::string to)
    {
        m_change.isEnded = true;
        m_change.takesBack = takesBack;
        return did(kind, candidate, what, std::move(from), std::move(to));
    }

    bool tellMarks(CandidateId candidate, const Marks& marks, const std::string& after)
    {
        const Marks before = steeringPart(m_before.marksOf(candidate)), now = steeringPart(marks);
        const auto [kind, isEnded] = markingBetween(before, now);
        m_change.isEnded = isEnded;
        return before != now && did(kind, candidate, "marks", wordsOfSteering(before), wordsOfSteering(now) + after);
    }

    bool tell(IslandId island, const Difference& difference)
    {
        return !difference.what.empty()
            && tell(island, joined(difference.what, ", ") + " of " + called(island), joined(difference.from, "; "),
                joined(difference.to, "; "));
    }

    bool takenBack(const IslandChange& islandChange)
    {
        m_change.takesBack = islandChange.seq;
        const IslandId id = islandChange.before.id;
        const Island* island = m_before.island(id);
        bool told = false;
        switch (islandChange.kind) {
        case IslandChangeKind::Added:
            told = became(id, called(id), nameOf(island->standing), "ended");
            break;
        case IslandChangeKind::Standing:
            told = became(id, called(id), standingWords(islandChange.standing), nameOf(islandChange.before.standing));
            break;
        case IslandChangeKind::Steered:
            told = tell(id, between(island->steering, islandChange.before.steering));
            break;
        case IslandChangeKind::Reset:
            told = became(id, "population of " + called(id), membersText(island->members.size()),
                membersText(islandChange.before.members.size()) + " again");
            break;
        case IslandChangeKind::Migration:
            told = tell({}, "migration", wordsOf(m_before.settings.migration), wordsOf(islandChange.plan));
            break;
        }
        m_change.to += back;
        return told;
    }

    static inline const std::string back = ", undone";
    const RunState& m_before;
    RunChange& m_change;
};

template <typename... Kinds> bool isOneOf(const EventBody& body)
{
    return (std::holds_alternative<Kinds>(body) || ...);
}

} // namespace

std::optional<RunChange> changeOf(const RunState& before, const Event& event)
{
    RunChange change{event.seq, event.atUtc, before.resultsEver, before.runNs, {}, "", "", ""};
    change.isOfSettings = isOneOf<events::BudgetChanged, events::ProposerChanged, events::HintsChanged,
        events::ReviewPolicyChanged, events::ReviewLimitChanged>(event.body);
    return std::visit(Telling(before, change), event.body) ? std::optional(std::move(change)) : std::nullopt;
}

std::string wordsOfBudget(const Budget& budget)
{
    std::vector<std::string> parts;
    if (budget.evaluations > 0)
        parts.push_back(counted(budget.evaluations, "evaluation", "evaluations"));
    if (budget.wallSeconds > 0)
        parts.push_back(wordsOf(budget.wallSeconds) + " s");
    if (budget.tokens > 0)
        parts.push_back(counted(budget.tokens, "token", "tokens"));
    if (budget.costMicroUsd > 0)
        parts.push_back("$" + wordsOf(static_cast<double>(budget.costMicroUsd) / 1e6));
    if (budget.noGain > 0)
        parts.push_back(counted(budget.noGain, "evaluation", "evaluations") + " without improvement");
    if (budget.replies > 0)
        parts.push_back(counted(budget.replies, "reply", "replies"));
    return parts.empty() ? "no limit" : joined(parts, ", ");
}

std::string lineOf(const RunChange& change)
{
    return change.what + ": " + (change.from.empty() ? "" : change.from + " → ") + change.to;
}

bool isToldByItsChange(const EventBody& body)
{
    return isOneOf<events::BudgetChanged, events::IslandCreated, events::IslandStandingChanged, events::IslandSteered,
        events::IslandReset, events::MigrationPlanned, events::IslandChangeUndone>(body);
}

} // namespace tilewright
