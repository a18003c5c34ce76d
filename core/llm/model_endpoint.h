// SPDX-License-Identifier: GPL-3.0-or-later
// Where models are and how they are spoken to: endpoints, the models behind them, ready-made templates, addresses.
// Pure.
#pragma once

#include "core/base/names.h"
#include "core/base/result.h"
#include "core/llm/pace.h"
#include "core/llm/usage.h"

#include <chrono>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace tilewright {

// What one model can be asked for. Providers refuse parameters that a model does not know, so each request is built
// from this table; a refused parameter is left out from then on. Shipped in resources/models/catalogue.json, changed
// by "capabilities" in the models file. Pure.

/// How a chat protocol names who gives the instructions.
enum class SystemRole { System, Developer, User };
inline constexpr NameTable<SystemRole, 3> systemRoles{
    {{SystemRole::System, "system"}, {SystemRole::Developer, "developer"}, {SystemRole::User, "user"}}};

/// How Chat Completions name the output limit.
enum class OutputLimitName { MaxTokens, MaxCompletionTokens };
inline constexpr NameTable<OutputLimitName, 2> outputLimitNames{
    {{OutputLimitName::MaxTokens, "max_tokens"}, {OutputLimitName::MaxCompletionTokens, "max_completion_tokens"}}};

struct Capabilities {
    bool temperature = true, topP = true, seed = true, stop = true;
    bool samples = true; ///< several answers to one prompt
    bool reasoningEffort = false;
    bool streamUsage = true; ///< stream_options.include_usage
    SystemRole systemRole = SystemRole::System;
    OutputLimitName outputLimit = OutputLimitName::MaxTokens;
    std::int64_t contextTokens = 0; ///< 0: unknown
    std::int64_t mostOutputTokens = 0; ///< 0: unknown

    bool operator==(const Capabilities&) const = default;
};

/// The table without a parameter that a server refused by its wire name ("temperature", "max_tokens",
/// "generationConfig.seed"); a limit's name is exchanged for the other. None if that would change nothing: asking again
/// would then be refused again.
std::optional<Capabilities> withoutParameter(const Capabilities& capabilities, std::string_view wireName);

nlohmann::json toJson(const Capabilities& capabilities);

enum class ModelProtocol { OpenAiChat, OpenAiResponses, Anthropic, Gemini, OllamaChat };
inline constexpr NameTable<ModelProtocol, 5> modelProtocols{{{ModelProtocol::OpenAiChat, "openai-chat"},
    {ModelProtocol::OpenAiResponses, "openai-responses"}, {ModelProtocol::Anthropic, "anthropic"},
    {ModelProtocol::Gemini, "gemini"}, {ModelProtocol::OllamaChat, "ollama-chat"}}};

/// Four limits, each with its own clock. Inactivity counts any byte, so comments and pings keep a stream alive.
struct ModelTimeouts {
    std::chrono::milliseconds connect{std::chrono::seconds(10)}; ///< until the request is out, TLS included
    std::chrono::milliseconds firstByte{std::chrono::seconds(300)}; ///< local servers: 900 s, they load the model first
    std::chrono::milliseconds inactivity{std::chrono::seconds(120)};
    std::chrono::milliseconds total{std::chrono::minutes(30)}; ///< of the whole call, pauses and repetitions included

    bool operator==(const ModelTimeouts&) const = default;
};

struct ModelEndpoint {
    std::string name;
    std::string templateName; ///< "openai", …, "other"
    ModelProtocol protocol = ModelProtocol::OpenAiChat;
    std::string url; ///< base address, with or without version and final slash; its query is kept
    std::string key; ///< "env:NAME", "keychain:NAME", "memory:NAME", or empty: none is sent
    std::string proxy
        = "environment"; ///< "environment", "none", or "http://host:port", "socks5://…"; no user, no password
    std::string caFile; ///< PEM with a further certificate authority; empty: the system's alone
    bool plainHttp = false; ///< http:// to a private host that is not this machine was allowed by hand
    std::map<std::string, std::string> headers; ///< further ones, for example HTTP-Referer
    int mostInFlight = 8;
    PaceLimits perMinute; ///< by our own rule
    ModelTimeouts timeouts;

    bool operator==(const ModelEndpoint&) const = default;
};

struct ModelSpec {
    std::string name; ///< in this file, on screen, in events
    std::string endpoint;
    std::string model; ///< as the server calls it
    double weight = 1; ///< share of requests before anything is measured; 0: never asked by itself
    std::optional<double> temperature, topP;
    std::string reasoningEffort;
    std::int64_t maxOutputTokens = 16'384;
    Capabilities capabilities;
    std::optional<TokenPrice> price;

    bool operator==(const ModelSpec&) const = default;
};

struct EndpointTemplate {
    std::string name, title;
    ModelProtocol protocol;
    std::string url, key; ///< both may be empty
};

/// OpenAI, Anthropic, Gemini, OpenRouter, vLLM, llama.cpp, Ollama, LM Studio, other.
const std::vector<EndpointTemplate>& endpointTemplates();
/// Null for a name that is none.
const EndpointTemplate* endpointTemplate(std::string_view name);

/// The address of one of a protocol's resources ("chat/completions") under a base address: neither a slash nor a
/// version is ever doubled or lost. A base that already names the resource stays as it is.
std::string resourceUrl(const std::string& base, ModelProtocol protocol, const std::string& resource);

enum class HostKind { Loopback, Private, Public };
/// By the name alone: localhost and 127/8, ::1; RFC 1918, fc00::/7, link-local, *.local and names without a dot.
HostKind hostKindOf(const std::string& url);
/// Errors: llm/address (no http or https address, or one with a user or a key in it), llm/plain-http (unencrypted to a
/// host that is not allowed it).
Result<void> checkAddress(const ModelEndpoint& endpoint);
/// "https://host:443", the part that must stay equal for a key to be sent.
std::string originOf(const std::string& url);

} // namespace tilewright
