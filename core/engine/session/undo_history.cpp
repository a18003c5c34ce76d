// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/session/undo_history.h"

#include "core/base/format.h"
#include "core/base/text.h"
#include "core/model/islands/island_change.h"
#include "core/model/islands/living_islands.h"
#include "core/model/measurement/dispute.h"
#include "core/model/reviews/review_queue.h"
#include "core/model/spent_budget.h"

#include <algorithm>
#include <set>

namespace tilewright {
namespace {

std::string called(IslandId island) { return island ? "island " + islandLetter(island) : "all islands"; }

std::string countedCandidates(std::size_t count)
{
    return counted(static_cast<std::int64_t>(count), "candidate", "candidates");
}

std::string nameOfLimit(int perIsland) { return perIsland > 0 ? std::to_string(perIsland) : "no limit"; }

enum class Setting { Budget, Proposer, Policy, Limit, Hints };
constexpr Setting allSettings[]{Setting::Budget, Setting::Proposer, Setting::Policy, Setting::Limit, Setting::Hints};

bool isSame(Setting setting, const RunSettings& one, const RunSettings& other)
{
    switch (setting) {
    case Setting::Budget:
        return one.budget == other.budget;
    case Setting::Proposer:
        return one.proposer == other.proposer;
    case Setting::Policy: // an island whose own policy says what that of all says is as one without
        return one.review == other.review || changesBetween(one.review, other.review, mostIslands).empty();
    case Setting::Limit:
        return one.reviewLimit == other.reviewLimit;
    case Setting::Hints:
        return one.hints == other.hints;
    }
    return true;
}

/// A change of one setting that stands.
struct SettingChange {
    Setting setting;
    std::vector<std::int64_t> events; ///< of one command
    const RunSettings *before, *after;
};

/// The changes that stand, by setting, oldest first.
std::vector<SettingChange> settingChanges(const RunState& run)
{
    std::map<Setting, std::vector<SettingChange>> stacks;
    const auto& all = run.settingsBefore;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const RunSettings* before = &all[i].settings;
        const RunSettings* after = i + 1 < all.size() ? &all[i + 1].settings : &run.settings;
        for (const Setting setting : allSettings) {
            if (isSame(setting, *before, *after))
                continue;
            std::vector<SettingChange>& stack = stacks[setting];
            const bool isOfLast = all[i].continued && !stack.empty();
            if (all[i].undo && !all[i].continued && !stack.empty())
                stack.pop_back();
            if (all[i].undo)
                continue;
            if (!isOfLast)
                stack.push_back({setting, {}, before, after});
            stack.back().after = after;
            stack.back().events.push_back(all[i].seq);
        }
    }
    std::vector<SettingChange> standing;
    for (const auto& [setting, stack] : stacks)
        std::ranges::copy(stack, std::back_inserter(standing));
    return standing;
}

class History
{
public:
    explicit History(const RunState& run)
        : m_run(run)
    {
    }

    std::vector<UndoEntry> all() &&
    {
        settings(); // before the reviews: a policy is undone with what it approved
        reviews();
        injected();
        islands();
        requests();
        placements();
        reruns();
        marks();
        templates();
        insights();
        std::ranges::stable_sort(m_entries, std::ranges::greater{}, &UndoEntry::seq);
        if (m_entries.size() > mostUndoEntries)
            m_entries.resize(mostUndoEntries);
        return std::move(m_entries);
    }

private:
    UndoEntry& put(UndoEntry entry)
    {
        if (entry.events.empty())
            entry.events = {entry.seq};
        return m_entries.emplace_back(std::move(entry));
    }
    void putFinal(std::int64_t seq, std::string description, std::string why)
    {
        put({seq, std::move(description), {}, std::move(why), true});
    }
    static std::string busy(const Candidate& candidate) { return candidateName(candidate.id) + " is being measured"; }
    /// What of a paused run is said of what waits for it.
    std::string oncePaused(const std::string& what) const
    {
        return m_run.phase == events::Phase::Running ? std::string() : what + " once the run continues.";
    }

    // Reviews

