// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/prompt/request_text.h"

#include "core/base/text.h"
#include "core/model/measurement/pair_ladder.h"
#include "core/model/measurement/resource_figures.h"
#include "core/model/measurement/roofline.h"
#include "core/model/parent_change.h"
#include "core/model/requests/repair_turns.h"
#include "core/model/tuning_record.h"
#include "core/patch/diff.h"
#include "core/prompt/attempts.h"
#include "core/prompt/bottleneck.h"
#include "core/prompt/examples.h"
#include "core/prompt/findings.h"
#include "core/prompt/measured.h"
#include "core/prompt/redaction.h"
#include "core/prompt/task_text.h"
#include "core/source/program_text.h"

#include <algorithm>
#include <ranges>

namespace tilewright {
namespace {

constexpr double leastClear = 0.02; ///< speeds that differ by less are not called different, however quiet the machine

/// How a program compares with the best one, as far as their intervals tell.
std::string besideBest(const RunState& state, const Candidate& candidate)
{
    const Candidate* best = state.candidate(state.incumbent);
    if (!best || !best->isRanked())
        return ".";
    if (best->program != candidate.program) {
        const std::string theBest = std::string(". The best ")
            + (best->confirmed ? "confirmed one is " : "one so far is ") + candidateName(originOf(state, best->id))
            + " with " + withMargin(*best->score);
        if (const auto change = versusOther(state, candidate, best->id); change && change->paired)
            return theBest + "; side by side this program has " + withMargin(change->ratio) + " of its speed.";
        const bool isBehind = candidate.score->hi < best->score->lo;
        const bool isAbove = candidate.score->lo > best->score->hi;
        const char* standing = isBehind ? ", clearly ahead."
            : isAbove ? "; side by side this program was not found clearly faster. Scores from different times also "
                        "depend on the state of the machine."
                      : "; their intervals overlap, so the scores alone do not settle which is faster.";
        return theBest + standing;
    }
    const Candidate* rival = nullptr;
    for (const Candidate& other : state.candidates)
        if (other.isRanked() && !other.migrated && other.program != best->program && other.score->hi >= best->score->lo
            && (!rival || other.score->value > rival->score->value))
            rival = &other;
    const bool isAlone = std::ranges::none_of(
        state.candidates, [&](const Candidate& other) { return other.isRanked() && other.program != best->program; });
    if (isAlone)
        return ". No other program was ranked so far.";
    const std::string head = std::string(". It is the best ") + (best->confirmed ? "confirmed one" : "one so far");
    if (!rival)
        return head + ", clearly ahead of all others.";
    const std::string other = candidateName(rival->id), score = withMargin(*rival->score);
    if (const auto change = versusOther(state, *rival, best->id); change && change->paired)
        return head + "; side by side " + other + " has " + withMargin(change->ratio) + " of its speed.";
    if (rival->score->lo > best->score->hi)
        return head + "; " + other + " has scored " + score
            + (rival->confirmed ? ", but side by side it was not found clearly faster."
                                : " meanwhile, which is provisional: it is not confirmed yet.");
    const std::string rivals = other + " with " + score + (rival->confirmed ? "." : " (provisional).");
    return rival->score->value > best->score->value ? head + ", not clearly behind " + rivals
                                                    : head + ", but not clearly ahead of " + rivals;
}

/// That its constants were searched: other values alone are no proposal.
std::string tuningText(const RunState& state, const Candidate& candidate)
{
    const TuningRecord tuned = tuningOf(state, writtenProgram(state, candidate.id));
    return tuned.tried == 0 ? std::string()
                            : " A tuner measured " + counted(tuned.tried, "other version", "other versions")
            + " of its constants: propose no values of them alone.";
}

std::string standingText(const RunState& state, const Candidate& candidate)
{
    if (!candidate.isRanked())
        return candidateName(originOf(state, candidate.id)) + " has no score.";
    std::string text
        = "Score " + withMargin(*candidate.score) + (candidate.confirmed ? ", confirmed" : ", provisional");
    if (candidate.vsVendor)
        text += "; " + withMargin(*candidate.vsVendor) + " of the vendor library's speed";
    return text + besideBest(state, candidate) + tuningText(state, candidate);
}

/// The hot loop of the program that this one was made from, where both are known and differ.
std::string loopBefore(const RunState& state, const Candidate& candidate)
{
    const CandidateId base = rankedAncestor(state, candidate);
    const std::string now = hotLoopWordsOf(state, candidate.id), before = hotLoopWordsOf(state, base);
    return !now.empty() && !before.empty() && now != before
        ? "\nBefore, in " + candidateName(originOf(state, base)) + ": " + before + "."
        : std::string();
}

/// What else the island asks about the same program and has no answer to yet; "" for nothing.
std::string askedNow(const RunState& state, IslandId island, const Candidate& candidate)
{
    std::map<std::string, int> open;
    for (const ModelRequest& request : state.modelRequests) {
        const Candidate* about
            = request.island != island || request.state != ModelRequestState::Open || request.parents.empty()
            ? nullptr
            : state.candidate(request.parents.front());
        if (about && about->program == candidate.program && !request.asksForJudgement())
            ++open[nameOf(request.focus)];
    }
    std::vector<std::string> parts;
    for (const auto& [focus, count] : open)
        parts.push_back(std::to_string(count) + " to " + focus);
    return parts.empty() ? std::string()
                         : " Other requests change this program at the same time (" + joined(parts, ", ")
            + "): a less obvious idea is more likely to be new.";
}

/// "c-0012 is faster than c-0009 by more than noise on 1 of 3 train shapes: 64×64×64 (1.21×). Its speed on the others:
/// 96×96×96 (≈ 0.98×), …".
std::string whereFaster(const ProposerView& view, const Candidate& other, const Candidate& than)
{
    const std::vector<ShapeSpeed> speeds = speedsByShape(view.state, view.pack.task, other.id, than.id);
    if (speeds.empty())
        return {};
    const double clear = 1 + std::max(view.state.noiseFloor, leastClear);
    std::vector<std::string> faster, others;
    for (const ShapeSpeed& speed : speeds | std::views::reverse) // fastest first
        (speed.ratio > clear ? faster : others)
            .push_back(shapeText(speed.shape) + " (" + (speed.paired ? "" : "≈ ") + numberText(speed.ratio) + "×)");
    const std::string all = counted(static_cast<std::int64_t>(speeds.size()), "train shape", "train shapes");
    return candidateName(originOf(view.state, other.id)) + " is faster than "
        + candidateName(originOf(view.state, than.id)) + " by more than noise on "
        + (faster.empty() ? "none of " + all
                          : std::to_string(faster.size()) + " of " + all + ": " + joined(faster, ", "))
        + (others.empty() ? "."
                          : ". Its speed on " + std::string(faster.empty() ? "them: " : "the others: ")
                    + joined(others, ", ") + ".");
}

std::string tunablesText(const std::string& source)
{
    std::vector<std::string> lines;
    for (const Tunable& tunable : tunablesOf(source)) {
        std::vector<std::string> choices;
        for (const std::int64_t choice : tunable.choices)
            choices.push_back(std::to_string(choice));
        lines.push_back(tunable.name + " = " + std::to_string(tunable.value) + " of {" + joined(choices, ", ") + "}");
    }
    return joined(lines, "; ");
}

std::string asList(const std::vector<std::string>& items)
{
    std::string text;
    for (const std::string& item : items)
        text += "- " + item + "\n";
    return text;
}

/// Why the program itself has to be repaired: its finding and what the compiler said.
std::string findingOf(const ProposerView& view, const Candidate& candidate)
{
    std::string text = resultText(view, candidate) + "\n";
    const Evaluation* evaluation = view.state.evaluation(candidate.latest);
    if (!evaluation || candidate.isRanked())
        return text;
    const std::string log = evaluation->result.log.isNull() ? "" : view.text(evaluation->result.log);
    if (candidate.outcome == Outcome::BuildFailed && !log.empty()) {
        // The log says it all, under the program's own name.
        text = text.substr(0, text.find(" — ")) + "\n"
            + fenced(redactedForPrompt(logWithLines(log, view.text(candidate.source), view.pack.task.sources.front()),
                         view.pack.task),
                "");
    }
    return text
        + redactedForPrompt(evidenceText(candidate.rule, evaluation->result.evidence, view.pack.task), view.pack.task);
}

/// How much slower a program is than the one that it was made from, and where.
std::string slowdownOf(const ProposerView& view, const Candidate& candidate)
{
    const CandidateId base = rankedAncestor(view.state, candidate);
    const auto change = versusParent(view.state, candidate);
    if (!change)
        return {};
    std::string text = candidateName(originOf(view.state, candidate.id)) + " is right, but clearly slower than "
        + candidateName(originOf(view.state, base)) + ", which it was made from: " + withMargin(change->ratio)
        + " of its speed.\n";
    std::vector<std::string> shapes;
    for (const ShapeSpeed& speed : speedsByShape(view.state, view.pack.task, candidate.id, base))
        shapes.push_back(shapeText(speed.shape) + " " + numberText(speed.ratio) + "×");
    return shapes.empty() ? text : text + "By shape: " + joined(shapes, ", ") + ".\n";
}

/// What to look at first, by the kind of failure.
std::string optionsFor(const ProposerView& view, const Candidate& candidate)
{
    const Evaluation* evaluation = view.state.evaluation(candidate.latest);
    const auto rule = [&](std::string_view family) { return candidate.rule.starts_with(family); };
    std::string_view options
        = "Check what the change did to vector width, registers and memory traffic; keep what helps and undo the rest.";
    if (candidate.outcome == Outcome::BuildFailed)
        options = "Correct every error, except those that only follow from an earlier one.";
    else if (candidate.outcome == Outcome::RunFailed)
        options = "Check loads and stores of the last, partial tile, assumptions about alignment, and loops that may "
                  "not end.";
    else if (rule("verify/poison")
        || (rule("verify/") && evaluation && looksUnwritten(candidate.rule, evaluation->result.evidence)))
        options = "Such a value is memory that was read before it was written: outputs, workspace and the stack "
                  "contain arbitrary values. Check sums that do not start at zero, and partial tiles and edges that "
                  "use a different code path.";
    else if (rule("verify/"))
        options = "Check partial tiles; elements that are written or added twice, or never; steps omitted where a "
                  "length is, or is not, a multiple of something; the order of indices; sums that do not start at "
                  "zero; copies used after their source has changed.";
    else if (candidate.outcome == Outcome::Refused)
        options = "Do the same within the rule, or use another approach.";
    return "To consider: " + std::string(options) + "\n";
}

class Writer
{
public:
    Writer(const PromptRequest& request, const std::string& templateName)
        : m_request(request)
        , m_view(request.view)
        , m_template(templateName)
    {
    }

