// SPDX-License-Identifier: GPL-3.0-or-later
// What connections, clocks, redirects, proxies and certificates do to a call. Each test says what the client reports,
// how often it tried, after which pauses and what was recorded; after each one the key is looked for in all of it.
// moc 6.4 stumbles over g++ 12's <concepts>, which these lead to; it needs none of it.
#ifndef Q_MOC_RUN
#include "tests/llm/call_test.h"
#endif

#include "tests/test_program.h"

#include <QTest>

using namespace tilewright;
using namespace tilewright::testing;
using namespace std::chrono_literals;

class TestLlmConnections : public CallTest
{
    Q_OBJECT

    std::unique_ptr<TestCertificates> m_certificates;

private Q_SLOTS:
    void initTestCase()
    {
        catchLog();
        m_certificates = std::make_unique<TestCertificates>();
        QVERIFY2(m_certificates->problem.empty(), m_certificates->problem.c_str());
    }
    void cleanup() { lookForTheKey(); }

    void fault13_aConnectionThatClosesInsideAChunkLeavesAnIncompleteReply_data() { allProtocols(); }
    void fault13_aConnectionThatClosesInsideAChunkLeavesAnIncompleteReply()
    {
        const ModelProtocol which = rowsProtocol();
        CallBench& b = bench(which);
        std::string events;
        for (const std::string& event : withoutEnding(which, eventsOf(which, {})))
            events += event;
        b.server.play({{send(head(200, {"Content-Type: text/event-stream", "Transfer-Encoding: chunked"})),
            send("fff\r\n" + events), close()}});
        const ModelReply reply = b.ask();
        QCOMPARE(word(reply), QStringLiteral("incomplete"));
        QCOMPARE(code(reply), QStringLiteral("llm/incomplete"));
        QCOMPARE(reply.attempts.size(), 1u);
        QCOMPARE(b.server.seen().size(), 1u);
    }

    void fault14_aLengthThatIsTooLargeMattersOnlyWithoutAnEnding_data() { allProtocols(); }
    void fault14_aLengthThatIsTooLargeMattersOnlyWithoutAnEnding()
    {
        const ModelProtocol which = rowsProtocol();
        CallBench& b = bench(which);
        std::string whole, part;
        for (const std::string& event : eventsOf(which, {}))
            whole += event;
        for (const std::string& event : withoutEnding(which, eventsOf(which, {})))
            part += event;
        const std::string promise = head(200, {"Content-Type: text/event-stream", "Content-Length: 99999"});
        b.server.play({{send(promise + whole), close()}, {send(promise + part), close()}});
        QCOMPARE(word(b.ask()), QStringLiteral("complete"));
        QCOMPARE(word(b.ask()), QStringLiteral("incomplete"));
    }

    void fault15_aResetBeforeTheAnswerIsTriedAgainByUsAlone_data() { allProtocols(); }
    void fault15_aResetBeforeTheAnswerIsTriedAgainByUsAlone()
    {
        const ModelProtocol which = rowsProtocol();
        // Qt would send such a request again by itself, unseen and paid for: seen with Qt 6.4.2.
        for (const Step& end : {reset(), close()}) {
            CallBench& b = bench(which);
            b.server.play({{end}, {end}, good(which)});
            const ModelReply reply = b.ask();
            QCOMPARE(word(reply), QStringLiteral("complete"));
            QCOMPARE(reply.attempts.size(), 3u);
            QCOMPARE(b.server.seen().size(), 3u);
            QCOMPARE(QString::fromStdString(reply.attempts[0].error.code), QStringLiteral("llm/connection-lost"));
            QVERIFY(b.pauses(reply)[0] >= 375ms && b.pauses(reply)[0] <= 500ms);
            QVERIFY(b.pauses(reply)[1] >= 750ms && b.pauses(reply)[1] <= 1000ms);
        }
    }

