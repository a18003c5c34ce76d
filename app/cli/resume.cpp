// SPDX-License-Identifier: GPL-3.0-or-later
// tilewright-cli resume: an existing session goes on where it was.
#include "app/cli/cli_options.h"
#include "app/cli/progress.h"
#include "app/cli/steering.h"
#include "app/cli/subcommands.h"
#include "core/base/text.h"
#include "core/engine/proposals/proposing.h"

#include <cstdio>
#include <filesystem>

namespace tilewright::cli {
namespace {

const Synopsis resumeSynopsis{"resume", " FILE [options]", "Continue a session.",
    {{"--evaluations", Value::More, "N",
         "new budget, counted from the start of the session (0: no limit); +N: N more than have started"},
        {"--wall-time", Value::Seconds, "S", "new budget of running time, counted from the start (0: no limit)"},
        {"--replies", Value::Count, "N", "stop after this many replies in total; 0: no limit"},
        {"--no-gain", Value::Evaluations, "N", "early stopping: evaluations without improvement (0: no limit)"},
        {"--tokens", Value::Count, "N", "new budget of tokens, counted from the start (0: no limit)"},
        {"--cost-usd", Value::Dollars, "X", "new budget of money, counted from the start (0: no limit)"},
        {"--models", Value::Text, "FILE", "models file for this run, replacing the session's own"},
        {"--hint", Value::Text, "TEXT",
            "hint for models or users from now on, replacing the earlier one; B=TEXT for island B only, B= to remove "
            "it; can be repeated"},
        {"--json", Value::None, nullptr, "print one JSON object on standard output"}},
    {{Done,
         "a budget is exhausted, or there are no new edits left to try; at the limit of tokens or cost the run pauses"},
        {Internal, "internal error"}, {Usage, "usage, or not a session file"},
        {RefusedByRule, "the task's seed was refused by a rule"},
        {BuildOrRunFailed, "the task's seed does not build or run"},
        {Missing, "session file, node, device, models file or disk space missing"},
        {Locked, "the session is locked by another process"}, {Interrupted, "interrupted; 'resume' continues"}},
    1};

/// Why this budget cannot be held by who proposes here; none if it can.
std::optional<Error> budgetProblem(const std::string& proposer, const Budget& budget)
{
    if (wordsOfProposer(proposer).kind != "model" || budget.costMicroUsd == 0)
        return std::nullopt;
    const auto held = budgetWithModels(proposer, budget);
    return held ? std::nullopt : std::optional(held.error());
}

/// Why a budget that was asked for is none; nothing of it would be left.
std::optional<Error> evaluationsProblem(const RunState& run, const Budget& budget)
{
    const std::int64_t begun = run.evaluationsStarted - run.evaluationsDone;
    if (budget.evaluations == 0 || budget.evaluations >= run.evaluationsStarted)
        return std::nullopt;
    return Error{"usage",
        "--evaluations " + std::to_string(budget.evaluations)
            + " is less than the number done: " + counted(run.evaluationsDone, "evaluation", "evaluations")
            + (begun > 0 ? ", and " + std::to_string(begun) + " more in progress" : ""),
        "the budget counts from the start of the session; for " + std::to_string(budget.evaluations)
            + " more use --evaluations +" + std::to_string(budget.evaluations),
        nullptr};
}

} // namespace

int resume(const QStringList& arguments)
{
    const auto [options, code] = Options::parse(resumeSynopsis, arguments);
    if (!options)
        return code;
    Engine engine;
    std::error_code problem;
    if (options->has("--models"))
        engine.setModelsFile(
            QString::fromStdString(std::filesystem::absolute(options->text("--models"), problem).string()));
    int refused = 0;
    const int ended = runToEnd(engine, options->has("--json"), [&] {
        engine.open(QString::fromStdString(options->positionals().front()));
        const SnapshotPtr snapshot = engine.snapshot();
        if (!snapshot->status.sessionOpen)
            return; // said so by failed()
        if (snapshot->status.readOnly) {
            complain(
                Error{snapshot->status.troubleCode, snapshot->status.trouble, snapshot->status.troubleHint, nullptr});
            refused = exitCodeOf(snapshot->status.troubleCode);
            engine.close();
            return;
        }
        if (!snapshot->status.recovered.empty())
            std::fprintf(stderr, "%s\n", snapshot->status.recovered.c_str());
        std::string proposer = snapshot->run.settings.proposer;
        const ProposerWords words = wordsOfProposer(proposer);
        if (options->has("--models") && words.kind != "model") {
            complain("--models requires a session with the proposer model; this one has " + proposer);
            refused = Usage;
            engine.close();
            return;
        }
        if (options->has("--models"))
            proposer = "model:" + options->text("--models");
        if (words.kind == "manual" && words.with.empty()) {
            complain("prompts of this session are answered in the window: open it there");
            refused = Usage;
            engine.close();
            return;
        }
        const auto hints = hintsOf(*options, static_cast<int>(snapshot->run.islandCount()));
        const bool reads = words.kind == "model" || words.kind == "manual";
        if (!hints || (!hints->empty() && !reads)) {
            complain(hints ? "--hint requires the proposers model or manual; this session has " + proposer
                           : hints.error().text);
            refused = Usage;
            engine.close();
            return;
        }
        Budget budget = snapshot->run.settings.budget;
        const std::int64_t begun = snapshot->run.evaluationsStarted;
        budget.evaluations = options->countFrom("--evaluations", begun, budget.evaluations);
        budget.wallSeconds = options->seconds("--wall-time", budget.wallSeconds);
        budget.tokens = options->count("--tokens", budget.tokens);
        budget.costMicroUsd = options->microUsd("--cost-usd", budget.costMicroUsd);
        budget.noGain = options->count("--no-gain", budget.noGain);
        budget.replies = options->count("--replies", budget.replies);
        if (const auto objection
            = options->has("--evaluations") ? evaluationsProblem(snapshot->run, budget) : std::nullopt) {
            complain(*objection);
            refused = Usage;
            engine.close();
            return;
        }
        if (const auto objection = budgetProblem(proposer, budget)) {
            complain(*objection);
            refused = exitCodeOf(objection->code);
            engine.close();
            return;
        }
        // Where the run cannot go on, the session stays as it was.
        engine.onceDeviceIsHere([&engine, budget, hints = *hints, proposer] {
            if (!(budget == engine.snapshot()->run.settings.budget))
                engine.execute(0, commands::SetBudget{budget});
            tellHints(hints, proposer);
            for (const auto& [island, text] : hints)
                engine.execute(0, commands::SetHints{island, text});
            engine.execute(0, commands::Run{});
        });
    });
    return refused ? refused : ended;
}

} // namespace tilewright::cli
