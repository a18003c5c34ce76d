// SPDX-License-Identifier: GPL-3.0-or-later
// Reading a models file: every field checked, an unknown one refused, each complaint with the field's path.
#include "core/llm/models_file.h"

#include "core/base/files.h"
#include "core/base/ids.h"
#include "core/base/strict_json.h"
#include "core/base/text.h"
#include "core/llm/credentials.h"
#include "core/llm/keys.h"
#include "core/llm/proxy.h"

#include <algorithm>
#include <chrono>
#include <set>

namespace tilewright {
namespace {

using OrderedJson = JsonFields::Json;
using Fields = JsonFields;

constexpr double mostTokens = 1e12, mostUsd = 1e6, mostSeconds = 86'400;
constexpr std::int64_t smallestContext = 2048; // the shortest prompt about a small kernel has more than half of it
constexpr const char* formatHint = "see resources/models/README.md for the format";

constexpr const char* headersForm = "must be names, each once, with a text, like X-Title: Tilewright";

std::string placed(const std::string& list, std::size_t i) { return list + "[" + std::to_string(i) + "]"; }

std::string plainName(const Fields& fields)
{
    const std::string name = fields.text("name");
    if (name.size() > 64
        || name.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.")
            != std::string::npos)
        complain(fields.pathOf("name"), "may hold only letters, digits, '-', '_' and '.', at most 64");
    return name;
}

Capabilities readCapabilities(const OrderedJson& json, const std::string& path, Capabilities can)
{
    const Fields fields(json, path,
        {"temperature", "top_p", "seed", "stop", "samples", "reasoning_effort", "stream_usage", "system_role",
            "output_limit", "context_tokens", "most_output_tokens"});
    can.temperature = fields.truthOr("temperature", can.temperature);
    can.topP = fields.truthOr("top_p", can.topP);
    can.seed = fields.truthOr("seed", can.seed);
    can.stop = fields.truthOr("stop", can.stop);
    can.samples = fields.truthOr("samples", can.samples);
    can.reasoningEffort = fields.truthOr("reasoning_effort", can.reasoningEffort);
    can.streamUsage = fields.truthOr("stream_usage", can.streamUsage);
    can.systemRole = fields.choiceOr("system_role", can.systemRole, systemRoles);
    can.outputLimit = fields.choiceOr("output_limit", can.outputLimit, outputLimitNames);
    can.contextTokens = fields.integerOr("context_tokens", can.contextTokens, 0, 100'000'000);
    can.mostOutputTokens = fields.integerOr("most_output_tokens", can.mostOutputTokens, 0, 100'000'000);
    return can;
}

/// "2026-11-21", a day that there is.
bool isDay(const std::string& text)
{
    if (text.size() != 10 || text[4] != '-' || text[7] != '-')
        return false;
    const auto number = [&text](std::size_t at, std::size_t digits) {
        int value = 0;
        for (std::size_t i = at; i < at + digits; ++i) {
            if (text[i] < '0' || text[i] > '9')
                return -1;
            value = value * 10 + (text[i] - '0');
        }
        return value;
    };
    const int year = number(0, 4), month = number(5, 2), day = number(8, 2);
    return year >= 0 && month >= 0 && day >= 0
        && std::chrono::year_month_day(std::chrono::year(year), std::chrono::month(static_cast<unsigned>(month)),
            std::chrono::day(static_cast<unsigned>(day)))
               .ok();
}

TokenPrice readPrice(const OrderedJson& json, const std::string& path)
{
    const Fields fields(json, path, {"input", "output", "cache_read", "cache_write", "date", "source"});
    TokenPrice price;
    price.input = fields.number("input", 0, mostUsd);
    price.output = fields.number("output", 0, mostUsd);
    if (fields.has("cache_read"))
        price.cacheRead = fields.number("cache_read", 0, mostUsd);
    if (fields.has("cache_write"))
        price.cacheWrite = fields.number("cache_write", 0, mostUsd);
    price.date = fields.text("date");
    if (!isDay(price.date))
        complain(fields.pathOf("date"), "must be the day the price was read, like 2026-11-21");
    price.source = fields.textOr("source", "");
    return price;
}

ModelTimeouts readTimeouts(const OrderedJson& json, const std::string& path, ModelTimeouts timeouts)
{
    const Fields fields(json, path, {"connect_s", "first_byte_s", "inactivity_s", "total_s"});
    const auto read = [&fields](const char* key, std::chrono::milliseconds& limit) {
        const double seconds = fields.numberOr(key, static_cast<double>(limit.count()) / 1000.0, 0.1, mostSeconds);
        limit = std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000));
    };
    read("connect_s", timeouts.connect);
    read("first_byte_s", timeouts.firstByte);
    read("inactivity_s", timeouts.inactivity);
    read("total_s", timeouts.total);
    return timeouts;
}