    void fault15_aKeptConnectionThatDiedIsReplacedWithoutAHiddenSecondRequest_data() { allProtocols(); }
    void fault15_aKeptConnectionThatDiedIsReplacedWithoutAHiddenSecondRequest()
    {
        const ModelProtocol which = rowsProtocol();
        CallBench& b = bench(which);
        b.server.play({answer(200, wholeOf(which, {})), {reset()}, answer(200, wholeOf(which, {}))});
        QCOMPARE(word(b.ask()), QStringLiteral("complete"));
        const ModelReply reply = b.ask();
        QCOMPARE(word(reply), QStringLiteral("complete"));
        QCOMPARE(b.server.seen().size(), 1 + reply.attempts.size());
    }

    void fault15_aResetInsideTheTextIsNotTriedAgain_data() { allProtocols(); }

    void fault15_aResetInsideTheTextIsNotTriedAgain()
    {
        QFETCH(int, protocol);
        const auto which = static_cast<ModelProtocol>(protocol);
        CallBench& b = bench(which);
        b.server.play({begun(which, {hold(), reset()})});
        const ModelCallId id = b.submit();
        QVERIFY(stalled(b, begunBytes(which)));
        b.server.release();
        const ModelReply reply = b.finish(id);
        QCOMPARE(word(reply), QStringLiteral("incomplete"));
        QCOMPARE(reply.attempts.size(), 1u);
        QVERIFY(reply.answers.at(0).text.starts_with("Hello"));
        QCOMPARE(reply.usageSource, UsageSource::Estimated);
        QCOMPARE(b.raws.size(), 1u);
    }

    void aLimitThatTheServerTellsHoldsFurtherRequests_data()
    {
        QTest::addColumn<QByteArray>("remaining");
        QTest::addColumn<QByteArray>("reset");
        QTest::newRow("OpenAI, requests")
            << QByteArray("x-ratelimit-remaining-requests: 0") << QByteArray("x-ratelimit-reset-requests: 20s");
        QTest::newRow("OpenAI, tokens") << QByteArray("x-ratelimit-remaining-tokens: 2")
                                        << QByteArray("x-ratelimit-reset-tokens: 0m20s");
        QTest::newRow("Anthropic") << QByteArray("anthropic-ratelimit-requests-remaining: 0")
                                   << QByteArray("anthropic-ratelimit-requests-reset: 2026-11-21T12:00:20Z");
    }
    void aLimitThatTheServerTellsHoldsFurtherRequests()
    {
        QFETCH(QByteArray, remaining);
        QFETCH(QByteArray, reset);
        CallBench& b = bench();
        Script last{send(head(200, {"Content-Type: text/event-stream", remaining.toStdString(), reset.toStdString()}))};
        for (const std::string& event : eventsOf(chatProtocol, {}))
            last.push_back(send(event));
        last.push_back(close());
        b.server.play({last, good()});
        QCOMPARE(word(b.ask()), QStringLiteral("complete"));
        QVERIFY(b.client().paceWait("m", 100) > 19s);
        QVERIFY(b.client().paceWait("m", 100) <= 20s);
        QVERIFY2(
            b.client().serversHold("m", 100).starts_with("the server has "), b.client().serversHold("m", 100).c_str());
        const ModelCallId second = b.submit();
        CallBench::settle();
        QCOMPARE(b.server.seen().size(), 1u);
        QVERIFY(b.clock.isSet(WakeReason::Pace));
        b.clock.advance(21s);
        QVERIFY(CallBench::until([&] { return b.isFinished(second); }));
        QCOMPARE(b.server.seen().size(), 2u);
        QCOMPARE(b.client().serversHold("m", 100), std::string());
    }

    void aPauseThatTheServerAsksOfOneHoldsTheOthersToo()
    {
        CallBench& b = bench();
        b.server.play({answer(429, "{}", {"Retry-After: 7"}), good()});
        const ModelCallId first = b.submit();
        QVERIFY(CallBench::until([&] { return b.clock.isSet(WakeReason::Retry); }));
        const ModelCallId second = b.submit();
        CallBench::settle();
        QCOMPARE(b.server.seen().size(), 1u);
        QCOMPARE(b.client().serversHold("m", 100), std::string("the server asked for a pause"));
        b.clock.advance(8s);
        QVERIFY(CallBench::until([&] { return b.isFinished(first) && b.isFinished(second); }));
        QCOMPARE(b.server.seen().size(), 3u);
    }

