// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/prompt/insights.h"

#include "core/base/reply_marks.h"
#include "core/base/text.h"
#include "core/model/parent_change.h"
#include "core/prompt/examples.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace tilewright {
namespace {

constexpr std::size_t fewest = 2, mostMixed = 4;
constexpr std::size_t largestSummary = 4000; // bytes; the 100 words that are asked for have about 650

struct Record {
    std::vector<double> gains; ///< log ratios
    std::optional<Interval> latest; ///< the last of them, where it was beyond the noise
    int failed = 0, together = 0;
    bool chained = false;
};
using Records = std::map<std::string, Record>;

bool hasFailed(const Candidate& candidate)
{
    return candidate.outcome == Outcome::BuildFailed || candidate.outcome == Outcome::RunFailed
        || candidate.outcome == Outcome::Refused;
}

/// "KC 64 → 128", "NC 96 → 48" for constants that both have: another step of the same constant, or the step back, is
/// another change.
std::vector<std::string> stepsOf(const Tunables& before, const Tunables& after)
{
    std::vector<std::string> names;
    for (const auto& [name, value] : after)
        if (const auto old = before.find(name); old != before.end() && old->second != value)
            names.push_back(name + " " + std::to_string(old->second) + " → " + std::to_string(value));
    return names;
}

/// Whether an attempt made one change, or several at once.
enum class Made { Alone, Together };

void note(Records& records, const std::vector<std::string>& names, Made made, const Candidate& candidate,
    const std::optional<ParentChange>& change)
{
    const bool isMeasured = change && change->ratio.value > 0;
    for (const std::string& name : names) {
        Record& record = records[name];
        if (made == Made::Together)
            record.together += isMeasured || hasFailed(candidate);
        else if (isMeasured) {
            record.gains.push_back(std::log(change->ratio.value));
            record.chained |= !change->paired;
            record.latest = change->isWithinNoise() ? std::nullopt : std::optional(change->ratio);
        } else if (hasFailed(candidate))
            ++record.failed;
    }
}

std::vector<Insight> sorted(const Records& records)
{
    std::vector<Insight> insights;
    for (const auto& [name, record] : records) {
        const auto gain = meanGain(record.gains);
        const int tried = static_cast<int>(record.gains.size()) + record.failed;
        if (tried + record.together > 0)
            insights.push_back({name, tried, record.failed, record.together, gain.value_or(Interval{1, 1, 1}),
                record.gains.size() == 1 ? record.latest : std::nullopt, record.chained});
    }
    std::ranges::stable_sort(insights, std::greater(), [](const Insight& insight) { return insight.gain.value; });
    return insights;
}

std::string times(int count) { return count == 1 ? "once" : std::to_string(count) + " times"; }

/// "≈ +4.1 % ±2.1 over 3 attempts, failed once".
std::string aloneText(const Insight& insight)
{
    const int ranked = insight.tried - insight.failed;
    const char* about = insight.chained ? "≈ " : "";
    std::string text;
    if (ranked == 1)
        text = about + (insight.once ? briefGain(*insight.once) : numberText(insight.gain.value) + "×")
            + " in one attempt";
    else if (ranked > 1)
        text = about + briefGain(insight.gain) + " over " + std::to_string(ranked) + " attempts";
    if (insight.failed > 0)
        text += (ranked > 0 ? ", failed " : "failed ") + times(insight.failed);
    return text;
}

/// "-cut-rows" is the idea cut-rows taken out.
std::string nameText(const std::string& name) { return name.starts_with('-') ? "without " + name.substr(1) : name; }

/// What the idea is about, where the pack tells.
std::string titled(const std::string& name, const std::vector<Move>& moves)
{
    const bool isTakenOut = name.starts_with('-');
    const auto move = std::ranges::find(moves, isTakenOut ? name.substr(1) : name, &Move::name);
    return move == moves.end() || move->title.empty() ? nameText(name)
        : isTakenOut                                  ? "without '" + move->title + "'"
                                                      : move->title;
}

/// "Alone faster: KC 64 → 128 +4.1 % ±2.1 over 3 attempts; …".
void addGroup(std::string& text, const char* heading, const std::vector<Insight>& insights,
    const std::vector<Move>& moves, std::size_t most)
{
    std::vector<std::string> told;
    for (std::size_t i = 0; i < std::min(most, insights.size()); ++i)
        told.push_back(titled(insights[i].name, moves) + " " + aloneText(insights[i]));
    if (!told.empty())
        text += std::string(heading) + ": " + joined(told, "; ") + ".\n";
}

} // namespace

