// SPDX-License-Identifier: GPL-3.0-or-later
// What servers say, over real sockets: the faults of content. Each test says what the client reports, how often it
// tried and what was recorded; after each one the key is looked for in all of it.
// moc 6.4 stumbles over g++ 12's <concepts>, which these lead to; it needs none of it.
#ifndef Q_MOC_RUN
#include "tests/llm/call_test.h"
#endif

#include "tests/test_program.h"

#include <QTest>

using namespace tilewright;
using namespace tilewright::testing;
using namespace std::chrono_literals;

namespace {

using Json = nlohmann::json;

std::vector<std::string> bytesOf(const std::vector<std::string>& pieces)
{
    std::vector<std::string> bytes;
    for (const std::string& piece : pieces)
        for (const char c : piece)
            bytes.push_back(std::string(1, c));
    return bytes;
}

std::string chat(const Json& choices, const Json& usage = nullptr)
{
    Json chunk{{"object", "chat.completion.chunk"}, {"model", "gpt-4o-mini"}, {"choices", choices}};
    if (!usage.is_null())
        chunk["usage"] = usage;
    return "data: " + chunk.dump() + "\n\n";
}

Json delta(const std::string& text, int index = 0, const Json& finish = nullptr)
{
    return {{"index", index}, {"delta", {{"content", text}}}, {"finish_reason", finish}};
}

const std::string done = "data: [DONE]\n\n";

/// The blocks of a stream of server-sent events, one an event.
std::vector<std::string> blocksOf(ModelProtocol protocol)
{
    std::string all;
    for (const std::string& event : eventsOf(protocol, {}))
        all += event;
    std::vector<std::string> blocks;
    for (std::size_t at = 0, end = 0; (end = all.find("\n\n", at)) != std::string::npos; at = end + 2)
        blocks.push_back(all.substr(at, end - at));
    return blocks;
}

/// The event with its JSON over many data lines; without its name if that is so requested.
enum class Name { Kept, Dropped };
std::string overManyLines(const std::string& block, Name name)
{
    const std::size_t begin = block.find("data: ");
    const Json json = parsedOrDiscarded(block.substr(begin + 6));
    std::string event = name == Name::Kept ? block.substr(0, begin) : std::string();
    std::istringstream lines(json.is_discarded() ? block.substr(begin + 6) : json.dump(1));
    for (std::string line; std::getline(lines, line);)
        event += "data: " + line + "\n";
    return event + "\n";
}

/// A stream that tells its usage more than once, growing, as each protocol may: 11 read and 6 written in the end.
/// vLLM: continuous_usage_stats; Anthropic's and Gemini's figures are cumulative always; a Response may carry its usage
/// in every event that repeats it (not confirmed).
std::vector<std::string> withGrowingUsage(ModelProtocol protocol)
{
    std::vector<std::string> events = eventsOf(protocol, {});
    const auto before = events.end() - static_cast<std::ptrdiff_t>(endingOf(protocol));
    if (protocol == ModelProtocol::OpenAiChat)
        events.insert(before, chat(Json::array({delta("")}), {{"prompt_tokens", 11}, {"completion_tokens", 4}}));
    else if (protocol == ModelProtocol::OpenAiResponses)
        events.insert(before,
            "data: "
                + Json{{"type", "response.in_progress"},
                    {"response", {{"usage", {{"input_tokens", 11}, {"output_tokens", 4}}}}}}
                      .dump()
                + "\n\n");
    else if (protocol == ModelProtocol::Anthropic)
        events.insert(before,
            "data: "
                + Json{{"type", "message_delta"}, {"delta", Json::object()}, {"usage", {{"output_tokens", 4}}}}.dump()
                + "\n\n");
    else
        events.insert(before,
            "data: " + Json{{"usageMetadata", {{"promptTokenCount", 11}, {"candidatesTokenCount", 4}}}}.dump()
                + "\n\n");
    if (protocol == ModelProtocol::Anthropic) // its ending is message_stop; the last usage stands before that
        std::iter_swap(events.end() - 2, events.end() - 3);
    return events;
}

std::string littleEndian(std::uint32_t value)
{
    std::string bytes;
    for (int shift = 0; shift < 32; shift += 8)
        bytes += static_cast<char>(value >> shift & 0xff);
    return bytes;
}

/// gzip (RFC 1952): Qt's zlib stream without its frame, in gzip's.
std::string packed(const std::string& body)
{
    const std::string zlib = qCompress(QByteArray::fromStdString(body), 9).mid(4).toStdString();
    std::uint32_t crc = 0xffffffff;
    for (const char c : body) {
        crc ^= static_cast<unsigned char>(c);
        for (int bit = 0; bit < 8; ++bit)
            crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
    }
    return std::string("\x1f\x8b\x08\0\0\0\0\0\x02\xff", 10) + zlib.substr(2, zlib.size() - 6) + littleEndian(~crc)
        + littleEndian(static_cast<std::uint32_t>(body.size()));
}

} // namespace

class TestLlmStreams : public CallTest
{
    Q_OBJECT

    /// Rows of the protocols whose streams are server-sent events: Ollama's are lines of JSON.
    static void streamsOfEvents()
    {
        QTest::addColumn<int>("protocol");
        for (const auto& [protocol, name] : modelProtocols)
            if (protocol != ModelProtocol::OllamaChat)
                QTest::newRow(std::string(name).c_str()) << static_cast<int>(protocol);
    }
    /// One reply to a chat of these bytes.
    ModelReply chatOf(const std::vector<std::string>& pieces)
    {
        CallBench& b = bench();
        b.server.play({stream(pieces)});
        return b.ask();
    }

private Q_SLOTS:
    void initTestCase() { catchLog(); }
    void cleanup() { lookForTheKey(); }