    void ourOwnLimitsAMinuteAreKeptByCallsAndFurtherTries()
    {
        CallBench& b
            = bench(chatProtocol, [](ModelEndpoint& endpoint, ModelSpec&) { endpoint.perMinute.requests = 3; });
        b.server.play({good(), answer(503, "{}"), good()});
        const ModelCallId first = b.submit();
        QVERIFY(CallBench::until([&] { return b.isFinished(first); }));
        const ModelCallId second = b.submit();
        QVERIFY(CallBench::until([&] { return b.clock.isSet(WakeReason::Retry); }));
        QCOMPARE(b.client().paceWait("m", 1).count(), 0);
        const ModelCallId third = b.submit();
        QVERIFY(CallBench::until([&] { return b.isFinished(third); })); // the last one of this minute
        QVERIFY(b.client().paceWait("m", 1) > 59s);
        b.clock.advanceTo(WakeReason::Retry);
        QVERIFY(b.clock.isSet(WakeReason::Pace)); // the second try waits for its place
        const ModelCallId fourth = b.submit();
        CallBench::settle();
        QCOMPARE(b.server.seen().size(), 3u);
        b.clock.advance(61s);
        QVERIFY(CallBench::until([&] { return b.isFinished(second) && b.isFinished(fourth); }));
        QCOMPARE(b.server.seen().size(), 5u);
    }

    void aLimitOfLessThanASecondIsToldAsSuch()
    {
        CallBench& b
            = bench(chatProtocol, [](ModelEndpoint& endpoint, ModelSpec&) { endpoint.timeouts.firstByte = 500ms; });
        b.server.play({{hold()}});
        const ModelCallId id = b.submit();
        QVERIFY(stalled(b, 0));
        b.clock.advance(500ms);
        const ModelReply reply = b.finish(id);
        QCOMPARE(reply.error.text, std::string("the server did not start to reply for 0.5 s"));
        QCOMPARE(reply.untold(), 1);
    }

    void fault16_aRefusedConnectionIsTriedSixTimesAndThenReported_data() { allProtocols(); }
    void fault16_aRefusedConnectionIsTriedSixTimesAndThenReported()
    {
        const ModelProtocol which = rowsProtocol();
        CallBench& b = bench(which);
        b.server.close();
        const ModelReply reply = b.ask();
        QCOMPARE(code(reply), QStringLiteral("llm/connect"));
        QCOMPARE(reply.attempts.size(), 6u);
        const auto pauses = b.pauses(reply);
        auto base = 500ms;
        for (const auto pause : pauses) {
            QVERIFY(pause >= base * 3 / 4 && pause <= base);
            base *= 2;
        }
        QCOMPARE(reply.usage.total(), 0);
        QCOMPARE(reply.usd.value(), 0.0);
        QCOMPARE(reply.untold(), 0);
    }

    void fault16_aHostThatIsNotFoundIsReported_data() { allProtocols(); }
    void fault16_aHostThatIsNotFoundIsReported()
    {
        const ModelProtocol which = rowsProtocol();
        CallBench& b = bench(which, [](ModelEndpoint& endpoint, ModelSpec&) {
            endpoint.url = "https://does-not-exist.invalid/v1";
            endpoint.proxy = "none";
        });
        RetryRules rules;
        rules.mostAttempts = 2;
        b.client().setRetryRules(rules);
        const ModelReply reply = b.ask();
        QCOMPARE(code(reply), QStringLiteral("llm/connect"));
        QCOMPARE(reply.attempts.size(), 2u);
    }

