// SPDX-License-Identifier: GPL-3.0-or-later
// The pure half of the model clients: bytes to events, events to replies, failures to remedies, addresses, money.
#include "core/llm/failure.h"
#include "core/llm/json_access.h"
#include "core/llm/network_lanes.h"
#include "core/llm/pace.h"
#include "core/llm/redactor.h"
#include "core/llm/reply_reading.h"
#include "tests/llm/fixtures.h"
#include "tests/test_program.h"

#include <QTest>
#include <set>

using namespace tilewright;
using namespace tilewright::testing;
using namespace std::chrono_literals;

namespace {

constexpr auto now = "2026-11-21T12:00:00.000Z";

std::string joinedEvents(ModelProtocol protocol, const Said& said)
{
    std::string all;
    for (const std::string& event : eventsOf(protocol, said))
        all += event;
    return all;
}

ReadReply read(ModelProtocol protocol, const std::string& body, std::size_t portion = SIZE_MAX)
{
    ReplyReader reader(protocol);
    for (std::size_t at = 0; at < body.size(); at += std::min(portion, body.size() - at))
        reader.feed(std::string_view(body).substr(at, portion));
    reader.finish();
    return readReply(protocol, reader, {{}, static_cast<std::int64_t>(body.size()), {}, now}, 100, 0.25);
}

std::vector<StreamEvent> decoded(const std::vector<std::string>& portions)
{
    EventDecoder decoder;
    std::vector<StreamEvent> events;
    for (const std::string& portion : portions)
        for (StreamEvent& event : decoder.feed(portion))
            events.push_back(event);
    for (StreamEvent& event : decoder.finish())
        events.push_back(event);
    return events;
}

HttpCall built(ModelProtocol protocol, const ModelSpec& spec, const ChatRequest& request)
{
    ModelEndpoint endpoint;
    endpoint.protocol = protocol;
    endpoint.url = "https://example.org";
    return rulesOf(protocol).build(endpoint, spec, request);
}

ChatRequest question()
{
    ChatRequest request;
    request.system = "Be brief.";
    request.messages = {{MessageRole::User, "2+2?"}, {MessageRole::Assistant, "4"}, {MessageRole::User, "Sure?"}};
    return request;
}

} // namespace

class TestLlmValues : public QObject
{
    Q_OBJECT

    void allProtocols()
    {
        QTest::addColumn<int>("protocol");
        for (const auto& [protocol, name] : modelProtocols)
            QTest::newRow(std::string(name).c_str()) << static_cast<int>(protocol);
    }

private Q_SLOTS:
    // Faults 2, 3, 4: however the bytes are cut, also inside a character or between CR and LF, the reply is the same.
    void everyCutOfAStreamGivesTheSameReply_data() { allProtocols(); }
    void everyCutOfAStreamGivesTheSameReply();
    void aWholeJsonGivesTheSameReplyAsAStream_data() { allProtocols(); }
    void aWholeJsonGivesTheSameReplyAsAStream();
    void usageIsCountedOnceWhateverTheProviderIncludes_data() { allProtocols(); }
    void usageIsCountedOnceWhateverTheProviderIncludes();
    void aUsageThatCannotBeTrueIsNotTold_data();
    void aUsageThatCannotBeTrueIsNotTold();
    void aReplyThatEndsEmptyHasToldItsUsage_data() { allProtocols(); }
    void aReplyThatEndsEmptyHasToldItsUsage();
    void anAnswerCutAtItsLimitIsTruncated_data() { allProtocols(); }
    void anAnswerCutAtItsLimitIsTruncated();
    void reasoningIsNoPartOfTheAnswer_data() { allProtocols(); }
    void reasoningIsNoPartOfTheAnswer();

    // Faults 4, 5, 6, 7. The byte sequences are those of openai-python tests/test_streaming.py.
    void eventsAreDecodedAsTheStandardSays_data();
    void eventsAreDecodedAsTheStandardSays();
    void anEndlessLineIsAFault();

    void requestsHoldWhatTheModelCanTakeAndNothingElse();
    void aRefusedParameterIsLeftOutOnceAndForAll();
    void fault46_addressesAreJoinedWithoutDoublingOrLosingAnything_data();
    void fault46_addressesAreJoinedWithoutDoublingOrLosingAnything();
    void plainHttpIsForThisMachineOrByPermission();

    void failuresAreJudgedByWhatTheyMean_data();
    void failuresAreJudgedByWhatTheyMean();
    void theServersWordOnTryingAgainIsObeyed();
    void retryAfterIsReadInAllItsForms_data();
    void retryAfterIsReadInAllItsForms();
    void pausesGrowToEightSecondsAndDifferBetweenCalls();
    void announcedLimitsAreKept();

    void anUnknownPriceStaysUnknown();
    void theBudgetIsCheckedAgainstTheWorstCase();
    void theTokenEstimateLearns();
    void keysVanishFromEveryText();
    void proxiesAreChosenAsTheEnvironmentSays_data();
    void proxiesAreChosenAsTheEnvironmentSays();
    void requestsAndRepliesSurviveJson();
};

void TestLlmValues::everyCutOfAStreamGivesTheSameReply()
{
    QFETCH(int, protocol);
    const auto which = static_cast<ModelProtocol>(protocol);
    Said said;
    said.pieces = {"известни \xe2\x82\xac", "\r\n", "\xf0\x9f\x98\x80 done"};
    for (const bool crlf : {false, true}) {
        std::string body = joinedEvents(which, said);
        if (crlf) {
            std::string wide;
            for (const char c : body)
                wide += c == '\n' ? std::string("\r\n") : std::string(1, c);
            body = wide;
        }
        const ReadReply whole = read(which, body);
        QCOMPARE(whole.failure.error.code, std::string());
        QCOMPARE(whole.reply.answers.at(0).text, said.text());
        for (const std::size_t portion : {1u, 2u, 3u, 5u, 7u, 64u})
            QVERIFY(read(which, body, portion).reply == whole.reply);
    }
}

