// SPDX-License-Identifier: GPL-3.0-or-later
// What a user has asked of models besides the search: a judge's word on an edit, a program written anew from the
// plain form, a prompt of theirs sent once; and what servers tell of their limits. Against a real engine, a fake node
// and a model server on a real socket. moc 6.4 stumbles over g++ 12's <concepts>, which some of these lead to.
#ifndef Q_MOC_RUN
#include "core/engine/replies/model_reply_source.h"
#include "core/model/requests/steering_progress.h"
#include "core/prompt/template_use.h"
#include "core/store/session_writer.h"
#include "core/store/sql.h"
#include "tests/engine/dry_run.h"
#include "tests/engine/engine_driver.h"
#include "tests/llm/fake_server.h"
#include "tests/llm/fixtures.h"
#include "tests/llm/model_stage.h"
#include "tests/patience.h"
#endif

#include "tests/test_program.h"

#include <algorithm>
#include <cmath>

using namespace tilewright;
using namespace tilewright::testing;

namespace {

bool asksAJudge(const SeenRequest& request)
{
    return request.body.find("# The proposed change: ") != std::string::npos;
}
bool asksToTranslate(const SeenRequest& request)
{
    return request.body.find("# The frame to fill") != std::string::npos;
}

const QByteArray judged
    = "<think>{\"verdict\": \"wrong\"} was my first thought</think>\n```json\n{\"verdict\": \"repeat\", "
      "\"of\": \"c-0001\", \"reason\": \"The seed does this.\", \"expected_ratio\": 1.04}\n```\n";

/// With ' for ", which moc would stumble over.
QByteArray quoted(const char* text) { return QByteArray(text).replace('\'', '"'); }

/// The whole program in one fence, with one line more.
QByteArray wholeProgram(const std::string& seed)
{
    std::string program = seed;
    const std::string mark = "// EVOLVE-BLOCK-START\n";
    program.insert(program.find(mark) + mark.size(), "constexpr int TRANSLATED = 7;\n");
    return QByteArray::fromStdString("```cpp\n" + program + "```\n");
}

std::string promptOf(const SeenRequest& request)
{
    return request.json.at("messages").back().at("content").is_string()
        ? request.json.at("messages").back().at("content").get<std::string>()
        : request.json.at("messages").back().at("content").at(0).at("text").get<std::string>();
}

/// What is wrong with the projections of a session that nobody has open; "" if they follow from its events.
QString wrongAt(const QString& path)
{
    auto writer = SessionWriter::open(path.toStdString());
    if (!writer)
        return QString::fromStdString(writer.error().line());
    const auto before = (*writer)->projectionsHash();
    if (const auto rebuilt = (*writer)->rebuildProjections(); !rebuilt)
        return QString::fromStdString(rebuilt.error().line());
    const auto after = (*writer)->projectionsHash();
    return before && after && *before == *after ? QString() : QStringLiteral("they are others after a rebuild");
}

struct ModelRun {
    FakeServer server;
    EngineDriver driver;
    std::vector<std::string> extraHeaders;
    int number = 0, judges = 0, translations = 0;
    QByteArray judgement = judged;

    explicit ModelRun(const TaskPack& pack)
    {
        server.start();
        server.setHandler([this, &pack](const SeenRequest& request) {
            const bool judge = asksAJudge(request), translate = asksToTranslate(request);
            judges += judge;
            translations += translate;
            Said said;
            said.pieces = {(judge ? judgement
                    : translate   ? wholeProgram(pack.seed())
                                  : scriptedReply(++number))
                               .toStdString()};
            said.input = judge ? 700 : 100;
            said.output = judge ? 30 : 50;
            const bool anthropic = request.target.ends_with("/messages");
            Script script = stream(eventsOf(anthropic ? ModelProtocol::Anthropic : ModelProtocol::OpenAiChat, said));
            if (!extraHeaders.empty()) {
                std::vector<std::string> lines{"Content-Type: text/event-stream"};
                lines.insert(lines.end(), extraHeaders.begin(), extraHeaders.end());
                script.front() = send(head(200, lines));
            }
            return script;
        });
    }