    Result<RequestText> write()
    {
        setTaskValues(m_text.values, m_view.state, m_view.pack);
        set("hints", hintsText());
        if (m_request.directions > 1)
            set("directions", std::to_string(m_request.directions));
        const bool judges = m_template == "judge";
        if (!m_request.request.parents.empty()) {
            if (auto program = judges ? writeJudged() : writeProgram(m_request.request.parents.front()); !program)
                return std::unexpected(program.error());
        } else if (m_template != "summary") {
            return fail("prompt/request", "a prompt '" + m_template + "' needs a candidate");
        }
        if (auto needs = writeFocus(); !needs)
            return std::unexpected(needs.error());
        writeParts();
        return std::move(m_text);
    }

private:
    void set(const std::string& placeholder, std::string text) { m_text.values[placeholder] = std::move(text); }

    std::string clean(const std::string& text) const { return redactedForPrompt(text, m_view.pack.task); }

    std::string hintsText() const
    {
        std::vector<std::string> hints;
        for (const std::string& hint : m_request.hints)
            if (!trimmed(hint).empty())
                hints.push_back(clean(std::string(trimmed(hint))));
        return asList(hints);
    }

    Result<void> writeProgram(CandidateId id)
    {
        const RunState& state = m_view.state;
        m_parent = state.candidate(id);
        const std::string source = m_parent ? m_view.text(m_parent->source) : "";
        if (source.empty())
            return fail("prompt/parent", "the text of " + candidateName(id) + " is not in the session");
        const auto blocks = evolveBlocks(source);
        if (!blocks || blocks->empty())
            return fail("prompt/parent", candidateName(id) + " has no editable lines");
        const Measured measured = measuredOf(state, m_view.pack.task, id);
        const nlohmann::json facts = deviceFactsOf(state);
        set("name", candidateName(originOf(state, id)));
        set("code", fenced(source, m_text.values["language"]));
        set(blocks->size() == 1 ? "single_block" : "several_blocks", std::to_string(blocks->size()));
        set("standing",
            m_request.request.alone
                ? candidateName(id) + " is the task's seed."
                : standingText(state, *m_parent) + askedNow(state, m_request.request.island, *m_parent));
        set("times", timesTable(measured, m_view.pack.task));
        set("padding", measured.any() ? measured.tile : "");
        set("unmeasured", measured.any() ? "" : m_text.values["shapes"]);
        set("noise", state.noiseFloor > 0 ? numberText(100 * verdictMargin(state.noiseFloor)) + " %" : "");
        set("bottleneck", asList(bottlenecks(measured, facts, m_view.pack.task)));
        set("tunables", tunablesText(source));
        m_resources = resourcesText(measured) + loopBefore(state, *m_parent);
        m_roofline = rooflineText(measured, m_view.pack.task, facts);
        return {};
    }