    bool stands(const Review& review) const
    {
        const Candidate* candidate = m_run.candidate(review.candidate);
        return review.decision != Decision::Waiting && !review.undone && candidate && candidate->review == review.id;
    }
    static std::string describe(const Review& review, std::size_t count)
    {
        const std::string what = count == 1 ? candidateName(review.candidate) : countedCandidates(count);
        switch (review.decision) {
        case Decision::Approved:
            return "Approved " + what;
        case Decision::Rejected:
            return "Rejected " + what;
        case Decision::Deferred:
            return "Deferred " + what;
        default:
            return "Replaced " + what + " by your edit " + candidateName(review.edited);
        }
    }
    static std::string pendingAgain(std::size_t pending, std::size_t all)
    {
        if (pending == all)
            return all == 1 ? "It is pending review again." : "They are pending review again.";
        return counted(static_cast<std::int64_t>(pending), "is", "are") + " pending review again; "
            + std::to_string(all - pending) + " already measured or being measured.";
    }
    /// The newest first.
    static Command undoing(const std::vector<CandidateId>& candidates)
    {
        return commands::UndoReview{{candidates.rbegin(), candidates.rend()}};
    }
    /// The decisions that one command recorded, by the event of each, as far as they stand.
    void reviews()
    {
        std::map<std::int64_t, const Review*> decided;
        for (const Review& review : m_run.reviews)
            if (review.decidedSeq > 0 && review.decision != Decision::Waiting)
                decided[review.decidedSeq] = &review;
        std::vector<const Review*> together;
        std::int64_t last = 0;
        const auto flush = [&] {
            std::erase_if(together, [this](const Review* each) { return !stands(*each); });
            if (!together.empty() && together.front()->by == byPolicy)
                approvedByPolicy(together);
            else if (!together.empty())
                decisions(together);
            together.clear();
        };
        for (const auto& [seq, review] : decided) {
            const bool isTogether = !together.empty() && seq == last + 1 && together.back()->by == review->by
                && (review->continued || review->by == byPolicy);
            if (!isTogether)
                flush();
            together.push_back(review);
            last = seq;
        }
        flush();
    }
    void decisions(const std::vector<const Review*>& together)
    {
        const Review& first = *together.front();
        std::vector<CandidateId> open;
        std::vector<std::int64_t> events;
        const Candidate* underWay = nullptr;
        for (const Review* each : together) {
            const Candidate* after = measuredAfter(m_run, *each);
            if (!after) {
                open.push_back(each->candidate);
                events.push_back(each->decidedSeq);
            } else if (!after->isOver()) {
                underWay = after;
            }
        }
        const std::string description = describe(first, together.size());
        const std::int64_t seq = together.back()->decidedSeq;
        if (open.empty() && !underWay)
            return putFinal(seq, description, "its result is measured and stays");
        UndoEntry& entry = put({seq, description, {undoing(open)}});
        entry.blocked = open.empty() ? busy(*underWay) : std::string();
        entry.afterUndo = pendingAgain(open.size(), together.size());
        entry.reopened = std::move(open);
        entry.events = std::move(events);
        if (first.decision == Decision::Approved || first.decision == Decision::Edited)
            entry.effect = oncePaused(entry.reopened.size() == 1 ? "It is measured" : "They are measured");
    }
    /// What a change of policy let through, as far as it can come back, and that change if it can be undone with it:
    /// else candidates would be pending where none is asked about.
    void approvedByPolicy(const std::vector<const Review*>& together)
    {
        std::vector<CandidateId> open;
        const Candidate* after = nullptr;
        for (const Review* each : together)
            if (const Candidate* measured = measuredAfter(m_run, *each))
                after = measured;
            else
                open.push_back(each->candidate);
        if (open.empty() && (!after || after->isOver()))
            return; // their figures stand: nothing is left to undo
        const auto change = std::ranges::find_if(
            m_entries, [this](const UndoEntry& each) { return each.seq == m_policySeq && each.blocked.empty(); });
        const std::string approved = "approving " + countedCandidates(together.size());
        const std::string then = open.empty() ? std::string() : pendingAgain(open.size(), together.size());
        if (change != m_entries.end() && change->seq < together.front()->decidedSeq && !open.empty()) {
            change->description += ", " + approved;
            change->seq = together.back()->decidedSeq;
            change->inverse.insert(change->inverse.begin(), undoing(open));
            change->afterUndo = then;
            change->reopened = open;
            return;
        }
        UndoEntry& entry
            = put({together.back()->decidedSeq, "The review policy approved " + countedCandidates(together.size()),
                {undoing(open)}, open.empty() ? busy(*after) : std::string()});
        entry.afterUndo = then;
        entry.reopened = std::move(open);
        for (const Review* each : together)
            entry.events.push_back(each->decidedSeq);
    }