    void begin(const TaskPack& pack, std::int64_t evaluations, const QByteArray& more = {})
    {
        const QString models = driver.path() + QStringLiteral(".models.json");
        writeModelsFile(models, server.serverPort(), more);
        makeWiseCheap(models);
        NewSession session;
        session.path = driver.path();
        session.pack = pack;
        session.settings.proposer = "model:" + models.toStdString();
        session.settings.budget.evaluations = evaluations;
        driver.engine.create(session);
    }

    std::string text(const Hash& hash) { return driver.text(hash); }
    /// What the session's table of calls says that this one is for.
    QString recordedPurposeOf(ModelRequestId id)
    {
        SqlConnection connection;
        if (!connection.open(driver.path().toStdString(), OpenMode::ReadOnly))
            return {};
        const auto purpose
            = valueOf(connection.database(), "SELECT purpose FROM model_call WHERE id = " + std::to_string(id.value));
        return purpose ? purpose->toString() : QString();
    }
    bool until(const std::function<bool(const RunState&)>& seen)
    {
        return QTest::qWaitFor([&] { return seen(driver.run()); }, patience);
    }
    bool goOn(std::int64_t evaluations)
    {
        driver.execute(commands::SetBudget{{evaluations, 0, 0, 0}});
        driver.execute(commands::Run{});
        return driver.waitForEnd();
    }
    /// What is said of a judge's word on it. One snapshot for both, as they point into it.
    std::string judgesWord(CandidateId id)
    {
        const RunState& run = driver.run();
        return wordsOf(run, judgementOf(run, id));
    }
    std::string progress()
    {
        const RunState& run = driver.run();
        return progressOf(run, run.steeringRequests.front()).words;
    }
    CandidateId anEdit()
    {
        for (const Candidate& candidate : driver.run().candidates)
            if (!candidate.parents.empty() && !candidate.patch.isNull() && candidate.isRanked())
                return candidate.id;
        return {};
    }
};

} // namespace

class TestPersonsPrompts : public QObject
{
    Q_OBJECT

    const TaskPack m_pack = gemmPack();

private Q_SLOTS:
    void initTestCase() { qputenv(qUtf8Printable(canaryVariable), canaryKey); }

    void aVerdictIsReadOutOfWhateverStandsAroundIt_data()
    {
        QTest::addColumn<QByteArray>("reply");
        QTest::addColumn<QString>("verdict");
        QTest::addColumn<qint64>("of");
        QTest::addColumn<QString>("reason");
        QTest::addColumn<double>("ratio");
        QTest::newRow("bare") << quoted("{'verdict': 'measure', 'of': null, 'reason': 'New.', 'expected_ratio': 1.5}")
                              << "measure" << qint64(0) << "New." << 1.5;
        QTest::newRow("draft, fence") << judged << "repeat" << qint64(1) << "The seed does this." << 1.04;
        QTest::newRow("prose") << QByteArray("Yes {well}: {\"verdict\":\"wrong\",\"reason\":\"a } in it\"} I think.")
                               << "wrong" << qint64(0) << "a } in it" << 0.0;
        QTest::newRow("unknown candidate, no ratio")
            << quoted("{'verdict': 'repeat', 'of': 'c-0999', 'reason': '', 'expected_ratio': 'fast'}") << "repeat"
            << qint64(0) << "" << 0.0;
        QTest::newRow("no sensible ratio")
            << quoted("{'verdict': 'measure', 'expected_ratio': -3}") << "measure" << qint64(0) << "" << 0.0;
        QTest::newRow("another word") << quoted("{'verdict': 'great', 'reason': 'x'}") << "unclear" << qint64(0) << ""
                                      << 0.0;
        QTest::newRow("cut") << quoted("{'verdict': 'measure', 'reason': 'x") << "unclear" << qint64(0) << "" << 0.0;
        QTest::newRow("braces alone") << QByteArray("{").repeated(100000) << "unclear" << qint64(0) << "" << 0.0;
        QTest::newRow("nothing") << QByteArray() << "unclear" << qint64(0) << "" << 0.0;
    }
    void aVerdictIsReadOutOfWhateverStandsAroundIt()
    {
        QFETCH(QByteArray, reply);
        QFETCH(QString, verdict);
        QFETCH(qint64, of);
        QFETCH(QString, reason);
        QFETCH(double, ratio);
        RunState state;
        Candidate seed;
        seed.id = CandidateId{1};
        state.candidates.push_back(seed);
        const Judgement judgement = judgementIn(reply.toStdString(), state);
        QCOMPARE(QString::fromStdString(nameOf(judgement.verdict)), verdict);
        QCOMPARE(qint64(judgement.of.value), of);
        QCOMPARE(QString::fromStdString(judgement.reason), reason);
        QCOMPARE(judgement.expectedRatio, ratio);
    }

