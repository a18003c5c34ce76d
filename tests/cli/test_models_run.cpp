// SPDX-License-Identifier: GPL-3.0-or-later
// `evolve --proposer model` as a user starts it, against the scripted model server with a fault in every tenth
// request: no hang, no lost reply, books that balance to the token, the same candidates by replay, and the key in no
// file. With a fake node it is short; built with TILEWRIGHT_REAL_NODE it measures 200 candidates for real.
#ifndef Q_MOC_RUN
#include "tests/cli/cli_run.h"
#include "tests/llm/model_stage.h"
#endif

#include <QJsonArray>
#include <QSet>
#include <QTemporaryDir>
#include <QTest>

using namespace tilewright::testing;

namespace {

#ifdef TILEWRIGHT_REAL_NODE
constexpr bool hasRealNode = true;
constexpr int candidates = 200;
constexpr int patienceMs = 3'000'000;
#else
constexpr bool hasRealNode = false;
constexpr int candidates = 30;
constexpr int patienceMs = 250'000;
#endif

enum class Node { Fake, Real };

} // namespace

class TestModelsRun : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;
    QString file(const char* name) const { return m_folder.filePath(QString::fromLatin1(name)); }

    QProcessEnvironment environment(Node node) const
    {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("XDG_DATA_HOME"), m_folder.path());
        environment.insert(canaryVariable, QString::fromLatin1(canaryKey));
        if (node == Node::Fake || !hasRealNode)
            environment.insert(QStringLiteral("TILEWRIGHT_NODE"), QStringLiteral(TILEWRIGHT_FAKE_NODE));
        return environment;
    }

    /// The real node measures only where that is the point: a replay makes the same candidates whatever they measure.
    Run cli(const QStringList& arguments, Node node = Node::Fake) const
    {
        return runToItsEnd(environment(node), arguments, patienceMs);
    }

    QStringList programsOf(const QString& session) const
    {
        QStringList programs;
        const QJsonObject shown
            = cli({QStringLiteral("show"), session, QStringLiteral("--json"), QStringLiteral("--all")}).json();
        for (const QJsonValue& candidate : shown[QStringLiteral("candidates")].toArray())
            if (!candidate[QStringLiteral("migrated")].toBool())
                programs << candidate[QStringLiteral("program")].toString();
        return programs;
    }

    static QStringList evolve(const QString& session, const QString& proposer, int evaluations)
    {
        return {QStringLiteral("evolve"), QStringLiteral("--task"), QStringLiteral("gemm-fp32-cpu"),
            QStringLiteral("--session"), session, QStringLiteral("--proposer"), proposer,
            QStringLiteral("--evaluations"), QString::number(evaluations), QStringLiteral("--json")};
    }