Result<std::string> fitSummary(const std::string& reply)
{
    const std::string text(trimmed(reply));
    if (text.empty())
        return fail("insight/unfit", "it is empty");
    if (text.size() > largestSummary)
        return fail("insight/unfit",
            "it has " + std::to_string(text.size()) + " bytes, and a summary at most "
                + std::to_string(largestSummary));
    for (const std::string_view mark : {"<proposal", "</proposal", "<diff", "</diff", "<reasoning", "</reasoning",
             "<expected_impact", "*** Begin Patch", "<<<<<<< ", ">>>>>>> ", "```"})
        if (text.find(mark) != std::string::npos)
            return fail("insight/unfit", "it holds \"" + std::string(trimmed(mark)) + "\", a mark of edits");
    for (const ReplyMark& mark : replyMarksIn(text))
        if (mark.isFirm)
            return fail("insight/unfit",
                "it holds \"" + printable(std::string_view(text).substr(mark.begin, mark.end - mark.begin))
                    + "\", a mark of thoughts or answers");
    return text + "\n";
}

std::optional<Interval> meanGain(const std::vector<double>& logs)
{
    if (logs.empty())
        return std::nullopt;
    const auto count = static_cast<double>(logs.size());
    double mean = 0, squares = 0;
    for (const double value : logs)
        mean += value / count;
    for (const double value : logs)
        squares += (value - mean) * (value - mean);
    // 97.5 % quantiles of Student's t for 1 … 10 degrees of freedom; beyond, the usual expansion around 1.96.
    static constexpr std::array<double, 10> quantiles{
        12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228};
    const double freedom = count - 1;
    double half = std::log(5.0);
    if (logs.size() > 1) {
        const double t = logs.size() - 1 <= quantiles.size() ? quantiles[logs.size() - 2] : 1.96 + 2.4 / freedom;
        half = std::min(half, t * std::sqrt(squares / freedom / count));
    }
    return Interval{std::exp(mean), std::exp(mean - half), std::exp(mean + half)};
}

Insights insightsOf(const RunState& state)
{
    Insights insights;
    Records moves, tunables, ideas;
    for (const Proposal& proposal : state.proposals) {
        if (proposal.state == ProposalState::Duplicate)
            ++insights.duplicates;
        else if (proposal.state == ProposalState::Refused && !proposal.rule.empty())
            ++insights.failures[proposal.rule];
    }
    for (const Candidate& candidate : state.candidates) {
        const Candidate* parent = candidate.parents.empty() ? nullptr : state.candidate(candidate.parents.front());
        const Proposal* proposal = state.proposal(candidate.proposal);
        if (candidate.migrated || candidate.outcome == Outcome::None)
            continue;
        if (hasFailed(candidate) && !candidate.rule.empty())
            ++insights.failures[candidate.rule];
        if (!parent || !proposal)
            continue;
        ++(candidate.isRanked() ? insights.measured : insights.unmeasured);
        const auto change = versusParent(state, candidate);
        const std::vector<std::string> constants = stepsOf(parent->tunables, candidate.tunables);
        const Made made = proposal->moves.size() + constants.size() == 1 ? Made::Alone : Made::Together;
        if (!proposal->moves.empty() || proposal->proposer == "tuner" || proposal->proposer == "mutator") {
            note(moves, proposal->moves, made, candidate, change);
            note(tunables, constants, made, candidate, change);
        } else if (const std::string idea = firstSentence(proposal->idea(), 120); !idea.empty()) {
            note(ideas, {idea}, Made::Alone, candidate, change);
        }
    }
    insights.moves = sorted(moves);
    insights.tunables = sorted(tunables);
    insights.ideas = sorted(ideas);
    return insights;
}

