// SPDX-License-Identifier: GPL-3.0-or-later
// Reading a models file: every field checked, an unknown one refused, every mistake told with the field's path.
#include "core/llm/models_file.h"

#include "core/base/files.h"
#include "core/base/ids.h"
#include "core/base/text.h"
#include "core/llm/keys.h"
#include "core/llm/model_fields.h"
#include "core/llm/network_lanes.h"
#include "core/llm/redactor.h"

#include <algorithm>
#include <chrono>
#include <set>

namespace tilewright {
namespace {

using OrderedJson = JsonFields::Json;
using Fields = JsonFields;

constexpr double mostTokens = 1e12, mostSeconds = 86'400;

constexpr const char* headersForm = "must be names, each once, with a text, such as X-Title: Tilewright";

/// What people paste into the wrong field does not stay there, and is not repeated.
std::string withoutKey(const Fields& fields, const char* field, const std::string& text)
{
    if (looksLikeAKey(text))
        complain(fields.pathOf(field), "looks like a key: this file never contains keys, only their names in \"key\"");
    return text;
}

std::string plainName(const Fields& fields)
{
    const std::string name = fields.text("name");
    if (name.size() > 64
        || name.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.")
            != std::string::npos)
        complain(fields.pathOf("name"), "may contain only letters, digits, '-', '_' and '.', at most 64");
    return withoutKey(fields, "name", name);
}

std::chrono::milliseconds secondsIn(
    const Fields& fields, const char* key, std::chrono::milliseconds otherwise, double least)
{
    const double seconds = fields.numberOr(key, static_cast<double>(otherwise.count()) / 1000.0, least, mostSeconds);
    return std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000));
}

ModelTimeouts readTimeouts(
    const OrderedJson& json, const std::string& path, ModelTimeouts timeouts, FieldMistakes& mistakes)
{
    const Fields fields(json, path, {"connect_s", "first_byte_s", "inactivity_s", "total_s"}, {}, mistakes.all());
    const auto read = [&](const char* key, std::chrono::milliseconds& limit) {
        mistakes.take([&] { limit = secondsIn(fields, key, limit, 0.1); });
    };
    read("connect_s", timeouts.connect);
    read("first_byte_s", timeouts.firstByte);
    read("inactivity_s", timeouts.inactivity);
    read("total_s", timeouts.total);
    return timeouts;
}

const EndpointTemplate& templateIn(const Fields& fields)
{
    const std::string name = withoutKey(fields, "template", fields.textOr("template", "other"));
    if (const EndpointTemplate* known = endpointTemplate(name))
        return *known;
    std::vector<std::string> names;
    for (const EndpointTemplate& item : endpointTemplates())
        names.push_back(item.name);
    complain(fields.pathOf("template"), "'" + name + "' is not one of " + joined(names, ", "));
}

std::string keyIn(const OrderedJson& json, const Fields& fields, const std::string& usual)
{
    const std::string key = !json.contains("key") ? usual : json.at("key").is_null() ? "" : fields.text("key");
    if (const auto name = parseKeyName(key); !name)
        complain(fields.pathOf("key"), name.error().text + ": " + name.error().hint); // never the value
    return key;
}

std::string proxyIn(const Fields& fields, const std::string& usual)
{
    const std::string text = fields.textOr("proxy", usual);
    if (const auto proxy = proxyFor("https://example.org", text, [](const char*) { return std::string(); }); !proxy)
        complain(fields.pathOf("proxy"), proxy.error().line());
    return text;
}

void readHeaders(const Fields& fields, ModelEndpoint& endpoint, FieldMistakes& mistakes)
{
    if (!fields.at("headers").is_object())
        complain(fields.pathOf("headers"), headersForm);
    for (const auto& [name, value] : fields.at("headers").items())
        mistakes.take([&] {
            if (!value.is_string())
                complain(fields.pathOf("headers"), headersForm);
            if (const std::string why = objectionToHeader(name, value.get<std::string>()); !why.empty())
                complain(fields.pathOf("headers"), why);
            endpoint.headers[name] = value.get<std::string>();
        });
}