private Q_SLOTS:
    void initTestCase() { qputenv("TILEWRIGHT_SHARE", TILEWRIGHT_SOURCE_DIR); }

    void aRunByModelsWithFaultsBalancesItsBooksAndReplays()
    {
        writeScriptedReplies(file("replies"), 400);
        ModelServerProcess server;
        const int port = server.start(QStringLiteral(TILEWRIGHT_FAKE_MODEL_SERVER), file("replies"),
            file("ledger.jsonl"), hasRealNode ? 0.1 : 0.25, 20261122);
        QVERIFY(port > 0);
        writeModelsFile(file("models.json"), port, "\"limits\": {\"in_flight\": 6},\n");
        const QString session = file("run.tilewright");
        const Run run = cli(evolve(session, QStringLiteral("model"), candidates)
                + QStringList{QStringLiteral("--models"), file("models.json"), QStringLiteral("--cost-usd"),
                    QStringLiteral("50")},
            Node::Real);
        QVERIFY2(run.exitCode == 0, run.err.constData());
        QCOMPARE(run.json()[QStringLiteral("evaluations")].toInt(), candidates);
        QVERIFY2(run.err.contains(" in flight · ") && run.err.contains(" tokens · "), run.err.constData());

        const QJsonObject shown = cli({QStringLiteral("show"), session, QStringLiteral("--json")}).json();
        const QJsonObject asked = shown[QStringLiteral("inquiries")].toObject();
        const LedgerSums sums = sumsOf(file("ledger.jsonl"));
        QVERIFY(sums.faults >= 3);
        QCOMPARE(asked[QStringLiteral("open")].toInt(), 0);
        QCOMPARE(asked[QStringLiteral("lost")].toInt(), 0);
        QCOMPARE(asked[QStringLiteral("tokens")].toInteger() - asked[QStringLiteral("tokens_guessed")].toInteger(),
            sums.toldInput + sums.toldOutput);
        qint64 forPurposes = 0, tokens = 0;
        const QJsonObject purposes = asked[QStringLiteral("by_purpose")].toObject();
        for (const QJsonValue& purpose : purposes) {
            forPurposes += purpose[QStringLiteral("asked")].toInteger();
            tokens += purpose[QStringLiteral("tokens")].toInteger();
        }
        QCOMPARE(forPurposes, asked[QStringLiteral("asked")].toInteger());
        QCOMPARE(tokens, asked[QStringLiteral("tokens")].toInteger());
        for (const char* purpose : {"propose", "repair", "summary"})
            QVERIFY2(purposes[QLatin1String(purpose)][QStringLiteral("asked")].toInteger() > 0, purpose);
        qint64 picks = 0;
        for (const QJsonValue& model : shown[QStringLiteral("models")].toObject())
            picks += model[QStringLiteral("picks")].toInteger();
        QCOMPARE(picks, asked[QStringLiteral("asked")].toInteger());
        QVERIFY(!shown[QStringLiteral("statistics")][QStringLiteral("by_template")].toArray().isEmpty());
        QVERIFY(
            shown[QStringLiteral("insights")].toArray().size() >= candidates / 30); // every 25, when one can be asked
        qInfo("%d candidates: %lld requests, %lld faults, %lld calls, %lld tokens told, %lld guessed, %.4f $",
            candidates, static_cast<long long>(sums.requests), static_cast<long long>(sums.faults),
            static_cast<long long>(picks), static_cast<long long>(sums.toldInput + sums.toldOutput),
            static_cast<long long>(asked[QStringLiteral("tokens_guessed")].toInteger()),
            asked[QStringLiteral("cost_usd")].toDouble());

        const QString again = file("again.tilewright");
        const Run replay = cli(evolve(again, QStringLiteral("replay:") + session, 0));
        QVERIFY2(replay.exitCode == 0, replay.err.constData());
        const QStringList before = programsOf(session);
        QVERIFY(before.size() >= candidates);
        QCOMPARE(programsOf(again), before);
        QVERIFY(!anyFileHolds(m_folder.path(), canaryKey));
    }