    void fault17_aServerThatNeverAnswersEndsByTheFirstByteClock_data() { allProtocols(); }
    void fault17_aServerThatNeverAnswersEndsByTheFirstByteClock()
    {
        const ModelProtocol which = rowsProtocol();
        CallBench& b = bench(which);
        b.server.play({{hold()}});
        const ModelCallId id = b.submit();
        QVERIFY(stalled(b, 0));
        b.clock.advance(299s);
        CallBench::settle();
        QVERIFY(!b.isFinished(id));
        b.clock.advance(1s);
        const ModelReply reply = b.finish(id);
        QCOMPARE(code(reply), QStringLiteral("llm/timeout-first-byte"));
        QCOMPARE(reply.attempts.size(), 1u);
        QCOMPARE(reply.attempts[0].took, std::chrono::milliseconds(300s));
        QVERIFY2(!reply.usd, "what may have been charged was called free");
    }

    void fault17_headersAloneAreNoFirstByte_data() { allProtocols(); }
    void fault17_headersAloneAreNoFirstByte()
    {
        const ModelProtocol which = rowsProtocol();
        CallBench& b = bench(which);
        b.server.play({{send(head(200, {"Content-Type: text/event-stream"})), hold()}});
        const ModelCallId id = b.submit();
        QVERIFY(stalled(b, 0));
        b.clock.advance(200s); // a model that is being loaded: longer than the inactivity limit
        CallBench::settle();
        QVERIFY(!b.isFinished(id));
        b.clock.advance(100s);
        QCOMPARE(code(b.finish(id)), QStringLiteral("llm/timeout-first-byte"));
    }

    void fault17_aHandshakeThatNeverEndsIsTriedAgain_data() { allProtocols(); }
    void fault17_aHandshakeThatNeverEndsIsTriedAgain()
    {
        const ModelProtocol which = rowsProtocol();
        CallBench& b = bench(which, [](ModelEndpoint& endpoint, ModelSpec&) {
            endpoint.url.replace(0, 4, "https"); // the server does not speak it and waits for a request
        });
        RetryRules rules;
        rules.mostAttempts = 2;
        b.client().setRetryRules(rules);
        const ModelCallId id = b.submit();
        for (int i = 1; i <= 2; ++i) {
            QVERIFY(CallBench::until([&] { return b.server.connections() == i; }));
            QVERIFY(b.clock.isSet(WakeReason::Connect));
            b.clock.advance(10s);
            if (i == 1) {
                QVERIFY(CallBench::until([&] { return b.clock.isSet(WakeReason::Retry); }));
                b.clock.advanceTo(WakeReason::Retry);
            }
        }
        const ModelReply reply = b.finish(id);
        QCOMPARE(code(reply), QStringLiteral("llm/timeout-connect"));
        QCOMPARE(reply.attempts.size(), 2u);
        QCOMPARE(b.server.seen().size(), 0u);
    }

    void fault18_aStreamThatStallsEndsByTheInactivityClock_data() { allProtocols(); }

    void fault18_aStreamThatStallsEndsByTheInactivityClock()
    {
        QFETCH(int, protocol);
        const auto which = static_cast<ModelProtocol>(protocol);
        CallBench& b = bench(which);
        b.server.play({begun(which, {hold()})});
        const ModelCallId id = b.submit();
        QVERIFY(stalled(b, begunBytes(which)));
        b.clock.advance(120s);
        const ModelReply reply = b.finish(id);
        QCOMPARE(code(reply), QStringLiteral("llm/timeout-inactivity"));
        QCOMPARE(word(reply), QStringLiteral("incomplete"));
        QCOMPARE(reply.attempts.size(), 1u);
        QVERIFY(reply.answers.at(0).text.starts_with("Hello"));
        QCOMPARE(b.raws.size(), 1u);
    }

    void fault18_aConnectionThatStaysOpenAfterTheEndHoldsNothingUp_data() { allProtocols(); }
    void fault18_aConnectionThatStaysOpenAfterTheEndHoldsNothingUp()
    {
        const ModelProtocol which = rowsProtocol();
        CallBench& b = bench(which);
        Script script = good(which);
        script.back() = hold();
        b.server.play({script});
        const ModelCallId id = b.submit();
        QVERIFY(CallBench::until([&] { return b.clock.isSet(WakeReason::Drain); }));
        b.clock.advanceTo(WakeReason::Drain);
        QCOMPARE(word(b.finish(id)), QStringLiteral("complete"));
    }