void TestLlmValues::aWholeJsonGivesTheSameReplyAsAStream()
{
    QFETCH(int, protocol);
    const auto which = static_cast<ModelProtocol>(protocol);
    const ReadReply streamed = read(which, joinedEvents(which, {}));
    const ReadReply whole = read(which, wholeOf(which, {}));
    QCOMPARE(whole.reply.state, ReplyState::Complete);
    QVERIFY(whole.reply.answers == streamed.reply.answers);
    QVERIFY(whole.reply.usage == streamed.reply.usage);
}

void TestLlmValues::usageIsCountedOnceWhateverTheProviderIncludes()
{
    QFETCH(int, protocol);
    const auto which = static_cast<ModelProtocol>(protocol);
    Said said;
    said.input = 100;
    said.output = 40;
    const bool plain = which == ModelProtocol::OllamaChat;
    said.cached = plain ? 0 : 900;
    said.thought = plain ? 0 : 60;
    said.cacheWrite = which == ModelProtocol::Anthropic ? 50 : 0;
    const TokenUsage usage = read(which, joinedEvents(which, said)).reply.usage;
    QCOMPARE(usage.input, 100);
    QCOMPARE(usage.cacheRead, said.cached);
    QCOMPARE(usage.cacheWrite, said.cacheWrite);
    QCOMPARE(usage.outputVisible, 40);
    QCOMPARE(usage.reasoning, said.thought);
    QCOMPARE(usage.total(), 140 + said.cached + said.cacheWrite + said.thought);
}

void TestLlmValues::aUsageThatCannotBeTrueIsNotTold_data()
{
    QTest::addColumn<int>("protocol");
    QTest::addColumn<QByteArray>("input"); // as JSON
    QTest::addColumn<QByteArray>("output");
    for (const auto& [protocol, name] : modelProtocols) {
        const auto row = [&](const char* what, const char* input, const char* output) {
            QTest::newRow((std::string(name) + ", " + what).c_str())
                << static_cast<int>(protocol) << QByteArray(input) << QByteArray(output);
        };
        row("zeros", "0", "0");
        row("no tokens read", "0", "3");
        row("text without tokens", "11", "0");
        row("texts", "\"11\"", "\"3\"");
        row("negative", "-5", "3");
        row("beyond any context", "11", "1000000000000000000");
        row("half a token", "11", "2.5");
        row("a list", "[11]", "3");
    }
}

void TestLlmValues::aUsageThatCannotBeTrueIsNotTold()
{
    QFETCH(int, protocol);
    QFETCH(QByteArray, input);
    QFETCH(QByteArray, output);
    const auto which = static_cast<ModelProtocol>(protocol);
    const auto withFigures = [&](const std::string& in, const std::string& out) {
        Said said;
        said.input = 424242;
        said.output = 535353;
        std::string body = joinedEvents(which, said);
        for (const auto& [figure, text] : {std::pair{std::string("424242"), in}, {std::string("535353"), out}})
            for (std::size_t at = 0; (at = body.find(figure, at)) != std::string::npos; at += text.size())
                body.replace(at, figure.size(), text);
        return read(which, body).reply;
    };
    QCOMPARE(withFigures("11", "3").usageSource, UsageSource::Reported);
    const ModelReply reply = withFigures(input.toStdString(), output.toStdString());
    QCOMPARE(reply.state, ReplyState::Complete);
    QCOMPARE(reply.usageSource, UsageSource::Estimated);
    QVERIFY(reply.usage.read() == 11 || reply.usage.read() == 100); // as told, else as the prompt was estimated
    QCOMPARE(reply.usage.written(), 3); // "Hello there!"
    QVERIFY(!reply.usd);
    QVERIFY(reply.notes.back().find("is implausible") != std::string::npos);
}

void TestLlmValues::aReplyThatEndsEmptyHasToldItsUsage()
{
    QFETCH(int, protocol);
    const auto which = static_cast<ModelProtocol>(protocol);
    for (const int thought : {0, 7}) {
        if (thought > 0 && which == ModelProtocol::OllamaChat)
            continue; // it counts no reasoning
        Said said;
        said.pieces = {""};
        said.output = 0;
        said.thought = thought;
        const ReadReply empty = read(which, joinedEvents(which, said));
        QCOMPARE(empty.failure.error.code, std::string("llm/empty"));
        QCOMPARE(empty.failure.error.text,
            std::string(thought > 0 ? "the model sent reasoning but an empty reply" : "the model sent an empty reply"));
        QCOMPARE(empty.reply.usageSource, UsageSource::Reported);
        QVERIFY((empty.reply.usage == TokenUsage{11, 0, 0, 0, thought}));
        QVERIFY(std::ranges::none_of(
            empty.reply.notes, [](const std::string& note) { return note.find("ended early") != std::string::npos; }));
    }
}

void TestLlmValues::anAnswerCutAtItsLimitIsTruncated()
{
    QFETCH(int, protocol);
    const auto which = static_cast<ModelProtocol>(protocol);
    Said said;
    said.finish = lengthWord(which);
    const ReadReply reply = read(which, joinedEvents(which, said));
    QCOMPARE(reply.reply.state, ReplyState::Truncated);
    QCOMPARE(reply.reply.error.code, std::string("llm/truncated"));
    QCOMPARE(reply.reply.answers.at(0).text, said.text());
}

