// SPDX-License-Identifier: GPL-3.0-or-later
// The models file while a user edits it: the JSON as it stands, mistakes included, so that nothing typed is lost and
// fields without an editor (island weights, sources of prices) stay. What is wrong is told by the reader of the file
// itself, entry by entry. Pure.
#pragma once

#include "core/llm/models_file.h"

#include <cstddef>
#include <map>

namespace tilewright::ui {

enum class DraftPart { Limits, Endpoint, Model };

/// An entry of the draft: the limits, or an endpoint or model by its place in its list.
struct DraftEntry {
    DraftPart part = DraftPart::Limits;
    std::size_t at = 0;

    bool operator==(const DraftEntry&) const = default;
};

/// The first mistake of an entry; reason is empty if there is none.
struct DraftProblem {
    std::string field; ///< "url", "price.date"; "" where the whole entry is meant
    std::string reason;

    bool operator==(const DraftProblem&) const = default;
};

class ModelsDraft
{
public:
    using Json = nlohmann::ordered_json;

    ModelsDraft();
    /// Errors: models/syntax (no JSON, or not an object with these lists).
    static Result<ModelsDraft> from(std::string_view text);
    /// The file: two blanks of indentation, a line end at the end.
    std::string text() const;

    std::size_t count(DraftPart part) const;
    const Json& at(const DraftEntry& entry) const;
    /// The text of a field, "" if there is none.
    std::string textAt(const DraftEntry& entry, const std::string& field) const;
    /// "price.input" reaches into an object. Null takes the field away, and an object that is empty then. Renaming an
    /// endpoint or a model renames it wherever the file names it.
    void set(const DraftEntry& entry, const std::string& field, const Json& value);

    /// With a name of its own, after the template's; a template that needs an address leaves it to the user.
    DraftEntry addEndpoint(const std::string& templateName);
    DraftEntry addModel(const std::string& endpoint, const std::string& served);
    DraftEntry duplicate(const DraftEntry& entry);
    /// An endpoint goes with its models, a model with its island weights.
    void remove(const DraftEntry& entry);

    /// The first one.
    DraftProblem problemOf(const DraftEntry& entry, const ModelCatalogue& catalogue) const;
    /// All that can be found: by field, why it is wrong.
    std::map<std::string, std::string> problemsOf(const DraftEntry& entry, const ModelCatalogue& catalogue) const;
    /// No entry has a mistake: the file may be written.
    bool isSound(const ModelCatalogue& catalogue) const;
    /// As a request would use it. Error models/field.
    Result<ModelEndpoint> endpoint(std::size_t at, const ModelCatalogue& catalogue) const;
    Result<ModelSpec> model(std::size_t at, const ModelCatalogue& catalogue) const;
    /// A file of this model and its endpoint alone, for a test call. Error models/field.
    Result<ModelsFile> fileOf(std::size_t model, const ModelCatalogue& catalogue) const;
    using Weights = std::map<std::string, double>; ///< by model
    /// The file with these models alone, at these weights: what one run asks. Of the islands named, by letter, each has
    /// weights of its own.
    ModelsDraft withWeights(const Weights& weights, const std::map<std::string, Weights>& islands = {}) const;

    bool operator==(const ModelsDraft&) const = default;

private:
    Json& list(DraftPart part);
    const Json& list(DraftPart part) const;
    std::string freeName(DraftPart part, const std::string& wanted) const;

    Json m_json;
};

} // namespace tilewright::ui
