// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/proposals/proposing.h"

#include "core/base/folders.h"
#include "core/base/text.h"
#include "core/engine/replies/manual_reply_source.h"
#include "core/engine/replies/model_reply_source.h"
#include "core/engine/replies/prompt_workshop.h"
#include "core/engine/replies/reply_folder.h"
#include "core/evolve/island_events.h"
#include "core/llm/models_file.h"
#include "core/prompt/prompt.h"
#include "core/source/program_text.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <set>
#include <unistd.h>

namespace tilewright {

ProposerWords wordsOfProposer(const std::string& proposer)
{
    const std::size_t colon = proposer.find(':');
    return colon == std::string::npos ? ProposerWords{proposer, {}}
                                      : ProposerWords{proposer.substr(0, colon), proposer.substr(colon + 1)};
}

std::string anchoredProposer(const std::string& proposer)
{
    const ProposerWords words = wordsOfProposer(proposer);
    std::error_code problem;
    const auto path = words.with.empty() ? std::filesystem::path() : std::filesystem::absolute(words.with, problem);
    return path.empty() || problem ? proposer : words.kind + ":" + path.lexically_normal().string();
}

std::vector<std::string> knownProposers()
{
    std::vector<std::string> known = proposerNames();
    known.insert(known.end(), {"model:FILE", "manual:DIR", "replay:SESSION|DIR"});
    return known;
}

Result<void> checkTakesSteeringRequests(const std::string& proposer)
{
    if (wordsOfProposer(proposer).kind != "replay")
        return {};
    return fail("wish/replay", "recorded replies are used in their order: steering requests have no effect",
        "steering requests need the proposer mutator, tuner, random, models or manual replies");
}

Result<void> checkTakesPrompts(const std::string& proposer)
{
    if (readsPrompts(proposer))
        return {};
    return fail("wish/unread",
        "the proposer of this run, " + wordsOfProposer(proposer).kind
            + ", uses no prompts: an idea or a prompt has no effect",
        "change the proposer to language models or manual replies, or write the edit yourself");
}

Result<void> checkHasJudge(const std::string& proposer)
{
    if (wordsOfProposer(proposer).kind == "model")
        return {};
    return fail("judge/no-models",
        "no language model takes part in this run: its proposer is " + wordsOfProposer(proposer).kind,
        "change the proposer to language models, or start a session with them");
}

std::string wordsOfUnread(const std::string& what, const std::string& proposer)
{
    return readsPrompts(proposer) ? std::string()
                                  : "kept, but " + what + " has no effect in this run: its proposer, "
            + wordsOfProposer(proposer).kind + ", uses no prompts";
}

std::string wordsOfUnreadHints(const std::string& proposer) { return wordsOfUnread("hints", proposer); }

int usualTuning(const std::string& proposer)
{
    const ProposerWords words = wordsOfProposer(proposer);
    std::error_code problem;
    const bool isFolder = words.kind == "replay" && std::filesystem::is_directory(words.with, problem);
    return readsPrompts(proposer) || isFolder ? versionsOfAProgram : 0;
}

int usualRecombinations(const std::string& proposer) { return readsPrompts(proposer) ? recombinationsOfAnEdit : 0; }

Result<void> checkProposer(const std::string& proposer)
{
    const ProposerWords words = wordsOfProposer(proposer);
    const bool outside = words.kind == "replay" || words.kind == "manual" || words.kind == "model";
    if (!outside && !proposerNamed(words.kind))
        return fail(
            "proposer/unknown", "unknown proposer '" + words.kind + "'", "there are " + joined(knownProposers(), ", "));
    if (words.kind == "replay" && words.with.empty())
        return fail("proposer/words", "the proposer replay needs a recording", "write replay:SESSION or replay:DIR");
    if (!outside && proposer != words.kind)
        return fail("proposer/words", "the proposer " + words.kind + " takes nothing after a colon");
    return {};
}

std::filesystem::path modelsFileOf(const std::string& proposer)
{
    const ProposerWords words = wordsOfProposer(proposer);
    return words.with.empty() ? dataFolder() / "models/models.json" : std::filesystem::path(words.with);
}

namespace {

Result<ModelsFile> modelsOf(const std::string& proposer)
{
    const std::filesystem::path file = modelsFileOf(proposer);
    std::error_code problem;
    if (!std::filesystem::exists(file, problem))
        return fail("models/missing", "the models file " + file.string() + " does not exist",
            "restore it, or use another one: proposer model:FILE, or --models FILE");
    return loadModelsFile(file);
}

/// A folder that can take prompts; it is made if need be.
Result<void> checkLetterFolder(const std::filesystem::path& folder)
{
    std::error_code problem;
    std::filesystem::create_directories(folder, problem);
    std::string why = problem ? problem.message() : "";
    if (!problem && !std::filesystem::is_directory(folder, problem))
        why = "it is not a folder";
    else if (!problem && ::access(folder.c_str(), R_OK | W_OK | X_OK) != 0)
        why = std::strerror(errno);
    if (why.empty())
        return {};
    return fail("manual/folder", "the folder " + folder.string() + " for prompts and replies cannot be used: " + why,
        "choose a folder of your own");
}

/// Replies of a folder whose prompts are missing, or say nothing of it, were made for programs that nobody knows.
std::string wordsOfUnknownParents(const std::vector<RecordedReply>& replies)
{
    const auto unknown = std::ranges::count_if(replies, [](const RecordedReply& reply) { return !reply.as; });
    if (unknown == 0)
        return {};
    return "of " + std::to_string(replies.size()) + " recorded replies, " + std::to_string(unknown)
        + " have no NNNN.prompt.md that names their program: they are applied to the program that the search picks, "
          "and may not produce the candidates of the recorded run";
}

} // namespace

Result<Budget> budgetWithModels(const std::string& proposer, Budget budget)
{
    const auto models = modelsOf(proposer);
    if (!models)
        return std::unexpected(models.error());
    if (budget.tokens == 0)
        budget.tokens = models->limits.tokens;
    if (budget.costMicroUsd == 0)
        budget.costMicroUsd = std::llround(models->limits.usd * 1e6);
    if (budget.costMicroUsd > 0)
        for (const ModelSpec& spec : models->models)
            if (spec.weight > 0 && !spec.price)
                return fail("models/price",
                    "the cost cannot be limited: the price of the model '" + spec.name + "' (" + spec.model
                        + ") is unknown",
                    "set its \"price\" in " + modelsFileOf(proposer).string()
                        + " (0 for your own machine), set its \"weight\" to 0, or remove the limit");
    return budget;
}

std::string whyNoMoneyLimit(const std::string& proposer)
{
    Budget limited;
    limited.costMicroUsd = 1;
    const auto budget = budgetWithModels(proposer, limited);
    return budget || budget.error().code != "models/price" ? std::string()
                                                           : budget.error().text + ": " + budget.error().hint;
}

Result<void> checkFit(const std::string& kind, const TaskPack& pack)
{
    if (!tunablesOf(pack.seed()).empty())
        return {};
    if (!pack.moves.empty())
        return kind == "tuner" ? fail("proposer/no-tunables",
                   "the proposer tuner cannot be used: the seed of " + pack.task.name + " has no tunables",
                   "use mutator, random, model (with --models FILE), manual:DIR or replay:SESSION|DIR with this task; "
                   "the mutator also tunes once a transform has added tunables")
                               : Result<void>();
    if (!proposerNamed(kind))
        return {};
    return fail(kind == "tuner" ? "proposer/no-tunables" : "proposer/no-moves",
        "the proposer " + kind + " cannot be used: the task " + pack.task.name
            + " has no transforms, and its seed has no tunables",
        "language models (--proposer model --models FILE), a user (--proposer manual:DIR) or a recording (--proposer "
        "replay:SESSION|DIR) can offer edits; what is built in can as soon as the seed has a tunable, 'constexpr int "
        "TILE = 8; // tune: 4 8 16' in its evolve "
        "block, or the task has moves: patches in the folder that task.json names as \"moves\"");
}

bool hasBuiltInWork(const TaskPack& pack) { return bool(checkFit("mutator", pack)); }

Result<void> checkFit(const std::string& kind, const TaskPack& pack, const RunState& run)
{
    const bool hasTunables = std::any_of(run.candidates.begin(), run.candidates.end(),
        [](const Candidate& candidate) { return candidate.isRanked() && !candidate.tunables.empty(); });
    return hasTunables ? Result<void>() : checkFit(kind, pack);
}

Result<Proposing> proposingBy(const std::string& proposer, const TaskPack& pack)
{
    if (auto checked = checkProposer(proposer); !checked)
        return std::unexpected(checked.error());
    const ProposerWords words = wordsOfProposer(proposer);
    if (words.kind == "manual")
        return Proposing{nullptr, std::make_unique<ManualReplySource>(words.with)};
    if (words.kind == "model") {
        auto models = modelsOf(proposer);
        if (!models)
            return std::unexpected(models.error());
        if (auto usable = checkUsable(*models, modelsFileOf(proposer).string()); !usable)
            return std::unexpected(usable.error());
        return Proposing{nullptr, std::make_unique<ModelReplySource>(std::move(*models))};
    }
    if (words.kind != "replay")
        return Proposing{proposerNamed(words.kind), nullptr};
    auto replies = recordedReplies(words.with, pack);
    if (!replies)
        return std::unexpected(replies.error());
    std::string warning = wordsOfUnknownParents(*replies);
    return Proposing{std::make_unique<ReplayProposer>(std::move(*replies)), nullptr, std::move(warning)};
}

Result<void> checkFounders(const RunSettings& settings, const std::map<IslandId, IslandSteering>& steering)
{
    if (settings.islands < 1 || settings.islands > mostIslands)
        return fail("island/count", "a run has 1 to " + std::to_string(mostIslands) + " islands");
    if (settings.strategies.size() > static_cast<std::size_t>(settings.islands))
        return fail("island/unknown",
            "a strategy is set for island " + islandLetter({static_cast<std::int64_t>(settings.strategies.size())})
                + ", and the last island is " + islandLetter({settings.islands}));
    for (const std::string& strategy : settings.strategies)
        if (!strategyNamed(strategy))
            return fail("island/strategy", "unknown strategy '" + strategy + "'",
                "known strategies: " + joined(strategyNames(), ", "));
    const auto founders = foundersOf(settings);
    const auto takesPart = [&](IslandId island) -> Result<void> {
        const auto founder = std::ranges::find(founders, island, &events::IslandCreated::id);
        if (founder == founders.end())
            return fail("island/unknown", "the run has no island " + islandLetter(island),
                "the last island is " + islandLetter(founders.back().id));
        if (!strategyNamed(founder->strategy)->canSteer())
            return std::unexpected(noSteering(founder->strategy));
        return {};
    };
    for (const auto& [island, steered] : steering) {
        if (auto known = takesPart(island); !known)
            return known;
        if (auto sound = checkSteering(steered); !sound)
            return sound;
        Island founder;
        founder.id = island;
        if (auto askable = checkProposers(steered.proposers, settings.proposer, founder, nullptr, {}); !askable)
            return askable;
    }
    if (settings.migration == MigrationPlan{})
        return {};
    if (std::ranges::none_of(founders, [&](const auto& founder) { return takesPart(founder.id).has_value(); }))
        return takesPart(founders.front().id);
    return checkPlan(settings.migration, takesPart);
}

std::vector<std::string> islandsNamedInVain(const std::string& proposer, int islands)
{
    std::set<std::string> known{"*"};
    for (int id = 1; id <= std::max(islands, 1); ++id)
        known.insert(islandLetter({id}));
    const std::string last = islandLetter({std::max(islands, 1)});
    const std::string has = "the run has the islands A to " + last;
    std::vector<std::string> words;
    if (wordsOfProposer(proposer).kind == "model")
        if (const auto models = modelsOf(proposer))
            for (const auto& [island, weights] : models->islands)
                if (!known.contains(island))
                    words.push_back("the models file has weights for an island " + island + ", but " + has);
    for (const std::string& island : islandsWithPrompts())
        if (!known.contains(island))
            words.push_back("there is a folder of templates for an island " + island + ", but " + has);
    return words;
}

Result<void> checkProposing(const std::string& proposer, const TaskPack& pack, const RunState& run)
{
    const auto proposing = proposingBy(proposer, pack);
    if (!proposing)
        return std::unexpected(proposing.error());
    if (auto fits = checkFit(wordsOfProposer(proposer).kind, pack, run); !fits)
        return fits;
    if (!proposing->replySource)
        return {};
    if (const auto prompts = writtenPrompts(); !prompts)
        return std::unexpected(prompts.error());
    const ProposerWords words = wordsOfProposer(proposer);
    return words.kind == "manual" && !words.with.empty() ? checkLetterFolder(words.with) : Result<void>();
}

namespace {

/// Whether this one model could be asked here: key, certificates, context.
Error whyNotAsked(ModelsFile file, const std::string& model, const std::string& fileName)
{
    file.islands.clear();
    for (ModelSpec& spec : file.models)
        spec.weight = spec.name == model ? 1 : 0;
    const auto usable = checkUsable(file, fileName);
    return usable ? Error{} : usable.error();
}

void addModels(std::vector<ProposerChoice>& choices, const std::string& proposer, const Island& island)
{
    const std::string path = modelsFileOf(proposer).string();
    const auto file = loadModelsFile(path);
    if (!file)
        return;
    const auto weights = file->weightsFor(file->islands.contains(island.name) ? island.name : islandLetter(island.id));
    for (const ModelSpec& spec : file->models) {
        const auto usual = weights.find(spec.name);
        choices.push_back({std::string(modelInMix) + spec.name, whyNotAsked(*file, spec.name, path),
            usual == weights.end() ? 0 : usual->second});
    }
}

Error nobodyCalled(const std::string& name, const std::string& kind)
{
    if (name.starts_with(modelInMix) && kind != "model")
        return {"island/no-models", "this run uses no models: " + name + " cannot be part of a mix",
            "change the session's proposer to language models first; each island can then have its own mix", nullptr};
    if (name == "manual")
        return {"island/value", "this run has no manual replies",
            "change the session's proposer to manual replies first; each island can then have its own mix", nullptr};
    return {"island/value", "the models file of this run has no model " + name,
        "'tilewright-cli control FILE status' lists its models", nullptr};
}

} // namespace

std::vector<ProposerChoice> proposerChoices(const std::string& proposer, const Island& island)
{
    const std::string kind = wordsOfProposer(proposer).kind;
    std::vector<ProposerChoice> choices{
        {"mutator", {}, kind == "mutator" ? 1.0 : 0.0}, {"tuner", {}, kind == "tuner" ? 1.0 : 0.0}};
    if (kind == "manual")
        choices.push_back({"manual", {}, 1});
    else if (kind == "model")
        addModels(choices, proposer, island);
    return choices;
}

Result<void> checkProposers(const ProposerMix& mix, const std::string& proposer, const Island& island,
    const TaskPack* pack, const RunState& run)
{
    if (mix.empty())
        return {};
    if (wordsOfProposer(proposer).kind == "model")
        if (const auto file = loadModelsFile(modelsFileOf(proposer)); !file)
            return std::unexpected(file.error());
    const std::vector<ProposerChoice> choices = proposerChoices(proposer, island);
    bool isAnyFit = !pack;
    Error unfit;
    for (const auto& [name, weight] : mix) {
        const auto choice = std::ranges::find(choices, name, &ProposerChoice::name);
        if (choice == choices.end())
            return std::unexpected(nobodyCalled(name, wordsOfProposer(proposer).kind));
        if (weight > 0 && !choice->objection.code.empty())
            return std::unexpected(choice->objection);
        if (weight <= 0 || isAnyFit)
            continue;
        const auto fits = checkFit(name, *pack, run);
        isAnyFit = bool(fits);
        if (!fits)
            unfit = fits.error();
    }
    return isAnyFit || unfit.code.empty() ? Result<void>() : std::unexpected(unfit);
}

} // namespace tilewright