    void aReplyComesWholeFromEveryProtocol_data() { allProtocols(); }
    void aReplyComesWholeFromEveryProtocol()
    {
        QFETCH(int, protocol);
        const auto which = static_cast<ModelProtocol>(protocol);
        CallBench& b = bench(which, [](ModelEndpoint&, ModelSpec& spec) {
            spec.price = TokenPrice{1, 10, 0.1, 1.25, "2026-11-21", ""};
        });
        b.server.play({stream(eventsOf(which, {}))});
        const ModelReply reply = b.ask();
        QCOMPARE(reply.error.text, std::string());
        QCOMPARE(reply.state, ReplyState::Complete);
        QCOMPARE(reply.answers.at(0).text, std::string("Hello there!"));
        QCOMPARE(reply.conversation, std::string("proposal 1"));
        QVERIFY((reply.usage == TokenUsage{11, 0, 0, 6, 0}));
        QCOMPARE(reply.usageSource, UsageSource::Reported);
        QCOMPARE(reply.usd.value(), (11.0 * 1 + 6 * 10) * 1e-6);
        QCOMPARE(reply.attempts.size(), 1u);
        QCOMPARE(b.server.seen().size(), 1u);
        const SeenRequest& seen = b.server.seen().front();
        const bool google = which == ModelProtocol::Gemini, anthropic = which == ModelProtocol::Anthropic;
        QCOMPARE(seen.header(google  ? "x-goog-api-key"
                         : anthropic ? "x-api-key"
                                     : "authorization"),
            google || anthropic ? canary : "Bearer " + canary);
        QVERIFY(seen.target.find(canary) == std::string::npos);
        QVERIFY(google || seen.json["stream"] == true);
    }

    void theRawBytesAreHandedOverBeforeTheReplyAndGiveItAgain_data() { allProtocols(); }
    void theRawBytesAreHandedOverBeforeTheReplyAndGiveItAgain()
    {
        QFETCH(int, protocol);
        const auto which = static_cast<ModelProtocol>(protocol);
        CallBench& b = bench(which);
        b.server.play({stream(eventsOf(which, {}))});
        QStringList order;
        connect(
            &b.client(), &ModelClient::received, this, [&order](const RawReply&) { order << QStringLiteral("raw"); });
        connect(&b.client(), &ModelClient::finished, this,
            [&order](const ModelReply&) { order << QStringLiteral("reply"); });
        const ModelReply reply = b.ask();
        QCOMPARE(order, QStringList({QStringLiteral("raw"), QStringLiteral("reply")}));
        std::string all;
        for (const std::string& event : eventsOf(which, {}))
            all += event;
        QCOMPARE(b.raws.at(0).bytes, all);
        const ModelReply again = readStored(b.raws.at(0), b.client().models().models.front());
        QVERIFY(again.answers == reply.answers && again.usage == reply.usage && again.state == reply.state);
        QVERIFY(again.id == reply.id && again.conversation == reply.conversation);
    }

    void fault01_aServerThatDoesNotStreamIsRead_data() { allProtocols(); }
    void fault01_aServerThatDoesNotStreamIsRead()
    {
        QFETCH(int, protocol);
        const auto which = static_cast<ModelProtocol>(protocol);
        CallBench& b = bench(which);
        b.server.play({answer(200, wholeOf(which, {}))});
        const ModelReply reply = b.ask();
        QCOMPARE(reply.state, ReplyState::Complete);
        QCOMPARE(reply.answers.at(0).text, std::string("Hello there!"));
    }

    void fault02_aStreamByteByByteIsRead_data() { allProtocols(); }
    void fault02_aStreamByteByByteIsRead()
    {
        QFETCH(int, protocol);
        const auto which = static_cast<ModelProtocol>(protocol);
        CallBench& b = bench(which);
        b.server.play({stream(bytesOf(eventsOf(which, {})))});
        QCOMPARE(b.ask().answers.at(0).text, std::string("Hello there!"));
    }

    void fault03_aCharacterSplitOverPacketsStaysWhole_data() { allProtocols(); }
    void fault03_aCharacterSplitOverPacketsStaysWhole()
    {
        const ModelProtocol which = rowsProtocol();
        Said said;
        said.pieces = {"известни", "\xe2\x82\xac", "\xf0\x9f\x98\x80"};
        CallBench& b = bench(which);
        b.server.play({stream(bytesOf(eventsOf(which, said)))});
        QCOMPARE(b.ask().answers.at(0).text, said.text());
    }

    void fault04_aLineEndSplitOverPacketsIsOneLineEnd_data() { allProtocols(); }
    void fault04_aLineEndSplitOverPacketsIsOneLineEnd()
    {
        const ModelProtocol which = rowsProtocol();
        // The name of the event must not get lost: Anthropic's events are told apart by it and by their type.
        std::vector<std::string> pieces;
        for (const std::string& event : eventsOf(which, {})) {
            for (const char c : event) {
                if (c == '\n') {
                    pieces.push_back("\r");
                    pieces.push_back("\n");
                } else {
                    pieces.push_back(std::string(1, c));
                }
            }
        }
        CallBench& b = bench(which);
        b.server.play({stream(pieces)});
        QCOMPARE(b.ask().answers.at(0).text, std::string("Hello there!"));
    }