    void fault19_aDripThatNeverEndsEndsByTheTotalClock_data() { allProtocols(); }
    void fault19_aDripThatNeverEndsEndsByTheTotalClock()
    {
        const ModelProtocol which = rowsProtocol();
        CallBench& b = bench(which);
        Script script{send(head(200, {"Content-Type: text/event-stream"}))};
        std::string textEvent;
        for (const std::string& event : eventsOf(which, {}))
            if (textEvent.empty() && event.find("Hello") != std::string::npos)
                textEvent = event;
        for (int i = 0; i < 30; ++i) {
            script.push_back(send(textEvent));
            script.push_back(hold());
        }
        b.server.play({script});
        const ModelCallId id = b.submit();
        std::int64_t seen = 0;
        for (int i = 0; i < 18; ++i) { // 18 × 100 s: never silent for long, and 30 minutes are over
            QVERIFY(CallBench::until([&] { return b.server.holding() == 1 && b.bytesSeen() > seen; }));
            seen = b.bytesSeen();
            b.clock.advance(100s);
            b.server.release();
        }
        const ModelReply reply = b.finish(id);
        QCOMPARE(code(reply), QStringLiteral("llm/timeout-total"));
        QCOMPARE(word(reply), QStringLiteral("incomplete"));
    }

    void fault20_passingFailuresAreTriedAgain_data()
    {
        QTest::addColumn<int>("protocol");
        QTest::addColumn<int>("status");
        for (const auto& [protocol, name] : modelProtocols)
            for (const int status : {408, 409, 429, 500, 502, 503, 504, 529})
                QTest::newRow((std::string(name) + " " + std::to_string(status)).c_str())
                    << static_cast<int>(protocol) << status;
    }

    void fault20_passingFailuresAreTriedAgain()
    {
        QFETCH(int, protocol);
        QFETCH(int, status);
        const auto which = static_cast<ModelProtocol>(protocol);
        CallBench& b = bench(which);
        const Script bad = answer(status, errorBody(which, status, "api_error", "Try again"), {"x-request-id: req_9"});
        b.server.play({bad, bad, good(which)});
        const ModelReply reply = b.ask();
        QCOMPARE(word(reply), QStringLiteral("complete"));
        QCOMPARE(reply.attempts.size(), 3u);
        QCOMPARE(b.server.seen().size(), 3u);
        QCOMPARE(reply.attempts[0].status, status);
        QCOMPARE(reply.attempts[0].serverId, std::string("req_9"));
        QVERIFY(reply.attempts[0].error.text.find("Try again") != std::string::npos);
        QVERIFY(b.pauses(reply)[0] >= 375ms && b.pauses(reply)[0] <= 500ms);
        QVERIFY(b.pauses(reply)[1] >= 750ms && b.pauses(reply)[1] <= 1000ms);
        QCOMPARE(reply.spent().total(), 17); // the refused ones cost nothing
        QVERIFY(b.server.seen()[0].body == b.server.seen()[2].body);
    }

    void fault21_theServersOwnPauseIsKept_data() { allProtocols(); }
    void fault21_theServersOwnPauseIsKept()
    {
        const ModelProtocol which = rowsProtocol();
        CallBench& b = bench(which);
        b.server.play(
            {answer(429, "{}", {"retry-after: 20"}), answer(503, "{}", {"Retry-After: Sat, 21 Nov 2026 12:01:00 GMT"}),
                answer(503, "{}", {"retry-after-ms: 250", "retry-after: 99"}), answer(503, "{}", {"retry-after: soon"}),
                good(which)});
        const ModelReply reply = b.ask();
        QCOMPARE(word(reply), QStringLiteral("complete"));
        const auto pauses = b.pauses(reply);
        QCOMPARE(pauses[0], std::chrono::milliseconds(20s));
        QCOMPARE(pauses[1], std::chrono::milliseconds(40s)); // a date, 20 s have passed
        QCOMPARE(pauses[2], 250ms);
        QVERIFY(pauses[3] >= 3000ms && pauses[3] <= 4000ms); // garbage: our own
    }