    // Candidates

    void injected()
    {
        for (const Candidate& candidate : m_run.candidates) {
            if (candidate.review || candidate.takenBack || !isHandwritten(m_run, candidate))
                continue;
            const std::string description = "Added your version " + candidateName(candidate.id);
            if (candidate.rule == "person/withdrawn")
                continue;
            if (candidate.isOver()) {
                putFinal(candidate.seq, description, "it was built and judged, and its result stays");
                continue;
            }
            UndoEntry& entry = put({candidate.seq, description, {commands::Withdraw{candidate.id}},
                canBeWithdrawn(m_run, candidate) ? std::string() : busy(candidate)});
            const std::string effect = oncePaused("It is built and measured");
            entry.effect = effect.empty() ? "It is built, checked and measured next." : effect;
        }
    }
    void requests()
    {
        for (const SteeringRequest& steering : m_run.steeringRequests) {
            if (steering.withdrawn)
                continue;
            const std::string name = candidateName(steering.parent);
            const std::string description = steering.isForJudge() ? "Requested a judgement of " + name
                : !steering.idea.empty()
                ? "Requested an edit of " + name + " with the idea: " + printable(steering.idea)
                : steering.prompt ? "Requested an edit of " + name + " with the prompt " + steering.prompt.templateName
                                  : "Requested " + counted(steering.count, "edit", "edits") + " of " + name;
            if (!steering.isOpen()) {
                putFinal(steering.seq, description, "it was sent already");
                continue;
            }
            UndoEntry& entry
                = put({steering.seq, description, {commands::CancelRequests{steering.parent, steering.id}}});
            entry.effect = oncePaused("It is sent");
        }
    }
    void placements()
    {
        for (const Placement& placement : m_run.placements) {
            const Candidate* copy = m_run.candidate(placement.copy);
            if (!placement.undone && copy)
                put({copy->seq,
                    (placement.placing == Placing::Move ? "Moved " : "Copied ") + candidateName(placement.from) + " to "
                        + called(copy->island) + " as " + candidateName(placement.copy),
                    {commands::UndoPlacement{placement.copy}}});
        }
    }
    void reruns()
    {
        std::set<CandidateId> open; // one command cancels all of a candidate
        for (auto rerun = m_run.reruns.rbegin(); rerun != m_run.reruns.rend(); ++rerun) {
            const bool isQuick = isQuickResult(m_run, *rerun);
            const std::string description = (isQuick ? "Requested a quick result of " : "Requested a re-run of ")
                + candidateName(rerun->candidate);
            if (rerun->evaluation) {
                putFinal(rerun->seq, description, "it is measured, and its result stays");
            } else if (rerun->isOpen() && open.insert(rerun->candidate).second) {
                UndoEntry& entry = put({rerun->seq, description, {commands::CancelReruns{rerun->candidate}}});
                entry.effect = isQuick ? "It is measured once the device is free." : "";
                entry.afterUndo = isQuick ? "It is pending review as before." : "";
            }
        }
    }
    /// Of each candidate the last change of its marks.
    void marks()
    {
        for (const auto& [id, held] : m_run.marks) {
            if (held.empty())
                continue;
            const Marks before = held.size() > 1 ? held[held.size() - 2].marks : Marks{};
            const Marks& now = held.back().marks;
            UndoEntry& entry = put({held.back().seq, describeLastMarks(m_run, id), {commands::UndoMarks{id}}});
            const std::string name = candidateName(id);
            entry.afterUndo = before.banned && !now.banned ? name + " is banned again."
                : before.pinned && !now.pinned             ? name + " is pinned again."
                : before.starred && !now.starred           ? name + " is starred again."
                                                           : "";
            entry.effect = before.banned == now.banned ? "" : effectOnBest(id, now.banned);
        }
    }
    /// Who is the best after a ban came or went, if that changed it.
    std::string effectOnBest(CandidateId marked, bool banned) const
    {
        const Candidate* best = m_run.best();
        if (!banned)
            return best && isCopyOf(m_run, best->id, marked) ? "It is the best again." : "";
        // The newest of those that were the best before, which is banned now: it was it.
        const auto newest = std::find_if(m_run.incumbents.rbegin(), m_run.incumbents.rend(),
            [&](CandidateId each) { return (best && each == best->id) || banOf(m_run, each) == marked; });
        if (newest == m_run.incumbents.rend() || (best && *newest == best->id))
            return "";
        return "It was the best; "
            + (best ? "the best is now " + candidateName(best->id)
                        + (best->score ? ", " + fixedText(best->score->value, 2) + "× baseline." : ".")
                    : "none is confirmed now.");
    }