ModelEndpoint readEndpoint(const OrderedJson& json, const std::string& path)
{
    const Fields fields(json, path,
        {"name", "template", "protocol", "url", "key", "proxy", "ca_file", "plain_http", "headers", "max_in_flight",
            "requests_per_minute", "tokens_per_minute", "timeouts"});
    ModelEndpoint endpoint;
    endpoint.name = plainName(fields);
    endpoint.templateName = fields.textOr("template", "other");
    const EndpointTemplate* known = endpointTemplate(endpoint.templateName);
    if (!known) {
        std::string names;
        for (const EndpointTemplate& item : endpointTemplates())
            names += (names.empty() ? "" : ", ") + item.name;
        complain(fields.pathOf("template"), "'" + endpoint.templateName + "' is not one of " + names);
    }
    endpoint.protocol = endpoint.templateName == "other" ? fields.choice("protocol", modelProtocols)
                                                         : fields.choiceOr("protocol", known->protocol, modelProtocols);
    endpoint.url = known->url.empty() ? fields.text("url") : fields.textOr("url", known->url);
    if (json.contains("key"))
        endpoint.key = json.at("key").is_null() ? "" : fields.text("key");
    else
        endpoint.key = known->key;
    if (const auto key = parseKeyName(endpoint.key); !key)
        complain(fields.pathOf("key"), key.error().text + ": " + key.error().hint); // never the value
    endpoint.proxy = fields.textOr("proxy", endpoint.proxy);
    if (const auto proxy = proxyFor("https://example.org", endpoint.proxy, [](const char*) { return std::string(); });
        !proxy)
        complain(fields.pathOf("proxy"), proxy.error().line());
    endpoint.caFile = fields.textOr("ca_file", "");
    endpoint.plainHttp = fields.truthOr("plain_http", false);
    if (fields.has("headers")) {
        if (!fields.at("headers").is_object())
            complain(fields.pathOf("headers"), headersForm);
        for (const auto& [name, value] : fields.at("headers").items()) {
            if (!value.is_string())
                complain(fields.pathOf("headers"), headersForm);
            if (const std::string why = objectionToHeader(name, value.get<std::string>()); !why.empty())
                complain(fields.pathOf("headers"), why);
            endpoint.headers[name] = value.get<std::string>();
        }
    }
    endpoint.mostInFlight = static_cast<int>(fields.integerOr("max_in_flight", endpoint.mostInFlight, 1, 1024));
    constexpr std::int64_t mostPerMinute = 1'000'000'000;
    endpoint.perMinute.requests = fields.integerOr("requests_per_minute", 0, 1, mostPerMinute);
    endpoint.perMinute.tokens = fields.integerOr("tokens_per_minute", 0, 1, mostPerMinute);
    if (hostKindOf(endpoint.url) != HostKind::Public)
        endpoint.timeouts.firstByte = std::chrono::seconds(900);
    if (fields.has("timeouts"))
        endpoint.timeouts = readTimeouts(fields.at("timeouts"), fields.pathOf("timeouts"), endpoint.timeouts);
    if (const auto fine = checkAddress(endpoint); !fine)
        complain(fields.pathOf("url"), fine.error().line());
    return endpoint;
}