    void fault05_linesThatEndWithCrAloneAreRead_data() { streamsOfEvents(); }
    void fault05_linesThatEndWithCrAloneAreRead()
    {
        const ModelProtocol which = rowsProtocol();
        std::vector<std::string> pieces = eventsOf(which, {});
        for (std::string& piece : pieces)
            std::ranges::replace(piece, '\n', '\r');
        CallBench& b = bench(which);
        b.server.play({stream(pieces)});
        QCOMPARE(b.ask().answers.at(0).text, std::string("Hello there!"));
    }

    void fault06_eventsOfSeveralDataLinesAndWithoutDataAreRead_data() { streamsOfEvents(); }
    void fault06_eventsOfSeveralDataLinesAndWithoutDataAreRead()
    {
        const ModelProtocol which = rowsProtocol();
        for (const Name name : {Name::Kept, Name::Dropped}) {
            std::vector<std::string> events{"event: ping\n\ndata:\n\nevent: x\n\n"};
            for (const std::string& block : blocksOf(which))
                events.push_back(overManyLines(block, name));
            CallBench& b = bench(which);
            b.server.play({stream(events)});
            const ModelReply reply = b.ask();
            QCOMPARE(reply.state, ReplyState::Complete);
            QCOMPARE(reply.answers.at(0).text, std::string("Hello there!"));
            QVERIFY((reply.usage == TokenUsage{11, 0, 0, 6, 0}));
        }
    }

    void fault07_commentsAndPingsKeepAStreamAlive_data() { streamsOfEvents(); }
    void fault07_commentsAndPingsKeepAStreamAlive()
    {
        const ModelProtocol which = rowsProtocol();
        CallBench& b = bench(which);
        Script script{send(head(200, {"Content-Type: text/event-stream"}))};
        for (int i = 0; i < 4; ++i) {
            script.push_back(send(": OPENROUTER PROCESSING\n\n"));
            script.push_back(hold());
        }
        for (const std::string& event : eventsOf(which, {}))
            script.push_back(send(event));
        script.push_back(close());
        b.server.play({script});
        const ModelCallId id = b.submit();
        std::int64_t seen = 0;
        for (int i = 0; i < 4; ++i) { // 4 × 100 s of silence between comments: each below the limit of 120 s
            QVERIFY(CallBench::until([&] { return b.server.holding() == 1 && b.bytesSeen() > seen; }));
            seen = b.bytesSeen();
            b.clock.advance(100s);
            b.server.release();
        }
        QCOMPARE(b.finish(id).state, ReplyState::Complete);
    }

    void fault08_theUsageChunkHasNoChoices()
    {
        const ModelReply reply = chatOf({chat(Json::array({delta("A", 0, "stop")})),
            chat(Json::array(), {{"prompt_tokens", 9}, {"completion_tokens", 3}, {"total_tokens", 12}}), done});
        QVERIFY((reply.usage == TokenUsage{9, 0, 0, 3, 0}));
        QCOMPARE(reply.usageSource, UsageSource::Reported);
    }

    void fault09_usageInEveryChunkIsNotSummed_data() { streamsOfEvents(); }
    void fault09_usageInEveryChunkIsNotSummed()
    {
        const ModelProtocol which = rowsProtocol();
        CallBench& b = bench(which);
        b.server.play({stream(withGrowingUsage(which))});
        const ModelReply reply = b.ask();
        QCOMPARE(reply.state, ReplyState::Complete);
        QVERIFY2((reply.usage == TokenUsage{11, 0, 0, 6, 0}), std::to_string(reply.usage.total()).c_str());
        QCOMPARE(reply.usageSource, UsageSource::Reported);
    }

    void fault10_withoutUsageTokensAreEstimatedAndSaidToBe_data() { allProtocols(); }
    void fault10_withoutUsageTokensAreEstimatedAndSaidToBe()
    {
        QFETCH(int, protocol);
        const auto which = static_cast<ModelProtocol>(protocol);
        CallBench& b = bench(which);
        Said said;
        said.usage = false;
        b.server.play({stream(eventsOf(which, said))});
        const ModelReply reply = b.ask();
        QCOMPARE(reply.state, ReplyState::Complete);
        QCOMPARE(reply.usageSource, UsageSource::Estimated);
        QCOMPARE(reply.usage.outputVisible, 3); // 12 bytes
        QCOMPARE(reply.usage.input, 10); // 38 bytes
        QVERIFY(!reply.usd);
        QVERIFY(!reply.notes.empty());
    }

    void fault11_aStreamWithoutItsTerminalEventIsIncomplete_data() { allProtocols(); }
    void fault11_aStreamWithoutItsTerminalEventIsIncomplete()
    {
        QFETCH(int, protocol);
        const auto which = static_cast<ModelProtocol>(protocol);
        CallBench& b = bench(which);
        b.server.play({stream(withoutEnding(which, eventsOf(which, {})))});
        const ModelReply reply = b.ask();
        QCOMPARE(reply.state, ReplyState::Incomplete);
        QCOMPARE(reply.error.code, std::string("llm/incomplete"));
        QVERIFY2(reply.answers.at(0).text.starts_with("Hello"), "the partial text is kept as evidence");
        QVERIFY(reply.usage.written() > 0);
        QCOMPARE(reply.attempts.size(), 1u); // what was paid for once is not paid for again unasked
        QCOMPARE(b.raws.size(), 1u);
    }