    void aJudgesWordStandsBesideTheEditAndInTheBooksAndDecidesNothing()
    {
        ModelRun stage(m_pack);
        stage.begin(m_pack, 6);
        QVERIFY(stage.driver.waitForEnd());
        const RunState before = stage.driver.run();
        const CandidateId id = stage.anEdit();
        QVERIFY(id);
        // The run has ended: it is asked all the same, and the run stays as it is.
        stage.driver.execute(commands::RequestJudgement{id});
        QVERIFY(stage.driver.failures.isEmpty());
        stage.driver.execute(commands::RequestJudgement{id});
        QCOMPARE(stage.driver.failures, QStringList{QStringLiteral("judge/asked")});
        QVERIFY(stage.until([](const RunState& run) { return run.judgements.size() == 1; }));
        const RunState run = stage.driver.run();
        QCOMPARE(stage.judges, 1);
        const Judgement& said = run.judgements.front();
        QCOMPARE(said.candidate, id);
        QCOMPARE(nameOf(said.verdict), std::string("repeat"));
        QCOMPARE(said.of, CandidateId{1});
        const ModelRequest& asked = *run.modelRequest(said.modelRequest);
        QCOMPARE(asked.promptName, std::string("judge"));
        QCOMPARE(stage.recordedPurposeOf(asked.id), QStringLiteral("judge"));
        QVERIFY(!asked.promptVersion.isNull());
        QVERIFY(asked.mostTokens > 730); // the worst case was checked before it left
        QCOMPARE(asked.model, std::string("wise")); // the cheaper one
        QCOMPARE(asked.answer.tokens.total(), std::int64_t(730));
        QCOMPARE(asked.answer.costMicroUsd, std::optional<std::int64_t>(70 + 12));
        QCOMPARE(run.tokensSpent, before.tokensSpent + 730);
        QCOMPARE(run.costMicroUsd, before.costMicroUsd + 82);
        QVERIFY(stage.text(asked.answer.reply).find("The seed does this.") != std::string::npos);
        QVERIFY(wordsOf(run, judgementOf(run, id))
                    .starts_with("Judged by wise: repeats c-0001. The seed does this. It expects 1.04×"));
        // Nothing else has changed.
        QVERIFY(run.candidates == before.candidates);
        QVERIFY(run.proposals == before.proposals);
        QCOMPARE(run.phase, before.phase);
        QVERIFY(stage.driver.close());
        QCOMPARE(wrongAt(stage.driver.path()), QString());
        EngineDriver again({}, stage.driver.path());
        again.engine.open(stage.driver.path());
        QVERIFY(again.run().judgements == run.judgements);
        QVERIFY(again.run().steeringRequests == run.steeringRequests);
    }

    void anAnswerWithoutAVerdictSaysSoAndALostOneIsNotAskedAgain()
    {
        ModelRun stage(m_pack);
        stage.begin(m_pack, 4);
        QVERIFY(stage.driver.waitForEnd());
        const CandidateId id = stage.anEdit();
        QVERIFY(id);
        stage.judgement = "I would rather not say.\n";
        stage.driver.execute(commands::RequestJudgement{id});
        QVERIFY(stage.until([](const RunState& run) { return run.judgements.size() == 1; }));
        QCOMPARE(stage.judgesWord(id), std::string("Judged by wise: its reply contains no verdict."));
        stage.server.setHandler([&](const SeenRequest&) {
            ++stage.judges;
            return answer(400, "{\"error\": {\"message\": \"no such thing\"}}");
        });
        stage.driver.execute(commands::RequestJudgement{id});
        QVERIFY(stage.until([&](const RunState& run) {
            const JudgementOf now = judgementOf(run, id);
            return now.asked && now.asked->state == ModelRequestState::Failed;
        }));
        const RunState& run = stage.driver.run();
        QVERIFY(!judgementOf(run, id).waiting && !judgementOf(run, id).said);
        QVERIFY(wordsOf(run, judgementOf(run, id)).starts_with("wise did not judge it: "));
        QCOMPARE(run.judgements.size(), std::size_t(1));
    }