void TestLlmValues::reasoningIsNoPartOfTheAnswer()
{
    QFETCH(int, protocol);
    const auto which = static_cast<ModelProtocol>(protocol);
    Said said;
    said.reasoning = "Let me think.";
    const ReadReply reply = read(which, joinedEvents(which, said));
    QCOMPARE(reply.reply.answers.at(0).text, said.text());
    QCOMPARE(reply.reply.answers.at(0).reasoning, said.reasoning);
}

void TestLlmValues::eventsAreDecodedAsTheStandardSays_data()
{
    QTest::addColumn<QStringList>("portions");
    QTest::addColumn<QStringList>("events"); // name|data
    const auto row = [](const char* name, const QStringList& portions, const QStringList& events) {
        QTest::newRow(name) << portions << events;
    };
    const auto s = [](const char* text) { return QString::fromUtf8(text); };
    row("one event", {s("event: completion\n"), s("data: {\"foo\":true}\n"), s("\n")},
        {s("completion|{\"foo\":true}")});
    row("data without event", {s("data: x\n\n")}, {s("|x")});
    row("event without data", {s("event: ping\n\n")}, {s("ping|")});
    row("two without data", {s("event: ping\n\nevent: completion\n\n")}, {s("ping|"), s("completion|")});
    row("several data lines, some empty", {s("event: ping\ndata: {\ndata: \"foo\":\ndata: \ndata:\ndata: true}\n\n\n")},
        {s("ping|{\n\"foo\":\n\n\ntrue}")});
    row("CRLF split over portions", {s("data: a\r"), s("\n\r"), s("\ndata: b\r\n\r\n")}, {s("|a"), s("|b")});
    row("CR only", {s("data: a\rdata: b\r\rdata: c\r\r")}, {s("|a\nb"), s("|c")});
    row("comments", {s(": OPENROUTER PROCESSING\n\n: again\n\ndata: x\n\n")}, {s("|x")});
    row("byte order mark",
        {s("\xef\xbb\xbf"
           "data: x\n\n")},
        {s("|x")});
    row("no last line end", {s("data: x")}, {s("|x")});
    row("no blank after the colon", {s("data:x\n\n")}, {s("|x")});
    row("id and retry mean nothing", {s("id: 7\nretry: 10\ndata: x\n\n")}, {s("|x")});
    row("a line separator that is none", {s("data: \u2028\n\n")}, {s("|\u2028")});
}

void TestLlmValues::eventsAreDecodedAsTheStandardSays()
{
    QFETCH(QStringList, portions);
    QFETCH(QStringList, events);
    std::vector<std::string> bytes;
    for (const QString& portion : portions)
        bytes.push_back(portion.toStdString());
    QStringList found;
    for (const StreamEvent& event : decoded(bytes))
        found << QString::fromStdString(event.name + "|" + event.data);
    QCOMPARE(found, events);
}

void TestLlmValues::anEndlessLineIsAFault()
{
    ReplyReader reader(ModelProtocol::OpenAiChat);
    const std::string much(1 << 20, 'x');
    reader.feed("data: ");
    for (std::size_t i = 0; i * much.size() < longestLine && !reader.overflowed(); ++i)
        reader.feed(much);
    QVERIFY(reader.overflowed());
}

void TestLlmValues::requestsHoldWhatTheModelCanTakeAndNothingElse()
{
    ModelSpec spec;
    spec.model = "some/model";
    spec.temperature = 0.7;
    spec.reasoningEffort = "high";
    spec.maxOutputTokens = 100;
    ChatRequest request = question();
    request.seed = 5;
    request.samples = 3;
    request.stop = {"END"};
    const auto body = [&](ModelProtocol protocol) { return parsedOrDiscarded(built(protocol, spec, request).body); };

    nlohmann::json chat = body(ModelProtocol::OpenAiChat);
    QVERIFY(chat["messages"][0]["role"] == "system");
    QCOMPARE(chat["messages"].size(), 4u);
    QVERIFY(chat["stream"] == true && chat["stream_options"]["include_usage"] == true);
    QVERIFY(chat["n"] == 3 && chat["seed"] == 5 && chat["max_tokens"] == 100 && chat["temperature"] == 0.7);
    QVERIFY2(!chat.contains("reasoning_effort"), "a capability that is off was used");

    spec.capabilities.temperature = false;
    spec.capabilities.reasoningEffort = true;
    spec.capabilities.outputLimit = OutputLimitName::MaxCompletionTokens;
    spec.capabilities.systemRole = SystemRole::Developer;
    spec.capabilities.mostOutputTokens = 80;
    chat = body(ModelProtocol::OpenAiChat);
    QVERIFY(!chat.contains("temperature") && !chat.contains("max_tokens"));
    QVERIFY(chat["max_completion_tokens"] == 80 && chat["reasoning_effort"] == "high");
    QVERIFY(chat["messages"][0]["role"] == "developer");
    spec.capabilities.systemRole = SystemRole::User;
    QVERIFY(body(ModelProtocol::OpenAiChat)["messages"][0]["content"] == "Be brief.\n\n2+2?");
    spec.capabilities = {};
    spec.capabilities.reasoningEffort = true;

    const nlohmann::json responses = body(ModelProtocol::OpenAiResponses);
    QVERIFY(responses["store"] == false && responses["instructions"] == "Be brief.");
    QVERIFY(responses["max_output_tokens"] == 100 && responses["reasoning"]["effort"] == "high");
    for (const char* absent : {"n", "seed", "stop"})
        QVERIFY2(!responses.contains(absent), absent);

    const HttpCall call = built(ModelProtocol::Anthropic, spec, request);
    const nlohmann::json anthropic = parsedOrDiscarded(call.body);
    QCOMPARE(headerOf(call.headers, "anthropic-version"), std::string("2023-06-01"));
    QCOMPARE(call.keyHeader, std::string("x-api-key"));
    QVERIFY(anthropic["max_tokens"] == 100 && anthropic["system"][0]["cache_control"]["type"] == "ephemeral");
    QVERIFY(anthropic["messages"].size() == 3 && anthropic["stop_sequences"][0] == "END");
    QVERIFY(!anthropic.contains("seed") && !anthropic.contains("n"));

    const HttpCall gemini = built(ModelProtocol::Gemini, spec, request);
    QCOMPARE(gemini.url, std::string("https://example.org/v1beta/models/some%2Fmodel:streamGenerateContent?alt=sse"));
    const nlohmann::json config = parsedOrDiscarded(gemini.body)["generationConfig"];
    QVERIFY(config["maxOutputTokens"] == 100 && config["seed"] == 5 && config["candidateCount"] == 3);
    QVERIFY(parsedOrDiscarded(gemini.body)["contents"][1]["role"] == "model");

    spec.capabilities.contextTokens = 32768;
    const HttpCall ollama = built(ModelProtocol::OllamaChat, spec, request);
    QCOMPARE(ollama.url, std::string("https://example.org/api/chat"));
    QVERIFY(parsedOrDiscarded(ollama.body)["options"]["num_ctx"] == 32768);
}

