// SPDX-License-Identifier: GPL-3.0-or-later
// What is known of models in general: reading the catalogue's files.
#include "core/base/files.h"
#include "core/base/folders.h"
#include "core/llm/model_fields.h"
#include "core/llm/models_file.h"

namespace tilewright {

bool fits(std::string_view name, std::string_view pattern)
{
    std::size_t star = std::string_view::npos, kept = 0, n = 0, p = 0;
    while (n < name.size()) {
        if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            kept = n;
        } else if (p < pattern.size() && pattern[p] == name[n]) {
            ++p;
            ++n;
        } else if (star != std::string_view::npos) {
            p = star + 1;
            n = ++kept;
        } else {
            return false;
        }
    }
    while (p < pattern.size() && pattern[p] == '*')
        ++p;
    return p == pattern.size();
}

Result<ModelCatalogue> parseCatalogue(std::string_view text, const std::string& fileName)
{
    return checkedReading(fileName, [&](FieldMistakes& mistakes) {
        const JsonFields::Json json = parsedStrictly(text, mistakes.all());
        const JsonFields fields(json, "", {"format", "date", "source", "models"}, fileName, mistakes.all());
        ModelCatalogue catalogue;
        mistakes.take([&] { catalogue.date = fields.text("date"); });
        const JsonFields::Json& models = listOf(fields, "models");
        for (std::size_t i = 0; i < models.size(); ++i)
            mistakes.take([&] {
                const std::string path = placed("models", i);
                const JsonFields entry(
                    models[i], path, {"match", "templates", "capabilities", "price"}, {}, mistakes.all());
                CatalogueEntry read{entry.text("match"), {}, nullptr, nullptr};
                if (entry.has("templates"))
                    read.templates = entry.texts("templates");
                if (entry.has("capabilities")) { // read here once, so that a mistake is found when the file is read
                    (void)readCapabilities(entry.at("capabilities"), path + ".capabilities", {}, mistakes);
                    read.capabilities = nlohmann::json(entry.at("capabilities"));
                }
                if (entry.has("price")) {
                    (void)readPrice(entry.at("price"), path + ".price", mistakes);
                    read.price = nlohmann::json(entry.at("price"));
                }
                catalogue.entries.push_back(std::move(read));
            });
        return catalogue;
    });
}

Result<ModelCatalogue> loadCatalogue()
{
    const auto read = [](const std::filesystem::path& path) -> Result<ModelCatalogue> {
        const auto text = readTextFile(path, largestModelsFile);
        if (!text)
            return std::unexpected(text.error());
        return parseCatalogue(*text, path.string());
    };
    auto catalogue = read(sharedFolder() / "resources/models/catalogue.json");
    const std::filesystem::path own = dataFolder() / "models/catalogue.json";
    std::error_code problem;
    if (!catalogue || !std::filesystem::exists(own, problem))
        return catalogue;
    const auto mine = read(own);
    if (!mine)
        return mine;
    catalogue->entries.insert(catalogue->entries.end(), mine->entries.begin(), mine->entries.end());
    return catalogue;
}

} // namespace tilewright