std::string recordText(const Insight& insight)
{
    std::string text = insight.tried > 0 ? "alone " + aloneText(insight) : "never measured alone";
    if (insight.together > 0)
        text += (insight.tried > 0 ? "; also part of " : ", part of ") + std::to_string(insight.together)
            + (insight.together == 1 ? " combination" : " combinations");
    return text;
}

std::string insightText(const RunState& state, const std::vector<Move>& moves, InsightDetail detail)
{
    const bool isWhole = detail == InsightDetail::Whole;
    const std::size_t most = isWhole ? 2 * fewest : fewest;
    const Insights insights = insightsOf(state);
    if (insights.measured + insights.unmeasured == 0 && insights.failures.empty())
        return {};
    std::vector<Insight> worked, hurt, seen, open, mixed;
    for (const auto* list : {&insights.moves, &insights.tunables, &insights.ideas})
        for (const Insight& insight : *list) {
            const bool onlyFailed = insight.tried > 0 && insight.failed == insight.tried;
            if (list == &insights.ideas && !isWhole && (onlyFailed || insight.tried == 1))
                continue; // failureLines() and attemptLines() have the latest
            (insight.tried == 0                                                   ? mixed
                    : onlyFailed || (insight.isClear() && insight.gain.value < 1) ? hurt
                    : insight.isClear()                                           ? worked
                    : insight.once                                                ? seen
                                                                                  : open)
                .push_back(insight);
        }
    std::ranges::stable_sort(worked, std::greater(), [](const Insight& insight) { return insight.gain.value; });
    std::ranges::stable_sort(hurt, {}, [](const Insight& insight) { return insight.gain.value; });
    std::ranges::stable_sort(open, std::greater(), &Insight::tried);
    std::string text = counted(insights.measured, "attempt was measured", "attempts were measured");
    if (insights.unmeasured > 0)
        text += ", " + std::to_string(insights.unmeasured) + " more failed";
    if (insights.duplicates > 0)
        text += ", " + std::to_string(insights.duplicates) + " more repeated a known program";
    text += ".\n";
    std::ranges::stable_sort(seen, std::greater(), [](const Insight& insight) { return insight.gain.value; });
    addGroup(text, "Alone faster", worked, moves, most);
    addGroup(text, "Alone slower, or failed", hurt, moves, most);
    addGroup(text, "Once beyond the noise", seen, moves, isWhole ? most : 1);
    if (!isWhole)
        return text;
    addGroup(text, "Alone without clear effect", open, moves, most);
    if (!mixed.empty()) {
        std::ranges::stable_sort(mixed, std::greater(), &Insight::together);
        std::vector<std::string> names;
        for (std::size_t i = 0; i < std::min(mostMixed, mixed.size()); ++i)
            names.push_back(titled(mixed[i].name, moves) + " " + times(mixed[i].together));
        text += "Made only along with other changes, so their own effect is not known: " + joined(names, "; ") + "\n";
    }
    if (const Candidate* best = state.candidate(state.incumbent); best && !best->tunables.empty()) {
        std::vector<std::string> values;
        for (const auto& [name, value] : best->tunables)
            values.push_back(name + " " + std::to_string(value));
        text += "Constants of the best program, " + candidateName(best->id) + ": " + joined(values, ", ") + "\n";
    }
    if (!insights.failures.empty()) {
        std::vector<std::string> rules;
        for (const auto& [rule, count] : insights.failures)
            rules.push_back(rule + " " + std::to_string(count));
        text += "Failures by rule: " + joined(rules, ", ") + "\n";
    }
    return text;
}

} // namespace tilewright