void TestLlmValues::aRefusedParameterIsLeftOutOnceAndForAll()
{
    Capabilities can;
    can.reasoningEffort = true;
    for (const char* name : {"temperature", "top_p", "generationConfig.topP", "seed", "stop", "n", "reasoning_effort",
             "reasoning.effort", "output_config", "stream_options", "max_tokens"}) {
        const auto without = withoutParameter(can, name);
        QVERIFY2(without && *without != can, name);
        if (std::string_view(name) != "max_tokens")
            QVERIFY2(!withoutParameter(*without, name), name);
    }
    QVERIFY(withoutParameter(can, "max_tokens")->outputLimit == OutputLimitName::MaxCompletionTokens);
    can.systemRole = SystemRole::Developer;
    QVERIFY(withoutParameter(can, "messages[0].role")->systemRole == SystemRole::System);
    QVERIFY(!withoutParameter(can, "model"));
}

void TestLlmValues::fault46_addressesAreJoinedWithoutDoublingOrLosingAnything_data()
{
    QTest::addColumn<QString>("base");
    QTest::addColumn<int>("protocol");
    QTest::addColumn<QString>("resource");
    QTest::addColumn<QString>("url");
    const auto row = [](const char* base, ModelProtocol protocol, const char* resource, const char* url) {
        QTest::newRow(base) << QString::fromLatin1(base) << static_cast<int>(protocol) << QString::fromLatin1(resource)
                            << QString::fromLatin1(url);
    };
    const auto chat = ModelProtocol::OpenAiChat;
    const char* want = "chat/completions";
    row("https://h", chat, want, "https://h/v1/chat/completions");
    row("https://h/", chat, want, "https://h/v1/chat/completions");
    row("https://h/v1", chat, want, "https://h/v1/chat/completions");
    row("https://h/v1/", chat, want, "https://h/v1/chat/completions");
    row("https://h//v1//", chat, want, "https://h/v1/chat/completions");
    row("https://h/api/v1", chat, want, "https://h/api/v1/chat/completions");
    row("https://h/v1/chat/completions", chat, want, "https://h/v1/chat/completions");
    row("https://h/v1?team=a", chat, want, "https://h/v1/chat/completions?team=a");
    row("https://h/openai/deployments/d?api-version=2024-10-21", chat, want,
        "https://h/openai/deployments/d/chat/completions?api-version=2024-10-21");
    row("https://h/v1beta/openai", chat, want, "https://h/v1beta/openai/chat/completions");
    row("http://localhost:8000", chat, want, "http://localhost:8000/v1/chat/completions");
    row("https://g", ModelProtocol::Gemini, "models/m:streamGenerateContent?alt=sse",
        "https://g/v1beta/models/m:streamGenerateContent?alt=sse");
    row("https://g/v1beta/?x=y", ModelProtocol::Gemini, "models/m:streamGenerateContent?alt=sse",
        "https://g/v1beta/models/m:streamGenerateContent?x=y&alt=sse");
    row("http://localhost:11434/v1", ModelProtocol::OllamaChat, "api/chat", "http://localhost:11434/api/chat");
    row("http://localhost:11434/api", ModelProtocol::OllamaChat, "api/tags", "http://localhost:11434/api/tags");
}

void TestLlmValues::fault46_addressesAreJoinedWithoutDoublingOrLosingAnything()
{
    QFETCH(QString, base);
    QFETCH(int, protocol);
    QFETCH(QString, resource);
    QFETCH(QString, url);
    QCOMPARE(QString::fromStdString(
                 resourceUrl(base.toStdString(), static_cast<ModelProtocol>(protocol), resource.toStdString())),
        url);
}

void TestLlmValues::plainHttpIsForThisMachineOrByPermission()
{
    ModelEndpoint endpoint;
    endpoint.name = "e";
    const auto code = [&endpoint](const char* url) {
        endpoint.url = url;
        const auto fine = checkAddress(endpoint);
        return fine ? std::string() : fine.error().code;
    };
    for (const char* url : {"https://api.example.org/v1", "http://localhost:1", "http://127.0.0.5", "http://[::1]:80"})
        QCOMPARE(code(url), std::string());
    for (const char* url : {"http://192.168.1.5", "http://10.0.0.1", "http://172.20.0.1", "http://gpu.local",
             "http://workstation:8000", "http://93.184.216.34", "http://api.example.org"})
        QCOMPARE(code(url), std::string("llm/plain-http"));
    for (const char* url : {"", "ftp://x", "api.example.org/v1", "https://", "https://user:pass@h/v1"})
        QCOMPARE(code(url), std::string("llm/address"));
    endpoint.plainHttp = true;
    QCOMPARE(code("http://192.168.1.5"), std::string());
    QCOMPARE(code("http://api.example.org"), std::string("llm/plain-http"));
    QCOMPARE(originOf("https://H.org/v1"), originOf("https://h.org:443/x"));
    QVERIFY(originOf("https://h.org") != originOf("http://h.org"));
}

