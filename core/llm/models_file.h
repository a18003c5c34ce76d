// SPDX-License-Identifier: GPL-3.0-or-later
// The models file (--models FILE): endpoints, models, weights, limits. Keys stand in it by name only. The format is
// documented in resources/models/README.md. Pure but for loadModelsFile.
#pragma once

#include "core/llm/model_endpoint.h"
#include "core/llm/pace.h"

#include <filesystem>

namespace tilewright {

/// What is known about models in general: capabilities and prices with a date, by name.
/// resources/models/catalogue.json.
struct CatalogueEntry {
    std::string match; ///< "gpt-5*": one or more '*' stand for anything
    std::vector<std::string> templates; ///< endpoints whose price this is; capabilities hold everywhere
    nlohmann::json capabilities, price; ///< objects or null

    bool operator==(const CatalogueEntry&) const = default;
};

constexpr std::size_t largestModelsFile = 16 << 20; ///< bytes; of a catalogue too

struct ModelCatalogue {
    std::string date;
    std::vector<CatalogueEntry> entries; ///< later ones win

    bool operator==(const ModelCatalogue&) const = default;
};

struct ModelsFile {
    std::vector<ModelEndpoint> endpoints;
    std::vector<ModelSpec> models;
    /// Island name ("A", or "*" for those not named) → model → weight.
    std::map<std::string, std::map<std::string, double>> islands;
    SpendingLimits limits;
    int mostInFlight = 16; ///< of all endpoints together
    int tries = 6; ///< of one call
    std::chrono::milliseconds patience{std::chrono::minutes(5)}; ///< a model that fails for so long is paused

    bool operator==(const ModelsFile&) const = default;
    const ModelEndpoint* endpoint(std::string_view name) const;
    const ModelSpec* model(std::string_view name) const;
    /// Weights of an island's models: its own, else those of "*", else each model's.
    std::map<std::string, double> weightsFor(const std::string& island) const;
};

/// Errors: models/syntax, models/field (every mistake with its field and reason, never a value that could be a key;
/// evidence as of mistakesIn()).
Result<ModelsFile> parseModelsFile(std::string_view text, const ModelCatalogue& catalogue, const std::string& fileName);
/// Errors: models/syntax, models/field.
Result<ModelCatalogue> parseCatalogue(std::string_view text, const std::string& fileName);
/// The shipped catalogue with the user's own (dataFolder()/models/catalogue.json) after it. Errors as above.
Result<ModelCatalogue> loadCatalogue();
/// Reads the file against loadCatalogue(). Errors: file/…, models/….
Result<ModelsFile> loadModelsFile(const std::filesystem::path& path);

/// What the file leaves to the machine that it is used on, for the models that may be asked: the file of an endpoint's
/// certificate authority, its key as far as nobody has to be asked for it, and room for a prompt in a model's context.
/// Errors, each with all that is missing: models/field, as of parsing; llm/key-missing.
Result<void> checkUsable(const ModelsFile& file, const std::string& fileName);

/// Whether a name fits a pattern with '*'.
bool fits(std::string_view name, std::string_view pattern);

} // namespace tilewright