    // Islands

    void islands()
    {
        const IslandChange* newest = m_run.newestIslandChange();
        for (const IslandChange& islandChange : m_run.islandChanges) {
            if (islandChange.undone)
                continue;
            const bool isNewest = newest && newest->number == islandChange.number;
            UndoEntry& entry = put({islandChange.seq, tilewright::describe(m_run, islandChange),
                {commands::UndoIslandCommand{}}, isNewest ? "" : "a later island command must be undone first"});
            if (isNewest && islandChange.kind == IslandChangeKind::Added) {
                const UnderWay under = underWayFor(m_run, islandChange.before.id);
                entry.afterUndo = under == UnderWay{} ? "" : "Of its in-flight work: " + wordsOf(under) + ".";
            }
        }
    }

    // Prompts

    /// Of each template of each island the newest command.
    void templates()
    {
        std::set<std::pair<IslandId, std::string>> seen;
        for (const TemplateVersion& each : m_run.templates) {
            if (!seen.insert({each.island, each.name}).second)
                continue;
            const TemplateVersion* newest = newestTemplateOrder(m_run.templates, each.island, each.name);
            if (!newest)
                continue;
            const TemplateVersion* before = heldBefore(m_run.templates, *newest);
            const bool isDeleted = newest->text.isNull() || newest->again;
            const int version = isDeleted && before ? before->held() : newest->number;
            put({newest->seq,
                (isDeleted ? "Deleted version " : "Saved version ") + std::to_string(version) + " of the template "
                    + newest->name + " for " + called(newest->island),
                {commands::UndoTemplate{newest->island, newest->name}}});
        }
    }
    void insights()
    {
        const std::vector<InsightNote> held = insightsHeld(m_run);
        if (held.size() > 1)
            put({held.back().seq, "Changed your insights", {commands::RestoreInsights{held[held.size() - 2].text}}});
    }

    // Settings

    void settings()
    {
        std::map<Setting, const SettingChange*> newest;
        const std::vector<SettingChange> all = settingChanges(m_run);
        for (const SettingChange& change : all)
            newest[change.setting] = &change;
        for (const SettingChange& change : all) {
            const bool isNewest = newest[change.setting] == &change;
            const std::string why
                = isNewest ? whyNot(change) : std::string("a later change of the same setting must be undone first");
            UndoEntry& entry = put({change.events.back(), describe(change), inverseOf(change), why});
            entry.events = change.events;
            if (isNewest && change.setting == Setting::Policy)
                m_policySeq = entry.seq;
            if (isNewest && change.setting == Setting::Budget) {
                const std::string spent = spentAlready(spentBy(m_run, m_run.runNs), m_run.settings.budget);
                entry.effect = spent.empty() ? "" : spent + ".";
            }
        }
    }
    /// Nothing that is pending is approved unread.
    std::string whyNot(const SettingChange& change) const
    {
        std::size_t through = 0;
        for (IslandId island{1}; change.setting == Setting::Policy && island.value <= m_run.islandCount();
             ++island.value)
            through += letThroughByPolicies(m_run, island, change.before->reviewPoliciesOf(island)).size();
        return through == 0 ? std::string()
                            : counted(static_cast<std::int64_t>(through), "pending candidate", "pending candidates")
                + " would be approved unread; change the policy in Review, which asks first";
    }
    std::string describe(const SettingChange& change) const
    {
        const RunSettings &before = *change.before, &after = *change.after;
        const auto changed = [](const std::string& what, const std::string& from, const std::string& to) {
            return "Changed " + what + " from " + from + " to " + to;
        };
        switch (change.setting) {
        case Setting::Budget:
            return changed("the budget", wordsOfBudget(before.budget), wordsOfBudget(after.budget));
        case Setting::Proposer:
            return changed("the proposer", before.proposer, after.proposer);
        case Setting::Limit:
            return changed("the review limit", nameOfLimit(before.reviewLimit), nameOfLimit(after.reviewLimit));
        case Setting::Policy:
            break;
        case Setting::Hints: {
            std::vector<std::string> islands;
            for (IslandId island{}; island.value <= m_run.islandCount(); ++island.value)
                if (hintOf(before, island) != hintOf(after, island))
                    islands.push_back(called(island));
            return "Changed the hints for " + joined(islands, ", ");
        }
        }
        std::vector<std::string> parts;
        for (const auto& each : changesBetween(before.review, after.review, m_run.islandCount())) {
            const ReviewPolicies from = policiesOf(before.review, each.island);
            parts.push_back("of " + tilewright::describe(each.scope()) + " from "
                + (each.proposer ? nameOf(from.of(*each.proposer)) : tilewright::describe(from)) + " to "
                + nameOf(each.policy));
        }
        return "Changed the review policy " + joined(parts, ", ");
    }
    static std::string hintOf(const RunSettings& settings, IslandId island)
    {
        const auto held = settings.hints.find(island);
        return held == settings.hints.end() ? "" : held->second;
    }
    std::vector<Command> inverseOf(const SettingChange& change) const
    {
        const RunSettings& before = *change.before;
        switch (change.setting) {
        case Setting::Budget:
            return {commands::SetBudget{before.budget}};
        case Setting::Proposer:
            return {commands::SetProposer{before.proposer}};
        case Setting::Limit:
            return {commands::SetReviewLimit{before.reviewLimit}};
        case Setting::Policy:
            return {
                commands::SetReviewPolicies{changesBetween(m_run.settings.review, before.review, m_run.islandCount())}};
        case Setting::Hints:
            break;
        }
        std::vector<Command> inverse;
        for (IslandId island{}; island.value <= m_run.islandCount(); ++island.value)
            if (hintOf(before, island) != hintOf(m_run.settings, island))
                inverse.push_back(commands::SetHints{island, hintOf(before, island)});
        return inverse;
    }

