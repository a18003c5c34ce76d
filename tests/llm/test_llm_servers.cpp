// SPDX-License-Identifier: GPL-3.0-or-later
// Servers as they are in the field: errors in whatever field, answers in whatever shape, broken characters and numbers.
// For each protocol, over real sockets.
// moc 6.4 stumbles over g++ 12's <concepts>, which these lead to; it needs none of it.
#ifndef Q_MOC_RUN
#include "core/llm/tool_calls.h"
#include "tests/llm/call_test.h"
#endif

#include "tests/test_program.h"

#include <QTest>

using namespace tilewright;
using namespace tilewright::testing;

namespace {

using Json = nlohmann::json;

/// One event of a protocol with this JSON, as text.
std::string eventWith(ModelProtocol protocol, const std::string& json)
{
    return protocol == ModelProtocol::OllamaChat ? json + "\n" : "data: " + json + "\n\n";
}

/// How often these words stand in the text.
int timesIn(const std::string& text, const std::string& words)
{
    int count = 0;
    for (std::size_t at = text.find(words); at != std::string::npos; at = text.find(words, at + 1))
        ++count;
    return count;
}

/// A whole reply of the protocol whose answer is this value, where it stands for text: a text, or a list of parts.
std::string wholeWith(ModelProtocol protocol, const Json& content)
{
    switch (protocol) {
    case ModelProtocol::OpenAiResponses:
        return Json{{"id", "r"}, {"status", "completed"},
            {"output", Json::array({{{"type", "message"}, {"content", content}}})}}
            .dump();
    case ModelProtocol::Anthropic:
        return Json{{"type", "message"}, {"content", content}, {"stop_reason", "end_turn"}}.dump();
    case ModelProtocol::Gemini:
        return Json{{"candidates",
                        Json::array({{{"content", content.is_array() ? Json{{"parts", content}} : content},
                            {"finishReason", "STOP"}}})}}
            .dump();
    case ModelProtocol::OllamaChat:
        return Json{{"message", {{"role", "assistant"}, {"content", content}}}, {"done", true}, {"done_reason", "stop"}}
            .dump();
    case ModelProtocol::OpenAiChat:
        break;
    }
    return Json{
        {"choices", Json::array({{{"index", 0}, {"message", {{"content", content}}}, {"finish_reason", "stop"}}})}}
        .dump();
}

/// A whole reply that calls a tool instead of answering.
std::string callWith(ModelProtocol protocol, const Json& arguments)
{
    switch (protocol) {
    case ModelProtocol::OpenAiResponses:
        return Json{{"id", "r"}, {"status", "completed"},
            {"output",
                Json::array({{{"type", "function_call"}, {"name", "edit_file"}, {"arguments", arguments.dump()}}})}}
            .dump();
    case ModelProtocol::Anthropic:
        return Json{{"type", "message"},
            {"content", Json::array({{{"type", "tool_use"}, {"name", "edit_file"}, {"input", arguments}}})},
            {"stop_reason", "tool_use"}}
            .dump();
    case ModelProtocol::Gemini:
        return Json{
            {"candidates",
                Json::array(
                    {{{"content",
                          {{"parts", Json::array({{{"functionCall", {{"name", "edit_file"}, {"args", arguments}}}}})}}},
                        {"finishReason", "STOP"}}})}}
            .dump();
    case ModelProtocol::OllamaChat:
        return Json{
            {"message",
                {{"role", "assistant"}, {"content", ""},
                    {"tool_calls", Json::array({{{"function", {{"name", "edit_file"}, {"arguments", arguments}}}}})}}},
            {"done", true}, {"done_reason", "stop"}}
            .dump();
    case ModelProtocol::OpenAiChat:
        break;
    }
    return Json{{"choices",
                    Json::array({{{"index", 0},
                        {"message",
                            {{"content", nullptr},
                                {"tool_calls",
                                    Json::array({{{"id", "call_1"}, {"type", "function"},
                                        {"function", {{"name", "edit_file"}, {"arguments", arguments.dump()}}}}})}}},
                        {"finish_reason", "tool_calls"}}})}}
        .dump();
}

/// Reasons that asking again cannot help, as servers word them, and what they are to us.
struct Reason {
    const char *words, *code;
};
const std::vector<Reason> permanent{
    {"This model's maximum context length is 8192 tokens, your prompt has 9000", "llm/context-length"},
    {"the request exceeds the available context size", "llm/context-length"},
    {"Incorrect API key provided", "llm/auth"}, {"API key is missing or invalid", "llm/auth"},
    {"Your account has insufficient balance", "llm/quota"}, {"You have used up your quota for this month", "llm/quota"},
    {"Account balance is insufficient, please recharge", "llm/quota"},
    {"model 'kernel-9b' not found, try pulling it first", "llm/not-found"},
    {"The model `kernel-9b` does not exist", "llm/not-found"},
    {"The prompt violates our content policy", "llm/refused"}};

} // namespace

