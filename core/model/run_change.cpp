// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/run_change.h"

#include "core/base/text.h"
#include "core/model/run_state.h"

namespace tilewright {
namespace {

std::string called(IslandId island) { return island ? "island " + islandLetter(island) : "all islands"; }

std::string counted(std::size_t count) { return std::to_string(count) + (count == 1 ? " member" : " members"); }

std::string wordsOfBudget(const Budget& budget)
{
    std::vector<std::string> parts;
    if (budget.evaluations > 0)
        parts.push_back(std::to_string(budget.evaluations) + " evaluations");
    if (budget.wallSeconds > 0)
        parts.push_back(wordsOf(budget.wallSeconds) + " s");
    if (budget.tokens > 0)
        parts.push_back(std::to_string(budget.tokens) + " tokens");
    if (budget.costMicroUsd > 0)
        parts.push_back("$" + wordsOf(static_cast<double>(budget.costMicroUsd) / 1e6));
    return parts.empty() ? "no limit" : joined(parts, ", ");
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
    difference.add("selection temperature", wordsOf(before.selection), wordsOf(after.selection));
    difference.add("sampling temperature", sampling(before), sampling(after));
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
    bool operator()(const events::HintsChanged& e)
    {
        const auto& hints = m_before.settings.hints;
        const auto known = hints.find(e.island);
        return tell(e.island, "hint for " + called(e.island), known == hints.end() ? "none" : known->second,
            e.text.empty() ? "none" : e.text);
    }
    bool operator()(const events::ReviewPolicyChanged& e)
    {
        return tell(e.island, "review policy of " + called(e.island),
            nameOf(m_before.settings.reviewPolicyOf(e.island)), nameOf(e.policy));
    }
    bool operator()(const events::PhaseChanged& e)
    {
        m_change.runNs = std::max(m_change.runNs, e.runNs);
        const bool begins = m_before.candidates.empty();
        return !begins
            && tell({}, "run", nameOf(m_before.phase), nameOf(e.phase) + (e.reason.empty() ? "" : ": " + e.reason));
    }
    bool operator()(const events::InsightsWritten& e)
    {
        return e.note.author == "person" && tell({}, "your insights", "", e.note.text.isNull() ? "none" : "written");
    }
    bool operator()(const events::IslandCreated& e)
    {
        return !m_before.candidates.empty() && tell(e.id, called(e.id), "", "added, " + e.name);
    }
    bool operator()(const events::IslandStandingChanged& e)
    {
        const Island* island = m_before.island(e.island);
        return island && tell(e.island, called(e.island), nameOf(island->standing), standingWords(e));
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
            && tell(e.island, "population of " + called(e.island), counted(island->members.size()),
                e.kept.empty() ? "reset, empty" : "reset, " + counted(e.kept.size()));
    }
    bool operator()(const events::MigrationPlanned& e)
    {
        return tell({}, "migration", wordsOf(m_before.settings.migration), wordsOf(e.plan));
    }
    bool operator()(const events::LeverUndone&)
    {
        const IslandLever* lever = m_before.newestLever();
        return lever && takenBack(*lever);
    }
    template <typename Other> bool operator()(const Other&) { return false; }

private:
    bool tell(IslandId island, std::string what, std::string from, std::string to)
    {
        m_change.island = island;
        m_change.what = std::move(what);
        m_change.from = std::move(from);
        m_change.to = std::move(to);
        return m_change.from != m_change.to;
    }

    bool tell(IslandId island, const Difference& difference)
    {
        return !difference.what.empty()
            && tell(island, joined(difference.what, ", ") + " of " + called(island), joined(difference.from, "; "),
                joined(difference.to, "; "));
    }

    bool takenBack(const IslandLever& lever)
    {
        const IslandId id = lever.before.id;
        const Island* island = m_before.island(id);
        const std::string back = ", taken back";
        bool told = false;
        switch (lever.kind) {
        case LeverKind::Added:
            told = tell(id, called(id), nameOf(island->standing), "ended");
            break;
        case LeverKind::Standing:
            told = tell(id, called(id), standingWords(lever.standing), nameOf(lever.before.standing));
            break;
        case LeverKind::Steered:
            told = tell(id, between(island->steering, lever.before.steering));
            break;
        case LeverKind::Reset:
            told = tell(id, "population of " + called(id), counted(island->members.size()),
                counted(lever.before.members.size()) + " again");
            break;
        case LeverKind::Migration:
            told = tell({}, "migration", wordsOf(m_before.settings.migration), wordsOf(lever.plan));
            break;
        }
        m_change.to += back;
        return told;
    }

    const RunState& m_before;
    RunChange& m_change;
};

} // namespace

std::optional<RunChange> changeOf(const RunState& before, const Event& event)
{
    RunChange change{event.seq, event.atUtc, before.evaluationsStarted, before.runNs, {}, "", "", ""};
    return std::visit(Telling(before, change), event.body) ? std::optional(std::move(change)) : std::nullopt;
}

std::string lineOf(const RunChange& change)
{
    return change.what + ": " + (change.from.empty() ? "" : change.from + " → ") + change.to;
}

bool isLever(const EventBody& body)
{
    return std::holds_alternative<events::IslandCreated>(body)
        || std::holds_alternative<events::IslandStandingChanged>(body)
        || std::holds_alternative<events::IslandSteered>(body) || std::holds_alternative<events::IslandReset>(body)
        || std::holds_alternative<events::MigrationPlanned>(body) || std::holds_alternative<events::LeverUndone>(body);
}

} // namespace tilewright
