// SPDX-License-Identifier: GPL-3.0-or-later
// What becomes of a call: what is not tried again, what is left out, cancelled, gated, kept secret, and what is on
// record when the program ends. After each test the key is looked for in all that was recorded and logged.
// moc 6.4 stumbles over g++ 12's <concepts>, which these lead to; it needs none of it.
#ifndef Q_MOC_RUN
#include "core/llm/model_directory.h"
#include "tests/llm/call_test.h"
#endif

#include "tests/test_program.h"

#include <QTest>

using namespace tilewright;
using namespace tilewright::testing;
using namespace std::chrono_literals;

class TestLlmCalls : public CallTest
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { catchLog(); }
    void cleanup() { lookForTheKey(); }

    void fault22and23_whatCannotGetBetterIsNotTriedAgain_data()
    {
        QTest::addColumn<int>("protocol");
        QTest::addColumn<int>("status");
        QTest::addColumn<QByteArray>("body");
        QTest::addColumn<QString>("code");
        const auto row = [](ModelProtocol protocol, const std::string& name, int status, const std::string& body,
                             const char* expected) {
            QTest::newRow((std::string(nameIn(modelProtocols, protocol)) + ", " + name).c_str()) << static_cast<int>(
                protocol) << status << QByteArray::fromStdString(body) << QString::fromLatin1(expected);
        };
        for (const auto which : {ModelProtocol::OpenAiChat, ModelProtocol::OpenAiResponses})
            row(which, "quota", 429,
                R"({"error":{"message":"You exceeded your current quota","code":"insufficient_quota"}})", "llm/quota");
        row(ModelProtocol::Anthropic, "spend cap", 429,
            R"({"type":"error","error":{"type":"rate_limit_error","message":"cap","details":{"error_code":"enforced_spend_limit_reached"}}})",
            "llm/quota");
        row(ModelProtocol::Anthropic, "credit", 400,
            errorBody(ModelProtocol::Anthropic, 400, "invalid_request_error", "Your credit balance is too low"),
            "llm/quota");
        // https://ai.google.dev/gemini-api/docs/rate-limits; the shape of QuotaFailure: google/rpc/error_details.proto
        row(ModelProtocol::Gemini, "daily quota", 429,
            R"({"error":{"code":429,"message":"You exceeded your current quota","status":"RESOURCE_EXHAUSTED","details":[{"@type":"type.googleapis.com/google.rpc.QuotaFailure","violations":[{"quotaId":"GenerateRequestsPerDayPerProjectPerModel-FreeTier"}]},{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"34s"}]}})",
            "llm/quota");
        for (const auto& [which, name] : modelProtocols) {
            const auto status
                = [&row, which = which](int number, const char* type, const char* words, const char* expected) {
                      row(which, std::to_string(number), number, errorBody(which, number, type, words), expected);
                  };
            status(
                401, "authentication_error", "Incorrect API key provided: sk-canary-7f3a9b2c4d5e6f708192", "llm/auth");
            status(402, "billing_error", "no credits", "llm/quota");
            status(403, "permission_error", "not yours", "llm/auth");
            status(404, "not_found_error", "no such model", "llm/not-found");
            status(413, "request_too_large", "too large", "llm/too-large");
            status(422, "invalid_request_error", "unprocessable", "llm/bad-request");
            status(400, "invalid_request_error", "no", "llm/bad-request");
        }
    }

    void fault22and23_whatCannotGetBetterIsNotTriedAgain()
    {
        QFETCH(int, status);
        QFETCH(QByteArray, body);
        QFETCH(QString, code);
        CallBench& b = bench(rowsProtocol());
        b.server.play({answer(status, body.toStdString())});
        const ModelReply reply = b.ask();
        QCOMPARE(QString::fromStdString(reply.error.code), code);
        QCOMPARE(word(reply), QStringLiteral("failed"));
        QCOMPARE(b.server.seen().size(), 1u);
        QVERIFY(!reply.error.text.empty());
    }

    void aServersWordsAreShownInOneLineWithoutWhatATerminalObeys()
    {
        const std::string nasty = "bad \x1b[2J thing\r\n\nline two\x07 " + std::string(5'000, 'x') + canary;
        const std::string body = nlohmann::json{{"error", {{"message", nasty}}}}.dump();
        CallBench& b = bench();
        b.server.play({answer(503, body), answer(400, body), answer(200, body),
            stream({"event: error\ndata: " + nlohmann::json(nasty).dump() + "\n\n"}),
            stream({"data: "
                + nlohmann::json{{"model", nasty},
                    {"choices",
                        nlohmann::json::array(
                            {{{"index", 0}, {"delta", {{"refusal", nasty}}}, {"finish_reason", nasty}}})}}
                      .dump()
                + "\n\n"})});
        std::vector<std::string> shown;
        QObject::connect(&b.client(), &ModelClient::pausing, &b.client(),
            [&](const ModelPause& pause) { shown.push_back(pause.text); });
        for (int i = 0; i < 4; ++i) {
            const ModelReply reply = b.ask();
            shown.insert(shown.end(), {reply.error.text, reply.servedBy});
            for (const ModelAttempt& attempt : reply.attempts)
                shown.push_back(attempt.error.text);
            for (const Answer& each : reply.answers)
                shown.push_back(each.finishWord);
        }
        QVERIFY(shown.size() > 8);
        for (const std::string& text : shown) {
            QVERIFY(text.size() <= 310);
            QVERIFY2(std::ranges::none_of(text, [](char c) { return (c >= 0 && c < ' ') || c == 0x7f; }), text.c_str());
        }
        QVERIFY(shown.front().find("bad [2J thing line two xxx") != std::string::npos);
    }

    void anAnnouncedPauseHoldsWhateverOtherAnswersCome()
    {
        CallBench& b = bench();
        b.server.setHandler([&](const SeenRequest& seen) {
            if (seen.ordinal == 1)
                return Script{hold(), send(answer(429, "{}", {"Retry-After: 60"}).front().bytes)};
            Script late = good();
            late.insert(late.begin(), hold());
            return seen.ordinal == 2 ? late : good();
        });
        const ModelCallId first = b.submit();
        QVERIFY(CallBench::until([&] { return b.server.holding() == 1; }));
        const ModelCallId second = b.submit();
        QVERIFY(CallBench::until([&] { return b.server.holding() == 2; }));
        b.server.release();
        QVERIFY(CallBench::until([&] { return b.isFinished(second) && b.clock.isSet(WakeReason::Retry); }));
        const ModelCallId third = b.submit();
        CallBench::settle();
        QCOMPARE(b.server.seen().size(), 2u);
        b.clock.advance(std::chrono::seconds(59));
        CallBench::settle();
        QCOMPARE(b.server.seen().size(), 2u);
        b.clock.advance(std::chrono::seconds(2));
        QVERIFY(CallBench::until([&] { return b.isFinished(first) && b.isFinished(third); }));
    }

    void fault25_aPromptLongerThanTheContextIsNotTriedAgain_data() { allProtocols(); }
    void fault25_aPromptLongerThanTheContextIsNotTriedAgain()
    {
        const ModelProtocol which = rowsProtocol();
        const ContextRefusal refusal = contextRefusal(which);
        CallBench& b = bench(which);
        b.server.play({answer(400, errorBody(which, 400, refusal.type, refusal.message)),
            stream({errorEvent(which, refusal.type, refusal.message)}), good(which)});
        for (std::size_t i = 1; i <= 2; ++i) { // by its status, and as the first event of a stream that began well
            const ModelReply reply = b.ask();
            QCOMPARE(QString::fromStdString(reply.error.code), QStringLiteral("llm/context-length"));
            QCOMPARE(word(reply), QStringLiteral("failed"));
            QCOMPARE(b.server.seen().size(), i);
            QVERIFY(reply.error.hint.find("shorten it") != std::string::npos);
        }
    }

    void fault24_aRefusedParameterIsLeftOutOnceAndRemembered_data() { allProtocols(); }
    void fault24_aRefusedParameterIsLeftOutOnceAndRemembered()
    {
        const ModelProtocol which = rowsProtocol();
        CallBench& b = bench(which);
        b.server.setHandler([which](const SeenRequest& request) {
            if (request.body.find("\"temperature\"") != std::string::npos)
                return answer(400, parameterRefusal(which));
            return good(which);
        });
        ModelReply reply = b.ask();
        QCOMPARE(word(reply), QStringLiteral("complete"));
        QCOMPARE(reply.attempts.size(), 2u);
        QCOMPARE(b.pauses(reply)[0], 0ms);
        QVERIFY(reply.notes.at(0).find("'temperature'") != std::string::npos);
        QVERIFY(reply.refusedParameter.find("temperature") != std::string::npos);
        QVERIFY(!b.client().capabilitiesOf("m").temperature);
        reply = b.ask();
        QCOMPARE(reply.attempts.size(), 1u);
        QCOMPARE(b.server.seen().size(), 3u);
    }

    void fault24_aLimitsOtherNameIsTriedOnce()
    {
        CallBench& b = bench();
        b.server.setHandler([](const SeenRequest& request) {
            const char* name = request.json.contains("max_tokens") ? "max_tokens" : "max_completion_tokens";
            return answer(
                400, nlohmann::json{{"error", {{"message", "Unsupported parameter"}, {"param", name}}}}.dump());
        });
        const ModelReply reply = b.ask();
        QCOMPARE(code(reply), QStringLiteral("llm/unsupported-parameter"));
        QCOMPARE(reply.attempts.size(), 2u);
    }

    void fault40_cancelWorksAtEveryPoint_data()
    {
        QTest::addColumn<int>("protocol");
        QTest::addColumn<QString>("when");
        for (const auto& [protocol, name] : modelProtocols)
            for (const char* when : {"at once", "before the headers", "inside the text", "while it pauses", "twice"})
                QTest::newRow((std::string(name) + ", " + when).c_str())
                    << static_cast<int>(protocol) << QString::fromLatin1(when);
    }

    void fault40_cancelWorksAtEveryPoint()
    {
        QFETCH(QString, when);
        const ModelProtocol which = rowsProtocol();
        CallBench& b = bench(which);
        const bool pausing = when == QLatin1String("while it pauses"), text = when == QLatin1String("inside the text");
        b.server.play({pausing ? answer(503, "{}") : text ? begun(which, {hold()}) : Script{hold()}});
        const ModelCallId id = b.submit();
        if (pausing)
            QVERIFY(CallBench::until([&] { return b.clock.isSet(WakeReason::Retry); }));
        else if (when != QLatin1String("at once"))
            QVERIFY(stalled(b, text ? begunBytes(which) : 0));
        b.client().cancel(id);
        QVERIFY2(!b.isFinished(id), "the answer came before cancel() returned");
        b.client().cancel(id);
        const ModelReply reply = b.finish(id);
        QCOMPARE(word(reply), QStringLiteral("cancelled"));
        QCOMPARE(code(reply), QStringLiteral("llm/cancelled"));
        QCOMPARE(reply.usage.written() > 0, text);
        QCOMPARE(b.raws.size(), text ? 1u : 0u); // paid for, so it is handed over
        QCOMPARE(b.client().open(), 0);
        CallBench::settle();
        QCOMPARE(b.clock.alarms(), 0u);
        b.client().cancel(id);
    }

    void anAbandonedCallTellsWhatIsKnownAndNothingAfterwards_data() { fault40_cancelWorksAtEveryPoint_data(); }

    void anAbandonedCallTellsWhatIsKnownAndNothingAfterwards()
    {
        QFETCH(QString, when);
        const ModelProtocol which = rowsProtocol();
        CallBench& b = bench(which);
        const bool pausing = when == QLatin1String("while it pauses"), text = when == QLatin1String("inside the text");
        b.server.play({pausing ? answer(503, "{}") : text ? begun(which, {hold()}) : Script{hold()}});
        const ModelCallId id = b.submit();
        if (pausing)
            QVERIFY(CallBench::until([&] { return b.clock.isSet(WakeReason::Retry); }));
        else if (when != QLatin1String("at once"))
            QVERIFY(stalled(b, text ? begunBytes(which) : 0));
        if (when == QLatin1String("twice"))
            b.client().cancel(id);
        const std::vector<ModelReply> replies = b.client().abandonAll();
        QCOMPARE(replies.size(), std::size_t(1));
        QCOMPARE(replies[0].id, id);
        QCOMPARE(word(replies[0]), QStringLiteral("cancelled"));
        QCOMPARE(replies[0].usage.written() > 0, text);
        QCOMPARE(b.client().open(), 0);
        QVERIFY(b.client().abandonAll().empty());
        CallBench::settle();
        QVERIFY(!b.isFinished(id));
        QCOMPARE(b.clock.alarms(), 0u);
    }

    void fault40_cancellingAndDeletingInsideASlotIsSafe_data() { allProtocols(); }
    void fault40_cancellingAndDeletingInsideASlotIsSafe()
    {
        const ModelProtocol which = rowsProtocol();
        CallBench& b = bench(which);
        b.server.play({begun(which, {hold()})});
        const ModelCallId id = b.submit();
        connect(&b.client(), &ModelClient::progressed, this, [&b, id] { b.client().cancel(id); });
        QCOMPARE(word(b.finish(id)), QStringLiteral("cancelled"));

        CallBench& again = bench(which);
        again.server.play({good(which)});
        bool gone = false;
        connect(&again.client(), &ModelClient::finished, this, [&] {
            QMetaObject::invokeMethod(
                qApp,
                [&] {
                    again.destroyClient();
                    gone = true;
                },
                Qt::QueuedConnection);
        });
        again.submit();
        QVERIFY(CallBench::until([&] { return gone; }));
        CallBench::settle();
        QCOMPARE(again.clock.alarms(), 0u);
    }

    void fault40_destroyingTheClientEndsItsCallsSilently_data() { allProtocols(); }
    void fault40_destroyingTheClientEndsItsCallsSilently()
    {
        const ModelProtocol which = rowsProtocol();
        CallBench& b = bench(which);
        b.server.play({begun(which, {hold()}), {hold()}, answer(503, "{}")});
        for (int i = 0; i < 3; ++i)
            b.submit();
        QVERIFY(CallBench::until([&] { return b.server.holding() == 2 && b.clock.isSet(WakeReason::Retry); }));
        b.destroyClient();
        CallBench::settle();
        QVERIFY(!b.isFinished(ModelCallId{1}) && !b.isFinished(ModelCallId{2}) && !b.isFinished(ModelCallId{3}));
        QCOMPARE(b.clock.alarms(), 0u);
        QVERIFY(CallBench::until([&] { return b.server.holding() == 0; })); // the sockets are closed
    }

    void fault42_aKeyThatNoHeaderCanCarryIsNotSent_data()
    {
        QTest::addColumn<int>("protocol");
        QTest::addColumn<QByteArray>("key");
        QTest::addColumn<QString>("code");
        const QByteArray plain = QByteArray::fromStdString(canary);
        const auto row = [](const char* name, const QByteArray& key, const char* code) {
            for (const auto& [protocol, of] : modelProtocols)
                QTest::newRow((std::string(of) + ", " + name).c_str())
                    << static_cast<int>(protocol) << key << QString::fromLatin1(code);
        };
        row("line break inside", plain + "\r\nX-Evil: 1", "llm/key-malformed");
        row("not ASCII", plain + "\xc3\xa9", "llm/key-malformed");
        row("blank inside", "Bearer " + plain, "llm/key-malformed");
        row("empty", QByteArray(" \n"), "llm/key-missing");
        row("line end from a file", plain + "\n", "");
    }

    void fault42_aKeyThatNoHeaderCanCarryIsNotSent()
    {
        QFETCH(QByteArray, key);
        QFETCH(QString, code);
        const ModelProtocol which = rowsProtocol();
        CallBench& b = bench(which);
        b.keys.keepInMemory("canary", key.toStdString());
        b.server.play({good(which)});
        const ModelReply reply = b.ask();
        QCOMPARE(QString::fromStdString(reply.error.code), code);
        QCOMPARE(b.server.seen().size(), code.isEmpty() ? 1u : 0u);
        if (!code.isEmpty())
            return;
        const SeenRequest& seen = b.server.seen()[0];
        if (which == ModelProtocol::Gemini || which == ModelProtocol::Anthropic)
            QCOMPARE(seen.header(which == ModelProtocol::Gemini ? "x-goog-api-key" : "x-api-key"), canary);
        else
            QCOMPARE(seen.header("authorization"), "Bearer " + canary);
    }

    void fault42_aKeyThatTheServerSendsBackIsBlottedOut_data() { allProtocols(); }

    void fault42_aKeyThatTheServerSendsBackIsBlottedOut()
    {
        QFETCH(int, protocol);
        const auto which = static_cast<ModelProtocol>(protocol);
        CallBench& b = bench(which);
        Said said;
        said.pieces = {"Your key is ", canary, "."};
        said.reasoning = "It sent " + canary;
        b.server.play({answer(401, errorBody(which, 401, "authentication_error", "Incorrect key: " + canary),
                           {"x-request-id: " + canary}),
            stream(eventsOf(which, said)), answer(200, "<html>" + canary + "</html>")});
        ModelReply reply = b.ask();
        QVERIFY(reply.error.text.find("[key]") != std::string::npos);
        reply = b.ask();
        QCOMPARE(reply.answers.at(0).text, std::string("Your key is [key]."));
        reply = b.ask();
        QVERIFY(reply.error.text.find("[key]") != std::string::npos);
        QCOMPARE(b.raws.size(), 2u); // cleanup() looks for it in all that was recorded
    }

    void withoutAKeyNoHeaderIsSent()
    {
        CallBench& b = bench(chatProtocol, [](ModelEndpoint& endpoint, ModelSpec&) { endpoint.key.clear(); });
        b.server.play({good()});
        QCOMPARE(word(b.ask()), QStringLiteral("complete"));
        QVERIFY(!b.server.seen()[0].headers.contains("authorization"));
    }

    void aKeyThatIsNotThereIsSaidToBeMissing()
    {
        qunsetenv("TILEWRIGHT_TEST_NO_SUCH_KEY");
        CallBench& b = bench(chatProtocol,
            [](ModelEndpoint& endpoint, ModelSpec&) { endpoint.key = "env:TILEWRIGHT_TEST_NO_SUCH_KEY"; });
        QCOMPARE(code(b.ask()), QStringLiteral("llm/key-missing"));
        QCOMPARE(b.server.connections(), 0);
        qputenv("TILEWRIGHT_TEST_NO_SUCH_KEY", "from-the-environment");
        b.server.play({good()});
        QCOMPARE(word(b.ask()), QStringLiteral("complete"));
        QCOMPARE(b.server.seen()[0].header("authorization"), std::string("Bearer from-the-environment"));
        qunsetenv("TILEWRIGHT_TEST_NO_SUCH_KEY");
    }

    void withoutAKeychainTheErrorSaysWhatElseThereIs()
    {
        const QByteArray before = qgetenv("DBUS_SESSION_BUS_ADDRESS");
        qputenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent/bus"); // no dialogue on the tester's desktop
        CallBench& b
            = bench(chatProtocol, [](ModelEndpoint& endpoint, ModelSpec&) { endpoint.key = "keychain:canary"; });
        const ModelReply reply = b.ask();
        QCOMPARE(code(reply), QStringLiteral("llm/keychain"));
        QVERIFY(reply.error.hint.find("environment") != std::string::npos);
        QCOMPARE(b.server.connections(), 0);
        qputenv("DBUS_SESSION_BUS_ADDRESS", before);
    }

    void fault45_modelsAreListedPageByPage_data()
    {
        QTest::addColumn<int>("protocol");
        QTest::addColumn<QByteArray>("first");
        QTest::addColumn<QByteArray>("second");
        // Sources: https://platform.openai.com/docs/api-reference/models/list; anthropic-sdk-python
        // src/anthropic/types/model_info.py; https://ai.google.dev/api/models; ollama docs/api.md, "List Local Models".
        for (const auto which : {ModelProtocol::OpenAiChat, ModelProtocol::OpenAiResponses})
            QTest::newRow(std::string(nameIn(modelProtocols, which)).c_str())
                << static_cast<int>(which)
                << QByteArray(R"({"object":"list","data":[{"id":"a"},{"id":"b","max_model_len":4096}]})")
                << QByteArray();
        QTest::newRow("anthropic")
            << static_cast<int>(ModelProtocol::Anthropic)
            << QByteArray(R"({"data":[{"id":"a","display_name":"A"}],"has_more":true,"last_id":"a"})")
            << QByteArray(R"({"data":[{"id":"b","max_input_tokens":4096}],"has_more":false,"last_id":"b"})");
        QTest::newRow("gemini") << static_cast<int>(ModelProtocol::Gemini)
                                << QByteArray(R"({"models":[{"name":"models/a"}],"nextPageToken":"t/2"})")
                                << QByteArray(R"({"models":[{"name":"models/b","inputTokenLimit":4096}]})");
        QTest::newRow("ollama-chat") << static_cast<int>(ModelProtocol::OllamaChat)
                                     << QByteArray(R"({"models":[{"name":"a"},{"name":"b","context_length":4096}]})")
                                     << QByteArray();
    }

    void fault45_modelsAreListedPageByPage()
    {
        QFETCH(int, protocol);
        QFETCH(QByteArray, first);
        QFETCH(QByteArray, second);
        CallBench& b = bench(static_cast<ModelProtocol>(protocol));
        b.server.play({answer(200, first.toStdString()), answer(200, second.toStdString())});
        ModelDirectory directory(b.clock, b.keys);
        std::optional<Result<std::vector<ListedModel>>> found;
        directory.list(b.client().models().endpoints.front(), [&found](auto listed) { found = std::move(listed); });
        QVERIFY(CallBench::until([&found] { return found.has_value(); }));
        QVERIFY(found->has_value());
        QCOMPARE((*found)->size(), 2u);
        QCOMPARE((*found)->at(0).id, std::string("a"));
        QCOMPARE((*found)->at(1).contextTokens, 4096);
        QCOMPARE(b.server.seen().size(), second.isEmpty() ? 1u : 2u);
        QCOMPARE(b.server.seen()[0].method, std::string("GET"));
        if (protocol == static_cast<int>(ModelProtocol::Gemini))
            QVERIFY(b.server.seen()[1].target.find("pageToken=t%2F2") != std::string::npos);
    }

    void fault45_aListThatIsEmptyMissingOrNonsenseIsTold_data() { allProtocols(); }
    void fault45_aListThatIsEmptyMissingOrNonsenseIsTold()
    {
        const ModelProtocol which = rowsProtocol();
        const bool named = which == ModelProtocol::Gemini || which == ModelProtocol::OllamaChat;
        CallBench& b = bench(which);
        b.server.play({answer(200, named ? R"({"models":[]})" : R"({"data":[]})"), answer(404, "no"),
            answer(200, "<html>"), answer(401, "{\"error\":{\"message\":\"bad key " + canary + "\"}}")});
        ModelDirectory directory(b.clock, b.keys);
        QStringList codes;
        for (int i = 0; i < 4; ++i) {
            bool there = false;
            directory.list(b.client().models().endpoints.front(), [&](const auto& listed) {
                there = true;
                codes << (listed ? QStringLiteral("%1 models").arg(listed->size())
                                 : QString::fromStdString(listed.error().code));
                if (!listed)
                    QVERIFY(dumped(listed.error().evidence).find(canary) == std::string::npos
                        && listed.error().text.find(canary) == std::string::npos);
            });
            QVERIFY(CallBench::until([&there] { return there; }));
        }
        QCOMPARE(codes,
            QStringList({QStringLiteral("0 models"), QStringLiteral("llm/no-list"), QStringLiteral("llm/not-a-reply"),
                QStringLiteral("llm/auth")}));
    }

    void aProbeTellsLatencyTokensCostAndWhatWasRefused()
    {
        CallBench& b = bench(chatProtocol, [](ModelEndpoint&, ModelSpec& spec) {
            spec.price = TokenPrice{1, 2, std::nullopt, std::nullopt, "2026-11-21", ""};
        });
        b.server.setHandler([](const SeenRequest& request) {
            if (request.json.contains("temperature"))
                return answer(400, R"({"error":{"message":"'temperature' is not supported","param":"temperature"}})");
            return answer(200, wholeOf(chatProtocol, {}), {"x-ratelimit-limit-requests: 60"});
        });
        const ProbeReport report = probeReport(b.ask(probeRequest("m")));
        QVERIFY(report.works);
        QCOMPARE(report.usage.total(), 17);
        QCOMPARE(report.usd.value(), (11.0 + 12.0) * 1e-6);
        QCOMPARE(report.limits.at("requests").limit, 60);
        QVERIFY(report.notes.at(0).find("temperature") != std::string::npos);
        QVERIFY(report.firstByte.count() >= 0);
    }

    void fault47_aChangedDateDoesNotLengthenAPause_data() { allProtocols(); }
    void fault47_aChangedDateDoesNotLengthenAPause()
    {
        const ModelProtocol which = rowsProtocol();
        CallBench& b = bench(which);
        b.server.play({answer(503, "{}"), good(which)});
        const ModelCallId id = b.submit();
        QVERIFY(CallBench::until([&] { return b.clock.isSet(WakeReason::Retry); }));
        b.clock.setDateForward(-24h);
        const auto pause = b.clock.delayOf(WakeReason::Retry);
        b.clock.advance(pause);
        const ModelReply reply = b.finish(id);
        QCOMPARE(word(reply), QStringLiteral("complete"));
        QCOMPARE(reply.attempts[1].pausedBefore, pause);
    }

    void fault48_whatWasRecordedWhenTheProgramEndsIsWholeAndSaysWhatWasUnderWay_data() { allProtocols(); }
    void fault48_whatWasRecordedWhenTheProgramEndsIsWholeAndSaysWhatWasUnderWay()
    {
        const ModelProtocol which = rowsProtocol();
        CallBench& b = bench(which);
        b.server.play({good(which), begun(which, {hold()})});
        b.ask();
        b.submit();
        QVERIFY(stalled(b, begunBytes(which)));
        b.destroyClient();
        std::set<std::int64_t> asked, answered;
        std::istringstream lines(b.recorded());
        for (std::string line; std::getline(lines, line);) {
            const nlohmann::json json = parsedOrDiscarded(line);
            QVERIFY(!json.is_discarded());
            if (json.contains("request")) {
                QVERIFY(chatRequestFromJson(json["request"]).has_value());
                asked.insert(json["id"].get<std::int64_t>());
            } else if (json.contains("state")) {
                QVERIFY(modelReplyFromJson(json).has_value());
                answered.insert(json["id"].get<std::int64_t>());
            }
        }
        QVERIFY((asked == std::set<std::int64_t>{1, 2}) && (answered == std::set<std::int64_t>{1}));
    }

    void theGateIsAskedBeforeEveryAttempt()
    {
        CallBench& b = bench();
        b.server.play({answer(503, "{}")});
        int asked = 0;
        b.client().setGate([&asked](const ChatRequest&, const WorstCase& worst) -> Result<void> {
            if (worst.inputTokens < 10 || worst.outputTokens != 16384 || worst.usd)
                return fail("test/worst", "the worst case is wrong");
            if (++asked == 3)
                return fail("llm/budget", "used up");
            return {};
        });
        const ModelReply reply = b.ask();
        QCOMPARE(code(reply), QStringLiteral("llm/budget"));
        QCOMPARE(b.server.seen().size(), 2u);
    }

    void aModelNobodyKnowsAndAnAddressNobodyMayUseAreToldAtOnce()
    {
        CallBench& b
            = bench(chatProtocol, [](ModelEndpoint& endpoint, ModelSpec&) { endpoint.url = "http://203.0.113.1"; });
        QCOMPARE(code(b.ask()), QStringLiteral("llm/plain-http"));
        ChatRequest request = CallBench::question();
        request.model = "other";
        QCOMPARE(code(b.ask(request)), QStringLiteral("llm/unknown-model"));
    }
};

TILEWRIGHT_TEST(TestLlmCalls)
#include "test_llm_calls.moc"