    void fault11_chatWithoutDoneButWithEveryReasonIsWhole()
    {
        const ModelReply reply = chatOf({chat(Json::array({delta("A")})), chat(Json::array({delta("", 0, "stop")}))});
        QCOMPARE(reply.state, ReplyState::Complete);
        QCOMPARE(reply.notes.size(), 2u); // no [DONE], no usage
    }

    void fault12_aStreamThatEndsInsideAnEventIsIncomplete_data() { allProtocols(); }
    void fault12_aStreamThatEndsInsideAnEventIsIncomplete()
    {
        QFETCH(int, protocol);
        const auto which = static_cast<ModelProtocol>(protocol);
        std::vector<std::string> events = withoutEnding(which, eventsOf(which, {}));
        events.back().resize(events.back().size() / 2);
        CallBench& b = bench(which);
        b.server.play({stream(events)});
        const ModelReply reply = b.ask();
        QCOMPARE(reply.state, ReplyState::Incomplete);
        QCOMPARE(code(reply), QStringLiteral("llm/incomplete"));
        QCOMPARE(reply.attempts.size(), 1u);
    }

    void fault26_anErrorAsFirstEventIsTriedAgain_data() { allProtocols(); }
    void fault26_anErrorAsFirstEventIsTriedAgain()
    {
        QFETCH(int, protocol);
        const auto which = static_cast<ModelProtocol>(protocol);
        CallBench& b = bench(which);
        b.server.play({stream({errorEvent(which, "overloaded_error", "Overloaded")}), stream(eventsOf(which, {}))});
        const ModelReply reply = b.ask();
        QCOMPARE(reply.state, ReplyState::Complete);
        QCOMPARE(reply.attempts.size(), 2u);
        QVERIFY(reply.attempts.at(0).error.text.find("verloaded") != std::string::npos);
    }

    void fault26_anErrorInsideTheTextLeavesAnIncompleteReply_data() { allProtocols(); }
    void fault26_anErrorInsideTheTextLeavesAnIncompleteReply()
    {
        QFETCH(int, protocol);
        const auto which = static_cast<ModelProtocol>(protocol);
        std::vector<std::string> events = withoutEnding(which, eventsOf(which, {}));
        events.push_back(errorEvent(which, "overloaded_error", "Overloaded, key " + canary));
        CallBench& b = bench(which);
        b.server.play({stream(events)});
        const ModelReply reply = b.ask();
        QCOMPARE(reply.state, ReplyState::Incomplete);
        QVERIFY(reply.error.code.starts_with("llm/"));
        QVERIFY(reply.error.text.find("[key]") != std::string::npos);
        QCOMPARE(reply.attempts.size(), 1u);
        QVERIFY(reply.answers.at(0).text.starts_with("Hello"));
    }

    void fault26_vllmsErrorShapeIsUnderstood()
    {
        // block/goose#8031: data: {"object":"error","message":…}
        const ModelReply reply = chatOf({chat(Json::array({delta("A")})),
            "data: {\"object\":\"error\",\"message\":\"EngineCore "
            "died\",\"type\":\"InternalServerError\",\"code\":500}\n\n"});
        QCOMPARE(reply.state, ReplyState::Incomplete);
        QVERIFY(reply.error.text.find("EngineCore died") != std::string::npos);
    }

    void fault27_anErrorInABodyWithStatus200IsAnError_data() { allProtocols(); }
    void fault27_anErrorInABodyWithStatus200IsAnError()
    {
        // https://openrouter.ai/docs/api/reference/errors-and-debugging; the others' own shapes from a gateway
        const ModelProtocol which = rowsProtocol();
        CallBench& b = bench(which);
        b.server.play({answer(200, R"({"error":{"code":402,"message":"Insufficient credits"}})"),
            answer(200, errorBody(which, 402, "billing_error", "Insufficient credits"))});
        for (int i = 0; i < 2; ++i) {
            const ModelReply reply = b.ask();
            QCOMPARE(reply.state, ReplyState::Failed);
            QCOMPARE(reply.error.code, std::string("llm/quota"));
            QCOMPARE(reply.attempts.size(), 1u);
        }
    }

    void fault28_pagesAndEmptyBodiesAreNoReplies_data()
    {
        QTest::addColumn<int>("protocol");
        QTest::addColumn<int>("status");
        QTest::addColumn<QByteArray>("body");
        QTest::addColumn<QString>("code");
        QTest::addColumn<int>("attempts");
        // Where replies are lines of JSON, these are no whole replies but streams that broke off: faults 11 and 12.
        const auto isBegun = [](const std::string_view body) { return body == "{}" || body.ends_with("{\"mess"); };
        const auto row = [&isBegun](const char* name, int status, const char* body, const char* code, int attempts) {
            for (const auto& [protocol, of] : modelProtocols)
                if (protocol != ModelProtocol::OllamaChat || !isBegun(body))
                    QTest::newRow((std::string(of) + ", " + name).c_str())
                        << static_cast<int>(protocol) << status << QByteArray(body) << QString::fromLatin1(code)
                        << attempts;
        };
        row("HTML with 200", 200, "<!DOCTYPE html><title>Log in</title>", "llm/not-a-reply", 1);
        row("HTML with 404", 404, "<html>nothing here</html>", "llm/not-found", 1);
        row("plain text with 200", 200, "upstream connect error", "llm/not-a-reply", 1);
        row("empty 200", 200, "", "llm/empty", 1);
        row("null", 200, "null", "llm/empty", 1);
        row("an empty object", 200, "{}", "llm/empty", 1);
        row("error in a list", 400, R"([{"error":{"code":400,"message":"no","status":"INVALID_ARGUMENT"}}])",
            "llm/bad-request", 1);
        row("half a JSON", 200, "{\"choices\":[{\"mess", "llm/not-a-reply", 1);
    }
    void fault28_pagesAndEmptyBodiesAreNoReplies()
    {
        QFETCH(int, status);
        QFETCH(QByteArray, body);
        QFETCH(QString, code);
        QFETCH(int, attempts);
        CallBench& b = bench(rowsProtocol());
        b.server.play({answer(status, body.toStdString(), {"Content-Type: text/html"})});
        const ModelReply reply = b.ask();
        QCOMPARE(reply.state, ReplyState::Failed);
        QCOMPARE(QString::fromStdString(reply.error.code), code);
        QCOMPARE(static_cast<int>(reply.attempts.size()), attempts);
        QVERIFY(!reply.error.text.empty());
    }