    void aJudgeGoesBeforeEditsWhereEveryLineIsBusy()
    {
        ModelRun stage(m_pack);
        stage.begin(m_pack, 40, "\"limits\": {\"in_flight\": 1},\n");
        QVERIFY(stage.until([&](const RunState& run) { return run.evaluationsDone >= 3; }));
        const CandidateId id = stage.anEdit();
        QVERIFY(id);
        stage.driver.execute(commands::RequestJudgement{id});
        QVERIFY(stage.until([](const RunState& run) { return run.judgements.size() == 1; }));
        QVERIFY(stage.driver.run().evaluationsDone < 40);
        QVERIFY(stage.driver.waitForEnd());
        QCOMPARE(stage.driver.ended->run.phase, events::Phase::Finished);
        QCOMPARE(stage.judges, 1);
    }

    void withoutAModelOrTheMoneyTheJudgeIsNotAskedAndItIsSaidWhy()
    {
        EngineDriver plain;
        plain.create(m_pack, 4);
        QVERIFY(plain.waitForEnd());
        plain.execute(commands::RequestJudgement{CandidateId{2}});
        plain.execute(commands::RequestJudgement{CandidateId{1}});
        plain.execute(commands::RequestJudgement{CandidateId{99}});
        QCOMPARE(plain.failures,
            (QStringList{QStringLiteral("judge/no-models"), QStringLiteral("judge/no-edit"),
                QStringLiteral("candidate/unknown")}));
        QVERIFY(plain.run().steeringRequests.empty());

        ModelRun stage(m_pack);
        stage.begin(m_pack, 4);
        QVERIFY(stage.driver.waitForEnd());
        const CandidateId id = stage.anEdit();
        stage.driver.execute(commands::SetBudget{{4, 0, stage.driver.run().tokensSpent + 100, 0}});
        const std::size_t asked = stage.server.seen().size();
        stage.driver.execute(commands::RequestJudgement{id});
        QCOMPARE(stage.driver.failures, QStringList{QStringLiteral("budget/tokens")});
        QVERIFY(!nextJudgement(stage.driver.run()));
        QCOMPARE(stage.judgesWord(id), std::string());
        QCOMPARE(stage.server.seen().size(), asked);
    }

    void aProgramIsWrittenAnewFromThePlainFormAsAnEditOfTheCandidate()
    {
        ModelRun stage(m_pack);
        stage.begin(m_pack, 5);
        QVERIFY(stage.driver.waitForEnd());
        const CandidateId id = stage.anEdit();
        SteeringPrompt translate;
        translate.templateName = "translate";
        stage.driver.execute(commands::RequestEdits{id, 1, {}, translate});
        QVERIFY(stage.driver.failures.isEmpty());
        QCOMPARE(stage.progress(), std::string("waiting to be sent"));
        QVERIFY(stage.goOn(12));
        const RunState& run = stage.driver.run();
        QCOMPARE(stage.translations, 1);
        const SteeringProgress progress = progressOf(run, run.steeringRequests.front());
        QVERIFY2(progress.made, progress.words.c_str());
        const Candidate& made = *run.candidate(progress.made);
        QCOMPARE(made.parents, std::vector{id});
        QVERIFY(stage.text(made.source).find("constexpr int TRANSLATED = 7;") != std::string::npos);
        const ModelRequest& asked = *run.modelRequest(progress.asked);
        QCOMPARE(asked.promptName, std::string("translate"));
        QCOMPARE(stage.recordedPurposeOf(asked.id), QStringLiteral("translate"));
        const std::string prompt = stage.text(asked.prompt);
        QVERIFY(prompt.find("The reference of the operation, in full precision") != std::string::npos);
        QCOMPARE(made.outcome, Outcome::Ranked);
    }