    void fault21_aPauseOfMinutesIsReportedInsteadOfWaited_data() { allProtocols(); }
    void fault21_aPauseOfMinutesIsReportedInsteadOfWaited()
    {
        const ModelProtocol which = rowsProtocol();
        CallBench& b = bench(which);
        b.server.play({answer(429, R"({"error":{"message":"slow down"}})", {"retry-after: 3600"})});
        const ModelReply reply = b.ask();
        QCOMPARE(code(reply), QStringLiteral("llm/rate-limit"));
        QCOMPARE(reply.attempts.size(), 1u);
        QVERIFY(reply.error.evidence["retry_after_s"] == 3600.0);
    }

    void fault37_aRedirectToAnotherServerIsNotFollowed_data() { allProtocols(); }
    void fault37_aRedirectToAnotherServerIsNotFollowed()
    {
        const ModelProtocol which = rowsProtocol();
        for (const int status : {301, 302, 303, 307, 308}) {
            FakeServer other;
            QVERIFY(other.start());
            CallBench& b = bench(which);
            b.server.play({answer(status, "", {"Location: " + other.url("/v1/chat/completions")})});
            const ModelReply reply = b.ask();
            QCOMPARE(code(reply), QStringLiteral("llm/redirect"));
            QVERIFY2(reply.error.text.find("redirects are followed only within one server") != std::string::npos,
                reply.error.text.c_str());
            QCOMPARE(reply.attempts.size(), 1u);
            CallBench::settle();
            QCOMPARE(other.connections(), 0);
        }
    }

    void fault37_aRedirectWithinTheServerKeepsMethodAndBody_data() { allProtocols(); }
    void fault37_aRedirectWithinTheServerKeepsMethodAndBody()
    {
        const ModelProtocol which = rowsProtocol();
        CallBench& b = bench(which);
        b.server.play({answer(307, "", {"Location: /v2/chat"}), good(which)});
        const ModelReply reply = b.ask();
        QCOMPARE(word(reply), QStringLiteral("complete"));
        QCOMPARE(b.server.seen().at(1).method, std::string("POST"));
        QCOMPARE(b.server.seen().at(1).target, std::string("/v2/chat"));
        QCOMPARE(b.server.seen().at(1).body, b.server.seen().at(0).body);
    }

    void fault37_redirectsInACircleEnd_data() { allProtocols(); }
    void fault37_redirectsInACircleEnd()
    {
        const ModelProtocol which = rowsProtocol();
        CallBench& b = bench(which);
        b.server.play({answer(308, "", {"Location: /round"})});
        const ModelReply reply = b.ask();
        QCOMPARE(code(reply), QStringLiteral("llm/redirect"));
        QCOMPARE(b.server.seen().size(), 6u);
    }

    void fault37_aRedirectThatWouldMakeAPostAGetIsNotFollowed_data() { allProtocols(); }
    void fault37_aRedirectThatWouldMakeAPostAGetIsNotFollowed()
    {
        const ModelProtocol which = rowsProtocol();
        CallBench& b = bench(which);
        b.server.play({answer(302, "", {"Location: /v1/elsewhere"})});
        QCOMPARE(code(b.ask()), QStringLiteral("llm/redirect"));
        QCOMPARE(b.server.seen().size(), 1u);
    }

    void fault38_aCertificateOfAnOwnAuthorityIsTrustedWhenItsFileIsNamed_data() { allProtocols(); }
    void fault38_aCertificateOfAnOwnAuthorityIsTrustedWhenItsFileIsNamed()
    {
        const ModelProtocol which = rowsProtocol();
        CallBench::Change trust = [this](ModelEndpoint& endpoint, ModelSpec&) {
            endpoint.url = "https://localhost" + endpoint.url.substr(endpoint.url.rfind(':'));
            endpoint.caFile = m_certificates->path("ca.pem");
        };
        CallBench& b = bench(which, trust);
        m_certificates->serve(b.server, "good");
        b.server.play({good(which)});
        QCOMPARE(word(b.ask()), QStringLiteral("complete"));
        QVERIFY(b.server.seen().at(0).encrypted);
    }