    void fault29_theContentTypeDecidesNothing_data() { allProtocols(); }
    void fault29_theContentTypeDecidesNothing()
    {
        const ModelProtocol which = rowsProtocol();
        CallBench& b = bench(which);
        b.server.play({stream(eventsOf(which, {}), "application/json"),
            answer(200, wholeOf(which, {}), {"Content-Type: text/event-stream"}),
            stream(eventsOf(which, {}), "text/html")});
        for (int i = 0; i < 3; ++i)
            QCOMPARE(b.ask().state, ReplyState::Complete);
    }

    void fault30_anEventThatCannotBeReadCostsThatEventAlone_data() { allProtocols(); }
    void fault30_anEventThatCannotBeReadCostsThatEventAlone()
    {
        QFETCH(int, protocol);
        const auto which = static_cast<ModelProtocol>(protocol);
        std::vector<std::string> events = eventsOf(which, {});
        events.insert(events.begin() + 1,
            which == ModelProtocol::OllamaChat ? "{\"message\":{\"content\n" : "data: {\"choices\":[{\"del\n\n");
        CallBench& b = bench(which);
        b.server.play({stream(events)});
        const ModelReply reply = b.ask();
        QCOMPARE(reply.state, ReplyState::Complete);
        QCOMPARE(reply.answers.at(0).text, std::string("Hello there!"));
        QCOMPARE(q(reply.notes.front()), q("1 event of the stream could not be read: text may be missing"));
    }

    void fault31_unknownEventsAndFieldsAreIgnored_data() { allProtocols(); }
    void fault31_unknownEventsAndFieldsAreIgnored()
    {
        QFETCH(int, protocol);
        const auto which = static_cast<ModelProtocol>(protocol);
        std::vector<std::string> events = eventsOf(which, {});
        const std::string news = R"({"type":"comes.later","obfuscation":"aXb","new":{"deep":[1]}})";
        events.insert(events.begin() + 1,
            which == ModelProtocol::OllamaChat ? news + "\n" : "event: comes.later\nid: 4\ndata: " + news + "\n\n");
        CallBench& b = bench(which);
        b.server.play({stream(events)});
        QCOMPARE(b.ask().answers.at(0).text, std::string("Hello there!"));
    }