/// Where its server is, and how it is spoken to.
void readAddress(const OrderedJson& json, const Fields& fields, ModelEndpoint& endpoint, FieldMistakes& mistakes)
{
    const EndpointTemplate* known = nullptr;
    mistakes.take([&] { known = &templateIn(fields); });
    endpoint.templateName = known ? known->name : "other";
    const bool isOwn = known && known->name == "other"; // of an unknown one nobody can say what is missing
    mistakes.take([&] {
        endpoint.protocol = isOwn
            ? fields.choice("protocol", modelProtocols)
            : fields.choiceOr("protocol", known ? known->protocol : endpoint.protocol, modelProtocols);
    });
    mistakes.take([&] { endpoint.key = keyIn(json, fields, known ? known->key : ""); });
    mistakes.take([&] { endpoint.proxy = proxyIn(fields, endpoint.proxy); });
    mistakes.take([&] { endpoint.caFile = fields.textOr("ca_file", ""); });
    const bool saysHow = mistakes.take([&] { endpoint.plainHttp = fields.truthOr("plain_http", false); });
    mistakes.take([&] {
        endpoint.url = known && known->url.empty() ? fields.text("url") : fields.textOr("url", known ? known->url : "");
        if (endpoint.url.empty() || !saysHow)
            return;
        if (const auto fine = checkAddress(endpoint); !fine)
            complain(fields.pathOf("url"), fine.error().line());
    });
}

ModelEndpoint readEndpoint(const OrderedJson& json, const std::string& path, FieldMistakes& mistakes)
{
    const Fields fields(json, path,
        {"name", "template", "protocol", "url", "key", "proxy", "ca_file", "plain_http", "headers", "max_in_flight",
            "requests_per_minute", "tokens_per_minute", "timeouts"},
        {}, mistakes.all());
    ModelEndpoint endpoint;
    mistakes.take([&] { endpoint.name = plainName(fields); });
    readAddress(json, fields, endpoint, mistakes);
    mistakes.take([&] {
        if (fields.has("headers"))
            readHeaders(fields, endpoint, mistakes);
    });
    mistakes.take([&] {
        endpoint.mostInFlight = static_cast<int>(fields.integerOr("max_in_flight", endpoint.mostInFlight, 1, 1024));
    });
    constexpr std::int64_t mostPerMinute = 1'000'000'000;
    mistakes.take([&] { endpoint.perMinute.requests = fields.integerOr("requests_per_minute", 0, 1, mostPerMinute); });
    mistakes.take([&] { endpoint.perMinute.tokens = fields.integerOr("tokens_per_minute", 0, 1, mostPerMinute); });
    if (hostKindOf(endpoint.url) != HostKind::Public)
        endpoint.timeouts.firstByte = std::chrono::seconds(900);
    mistakes.take([&] {
        if (fields.has("timeouts"))
            endpoint.timeouts
                = readTimeouts(fields.at("timeouts"), fields.pathOf("timeouts"), endpoint.timeouts, mistakes);
    });
    return endpoint;
}

/// The catalogue's word on a model, laid over the protocol's defaults.
void consult(const ModelCatalogue& catalogue, const ModelEndpoint& endpoint, ModelSpec& spec)
{
    spec.capabilities.samples = endpoint.protocol == ModelProtocol::OpenAiChat;
    spec.capabilities.seed
        = endpoint.protocol != ModelProtocol::Anthropic && endpoint.protocol != ModelProtocol::OpenAiResponses;
    const std::string bare = spec.model.substr(spec.model.rfind('/') + 1); // "openai/gpt-5" of OpenRouter
    FieldMistakes none; // it was checked when it was read
    for (const CatalogueEntry& entry : catalogue.entries) {
        if (!fits(spec.model, entry.match) && !fits(bare, entry.match))
            continue;
        if (entry.capabilities.is_object())
            spec.capabilities
                = readCapabilities(OrderedJson(entry.capabilities), "capabilities", std::move(spec.capabilities), none);
        if (entry.price.is_object()
            && std::ranges::find(entry.templates, endpoint.templateName) != entry.templates.end())
            spec.price = readPrice(OrderedJson(entry.price), "price", none);
    }
}

/// All that the providers' protocols know; which of them a model takes, only its server can tell.
const std::set<std::string> efforts{"none", "minimal", "low", "medium", "high", "xhigh", "max", "default"};

void readEffort(const Fields& fields, ModelSpec& spec)
{
    spec.reasoningEffort = withoutKey(fields, "reasoning_effort", fields.textOr("reasoning_effort", ""));
    if (spec.reasoningEffort.empty())
        return;
    if (!efforts.contains(spec.reasoningEffort))
        complain(fields.pathOf("reasoning_effort"),
            "'" + spec.reasoningEffort + "' is not one of " + joined({efforts.begin(), efforts.end()}, ", "));
    spec.capabilities.reasoningEffort = true; // who sets it wants it sent
}