class TestLlmServers : public CallTest
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { catchLog(); }
    void cleanup() { lookForTheKey(); }

    void aComplaintAboutFieldsIsNotTriedAgain()
    {
        CallBench& b = bench();
        b.server.play({answer(200, R"({"detail":[{"msg":"field required"}]})")});
        const ModelReply reply = b.ask();
        QCOMPARE(reply.error.code, std::string("llm/bad-request"));
        QVERIFY(reply.error.text.find("field required") != std::string::npos);
        QCOMPARE(reply.attempts.size(), 1u);
        QCOMPARE(b.server.seen().size(), 1u);
    }

    void anErrorIsShownInItsWordsOnceAndBooksNothing_data()
    {
        QTest::addColumn<int>("protocol");
        QTest::addColumn<QByteArray>("shape"); // %1: the words; {E}: an event
        QTest::addColumn<int>("reason");
        const std::vector<const char*> shapes{"{E}{\"error\":{\"message\":\"%1\"}}", "{E}{\"error\":\"%1\"}",
            "{E}{\"code\":1261,\"msg\":\"%1\"}", "{E}{\"detail\":\"%1\"}", "{E}{\"errors\":[{\"message\":\"%1\"}]}",
            "{E}{\"errors\":[\"%1\"]}", "{E}{\"object\":\"error\",\"message\":\"%1\",\"code\":400}",
            "error: {\"message\":\"%1\",\"code\":400}\n\n", "error: {\"error\":{\"message\":\"%1\"}}\n\n",
            "error: %1\n\n", "event: error\ndata: {\"message\":\"%1\"}\n\n", "event: error\ndata: %1\n\n",
            "{\"code\":400,\"msg\":\"%1\"}", "{\"code\":\"E17\",\"message\":\"%1\",\"data\":null}",
            "{\"detail\":[{\"loc\":[\"body\"],\"msg\":\"%1\"}]}", "{\"message\":\"%1\"}",
            "{\"success\":false,\"message\":\"%1\"}", "{\n  \"error\": {\n    \"message\": \"%1\"\n  }\n}",
            "{\"type\":\"about:blank\",\"title\":\"%1\",\"status\":400}",
            // Other names for the same, and other places.
            "{E}{\"err\":\"%1\"}", "{E}{\"errcode\":40001,\"errmsg\":\"%1\"}",
            "{E}{\"Error\":{\"Message\":\"%1\",\"Code\":\"Bad\"}}",
            "{\"Response\":{\"Error\":{\"Code\":\"Bad\",\"Message\":\"%1\"},\"RequestId\":\"7\"}}",
            "{\"success\":false,\"errorMsg\":\"%1\"}", "{E}{\"status\":\"fail\",\"reason\":\"%1\"}",
            "{\"errors\":{\"field\":[\"%1\"]}}", "{E}{\"choices\":[{\"index\":0,\"error\":{\"message\":\"%1\"}}]}",
            "{\"choices\":[],\"message\":\"%1\"}", "{\"__type\":\"ValidationException\",\"Message\":\"%1\"}",
            "event: Error\ndata: %1\n\n", "event: exception\ndata: {\"reason\":\"%1\"}\n\n",
            ": hello\n\n{\"error\":{\"message\":\"%1\"}}\n\n", ": hello\n\n%1\n\n", ": error: %1\n\n",
            "{\"error\":{\"message\":\"%1\"}} <html>"};
        for (const auto& [protocol, name] : modelProtocols)
            for (std::size_t i = 0; i < shapes.size(); ++i) {
                const std::string shape = shapes[i];
                if (protocol == ModelProtocol::OllamaChat
                    && (shape.starts_with("error:") || shape.starts_with("event:") || shape.starts_with(":")))
                    continue; // fields of server-sent events
                QTest::newRow((std::string(name) + " " + std::to_string(i) + " " + shape).c_str())
                    << static_cast<int>(protocol) << QByteArray(shapes[i]) << static_cast<int>(i % permanent.size());
            }
    }
    void anErrorIsShownInItsWordsOnceAndBooksNothing()
    {
        QFETCH(QByteArray, shape);
        QFETCH(int, reason);
        const Reason& why = permanent[static_cast<std::size_t>(reason)];
        std::string body = shape.toStdString();
        body.replace(body.find("%1"), 2, why.words);
        if (body.starts_with("{E}"))
            body = eventWith(rowsProtocol(), body.substr(3));
        CallBench& b = bench(rowsProtocol());
        b.server.play({stream({body})});
        const ModelReply reply = b.ask();
        QCOMPARE(reply.state, ReplyState::Failed);
        QVERIFY2(timesIn(reply.error.text, why.words) == 1, reply.error.text.c_str());
        QVERIFY(reply.error.hint.find(why.words) == std::string::npos);
        QCOMPARE(q(reply.error.code), q(why.code));
        QCOMPARE(reply.attempts.size(), 1u);
        QCOMPARE(reply.spent().total(), std::int64_t(0));
        QCOMPARE(reply.untold(), 0);
        QCOMPARE(reply.usd.value_or(-1), 0.0);
    }

    void pagesAndTextsAreShownInTheirWords_data() { allProtocols(); }
    void pagesAndTextsAreShownInTheirWords()
    {
        CallBench& b = bench(rowsProtocol());
        b.server.play(
            {answer(200,
                 "<!DOCTYPE html><html><head><title>Gateway</title><style>p{color:red}</style></head>"
                 "<body><p>The  backend\n is being <b>upgraded</b>.</p><script>alert(1)</script></body></html>",
                 {"Content-Type: text/html"}),
                answer(200, "No worker is free for this model."),
                answer(403, "<html><body><h1>Blocked by the company's proxy</h1></body></html>")});
        const ModelReply page = b.ask(), text = b.ask(), refused = b.ask();
        QVERIFY2(page.error.text.ends_with("Gateway The backend is being upgraded ."), page.error.text.c_str());
        QVERIFY2(text.error.text.ends_with("No worker is free for this model."), text.error.text.c_str());
        QVERIFY2(refused.error.text.ends_with("Blocked by the company's proxy"), refused.error.text.c_str());
        for (const ModelReply& reply : {page, text, refused}) {
            QCOMPARE(reply.attempts.size(), 1u);
            QCOMPARE(reply.spent().total(), std::int64_t(0));
        }
    }

    void aNoteBeforeTheAnswerIsNoError_data() { allProtocols(); }
    void aNoteBeforeTheAnswerIsNoError()
    {
        std::vector<std::string> events = eventsOf(rowsProtocol(), {});
        events.insert(events.begin(), eventWith(rowsProtocol(), R"({"message":"waiting for a worker"})"));
        CallBench& b = bench(rowsProtocol());
        b.server.play({stream(events)});
        const ModelReply reply = b.ask();
        QCOMPARE(reply.state, ReplyState::Complete);
        QCOMPARE(reply.answers.at(0).text, std::string("Hello there!"));
    }

    void aReplyWithoutAnAnswerIsShownAsItCame_data()
    {
        QTest::addColumn<int>("protocol");
        for (const auto& [protocol, name] : modelProtocols)
            if (protocol != ModelProtocol::OllamaChat) // a line of a stream, which may have been broken off
                QTest::newRow(std::string(name).c_str()) << static_cast<int>(protocol);
    }
    void aReplyWithoutAnAnswerIsShownAsItCame()
    {
        CallBench& b = bench(rowsProtocol());
        for (const std::string body : {R"({"foo":[],"note":"nothing today"})", R"({"code":0,"msg":"ok"})"}) {
            b.server.play({answer(200, body)});
            const ModelReply reply = b.ask();
            QVERIFY2(reply.error.text.ends_with(": " + body), reply.error.text.c_str());
            QCOMPARE(reply.attempts.size(), 1u);
            QCOMPARE(reply.spent().total(), std::int64_t(0));
        }
    }

    void textBehindAReplyCostsNothing_data() { allProtocols(); }
    void textBehindAReplyCostsNothing()
    {
        CallBench& b = bench(rowsProtocol());
        const std::string reply = wholeWith(rowsProtocol(), "Hello there!");
        b.server.play({answer(200, reply + "\n<!-- cached -->"), answer(200, "  " + reply + " }")});
        for (int i = 0; i < 2; ++i) {
            const ModelReply told = b.ask();
            QCOMPARE(q(told.error.text), QString());
            QCOMPARE(told.answers.at(0).text, std::string("Hello there!"));
        }
    }

    void aReplyMayStandInAnother()
    {
        CallBench& b = bench();
        const std::string reply = wholeWith(ModelProtocol::OpenAiChat, "Hello there!");
        b.server.play({answer(200, R"({"code":200,"msg":"ok","data":)" + reply + "}"),
            answer(200, R"({"success":true,"result":)" + reply + "}"),
            // Events one behind another, without the frame of a stream.
            answer(200,
                R"({"choices":[{"index":0,"delta":{"content":"Hello "}}]})"
                R"({"choices":[{"index":0,"delta":{"content":"there!"},"finish_reason":"stop"}]})")});
        for (int i = 0; i < 3; ++i) {
            const ModelReply told = b.ask();
            QCOMPARE(q(told.error.text), QString());
            QCOMPARE(told.answers.at(0).text, std::string("Hello there!"));
        }
    }

    void anAnswerThatEndedByAnErrorIsNotTakenAsWhole_data()
    {
        QTest::addColumn<QString>("word");
        for (const char* word : {"error", "error: out of memory", "network_error", "insufficient_system_resource"})
            QTest::newRow(word) << QString::fromLatin1(word);
    }
    void anAnswerThatEndedByAnErrorIsNotTakenAsWhole()
    {
        QFETCH(QString, word);
        CallBench& b = bench();
        b.server.play({stream({"data: "
            + Json{{"choices",
                       Json::array(
                           {{{"index", 0}, {"delta", {{"content", "half"}}}, {"finish_reason", word.toStdString()}}})}}
                  .dump()
            + "\n\ndata: [DONE]\n\n"})});
        const ModelReply reply = b.ask();
        QCOMPARE(reply.state, ReplyState::Failed);
        QVERIFY2(reply.error.text.find(word.toStdString()) != std::string::npos, reply.error.text.c_str());
    }

    void whatPassesIsTriedAgain_data() { allProtocols(); }
    void whatPassesIsTriedAgain()
    {
        CallBench& b = bench(rowsProtocol());
        b.server.play({stream({eventWith(rowsProtocol(), R"({"code":1305,"msg":"the service is busy, try again"})")}),
            stream({eventWith(rowsProtocol(), R"({"error":{"message":"Rate limit reached","type":"rate_limit"}})")}),
            good(rowsProtocol())});
        const ModelReply reply = b.ask();
        QCOMPARE(reply.state, ReplyState::Complete);
        QCOMPARE(reply.attempts.size(), 3u);
        QCOMPARE(reply.spent().total(), std::int64_t(17)); // of the one that answered
    }

    void brokenCharactersBecomeReplacementsAndCostNothing_data() { allProtocols(); }
    void brokenCharactersBecomeReplacementsAndCostNothing()
    {
        // A pair split over two events, a lone one, and bytes that are no UTF-8, in what the server sends as a piece.
        const std::string bad = "\xef\xbf\xbd";
        Said said;
        said.pieces = {"a@1", "@2b", "c@3d", "e@4f"};
        std::vector<std::string> events = eventsOf(rowsProtocol(), said);
        for (std::string& event : events)
            for (const auto& [mark, broken] : std::vector<std::pair<std::string, std::string>>{
                     {"@1", "\\ud83d"}, {"@2", "\\ude00"}, {"@3", "\\udc00"}, {"@4", "\xf0\x9f"}})
                for (std::size_t at = event.find(mark); at != std::string::npos; at = event.find(mark))
                    event.replace(at, 2, broken);
        CallBench& b = bench(rowsProtocol());
        b.server.play({stream(events)});
        const ModelReply reply = b.ask();
        QCOMPARE(q(reply.error.text), QString());
        QCOMPARE(reply.state, ReplyState::Complete);
        const std::string& text = reply.answers.at(0).text;
        // Responses repeats the whole text, where the pair is whole.
        const std::string pair = rowsProtocol() == ModelProtocol::OpenAiResponses ? "\xf0\x9f\x98\x80" : bad + bad;
        QVERIFY2(text == "a" + pair + "bc" + bad + "de" + bad + "f"
                || text == "a" + pair + "bc" + bad + "de" + bad + bad + "f",
            text.c_str());
        QCOMPARE(reply.usageSource, UsageSource::Reported);
    }

    void utf8SplitOverPortionsIsWhole_data() { allProtocols(); }
    void utf8SplitOverPortionsIsWhole()
    {
        Said said;
        said.pieces = {"Größe → 😀"};
        std::vector<std::string> bytes;
        for (const std::string& event : eventsOf(rowsProtocol(), said))
            for (const char c : event)
                bytes.push_back(std::string(1, c));
        CallBench& b = bench(rowsProtocol());
        b.server.play({stream(bytes)});
        QCOMPARE(b.ask().answers.at(0).text, said.pieces[0]);
    }

    void aNumberThatIsNoneCostsNothing_data() { allProtocols(); }
    void aNumberThatIsNoneCostsNothing()
    {
        std::vector<std::string> events = eventsOf(rowsProtocol(), {});
        const std::vector<std::string> numbers{"NaN", "-Infinity", "Infinity", "1e999", "nan", "None"};
        std::size_t next = 0;
        for (std::string& event : events)
            if (const std::size_t at = event.find('{'); at != std::string::npos)
                event.insert(at + 1, "\"logprob\":" + numbers[next++ % numbers.size()] + ",");
        CallBench& b = bench(rowsProtocol());
        b.server.play({stream(events)});
        const ModelReply reply = b.ask();
        QCOMPARE(reply.state, ReplyState::Complete);
        QCOMPARE(reply.answers.at(0).text, std::string("Hello there!"));
        QCOMPARE(reply.usage.total(), std::int64_t(17));
        QVERIFY(reply.notes.empty());
    }

    void contentMayBeAListOfParts_data() { allProtocols(); }
    void contentMayBeAListOfParts()
    {
        CallBench& b = bench(rowsProtocol());
        const bool isGemini = rowsProtocol() == ModelProtocol::Gemini;
        const Json typed
            = Json::array({{{"type", "text"}, {"text", "Hello "}}, {{"type", "text"}, {"text", "there!"}}});
        const Json bare = Json::array({{{"text", "Hello "}}, {{"text", "there!"}}});
        b.server.play({answer(200, wholeWith(rowsProtocol(), isGemini ? bare : typed)),
            answer(200, wholeWith(rowsProtocol(), bare)), answer(200, wholeWith(rowsProtocol(), "Hello there!"))});
        for (int i = 0; i < 3; ++i) {
            const ModelReply reply = b.ask();
            QCOMPARE(q(reply.error.text), QString());
            QCOMPARE(reply.answers.at(0).text, std::string("Hello there!"));
        }
    }

    void listsWithinListsEndSomewhere()
    {
        CallBench& b = bench();
        const auto nested = [](std::size_t depth) {
            return answer(200,
                "{\"choices\":[{\"index\":0,\"finish_reason\":\"stop\",\"message\":{\"content\":"
                    + std::string(depth, '[') + "\"x\"" + std::string(depth, ']') + "}}]}");
        };
        b.server.play({nested(400), nested(20'000)});
        QCOMPARE(b.ask().error.code, std::string("llm/empty"));
        QCOMPARE(b.ask().error.code, std::string("llm/not-a-reply"));
    }

    void partsOfThoughtAreNoPartOfTheAnswer()
    {
        // Mistral: https://docs.mistral.ai/capabilities/reasoning
        CallBench& b = bench();
        b.server.play({answer(200,
            wholeWith(chatProtocol,
                Json::array({{{"type", "thinking"}, {"thinking", Json::array({{{"type", "text"}, {"text", "hm"}}})}},
                    {{"type", "text"}, {"text", "answer"}}})))});
        const ModelReply reply = b.ask();
        QCOMPARE(reply.answers.at(0).text, std::string("answer"));
        QCOMPARE(reply.answers.at(0).reasoning, std::string("hm"));
    }

    void anEditInTheArgumentsOfACallIsRead_data() { allProtocols(); }
    void anEditInTheArgumentsOfACallIsRead()
    {
        const std::string patch = "*** Begin Patch\n*** Update File: k.cpp\n@@\n-a\n+b\n*** End Patch\n";
        CallBench& b = bench(rowsProtocol());
        b.server.play({answer(200, callWith(rowsProtocol(), {{"input", patch}})),
            answer(
                200, callWith(rowsProtocol(), {{"path", "k.cpp"}, {"old_string", "int a;"}, {"new_string", "int b;"}})),
            answer(200, callWith(rowsProtocol(), {{"path", "k.cpp"}, {"line", 7}}))});
        QCOMPARE(q(b.ask().answers.at(0).text), q(patch));
        QCOMPARE(q(b.ask().answers.at(0).text), q("<<<<<<< SEARCH\nint a;\n=======\nint b;\n>>>>>>> REPLACE\n"));
        const ModelReply reply = b.ask();
        QCOMPARE(reply.error.code, std::string("llm/tool-call"));
        QVERIFY2(reply.error.text.find("'edit_file'") != std::string::npos, reply.error.text.c_str());
        QCOMPARE(reply.attempts.size(), 1u);
    }

    void aCallThatComesInPiecesIsPutTogether()
    {
        const auto chunk = [](const Json& call, const Json& finish = nullptr) {
            return "data: "
                + Json{{"choices",
                           Json::array({{{"index", 0}, {"delta", {{"tool_calls", Json::array({call})}}},
                               {"finish_reason", finish}}})}}
                      .dump()
                + "\n\n";
        };
        CallBench& chat = bench();
        chat.server.play({stream({chunk({{"index", 0}, {"function", {{"name", "edit"}, {"arguments", ""}}}}),
            chunk({{"index", 0}, {"function", {{"arguments", "{\"patch\":\"@@\\n-a"}}}}),
            chunk({{"index", 0}, {"function", {{"arguments", "\\n+b\\n\"}"}}}}, "tool_calls"), "data: [DONE]\n\n"})});
        QCOMPARE(q(chat.ask().answers.at(0).text), q("@@\n-a\n+b\n"));
        const auto event = [](const Json& json) { return "data: " + json.dump() + "\n\n"; };
        CallBench& anthropic = bench(ModelProtocol::Anthropic);
        anthropic.server.play({stream({event({{"type", "message_start"}, {"message", {{"model", "m"}}}}),
            event({{"type", "content_block_start"}, {"index", 0},
                {"content_block", {{"type", "tool_use"}, {"name", "edit"}, {"input", Json::object()}}}}),
            event({{"type", "content_block_delta"}, {"index", 0},
                {"delta", {{"type", "input_json_delta"}, {"partial_json", "{\"diff\":\"@@\\n-a"}}}}),
            event({{"type", "content_block_delta"}, {"index", 0},
                {"delta", {{"type", "input_json_delta"}, {"partial_json", "\\n+b\\n\"}"}}}}),
            event({{"type", "message_delta"}, {"delta", {{"stop_reason", "tool_use"}}}}),
            event({{"type", "message_stop"}})})});
        QCOMPARE(q(anthropic.ask().answers.at(0).text), q("@@\n-a\n+b\n"));
        CallBench& written = bench();
        written.server.play({answer(200,
            wholeWith(chatProtocol,
                "<tool_call>\n{\"name\": \"edit\", \"arguments\": {\"patch\": \"@@\\n-a\\n+b\\n\"}}\n</tool_call>"))});
        QCOMPARE(q(written.ask().answers.at(0).text), q("@@\n-a\n+b\n"));
    }

    void anAnswerInTheReasoningFieldIsReadWhereAMarkPartsItAndElseNamed()
    {
        const auto withReasoning = [](const std::string& reasoning) {
            return answer(200,
                Json{{"choices",
                         Json::array(
                             {{{"index", 0}, {"message", {{"content", nullptr}, {"reasoning_content", reasoning}}},
                                 {"finish_reason", "stop"}}})}}
                    .dump());
        };
        CallBench& b = bench();
        b.server.play({withReasoning("hm\n</think>\n\n```diff\n@@\n-a\n+b\n```\n"),
            withReasoning("hm, perhaps\n```diff\n@@\n-a\n+c\n```\nno:\n```diff\n@@\n-a\n+b\n```\n")});
        const ModelReply parted = b.ask(), mixed = b.ask();
        QCOMPARE(q(parted.answers.at(0).text), q("```diff\n@@\n-a\n+b\n```\n"));
        QCOMPARE(q(parted.answers.at(0).reasoning), q("hm"));
        QCOMPARE(mixed.state, ReplyState::Failed);
        QVERIFY2(mixed.error.text.find("the reasoning field") != std::string::npos, mixed.error.text.c_str());
        QVERIFY(mixed.error.hint.find("reasoning parser") != std::string::npos);
    }

    void leadingThoughtsInEveryMarkArePutAside_data() { allProtocols(); }
    void leadingThoughtsInEveryMarkArePutAside()
    {
        CallBench& b = bench(rowsProtocol());
        std::vector<Script> scripts;
        const std::vector<std::string> thoughts{"[THINK]hm[/THINK]", "<thought>hm</thought>", "◁think▷hm◁/think▷",
            "<seed:think>hm</seed:think>", "<|START_THINKING|>hm<|END_THINKING|>"};
        for (const std::string& thought : thoughts) {
            Said said;
            said.pieces = {thought + "\nint x;"};
            scripts.push_back(stream(eventsOf(rowsProtocol(), said)));
        }
        b.server.play(scripts);
        for (const std::string& thought : thoughts) {
            const ModelReply reply = b.ask();
            QVERIFY2(reply.answers.at(0).text == "int x;", thought.c_str());
            QCOMPARE(reply.answers.at(0).reasoning, std::string("hm"));
        }
    }

    void mendedTextIsJson_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("json");
        const auto row
            = [](const char* text, const char* json) { QTest::newRow(text) << QByteArray(text) << QByteArray(json); };
        row("{\"a\": NaN, \"b\": [-Infinity, 1e999]}", "{\"a\":null,\"b\":[null,null]}");
        row("{\"a\": True, \"b\": None, \"c\": -1.5e3}", "{\"a\":true,\"b\":null,\"c\":-1500.0}");
        row("{\"a\": \"NaN \\\" True\"}", "{\"a\":\"NaN \\\" True\"}");
        row("{\"a\": \"x\ny\"}", "{\"a\":\"x\\ny\"}");
        row("{\"a\": \"\\ud83d\\ude00 \\ud83d x \\ude00\"}",
            "{\"a\":\"\xf0\x9f\x98\x80 \xef\xbf\xbd x \xef\xbf\xbd\"}");
        row("{\"a\": \"\\d\"}", "{\"a\":\"\\\\d\"}");
    }
    void mendedTextIsJson()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, json);
        QCOMPARE(q(parsedOrDiscarded(text.toStdString()).dump()), q(json.toStdString()));
        QVERIFY(!Json::parse(mendedJson(text.toStdString()), nullptr, false).is_discarded());
    }
};

TILEWRIGHT_TEST(TestLlmServers)
#include "test_llm_servers.moc"
