// SPDX-License-Identifier: GPL-3.0-or-later
// Gemini generateContent, streamed with alt=sse: every event is a whole response object with a piece of text; usage is
// cumulative; no event ends the stream. The key goes into a header, never into the address. Shapes: python-genai
// google/genai/types.py (GenerateContentResponse).
#include "core/llm/json_access.h"
#include "core/llm/protocol.h"
#include "core/llm/tool_calls.h"

#include <QString>
#include <QUrl>

namespace tilewright {
namespace {

using Json = nlohmann::json;

HttpCall build(const ModelEndpoint& endpoint, const ModelSpec& spec, const ChatRequest& request)
{
    Json contents = Json::array();
    for (const ChatMessage& message : request.messages)
        contents.push_back({{"role", message.role == MessageRole::User ? "user" : "model"},
            {"parts", Json::array({{{"text", message.text}}})}});
    Json config = Json::object();
    if (const auto temperature = temperatureOf(spec, request))
        config["temperature"] = *temperature;
    if (const auto topP = topPOf(spec, request))
        config["topP"] = *topP;
    if (spec.capabilities.seed && request.seed)
        config["seed"] = *request.seed;
    if (const std::int64_t limit = outputLimitOf(spec, request); limit > 0)
        config["maxOutputTokens"] = limit;
    if (spec.capabilities.stop && !request.stop.empty())
        config["stopSequences"] = request.stop;
    if (spec.capabilities.samples && request.samples > 1)
        config["candidateCount"] = request.samples;
    if (const std::string effort = effortOf(spec, request); !effort.empty())
        config["thinkingConfig"] = {{"thinkingLevel", effort}};
    Json body{{"contents", std::move(contents)}, {"generationConfig", std::move(config)}};
    if (!request.system.empty())
        body["systemInstruction"] = {{"parts", Json::array({{{"text", request.system}}})}};
    HttpCall call;
    const QByteArray model = QUrl::toPercentEncoding(QString::fromStdString(spec.model));
    call.url = resourceUrl(
        endpoint.url, endpoint.protocol, "models/" + model.toStdString() + ":streamGenerateContent?alt=sse");
    call.headers = {{"Content-Type", "application/json"}, {"Accept", "text/event-stream"}};
    call.keyHeader = "x-goog-api-key";
    call.body = dumped(body);
    return call;
}

Finish finishOf(const std::string& word)
{
    if (word == "STOP")
        return Finish::Stop;
    if (word == "MAX_TOKENS")
        return Finish::Length;
    for (const char* refused : {"SAFETY", "RECITATION", "LANGUAGE", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII"})
        if (word == refused)
            return Finish::Refused;
    return word == "MALFORMED_FUNCTION_CALL" || word == "OTHER" ? Finish::Failed : Finish::Unknown;
}

void takeUsage(ReplyContent& content, const Json& usage)
{
    if (!usage.is_object() || usage.empty())
        return;
    UsageFigures told(usage);
    const std::int64_t read = told.count("cachedContentTokenCount");
    content.usage = {tokensBeside(told.count("promptTokenCount"), read), read, 0, told.count("candidatesTokenCount"),
        told.count("thoughtsTokenCount")}; // here the output does not include the thoughts
    content.usageReported = true;
    content.usageIsPossible = told.arePossible();
}

void take(ReplyContent& content, const Json& json)
{
    if (const std::string model = textAt(json, "modelVersion"); !model.empty())
        content.servedBy = model;
    if (const std::string id = textAt(json, "responseId"); !id.empty())
        content.replyId = id;
    takeUsage(content, memberOf(json, "usageMetadata"));
    for (const Json& candidate : listAt(json, "candidates")) {
        Answer* answer = content.answer(countAt(candidate, "index"));
        if (!answer)
            continue;
        const Json& said = memberOf(candidate, "content");
        takeContent(*answer, said.is_object() ? memberOf(said, "text") : said);
        for (const Json& part : listAt(said, "parts")) {
            (memberOf(part, "thought") == true ? answer->reasoning : answer->text) += textAt(part, "text");
            if (const Json& code = memberOf(part, "executableCode"); code.is_object())
                answer->text += "\n```\n" + textAt(code, "code") + "\n```\n";
            const Json& function = memberOf(part, "functionCall");
            if (!function.is_object())
                continue;
            const auto place = static_cast<std::int64_t>(content.toolCalls.size());
            toolCallOf(content, countAt(candidate, "index"), place) = {countAt(candidate, "index"), place,
                textAt(function, "name"), argumentsText(memberOf(function, "args"))};
        }
        if (const std::string word = textAt(candidate, "finishReason"); !word.empty()) {
            answer->finishWord = word;
            answer->finish = finishOf(word);
            const std::string why = textAt(candidate, "finishMessage");
            if (answer->finish == Finish::Refused)
                answer->refusal = "stopped by the filter: " + (why.empty() ? word : why);
        }
    }
    const std::string blocked = textAt(memberOf(json, "promptFeedback"), "blockReason");
    if (!blocked.empty()) { // the prompt was refused: no candidate ever comes
        Answer& answer = *content.answer(0);
        answer.finish = Finish::Refused;
        answer.finishWord = blocked;
        const std::string why = textAt(memberOf(json, "promptFeedback"), "blockReasonMessage");
        answer.refusal = "the prompt was blocked: " + (why.empty() ? blocked : why);
    }
}

void event(ReplyContent& content, const std::string&, const Json& json) { take(content, json); }

} // namespace

const ProtocolRules& geminiRules()
{
    static constexpr ProtocolRules rules{build, event, take, true};
    return rules;
}

} // namespace tilewright