    void aPreviewedPromptIsSentOnceAndNoFurtherOneIsWrittenSo()
    {
        ModelRun stage(m_pack);
        stage.begin(m_pack, 5);
        QVERIFY(stage.driver.waitForEnd());
        const CandidateId id = stage.anEdit();
        const PromptPreview shown = stage.driver.preview({{}, "exploit", {}, id});
        QVERIFY(!shown.error);
        const PromptDraft draft{{}, "exploit", "Just this once.\r\n" + shown.standing, id};
        const PromptPreview previewed = stage.driver.preview(draft);
        QVERIFY(!previewed.error);
        // Taken back before it is sent, then sent.
        stage.driver.execute(commands::SendPrompt{draft});
        stage.driver.execute(commands::CancelRequests{id, SteeringRequestId{1}});
        QVERIFY(stage.driver.failures.isEmpty());
        QVERIFY(!stage.driver.run().steeringRequests.front().isOpen());
        stage.driver.execute(commands::SendPrompt{draft});
        QVERIFY(stage.goOn(12));
        const RunState run = stage.driver.run();
        const SteeringProgress progress = progressOf(run, run.steeringRequests.at(1));
        QVERIFY2(progress.made, progress.words.c_str());
        const ModelRequest& asked = *run.modelRequest(progress.asked);
        QCOMPARE(stage.text(asked.prompt), previewed.prompt.user);
        QCOMPARE(asked.promptVersion, previewed.prompt.templateVersion);
        QCOMPARE(asked.parents, std::vector{id});
        int once = 0;
        for (const SeenRequest& request : stage.server.seen())
            once += promptOf(request).starts_with("Just this once.\n");
        QCOMPARE(once, 1);
        QVERIFY(run.templates.empty()); // no version was saved
        int counted = 0, exploits = 0;
        for (const TemplateUse& use : templateUses(run, {}, "exploit"))
            counted += use.statistics.asked;
        for (const ModelRequest& modelRequest : run.modelRequests)
            exploits += modelRequest.promptName == "exploit";
        QCOMPARE(counted, exploits - 1); // and it counts for none
        stage.driver.execute(commands::CancelRequests{id, SteeringRequestId{2}});
        QCOMPARE(stage.driver.failures, QStringList{QStringLiteral("wish/none")});
        QVERIFY(stage.driver.close());
        QCOMPARE(wrongAt(stage.driver.path()), QString());
    }

    void whatCannotBeSentIsRefusedWithItsReason()
    {
        ModelRun stage(m_pack);
        stage.begin(m_pack, 4);
        QVERIFY(stage.driver.waitForEnd());
        const auto refusedAs = [&](const PromptDraft& draft) {
            stage.driver.failures.clear();
            stage.driver.execute(commands::SendPrompt{draft});
            return stage.driver.failures.join(QLatin1Char(' '));
        };
        QCOMPARE(refusedAs({{}, "exploit", "{{nonsense}}", {}}), QStringLiteral("prompt/placeholder"));
        QCOMPARE(refusedAs({{}, "poem", "x", {}}), QStringLiteral("prompt/template"));
        QCOMPARE(refusedAs({{}, "summary", {}, {}}), QStringLiteral("prompt/no-edit"));
        QCOMPARE(refusedAs({{}, "repair", {}, CandidateId{99}}), QStringLiteral("candidate/unknown"));
        QVERIFY(stage.driver.run().steeringRequests.empty());
        EngineDriver plain;
        plain.create(m_pack, 3);
        QVERIFY(plain.waitForEnd());
        plain.execute(commands::SendPrompt{{{}, "exploit", {}, {}}});
        SteeringPrompt translate;
        translate.templateName = "translate";
        plain.execute(commands::RequestEdits{CandidateId{1}, 1, {}, translate});
        QCOMPARE(plain.failures, (QStringList{QStringLiteral("wish/unread"), QStringLiteral("wish/unread")}));
    }