/// A whole file as far as it was read, with what is missing in it only because of a mistake.
struct Reading {
    ModelsFile file;
    bool knowsEndpoints = true, knowsModels = true; ///< every name could be read
};

ModelSpec readModel(const OrderedJson& json, const std::string& path, const Reading& reading,
    const ModelCatalogue& catalogue, FieldMistakes& mistakes)
{
    const Fields fields(json, path,
        {"name", "endpoint", "model", "weight", "temperature", "top_p", "reasoning_effort", "max_output_tokens",
            "capabilities", "price"},
        {}, mistakes.all());
    ModelSpec spec;
    mistakes.take([&] { spec.name = plainName(fields); });
    const ModelEndpoint* endpoint = nullptr;
    mistakes.take([&] {
        spec.endpoint = withoutKey(fields, "endpoint", fields.text("endpoint"));
        endpoint = reading.file.endpoint(spec.endpoint);
        if (!endpoint && reading.knowsEndpoints)
            complain(fields.pathOf("endpoint"), "'" + spec.endpoint + "' is not the name of an endpoint of this file");
    });
    mistakes.take([&] { spec.model = withoutKey(fields, "model", fields.text("model")); });
    consult(catalogue, endpoint ? *endpoint : ModelEndpoint{}, spec);
    mistakes.take([&] { spec.weight = fields.numberOr("weight", 1, 0, 1e6); });
    mistakes.take([&] {
        if (fields.has("temperature"))
            spec.temperature = fields.number("temperature", 0, 2);
    });
    mistakes.take([&] {
        if (fields.has("top_p"))
            spec.topP = fields.number("top_p", 0, 1);
    });
    mistakes.take([&] { readEffort(fields, spec); });
    mistakes.take(
        [&] { spec.maxOutputTokens = fields.integerOr("max_output_tokens", spec.maxOutputTokens, 1, 10'000'000); });
    mistakes.take([&] {
        if (fields.has("capabilities"))
            spec.capabilities = readCapabilities(
                fields.at("capabilities"), fields.pathOf("capabilities"), std::move(spec.capabilities), mistakes);
    });
    mistakes.take([&] {
        if (fields.has("price"))
            spec.price = readPrice(fields.at("price"), fields.pathOf("price"), mistakes);
    });
    return spec;
}

/// A letter of one of the most islands that a run has, or "*".
bool isIsland(const std::string& name)
{
    const IslandId island = islandFromLetter(name);
    return (island && island.value <= mostIslands) || name == "*";
}

void readWeights(const OrderedJson& weights, const std::string& island, Reading& reading, FieldMistakes& mistakes)
{
    const std::string path = "islands." + island;
    if (!isIsland(island))
        complain(path, "is not an island: names are \"A\", \"B\" …, and \"*\" for all others");
    if (!weights.is_object() || weights.empty())
        complain(path, "must be an object: model → weight");
    double sum = 0;
    bool isRead = true;
    for (const auto& [model, weight] : weights.items())
        isRead &= mistakes.take([&] {
            if (!reading.file.model(model) && reading.knowsModels)
                complain(path + "." + model, "is not the name of a model of this file");
            if (!weight.is_number() || !(weight.get<double>() >= 0 && weight.get<double>() <= 1e6))
                complain(path + "." + model, "must be a number between 0 and 1000000");
            reading.file.islands[island][model] = weight.get<double>();
            sum += weight.get<double>();
        });
    if (isRead && !(sum > 0))
        complain(path, "must set at least one weight above 0");
}

void readLimits(const OrderedJson& json, ModelsFile& file, FieldMistakes& mistakes)
{
    const Fields limits(json, "limits", {"tokens", "cost_usd", "in_flight", "tries", "patience_s"}, {}, mistakes.all());
    mistakes.take(
        [&] { file.limits.tokens = limits.integerOr("tokens", 0, 0, static_cast<std::int64_t>(mostTokens)); });
    mistakes.take([&] { file.limits.usd = limits.numberOr("cost_usd", 0, 0, mostUsd); });
    mistakes.take(
        [&] { file.mostInFlight = static_cast<int>(limits.integerOr("in_flight", file.mostInFlight, 1, 1024)); });
    mistakes.take([&] { file.tries = static_cast<int>(limits.integerOr("tries", file.tries, 1, 20)); });
    mistakes.take([&] { file.patience = secondsIn(limits, "patience_s", file.patience, 0); });
}