// Faults 20, 22, 23, 24, 25, 28. Bodies: OpenAI https://platform.openai.com/docs/guides/error-codes; Anthropic
// https://docs.anthropic.com/en/api/errors; Gemini https://ai.google.dev/gemini-api/docs/troubleshooting with
// google.rpc.RetryInfo and QuotaFailure; OpenRouter https://openrouter.ai/docs/api/reference/errors-and-debugging. Not
// confirmed: Anthropic's enforced_spend_limit_reached.
void TestLlmValues::failuresAreJudgedByWhatTheyMean_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<QString>("body");
    QTest::addColumn<QString>("code");
    QTest::addColumn<int>("remedy");
    QTest::addColumn<QString>("parameter");
    const auto row = [](const char* name, int status, const char* body, const char* code, Remedy remedy,
                         const char* parameter = "") {
        QTest::newRow(name) << status << QString::fromUtf8(body) << QString::fromLatin1(code)
                            << static_cast<int>(remedy) << QString::fromLatin1(parameter);
    };
    const auto never = Remedy::Never, later = Remedy::Later, without = Remedy::WithoutParameter;
    row("429 rate", 429, R"({"error":{"message":"Rate limit reached","type":"tokens","code":"rate_limit_exceeded"}})",
        "llm/rate-limit", later);
    row("429 quota", 429,
        R"({"error":{"message":"You exceeded your current quota","type":"insufficient_quota","code":"insufficient_quota"}})",
        "llm/quota", never);
    row("429 spend cap", 429,
        R"({"type":"error","error":{"type":"rate_limit_error","message":"m","details":{"error_code":"enforced_spend_limit_reached"}}})",
        "llm/quota", never);
    row("400 credit", 400,
        R"({"type":"error","error":{"type":"invalid_request_error","message":"Your credit balance is too low"}})",
        "llm/quota", never);
    row("429 Gemini day", 429,
        R"({"error":{"code":429,"message":"quota","status":"RESOURCE_EXHAUSTED","details":[{"@type":"type.googleapis.com/google.rpc.QuotaFailure","violations":[{"quotaId":"GenerateRequestsPerDayPerProjectPerModel-FreeTier"}]}]}})",
        "llm/quota", never);
    row("429 Gemini minute", 429,
        R"([{"error":{"code":429,"message":"quota","status":"RESOURCE_EXHAUSTED","details":[{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"34s"}]}}])",
        "llm/rate-limit", later);
    row("401", 401, R"({"error":{"message":"Incorrect API key provided","code":"invalid_api_key"}})", "llm/auth",
        never);
    row("400 Gemini key", 400,
        R"({"error":{"code":400,"message":"API key not valid","status":"INVALID_ARGUMENT","details":[{"reason":"API_KEY_INVALID"}]}})",
        "llm/auth", never);
    row("402", 402, R"({"error":{"code":402,"message":"Insufficient credits"}})", "llm/quota", never);
    row("403", 403, R"({"error":{"message":"no access"}})", "llm/auth", never);
    row("403 moderation", 403, R"({"error":{"code":403,"message":"flagged by moderation"}})", "llm/refused", never);
    row("404", 404, R"({"error":{"message":"The model `x` does not exist","code":"model_not_found"}})", "llm/not-found",
        never);
    row("404 Ollama", 404, R"({"error":"model 'x' not found"})", "llm/not-found", never);
    row("413", 413, R"({"error":{"type":"request_too_large","message":"too large"}})", "llm/too-large", never);
    row("422", 422, R"({"detail":[{"msg":"field required"}]})", "llm/bad-request", never);
    row("408", 408, "", "llm/server", later);
    row("409", 409, "", "llm/server", later);
    row("500", 500, "{}", "llm/server", later);
    row("502 HTML", 502, "<html><h1>Bad gateway</h1></html>", "llm/server", later);
    row("503 loading", 503, R"({"error":{"message":"Loading model","type":"unavailable_error","code":503}})",
        "llm/overloaded", later);
    row("529", 529, R"({"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}})", "llm/overloaded",
        later);
    row("400 parameter by field", 400,
        R"({"error":{"message":"Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.","type":"invalid_request_error","param":"max_tokens","code":"unsupported_parameter"}})",
        "llm/unsupported-parameter", without, "max_tokens");
    row("400 parameter by sentence", 400,
        R"({"error":{"message":"Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."}})",
        "llm/unsupported-parameter", without, "max_tokens");
    row("400 value", 400,
        R"({"error":{"message":"Unsupported value: 'temperature' does not support 0.6 with this model.","param":"temperature","code":"unsupported_value"}})",
        "llm/unsupported-parameter", without, "temperature");
    row("400 Anthropic", 400,
        R"({"type":"error","error":{"type":"invalid_request_error","message":"output_config: Extra inputs are not permitted"}})",
        "llm/unsupported-parameter", without, "output_config");
    row("400 Gemini", 400,
        R"({"error":{"code":400,"message":"Invalid JSON payload received. Unknown name \"seed\": Cannot find field.","status":"INVALID_ARGUMENT"}})",
        "llm/unsupported-parameter", without, "seed");
    row("400 length", 400,
        R"({"error":{"message":"This model's maximum context length is 8192 tokens.","param":"messages","code":"context_length_exceeded"}})",
        "llm/context-length", never);
    row("400 Anthropic length", 400,
        R"({"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 210000 tokens > 200000 maximum"}})",
        "llm/context-length", never);
    row("400 Anthropic length of both", 400,
        R"({"type":"error","error":{"type":"invalid_request_error","message":"input length and `max_tokens` exceed context limit: 191000 + 20000 > 200000, decrease input length or `max_tokens` and try again"}})",
        "llm/context-length", never);
    row("400 Gemini length", 400,
        R"({"error":{"code":400,"message":"The input token count (1189575) exceeds the maximum number of tokens allowed (1048576).","status":"INVALID_ARGUMENT"}})",
        "llm/context-length", never);
    row("400 plain", 400, R"({"error":{"message":"bad"}})", "llm/bad-request", never);
    row("407", 407, "", "llm/proxy", never);
    row("JSON null", 500, "null", "llm/server", later);
    row("array of one", 500, R"([{"error":{"code":500,"message":"x"}}])", "llm/server", later);
}