    void fault38_certificatesThatDoNotHoldAreRefusedAndTheKeyStaysHere_data()
    {
        QTest::addColumn<int>("protocol");
        QTest::addColumn<QString>("certificate");
        QTest::addColumn<bool>("trusted");
        for (const auto& [protocol, name] : modelProtocols) {
            const auto row
                = [&, which = static_cast<int>(protocol)](const char* words, const char* file, bool trusted) {
                      QTest::newRow((std::string(name) + ", " + words).c_str())
                          << which << QString::fromLatin1(file) << trusted;
                  };
            row("self-signed", "self", true);
            row("expired", "expired", true);
            row("another host's", "other", true);
            row("unknown authority", "good", false);
        }
    }

    void fault38_certificatesThatDoNotHoldAreRefusedAndTheKeyStaysHere()
    {
        const ModelProtocol which = rowsProtocol();
        QFETCH(QString, certificate);
        QFETCH(bool, trusted);
        CallBench& b = bench(which, [this, trusted](ModelEndpoint& endpoint, ModelSpec&) {
            endpoint.url = "https://localhost" + endpoint.url.substr(endpoint.url.rfind(':'));
            if (trusted)
                endpoint.caFile = m_certificates->path("ca.pem");
        });
        m_certificates->serve(b.server, certificate.toLatin1().constData());
        b.server.play({good(which)});
        const ModelReply reply = b.ask();
        QCOMPARE(code(reply), QStringLiteral("llm/tls"));
        QVERIFY2(reply.error.text.size() > 30, reply.error.text.c_str());
        QCOMPARE(reply.attempts.size(), 1u);
        QCOMPARE(b.server.seen().size(), 0u);
    }

    void fault38_aCertificateFileThatHoldsNoneIsReported_data() { allProtocols(); }
    void fault38_aCertificateFileThatHoldsNoneIsReported()
    {
        const ModelProtocol which = rowsProtocol();
        CallBench& b = bench(which, [](ModelEndpoint& endpoint, ModelSpec&) { endpoint.caFile = "/dev/null"; });
        QCOMPARE(code(b.ask()), QStringLiteral("llm/tls"));
        QCOMPARE(b.server.connections(), 0);
    }

    void fault39_aProxyThatWantsAPasswordOrRefusesIsNamed_data()
    {
        QTest::addColumn<int>("protocol");
        QTest::addColumn<int>("status");
        QTest::addColumn<bool>("tls");
        for (const auto& [protocol, name] : modelProtocols) {
            const std::string of = std::string(name) + ", ";
            QTest::newRow((of + "407 for http").c_str()) << static_cast<int>(protocol) << 407 << false;
            QTest::newRow((of + "407 for https").c_str()) << static_cast<int>(protocol) << 407 << true;
            QTest::newRow((of + "CONNECT refused").c_str()) << static_cast<int>(protocol) << 403 << true;
        }
    }

    void fault39_aProxyThatWantsAPasswordOrRefusesIsNamed()
    {
        const ModelProtocol which = rowsProtocol();
        QFETCH(int, status);
        QFETCH(bool, tls);
        FakeServer proxy;
        QVERIFY(proxy.start());
        proxy.play({answer(status, "", {"Proxy-Authenticate: Basic realm=\"x\"", "Connection: close"})});
        CallBench& b = bench(which, [&proxy, tls](ModelEndpoint& endpoint, ModelSpec&) {
            endpoint.proxy = proxy.url("");
            if (tls)
                endpoint.url = "https://models.example";
        });
        const ModelReply reply = b.ask();
        QCOMPARE(code(reply), QStringLiteral("llm/proxy"));
        QCOMPARE(reply.attempts.size(), 1u);
        QVERIFY(proxy.seen().size() >= 1);
        for (const SeenRequest& seen : proxy.seen()) {
            QCOMPARE(QString::fromStdString(seen.method), tls ? QStringLiteral("CONNECT") : QStringLiteral("POST"));
            if (tls)
                for (const auto& [header, value] : seen.headers)
                    QVERIFY2(value.find(canary) == std::string::npos, "the proxy saw the key");
        }
        QCOMPARE(b.server.connections(), 0);
    }