void readEndpoints(const OrderedJson& endpoints, Reading& reading, FieldMistakes& mistakes)
{
    for (std::size_t i = 0; i < endpoints.size(); ++i) {
        const bool isNamed = mistakes.take([&] {
            ModelEndpoint endpoint = readEndpoint(endpoints[i], placed("endpoints", i), mistakes);
            reading.knowsEndpoints &= !endpoint.name.empty();
            if (!endpoint.name.empty() && reading.file.endpoint(endpoint.name))
                complain(placed("endpoints", i) + ".name", "'" + endpoint.name + "' occurs twice");
            reading.file.endpoints.push_back(std::move(endpoint));
        });
        reading.knowsEndpoints &= isNamed;
    }
}

void readModels(const OrderedJson& models, Reading& reading, const ModelCatalogue& catalogue, FieldMistakes& mistakes)
{
    for (std::size_t i = 0; i < models.size(); ++i) {
        const bool isNamed = mistakes.take([&] {
            ModelSpec spec = readModel(models[i], placed("models", i), reading, catalogue, mistakes);
            reading.knowsModels &= !spec.name.empty();
            if (!spec.name.empty() && reading.file.model(spec.name))
                complain(placed("models", i) + ".name", "'" + spec.name + "' occurs twice");
            reading.file.models.push_back(std::move(spec));
        });
        reading.knowsModels &= isNamed;
    }
    const bool isRead = reading.file.models.size() == models.size();
    if (isRead && std::ranges::none_of(reading.file.models, [](const ModelSpec& spec) { return spec.weight > 0; }))
        complain("models", "at least one model needs a weight above 0");
}

ModelsFile readModelsFile(
    const OrderedJson& json, const ModelCatalogue& catalogue, const std::string& fileName, FieldMistakes& mistakes)
{
    const Fields fields(json, "", {"format", "endpoints", "models", "islands", "limits"}, fileName, mistakes.all());
    if (fields.integerOr("format", 0, 0, 1000) != 1) // of another one nobody knows what is a mistake
        complain("format", "must be 1, the only supported format");
    Reading reading;
    reading.knowsEndpoints = mistakes.take([&] { readEndpoints(listOf(fields, "endpoints"), reading, mistakes); })
        && reading.knowsEndpoints;
    reading.knowsModels = mistakes.take([&] { readModels(listOf(fields, "models"), reading, catalogue, mistakes); })
        && reading.knowsModels;
    mistakes.take([&] {
        if (!fields.has("islands"))
            return;
        if (!fields.at("islands").is_object())
            complain("islands", "must be an object: island → model → weight");
        for (const auto& [island, weights] : fields.at("islands").items())
            mistakes.take([&] { readWeights(weights, island, reading, mistakes); });
    });
    mistakes.take([&] {
        if (fields.has("limits"))
            readLimits(fields.at("limits"), reading.file, mistakes);
    });
    return std::move(reading.file);
}

} // namespace

const ModelEndpoint* ModelsFile::endpoint(std::string_view name) const
{
    const auto found = std::ranges::find(endpoints, name, &ModelEndpoint::name);
    return found == endpoints.end() ? nullptr : &*found;
}

const ModelSpec* ModelsFile::model(std::string_view name) const
{
    const auto found = std::ranges::find(models, name, &ModelSpec::name);
    return found == models.end() ? nullptr : &*found;
}

std::map<std::string, double> ModelsFile::weightsFor(const std::string& island) const
{
    for (const std::string& name : {island, std::string("*")})
        if (const auto own = islands.find(name); own != islands.end())
            return own->second;
    std::map<std::string, double> weights;
    for (const ModelSpec& spec : models)
        weights[spec.name] = spec.weight;
    return weights;
}

Result<ModelsFile> parseModelsFile(std::string_view text, const ModelCatalogue& catalogue, const std::string& fileName)
{
    return checkedReading(fileName, [&](FieldMistakes& mistakes) {
        return readModelsFile(parsedStrictly(text, mistakes.all()), catalogue, fileName, mistakes);
    });
}

Result<ModelsFile> loadModelsFile(const std::filesystem::path& path)
{
    const auto text = readTextFile(path, largestModelsFile);
    if (!text)
        return std::unexpected(text.error());
    const auto catalogue = loadCatalogue();
    if (!catalogue)
        return std::unexpected(catalogue.error());
    return parseModelsFile(*text, *catalogue, path.string());
}

} // namespace tilewright
