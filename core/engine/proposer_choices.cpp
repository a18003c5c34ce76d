// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/proposer_choices.h"

#include "core/engine/proposing.h"
#include "core/llm/models_file.h"

#include <algorithm>

namespace tilewright {
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
        return {"island/no-models", "no models are asked in this run: " + name + " cannot have a part in a mix",
            "choose language models as the session's proposer first; each island can then be given a mix", nullptr};
    if (name == "manual")
        return {"island/value", "nobody answers by hand in this run",
            "choose 'by hand' as the session's proposer first; each island can then be given a mix", nullptr};
    return {"island/value", "the models file of this run has no model for " + name,
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