/// The catalogue's word on a model, laid over the protocol's defaults.
void consult(const ModelCatalogue& catalogue, const ModelEndpoint& endpoint, ModelSpec& spec)
{
    spec.capabilities.samples = endpoint.protocol == ModelProtocol::OpenAiChat;
    spec.capabilities.seed
        = endpoint.protocol != ModelProtocol::Anthropic && endpoint.protocol != ModelProtocol::OpenAiResponses;
    const std::string bare = spec.model.substr(spec.model.rfind('/') + 1); // "openai/gpt-5" of OpenRouter
    for (const CatalogueEntry& entry : catalogue.entries) {
        if (!fits(spec.model, entry.match) && !fits(bare, entry.match))
            continue;
        if (entry.capabilities.is_object())
            spec.capabilities
                = readCapabilities(OrderedJson(entry.capabilities), "capabilities", std::move(spec.capabilities));
        if (entry.price.is_object()
            && std::ranges::find(entry.templates, endpoint.templateName) != entry.templates.end())
            spec.price = readPrice(OrderedJson(entry.price), "price");
    }
}

/// All that the providers' protocols know; which of them a model takes, only its server can tell.
const std::set<std::string> efforts{"none", "minimal", "low", "medium", "high", "xhigh", "max", "default"};

ModelSpec readModel(
    const OrderedJson& json, const std::string& path, const ModelsFile& file, const ModelCatalogue& catalogue)
{
    const Fields fields(json, path,
        {"name", "endpoint", "model", "weight", "temperature", "top_p", "reasoning_effort", "max_output_tokens",
            "capabilities", "price"});
    ModelSpec spec;
    spec.name = plainName(fields);
    spec.endpoint = fields.text("endpoint");
    const ModelEndpoint* endpoint = file.endpoint(spec.endpoint);
    if (!endpoint)
        complain(fields.pathOf("endpoint"), "'" + spec.endpoint + "' is not the name of an endpoint of this file");
    spec.model = fields.text("model");
    consult(catalogue, *endpoint, spec);
    spec.weight = fields.numberOr("weight", 1, 0, 1e6);
    if (fields.has("temperature"))
        spec.temperature = fields.number("temperature", 0, 2);
    if (fields.has("top_p"))
        spec.topP = fields.number("top_p", 0, 1);
    spec.reasoningEffort = fields.textOr("reasoning_effort", "");
    if (!spec.reasoningEffort.empty() && !efforts.contains(spec.reasoningEffort))
        complain(fields.pathOf("reasoning_effort"),
            "'" + spec.reasoningEffort + "' is none of " + joined({efforts.begin(), efforts.end()}, ", "));
    if (!spec.reasoningEffort.empty())
        spec.capabilities.reasoningEffort = true; // who sets it wants it sent
    spec.maxOutputTokens = fields.integerOr("max_output_tokens", spec.maxOutputTokens, 1, 10'000'000);
    if (fields.has("capabilities"))
        spec.capabilities
            = readCapabilities(fields.at("capabilities"), fields.pathOf("capabilities"), std::move(spec.capabilities));
    if (fields.has("price"))
        spec.price = readPrice(fields.at("price"), fields.pathOf("price"));
    return spec;
}

const OrderedJson& listOf(const Fields& fields, const std::string& key)
{
    if (!fields.at(key).is_array() || fields.at(key).empty())
        complain(fields.pathOf(key), "must be a list with at least one entry");
    return fields.at(key);
}

/// A letter of one of the most islands that a run has, or "*".
bool isIsland(const std::string& name)
{
    const IslandId island = islandFromLetter(name);
    return (island && island.value <= mostIslands) || name == "*";
}