void TestLlmValues::failuresAreJudgedByWhatTheyMean()
{
    QFETCH(int, status);
    QFETCH(QString, body);
    QFETCH(QString, code);
    QFETCH(int, remedy);
    QFETCH(QString, parameter);
    const ModelFailure failure = failureOf({status, {}, body.toStdString()}, now);
    QCOMPARE(QString::fromStdString(failure.error.code), code);
    QCOMPARE(static_cast<int>(failure.remedy), remedy);
    QCOMPARE(QString::fromStdString(failure.parameter), parameter);
    QVERIFY(failure.error.text.starts_with("HTTP " + std::to_string(status) + ": "));
    QVERIFY(failure.error.text.size() > 10);
}

// x-should-retry: openai-python and anthropic-sdk-python, _base_client.py.
void TestLlmValues::theServersWordOnTryingAgainIsObeyed()
{
    const auto remedy = [](int status, const char* word, const char* body = "{}") {
        return failureOf({status, {{"X-Should-Retry", word}}, body}, now).remedy;
    };
    QCOMPARE(remedy(500, "false"), Remedy::Never);
    QCOMPARE(remedy(400, "true"), Remedy::Later);
    QCOMPARE(remedy(500, "perhaps"), Remedy::Later);
    QVERIFY2(remedy(401, "true") == Remedy::Never, "a bad key gets no better");
    QVERIFY(remedy(429, "true", R"({"error":{"code":"insufficient_quota"}})") == Remedy::Never);
}