    void fault39_aCallThroughAProxyWorks_data() { allProtocols(); }
    void fault39_aCallThroughAProxyWorks()
    {
        const ModelProtocol which = rowsProtocol();
        FakeServer proxy;
        QVERIFY(proxy.start());
        proxy.play({good(which)});
        CallBench& b = bench(which, [&proxy](ModelEndpoint& endpoint, ModelSpec&) { endpoint.proxy = proxy.url(""); });
        QCOMPARE(word(b.ask()), QStringLiteral("complete"));
        QVERIFY(proxy.seen().at(0).target.starts_with("http://127.0.0.1"));
    }

    void fault41_fortyCallsRunAtOnceAndASlowOneHoldsNobodyUp_data() { allProtocols(); }
    void fault41_fortyCallsRunAtOnceAndASlowOneHoldsNobodyUp()
    {
        const ModelProtocol which = rowsProtocol();
        CallBench& b = bench(which);
        b.server.setHandler([which](const SeenRequest& request) {
            const std::size_t begin = request.body.find("question ");
            const std::string asked = request.body.substr(begin, request.body.find('.', begin) + 1 - begin);
            const bool slow = asked == "question 7.";
            Said said;
            said.pieces = {asked};
            Script script = stream(eventsOf(which, said));
            if (slow)
                script.insert(script.begin() + 1, hold());
            return script;
        });
        std::vector<ModelCallId> ids;
        for (int i = 0; i < 40; ++i) {
            ChatRequest request = CallBench::question();
            request.messages[0].text = "question " + std::to_string(i) + ".";
            ids.push_back(b.submit(request));
        }
        for (int i = 0; i < 40; ++i) {
            if (i == 7)
                continue;
            const ModelReply reply = b.finish(ids[static_cast<std::size_t>(i)]);
            QCOMPARE(reply.answers.at(0).text, "question " + std::to_string(i) + ".");
        }
        QVERIFY(!b.isFinished(ids[7]));
        b.server.release();
        QCOMPARE(b.finish(ids[7]).answers.at(0).text, std::string("question 7."));
        QCOMPARE(b.server.seen().size(), 40u);
    }

    void fault41_fortyConnectionsReallyFlyAtTheSameTime_data() { allProtocols(); }
    void fault41_fortyConnectionsReallyFlyAtTheSameTime()
    {
        const ModelProtocol which = rowsProtocol();
        CallBench& b = bench(which);
        b.server.setHandler([which](const SeenRequest&) {
            Script script = good(which);
            script.insert(script.begin(), hold());
            return script;
        });
        for (int i = 0; i < 40; ++i)
            b.submit();
        QVERIFY(CallBench::until([&] { return b.server.holding() == 40; }));
        b.server.release();
        for (int i = 1; i <= 40; ++i)
            QCOMPARE(word(b.finish(ModelCallId{i})), QStringLiteral("complete"));
    }

    void anEndpointsOwnLimitIsKept()
    {
        CallBench& b = bench(chatProtocol, [](ModelEndpoint& endpoint, ModelSpec&) { endpoint.mostInFlight = 2; });
        b.server.setHandler([](const SeenRequest&) {
            Script script = good();
            script.insert(script.begin(), hold());
            return script;
        });
        for (int i = 0; i < 5; ++i)
            b.submit();
        QVERIFY(CallBench::until([&] { return b.server.holding() == 2; }));
        CallBench::settle();
        QCOMPARE(b.server.seen().size(), 2u);
        for (int i = 1; i <= 5; ++i) {
            const ModelCallId id{i};
            QVERIFY(CallBench::until([&] {
                b.server.release();
                return b.isFinished(id);
            }));
        }
        QCOMPARE(b.server.seen().size(), 5u);
    }
};

TILEWRIGHT_TEST(TestLlmConnections)
#include "test_llm_connections.moc"