void readIslands(const OrderedJson& json, ModelsFile& file)
{
    if (!json.is_object())
        complain("islands", "must be an object: island → model → weight");
    for (const auto& [island, weights] : json.items()) {
        const std::string path = "islands." + island;
        if (!isIsland(island))
            complain(path, "is no island: they are called \"A\", \"B\" …, and \"*\" stands for all others");
        if (!weights.is_object() || weights.empty())
            complain(path, "must be an object: model → weight");
        double sum = 0;
        for (const auto& [model, weight] : weights.items()) {
            if (!file.model(model))
                complain(path + "." + model, "is not the name of a model of this file");
            if (!weight.is_number() || !(weight.get<double>() >= 0 && weight.get<double>() <= 1e6))
                complain(path + "." + model, "must be a number between 0 and 1e+06");
            file.islands[island][model] = weight.get<double>();
            sum += weight.get<double>();
        }
        if (!(sum > 0))
            complain(path, "must give at least one model a weight above 0");
    }
}

ModelsFile readModelsFile(const OrderedJson& json, const ModelCatalogue& catalogue, const std::string& fileName)
{
    const Fields fields(json, "", {"format", "endpoints", "models", "islands", "limits"}, fileName);
    if (fields.integerOr("format", 0, 0, 1000) != 1)
        complain("format", "must be 1, the only format there is");
    ModelsFile file;
    const OrderedJson& endpoints = listOf(fields, "endpoints");
    for (std::size_t i = 0; i < endpoints.size(); ++i) {
        ModelEndpoint endpoint = readEndpoint(endpoints[i], placed("endpoints", i));
        if (file.endpoint(endpoint.name))
            complain(placed("endpoints", i) + ".name", "'" + endpoint.name + "' stands twice");
        file.endpoints.push_back(std::move(endpoint));
    }
    const OrderedJson& models = listOf(fields, "models");
    for (std::size_t i = 0; i < models.size(); ++i) {
        ModelSpec spec = readModel(models[i], placed("models", i), file, catalogue);
        if (file.model(spec.name))
            complain(placed("models", i) + ".name", "'" + spec.name + "' stands twice");
        file.models.push_back(std::move(spec));
    }
    if (std::ranges::none_of(file.models, [](const ModelSpec& spec) { return spec.weight > 0; }))
        complain("models", "at least one model needs a weight above 0");
    if (fields.has("islands"))
        readIslands(fields.at("islands"), file);
    if (fields.has("limits")) {
        const Fields limits(fields.at("limits"), "limits", {"tokens", "cost_usd", "in_flight", "tries", "patience_s"});
        file.limits.tokens = limits.integerOr("tokens", 0, 0, static_cast<std::int64_t>(mostTokens));
        file.limits.usd = limits.numberOr("cost_usd", 0, 0, mostUsd);
        file.mostInFlight = static_cast<int>(limits.integerOr("in_flight", file.mostInFlight, 1, 1024));
        file.tries = static_cast<int>(limits.integerOr("tries", file.tries, 1, 20));
        const double patience
            = limits.numberOr("patience_s", static_cast<double>(file.patience.count()) / 1000.0, 0, mostSeconds);
        file.patience = std::chrono::milliseconds(static_cast<std::int64_t>(patience * 1000));
    }
    return file;
}