#ifndef TILEWRIGHT_REAL_NODE
    void aRunThatIsKilledAgainAndAgainLosesNoReplyAndDoublesNothing()
    {
        writeScriptedReplies(file("replies"), 400);
        ModelServerProcess server;
        const int port
            = server.start(QStringLiteral(TILEWRIGHT_FAKE_MODEL_SERVER), file("replies"), file("killed.jsonl"), 0.1, 3);
        writeModelsFile(file("models.json"), port);
        const QString session = file("killed.tilewright");
        constexpr int evaluations = 60;
        for (int life = 0; life < 6; ++life) {
            QProcess process;
            process.setProcessEnvironment(environment(Node::Fake));
            process.start(QStringLiteral(TILEWRIGHT_CLI),
                life == 0 ? evolve(session, QStringLiteral("model"), evaluations)
                        + QStringList{QStringLiteral("--models"), file("models.json")}
                          : QStringList{QStringLiteral("resume"), session});
            QVERIFY(process.waitForStarted());
            // The session has to be there before the first kill; then anywhere.
            for (int i = 0; i < 200 && !QFile::exists(session); ++i)
                QTest::qWait(20);
            QTest::qWait(150 + 130 * life);
            process.kill();
            process.waitForFinished(patience);
        }
        const Run last = cli({QStringLiteral("resume"), session});
        QVERIFY2(last.exitCode == 0, last.err.constData());
        const QJsonObject shown = cli({QStringLiteral("show"), session, QStringLiteral("--json")}).json();
        QCOMPARE(shown[QStringLiteral("evaluations")].toInt(), evaluations);
        const QJsonObject asked = shown[QStringLiteral("inquiries")].toObject();
        QCOMPARE(asked[QStringLiteral("open")].toInt(), 0);
        const QStringList programs = programsOf(session);
        QCOMPARE(QSet<QString>(programs.begin(), programs.end()).size(), programs.size());
        const LedgerSums sums = sumsOf(file("killed.jsonl"));
        const qint64 known
            = asked[QStringLiteral("tokens")].toInteger() - asked[QStringLiteral("tokens_guessed")].toInteger();
        QVERIFY(known <= sums.toldInput + sums.toldOutput);
        qInfo("%lld calls, %lld lost, %lld put again",
            static_cast<long long>(asked[QStringLiteral("asked")].toInteger()),
            static_cast<long long>(asked[QStringLiteral("lost")].toInteger()),
            static_cast<long long>(asked[QStringLiteral("repeated")].toInteger()));
        if (asked[QStringLiteral("lost")].toInt() == 0)
            QCOMPARE(known, sums.toldInput + sums.toldOutput);
        else
            QVERIFY(asked[QStringLiteral("at_least")].toBool());
        QVERIFY(!anyFileHolds(m_folder.path(), canaryKey));
    }

    void budgetsPauseWithTheirReasonAndCodeZero()
    {
        writeScriptedReplies(file("replies"), 400);
        ModelServerProcess server;
        const int port
            = server.start(QStringLiteral(TILEWRIGHT_FAKE_MODEL_SERVER), file("replies"), file("budget.jsonl"), 0, 1);
        writeModelsFile(file("models.json"), port);
        const QString session = file("budget.tilewright");
        const Run run = cli(evolve(session, QStringLiteral("model"), 500)
            + QStringList{
                QStringLiteral("--models"), file("models.json"), QStringLiteral("--tokens"), QStringLiteral("60000")});
        QVERIFY2(run.exitCode == 0, run.err.constData());
        QVERIFY2(
            run.err.contains("the token budget does not cover another request: it could use "), run.err.constData());
        const QJsonObject shown = cli({QStringLiteral("show"), session, QStringLiteral("--json")}).json();
        QCOMPARE(shown[QStringLiteral("phase")].toString(), QStringLiteral("paused"));
        QVERIFY(shown[QStringLiteral("phase_reason")].toString().contains(QStringLiteral("token budget")));
        QVERIFY(shown[QStringLiteral("inquiries")][QStringLiteral("tokens")].toInteger() <= 60'000);
        const Run more = cli({QStringLiteral("resume"), session, QStringLiteral("--tokens"), QStringLiteral("90000")});
        QVERIFY2(more.exitCode == 0 && more.err.contains("of 90000"), more.err.constData());
    }

    void aCostThatNobodyKnowsIsNullAndNotNothing()
    {
        writeScriptedReplies(file("replies"), 20);
        ModelServerProcess server;
        const int port
            = server.start(QStringLiteral(TILEWRIGHT_FAKE_MODEL_SERVER), file("replies"), file("unknown.jsonl"), 0, 1);
        QFile models(file("unknown.json"));
        QVERIFY(models.open(QIODevice::WriteOnly));
        models.write("{\"format\": 1, \"endpoints\": [{\"name\": \"e\", \"template\": \"other\", \"protocol\": "
                     "\"openai-chat\", \"url\": \"http://127.0.0.1:"
            + QByteArray::number(port)
            + "\", \"key\": null}], \"models\": [{\"name\": \"free\", \"endpoint\": \"e\", \"model\": \"x\"}]}");
        models.close();
        const QString session = file("unknown.tilewright");
        const Run run = cli(evolve(session, QStringLiteral("model"), 4)
            + QStringList{QStringLiteral("--models"), file("unknown.json")});
        QVERIFY2(run.exitCode == 0, run.err.constData());
        const QJsonObject shown = cli({QStringLiteral("show"), session, QStringLiteral("--json")}).json();
        const QJsonObject asked = shown[QStringLiteral("inquiries")].toObject();
        QVERIFY(asked[QStringLiteral("tokens")].toInteger() > 0);
        QVERIFY(asked[QStringLiteral("cost_usd")].isNull());
        const QJsonArray templates = shown[QStringLiteral("statistics")][QStringLiteral("by_template")].toArray();
        QVERIFY(!templates.isEmpty());
        for (const QJsonValue& one : templates)
            if (one[QStringLiteral("unpriced")].toInt() > 0)
                QVERIFY(one[QStringLiteral("cost_usd")].isNull());
    }

    void aMoneyLimitWithoutAPriceIsRefusedAtTheStart()
    {
        QFile models(file("priceless.json"));
        QVERIFY(models.open(QIODevice::WriteOnly));
        models.write("{\"format\": 1, \"endpoints\": [{\"name\": \"e\", \"template\": \"other\", \"protocol\": "
                     "\"openai-chat\", \"url\": \"http://127.0.0.1:9\", \"key\": null}], \"models\": [{\"name\": "
                     "\"free\", \"endpoint\": \"e\", \"model\": \"x\"}]}");
        models.close();
        const QStringList with{QStringLiteral("--models"), file("priceless.json")};
        const Run run = cli(evolve(file("none.tilewright"), QStringLiteral("model"), 5) + with
            + QStringList{QStringLiteral("--cost-usd"), QStringLiteral("1")});
        QCOMPARE(run.exitCode, 2);
        QVERIFY2(run.err.contains("the price of the model 'free'"), run.err.constData());
        QVERIFY(!QFile::exists(file("none.tilewright")));
        QCOMPARE(cli(evolve(file("none.tilewright"), QStringLiteral("mutator"), 5) + with).exitCode, 2);
        const Run nothing = cli(evolve(file("none.tilewright"), QStringLiteral("model"), 5));
        QCOMPARE(nothing.exitCode, 2);
        QVERIFY2(nothing.err.contains("--models FILE"), nothing.err.constData());
        const QByteArray help = cli({QStringLiteral("evolve"), QStringLiteral("--help")}).out;
        for (const char* option : {"--models", "--tokens", "--cost-usd"})
            QVERIFY2(help.contains(option), option);
    }

    void everyMistakeOfAModelsFileIsToldInALineOfItsOwn()
    {
        QFile models(file("mistaken.json"));
        QVERIFY(models.open(QIODevice::WriteOnly));
        models.write(
            "{\"format\": 1, \"endpoints\": [{\"name\": \"e\", \"template\": \"vllm\", \"url\": \"nonsense\"}], "
            "\"models\": [{\"name\": \"free\", \"endpoint\": \"elsewhere\", \"model\": \"x\", \"weight\": -1}]}");
        models.close();
        const Run run = cli(evolve(file("none.tilewright"), QStringLiteral("model"), 5)
            + QStringList{QStringLiteral("--models"), file("mistaken.json")});
        QCOMPARE(run.exitCode, 2);
        QVERIFY2(run.err.contains("mistaken.json: 3 mistakes\n"), run.err.constData());
        for (const char* line : {"\n  endpoints[0].url: ", "\n  models[0].endpoint: 'elsewhere' is not the name of an ",
                 "\n  models[0].weight: must be between 0 and 1000000\n", "\n  see resources/models/README.md"})
            QVERIFY2(run.err.contains(line), run.err.constData());
        QVERIFY(!QFile::exists(file("none.tilewright")));
    }

    void whatTroublesAnIslandIsToldOfARunThatGoesOn()
    {
        writeModelsFile(file("nobody.json"), 9, "\"limits\": {\"patience_s\": 3600},\n");
        const QString session = file("troubled.tilewright");
        QProcess run;
        run.setProcessEnvironment(environment(Node::Fake));
        run.start(QStringLiteral(TILEWRIGHT_CLI),
            evolve(session, QStringLiteral("model"), 5) + QStringList{QStringLiteral("--models"), file("nobody.json")});
        Run told;
        QTRY_VERIFY_WITH_TIMEOUT(
            (told = cli({QStringLiteral("control"), session, QStringLiteral("status")})).out.contains("island A: "),
            patience);
        QCOMPARE(told.exitCode, 0);
        run.kill();
        QVERIFY(run.waitForFinished(patience));
    }

    void aModelThatIsNotThereEndsTheRunWithItsReason()
    {
        writeModelsFile(file("nobody.json"), 9, "\"limits\": {\"tries\": 1, \"patience_s\": 0},\n");
        const Run run = cli(evolve(file("nobody.tilewright"), QStringLiteral("model"), 5)
            + QStringList{QStringLiteral("--models"), file("nobody.json")});
        QCOMPARE(run.exitCode, 6);
        QVERIFY2(run.err.contains("no model is available"), run.err.constData());
        const Run shown = cli({QStringLiteral("show"), file("nobody.tilewright")});
        QVERIFY2(shown.out.contains(" failed)\ntokens "), shown.out.constData()); // asked, and nothing came
    }
#endif
};

QTEST_GUILESS_MAIN(TestModelsRun)
#include "test_models_run.moc"