    const RunState& m_run;
    std::vector<UndoEntry> m_entries;
    std::int64_t m_policySeq = 0; ///< of the newest change of the review policy that stands
};

using TextOf = std::function<std::string(const Hash&)>;

/// The command that recorded an event, or none.
class Repeater
{
public:
    Repeater(const RunState& run, const TextOf& textOf, std::vector<Command>& made)
        : m_run(run)
        , m_textOf(textOf)
        , m_made(made)
    {
    }

    bool operator()(const events::BudgetChanged& e) { return put(commands::SetBudget{e.budget}); }
    bool operator()(const events::ProposerChanged& e) { return put(commands::SetProposer{e.proposer}); }
    bool operator()(const events::HintsChanged& e) { return put(commands::SetHints{e.island, e.text}); }
    bool operator()(const events::ReviewLimitChanged& e) { return put(commands::SetReviewLimit{e.perIsland}); }
    bool operator()(const events::ReviewPolicyChanged& e)
    {
        if (auto* last = std::get_if<commands::SetReviewPolicies>(m_made.empty() ? nullptr : &m_made.back()))
            return last->changes.push_back(e), true;
        // Nothing that waits is approved unread.
        return put(commands::SetReviewPolicies{{e}, WhatWaits::Stays});
    }
    bool operator()(const events::Reviewed& e)
    {
        const Review* review = m_run.review(e.id);
        const Candidate* edited = review ? m_run.candidate(e.edited) : nullptr;
        if (edited)
            return put(commands::ApproveEdited{review->candidate, m_textOf(edited->source), e.reason});
        if (!review)
            return false;
        if (auto* last = std::get_if<commands::Decide>(m_made.empty() ? nullptr : &m_made.back()))
            return last->candidates.push_back(review->candidate), true;
        return put(commands::Decide{{review->candidate}, e.decision, e.reason});
    }
    bool operator()(const events::InsightsWritten& e) { return put(commands::RestoreInsights{e.note.text}); }
    bool operator()(const events::TemplateSaved& e)
    {
        PromptDraft draft{e.island, e.name, {}, {}};
        if (!e.text.isNull() && e.again == 0)
            draft.text = m_textOf(e.text);
        return put(commands::SaveTemplate{std::move(draft), e.note});
    }
    bool operator()(const events::Marked& e) { return put(CandidateCommand(commands::SetMarks{e.candidate, e.marks})); }
    bool operator()(const events::SteeringRequested& e)
    {
        if (e.steering.isForJudge() && e.steering.prompt.changed.empty())
            return put(CandidateCommand(commands::RequestJudgement{e.steering.parent}));
        return put(CandidateCommand(
            commands::RequestEdits{e.steering.parent, e.steering.count, e.steering.idea, e.steering.prompt}));
    }
    bool operator()(const events::Placed& e)
    {
        return put(CandidateCommand(commands::Place{e.from, e.copy.island, e.placing}));
    }
    bool operator()(const events::RerunAsked& e)
    {
        return e.shapes.empty()
            && put(CandidateCommand(commands::Rerun{e.candidate, e.repeats, e.against, {}, e.device}));
    }
    bool operator()(const events::IslandSteered& e)
    {
        return put(IslandCommand(commands::SteerIsland{e.island, e.steering}));
    }
    bool operator()(const events::IslandStandingChanged& e)
    {
        return put(e.into                        ? IslandCommand(commands::MergeIsland{e.island, e.into})
                : e.standing == Standing::Paused ? IslandCommand(commands::PauseIsland{e.island})
                                                 : IslandCommand(commands::ResumeIsland{e.island}));
    }
    bool operator()(const events::MigrationPlanned& e) { return put(IslandCommand(commands::PlanMigration{e.plan})); }
    template <typename Other> bool operator()(const Other&) { return false; }

private:
    bool put(Command command)
    {
        m_made.push_back(std::move(command));
        return true;
    }

