// SPDX-License-Identifier: GPL-3.0-or-later
// What holds a run with models back: its budgets of tokens, money and time, limits a minute, and replies that bring
// nothing. moc 6.4 stumbles over g++ 12's <concepts>, which some of these lead to; it needs none of it.
#ifndef Q_MOC_RUN
#include "core/engine/replies/model_reply_source.h"
#include "tests/engine/model_sessions.h"
#include "tests/patience.h"
#endif

#include "tests/test_program.h"

#include <algorithm>
#include <set>

using namespace tilewright;
using namespace tilewright::testing;

class TestModelLimits : public QObject, ModelSessions
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { qputenv(qUtf8Printable(canaryVariable), canaryKey); }

    void aTokenBudgetIsNeverPassedAndPausesTheRun()
    {
        constexpr std::int64_t tokens = 40'000;
        FakeServer server;
        QVERIFY(server.start());
        int number = 0;
        // Each answer uses a good part of its worst case: a few bring the run to where the next could pass the budget.
        server.setHandler(
            [&](const SeenRequest& request) { return saying(request, scriptedReply(++number), 2'000, 1'000); });
        EngineDriver driver;
        NewSession session = sessionOf(driver.path(), server.serverPort(), 0);
        session.settings.budget.tokens = tokens; // a few requests of some 10 000 at worst
        driver.engine.create(session);
        QVERIFY(driver.waitForEnd());
        const RunState& run = driver.ended->run;
        QCOMPARE(run.phase, events::Phase::Paused);
        QCOMPARE(QString::fromStdString(driver.ended->status.troubleCode), QStringLiteral("budget/tokens"));
        QVERIFY(run.tokensSpent > 0 && run.tokensSpent <= tokens);
        std::int64_t most = 0;
        for (const ModelRequest& modelRequest : run.modelRequests)
            most = std::max(most, modelRequest.mostTokens);
        QVERIFY2(run.tokensSpent + 2 * most > tokens, "it stopped long before the budget was used");
        QCOMPARE(driver.ended->status.reservedTokens, std::int64_t(0));
        QCOMPARE(run.doubtfulTokens, std::int64_t(0)); // the server told everything
        QVERIFY(driver.ended->status.needsBudget);
        QCOMPARE(run.phaseCode, std::string("budget/tokens"));
        const std::size_t before = run.modelRequests.size();
        Budget more = run.settings.budget;
        more.tokens *= 2;
        driver.execute(
            commands::Run{}); // with the same budget it pauses again, after shorter prompts that fit, if there are any
        QVERIFY(driver.waitForEnd());
        QVERIFY(driver.ended->status.needsBudget);
        QVERIFY(driver.ended->run.tokensSpent <= tokens);
        QVERIFY(driver.ended->run.modelRequests.size() <= before + driver.ended->run.islands.size());
        const std::size_t paused = driver.ended->run.modelRequests.size();
        driver.execute(commands::SetBudget{more});
        QVERIFY(!driver.engine.snapshot()->status.needsBudget);
        driver.execute(commands::Run{});
        QVERIFY(driver.waitForEnd());
        QVERIFY(driver.ended->run.modelRequests.size() > paused);
    }

    void nearTheEndOfTheMoneyTheCheaperModelIsAskedAndThePauseTellsTheFigures()
    {
        FakeServer server;
        QVERIFY(server.start());
        int number = 0;
        server.setHandler(
            [&](const SeenRequest& request) { return saying(request, scriptedReply(++number), 4'000, 4'000); });
        EngineDriver driver({}, m_folder.filePath(QStringLiteral("cheaper.tilewright")));
        NewSession session = sessionOf(driver.path(), server.serverPort(), 0, "\"limits\": {\"in_flight\": 1},\n");
        makeWiseCheap(driver.path() + QStringLiteral(".models.json"));
        session.settings.budget.costMicroUsd = 90'000;
        driver.engine.create(session);
        QVERIFY(driver.waitForEnd());
        const RunState& run = driver.ended->run;
        QCOMPARE(run.phase, events::Phase::Paused);
        QCOMPARE(driver.ended->status.troubleCode, std::string("budget/cost"));
        QVERIFY(run.costMicroUsd <= 90'000);
        std::int64_t spent = 0, cheapest = 90'000;
        for (const ModelRequest& modelRequest : run.modelRequests) {
            QVERIFY2(spent + modelRequest.mostMicroUsd <= 90'000, "it left though it could pass the budget");
            spent += *modelRequest.answer.costMicroUsd;
            if (modelRequest.model == "wise")
                cheapest = std::min(cheapest, modelRequest.mostMicroUsd);
        }
        QCOMPARE(run.modelRequests[run.modelRequests.size() - 1].model, std::string("wise"));
        QVERIFY2(spent + 2 * cheapest > 90'000, "it paused though the cheaper model still fitted");
        const std::string& trouble = driver.ended->status.trouble;
        QVERIFY2(trouble.starts_with("the cost budget does not cover another request: it could cost 0.00")
                && trouble.find(" of 0.0900 $ are left") != std::string::npos
                && trouble.find("checked for wise, which needs the least") != std::string::npos,
            trouble.c_str());
        const auto& notices = driver.ended->status.notices;
        QCOMPARE(
            std::count_if(notices.begin(), notices.end(),
                [](const std::string& words) { return words.find(": wise is used instead") != std::string::npos; }),
            1);
        QVERIFY(driver.close());
        EngineDriver replayed;
        NewSession again;
        again.path = replayed.path();
        again.pack = m_pack;
        again.settings.proposer = "replay:" + driver.path().toStdString();
        replayed.engine.create(again);
        QVERIFY(replayed.waitForEnd());
        QCOMPARE(programsMade(replayed.ended->run), programsMade(run));
    }

    void whoeverFitsIntoWhatIsLeftIsAskedAndElseThePauseNamesTheBudget()
    {
        ModelsFile file;
        file.endpoints = {{}};
        for (const auto& [name, output, price] :
            {std::tuple{"long", 8'000, 1.0}, std::tuple{"dear", 1'000, 100.0}, std::tuple{"modest", 4'000, 0.5}}) {
            ModelSpec spec;
            spec.name = name;
            spec.maxOutputTokens = output;
            spec.price = TokenPrice{price, price, price, price, "2026-11-21", ""};
            file.models.push_back(spec);
        }
        RunState state;
        RequestDraft question;
        question.system = std::string(400, 's');
        question.user = std::string(4'000, 'u'); // some 1 700 tokens at worst
        const auto asked = [&] {
            ModelReplySource models(file);
            ReplySink sink;
            sink.state = [&]() -> const RunState& { return state; };
            sink.noted = [](const std::string&, const std::string&) {};
            sink.moved = [] {};
            models.open(sink);
            std::set<std::string> names;
            for (question.ordinal = 0; question.ordinal < 40; ++question.ordinal) {
                const auto reservation = models.reserve(question);
                names.insert(
                    reservation ? reservation->model : reservation.error().code + ": " + reservation.error().text);
            }
            return names;
        };
        using Names = std::set<std::string>;
        QCOMPARE(asked(), (Names{"dear", "long", "modest"}));
        state.settings.budget.tokens = 100'000;
        state.tokensSpent = 93'000;
        QCOMPARE(asked(), (Names{"dear", "modest"}));
        state.tokensSpent = 96'000;
        QCOMPARE(asked(), Names{"dear"});
        state.settings.budget.costMicroUsd = 100'000; // dear could cost 0.27 $
        const Names none = asked();
        QCOMPARE(none.size(), std::size_t(1));
        QVERIFY2(none.begin()->starts_with("budget/cost: ") || none.begin()->starts_with("budget/tokens: "),
            none.begin()->c_str());
        state.tokensSpent = 0;
        QCOMPARE(asked(), (Names{"long", "modest"}));
        state.tokensSpent = 99'000;
        const Names tokens = asked();
        QCOMPARE(tokens.size(), std::size_t(1));
        QVERIFY2(
            tokens.begin()->starts_with("budget/tokens: the token budget does not cover another request: it could use ")
                && tokens.begin()->find(" tokens, and 1000 of 100000 are left; checked for dear, which needs the least")
                    != std::string::npos,
            tokens.begin()->c_str());
        // Whoever fits and rests is waited for.
        state.tokensSpent = 93'500;
        state.statisticsByModel["modest"].restsUntilUtc
            = QDateTime::currentDateTimeUtc().addSecs(3600).toString(Qt::ISODateWithMs).toStdString();
        const Names waiting = asked();
        QVERIFY2(waiting.begin()->starts_with("wait/models: "), waiting.begin()->c_str());
        state.statisticsByModel["modest"].restsUntilUtc.clear();
        QCOMPARE(asked(), Names{"modest"});
        file.islands["A"]["long"] = 1; // on its island only this one, which does not fit
        question.island = {1};
        QCOMPARE(asked(), Names{"modest"});
    }

    void requestsThatAreNeverAnsweredCountAsTheMostTheyCouldUse()
    {
        FakeServer server;
        QVERIFY(server.start());
        server.setHandler([](const SeenRequest&) { return Script{close()}; });
        EngineDriver driver;
        NewSession session
            = sessionOf(driver.path(), server.serverPort(), 0, "\"limits\": {\"tries\": 3, \"patience_s\": 600},\n");
        session.settings.budget.tokens = 60'000;
        session.settings.budget.costMicroUsd = 1'000'000;
        driver.engine.create(session);
        QVERIFY(driver.waitForEnd());
        const RunState& run = driver.ended->run;
        QCOMPARE(run.phase, events::Phase::Paused);
        QCOMPARE(driver.ended->status.troubleCode, std::string("budget/tokens"));
        QVERIFY2(driver.ended->status.trouble.find("for requests without reported usage") != std::string::npos,
            driver.ended->status.trouble.c_str());
        std::int64_t tries = 0, tokens = 0, microUsd = 0, least = 60'000;
        for (const ModelRequest& modelRequest : run.modelRequests) {
            tries += modelRequest.answer.untold;
            tokens += modelRequest.answer.untold * modelRequest.mostTokens;
            microUsd += modelRequest.answer.untold * modelRequest.mostMicroUsd;
            least = std::min(least, modelRequest.mostTokens);
        }
        QCOMPARE(tries, static_cast<std::int64_t>(server.seen().size()));
        QVERIFY(tries > 0 && tries * least <= 60'000);
        QCOMPARE(run.tokensSpent, std::int64_t(0));
        QCOMPARE(run.doubtfulTokens, tokens);
        QCOMPARE(run.doubtfulMicroUsd, microUsd);
        QVERIFY(run.doubtfulTokens <= 60'000);
    }

    void theWallTimeIsKeptThoughRepliesDoNotCome()
    {
        FakeServer server;
        QVERIFY(server.start());
        server.setHandler([](const SeenRequest&) { return Script{hold()}; });
        EngineDriver driver;
        NewSession session = sessionOf(driver.path(), server.serverPort(), 0, "\"limits\": {\"in_flight\": 2},\n");
        session.settings.budget.wallSeconds = 1000;
        std::string words;
        connect(&driver.engine, &Engine::published, &driver.engine, [&](const SnapshotPtr& snapshot) {
            if (snapshot->status.waitingCode == "replies")
                words = snapshot->status.waiting;
        });
        driver.engine.setReplyGrace(std::chrono::milliseconds(1500));
        driver.engine.create(session);
        QVERIFY(QTest::qWaitFor([&] { return server.holding() == 2; }, patience));
        session.settings.budget.wallSeconds = 0.1; // gone by then
        driver.execute(commands::SetBudget{session.settings.budget});
        QVERIFY(driver.waitForEnd());
        const RunState& run = driver.ended->run;
        QCOMPARE(run.phase, events::Phase::Finished);
        QCOMPARE(run.phaseReason, std::string("wall-time budget exhausted"));
        QVERIFY(driver.ended->status.needsBudget);
        QVERIFY2(words.starts_with("waiting for 2 replies, at most "), words.c_str());
        QCOMPARE(countOf(run, ModelRequestState::Open), std::int64_t(0));
        QCOMPARE(run.modelRequest({1})->answer.rule, std::string("llm/cancelled"));
        QCOMPARE(run.modelRequest({1})->answer.untold, 1);
    }

    void ourOwnLimitsAMinuteHoldTheRunBackAndTheIslandsSaySo()
    {
        FakeServer server;
        QVERIFY(server.start());
        int number = 0;
        server.setHandler([&](const SeenRequest& request) { return saying(request, scriptedReply(++number)); });
        EngineDriver driver;
        NewSession session = sessionOf(driver.path(), server.serverPort(), 20);
        QFile file(driver.path() + QStringLiteral(".models.json"));
        QVERIFY(file.open(QIODevice::ReadWrite));
        QByteArray models = file.readAll();
        models.replace("\"template\": \"other\"", "\"template\": \"other\", \"requests_per_minute\": 2");
        file.resize(0);
        file.seek(0);
        file.write(models);
        file.close();
        driver.engine.create(session);
        const auto held = [&] { return driver.latest && driver.latest->status.islandTrouble.size() == 4; };
        QVERIFY(QTest::qWaitFor(held, patience));
        QVERIFY2(driver.latest->status.islandTrouble.begin()->second.find("limited to 2 requests a minute, next in ")
                != std::string::npos,
            driver.latest->status.islandTrouble.begin()->second.c_str());
        // Nothing waits with a prompt that ages.
        QVERIFY(QTest::qWaitFor([&] { return held() && nothingIsAsked(driver); }, patience));
        QVERIFY(isAskedNoMoreThan(server, 4)); // two of each endpoint
        QCOMPARE(driver.run().phase, events::Phase::Running);
        driver.execute(commands::Stop{});
        QVERIFY(driver.waitForEnd());
    }

    void aLimitThatTheServersTellHoldsTheRunBackAndTheIslandsSaySo()
    {
        FakeServer server;
        QVERIFY(server.start());
        int number = 0;
        server.setHandler([&](const SeenRequest& request) {
            Script script = saying(request, scriptedReply(++number));
            script.front() = send(head(200,
                {"Content-Type: text/event-stream", "x-ratelimit-limit-requests: 50",
                    "x-ratelimit-remaining-requests: 0", "x-ratelimit-reset-requests: 1m30s"}));
            return script;
        });
        EngineDriver driver;
        driver.engine.create(sessionOf(driver.path(), server.serverPort(), 20, "\"limits\": {\"in_flight\": 2},\n"));
        const auto held = [&] { // both endpoints
            if (!driver.latest || driver.latest->status.models.size() != 2)
                return false;
            const auto& models = driver.latest->status.models;
            return driver.latest->status.islandTrouble.size() == 4
                && std::all_of(models.begin(), models.end(),
                    [](const ModelStatus& model) { return model.condition == ModelCondition::Waiting; });
        };
        QVERIFY(QTest::qWaitFor(held, patience));
        QVERIFY2(
            driver.latest->status.islandTrouble.begin()->second.find("the server has 0 of 50 requests left, next in ")
                != std::string::npos,
            driver.latest->status.islandTrouble.begin()->second.c_str());
        // What was sent before the first answer may still be under way.
        QVERIFY(QTest::qWaitFor([&] { return held() && nothingIsAsked(driver); }, patience));
        QVERIFY(isAskedNoMoreThan(server, server.seen().size()));
        QCOMPARE(driver.run().phase, events::Phase::Running);
        driver.execute(commands::Stop{});
        QVERIFY(driver.waitForEnd());
    }

    void ofRefusalsThatPauseTheRunTheReasonIsTold()
    {
        FakeServer server;
        QVERIFY(server.start());
        server.setHandler([](const SeenRequest&) {
            return answer(200,
                R"({"choices":[{"index":0,"message":{"content":null,"refusal":"I cannot help with that."},"finish_reason":"stop"}]})");
        });
        EngineDriver driver;
        driver.engine.create(sessionOf(driver.path(), server.serverPort(), 12, "\"limits\": {\"in_flight\": 1},\n"));
        QVERIFY(driver.waitForEnd());
        QCOMPARE(QString::fromStdString(driver.ended->status.troubleCode), QStringLiteral("proposer/fruitless"));
        QVERIFY2(driver.ended->status.trouble.find("I cannot help with that.") != std::string::npos,
            driver.ended->status.trouble.c_str());
        QVERIFY(std::ranges::any_of(driver.ended->run.statisticsByModel, [](const auto& statistics) {
            return statistics.second.lastError.find("I cannot help") != std::string::npos;
        }));
    }

    void fruitlessRepliesPauseTheRunInsteadOfFinishingIt()
    {
        FakeServer server;
        QVERIFY(server.start());
        server.setHandler([](const SeenRequest& request) { return saying(request, "I have no idea.\n"); });
        EngineDriver driver;
        driver.engine.create(sessionOf(driver.path(), server.serverPort(), 50));
        QVERIFY(driver.waitForEnd());
        QCOMPARE(driver.ended->run.phase, events::Phase::Paused);
        QCOMPARE(QString::fromStdString(driver.ended->status.troubleCode), QStringLiteral("proposer/fruitless"));
        // Sixteen questions of three turns each, and as many that were on their way then.
        QVERIFY(driver.ended->run.modelRequests.size() <= 2 * 16 * 3);
    }
};

TILEWRIGHT_TEST(TestModelLimits)
#include "test_model_limits.moc"
