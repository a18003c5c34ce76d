// SPDX-License-Identifier: GPL-3.0-or-later
// tilewright-cli evolve: a new session, run until its budget is used up.
#include "app/cli/cli_options.h"
#include "app/cli/gpu_findings.h"
#include "app/cli/progress.h"
#include "app/cli/steering.h"
#include "app/cli/subcommands.h"
#include "core/engine/proposals/proposing.h"
#include "core/exporting/session_source.h"
#include "core/model/measurement/session_shapes.h"
#include "core/protocol/device_names.h"

#include <cstdio>
#include <filesystem>
#include <optional>

namespace tilewright::cli {
namespace {

const Synopsis evolveSynopsis{"evolve", " --task T [options]", "Evolve a task's kernel in a new session.",
    {{"--task", Value::Text, "T", "name of a task, or the folder of one (required)"},
        {"--session", Value::Text, "FILE", "session file to create (default: a new one in the data folder)"},
        {"--proposer", Value::Text, "NAME",
            "mutator (default), tuner, random, model (language models, with --models), manual:DIR (prompts and replies "
            "in a folder) or replay:SESSION|DIR"},
        {"--models", Value::Text, "FILE",
            "models file for the proposer model: endpoints, models, weights, limits; only names of keys (format: "
            "resources/models/README.md)"},
        {"--train", Value::Text, "SHAPES", "train shapes, replacing those of the task: 4096x2048x512,777x1023x511"},
        {"--held-out", Value::Text, "SHAPES", "held-out shapes, replacing those of the task; or none"},
        {"--shapes", Value::Text, "FILE",
            "train and held-out shapes from a table: sizes separated by commas, then train or held-out; the first line "
            "may contain column names"},
        {"--islands", Value::Count, "N", "number of islands (default 4)"},
        {"--strategy", Value::Text, "NAME",
            "strategy of the islands: evolve (default: populations and migration), iterate (two lines, each improved "
            "step by step), best-of-n (independent attempts from the seed) or random (always edits the seed); B=NAME "
            "for island B only; can be repeated"},
        {"--tune", Value::Count, "N",
            "with models, manual or a folder of replies: measure up to N versions of each program with '// tune:' "
            "constants before the search continues (default 24; 0: none)"},
        {"--recombine", Value::Count, "N",
            "with models or manual replies: apply each edit that made its program faster to up to N other programs as "
            "well, without a reply (default 8; 0: none)"},
        {"--steer", Value::Text, "ISLAND:WHAT=WORD",
            "initial steering of an island (* for all), with the words of 'control island': B:focus=tune, "
            "C:mix=explore=2,exploit=1, B:selection=0.5 (parent selection), A:temperature=0.9 (models), A:repairs=1 "
            "(times that a failed program is sent back to its model), A:stagnation=60 (candidates without improvement "
            "before a restart from the best of the run); can be repeated"},
        {"--migration", Value::Text, "WAYS",
            "migration: ring (default), off, or routes such as 'A>C,C>B'; 'control migration' changes it later"},
        {"--migration-interval", Value::Count, "N", "new members of an island between two migrations (default 6)"},
        {"--evaluations", Value::Evaluations, "N",
            "stop after this many evaluations (0: no limit; default 300 without --wall-time or --replies)"},
        {"--wall-time", Value::Seconds, "S", "stop after this many seconds of running time (0: no limit)"},
        {"--no-gain", Value::Evaluations, "N", "early stopping: evaluations without improvement (0: no limit)"},
        {"--edits", Value::Count, "N", "edits per reply of a model or user, at most 8 (default: 3; 1 for a repair)"},
        {"--replies", Value::Count, "N",
            "stop after this many replies of models or users, repairs included (0: no limit)"},
        {"--tokens", Value::Count, "N",
            "pause before models could use more tokens than this (0, default: the models file's limit)"},
        {"--cost-usd", Value::Dollars, "X",
            "pause before models could cost more than this (0, default: the models file's limit)"},
        {"--hint", Value::Text, "TEXT",
            "hint for models or users, contained in every prompt; B=TEXT for island B only, *=TEXT for all; can be "
            "repeated"},
        {"--review", Value::Text, "POLICY",
            "candidates that need a review before they are measured: automatic (none, default), risky, every, or "
            "by-proposer (risky ones of model, manual and replay; default of the window); model=risky for one kind of "
            "proposer, B:every or B:model=risky for island B; can be repeated; decide with 'tilewright-cli control'"},
        {"--review-limit", Value::Count, "N",
            "pending reviews at which an island requests no more edits (default 8; 0: no limit); with every, they take "
            "at most a quarter of the remaining evaluations, but one on each island"},
        {"--seed", Value::Count, "N", "random seed (default 1)"},
        {"--device", Value::Text, "D",
            "cpu, cuda:N or a GPU's UUID; default: the first that fits the task. Several GPUs of one kind share a run: "
            "cuda:0,cuda:1 or cuda:all"},
        {"--lineage", Value::None, nullptr,
            "also write the run as a git repository beside the session, like 'lineage'"},
        {"--json", Value::None, nullptr, "print one JSON object on standard output"}},
    {{Done,
         "a budget is exhausted, or there are no new edits left to try; at the limit of tokens or cost the run pauses"},
        {Internal, "internal error"}, {Usage, "usage, a broken task, or --session names an existing file"},
        {RefusedByRule, "the task's seed was refused by a rule"},
        {BuildOrRunFailed, "the task's seed does not build or run"},
        {Missing,
            "node, device, folder, models file, table of shapes, recorded session or disk space missing, or no model "
            "is available"},
        {Locked, "the session is locked by another process"}, {Interrupted, "interrupted; 'resume' continues"}}};

constexpr std::int64_t defaultEvaluations = 300;

Result<SessionShapes> shapesFor(const Options& options, const Task& task)
{
    if (!options.has("--shapes"))
        return sessionShapes(task, options.text("--train"), options.text("--held-out"));
    if (options.has("--train") || options.has("--held-out"))
        return fail("usage", "--shapes names both splits: omit --train and --held-out, or --shapes");
    const auto table = readText(options.text("--shapes"));
    if (!table)
        return std::unexpected(table.error());
    auto shapes = shapesFromTable(task, *table);
    if (!shapes)
        return fail(shapes.error().code, options.text("--shapes") + ": " + shapes.error().text, shapes.error().hint);
    return shapes;
}

Result<NewSession> sessionFor(const Options& options)
{
    if (!options.has("--task"))
        return fail("usage", "evolve needs --task", "'tilewright-cli tasks' lists the tasks");
    NewSession session;
    session.path = QString::fromStdString(options.text("--session"));
    std::error_code problem;
    const std::filesystem::path wanted(options.text("--session"));
    if (std::filesystem::is_directory(wanted, problem))
        return fail("session/exists", wanted.string() + " is a folder", "name a file in it: FOLDER/NAME.tilewright");
    if (!session.path.isEmpty() && std::filesystem::exists(wanted, problem))
        return fail("session/exists", "there is a file " + wanted.string() + " already",
            "continue it with 'tilewright-cli resume', or choose another name");
    RunSettings& settings = session.settings;
    settings.proposer = options.text("--proposer", "mutator");
    const bool asksModels = wordsOfProposer(settings.proposer).kind == "model";
    if (asksModels && options.has("--models")) {
        if (!wordsOfProposer(settings.proposer).with.empty())
            return fail("usage", "--proposer " + settings.proposer + " already names the models file",
                "omit --models, or write --proposer model");
        settings.proposer += ":" + options.text("--models");
    }
    std::error_code missing;
    if (settings.proposer == "model" && !std::filesystem::exists(modelsFileOf(settings.proposer), missing))
        return fail("usage", "the proposer model needs a models file",
            "name one with --models FILE; the format is described in resources/models/README.md");
    for (const char* option : {"--models", "--tokens", "--cost-usd"})
        if (options.has(option) && !asksModels)
            return fail("usage", std::string(option) + " requires --proposer model");
    settings.proposer = anchoredProposer(settings.proposer);
    if (auto known = checkProposer(settings.proposer); !known)
        return std::unexpected(known.error());
    if (const ProposerWords words = wordsOfProposer(settings.proposer); words.kind == "manual" && words.with.empty())
        return fail("proposer/words", "without a window, the proposer manual needs a folder", "write manual:DIR");
    const std::int64_t islands = options.count("--islands", 4);
    if (islands < 1 || islands > mostIslands)
        return fail("usage", "--islands takes 1 to " + std::to_string(mostIslands));
    settings.islands = static_cast<int>(islands);
    auto strategies = strategiesOf(options, settings.islands);
    if (!strategies)
        return std::unexpected(strategies.error());
    settings.strategies = std::move(*strategies);
    auto steering = steeringOf(options, settings.islands);
    if (!steering)
        return std::unexpected(steering.error());
    session.steering = std::move(*steering);
    auto migration = migrationOf(options);
    if (!migration)
        return std::unexpected(migration.error());
    settings.migration = std::move(*migration);
    if (auto sound = checkFounders(settings, session.steering); !sound)
        return std::unexpected(sound.error());
    auto hints = hintsOf(options, settings.islands);
    if (!hints)
        return std::unexpected(hints.error());
    std::erase_if(*hints, [](const auto& hint) { return hint.second.empty(); });
    settings.hints = std::move(*hints);
    const std::string kind = wordsOfProposer(settings.proposer).kind;
    if (options.has("--hint") && kind != "model" && kind != "manual")
        return fail("usage", "--hint requires the proposers model or manual: " + kind + " uses no prompts");
    if (options.has("--review")) {
        auto policies = reviewOf(options, settings.islands);
        if (!policies)
            return std::unexpected(policies.error());
        settings.review = std::move(*policies);
    }
    const std::int64_t limit = options.count("--review-limit", settings.reviewLimit);
    if (limit > maxReviewLimit)
        return fail("usage", "--review-limit takes 0 to " + std::to_string(maxReviewLimit));
    settings.reviewLimit = static_cast<int>(limit);
    const int tuning = usualTuning(settings.proposer);
    if (options.has("--tune") && tuning == 0)
        return fail("usage",
            "--tune requires the proposer model, manual or replay:DIR: programs of " + kind
                + " are not tuned before they are judged");
    if (options.count("--tune", 0) > mostTuning)
        return fail("usage", "--tune takes 0 to " + std::to_string(mostTuning));
    settings.tuning = static_cast<int>(options.count("--tune", tuning));
    const int recombinations = usualRecombinations(settings.proposer);
    if (options.has("--recombine") && recombinations == 0)
        return fail("usage", "--recombine requires the proposers model or manual: " + kind + " requests no replies");
    if (options.count("--recombine", 0) > mostRecombinations)
        return fail("usage", "--recombine takes 0 to " + std::to_string(mostRecombinations));
    settings.recombinations = static_cast<int>(options.count("--recombine", recombinations));
    settings.seed = static_cast<std::uint64_t>(options.count("--seed", 1));
    settings.budget.wallSeconds = options.seconds("--wall-time", 0);
    settings.budget.evaluations = options.count(
        "--evaluations", settings.budget.wallSeconds > 0 || options.count("--replies", 0) > 0 ? 0 : defaultEvaluations);
    settings.budget.noGain = options.count("--no-gain", 0);
    if (options.has("--replies") && !readsPrompts(settings.proposer))
        return fail("usage", "--replies requires the proposers model or manual: " + kind + " requests no replies");
    settings.budget.replies = options.count("--replies", 0);
    const std::int64_t edits = options.count("--edits", 0);
    if (edits > mostEditsAsked || (edits > 0 && !readsPrompts(settings.proposer)))
        return fail("usage",
            edits > mostEditsAsked ? "--edits takes 1 to " + std::to_string(mostEditsAsked)
                                   : "--edits requires the proposers model or manual: " + kind + " uses no prompts");
    settings.edits = static_cast<int>(edits);
    settings.budget.tokens = options.count("--tokens", 0);
    settings.budget.costMicroUsd = options.microUsd("--cost-usd", 0);
    if (asksModels) {
        auto budget = budgetWithModels(settings.proposer, settings.budget);
        if (!budget)
            return std::unexpected(budget.error());
        settings.budget = *budget;
    }
    auto pack = findTaskPack(options.text("--task"));
    if (!pack)
        return std::unexpected(pack.error());
    const auto shapes = shapesFor(options, pack->task);
    auto own = shapes ? packOn(*pack, *shapes) : std::unexpected(shapes.error());
    if (!own)
        return std::unexpected(own.error());
    session.pack = std::move(*own);
    const bool gpu = session.pack.task.target == Target::Cuda;
    settings.device = options.text("--device", gpu ? "cuda:0" : "cpu");
    if (auto named = checkDeviceList(settings.device); !named)
        return std::unexpected(named.error());
    if (settings.device.starts_with("cpu") == gpu)
        return fail("device/missing",
            "the task '" + session.pack.task.name + "' cannot be measured on '" + settings.device + "'",
            gpu ? "it takes cuda:0, cuda:1, … or a GPU's UUID, several of them as cuda:0,cuda:1, or cuda:all"
                : "it takes cpu");
    // Said before there is a session file, and found again when it runs.
    if (auto ready = checkProposing(settings.proposer, session.pack); !ready)
        return std::unexpected(ready.error());
    if (settings.device != "cpu")
        if (auto found = checkDevice(settings.device); !found)
            return std::unexpected(found.error());
    return session;
}

/// The exit code of a run whose git view is written to its end now: the run's own, where that went well.
int afterLineage(LineageThread& lineage, int ended)
{
    const auto report = lineage.finish();
    if (report) {
        std::fprintf(stderr, "lineage: %lld commits\n", static_cast<long long>(report->admitted + report->kept));
        return ended;
    }
    complain(report.error());
    return ended == Done ? exitCodeOf(report.error().code) : ended;
}

} // namespace

int evolve(const QStringList& arguments)
{
    const auto [options, code] = Options::parse(evolveSynopsis, arguments);
    if (!options)
        return code;
    const auto session = sessionFor(*options);
    if (!session) {
        complain(session.error());
        return exitCodeOf(session.error().code);
    }
    tellHints(session->settings.hints, session->settings.proposer);
    if (const Error unchecked = uncheckedPack(session->pack); !unchecked.code.empty())
        complain(unchecked);
    std::optional<LineageThread> lineage; // before the engine, whose last signal wakes it
    Engine engine;
    QObject::connect(&engine, &Engine::published, &engine, [&lineage] {
        if (lineage)
            lineage->wake();
    });
    const int ended = runToEnd(engine, options->has("--json"), [&] {
        engine.create(*session);
        const SnapshotPtr snapshot = engine.snapshot();
        if (!snapshot->status.sessionOpen)
            return;
        const std::string path = snapshot->status.sessionPath;
        std::fprintf(stderr, "session %s\n", path.c_str());
        constexpr std::chrono::seconds interval{10};
        if (options->has("--lineage"))
            lineage.emplace(
                lineageFolder(path), [path] { return openRunSource(path); }, interval);
    });
    return lineage ? afterLineage(*lineage, ended) : ended;
}

} // namespace tilewright::cli