    void whatServersToldOfTheirLimitsStandsInTheRunWhileItHolds()
    {
        ModelRun silent(m_pack);
        silent.begin(m_pack, 4);
        QVERIFY(silent.driver.waitForEnd());
        for (const ModelStatus& model : silent.driver.ended->status.models)
            QVERIFY(model.limits.empty());
        ModelRun stage(m_pack);
        stage.extraHeaders = {"x-ratelimit-limit-requests: 500", "x-ratelimit-remaining-requests: 498",
            "x-ratelimit-reset-requests: 1h", "x-ratelimit-remaining-tokens: 39000"};
        stage.begin(m_pack, 6, "\"limits\": {\"in_flight\": 1},\n");
        QVERIFY(stage.driver.waitForEnd());
        const auto& models = stage.driver.ended->status.models;
        QCOMPARE(models.size(), std::size_t(2));
        const auto answered
            = std::ranges::find_if(models, [](const ModelStatus& model) { return !model.limits.empty(); });
        QVERIFY(answered != models.end());
        QCOMPARE(answered->limits.size(), std::size_t(2));
        const ServerLimit &requests = answered->limits[0], &tokens = answered->limits[1];
        QCOMPARE(requests.kind, std::string("requests"));
        QCOMPARE(requests.left, std::int64_t(498));
        QCOMPARE(requests.of, std::int64_t(500));
        QVERIFY(requests.refillsUtc > requests.readUtc && !requests.readUtc.empty());
        QCOMPARE(tokens.kind, std::string("tokens"));
        QCOMPARE(tokens.left, std::int64_t(39'000));
        QCOMPARE(tokens.of, std::int64_t(-1));
        QCOMPARE(tokens.refillsUtc, std::string());
        QVERIFY(wordsOf(requests).starts_with("498 of 500 requests left, full again at "));
        QVERIFY(wordsOf(tokens).starts_with("39000 tokens left (read at "));
    }

    void whatAByteMakesIsKnownThoughNoContextIs()
    {
        ModelRun stage(m_pack);
        const QString file = stage.driver.path() + QStringLiteral(".own.json");
        writeModelsFile(file, stage.server.serverPort());
        const auto models = loadModelsFile(file.toStdString());
        QVERIFY(models.has_value());
        for (const ModelSpec& spec : models->models)
            QCOMPARE(spec.capabilities.contextTokens, 0);
        RunState state;
        int answers = 0;
        ModelReplySource outside(*models);
        ReplySink sink;
        sink.state = [&]() -> const RunState& { return state; };
        sink.answered = [&](ModelRequestId, const Response&) { ++answers; };
        sink.arrived = [](ModelRequestId, const ModelRequestBody&, const std::string&) {};
        sink.statisticsChanged = [&](const std::string& model, const ModelStatistics& statistics) {
            state.statisticsByModel[model] = statistics;
        };
        sink.moved = [] {};
        sink.triesAgain = [](ModelRequestId, int) {};
        sink.noted = [](const std::string&, const std::string&) {};
        outside.open(sink);
        QCOMPARE(outside.promptRoom({}).tokens, std::int64_t(0));
        QCOMPARE(outside.promptRoom({}).tokensPerByte, 0.0); // nobody has answered yet
        QCOMPARE(outside.promptRoom({}).rate(), usualTokensPerByte);
        OutgoingRequest outgoing;
        outgoing.id = ModelRequestId{1};
        outgoing.model = "swift";
        outgoing.system = "be brief";
        outgoing.user = std::string(992, 'x'); // the server counts 100 tokens
        QVERIFY(outside.send(outgoing).has_value());
        QVERIFY(QTest::qWaitFor([&] { return answers == 1; }, patience));
        const PromptRoom room = outside.promptRoom({});
        QCOMPARE(room.tokens, std::int64_t(0)); // no limit is known still
        QCOMPARE(room.model, std::string());
        // Halfway from the guess for any prompt, 0.25, to what the one answer told, 0.1.
        QVERIFY2(std::abs(room.tokensPerByte - 0.175) < 0.005, std::to_string(room.tokensPerByte).c_str());
        QCOMPARE(room.rate(), room.tokensPerByte);
    }
};

TILEWRIGHT_TEST(TestPersonsPrompts)
#include "test_persons_prompts.moc"
