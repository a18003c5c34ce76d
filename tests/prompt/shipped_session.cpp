// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/prompt/shipped_session.h"

#include "core/evolve/population.h"
#include "core/prompt/insights.h"
#include "core/source/program_text.h"
#include "core/store/packed_session.h"
#include "core/store/session_reader.h"

#include <QTemporaryDir>
#include <stdexcept>

namespace tilewright::testing {
namespace {

template <typename T> T orThrow(Result<T> result)
{
    if (!result)
        throw std::runtime_error(result.error().line());
    return std::move(*result);
}

} // namespace

ShippedSession::ShippedSession(const std::string& name, double share)
{
    const QTemporaryDir folder;
    const std::string file = folder.filePath(QStringLiteral("demo.tilewright")).toStdString();
    if (auto unpacked
        = unpackSession(std::string(TILEWRIGHT_SOURCE_DIR "/resources/demo/") + name + ".tilewright.zst", file);
        !unpacked)
        throw std::runtime_error(unpacked.error().line());
    const auto reader = orThrow(SessionReader::open(file));
    state = orThrow(reader->load());
    if (share < 1) {
        const auto last = static_cast<std::int64_t>(share * static_cast<double>(state.lastSeq));
        RunState whole;
        if (auto followed = reader->follow(whole,
                [&](const Event& event, const RunState& sofar) {
                    if (event.seq == last)
                        state = sofar;
                });
            !followed)
            throw std::runtime_error(followed.error().line());
    }
    pack = orThrow(reader->pack(state));
    for (const Candidate& candidate : state.candidates)
        for (const Hash& hash : {candidate.source, candidate.patch})
            if (!hash.isNull())
                texts[hash] = orThrow(reader->text(hash));
}

ProposerView ShippedSession::view() const
{
    return {state, pack, [this](const Hash& hash) {
                const auto found = texts.find(hash);
                return found == texts.end() ? std::string() : found->second;
            }};
}

void ShippedSession::add(EventBody body)
{
    if (auto applied = apply(state, Event{state.run, state.lastSeq + 1, {}, std::move(body)}); !applied)
        throw std::runtime_error(applied.error().line());
}

CandidateId ShippedSession::addFailure(
    Outcome outcome, const std::string& rule, const std::string& text, const std::string& log)
{
    const Candidate parent = *state.candidate(state.incumbent);
    Proposal proposal;
    proposal.id = {static_cast<std::int64_t>(state.proposals.size()) + 1};
    proposal.island = parent.island;
    proposal.proposer = "some-model";
    proposal.parents = {parent.id};
    proposal.reasoning = "Use wider tiles. They amortise loads.";
    Candidate child;
    child.id = {static_cast<std::int64_t>(state.candidates.size()) + 1};
    child.proposal = proposal.id;
    child.island = parent.island;
    child.parents = {parent.id};
    child.tunables = parent.tunables;
    const std::string source = texts.at(parent.source) + "// attempt " + std::to_string(child.id.value) + "\n";
    child.source = sha256(source);
    child.program = child.source;
    texts[child.source] = source;
    child.patch = parent.patch;
    Evaluation evaluation;
    evaluation.id = {static_cast<std::int64_t>(state.evaluations.size()) + 1};
    evaluation.candidate = child.id;
    evaluation.result.outcome = outcome;
    evaluation.result.rule = rule;
    evaluation.result.text = text;
    evaluation.result.evidence = {{"shape", pack.task.heldout.front()}, {"got", 1.5}, {"want", 2.25}};
    if (!log.empty())
        texts[evaluation.result.log = sha256(log)] = log;
    add(events::Proposed{proposal});
    add(events::CandidateMade{child});
    add(events::Evaluated{evaluation, state.runNs});
    return child.id;
}

std::vector<CandidateId> ShippedSession::couple() const
{
    for (const Island& island : state.islands) {
        const auto ranked = byFitness(state, island);
        for (const Candidate* other : ranked)
            if (other->cell != ranked.front()->cell && other->moves.size() != ranked.front()->moves.size())
                return {ranked.front()->id, other->id};
    }
    return {};
}

PromptWriter shippedWriter() { return orThrow(PromptWriter::load({TILEWRIGHT_SOURCE_DIR "/prompts"})); }

PromptRequest requestFor(const ProposerView& view, const ShippedSession& session, const std::string& templateName)
{
    ProposalRequest request{IslandId{1}, 500, Focus::Exploit, {session.state.incumbent}};
    if (templateName == "crossover")
        request.parents = session.couple();
    PromptRequest asked{
        view, request, 1, std::nullopt, {}, insightText(session.state, view.pack.moves), 0, 0.3, templateName};
    if (templateName == "explore")
        asked.directions = 3;
    if (templateName == "repair")
        asked.repair = RepairTurn{"<diff>\n-    no such line\n+    another\n</diff>\n", "patch/no-match",
            "Your patch could not be applied (NO_MATCH): hunk 1: no place reads like it.\n", 1};
    return asked;
}

RenderedPrompt rendered(
    const PromptWriter& writer, const ShippedSession& session, const std::string& templateName, int tokenBudget)
{
    const ProposerView view = session.view();
    PromptRequest request = requestFor(view, session, templateName);
    request.tokenBudget = tokenBudget;
    return orThrow(writer.render(request));
}

} // namespace tilewright::testing