    void fault32_emptyAnswersAreNotTakenForAnswers_data()
    {
        QTest::addColumn<int>("protocol");
        QTest::addColumn<QByteArray>("body");
        QTest::addColumn<QString>("state");
        QTest::addColumn<QString>("code");
        const auto row = [](const char* name, ModelProtocol protocol, const std::string& body, const char* state,
                             const char* code) {
            QTest::newRow(name) << static_cast<int>(protocol) << QByteArray::fromStdString(body)
                                << QString::fromLatin1(state) << QString::fromLatin1(code);
        };
        const auto chatType = ModelProtocol::OpenAiChat;
        row("content null", chatType,
            R"({"choices":[{"index":0,"message":{"role":"assistant","content":null},"finish_reason":"stop"}]})",
            "failed", "llm/empty");
        row("reasoning only", chatType,
            R"({"choices":[{"index":0,"message":{"content":null,"reasoning_content":"hm"},"finish_reason":"stop"}]})",
            "failed", "llm/empty");
        row("reasoning to the limit", chatType,
            R"({"choices":[{"index":0,"message":{"content":"","reasoning":"hm"},"finish_reason":"length"}]})",
            "truncated", "llm/truncated");
        row("no choices", chatType, R"({"choices":[]})", "failed", "llm/empty");
        row("refusal", chatType,
            R"({"choices":[{"index":0,"message":{"content":null,"refusal":"I cannot."},"finish_reason":"stop"}]})",
            "refused", "llm/refused");
        row("content filter", chatType,
            R"({"choices":[{"index":0,"message":{"content":""},"finish_reason":"content_filter"}]})", "refused",
            "llm/refused");
        row("Responses without output", ModelProtocol::OpenAiResponses,
            R"({"id":"r","object":"response","status":"completed","output":[]})", "failed", "llm/empty");
        row("Responses, reasoning only", ModelProtocol::OpenAiResponses,
            R"({"id":"r","status":"completed","output":[{"type":"reasoning","summary":[{"type":"summary_text","text":"hm"}]}]})",
            "failed", "llm/empty");
        row("Responses filtered", ModelProtocol::OpenAiResponses,
            R"({"id":"r","status":"incomplete","incomplete_details":{"reason":"content_filter"},"output":[]})",
            "refused", "llm/refused");
        row("Anthropic without content", ModelProtocol::Anthropic,
            R"({"type":"message","content":[],"stop_reason":"end_turn","usage":{"input_tokens":20,"output_tokens":120,"output_tokens_details":{"thinking_tokens":67}}})",
            "failed", "llm/empty");
        row("Anthropic, thinking only", ModelProtocol::Anthropic,
            R"({"type":"message","content":[{"type":"thinking","thinking":"hm"}],"stop_reason":"max_tokens","usage":{"input_tokens":20,"output_tokens":120,"output_tokens_details":{"thinking_tokens":67}}})",
            "truncated", "llm/truncated");
        row("Gemini without candidates", ModelProtocol::Gemini, R"({"usageMetadata":{"promptTokenCount":4}})", "failed",
            "llm/empty");
        row("Gemini, thoughts only", ModelProtocol::Gemini,
            R"({"candidates":[{"content":{"parts":[{"text":"hm","thought":true}]},"finishReason":"STOP"}]})", "failed",
            "llm/empty");
        // ollama/ollama docs/api.md, "Load a model": an answer that only says that the model was loaded
        row("Ollama loaded", ModelProtocol::OllamaChat,
            R"({"model":"m","message":{"role":"assistant","content":""},"done_reason":"load","done":true})", "failed",
            "llm/empty");
        row("Ollama, thinking only", ModelProtocol::OllamaChat,
            R"({"model":"m","message":{"role":"assistant","content":"","thinking":"hm"},"done_reason":"stop","done":true})",
            "failed", "llm/empty");
        row("Ollama, thinking to the limit", ModelProtocol::OllamaChat,
            R"({"model":"m","message":{"role":"assistant","content":"","thinking":"hm"},"done_reason":"length","done":true})",
            "truncated", "llm/truncated");
        row("Gemini safety", ModelProtocol::Gemini,
            R"({"candidates":[{"finishReason":"SAFETY","index":0,"safetyRatings":[]}],"usageMetadata":{"promptTokenCount":4}})",
            "refused", "llm/refused");
        row("Gemini blocked prompt", ModelProtocol::Gemini,
            R"({"promptFeedback":{"blockReason":"SAFETY"},"usageMetadata":{"promptTokenCount":4,"totalTokenCount":4}})",
            "refused", "llm/refused");
        row("Responses refusal", ModelProtocol::OpenAiResponses,
            R"({"id":"r","object":"response","status":"completed","output":[{"type":"message","content":[{"type":"refusal","refusal":"no"}]}]})",
            "refused", "llm/refused");
        row("Responses failed", ModelProtocol::OpenAiResponses,
            R"({"id":"r","object":"response","status":"failed","error":{"code":"invalid_prompt","message":"bad prompt"},"output":[]})",
            "failed", "llm/bad-request");
        // anthropic-sdk-python tests/lib/streaming/fixtures/refusal_response.txt
        row("Anthropic refusal", ModelProtocol::Anthropic,
            "event: message_start\ndata: "
            "{\"type\":\"message_start\",\"message\":{\"model\":\"m\",\"usage\":{\"input_tokens\":20,"
            "\"output_tokens\":1}}}\n\nevent: message_delta\ndata: "
            "{\"type\":\"message_delta\",\"delta\":{\"stop_reason\":"
            "\"refusal\",\"stop_details\":{\"type\":\"refusal\",\"explanation\":\"due to "
            "policy\"}},\"usage\":{\"output_tokens\":"
            "120,\"output_tokens_details\":{\"thinking_tokens\":67}}}\n\nevent: message_stop\ndata: "
            "{\"type\":\"message_stop\"}\n\n",
            "refused", "llm/refused");
    }
    void fault32_emptyAnswersAreNotTakenForAnswers()
    {
        QFETCH(int, protocol);
        QFETCH(QByteArray, body);
        QFETCH(QString, state);
        QFETCH(QString, code);
        CallBench& b = bench(static_cast<ModelProtocol>(protocol));
        b.server.play({answer(200, body.toStdString())});
        const ModelReply reply = b.ask();
        QCOMPARE(QString::fromStdString(nameIn(replyStates, reply.state)), state);
        QCOMPARE(QString::fromStdString(reply.error.code), code);
        QCOMPARE(reply.attempts.size(), 1u);
        if (protocol == static_cast<int>(ModelProtocol::Anthropic))
            QVERIFY((reply.usage == TokenUsage{20, 0, 0, 53, 67}));
    }