/// Runs a reader and turns what it throws into an error that names the file.
template <typename Read> auto guarded(const std::string& fileName, Read read) -> Result<decltype(read())>
{
    try {
        return read();
    } catch (const FieldError& problem) {
        const std::string field = problem.field == fileName ? std::string() : problem.field; // the whole is no object
        return fail("models/field", fileName + ": " + (field.empty() ? "" : field + ": ") + problem.reason, formatHint,
            {{"file", fileName}, {"field", field}, {"reason", problem.reason}});
    } catch (const SyntaxError& problem) {
        const std::string reason = "line " + std::to_string(problem.line) + ": " + problem.reason;
        return fail("models/syntax", fileName + " is not valid JSON: " + reason, formatHint,
            {{"file", fileName}, {"field", ""}, {"line", problem.line}, {"reason", reason}});
    } catch (const OrderedJson::exception&) { // its words could quote a pasted key
        return fail("models/syntax", fileName + " holds a number that cannot be read", formatHint,
            {{"file", fileName}, {"field", ""}, {"reason", "holds a number that cannot be read"}});
    }
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

Result<ModelsFile> parseModelsFile(std::string_view text, const ModelCatalogue& catalogue, const std::string& fileName)
{
    return guarded(fileName, [&] { return readModelsFile(parsedStrictly(text), catalogue, fileName); });
}

Result<void> checkUsable(const ModelsFile& file, const std::string& fileName)
{
    std::set<std::string> asked; // models
    for (const ModelSpec& spec : file.models)
        if (spec.weight > 0)
            asked.insert(spec.name);
    for (const auto& [island, weights] : file.islands)
        for (const auto& [model, weight] : weights)
            if (weight > 0)
                asked.insert(model);
    const auto checked = guarded(fileName, [&] {
        for (std::size_t i = 0; i < file.models.size(); ++i) {
            const ModelSpec& spec = file.models[i];
            const std::int64_t context = spec.capabilities.contextTokens;
            if (asked.contains(spec.name) && context > 0 && context < smallestContext)
                complain(placed("models", i) + ".capabilities.context_tokens",
                    "a context of " + std::to_string(context) + " tokens is too small for any prompt of this program");
        }
        for (std::size_t i = 0; i < file.endpoints.size(); ++i) {
            const ModelEndpoint& endpoint = file.endpoints[i];
            const bool isUsed = std::ranges::any_of(file.models,
                [&](const ModelSpec& spec) { return spec.endpoint == endpoint.name && asked.contains(spec.name); });
            if (!isUsed)
                continue;
            std::error_code problem;
            if (!endpoint.caFile.empty() && !std::filesystem::is_regular_file(endpoint.caFile, problem))
                complain(placed("endpoints", i) + ".ca_file", "there is no file " + endpoint.caFile);
            const auto key = parseKeyName(endpoint.key);
            const bool isAtHand = key && (key->place == KeyPlace::Variable || key->place == KeyPlace::Memory);
            if (isAtHand && KeyRing::atHand(*key).empty())
                complain(placed("endpoints", i) + ".key",
                    key->place == KeyPlace::Variable
                        ? "the environment variable " + key->name + " is not set, or holds no key"
                        : "the key " + key->name + " was not given in this run");
        }
        return true;
    });
    return checked ? Result<void>() : std::unexpected(checked.error());
}

Result<ModelCatalogue> parseCatalogue(std::string_view text, const std::string& fileName)
{
    return guarded(fileName, [&] {
        const OrderedJson json = parsedStrictly(text);
        const Fields fields(json, "", {"format", "date", "source", "models"}, fileName);
        ModelCatalogue catalogue;
        catalogue.date = fields.text("date");
        const OrderedJson& models = listOf(fields, "models");
        for (std::size_t i = 0; i < models.size(); ++i) {
            const std::string path = placed("models", i);
            const Fields entry(models[i], path, {"match", "templates", "capabilities", "price"});
            CatalogueEntry read{entry.text("match"), {}, nullptr, nullptr};
            if (entry.has("templates"))
                read.templates = entry.texts("templates");
            if (entry.has("capabilities")) { // read here once, so that a mistake is found when the file is read
                (void)readCapabilities(entry.at("capabilities"), path + ".capabilities", {});
                read.capabilities = nlohmann::json(entry.at("capabilities"));
            }
            if (entry.has("price")) {
                (void)readPrice(entry.at("price"), path + ".price");
                read.price = nlohmann::json(entry.at("price"));
            }
            catalogue.entries.push_back(std::move(read));
        }
        return catalogue;
    });
}

Result<ModelCatalogue> loadCatalogue()
{
    const auto read = [](const std::filesystem::path& path) -> Result<ModelCatalogue> {
        const auto text = readFile(path);
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

Result<ModelsFile> loadModelsFile(const std::filesystem::path& path)
{
    const auto text = readFile(path);
    if (!text)
        return std::unexpected(text.error());
    const auto catalogue = loadCatalogue();
    if (!catalogue)
        return std::unexpected(catalogue.error());
    return parseModelsFile(*text, *catalogue, path.string());
}

} // namespace tilewright