    const RunState& m_run;
    const TextOf& m_textOf;
    std::vector<Command>& m_made;
};

} // namespace

std::string describeLastMarks(const RunState& run, CandidateId id)
{
    const auto held = run.marks.find(id);
    if (held == run.marks.end() || held->second.empty())
        return "";
    const Marks before = held->second.size() > 1 ? held->second[held->second.size() - 2].marks : Marks{};
    const Marks& now = held->second.back().marks;
    const std::string name = candidateName(id);
    if (now.banned != before.banned && now.pinned != before.pinned)
        return now.banned ? "Banned " + name + ", no longer pinned" : "Pinned " + name + ", no longer banned";
    if (now.banned != before.banned)
        return (now.banned ? "Banned " : "Unbanned ") + name;
    if (now.pinned != before.pinned)
        return (now.pinned ? "Pinned " : "Unpinned ") + name;
    if (now.starred != before.starred)
        return (now.starred ? "Starred " : "Unstarred ") + name;
    if (now.boost != before.boost)
        return "Boosted " + name + " ×" + wordsOf(now.boost);
    return (now.tags != before.tags ? "Changed the tags of " : "Changed the note of ") + name;
}

std::string describe(const RunState& run, const IslandChange& islandChange)
{
    const std::string island = called(islandChange.before.id);
    const auto change = std::ranges::find(run.changes, islandChange.seq, &RunChange::seq);
    const std::string values = change == run.changes.end() ? "" : ": " + change->from + " → " + change->to;
    switch (islandChange.kind) {
    case IslandChangeKind::Added:
        return islandChange.before.clonedFrom ? "Cloned " + called(islandChange.before.clonedFrom) + " as " + island
                                              : "Added " + island;
    case IslandChangeKind::Steered:
        return "Steered " + island + values;
    case IslandChangeKind::Reset:
        return "Reset " + island;
    case IslandChangeKind::Migration:
        return "Changed the migration plan" + values;
    case IslandChangeKind::Standing:
        break;
    }
    return islandChange.standing.into ? "Merged " + island + " into " + called(islandChange.standing.into)
        : islandChange.standing.standing == Standing::Paused ? "Paused " + island
                                                             : "Resumed " + island;
}

std::vector<InsightNote> insightsHeld(const RunState& run)
{
    std::vector<InsightNote> held{{}};
    for (const InsightNote& note : run.insights) {
        if (note.author != "person" || note.text == held.back().text)
            continue;
        if (held.size() > 1 && held[held.size() - 2].text == note.text)
            held.pop_back();
        else
            held.push_back(note);
    }
    return held;
}

std::vector<UndoEntry> undoHistory(const RunState& run) { return History(run).all(); }

Result<std::vector<Command>> commandsOf(const std::vector<Event>& events, const RunState& run, const TextOf& textOf)
{
    std::vector<Command> made;
    Repeater repeater(run, textOf, made);
    for (const Event& event : events)
        if (!std::visit(repeater, event.body))
            return fail("undo/no-redo", "this cannot be redone", "execute the command again");
    if (made.empty())
        return fail("undo/no-redo", "this cannot be redone", "execute the command again");
    return made;
}

} // namespace tilewright