    /// The program is what the judged candidate was made from, the patch what it changed.
    Result<void> writeJudged()
    {
        const Candidate* judged = m_view.state.candidate(m_request.request.parents.front());
        if (!judged || judged->parents.empty())
            return fail("prompt/request", "only a candidate with a parent can be judged");
        const Proposal* proposal = m_view.state.proposal(judged->proposal);
        const Candidate* base = m_view.state.candidate(judged->parents.front());
        const std::string after = m_view.text(judged->source);
        if (!base || after.empty())
            return fail("prompt/parent", "the text of " + candidateName(judged->id) + " is not in the session");
        set("patch", fenced(unifiedDiff(m_view.text(base->source), after, m_view.pack.task.sources.front()), "diff"));
        m_judged = judged->id;
        set("reasoning", proposal ? clean(proposal->reasoning) : "");
        set("claim", proposal ? clean(proposal->claim) : "");
        set("judged", candidateName(judged->id));
        return writeProgram(judged->parents.front());
    }

    Result<void> writeFocus()
    {
        const auto& parents = m_request.request.parents;
        if (m_template == "crossover") {
            const Candidate* other = parents.size() > 1 ? m_view.state.candidate(parents[1]) : nullptr;
            if (!other || m_view.text(other->source).empty())
                return fail("prompt/request", "a crossover needs two parents whose texts are in the session");
            m_other = other;
            set("other_name", candidateName(originOf(m_view.state, other->id)));
            set("other", otherParent(m_view, *m_parent, *other));
            const RunState& state = m_view.state;
            const Task& task = m_view.pack.task;
            set("other_times",
                timesTable(measuredOf(state, task, other->id), task, originOf(state, m_parent->id),
                    speedsByShape(state, task, other->id, m_parent->id)));
            set("other_where", whereFaster(m_view, *other, *m_parent));
        }
        if (m_request.repair) {
            set("failed_reply",
                m_request.repair->inConversation ? "It is shown above."
                                                 : fenced(clean(printable(m_request.repair->reply)), ""));
            set("finding", clean(printable(m_request.repair->finding)));
        } else if (m_parent && isDefective(*m_parent)) {
            set("defect", findingOf(m_view, *m_parent) + optionsFor(m_view, *m_parent));
        } else if (m_parent && m_template == "repair" && wantsMending(m_view.state, *m_parent)) {
            set("defect", slowdownOf(m_view, *m_parent) + optionsFor(m_view, *m_parent));
        } else if (m_template == "repair") {
            return fail(
                "prompt/request", "there is nothing to repair: no refused reply, and the candidate did not fail");
        }
        if (m_template == "translate")
            set("reference", fenced(m_view.pack.files.at(m_view.pack.task.reference), m_text.values["language"]));
        return {};
    }