    void aRefusalIsToldInTheServersWordsAndNotTriedAgain_data()
    {
        QTest::addColumn<int>("protocol");
        QTest::addColumn<QByteArray>("events");
        QTest::addColumn<QString>("words");
        const auto row = [](const char* name, ModelProtocol protocol, const char* events, const char* words) {
            QTest::newRow(name) << static_cast<int>(protocol) << QByteArray(events) << QString::fromUtf8(words);
        };
        row("filter", chatProtocol,
            "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"content_filter\"}]}\n\ndata: [DONE]\n\n",
            "content_filter");
        row("refusal", chatProtocol,
            "data: {\"choices\":[{\"index\":0,\"delta\":{\"refusal\":\"I cannot \"}}]}\n\n"
            "data: {\"choices\":[{\"index\":0,\"delta\":{\"refusal\":\"help.\"}}]}\n\n"
            "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n",
            "I cannot help.");
        row("Anthropic", ModelProtocol::Anthropic,
            "data: {\"type\":\"message_start\",\"message\":{}}\n\n"
            "data: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"refusal\"}}\n\n"
            "data: {\"type\":\"message_stop\"}\n\n",
            "refused");
        row("Gemini's answer", ModelProtocol::Gemini,
            "data: {\"candidates\":[{\"index\":0,\"finishReason\":\"SAFETY\"}]}\n\n", "SAFETY");
        row("Gemini's prompt", ModelProtocol::Gemini,
            "data: {\"promptFeedback\":{\"blockReason\":\"PROHIBITED_CONTENT\"}}\n\n", "PROHIBITED_CONTENT");
        row("Gemini's prompt with a sentence", ModelProtocol::Gemini,
            "data: {\"promptFeedback\":{\"blockReason\":\"OTHER\",\"blockReasonMessage\":\"No weapons.\"}}\n\n",
            "No weapons.");
        row("Responses", ModelProtocol::OpenAiResponses,
            "data: {\"type\":\"response.refusal.delta\",\"delta\":\"I cannot \"}\n\n"
            "data: "
            "{\"type\":\"response.completed\",\"response\":{\"status\":\"completed\",\"output\":[{\"type\":\"message\","
            "\"content\":[{\"type\":\"refusal\",\"refusal\":\"I cannot help.\"}]}]}}\n\n",
            "I cannot help.");
    }
    void aRefusalIsToldInTheServersWordsAndNotTriedAgain()
    {
        QFETCH(QByteArray, events);
        QFETCH(QString, words);
        CallBench& b = bench(rowsProtocol());
        b.server.play({stream({events.toStdString()})});
        const ModelReply reply = b.ask();
        QCOMPARE(reply.error.code, std::string("llm/refused"));
        QCOMPARE(reply.state, ReplyState::Refused);
        QVERIFY2(reply.error.text.find(words.toStdString()) != std::string::npos, reply.error.text.c_str());
        QCOMPARE(reply.attempts.size(), 1u);
    }

    void fault33_anAnswerCutAtItsLimitIsMarkedTruncated_data() { allProtocols(); }
    void fault33_anAnswerCutAtItsLimitIsMarkedTruncated()
    {
        QFETCH(int, protocol);
        const auto which = static_cast<ModelProtocol>(protocol);
        Said said;
        said.finish = lengthWord(which);
        CallBench& b = bench(which);
        b.server.play({stream(eventsOf(which, said))});
        const ModelReply reply = b.ask();
        QCOMPARE(reply.state, ReplyState::Truncated);
        QCOMPARE(reply.answers.at(0).finish, Finish::Length);
    }

    void fault34_severalAnswersThatComeInterleavedAreToldApart()
    {
        CallBench& b = bench();
        b.server.play({stream({chat(Json::array({delta("a1", 0)})), chat(Json::array({delta("c1", 2), delta("b1", 1)})),
            chat(Json::array({delta("a2", 0, "stop")})), chat(Json::array({delta("b2", 1, "length")})),
            chat(Json::array({delta("c2", 2, "stop")})), chat(Json::array({delta("far", 1000000)})), done})});
        ChatRequest request = CallBench::question();
        request.samples = 3;
        const ModelReply reply = b.ask(request);
        QVERIFY(b.server.seen().front().json["n"] == 3);
        QCOMPARE(reply.answers.size(), 3u);
        QCOMPARE(reply.answers[0].text, std::string("a1a2"));
        QCOMPARE(reply.answers[1].text, std::string("b1b2"));
        QCOMPARE(reply.answers[2].text, std::string("c1c2"));
        QCOMPARE(reply.state, ReplyState::Truncated);
    }

    void fault34_geminisCandidatesThatComeInterleavedAreToldApart()
    {
        const auto chunk = [](int index, const char* text, const char* finish) {
            Json candidate{{"index", index}, {"content", {{"parts", Json::array({{{"text", text}}})}}}};
            if (*finish)
                candidate["finishReason"] = finish;
            return "data: " + Json{{"candidates", Json::array({candidate})}}.dump() + "\n\n";
        };
        CallBench& b = bench(ModelProtocol::Gemini);
        const std::vector<std::string> whole{
            chunk(1, "b1", ""), chunk(0, "a1", ""), chunk(1, "b2", "STOP"), chunk(0, "a2", "STOP")};
        b.server.play({stream(whole), stream({whole.begin(), whole.end() - 1})});
        ChatRequest request = CallBench::question();
        request.samples = 2;
        const ModelReply reply = b.ask(request);
        QVERIFY(b.server.seen().front().json["generationConfig"]["candidateCount"] == 2);
        QCOMPARE(reply.state, ReplyState::Complete);
        QCOMPARE(reply.answers.at(0).text, std::string("a1a2"));
        QCOMPARE(reply.answers.at(1).text, std::string("b1b2"));
        QCOMPARE(b.ask(request).state, ReplyState::Incomplete);
    }

    void fault34_oneOfSeveralAnswersWithoutItsReasonIsIncomplete()
    {
        QCOMPARE(chatOf({chat(Json::array({delta("a", 0, "stop"), delta("b", 1)}))}).state, ReplyState::Incomplete);
    }

    void fault35_thoughtsInTheContentAreNoPartOfTheAnswer_data() { allProtocols(); }
    void fault35_thoughtsInTheContentAreNoPartOfTheAnswer()
    {
        const ModelProtocol which = rowsProtocol();
        Said split, endless;
        split.pieces = {"<th", "ink>hm ", "hm</thi", "nk>\n\nfloat x; // <think>"};
        endless.pieces = {"<think>never ends"};
        CallBench& b = bench(which);
        b.server.play({stream(eventsOf(which, split)), stream(eventsOf(which, endless))});
        ModelReply reply = b.ask();
        QCOMPARE(reply.answers.at(0).text, std::string("float x; // <think>"));
        QCOMPARE(reply.answers.at(0).reasoning, std::string("hm hm"));
        reply = b.ask();
        QCOMPARE(reply.error.code, std::string("llm/empty"));
    }

