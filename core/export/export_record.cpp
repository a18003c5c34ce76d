// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/export/export_record.h"

#include "core/base/format.h"
#include "core/base/names.h"
#include "core/base/text.h"
#include "core/export/not_covered.h"
#include "core/model/best.h"
#include "core/model/measurement/dispute.h"
#include "core/model/measurement/pair_ladder.h"
#include "core/model/requests/conversation.h"
#include "core/patch/diff.h"

#include <algorithm>
#include <map>
#include <set>

namespace tilewright {
namespace {

constexpr CandidateId seedId{1};

constexpr NameTable<Finding, 5> findingNames{
    {{Finding::Faster, "faster"}, {Finding::FasterOnTrain, "faster-on-train"}, {Finding::NotFaster, "not-faster"},
        {Finding::Disputed, "disputed"}, {Finding::RefusedOnSealed, "refused-on-sealed"}}};

/// The user is "person" in sessions.
std::string nameOfAuthor(const std::string& author) { return author == "person" ? "user" : author; }

std::string authorOfCandidate(const RunState& state, const Candidate& candidate)
{
    const Proposal* proposal = state.proposal(candidate.proposal);
    if (!proposal)
        return candidate.id == seedId ? "seed" : "not recorded";
    return authorOf(state, *proposal);
}

void countLines(LineageStep& step)
{
    for (const std::string_view line : splitLines(step.diff)) {
        if (line.starts_with("+") && !line.starts_with("+++ "))
            ++step.linesAdded;
        if (line.starts_with("-") && !line.starts_with("--- "))
            ++step.linesRemoved;
    }
}

/// From the candidate to the seed by first parents; copies on other islands are the program that they copy.
std::vector<const Candidate*> firstParents(const RunState& state, CandidateId from)
{
    std::vector<const Candidate*> way;
    std::set<CandidateId> seen;
    for (const Candidate* at = state.candidate(originOf(state, from)); at && seen.insert(at->id).second;) {
        way.push_back(at);
        at = at->parents.empty() ? nullptr : state.candidate(originOf(state, at->parents.front()));
    }
    std::ranges::reverse(way);
    return way;
}

std::vector<LineageStep> lineageOf(
    const RunState& state, CandidateId candidate, const ExportSource& source, const std::string& file)
{
    std::vector<LineageStep> steps;
    std::string before;
    std::set<std::string> movesBefore;
    for (const Candidate* each : firstParents(state, candidate)) {
        LineageStep step;
        step.candidate = each->id;
        step.generation = each->generation;
        step.author = authorOfCandidate(state, *each);
        if (const Proposal* proposal = state.proposal(each->proposal)) {
            step.proposer = proposal->proposer;
            step.focus = nameOf(proposal->focus);
            step.title = proposal->title;
            step.reasoning = proposal->reasoning;
            step.claim = proposal->claim;
        }
        for (const std::string& move : each->moves)
            if (!movesBefore.contains(move))
                step.moves.push_back(move);
        movesBefore = {each->moves.begin(), each->moves.end()};
        step.repairs = each->repairs;
        for (std::size_t i = 1; i < each->parents.size(); ++i)
            step.otherParents.push_back(originOf(state, each->parents[i]));
        const std::string text = source.textOf(each->source);
        if (!steps.empty())
            step.diff = unifiedDiff(before, text, file);
        before = text;
        countLines(step);
        step.score = each->score;
        step.confirmed = each->confirmed;
        if (!steps.empty())
            step.change = versusOther(state, *each, steps.back().candidate);
        for (const Review& review : state.reviews)
            if (review.candidate == each->id && !review.isWaiting() && !review.undone) {
                step.reviews.push_back(review);
                step.reviews.back().by = nameOfAuthor(review.by);
            }
        steps.push_back(std::move(step));
    }
    return steps;
}

void sortIn(SlowerThan& list, const ShapeResult& shape, const std::optional<Interval>& ratio)
{
    if (!ratio)
        return;
    ++list.measured;
    if (ratio->hi < 1)
        list.slower.push_back({shape.shape, shape.split, *ratio});
    else if (ratio->lo > 1)
        ++list.faster;
    else
        ++list.undecided;
}

std::string nameWithId(const std::string& words, CandidateId id) { return words + ", " + candidateName(id); }

std::vector<SlowerThan> slowerThan(const RunState& state, const Candidate& candidate, const ExportRecord& record)
{
    SlowerThan baseline{"baseline", nameWithId("the seed", seedId)},
        incumbent{"previous best", nameWithId("the best before it", record.against)},
        vendor{"vendor library", record.evidence.vendor ? describe(*record.evidence.vendor) : "not recorded"},
        parent{"parent", ""};
    const CandidateId parentId
        = record.lineage.size() > 1 ? record.lineage[record.lineage.size() - 2].candidate : seedId;
    parent.name = nameWithId("the program it was made from", parentId);
    for (const ShapeResult& shape : record.result.shapes) {
        sortIn(baseline, shape, shape.versusBaseline);
        if (record.against && record.against != seedId && record.against != candidate.id)
            sortIn(incumbent, shape, shape.versusIncumbent);
        sortIn(vendor, shape, shape.versusVendor);
        if (parentId != seedId && parentId != record.against)
            if (const auto change = versusParentOn(state, candidate, shape.shape))
                sortIn(parent, shape, change->ratio);
    }
    std::vector<SlowerThan> all;
    for (SlowerThan* list : {&baseline, &parent, &incumbent, &vendor})
        if (list->measured > 0)
            all.push_back(std::move(*list));
    return all;
}

void addRejected(std::map<std::string, RejectedByRule>& all, const std::string& rule, const std::string& example,
    const std::string& text, bool isReply)
{
    RejectedByRule& entry = all[(isReply ? "reply " : "") + rule];
    if (entry.count++ == 0) {
        entry.rule = rule;
        entry.example = example;
        entry.text = oneLine(text, 300);
        entry.isReply = isReply;
    }
}

void fillRejected(const RunState& state, ExportRecord& record)
{
    std::map<std::string, RejectedByRule> all;
    for (const Candidate& candidate : state.candidates) {
        if (candidate.migrated || candidate.rule.starts_with("review/")) // those have a list of their own
            continue;
        if (!candidate.rule.empty())
            addRejected(all, candidate.rule, candidateName(candidate.id), candidate.text, false);
    }
    for (const Proposal& proposal : state.proposals)
        if (proposal.state == ProposalState::Refused || proposal.state == ProposalState::Duplicate)
            addRejected(all, proposal.rule.empty() ? nameOf(proposal.state) : proposal.rule,
                "proposal " + std::to_string(proposal.id.value), proposal.detail, true);
    for (auto& [key, entry] : all)
        record.rejected.push_back(std::move(entry));
    std::ranges::stable_sort(record.rejected, std::greater<>(), &RejectedByRule::count);
    for (const Review& review : state.reviews) {
        if (review.decision != Decision::Rejected || review.undone)
            continue;
        const Candidate* candidate = state.candidate(review.candidate);
        const Proposal* proposal = candidate ? state.proposal(candidate->proposal) : nullptr;
        record.rejectedInReview.push_back({review.candidate, nameOfAuthor(review.by), oneLine(review.reason, 300),
            proposal ? oneLine(proposal->idea(), 160) : ""});
    }
}

void fillNotProven(const RunState& state, ExportRecord& record)
{
    for (const Candidate& candidate : state.candidates) {
        if (!candidate.confirmed || candidate.migrated || candidate.id == seedId || candidate.id == record.candidate)
            continue;
        const auto why = whyNotBest(state, candidate);
        if (!why || why->why != NotBest::Why::NotProven)
            continue;
        record.notProven.push_back(candidateName(candidate.id) + ": " + nameOf(why->verdict) + " beside "
            + candidateName(why->against) + (why->ratio ? ", " + timesText(*why->ratio) : std::string()));
    }
}

void fillContributions(const RunState& state, ExportRecord& record)
{
    std::map<std::string, Contribution> all;
    const auto of = [&all](const std::string& author) -> Contribution& {
        Contribution& entry = all[author];
        entry.author = author;
        return entry;
    };
    for (const LineageStep& step : record.lineage)
        ++of(step.author).steps;
    for (const Proposal& proposal : state.proposals)
        ++of(authorOf(state, proposal)).proposals;
    for (const Candidate& candidate : state.candidates) {
        if (candidate.migrated)
            continue;
        Contribution& entry = of(authorOfCandidate(state, candidate));
        ++entry.candidates;
        entry.ranked += candidate.isRanked() ? 1 : 0;
    }
    for (const ModelRequest& request : state.modelRequests) {
        const std::string& author = !request.answer.model.empty() ? request.answer.model
            : !request.model.empty()                              ? request.model
                                                                  : request.proposer;
        if (all.contains(author))
            all[author].tokens += request.answer.tokens.total();
    }
    for (auto& [author, entry] : all)
        record.contributions.push_back(std::move(entry));
    std::ranges::stable_sort(record.contributions, std::greater<>(), &Contribution::steps);
}

void fillSealed(const RunState& state, const Task& task, ExportRecord& record)
{
    record.measuredOnSealed = static_cast<std::int64_t>(state.sealedMeasurements.size());
    const SealedMeasurement* measured = state.sealedMeasurement(record.candidate);
    if (!measured) {
        record.sealedNote = task.sealed.empty() ? "the task has no sealed shapes" : "not measured";
        return;
    }
    record.sealedOutcome = measured->result.outcome;
    record.sealed = measured->result.shapes;
    record.sealedScore = measured->result.score;
    record.sealedVsVendor = measured->result.vsVendor;
    if (measured->result.outcome != Outcome::Ranked)
        record.sealedNote
            = nameOf(measured->result.outcome) + " by the rule " + measured->result.rule + ": " + measured->result.text;
}

std::string findingWords(Agreement agreement, const EvaluationResult& result)
{
    switch (agreement) {
    case Agreement::Contradicts:
        return "contradicts the figures";
    case Agreement::Drift:
        return "the machine changed: the baseline took another time as well";
    case Agreement::Faster:
        return "faster than before";
    case Agreement::Agrees:
        return "agrees";
    case Agreement::IsBaseline:
        return "it is the baseline";
    case Agreement::OtherModel:
        return "on another kind of device";
    case Agreement::OtherShapes:
        return "on other shapes";
    case Agreement::NoVerdict:
    case Agreement::NotMeasured:
        break;
    }
    return nameOf(result.outcome) + (result.rule.empty() ? "" : " (" + result.rule + ")");
}

void fillReruns(const RunState& state, const Candidate& candidate, ExportRecord& record)
{
    for (const Rerun& rerun : state.reruns) {
        const Evaluation* evaluation = state.evaluation(rerun.evaluation);
        if (!evaluation || originOf(state, rerun.candidate) != candidate.id || isQuickResult(state, rerun))
            continue;
        Rerun unlike = rerun;
        unlike.against = {}; // has a member of its own
        const std::string words = wordsOf(unlike);
        constexpr std::size_t comma = 2;
        RerunFigures figures{evaluation->id, evaluation->against, "", words.empty() ? "" : words.substr(comma),
            evaluation->result.score, evaluation->result.versusIncumbent, evaluation->result.vsVendor,
            findingWords(findingOf(state, candidate, *evaluation).agreement, evaluation->result)};
        for (const LogLine& line : state.log)
            if (line.seq == rerun.seq)
                figures.askedAtUtc = line.atUtc;
        record.reruns.push_back(std::move(figures));
    }
}

void fillFinding(ExportRecord& record)
{
    const double margin = verdictMargin(noiseMargin(record.result.noiseFloor));
    const std::string beyond = " beyond the margin of " + percentText(margin);
    const auto& score = record.result.score;
    const auto& heldout = record.result.heldoutScore;
    const auto& sealed = record.sealedScore;
    if (record.sealedOutcome != Outcome::None && record.sealedOutcome != Outcome::Ranked) {
        record.finding = Finding::RefusedOnSealed;
        record.findingText = "Refused on sealed shapes: " + record.sealedNote + "."
            + (record.dispute.empty() ? std::string() : " " + record.dispute);
    } else if (!record.dispute.empty()) {
        record.finding = Finding::Disputed;
        record.findingText = record.dispute;
    } else if (!score || score->lo <= 1 + margin) {
        record.finding = Finding::NotFaster;
        record.findingText = "Not shown to be faster than the baseline" + beyond + ".";
    } else if (!heldout || heldout->lo <= 1 + margin) {
        record.finding = Finding::FasterOnTrain;
        record.findingText = "Faster than the baseline on train shapes" + beyond + "; "
            + (heldout ? "held-out shapes do not confirm it." : "no held-out shapes were measured.");
    } else if (sealed && sealed->lo <= 1 + margin) {
        record.finding = Finding::FasterOnTrain;
        record.findingText
            = "Faster than the baseline on train and held-out shapes" + beyond + "; sealed shapes do not confirm it.";
    } else {
        record.finding = Finding::Faster;
        record.findingText = (sealed ? "Faster than the baseline on train, held-out and sealed shapes"
                                     : "Faster than the baseline on train and on held-out shapes")
            + beyond + ".";
    }
}

/// What the figures say beside the vendor library; "" where it was not timed, and while the figures are disputed.
std::string vendorSentence(const ExportRecord& record)
{
    const auto& ratio = record.result.vsVendor;
    if (!ratio || !record.dispute.empty())
        return {};
    const std::string name = record.evidence.vendor ? record.evidence.vendor->name : std::string("the vendor library");
    const double margin = verdictMargin(noiseMargin(record.result.noiseFloor));
    std::string text = ratio->lo > 1 + margin ? " Faster than " + name
        : ratio->hi < 1 - margin              ? " Slower than " + name
                                              : " No difference to " + name + " shown";
    for (const SlowerThan& list : record.slower)
        if (list.opponent == "vendor library" && !list.slower.empty())
            text += ", and slower on " + std::to_string(list.slower.size()) + " of " + std::to_string(list.measured)
                + " shapes";
    return text + ".";
}

std::int64_t confirmationsIn(const RunState& state)
{
    std::set<CandidateId> confirmed;
    for (const Evaluation& evaluation : state.evaluations)
        if (evaluation.result.purpose == Purpose::Confirm)
            confirmed.insert(originOf(state, evaluation.candidate));
    return static_cast<std::int64_t>(confirmed.size());
}

} // namespace

std::string nameOf(Finding finding) { return nameIn(findingNames, finding); }

Result<ExportRecord> exportRecordOf(
    const RunState& state, CandidateId wanted, const TaskPack& pack, ExportSource source)
{
    const CandidateId id = originOf(state, wanted);
    const Candidate* candidate = state.candidate(id);
    if (!candidate)
        return fail("candidate/unknown", "the session has no candidate " + candidateName(wanted),
            "'show FILE --all' lists them");
    const Evaluation* evaluation = state.evaluation(candidate->latest);
    if (!evaluation || !candidate->confirmed || !candidate->isRanked())
        return fail("export/unconfirmed",
            candidateName(id) + " has no confirmation that ranked it ("
                + (candidate->outcome == Outcome::None ? nameOf(candidate->stage) : nameOf(candidate->outcome))
                + (candidate->rule.empty() ? std::string() : ", " + candidate->rule) + ")",
            "only confirmed candidates are exported; 'save' writes any candidate's program");
    ExportRecord record;
    record.taskName = pack.task.name;
    record.taskTitle = pack.task.title;
    record.operation = pack.task.operation;
    record.target = nameOf(pack.task.target);
    record.candidate = id;
    record.programHash = candidate->program.hex();
    record.sourceHash = candidate->source.hex();
    record.evaluation = evaluation->id;
    record.result = evaluation->result;
    record.evidence = evidenceOf(state, *candidate, &pack.task);
    record.audited = candidate->audited;
    record.dispute = disputeText(state, *candidate);
    fillReruns(state, *candidate, record);
    record.against = evaluation->against ? originOf(state, evaluation->against) : CandidateId{};
    record.lineage = lineageOf(state, id, source, pack.task.sources.front());
    record.slower = slowerThan(state, *candidate, record);
    fillRejected(state, record);
    fillNotProven(state, record);
    fillContributions(state, record);
    record.evaluations = state.evaluationsDone;
    record.confirmations = confirmationsIn(state);
    for (const Candidate& each : state.candidates)
        record.candidates += each.migrated ? 0 : 1;
    fillSealed(state, pack.task, record);
    record.bestTrace = state.bestTrace;
    record.deviceFacts = state.deviceFacts;
    for (const InputKind kind : pack.task.inputs)
        record.inputKinds.push_back(nameOf(kind));
    record.notCovered = notCoveredBy(pack.task, record.evidence, record.result);
    record.costMicroUsd = state.costMicroUsd;
    record.unpriced = state.unpriced;
    record.tokens = state.tokensSpent;
    record.runSeconds = static_cast<double>(state.runNs) * 1e-9;
    fillFinding(record);
    record.findingText += vendorSentence(record);
    record.source = std::move(source);
    return record;
}

} // namespace tilewright