    void add(const std::string& placeholder, const std::string& words, std::vector<std::string> pieces)
    {
        const std::size_t all = pieces.size();
        m_text.parts.push_back({placeholder, words, std::move(pieces), all});
    }

    void writeParts()
    {
        const auto one = [](std::string text) {
            return text.empty() ? std::vector<std::string>{} : std::vector<std::string>{std::move(text)};
        };
        const auto items = [](std::vector<std::string> texts) {
            for (std::string& text : texts)
                text = "- " + text + (text.ends_with('\n') ? "" : "\n");
            return texts;
        };
        const IslandId island = m_request.request.island;
        if (m_request.request.alone) {
            add("roofline", "roofline", one(m_roofline));
            add("resources", "resources", one(m_resources));
            return;
        }
        const std::vector<std::string> steps
            = m_parent ? lineageLines(m_view, m_parent->id) : std::vector<std::string>();
        if (m_parent) {
            const std::vector<std::string> attempts = attemptLines(m_view, island, m_parent->id, m_judged);
            std::vector<std::string> examples = bestPatches(m_view, *m_parent);
            // What the history tells is told once, unless its patch stands here.
            std::erase_if(examples, [&](const std::string& example) {
                const std::string name = example.substr(0, example.find(':'));
                const auto isOfIt = [&](const std::string& line) { return line.starts_with(name); };
                return example.find("```") == std::string::npos
                    && (std::ranges::any_of(attempts, isOfIt) || std::ranges::any_of(steps, isOfIt));
            });
            add("examples", "changes that paid", items(std::move(examples)));
            add("ideas", "textbook ideas", items(textbookIdeas(m_view, *m_parent, island)));
            add("attempts", "earlier attempts", items(attempts));
            add("inspirations", "inspirations", items(inspirations(m_view, island, *m_parent, m_other)));
        }
        add("insights", "insights", one(clean(m_request.insights)));
        add("failures", "failures",
            items(failureLines(m_view, island, m_request.repair ? m_request.repair->proposal : ProposalId{})));
        if (m_parent)
            add("lineage", "steps of the lineage", items(steps));
        add("roofline", "roofline", one(m_roofline));
        add("resources", "resources", one(m_resources));
    }

    const PromptRequest& m_request;
    const ProposerView& m_view;
    std::string m_template;
    const Candidate* m_parent = nullptr;
    const Candidate* m_other = nullptr; ///< the second parent
    CandidateId m_judged; ///< none but for a judge
    std::string m_resources, m_roofline;
    RequestText m_text;
};

} // namespace

std::string PromptPart::text() const { return joined(pieces, ""); }

bool isDefective(const Candidate& candidate)
{
    return candidate.outcome != Outcome::None && candidate.outcome != Outcome::Ranked
        && candidate.outcome != Outcome::Unranked;
}

Result<RequestText> requestText(const PromptRequest& request, const std::string& templateName)
{
    return Writer(request, templateName).write();
}

} // namespace tilewright