    void fault36_aPackedBodyIsUnpacked_data() { allProtocols(); }
    void fault36_aPackedBodyIsUnpacked()
    {
        const ModelProtocol which = rowsProtocol();
        std::string body;
        for (const std::string& event : eventsOf(which, {}))
            body += event;
        CallBench& b = bench(which);
        b.server.play({answer(200, packed(body), {"Content-Type: text/event-stream", "Content-Encoding: gzip"})});
        const ModelReply reply = b.ask();
        QCOMPARE(reply.answers.at(0).text, std::string("Hello there!"));
        QCOMPARE(b.raws.at(0).bytes, body);
        QVERIFY(b.server.seen().front().header("accept-encoding").find("gzip") != std::string::npos);
    }

    void fault43_aHugeEventIsReadAndAnEndlessLineIsNot_data() { allProtocols(); }
    void fault43_aHugeEventIsReadAndAnEndlessLineIsNot()
    {
        const ModelProtocol which = rowsProtocol();
        Said much;
        much.pieces = {std::string(10 << 20, 'x')};
        CallBench& huge = bench(which);
        huge.server.play({stream(eventsOf(which, much))});
        ModelReply reply = huge.ask();
        QCOMPARE(reply.state, ReplyState::Complete);
        QCOMPARE(reply.answers.at(0).text.size(), much.pieces[0].size());
        CallBench& b = bench(which);
        Script script{send(head(200, {"Content-Type: text/event-stream"}))};
        script.push_back(send(which == ModelProtocol::OllamaChat ? "{\"message\":{\"content\":\"" : "data: "));
        for (int i = 0; i < 20; ++i)
            script.push_back(send(std::string(1 << 20, 'x')));
        script.push_back(hold()); // the client must cut it, nobody else does
        b.server.play({script});
        reply = b.ask();
        QCOMPARE(reply.error.code, std::string("llm/reply-too-large"));
        QCOMPARE(reply.state, ReplyState::Failed);
        QCOMPARE(reply.attempts.size(), 1u);
    }

    void fault43_aStreamWithoutEndIsClosedAndBookedAtTheOutputLimit_data() { allProtocols(); }
    void fault43_aStreamWithoutEndIsClosedAndBookedAtTheOutputLimit()
    {
        const ModelProtocol which = rowsProtocol();
        CallBench& b = bench(which, [](ModelEndpoint&, ModelSpec& spec) { spec.maxOutputTokens = 100; });
        Said said;
        said.pieces = {std::string(50'000, 'x'), "end"};
        std::string event;
        for (const std::string& one : withoutEnding(which, eventsOf(which, said)))
            event = one.size() > event.size() ? one : event;
        Script script{send(head(200, {"Content-Type: text/event-stream"}))};
        for (int i = 0; i < 16; ++i) {
            std::string much;
            while (much.size() < 1 << 20)
                much += event;
            script.push_back(send(std::move(much)));
        }
        script.push_back(hold()); // the client must close it, nobody else does
        b.server.play({script});
        std::int64_t before = 0, largest = 0;
        QObject::connect(&b.client(), &ModelClient::progressed, &b.client(), [&](const ModelProgress& progress) {
            largest = std::max(largest, progress.bytes - std::exchange(before, progress.bytes));
        });
        const ModelReply reply = b.ask();
        QCOMPARE(reply.error.code, std::string("llm/reply-too-large"));
        QVERIFY2(reply.error.text.find("max_output_tokens (100)") != std::string::npos, reply.error.text.c_str());
        QCOMPARE(reply.state, ReplyState::Incomplete);
        QCOMPARE(reply.attempts.size(), 1u);
        QVERIFY(reply.attempts[0].bytes < 5 << 20);
        QVERIFY(reply.usage.written() > 0 && reply.usage.written() <= 100);
        QVERIFY2(largest <= 64 << 10, "so much is read in one turn of the event loop");
    }

    void fault44_ollamasLinesAreReadHoweverTheyAreSplit()
    {
        CallBench& b = bench(
            ModelProtocol::OllamaChat, [](ModelEndpoint&, ModelSpec& spec) { spec.capabilities.contextTokens = 8192; });
        Said said;
        said.pieces = {"Grüße", "\n", "\"quoted\""};
        std::vector<std::string> lines = eventsOf(ModelProtocol::OllamaChat, said);
        lines.back().pop_back(); // no last line end
        b.server.play({stream(bytesOf(lines), "application/x-ndjson")});
        const ModelReply reply = b.ask();
        QCOMPARE(reply.answers.at(0).text, said.text());
        QVERIFY(b.server.seen().front().json["options"]["num_ctx"] == 8192);
        QCOMPARE(b.server.seen().front().target, std::string("/api/chat"));
    }

    void fault44_aPromptThatOllamaCutIsNoticed()
    {
        CallBench& b = bench(ModelProtocol::OllamaChat);
        Said said;
        said.input = 2048;
        b.server.play({stream(eventsOf(ModelProtocol::OllamaChat, said), "application/x-ndjson")});
        ChatRequest request = CallBench::question();
        request.messages[0].text.assign(40'000, 'a');
        const ModelReply reply = b.ask(request);
        QVERIFY(!reply.notes.empty() && reply.notes.front().find("2048 of 10006") != std::string::npos);
    }
};

TILEWRIGHT_TEST(TestLlmStreams)
#include "test_llm_streams.moc"