// Fault 21.
void TestLlmValues::retryAfterIsReadInAllItsForms_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("value");
    QTest::addColumn<QString>("date");
    QTest::addColumn<int>("milliseconds"); // -1: none
    const auto row = [](const char* title, const char* name, const char* value, int ms, const char* date = "") {
        QTest::newRow(title) << QString::fromLatin1(name) << QString::fromLatin1(value) << QString::fromLatin1(date)
                             << ms;
    };
    row("seconds", "Retry-After", "20", 20'000);
    row("a fraction", "retry-after", "1.5", 1'500);
    row("milliseconds", "retry-after-ms", "250", 250);
    row("with its unit", "Retry-After", "60s", 60'000);
    row("with a blank and a word", "Retry-After", "2 minutes", 120'000);
    row("a duration of several units", "Retry-After", "1m30s", 90'000);
    row("milliseconds with their unit", "retry-after-ms", "250ms", 250);
    row("a fraction of milliseconds", "retry-after-ms", "250.0", 250);
    row("told twice", "Retry-After", "60, 60", 60'000);
    row("in quotes", "Retry-After", "\"60\"", 60'000);
    row("a date of RFC 850", "Retry-After", "Saturday, 21-Nov-26 12:00:30 GMT", 30'000);
    row("a date of asctime", "Retry-After", "Sat Nov 21 12:00:30 2026", 30'000);
    row("an ISO time", "Retry-After", "2026-11-21T12:00:30Z", 30'000);
    row("a date in UTC", "Retry-After", "Sat, 21 Nov 2026 12:00:30 UTC", 30'000);
    row("a date", "Retry-After", "Sat, 21 Nov 2026 12:00:30 GMT", 30'000);
    row("a date by the server's clock", "Retry-After", "Sat, 21 Nov 2026 13:00:05 GMT", 5'000,
        "Sat, 21 Nov 2026 13:00:00 GMT");
    row("a date gone by", "Retry-After", "Sat, 21 Nov 2026 11:00:00 GMT", -1);
    row("garbage", "Retry-After", "soon", -1);
    row("negative", "Retry-After", "-5", -1);
    row("empty", "Retry-After", "", -1);
    row("endless", "Retry-After", "1e300", -1);
}

void TestLlmValues::retryAfterIsReadInAllItsForms()
{
    QFETCH(QString, name);
    QFETCH(QString, value);
    QFETCH(QString, date);
    QFETCH(int, milliseconds);
    HttpHeaders headers{{name.toStdString(), value.toStdString()}};
    if (!date.isEmpty())
        headers.emplace_back("Date", date.toStdString());
    const auto wait = retryAfter(headers, now);
    QCOMPARE(wait ? static_cast<int>(wait->count()) : -1, milliseconds);
}

void TestLlmValues::pausesGrowToEightSecondsAndDifferBetweenCalls()
{
    const RetryRules rules;
    const std::vector<std::chrono::milliseconds> bases{500ms, 1000ms, 2000ms, 4000ms, 8000ms};
    std::set<std::int64_t> firsts;
    for (std::uint64_t call = 1; call <= 50; ++call) {
        for (int next = 2; next <= 6; ++next) {
            const auto pause
                = pauseBefore(next, std::nullopt, rules, CounterRandom(7, call, static_cast<std::uint64_t>(next)));
            const auto base = bases[static_cast<std::size_t>(next - 2)];
            QVERIFY(pause && *pause <= base && *pause >= base * 3 / 4);
            QVERIFY(pause
                == pauseBefore(next, std::nullopt, rules, CounterRandom(7, call, static_cast<std::uint64_t>(next))));
        }
        firsts.insert(pauseBefore(2, std::nullopt, rules, CounterRandom(7, call, 2))->count());
    }
    QVERIFY(firsts.size() > 20);
    QVERIFY(!pauseBefore(7, std::nullopt, rules, CounterRandom(1, 1, 1)));
    QVERIFY(pauseBefore(2, 90s, rules, CounterRandom(1, 1, 1)) == std::optional<std::chrono::milliseconds>(90s));
    QVERIFY(!pauseBefore(2, 121s, rules, CounterRandom(1, 1, 1)));
}

void TestLlmValues::announcedLimitsAreKept()
{
    const RateLimits limits = rateLimitsOf({{"x-ratelimit-limit-requests", "60"},
        {"X-RateLimit-Remaining-Requests", "59"}, {"x-ratelimit-reset-requests", "6m0s"},
        {"x-ratelimit-limit-tokens", "0"}, {"x-ratelimit-remaining-tokens", "-1"},
        {"anthropic-ratelimit-input-tokens-limit", "40000"}, {"anthropic-ratelimit-input-tokens-remaining", "39000"},
        {"anthropic-ratelimit-input-tokens-reset", "2026-11-21T12:01:00Z"}});
    QVERIFY((limits.at("requests") == RateLimit{60, 59, "6m0s"}));
    QVERIFY((limits.at("tokens") == RateLimit{-1, -1, ""}));
    QVERIFY((limits.at("input-tokens") == RateLimit{40000, 39000, "2026-11-21T12:01:00Z"}));
    QCOMPARE(serverIdOf({{"Request-Id", "req_1"}}), std::string("req_1"));
}

void TestLlmValues::anUnknownPriceStaysUnknown()
{
    const TokenUsage usage{1'000'000, 0, 0, 100'000, 100'000};
    QVERIFY(!costUsd(usage, std::nullopt));
    TokenPrice price{2, 10, std::nullopt, std::nullopt, "2026-11-21", ""};
    QCOMPARE(costUsd(usage, price).value(), 4.0);
    QVERIFY2(!costUsd({0, 5, 0, 0, 0}, price), "cached tokens without their price were given one");
    price.cacheRead = 0.5;
    QCOMPARE(costUsd({0, 2'000'000, 0, 0, 0}, price).value(), 1.0);
    QCOMPARE(costUsd({}, price).value(), 0.0);
    QVERIFY(!worstCase(10, 10, 1, std::nullopt).usd);
    price.cacheWrite = 4;
    QCOMPARE(worstCase(1'000'000, 100'000, 3, price).usd.value(), 4.0 + 3.0);
}

void TestLlmValues::theBudgetIsCheckedAgainstTheWorstCase()
{
    Spending spending;
    const WorstCase worst{600, 400, 1.0};
    const SpendingLimits limits{2500, 2.5};
    QVERIFY(checkBudget(limits, spending, worst));
    spending.reserve(worst);
    QVERIFY(checkBudget(limits, spending, worst));
    spending.reserve(worst);
    QCOMPARE(checkBudget(limits, spending, worst).error().code, std::string("llm/budget"));
    spending.settle(worst, {100, 0, 0, 50, 0}, 0.1);
    spending.settle(worst, {100, 0, 0, 50, 0}, std::nullopt);
    QCOMPARE(spending.reservedTokens, 0);
    QCOMPARE(spending.tokens.total(), 300);
    QCOMPARE(spending.unpriced, 1);
    QVERIFY(checkBudget(limits, spending, worst));
    QVERIFY(!checkBudget({0, 0.5}, spending, worst));
    QVERIFY2(!checkBudget({0, 5}, spending, {1, 1, std::nullopt}), "an unpriced request passed a money limit");
    QVERIFY(checkBudget({0, 0}, spending, {1, 1, std::nullopt}));
}

void TestLlmValues::theTokenEstimateLearns()
{
    TokenEstimator estimator;
    QCOMPARE(estimator.tokensOf(401), 101);
    for (int i = 0; i < 40; ++i)
        estimator.learn(1000, 500);
    QVERIFY(std::abs(estimator.tokensOf(1000) - 500) < 5);
    estimator.learn(3, 1000);
    QVERIFY(estimator.tokensOf(1000) < 510);
}

void TestLlmValues::keysVanishFromEveryText()
{
    const std::string key = "sk-ca/na\"ry+12345";
    Redactor redactor;
    redactor.learn(key);
    for (const std::string& text : {"key " + key + ".", "twice " + key + key, dumped(nlohmann::json(key)),
             std::string("sk-ca\\/na\\\"ry+12345"), std::string("?k=sk-ca%2Fna%22ry%2B12345&x=1")}) {
        const std::string clean = redactor.redacted(text);
        QVERIFY2(clean.find("12345") == std::string::npos, clean.c_str());
        QVERIFY(clean.find("[key]") != std::string::npos);
    }
    QCOMPARE(redactor.redacted("Authorization: Bearer abcdef123456"), std::string("Authorization: Bearer [key]"));
    QCOMPARE(redactor.redacted("X-API-Key: abcdef123456, then"), std::string("X-API-Key: [key], then"));
    QCOMPARE(redactor.redacted("GET /m?key=abcdef123456&alt=sse"), std::string("GET /m?key=[key]&alt=sse"));
    QCOMPARE(redactor.redacted("via http://me:secretword@proxy:1"), std::string("via http://me:[key]@proxy:1"));
    QCOMPARE(redactor.withoutSecrets("// see http://a:b@c and Bearer abcdef123456"),
        std::string("// see http://a:b@c and Bearer abcdef123456"));
    QVERIFY(dumped(redactor.redactedJson({{key, {key, 1, nullptr}}})).find("ca") == std::string::npos);
    QCOMPARE(keyFingerprint(key, "salt").size(), 8u);
    QVERIFY(keyFingerprint(key, "salt") != keyFingerprint(key, "pepper"));
}

// Fault 39.
void TestLlmValues::proxiesAreChosenAsTheEnvironmentSays_data()
{
    QTest::addColumn<QString>("url");
    QTest::addColumn<QString>("setting");
    QTest::addColumn<QString>("variables"); // NAME=value, blank between
    QTest::addColumn<QString>("proxy"); // host:port, "" for none, "error"
    const auto row
        = [](const char* title, const char* url, const char* setting, const char* variables, const char* proxy) {
              QTest::newRow(title) << QString::fromLatin1(url) << QString::fromLatin1(setting)
                                   << QString::fromLatin1(variables) << QString::fromLatin1(proxy);
          };
    row("none set", "https://a.org", "environment", "", "");
    row("HTTPS_PROXY", "https://a.org", "environment", "HTTPS_PROXY=http://p:3128", "p:3128");
    row("lower case", "https://a.org", "environment", "https_proxy=p:3128", "p:3128");
    row("HTTP_PROXY is for http", "https://a.org", "environment", "HTTP_PROXY=http://p:1", "");
    row("ALL_PROXY", "https://a.org", "environment", "ALL_PROXY=socks5://s", "s:1080");
    row("NO_PROXY", "https://api.a.org", "environment", "HTTPS_PROXY=p:1 NO_PROXY=b.org,.a.org", "");
    row("NO_PROXY of another", "https://ba.org", "environment", "HTTPS_PROXY=p:1 NO_PROXY=a.org", "p:1");
    row("NO_PROXY star", "https://a.org", "environment", "HTTPS_PROXY=p:1 NO_PROXY=*", "");
    row("NO_PROXY with port", "https://a.org:8443", "environment", "HTTPS_PROXY=p:1 NO_PROXY=a.org:8443", "");
    row("loopback", "http://localhost:8000", "environment", "HTTP_PROXY=p:1", "");
    row("none", "https://a.org", "none", "HTTPS_PROXY=p:1", "");
    row("by hand", "https://a.org", "http://q:9", "HTTPS_PROXY=p:1", "q:9");
    row("with a password, in the environment", "https://a.org", "environment", "HTTPS_PROXY=http://me:pw@q:9", "q:9");
    row("with a password, in the file", "https://a.org", "http://me:pw@q:9", "", "error");
    row("with a user, in the file", "https://a.org", "me@q:9", "", "error");
    row("nonsense", "https://a.org", "gopher://q", "", "error");
}

void TestLlmValues::proxiesAreChosenAsTheEnvironmentSays()
{
    QFETCH(QString, url);
    QFETCH(QString, setting);
    QFETCH(QString, variables);
    QFETCH(QString, proxy);
    const auto environment = [&variables](const char* name) {
        for (const QString& pair : variables.split(QLatin1Char(' ')))
            if (pair.section(QLatin1Char('='), 0, 0) == QLatin1String(name))
                return pair.section(QLatin1Char('='), 1).toStdString();
        return std::string();
    };
    const auto choice = proxyFor(url.toStdString(), setting.toStdString(), environment);
    const QString found = !choice ? QStringLiteral("error")
        : choice->kind == ProxyChoice::Kind::None
        ? QString()
        : QString::fromStdString(choice->host) + QLatin1Char(':') + QString::number(choice->port);
    QCOMPARE(found, proxy);
}

void TestLlmValues::requestsAndRepliesSurviveJson()
{
    ChatRequest request = question();
    request.model = "m";
    request.conversation = "proposal 17";
    request.temperature = 0.5;
    request.seed = -3;
    request.stop = {"END"};
    QVERIFY(*chatRequestFromJson(toJson(request)) == request);
    ModelReply reply;
    reply.id = ModelCallId{4};
    reply.model = "m";
    reply.state = ReplyState::Truncated;
    reply.error = {"llm/truncated", "cut", "raise", {{"x", 1}}};
    reply.answers = {{"text", "why", "", Finish::Length, "length"}};
    reply.usage = {1, 2, 3, 4, 5};
    reply.usageSource = UsageSource::Reported;
    reply.usd = 0.25;
    reply.attempts = {{1, now, 0ms, 5ms, 9ms, 503, 12, "req", {"llm/server", "t", "", nullptr}, {7, 0, 0, 0, 0}}};
    reply.limits["tokens"] = {10, 9, "1s"};
    reply.notes = {"note"};
    QVERIFY(*modelReplyFromJson(parsedOrDiscarded(dumped(toJson(reply)))) == reply);
    QCOMPARE(reply.spent().total(), 22);
    reply.usd.reset();
    QVERIFY(!modelReplyFromJson(toJson(reply))->usd);
    reply.answers[0].text = "broken \xff\xfe bytes";
    QVERIFY(!dumped(toJson(reply)).empty());
    QVERIFY(!modelReplyFromJson(nlohmann::json::array()));
    QVERIFY(!chatRequestFromJson(nlohmann::json(3)));
}

TILEWRIGHT_TEST(TestLlmValues)
#include "test_llm_values.moc"
