// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/llm/fixtures.h"

namespace tilewright::testing {
namespace {

using Json = nlohmann::json;

std::string data(const Json& json) { return "data: " + json.dump() + "\n\n"; }
std::string named(const Json& json)
{
    return "event: " + json.at("type").get<std::string>() + "\ndata: " + json.dump() + "\n\n";
}
std::string or_(const std::string& word, const char* otherwise) { return word.empty() ? otherwise : word; }

// Source: openai-python src/openai/types/chat/chat_completion_chunk.py; the usage chunk with empty choices as the
// reference of stream_options.include_usage describes it (https://platform.openai.com/docs/api-reference/chat).
// prompt_tokens include cached_tokens, completion_tokens include reasoning_tokens. Not confirmed: that prompt_tokens
// include cache_write_tokens. reasoning_content: vLLM's documentation, "Reasoning Outputs".
Json chatUsage(const Said& said)
{
    return {{"prompt_tokens", said.input + said.cached + said.cacheWrite},
        {"completion_tokens", said.output + said.thought},
        {"total_tokens", said.input + said.cached + said.cacheWrite + said.output + said.thought},
        {"prompt_tokens_details", {{"cached_tokens", said.cached}, {"cache_write_tokens", said.cacheWrite}}},
        {"completion_tokens_details", {{"reasoning_tokens", said.thought}}}};
}

Json chatChunk(const Json& delta, const Json& finish)
{
    return {{"id", "chatcmpl-123"}, {"object", "chat.completion.chunk"}, {"created", 1694268190},
        {"model", "gpt-4o-mini"}, {"system_fingerprint", "fp_44709d6fcb"}, {"usage", nullptr},
        {"choices", Json::array({{{"index", 0}, {"delta", delta}, {"logprobs", nullptr}, {"finish_reason", finish}}})}};
}

std::vector<std::string> chatEvents(const Said& said)
{
    std::vector<std::string> events{
        data(chatChunk({{"role", "assistant"}, {"content", ""}, {"refusal", nullptr}}, nullptr))};
    if (!said.reasoning.empty())
        events.push_back(data(chatChunk({{"reasoning_content", said.reasoning}}, nullptr)));
    for (const std::string& piece : said.pieces)
        events.push_back(data(chatChunk({{"content", piece}}, nullptr)));
    std::string ending = data(chatChunk(Json::object(), or_(said.finish, "stop")));
    if (said.usage) {
        Json last = chatChunk(Json::object(), nullptr);
        last["choices"] = Json::array();
        last["usage"] = chatUsage(said);
        ending += data(last);
    }
    events.push_back(ending);
    events.push_back("data: [DONE]\n\n");
    return events;
}

// Source: openai-python src/openai/types/responses (response_created_event.py, response_text_delta_event.py,
// response_completed_event.py, response_usage.py) and tests/lib/responses/test_stream_incomplete.py.
Json responseObject(const Said& said, bool done)
{
    const bool length = said.finish == "max_output_tokens" || said.finish == "content_filter";
    Json response{{"id", "resp_67c9fdcecf488190bdd9a0409de3a1ec"}, {"object", "response"}, {"created_at", 1741487325},
        {"status", done ? (length ? "incomplete" : "completed") : "in_progress"}, {"error", nullptr},
        {"incomplete_details", nullptr}, {"model", "gpt-4.1-2025-04-14"}, {"output", Json::array()},
        {"usage", nullptr}};
    if (!done)
        return response;
    if (length)
        response["incomplete_details"] = {{"reason", said.finish}};
    if (!said.reasoning.empty())
        response["output"].push_back({{"id", "rs_1"}, {"type", "reasoning"},
            {"summary", Json::array({{{"type", "summary_text"}, {"text", said.reasoning}}})}});
    response["output"].push_back({{"id", "msg_67c9"}, {"type", "message"}, {"status", "completed"},
        {"role", "assistant"},
        {"content", Json::array({{{"type", "output_text"}, {"text", said.text()}, {"annotations", Json::array()}}})}});
    if (said.usage)
        response["usage"] = {{"input_tokens", said.input + said.cached + said.cacheWrite},
            {"input_tokens_details", {{"cached_tokens", said.cached}, {"cache_write_tokens", said.cacheWrite}}},
            {"output_tokens", said.output + said.thought},
            {"output_tokens_details", {{"reasoning_tokens", said.thought}}},
            {"total_tokens", said.input + said.cached + said.cacheWrite + said.output + said.thought}};
    return response;
}

std::vector<std::string> responsesEvents(const Said& said)
{
    int number = 0;
    const auto event = [&number](Json json) {
        json["sequence_number"] = number++;
        return named(json);
    };
    const Json place{{"item_id", "msg_67c9"}, {"output_index", 0}, {"content_index", 0}};
    std::vector<std::string> events{event({{"type", "response.created"}, {"response", responseObject(said, false)}}),
        event({{"type", "response.in_progress"}, {"response", responseObject(said, false)}}),
        event({{"type", "response.output_item.added"}, {"output_index", 0},
            {"item", {{"id", "msg_67c9"}, {"type", "message"}, {"content", Json::array()}}}})};
    if (!said.reasoning.empty())
        events.push_back(event({{"type", "response.reasoning_summary_text.delta"}, {"delta", said.reasoning}}));
    for (const std::string& piece : said.pieces) {
        Json delta = place;
        delta.update({{"type", "response.output_text.delta"}, {"delta", piece}, {"logprobs", Json::array()}});
        events.push_back(event(delta));
    }
    Json done = place;
    done.update({{"type", "response.output_text.done"}, {"text", said.text()}});
    events.push_back(event(done));
    const Json last = responseObject(said, true);
    events.push_back(event({{"type", "response." + last.at("status").get<std::string>()}, {"response", last}}));
    return events;
}

// Source: anthropic-sdk-python tests/lib/streaming/fixtures/basic_response.txt and refusal_response.txt,
// src/anthropic/types/message_delta_usage.py (cumulative) and output_tokens_details.py (thinking_tokens are part of
// output_tokens); https://docs.anthropic.com/en/docs/build-with-claude/streaming.
Json anthropicUsage(const Said& said)
{
    Json usage{{"input_tokens", said.input}, {"cache_creation_input_tokens", said.cacheWrite},
        {"cache_read_input_tokens", said.cached}, {"output_tokens", said.output + said.thought}};
    if (said.thought > 0)
        usage["output_tokens_details"] = {{"thinking_tokens", said.thought}};
    return usage;
}

std::vector<std::string> anthropicEvents(const Said& said)
{
    Json start{{"id", "msg_4QpJur2dWWDjF6C758FbBw5vm12BaVipnK"}, {"type", "message"}, {"role", "assistant"},
        {"content", Json::array()}, {"model", "claude-3-opus-latest"}, {"stop_reason", nullptr},
        {"stop_sequence", nullptr}};
    if (said.usage)
        start["usage"] = {{"input_tokens", said.input}, {"cache_creation_input_tokens", said.cacheWrite},
            {"cache_read_input_tokens", said.cached}, {"output_tokens", 1}};
    std::vector<std::string> events{named({{"type", "message_start"}, {"message", start}})};
    int index = 0;
    if (!said.reasoning.empty()) {
        events.push_back(named({{"type", "content_block_start"}, {"index", index},
            {"content_block", {{"type", "thinking"}, {"thinking", ""}, {"signature", ""}}}}));
        events.push_back(named({{"type", "content_block_delta"}, {"index", index},
            {"delta", {{"type", "thinking_delta"}, {"thinking", said.reasoning}}}}));
        events.push_back(named({{"type", "content_block_stop"}, {"index", index++}}));
    }
    events.push_back(named(
        {{"type", "content_block_start"}, {"index", index}, {"content_block", {{"type", "text"}, {"text", ""}}}}));
    events.push_back("event: ping\ndata: {\"type\": \"ping\"}\n\n");
    for (const std::string& piece : said.pieces)
        events.push_back(named(
            {{"type", "content_block_delta"}, {"index", index}, {"delta", {{"type", "text_delta"}, {"text", piece}}}}));
    events.push_back(named({{"type", "content_block_stop"}, {"index", index}}));
    Json delta{{"type", "message_delta"},
        {"delta", {{"stop_reason", or_(said.finish, "end_turn")}, {"stop_sequence", nullptr}}}};
    if (said.usage)
        delta["usage"] = anthropicUsage(said);
    events.push_back(named(delta));
    events.push_back(named({{"type", "message_stop"}}));
    return events;
}

// Source: python-genai google/genai/types.py (GenerateContentResponse, GenerateContentResponseUsageMetadata) and
// https://ai.google.dev/api/generate-content: each event is a whole response, usage is cumulative, candidatesTokenCount
// does not include thoughtsTokenCount, no event ends the stream.
Json geminiChunk(const Said& said, const Json& part, const std::string& finish)
{
    Json candidate{{"content", {{"parts", Json::array({part})}, {"role", "model"}}}, {"index", 0}};
    if (!finish.empty())
        candidate["finishReason"] = finish;
    Json chunk{{"candidates", Json::array({candidate})}, {"modelVersion", "gemini-2.5-flash"},
        {"responseId", "Il0taoSYJ5Cez7IPu"}};
    if (said.usage) {
        chunk["usageMetadata"] = {{"promptTokenCount", said.input + said.cached}, {"totalTokenCount", 0}};
        if (said.cached > 0)
            chunk["usageMetadata"]["cachedContentTokenCount"] = said.cached;
        if (!finish.empty()) {
            chunk["usageMetadata"]["candidatesTokenCount"] = said.output;
            chunk["usageMetadata"]["totalTokenCount"] = said.input + said.cached + said.output + said.thought;
        }
        if (said.thought > 0)
            chunk["usageMetadata"]["thoughtsTokenCount"] = said.thought;
    }
    return chunk;
}

std::vector<std::string> geminiEvents(const Said& said)
{
    std::vector<std::string> events;
    if (!said.reasoning.empty())
        events.push_back(data(geminiChunk(said, {{"text", said.reasoning}, {"thought", true}}, "")));
    for (std::size_t i = 0; i < said.pieces.size(); ++i)
        events.push_back(data(geminiChunk(
            said, {{"text", said.pieces[i]}}, i + 1 == said.pieces.size() ? or_(said.finish, "STOP") : "")));
    return events;
}

// Source: ollama/ollama docs/api.md, "Generate a chat completion" (streaming).
Json ollamaLine(const std::string& text, const std::string& thinking, bool done)
{
    Json line{{"model", "llama3.2"}, {"created_at", "2023-08-04T19:22:45.499127Z"},
        {"message", {{"role", "assistant"}, {"content", text}}}, {"done", done}};
    if (!thinking.empty())
        line["message"]["thinking"] = thinking;
    return line;
}

Json ollamaEnd(const Said& said, const std::string& text)
{
    Json last = ollamaLine(text, "", true);
    last["done_reason"] = or_(said.finish, "stop");
    last["total_duration"] = 4883583458;
    if (said.usage) {
        last["prompt_eval_count"] = said.input;
        last["eval_count"] = said.output;
    }
    return last;
}

std::vector<std::string> ollamaEvents(const Said& said)
{
    std::vector<std::string> lines;
    if (!said.reasoning.empty())
        lines.push_back(ollamaLine("", said.reasoning, false).dump() + "\n");
    for (const std::string& piece : said.pieces)
        lines.push_back(ollamaLine(piece, "", false).dump() + "\n");
    lines.push_back(ollamaEnd(said, "").dump() + "\n");
    return lines;
}

} // namespace

std::vector<std::string> eventsOf(ModelProtocol protocol, const Said& said)
{
    switch (protocol) {
    case ModelProtocol::OpenAiResponses:
        return responsesEvents(said);
    case ModelProtocol::Anthropic:
        return anthropicEvents(said);
    case ModelProtocol::Gemini:
        return geminiEvents(said);
    case ModelProtocol::OllamaChat:
        return ollamaEvents(said);
    case ModelProtocol::OpenAiChat:
        break;
    }
    return chatEvents(said);
}

std::size_t endingOf(ModelProtocol protocol) { return protocol == ModelProtocol::OpenAiChat ? 2 : 1; }

std::string wholeOf(ModelProtocol protocol, const Said& said)
{
    switch (protocol) {
    case ModelProtocol::OpenAiResponses:
        return responseObject(said, true).dump();
    case ModelProtocol::Anthropic:
        return Json{{"id", "msg_4QpJ"}, {"type", "message"}, {"role", "assistant"}, {"model", "claude-3-opus-latest"},
            {"content", Json::array({{{"type", "text"}, {"text", said.text()}}})},
            {"stop_reason", or_(said.finish, "end_turn")}, {"usage", anthropicUsage(said)}}
            .dump();
    case ModelProtocol::Gemini:
        return geminiChunk(said, {{"text", said.text()}}, or_(said.finish, "STOP")).dump();
    case ModelProtocol::OllamaChat:
        return ollamaEnd(said, said.text()).dump();
    case ModelProtocol::OpenAiChat:
        break;
    }
    return Json{{"id", "chatcmpl-123"}, {"object", "chat.completion"}, {"model", "gpt-4o-mini"},
        {"choices",
            Json::array({{{"index", 0}, {"message", {{"role", "assistant"}, {"content", said.text()}}},
                {"finish_reason", or_(said.finish, "stop")}}})},
        {"usage", chatUsage(said)}}
        .dump();
}

std::string errorBody(ModelProtocol protocol, int status, const std::string& type, const std::string& message)
{
    switch (protocol) {
    case ModelProtocol::Anthropic: // https://docs.anthropic.com/en/api/errors
        return Json{{"type", "error"}, {"error", {{"type", type}, {"message", message}}}, {"request_id", "req_011C"}}
            .dump();
    case ModelProtocol::Gemini: // https://cloud.google.com/apis/design/errors
        return Json{{"error", {{"code", status}, {"message", message}, {"status", type}}}}.dump();
    case ModelProtocol::OllamaChat: // ollama/ollama docs/api.md
        return Json{{"error", message}}.dump();
    default: // https://platform.openai.com/docs/guides/error-codes
        return Json{{"error", {{"message", message}, {"type", type}, {"param", nullptr}, {"code", type}}}}.dump();
    }
}

std::string errorEvent(ModelProtocol protocol, const std::string& type, const std::string& message)
{
    switch (protocol) {
    case ModelProtocol::OpenAiResponses: // openai-python src/openai/types/responses/response_error_event.py
        return named(
            {{"type", "error"}, {"code", type}, {"message", message}, {"param", nullptr}, {"sequence_number", 9}});
    case ModelProtocol::Anthropic: // https://docs.anthropic.com/en/docs/build-with-claude/streaming, "Error events"
        return named({{"type", "error"}, {"error", {{"type", type}, {"message", message}}}});
    case ModelProtocol::Gemini: // not confirmed by a document: the body's shape as an event
        return data({{"error", {{"code", 503}, {"message", message}, {"status", type}}}});
    case ModelProtocol::OllamaChat: // ollama/ollama docs/api.md, "Errors that occur while streaming"
        return Json{{"error", message}}.dump() + "\n";
    case ModelProtocol::OpenAiChat:
        break;
    }
    return data({{"error", {{"message", message}, {"type", type}, {"param", nullptr}, {"code", type}}}});
}

std::string lengthWord(ModelProtocol protocol)
{
    switch (protocol) {
    case ModelProtocol::OpenAiResponses:
        return "max_output_tokens";
    case ModelProtocol::Anthropic:
        return "max_tokens";
    case ModelProtocol::Gemini:
        return "MAX_TOKENS";
    default:
        return "length";
    }
}

std::string parameterRefusal(ModelProtocol protocol)
{
    switch (protocol) {
    case ModelProtocol::Anthropic: // the sentence as ShinkaEvolve's tests have it; not confirmed by a document
        return errorBody(protocol, 400, "invalid_request_error", "`temperature` is deprecated for this model.");
    case ModelProtocol::Gemini: // googleapis: how its JSON parser refuses any unknown field
        return Json{{"error",
                        {{"code", 400}, {"status", "INVALID_ARGUMENT"},
                            {"message",
                                "Invalid JSON payload received. Unknown name \"temperature\" at "
                                "'generation_config': Cannot find field."},
                            {"details",
                                Json::array({{{"@type", "type.googleapis.com/google.rpc.BadRequest"},
                                    {"fieldViolations", Json::array({{{"field", "generation_config"}}})}}})}}}}
            .dump();
    case ModelProtocol::OllamaChat: // Ollama itself leaves out what it does not know; a gateway before it: not
                                    // confirmed
        return errorBody(protocol, 400, "", "option 'temperature' is not supported by this model");
    default: // https://platform.openai.com/docs/guides/error-codes
        return Json{
            {"error",
                {{"message", "Unsupported value: 'temperature' does not support 0.5 with this model."},
                    {"type", "invalid_request_error"}, {"param", "temperature"}, {"code", "unsupported_value"}}}}
            .dump();
    }
}

ContextRefusal contextRefusal(ModelProtocol protocol)
{
    switch (protocol) {
    case ModelProtocol::Anthropic: // https://docs.anthropic.com/en/docs/build-with-claude/context-windows
        return {"invalid_request_error", "prompt is too long: 210000 tokens > 200000 maximum"};
    case ModelProtocol::Gemini: // not confirmed by a document
        return {"INVALID_ARGUMENT",
            "The input token count (1500000) exceeds the maximum number of tokens allowed (1048576)."};
    case ModelProtocol::OllamaChat: // ollama/ollama server/routes.go, where it was told not to cut; else see fault 44
        return {"", "the input length exceeds the context length"};
    default: // openai-python has the code; the sentence is not confirmed
        return {"context_length_exceeded", "Your input exceeds what this model takes. Please adjust it and try again."};
    }
}

} // namespace tilewright::testing
