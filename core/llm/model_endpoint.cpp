// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/llm/model_endpoint.h"

#include "core/base/text.h"
#include "core/llm/redactor.h"

#include <QHostAddress>
#include <QStringList>
#include <QUrl>
#include <algorithm>

namespace tilewright {
namespace {

QUrl parsed(const std::string& url) { return QUrl(QString::fromStdString(url).trimmed(), QUrl::StrictMode); }

bool isVersion(const QString& segment)
{
    return segment.size() >= 2 && segment[0] == QLatin1Char('v') && segment[1].isDigit();
}

bool isPrivate(const QHostAddress& address)
{
    for (const char* net : {"10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16"}) // RFC 1918
        if (address.isInSubnet(QHostAddress::parseSubnet(QLatin1String(net))))
            return true;
    return address.isLinkLocal() || address.isUniqueLocalUnicast();
}

QString versionOf(ModelProtocol protocol)
{
    switch (protocol) {
    case ModelProtocol::Gemini:
        return QStringLiteral("v1beta");
    case ModelProtocol::OllamaChat:
        return {};
    default:
        return QStringLiteral("v1");
    }
}

} // namespace

const std::vector<EndpointTemplate>& endpointTemplates()
{
    static const std::vector<EndpointTemplate> templates{
        {"openai", "OpenAI", ModelProtocol::OpenAiResponses, "https://api.openai.com/v1", "env:OPENAI_API_KEY"},
        {"anthropic", "Anthropic", ModelProtocol::Anthropic, "https://api.anthropic.com/v1", "env:ANTHROPIC_API_KEY"},
        {"gemini", "Gemini", ModelProtocol::Gemini, "https://generativelanguage.googleapis.com/v1beta",
            "env:GEMINI_API_KEY"},
        {"openrouter", "OpenRouter", ModelProtocol::OpenAiChat, "https://openrouter.ai/api/v1",
            "env:OPENROUTER_API_KEY"},
        {"vllm", "vLLM", ModelProtocol::OpenAiChat, "http://localhost:8000/v1", ""},
        {"llama.cpp", "llama.cpp", ModelProtocol::OpenAiChat, "http://localhost:8080/v1", ""},
        // Its own protocol, because only there the context length can be set: the compatible one cuts prompts silently.
        {"ollama", "Ollama", ModelProtocol::OllamaChat, "http://localhost:11434", ""},
        {"lm-studio", "LM Studio", ModelProtocol::OpenAiChat, "http://localhost:1234/v1", ""},
        {"other", "Other", ModelProtocol::OpenAiChat, "", ""}};
    return templates;
}

const EndpointTemplate* endpointTemplate(std::string_view name)
{
    const auto& templates = endpointTemplates();
    const auto found = std::ranges::find(templates, name, &EndpointTemplate::name);
    return found == templates.end() ? nullptr : &*found;
}

std::string resourceUrl(const std::string& base, ModelProtocol protocol, const std::string& resource)
{
    QUrl url = parsed(base);
    const QString wanted = QString::fromStdString(resource);
    const QString resourcePath = wanted.section(QLatin1Char('?'), 0, 0);
    QStringList path = url.path(QUrl::FullyEncoded).split(QLatin1Char('/'), Qt::SkipEmptyParts);
    const bool named = path.join(QLatin1Char('/')).endsWith(resourcePath);
    if (!named) {
        if (protocol == ModelProtocol::OllamaChat) { // its own resources stand beside the compatible ones
            while (!path.isEmpty() && (isVersion(path.last()) || path.last() == QLatin1String("api")))
                path.removeLast();
        } else if (std::none_of(path.begin(), path.end(), isVersion)
            && !url.query().contains(QLatin1String("api-version"))) {
            path << versionOf(protocol);
        }
        path << resourcePath.split(QLatin1Char('/'));
    }
    url.setPath(QLatin1Char('/') + path.join(QLatin1Char('/')), QUrl::TolerantMode);
    const QString query = wanted.section(QLatin1Char('?'), 1);
    if (!query.isEmpty() && !url.query().contains(query))
        url.setQuery(url.query().isEmpty() ? query : url.query() + QLatin1Char('&') + query);
    return url.toString(QUrl::FullyEncoded).toStdString();
}

HostKind hostKindOf(const std::string& url)
{
    const QString host = parsed(url).host().toLower();
    if (host == QLatin1String("localhost") || host.endsWith(QLatin1String(".localhost")))
        return HostKind::Loopback;
    const QHostAddress address(host);
    if (!address.isNull()) {
        if (address.isLoopback())
            return HostKind::Loopback;
        return isPrivate(address) ? HostKind::Private : HostKind::Public;
    }
    const bool local = host.endsWith(QLatin1String(".local")) || host.endsWith(QLatin1String(".internal"))
        || host.endsWith(QLatin1String(".lan")) || !host.contains(QLatin1Char('.'));
    return local && !host.isEmpty() ? HostKind::Private : HostKind::Public;
}

Result<void> checkAddress(const ModelEndpoint& endpoint)
{
    const QUrl url = parsed(endpoint.url);
    const bool http = url.scheme() == QLatin1String("http");
    if (!url.isValid() || url.host().isEmpty() || (!http && url.scheme() != QLatin1String("https")))
        return fail("llm/address", "the address of " + endpoint.name + " is not an http or https address",
            "include the scheme: http://localhost:8000/v1 for your own server, else https://host/v1");
    if (!url.userInfo().isEmpty())
        return fail("llm/address", "the address of " + endpoint.name + " contains a user name or password",
            "set the name of a key instead: \"key\": \"env:NAME\"");
    if (carriesACredential(endpoint.url))
        return fail("llm/address", "the address of " + endpoint.name + " seems to contain a key in its query",
            "set the name of a key instead: \"key\": \"env:NAME\"");
    if (!http)
        return {};
    switch (hostKindOf(endpoint.url)) {
    case HostKind::Loopback:
        return {};
    case HostKind::Private:
        if (endpoint.plainHttp)
            return {};
        return fail("llm/plain-http", endpoint.name + " would be used without encryption over the network",
            "use https, or allow it for this private host with \"plain_http\": true");
    case HostKind::Public:
        break;
    }
    return fail("llm/plain-http", endpoint.name + " would be used without encryption over the internet",
        "use an https address");
}

std::string originOf(const std::string& url)
{
    const QUrl parts = parsed(url);
    const int usual = parts.scheme() == QLatin1String("http") ? 80 : 443;
    return (parts.scheme() + QLatin1String("://") + parts.host().toLower() + QLatin1Char(':')
        + QString::number(parts.port(usual)))
        .toStdString();
}

namespace {

/// "generationConfig.topP", "generation_config.top_p" and "top_p" are one parameter.
std::string plain(std::string_view wireName)
{
    const std::size_t dot = wireName.rfind('.');
    std::string name;
    for (const char c : dot == std::string_view::npos ? wireName : wireName.substr(dot + 1))
        if (c != '_')
            name += lowered(c);
    return name;
}

} // namespace

std::optional<Capabilities> withoutParameter(const Capabilities& capabilities, std::string_view wireName)
{
    Capabilities without = capabilities;
    const std::string name = plain(wireName);
    const auto is = [&name](std::initializer_list<std::string_view> names) {
        return std::ranges::find(names, name) != names.end();
    };
    if (is({"temperature"}))
        without.temperature = false;
    else if (is({"topp"}))
        without.topP = false;
    else if (is({"seed"}))
        without.seed = false;
    else if (is({"stop", "stopsequences"}))
        without.stop = false;
    else if (is({"n", "candidatecount"}))
        without.samples = false;
    else if (is({"reasoningeffort", "effort", "reasoning", "outputconfig", "thinking", "thinkinglevel",
                 "thinkingconfig"}))
        without.reasoningEffort = false;
    else if (is({"streamoptions", "includeusage"}))
        without.streamUsage = false;
    else if (is({"maxtokens"}))
        without.outputLimit = OutputLimitName::MaxCompletionTokens;
    else if (is({"maxcompletiontokens"}))
        without.outputLimit = OutputLimitName::MaxTokens;
    else if (is({"role"}) || wireName.find("role") != std::string_view::npos)
        without.systemRole = capabilities.systemRole == SystemRole::Developer ? SystemRole::System : SystemRole::User;
    if (without == capabilities)
        return std::nullopt;
    return without;
}

nlohmann::json toJson(const Capabilities& capabilities)
{
    return {{"temperature", capabilities.temperature}, {"top_p", capabilities.topP}, {"seed", capabilities.seed},
        {"stop", capabilities.stop}, {"samples", capabilities.samples},
        {"reasoning_effort", capabilities.reasoningEffort}, {"stream_usage", capabilities.streamUsage},
        {"system_role", nameIn(systemRoles, capabilities.systemRole)},
        {"output_limit", nameIn(outputLimitNames, capabilities.outputLimit)},
        {"context_tokens", capabilities.contextTokens}, {"most_output_tokens", capabilities.mostOutputTokens}};
}

} // namespace tilewright
