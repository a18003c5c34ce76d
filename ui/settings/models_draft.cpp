// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/models_draft.h"

#include "core/base/json_text.h"

#include <algorithm>

namespace tilewright::ui {
namespace {

using Json = ModelsDraft::Json;

constexpr const char* ownFileName = "models";

const char* keyOf(DraftPart part) { return part == DraftPart::Endpoint ? "endpoints" : "models"; }

std::string nameOf(const Json& entry)
{
    return entry.is_object() && entry.contains("name") && entry["name"].is_string() ? entry["name"].get<std::string>()
                                                                                    : std::string();
}

/// What a file's reader complains about, with the entry's own place taken off the field.
DraftProblem problemIn(const Json& file, const ModelCatalogue& catalogue, const std::string& place)
{
    const auto read = parseModelsFile(dumped(file), catalogue, ownFileName);
    if (read)
        return {};
    const nlohmann::json& evidence = read.error().evidence;
    std::string field = evidence.is_object() ? evidence.value("field", "") : "";
    if (field.starts_with(place + "."))
        field.erase(0, place.size() + 1);
    else if (field == place)
        field.clear();
    return {field, evidence.is_object() ? evidence.value("reason", read.error().text) : read.error().text};
}

Json modelToAsk(const std::string& endpoint) { return {{"name", "any"}, {"endpoint", endpoint}, {"model", "any"}}; }

/// A name of letters, digits, '-', '_' and '.', as the file wants it.
std::string plain(const std::string& text)
{
    std::string name;
    for (const char c : text.substr(text.rfind('/') + 1)) {
        const bool fine = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-'
            || c == '_' || c == '.';
        name += fine ? c : '-';
    }
    return name.empty() ? "model" : name.substr(0, 60);
}

} // namespace

ModelsDraft::ModelsDraft()
    : m_json({{"format", 1}, {"endpoints", Json::array()}, {"models", Json::array()}})
{
}

Result<ModelsDraft> ModelsDraft::from(std::string_view text)
{
    ModelsDraft draft;
    constexpr const char* remedy = "see resources/models/README.md for the format";
    Json json;
    try {
        json = parsedStrictly(text);
    } catch (const SyntaxError& problem) {
        return fail(
            "models/syntax", "not valid JSON: line " + std::to_string(problem.line) + ": " + problem.reason, remedy);
    } catch (const FieldError& problem) {
        return fail("models/syntax", problem.field + ": " + problem.reason, remedy);
    }
    const auto isList = [&json](const char* key) { return !json.contains(key) || json[key].is_array(); };
    if (!json.is_object() || !isList("endpoints") || !isList("models"))
        return fail("models/syntax", "it is JSON, but no models file", remedy);
    draft.m_json = json;
    for (const char* key : {"endpoints", "models"})
        if (!draft.m_json.contains(key))
            draft.m_json[key] = Json::array();
    if (!draft.m_json.contains("format"))
        draft.m_json["format"] = 1;
    return draft;
}

std::string ModelsDraft::text() const { return dumped(m_json, 2) + "\n"; }

Json& ModelsDraft::list(DraftPart part) { return m_json[keyOf(part)]; }
const Json& ModelsDraft::list(DraftPart part) const { return m_json.at(keyOf(part)); }

std::size_t ModelsDraft::count(DraftPart part) const { return part == DraftPart::Limits ? 1 : list(part).size(); }

const Json& ModelsDraft::at(const DraftEntry& entry) const
{
    static const Json nothing = Json::object();
    if (entry.part == DraftPart::Limits)
        return m_json.contains("limits") ? m_json.at("limits") : nothing;
    return entry.at < count(entry.part) ? list(entry.part)[entry.at] : nothing;
}

std::string ModelsDraft::textAt(const DraftEntry& entry, const std::string& field) const
{
    const Json* json = &at(entry);
    for (std::size_t from = 0; json && from <= field.size();) {
        const std::size_t dot = std::min(field.find('.', from), field.size());
        const std::string key = field.substr(from, dot - from);
        json = json->is_object() && json->contains(key) ? &json->at(key) : nullptr;
        from = dot + 1;
    }
    if (!json || json->is_null())
        return {};
    return json->is_string() ? json->get<std::string>() : json->dump();
}

void ModelsDraft::set(const DraftEntry& entry, const std::string& field, const Json& value)
{
    if (entry.part != DraftPart::Limits && entry.at >= count(entry.part))
        return;
    if (entry.part == DraftPart::Limits && !m_json.contains("limits"))
        m_json["limits"] = Json::object();
    Json& json = entry.part == DraftPart::Limits ? m_json["limits"] : list(entry.part)[entry.at];
    const std::string before = nameOf(json);
    const std::size_t dot = field.find('.');
    if (dot == std::string::npos) {
        if (value.is_null() && field != "key") // a key of null says "none"; an absent one means the template's
            json.erase(field);
        else
            json[field] = value;
    } else {
        const std::string outer = field.substr(0, dot), inner = field.substr(dot + 1);
        if (!json.contains(outer) || !json[outer].is_object())
            json[outer] = Json::object();
        if (value.is_null())
            json[outer].erase(inner);
        else
            json[outer][inner] = value;
        if (json[outer].empty())
            json.erase(outer);
    }
    if (entry.part == DraftPart::Limits && json.empty())
        m_json.erase("limits");
    if (field != "name" || !value.is_string())
        return;
    const std::string after = value.get<std::string>();
    if (entry.part == DraftPart::Endpoint) {
        for (Json& model : list(DraftPart::Model))
            if (model.value("endpoint", "") == before)
                model["endpoint"] = after;
    } else if (m_json.contains("islands") && m_json["islands"].is_object()) {
        for (auto& [island, weights] : m_json["islands"].items())
            if (weights.is_object() && weights.contains(before)) {
                weights[after] = weights[before];
                weights.erase(before);
            }
    }
}

std::string ModelsDraft::freeName(DraftPart part, const std::string& wanted) const
{
    const auto taken = [this, part](const std::string& name) {
        return std::ranges::any_of(list(part), [&name](const Json& entry) { return nameOf(entry) == name; });
    };
    std::string name = wanted;
    for (int number = 2; taken(name); ++number)
        name = wanted + "-" + std::to_string(number);
    return name;
}

DraftEntry ModelsDraft::addEndpoint(const std::string& templateName)
{
    Json entry{{"name", freeName(DraftPart::Endpoint, templateName)}, {"template", templateName}};
    if (templateName == "other")
        entry["protocol"] = "openai-chat";
    list(DraftPart::Endpoint).push_back(std::move(entry));
    return {DraftPart::Endpoint, count(DraftPart::Endpoint) - 1};
}

DraftEntry ModelsDraft::addModel(const std::string& endpoint, const std::string& served)
{
    list(DraftPart::Model)
        .push_back({{"name", freeName(DraftPart::Model, plain(served.empty() ? endpoint : served))},
            {"endpoint", endpoint}, {"model", served}, {"weight", 1}});
    return {DraftPart::Model, count(DraftPart::Model) - 1};
}

DraftEntry ModelsDraft::duplicate(const DraftEntry& entry)
{
    if (entry.part == DraftPart::Limits || entry.at >= count(entry.part))
        return entry;
    Json copy = list(entry.part)[entry.at];
    copy["name"] = freeName(entry.part, nameOf(copy));
    list(entry.part).push_back(std::move(copy));
    return {entry.part, count(entry.part) - 1};
}

void ModelsDraft::remove(const DraftEntry& entry)
{
    if (entry.part == DraftPart::Limits || entry.at >= count(entry.part))
        return;
    const std::string name = nameOf(list(entry.part)[entry.at]);
    list(entry.part).erase(entry.at);
    if (entry.part == DraftPart::Endpoint) {
        for (std::size_t i = count(DraftPart::Model); i-- > 0;)
            if (list(DraftPart::Model)[i].value("endpoint", "") == name)
                remove({DraftPart::Model, i});
        return;
    }
    if (!m_json.contains("islands") || !m_json["islands"].is_object())
        return;
    Json kept = Json::object();
    for (auto& [island, weights] : m_json["islands"].items()) {
        if (weights.is_object())
            weights.erase(name);
        if (!weights.empty())
            kept[island] = weights;
    }
    m_json["islands"] = kept;
    if (kept.empty())
        m_json.erase("islands");
}

DraftProblem ModelsDraft::problemOf(const DraftEntry& entry, const ModelCatalogue& catalogue) const
{
    const Json local{{"name", "here"}, {"template", "ollama"}};
    if (entry.part == DraftPart::Limits) {
        Json file{{"format", 1}, {"endpoints", {local}}, {"models", {modelToAsk("here")}}};
        if (m_json.contains("limits"))
            file["limits"] = m_json.at("limits");
        return problemIn(file, catalogue, "limits");
    }
    if (entry.at >= count(entry.part))
        return {};
    const Json& own = list(entry.part)[entry.at];
    const std::string name = nameOf(own);
    for (std::size_t i = 0; i < entry.at; ++i)
        if (!name.empty() && nameOf(list(entry.part)[i]) == name)
            return {"name", "'" + name + "' stands twice"};
    if (entry.part == DraftPart::Endpoint)
        return problemIn(
            {{"format", 1}, {"endpoints", {own}}, {"models", {modelToAsk(name)}}}, catalogue, "endpoints[0]");
    const std::string wanted = textAt(entry, "endpoint");
    const auto& endpoints = list(DraftPart::Endpoint);
    const auto home = std::ranges::find_if(endpoints, [&wanted](const Json& one) { return nameOf(one) == wanted; });
    if (home == endpoints.end())
        return {"endpoint", "'" + wanted + "' is no endpoint of this file"};
    Json asked = own;
    if (asked.is_object() && asked.contains("weight") && asked["weight"] == 0)
        asked["weight"] = 1; // switched off is no mistake
    // The endpoint's own mistakes are told where it stands; here only its kind matters.
    Json stand = local;
    stand["name"] = wanted;
    return problemIn({{"format", 1}, {"endpoints", {stand}}, {"models", {asked}}}, catalogue, "models[0]");
}

std::map<std::string, std::string> ModelsDraft::problemsOf(
    const DraftEntry& entry, const ModelCatalogue& catalogue) const
{
    // A reader stops at its first complaint: what it complains about is taken away, and it reads again.
    std::map<std::string, std::string> found;
    ModelsDraft rest = *this;
    for (;;) {
        const DraftProblem problem = rest.problemOf(entry, catalogue);
        if (problem.reason.empty() || !found.emplace(problem.field, problem.reason).second)
            return found;
        if (problem.field.empty() || problem.field == "name" || rest.textAt(entry, problem.field).empty())
            return found; // without it nothing else can be read
        rest.set(entry, problem.field, nullptr);
    }
}

bool ModelsDraft::isSound(const ModelCatalogue& catalogue) const
{
    for (const DraftPart part : {DraftPart::Limits, DraftPart::Endpoint, DraftPart::Model})
        for (std::size_t i = 0; i < count(part); ++i)
            if (!problemOf({part, i}, catalogue).reason.empty())
                return false;
    return true;
}

Result<ModelsFile> ModelsDraft::fileOf(std::size_t model, const ModelCatalogue& catalogue) const
{
    Json asked = at({DraftPart::Model, model});
    asked["weight"] = 1;
    const std::string home = asked.value("endpoint", "");
    Json endpoints = Json::array();
    for (const Json& endpoint : list(DraftPart::Endpoint))
        if (nameOf(endpoint) == home)
            endpoints.push_back(endpoint);
    return parseModelsFile(
        dumped(Json{{"format", 1}, {"endpoints", endpoints}, {"models", {asked}}}), catalogue, ownFileName);
}

Result<ModelEndpoint> ModelsDraft::endpoint(std::size_t at, const ModelCatalogue& catalogue) const
{
    const Json& own = this->at({DraftPart::Endpoint, at});
    const auto file
        = parseModelsFile(dumped(Json{{"format", 1}, {"endpoints", {own}}, {"models", {modelToAsk(nameOf(own))}}}),
            catalogue, ownFileName);
    return file ? Result<ModelEndpoint>(file->endpoints.front()) : std::unexpected(file.error());
}

Result<ModelSpec> ModelsDraft::model(std::size_t at, const ModelCatalogue& catalogue) const
{
    auto file = fileOf(at, catalogue);
    if (!file)
        return std::unexpected(file.error());
    ModelSpec spec = file->models.front();
    const Json& own = this->at({DraftPart::Model, at});
    if (own.contains("weight") && own["weight"].is_number())
        spec.weight = own["weight"].get<double>();
    return spec;
}

ModelsDraft ModelsDraft::withWeights(const Weights& weights, const std::map<std::string, Weights>& islands) const
{
    ModelsDraft chosen = *this;
    for (std::size_t i = chosen.count(DraftPart::Model); i-- > 0;) {
        const auto weight = weights.find(nameOf(chosen.list(DraftPart::Model)[i]));
        if (weight == weights.end())
            chosen.remove({DraftPart::Model, i});
        else
            chosen.set({DraftPart::Model, i}, "weight", weight->second);
    }
    for (const auto& [island, own] : islands) {
        Json& held = chosen.m_json["islands"][island];
        held = Json::object();
        for (const auto& [model, weight] : own)
            if (weight > 0 && weights.contains(model))
                held[model] = weight;
    }
    return chosen;
}

} // namespace tilewright::ui
