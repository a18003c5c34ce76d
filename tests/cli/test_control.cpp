// SPDX-License-Identifier: GPL-3.0-or-later
// Commands to a run that goes on in another process.
#include "core/control/address.h"
#include "tests/cli/cli_run.h"
#include "tests/test_program.h"

#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLocalServer>
#include <QLocalSocket>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
#include <csignal>
#include <cstring>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

using namespace Qt::StringLiterals;

class TestControl : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;
    const QString m_task = QStringLiteral(TILEWRIGHT_SOURCE_DIR "/kernels/gemm-fp32-cpu");
    QProcess m_run;

    QString file(const char* name) const { return m_folder.filePath(QString::fromLatin1(name)); }
    QString session() const { return file("steered.tilewright"); }

    QProcessEnvironment environment() const
    {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("TILEWRIGHT_NODE"), QStringLiteral(TILEWRIGHT_FAKE_NODE));
        environment.insert(QStringLiteral("XDG_DATA_HOME"), m_folder.path());
        environment.insert(QStringLiteral("XDG_RUNTIME_DIR"), file("runtime"));
        return environment;
    }

    Run cli(const QStringList& arguments) const { return runToItsEnd(environment(), arguments); }

    Run control(QStringList words) const
    {
        words.push_front(session());
        words.push_front(QStringLiteral("control"));
        words << QStringLiteral("--json");
        return cli(words);
    }

    QJsonArray reviews() const
    {
        return control({QStringLiteral("reviews")}).json().value(QStringLiteral("reviews")).toArray();
    }

    /// Waits until the run's program says that it is in this phase.
    bool isPhase(const char* phase) const
    {
        const QString wanted = QString::fromLatin1(phase);
        return QTest::qWaitFor(
            [&] {
                return control({QStringLiteral("status")}).json().value(QStringLiteral("phase")).toString() == wanted;
            },
            patience);
    }

    static QString nameOf(const QJsonValue& review)
    {
        return review.toObject().value(QStringLiteral("candidate")).toString();
    }

private Q_SLOTS:
    /// Each killed run leaves its socket; whoever listens, and what is no socket, stays.
    void socketsAtWhichNobodyListensGo()
    {
        const QTemporaryDir folder;
        const auto path = [&folder](const char* name) { return folder.filePath(QString::fromLatin1(name)); };
        for (const char* name : {"own.control", "dead.control", "dead.other"}) {
            sockaddr_un address{};
            address.sun_family = AF_UNIX;
            const QByteArray at = path(name).toUtf8();
            std::memcpy(address.sun_path, at.constData(), static_cast<std::size_t>(at.size()));
            const int socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
            QCOMPARE(bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
            close(socket);
        }
        QLocalServer alive;
        alive.setSocketOptions(QLocalServer::UserAccessOption);
        QVERIFY(alive.listen(path("alive.control")));
        QFile plain(path("plain.control"));
        QVERIFY(plain.open(QIODevice::WriteOnly));
        plain.close();
        tilewright::removeDeadSockets(path("own.control").toStdString());
        QCOMPARE(QDir(folder.path()).entryList(QDir::AllEntries | QDir::System | QDir::NoDotAndDotDot, QDir::Name),
            (QStringList{u"alive.control"_s, u"dead.other"_s, u"own.control"_s, u"plain.control"_s}));
    }

    void initTestCase() { QVERIFY(mkdir(qPrintable(file("runtime")), 0700) == 0); }

    void init()
    {
        QFile::remove(session());
        m_run.setProcessEnvironment(environment());
        m_run.start(QStringLiteral(TILEWRIGHT_CLI),
            {QStringLiteral("evolve"), QStringLiteral("--task"), m_task, QStringLiteral("--session"), session(),
                QStringLiteral("--evaluations"), QStringLiteral("6"), QStringLiteral("--review"),
                QStringLiteral("every"), QStringLiteral("--review-limit"), QStringLiteral("0"),
                QStringLiteral("--json")});
        QVERIFY(QTest::qWaitFor([this] { return reviews().size() == 5; }, patience));
    }

    void cleanup()
    {
        m_run.kill();
        m_run.waitForFinished(patience);
    }

    void aRunIsDecidedFromAnotherProcess()
    {
        const QJsonArray waiting = reviews();
        QCOMPARE(control({QStringLiteral("reject"), nameOf(waiting[0]), QStringLiteral("--reason"),
                             QStringLiteral("too clever")})
                     .exitCode,
            0);
        QCOMPARE(control({QStringLiteral("defer"), nameOf(waiting[1])}).exitCode, 0);
        QCOMPARE(nameOf(reviews().last()), nameOf(waiting[1]));
        QCOMPARE(control({QStringLiteral("undo"), nameOf(waiting[0])}).exitCode, 0);
        QCOMPARE(reviews().size(), 5);
        QStringList approve{QStringLiteral("approve")};
        for (const QJsonValue& review : waiting)
            approve << nameOf(review);
        QCOMPARE(control(approve).exitCode, 0);
        QVERIFY(m_run.waitForFinished(patience));
        QCOMPARE(m_run.exitCode(), 0);
        const QJsonObject ended = QJsonDocument::fromJson(m_run.readAllStandardOutput()).object();
        QCOMPARE(ended.value(QStringLiteral("evaluations")).toInt(), 6);
        const Run shown = cli({QStringLiteral("show"), session(), QStringLiteral("--json")});
        const QJsonObject review = shown.json().value(QStringLiteral("review")).toObject();
        QCOMPARE(review.value(QStringLiteral("waiting")).toInt(), 0);
        QCOMPARE(review.value(QStringLiteral("reviews")).toArray().size(), 6); // one was asked about twice
        QVERIFY(
            review.value(QStringLiteral("reviews")).toArray()[0].toObject().value(QStringLiteral("undone")).toBool());
        QCOMPARE(control({QStringLiteral("status")}).exitCode, 6); // nobody runs it any more
    }

    void allThatWaitAreApprovedByOneWord()
    {
        QCOMPARE(control({QStringLiteral("approve"), QStringLiteral("all")}).exitCode, 0);
        QVERIFY(m_run.waitForFinished(patience));
        const Run shown = cli({QStringLiteral("show"), session(), QStringLiteral("--json")});
        for (const QJsonValue& review :
            shown.json().value(QStringLiteral("review")).toObject().value(QStringLiteral("reviews")).toArray())
            QCOMPARE(review.toObject().value(QStringLiteral("decision")).toString(), QStringLiteral("approved"));
        QCOMPARE(shown.json().value(QStringLiteral("evaluations")).toInt(), 6);
    }

    void aStopIsFinalAlsoOfAPausedRunAndWhoComesLateIsToldSo()
    {
        QCOMPARE(control({u"pause"_s, u"--cancel"_s}).exitCode, 0);
        QCOMPARE(control({u"stop"_s}).exitCode, 0);
        const Run late = control({u"run"_s}); // while it closes, or when it has
        QVERIFY2(late.exitCode != 0, late.err.constData());
        QVERIFY(m_run.waitForFinished(patience));
        QCOMPARE(m_run.exitStatus(), QProcess::NormalExit);
        QCOMPARE(m_run.exitCode(), 0);
    }

    void aPauseThatCancelsEndsAtOnceAndTheRunGoesOnFromThere()
    {
        const auto statusOf
            = [this](const char* field) { return control({u"status"_s}).json().value(QString::fromLatin1(field)); };
        QCOMPARE(control({u"stop"_s, u"--cancel"_s}).exitCode, 2);
        QCOMPARE(control({u"pause"_s, u"--cancel"_s}).exitCode, 0);
        QCOMPARE(statusOf("phase").toString(), u"paused"_s);
        QVERIFY(statusOf("phase_reason").toString().startsWith(u"paused by user"_s));
        QCOMPARE(reviews().size(), 5); // who waits for a user flies nowhere
        QCOMPARE(control({u"run"_s}).exitCode, 0);
        QCOMPARE(control({u"approve"_s, u"all"_s}).exitCode, 0);
        QVERIFY(m_run.waitForFinished(patience));
        QCOMPARE(m_run.exitCode(), 0);
        const Run shown = cli({u"show"_s, session(), u"--json"_s});
        QCOMPARE(shown.json().value(u"evaluations"_s).toInt(), 6);
    }

    void theMixOfAnIslandsProposersIsSetAndShownAndTakenBack()
    {
        QCOMPARE(control({u"island"_s, u"mix"_s, u"B"_s, u"mutator=1,tuner=2"_s}).exitCode, 0);
        QCOMPARE(control({u"island"_s, u"mix"_s, u"C"_s, u"model:coder=1"_s}).exitCode, 4);
        const Run alone = control({u"island"_s, u"mix"_s, u"C"_s, u"tuner=1"_s});
        QCOMPARE(alone.json()[u"code"_s].toString(), u"proposer/no-tunables"_s); // its seed has none
        const auto mixOf = [this](int island) {
            const Run shown = cli({u"show"_s, session(), u"--json"_s});
            return shown.json()[u"islands"_s].toArray()[island].toObject()[u"proposer_mix"_s].toObject();
        };
        QCOMPARE(mixOf(1), (QJsonObject{{u"mutator"_s, 1}, {u"tuner"_s, 2}}));
        QVERIFY(mixOf(2).isEmpty());
        QVERIFY(cli({u"control"_s, session(), u"islands"_s}).out.contains("proposers mutator 1, tuner 2"));
        QCOMPARE(control({u"island"_s, u"undo"_s}).exitCode, 0);
        QVERIFY(mixOf(1).isEmpty());
    }

    void aListingIsMadeByTheProgramThatRunsTheSession()
    {
        const auto listed = [this](const QString& candidate) {
            return cli({QStringLiteral("listing"), session(), candidate, QStringLiteral("--json")});
        };
        const QString waiting = nameOf(reviews()[0]);
        for (const QString& candidate : {QStringLiteral("c-0001"), waiting}) {
            const Run made = listed(candidate);
            QVERIFY2(made.exitCode == 0, made.err);
            QCOMPARE(made.json().value(QStringLiteral("made_by")).toString(),
                QStringLiteral("the program that runs the session"));
            QVERIFY(made.json().value(QStringLiteral("is_as_built")).toBool());
            QCOMPARE(made.json().value(QStringLiteral("candidate")).toString(), candidate);
        }
        const Run unknown = listed(QStringLiteral("c-0999"));
        QCOMPARE(unknown.exitCode, 2);
        QCOMPARE(unknown.json().value(QStringLiteral("code")).toString(), QStringLiteral("candidate/unknown"));
        QCOMPARE(cli({QStringLiteral("listing"), session(), QStringLiteral("c-0001"), QStringLiteral("--form"),
                         QStringLiteral("sass")})
                     .exitCode,
            2);
        m_run.kill();
        QVERIFY(m_run.waitForFinished(patience));
        const Run alone = listed(waiting);
        QVERIFY2(alone.exitCode == 0, alone.err);
        QCOMPARE(alone.json().value(QStringLiteral("made_by")).toString(), QStringLiteral("a separate node"));
    }

    void aProgramOfThePersonsTakesACandidatesPlace_data()
    {
        QTest::addColumn<QString>("command");
        QTest::newRow("edit") << u"edit"_s;
        QTest::newRow("an approval that brings a text") << u"approve"_s;
    }

    void aProgramOfThePersonsTakesACandidatesPlace()
    {
        QFETCH(QString, command);
        const QString name = nameOf(reviews()[0]);
        QFile source(m_task + QStringLiteral("/seed.cpp"));
        QVERIFY(source.open(QIODevice::ReadOnly));
        QByteArray text = source.readAll();
        const QByteArray end = "EVOLVE-BLOCK-END";
        text.insert(text.lastIndexOf('\n', text.indexOf(end)) + 1, "static int by_hand = 1;\n");
        const auto written = [this](const char* called, const QByteArray& bytes) {
            QFile made(file(called));
            if (!made.open(QIODevice::WriteOnly) || made.write(bytes) != bytes.size())
                qFatal("a file of the test cannot be written");
            return made.fileName();
        };
        const auto said = [&](const QString& candidate, const QString& path) {
            return control({command, candidate, u"--source"_s, path});
        };
        const QString good = written("edited.cpp", text);
        const QString broken = written("broken.cpp", QByteArray(text).replace("by_hand = 1", "FAKE_BUILD_ERROR = 1"));
        const Run refused = said(name, broken);
        QCOMPARE(refused.exitCode, 5);
        QVERIFY2(refused.err.contains("error: synthetic") || refused.out.contains("error: synthetic"), refused.err);
        QCOMPARE(
            control({command, name, nameOf(reviews()[1]), u"--source"_s, good}).exitCode, 2); // one text, one place
        QCOMPARE(said(name, written("empty.cpp", {})).exitCode, 2);
        QCOMPARE(reviews().size(), 5); // nothing was decided
        const Run done = said(name, good);
        QVERIFY2(done.exitCode == 0, done.err);
        QCOMPARE(reviews().size(), 4);
        const Run again = said(nameOf(reviews()[0]), good);
        QCOMPARE(again.exitCode, 3); // that program exists now: it was this one, not the proposed one
    }

    void marksWishesAndFurtherMeasurementsReachTheRun()
    {
        QCOMPARE(control({QStringLiteral("star"), QStringLiteral("c-0001"), QStringLiteral("c-0002")}).exitCode, 0);
        QCOMPARE(
            control({QStringLiteral("tag"), QStringLiteral("c-0002"), QStringLiteral("--tag"), QStringLiteral("odd")})
                .exitCode,
            0);
        QCOMPARE(control({QStringLiteral("note"), QStringLiteral("c-0002"), QStringLiteral("--text"),
                             QStringLiteral("watch the tail")})
                     .exitCode,
            0);
        QCOMPARE(control({QStringLiteral("boost"), QStringLiteral("c-0002"), QStringLiteral("--weight"),
                             QStringLiteral("2.5")})
                     .exitCode,
            0);
        QCOMPARE(control({QStringLiteral("unmark"), QStringLiteral("c-0001")}).exitCode, 0);
        QCOMPARE(
            control({QStringLiteral("more"), QStringLiteral("c-0001"), QStringLiteral("--count"), QStringLiteral("2")})
                .exitCode,
            0);
        QCOMPARE(control({QStringLiteral("rerun"), QStringLiteral("c-0001"), QStringLiteral("--repeats"),
                             QStringLiteral("3")})
                     .exitCode,
            0);
        QCOMPARE(control({QStringLiteral("rerun"), QStringLiteral("c-0001"), QStringLiteral("--shapes"),
                             QStringLiteral("M=77 N=103 K=51")})
                     .exitCode,
            0);
        QCOMPARE(control({QStringLiteral("policy"), QStringLiteral("automatic")}).exitCode, 0);
        QVERIFY(m_run.waitForFinished(60'000));
        const QJsonObject shown
            = cli({QStringLiteral("show"), session(), QStringLiteral("--json"), QStringLiteral("--all")}).json();
        QJsonObject second;
        for (const QJsonValue& candidate : shown.value(QStringLiteral("candidates")).toArray())
            if (candidate.toObject().value(QStringLiteral("id")).toString() == QStringLiteral("c-0002"))
                second = candidate.toObject().value(QStringLiteral("marks")).toObject();
        QVERIFY(second.value(QStringLiteral("starred")).toBool());
        QCOMPARE(second.value(QStringLiteral("tags")).toArray(), QJsonArray{QStringLiteral("odd")});
        QCOMPARE(second.value(QStringLiteral("note")).toString(), QStringLiteral("watch the tail"));
        QCOMPARE(second.value(QStringLiteral("boost")).toDouble(), 2.5);
        QCOMPARE(shown.value(QStringLiteral("steering_requests")).toArray().size(), 1);
        QCOMPARE(shown.value(QStringLiteral("wishes")), shown.value(QStringLiteral("steering_requests")));
        const QJsonObject rerun = shown.value(QStringLiteral("reruns")).toArray()[0].toObject();
        QCOMPARE(rerun.value(QStringLiteral("repeats")).toInt(), 3);
        QVERIFY(rerun.value(QStringLiteral("evaluation")).isObject());
        const QJsonObject onOwn = shown.value(QStringLiteral("reruns")).toArray()[1].toObject();
        const QJsonArray own{77, 103, 51};
        QCOMPARE(onOwn.value(QStringLiteral("shapes")).toArray(), QJsonArray{QJsonValue(own)});
        const QJsonArray measured = onOwn.value(QStringLiteral("evaluation"))[QStringLiteral("shapes")].toArray();
        QCOMPARE(measured.size(), 1);
        QCOMPARE(measured[0][QStringLiteral("shape")].toArray(), own);
        QCOMPARE(measured[0][QStringLiteral("split")].toString(), QStringLiteral("own"));
    }

    void anotherProposerTakesOverAndTheStatusSaysSo()
    {
        const auto proposer = [this] {
            return control({QStringLiteral("status")}).json().value(QStringLiteral("proposer")).toString();
        };
        QCOMPARE(proposer(), QStringLiteral("mutator"));
        const QString folder = m_folder.filePath(QStringLiteral("letters"));
        QCOMPARE(control({QStringLiteral("proposer"), QStringLiteral("manual:") + folder}).exitCode, 0);
        QCOMPARE(proposer(), QStringLiteral("manual:") + folder);
        QCOMPARE(control({QStringLiteral("proposer"), QStringLiteral("mutator")}).exitCode, 0);
        QCOMPARE(proposer(), QStringLiteral("mutator"));
    }

    void aLimitThatIsNotInForceIsSetAndSaidToBe()
    {
        const Run lower = control({u"review-limit"_s, u"20"_s}); // 5 evaluations are left, and 4 islands
        QCOMPARE(lower.exitCode, 0);
        QCOMPARE(lower.json()[u"note"_s].toString(),
            u"1 in effect per island, not 20: with every, all islands together have at most a quarter of the 5 remaining evaluations, but one each"_s);
        QCOMPARE(control({u"status"_s}).json()[u"review_limit"_s].toInt(), 20);
        QVERIFY(control({u"review-limit"_s, u"1"_s}).err.isEmpty());
        QVERIFY(control({u"review-limit"_s, u"0"_s}).err.isEmpty());
        QVERIFY(!control({u"review-limit"_s, u"20000"_s}).json().contains(u"note"_s)); // it is refused
    }

    void whatAPersonWritesAndNobodyReadsIsKeptAndSaidToBeUnread_data()
    {
        QTest::addColumn<QString>("command");
        QTest::addColumn<QByteArray>("what");
        QTest::newRow("hint") << u"hint"_s << QByteArray("hints");
        QTest::newRow("insights") << u"insights"_s << QByteArray("insights");
    }

    void whatAPersonWritesAndNobodyReadsIsKeptAndSaidToBeUnread()
    {
        QFETCH(QString, command);
        QFETCH(QByteArray, what);
        const Run told = control({command, QStringLiteral("mind the edges")});
        QCOMPARE(told.exitCode, 0);
        QVERIFY2(told.err.contains(
                     "kept, but " + what + " has no effect in this run: its proposer, mutator, uses no prompts"),
            told.err);
        QCOMPARE(told.json().value(QStringLiteral("note")).toString().toUtf8() + '\n', told.err);
        const Run taken = control({command, QString()});
        QCOMPARE(taken.exitCode, 0);
        QVERIFY2(taken.err.isEmpty(), taken.err);
    }

    void pauseStepAndPolicyReachTheRun()
    {
        QCOMPARE(control({QStringLiteral("status")}).json().value(QStringLiteral("phase")).toString(),
            QStringLiteral("running"));
        QCOMPARE(control({QStringLiteral("policy"), QStringLiteral("automatic"), QStringLiteral("--island"),
                             QStringLiteral("B")})
                     .exitCode,
            0);
        QCOMPARE(control({QStringLiteral("review-limit"), QStringLiteral("3")}).exitCode, 0);
        QCOMPARE(control({QStringLiteral("status")}).json().value(QStringLiteral("review_limit")).toInt(), 3);
        QCOMPARE(control({QStringLiteral("budget"), QStringLiteral("--evaluations"), QStringLiteral("7")}).exitCode, 0);
        const QJsonObject now = control({QStringLiteral("status")}).json();
        QCOMPARE(now.value(QStringLiteral("evaluations_budget")).toInt(), 7);
        // What waits for a review has begun, and has no result yet.
        QVERIFY(now.value(QStringLiteral("evaluations_begun")).toInt()
            >= now.value(QStringLiteral("evaluations")).toInt() + now.value(QStringLiteral("reviews_waiting")).toInt());
        QCOMPARE(control({QStringLiteral("policy"), QStringLiteral("automatic")}).exitCode, 0);
        QVERIFY(m_run.waitForFinished(patience));
        QCOMPARE(QJsonDocument::fromJson(m_run.readAllStandardOutput())
                     .object()
                     .value(QStringLiteral("evaluations"))
                     .toInt(),
            7);
    }

    void aRunPausedThroughTheSocketStaysUntilItIsToldToGoOn()
    {
        m_run.readAllStandardError();
        QCOMPARE(control({QStringLiteral("pause")}).exitCode, 0);
        QVERIFY(isPhase("paused"));
        // What is refused meanwhile is refused to who asked, and ends nothing.
        QCOMPARE(control({QStringLiteral("approve"), QStringLiteral("c-0099")}).exitCode, 2);
        const QJsonArray waiting = reviews();
        const auto both = control({QStringLiteral("approve"), QStringLiteral("c-0099"), nameOf(waiting[0])});
        QCOMPARE(both.exitCode, 2);
        QVERIFY2(both.err.contains("it was executed for " + nameOf(waiting[0]).toUtf8()), both.err.constData());
        QVERIFY(isPhase("paused"));
        QCOMPARE(reviews().size(), 4);
        // A rerun is measured without a run, after which it stands where it stood.
        QCOMPARE(control({QStringLiteral("rerun"), QStringLiteral("c-0001")}).exitCode, 0);
        QVERIFY(isPhase("paused"));
        QCOMPARE(control({QStringLiteral("run")}).exitCode, 0);
        QVERIFY(isPhase("running"));
        QCOMPARE(control({QStringLiteral("approve"), QStringLiteral("all")}).exitCode, 0);
        QVERIFY(m_run.waitForFinished(patience));
        QCOMPARE(m_run.exitCode(), 0);
        const QByteArray said = m_run.readAllStandardError();
        QVERIFY2(said.contains("paused; 'tilewright-cli control FILE run' resumes, Ctrl-C ends\n"), said);
        QCOMPARE(QJsonDocument::fromJson(m_run.readAllStandardOutput())
                     .object()
                     .value(QStringLiteral("evaluations"))
                     .toInt(),
            6);
    }

    void aPausedRunWithNothingLeftToDoEnds()
    {
        QCOMPARE(control({u"pause"_s}).exitCode, 0);
        QVERIFY(isPhase("paused"));
        // It rests while there is something to go on with; the step that uses the budget up is the last one.
        QCOMPARE(control({u"reject"_s, u"all"_s, u"--reason"_s, u"no"_s}).exitCode, 0);
        QCOMPARE(control({u"policy"_s, u"automatic"_s}).exitCode, 0);
        QCOMPARE(control({u"budget"_s, u"--evaluations"_s, u"+1"_s}).exitCode, 0);
        QVERIFY(isPhase("paused"));
        QCOMPARE(control({u"step"_s}).exitCode, 0);
        QVERIFY(m_run.waitForFinished(patience));
        QCOMPARE(m_run.exitCode(), 0);
    }

    void aRunThatRestsIsEndedByAnInterruption()
    {
        QCOMPARE(control({QStringLiteral("pause")}).exitCode, 0);
        QVERIFY(isPhase("paused"));
        QVERIFY(kill(static_cast<pid_t>(m_run.processId()), SIGINT) == 0);
        QVERIFY(m_run.waitForFinished(patience));
        QCOMPARE(m_run.exitCode(), 130);
        const QByteArray said = m_run.readAllStandardError();
        QCOMPARE(said.count("Ctrl-C ends"), 1);
        QVERIFY2(!said.contains("pausing:"), said);
        QCOMPARE(QJsonDocument::fromJson(m_run.readAllStandardOutput())
                     .object()
                     .value(QStringLiteral("evaluations"))
                     .toInt(),
            1);
        QCOMPARE(control({QStringLiteral("status")}).exitCode, 6);
    }

    void aRunInterruptedWhileItRunsEndsAsItAlwaysDid()
    {
        QVERIFY(kill(static_cast<pid_t>(m_run.processId()), SIGINT) == 0);
        QVERIFY(m_run.waitForFinished(patience));
        QCOMPARE(m_run.exitCode(), 130);
        QVERIFY(!m_run.readAllStandardError().contains("Ctrl-C ends"));
    }

    void aRunThatGoesOnTakesNoStepAndSaysSo()
    {
        QVERIFY(isPhase("running"));
        for (const char* word : {"step", "step-islands"}) {
            const Run refused = control({QString::fromLatin1(word)});
            QCOMPARE(refused.exitCode, 4);
            QVERIFY2(refused.err.contains("pause it first"), refused.err.constData());
        }
        QVERIFY(isPhase("running"));
    }

    void afterOneStepARunRestsForTheNext()
    {
        QCOMPARE(control({QStringLiteral("pause")}).exitCode, 0);
        QVERIFY(isPhase("paused"));
        QCOMPARE(control({QStringLiteral("policy"), QStringLiteral("automatic")}).exitCode, 0);
        const auto status = [this] { return control({QStringLiteral("status")}).json(); };
        const auto budget = [this](const QString& evaluations) {
            return control({QStringLiteral("budget"), QStringLiteral("--evaluations"), evaluations}).exitCode;
        };
        const Run small = control({QStringLiteral("budget"), QStringLiteral("--evaluations"), QStringLiteral("3")});
        QCOMPARE(small.exitCode, 0);
        QVERIFY2(small.err.contains("6 evaluations have already started"), small.err.constData());
        QCOMPARE(budget(QStringLiteral("+x")), 2);
        QCOMPARE(budget(QStringLiteral("+14")), 0); // more than have begun
        QCOMPARE(status().value(QStringLiteral("evaluations_begun")).toInt(), 6);
        QCOMPARE(status().value(QStringLiteral("evaluations_budget")).toInt(), 20);
        for (const auto& [word, reason] :
            {std::pair("step", "one step done"), std::pair("step-islands", "each island has admitted one")}) {
            QCOMPARE(control({QString::fromLatin1(word)}).exitCode, 0);
            QVERIFY(isPhase("paused"));
            QCOMPARE(status().value(QStringLiteral("phase_reason")).toString(), QString::fromLatin1(reason));
        }
        QCOMPARE(control({QStringLiteral("run")}).exitCode, 0);
        QVERIFY(m_run.waitForFinished(patience));
        QCOMPARE(m_run.exitCode(), 0);
    }

    void islandsAreSteeredFromAnotherProcess()
    {
        const auto say = [this](const char* words) { return control(QString::fromLatin1(words).split(u' ')).exitCode; };
        for (const char* words :
            {"island pause B", "island focus A tune", "island mix C explore=2,exploit=1", "island selection C 0.5",
                "island merge D C", "island add crossover Mine", "island reset E", "migration A>C,C>E --interval 4"})
            QVERIFY2(say(words) == 0, words);
        const QJsonObject answer = control({QStringLiteral("islands")}).json();
        const QJsonArray islands = answer.value(QStringLiteral("islands")).toArray();
        const auto at
            = [&](int i, const char* key) { return islands[i].toObject().value(QLatin1String(key)).toString(); };
        QCOMPARE(islands.size(), 5);
        QCOMPARE(at(1, "standing"), QStringLiteral("paused"));
        QCOMPARE(at(0, "aim"), QStringLiteral("tune"));
        QCOMPARE(at(2, "aim"), QStringLiteral("explore 2, exploit 1"));
        QCOMPARE(at(3, "merged_into"), QStringLiteral("C"));
        QCOMPARE(at(4, "name"), QStringLiteral("Mine"));
        QCOMPARE(answer.value(QStringLiteral("migration")).toObject().value(QStringLiteral("words")).toString(),
            QStringLiteral("A→C, C→E, every 4 new members"));
        QCOMPARE(say("island undo"), 0);
        QCOMPARE(say("island resume B"), 0);
        QCOMPARE(control({QStringLiteral("islands")})
                     .json()
                     .value(QStringLiteral("migration"))
                     .toObject()
                     .value(QStringLiteral("ways"))
                     .toString(),
            QStringLiteral("ring"));
    }

    void whatTheTerminalIsRefusedIsToldThereAlone()
    {
        QCOMPARE(control({QStringLiteral("approve"), QStringLiteral("c-0001")}).exitCode, 4);
        QCOMPARE(control({QStringLiteral("undo"), QStringLiteral("c-0002")}).exitCode, 4);
        m_run.kill();
        QVERIFY(m_run.waitForFinished(patience));
        const QByteArray said = m_run.readAllStandardError();
        QVERIFY2(!said.contains("is not pending review") && !said.contains("to undo"), said.constData());
    }

    void aLimitThatIsNoneSaysWhatALimitIs()
    {
        const Run run = control({QStringLiteral("review-limit"), QStringLiteral("-3")});
        QVERIFY2(run.err.contains("review-limit takes one number from 0 to 10000, not '-3' — maximum number of pending "
                                  "reviews per island; 0: no limit"),
            run.err.constData());
    }

    void badCommandsAreRefusedWithOneClearLine_data()
    {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<int>("code");
        const auto row = [](const char* words, int code) {
            QTest::newRow(QByteArray(words).left(60)) << QString::fromLatin1(words).split(u' ') << code;
        };
        row("dance", 2);
        row("approve", 2);
        row("approve c-0099", 2);
        row("approve candidate", 2);
        row("approve c-0001", 4);
        row("reject c-0002", 2);
        row("undo c-0002", 4);
        row("edit c-0002", 2);
        row("edit c-0002 --source /nowhere.cpp", 6);
        row("policy sometimes", 2);
        row("approve c-0002 --from-now-on", 2);
        row("policy every --island Z", 2);
        row("policy every --proposer nobody", 2);
        row("review-limit -3", 2);
        row("review-limit many", 2);
        row("approve -3", 2);
        row("hint", 2);
        row("budget", 2);
        row("template", 2);
        row("template explore", 2);
        row("template explore --source /nowhere.md", 6);
        row("template-reset explore", 2);
        row("island", 2);
        row("island dance B", 2);
        row("island pause", 2);
        row("island pause Z", 2);
        row("island resume A", 4);
        row("island focus A repair", 2);
        row("island mix A explore=-1", 2);
        row("island mix A explore=0", 2);
        row("island mix A speed=1", 2);
        row("island mix A explore=2,mutator=1", 2);
        row("island mix A explore=1,explore=3", 2);
        row(qPrintable(u"island add explore "_s + QString(300, u'x')), 2);
        row(qPrintable(u"hint "_s + QString(4'001, u'x')), 2);
        row("resume-model x", 2);
        row("island selection A hot", 2);
        row("island temperature A 0.7", 4);
        row("island merge A A", 2);
        row("island undo", 4);
        row("migration", 2);
        row("migration A>Z", 2);
        row("migration A>A", 2);
        row("migration ring --interval 0", 2);
        row("star", 2);
        row("star c-0099", 2);
        row("boost c-0001", 2);
        row("boost c-0001 --weight much", 2);
        row("boost c-0001 --weight 0", 2);
        for (const char* endless : {"inf", "-inf", "nan", "1e999"})
            row(qPrintable(QStringLiteral("boost c-0001 --weight ") + QLatin1String(endless)), 2);
        row("island selection A inf", 2);
        row("island selection A nan", 2);
        row("island mix A explore=inf", 2);
        row("island mix A explore=nan", 2);
        row("island temperature A inf", 4); // no models are asked
        row("island temperature A nan", 4);
        row("note c-0001", 2);
        row("tag c-0001", 2);
        row("unmark c-0001", 4);
        row("more c-0001 --count 0", 2);
        row("idea c-0001", 2);
        row("idea c-0001 --text unroll", 4); // the mutator reads no prompts
        row("translate c-0001", 4); // nor is it sent one
        row("judge c-0002", 4); // there is no model
        row("judge c-0001", 4);
        row("judge c-0099", 2);
        row("send", 2);
        row("send exploit", 4);
        row("send exploit c-0001 c-0002", 2);
        row("send exploit --island Z", 2);
        row("send exploit --source /nowhere.md", 6);
        row("unwish c-0001", 4);
        row("copy c-0001", 2);
        row("copy c-0001 --island Z", 2);
        row("copy c-0002 --island B", 4); // it has no score yet
        row("unplace c-0001", 4);
        row("inject", 2);
        row("inject --source /nowhere.cpp", 6);
        row("withdraw c-0001", 4);
        row("rerun c-0002 --repeats 2", 4); // it waits for a word: until then a quick look is all there is
        row("rerun c-0001 --repeats 0", 2);
        row("rerun c-0001 --shapes 7x8", 2);
        row("rerun c-0001 --shapes 7x0x9", 2);
        row("rerun c-0001 --device cuda:9", 6);
        row("rerun c-0001 --device gpu", 2);
        row("proposer", 2);
        row("proposer oracle", 2);
        row("proposer random", 2);
        row("proposer tuner --models models.json", 2);
        row("unrun c-0001", 4);
        row("more c-0001 --count 3 --island B", 2);
        row("run --island B", 2);
        row("policy every --reason foo", 2);
        row("star c-0001 --tag x --text y", 2);
        row("island focus A explore --island B", 2);
        row("pause now please", 2);
        row("status x y z", 2);
        row("reject c-0002 --reason no --source /nowhere.cpp", 2);
        row("island undo it", 2);
    }

    void badCommandsAreRefusedWithOneClearLine()
    {
        QFETCH(QStringList, words);
        QFETCH(int, code);
        const Run run = control(words);
        QCOMPARE(run.exitCode, code);
        QVERIFY2(run.err.count('\n') == 1 && !run.err.contains("exception"), run.err);
        QCOMPARE(reviews().size(), 5);
    }

    void whatIsNoTextIsNotTaken()
    {
        const auto write = [this](const char* name, const QByteArray& bytes) {
            QFile written(file(name));
            if (!written.open(QIODevice::WriteOnly) || written.write(bytes) != bytes.size())
                qFatal("a file of the test cannot be written");
            return written.fileName();
        };
        const QString latin = write("latin", "Make it faster.\nSch\xf6n.\n"),
                      binary = write("binary",
                          QByteArray("\x7f"
                                     "ELF\0\0\n",
                              7)),
                      large = write("large", QByteArray(300 << 10, 'x'));
        const QString name = nameOf(reviews().first());
        for (const QStringList& command : {QStringList{QStringLiteral("template"), QStringLiteral("explore")},
                 QStringList{QStringLiteral("edit"), name}, QStringList{QStringLiteral("inject")},
                 QStringList{QStringLiteral("send"), QStringLiteral("explore")}}) {
            const auto told = [&](const QString& path) {
                return control(command + QStringList{QStringLiteral("--source"), path});
            };
            const Run garbled = told(latin), zero = told(binary), huge = told(large);
            QVERIFY2(garbled.err.contains("latin is not UTF-8: line 2, byte offset 19: the byte 0xf6"), garbled.err);
            QVERIFY2(zero.err.contains("binary file") && zero.err.contains("line 1"), zero.err);
            QVERIFY2(
                huge.err.contains("bytes") || command.first() == QStringLiteral("edit"), huge.err); // or no markers
            for (const Run& run : {garbled, zero})
                QCOMPARE(run.exitCode, 2);
            QVERIFY(huge.exitCode != 0);
            for (const Run& run : {garbled, zero, huge})
                QCOMPARE(run.err.count('\n'), 1);
        }
        QCOMPARE(reviews().size(), 5);
    }

    void aTemplateIsSavedForAnIslandAndTakenAwayAgain()
    {
        const QString path = file("explore.md");
        const auto write = [&path](const QByteArray& text) {
            QFile written(path);
            return written.open(QIODevice::WriteOnly) && written.write(text) == text.size();
        };
        const QStringList save{QStringLiteral("template"), QStringLiteral("explore"), QStringLiteral("--source"), path,
            QStringLiteral("--island"), QStringLiteral("B"), QStringLiteral("--reason"), QStringLiteral("shorter")};
        QVERIFY(write("Make {{name}} faster.\n{{code}}\n{{> reply}}\n"));
        const Run done = control(save);
        QVERIFY2(done.exitCode == 0, done.err);
        QVERIFY(write("Make {{colour}} faster.\n"));
        const Run wrong = control(save);
        QVERIFY2(wrong.exitCode != 0 && wrong.err.contains("line 1: unknown placeholder 'colour'"), wrong.err);
        QCOMPARE(wrong.err.count('\n'), 1);
        QCOMPARE(control({QStringLiteral("template-reset"), QStringLiteral("explore"), QStringLiteral("--island"),
                             QStringLiteral("B")})
                     .exitCode,
            0);
        QJsonArray versions;
        QVERIFY(QTest::qWaitFor(
            [&] {
                const Run shown = cli({QStringLiteral("show"), session(), QStringLiteral("--json")});
                versions = shown.json().value(QStringLiteral("templates")).toArray();
                return versions.size() == 2;
            },
            patience));
        const QJsonObject first = versions[0].toObject();
        QCOMPARE(first.value(QStringLiteral("template")).toString(), QStringLiteral("explore"));
        QCOMPARE(first.value(QStringLiteral("island")).toString(), QStringLiteral("B"));
        QCOMPARE(first.value(QStringLiteral("note")).toString(), QStringLiteral("shorter"));
        QVERIFY(!first.value(QStringLiteral("text")).toString().isEmpty());
        QVERIFY(versions[1].toObject().value(QStringLiteral("text")).toString().isEmpty());
        const QJsonArray changes = cli({u"show"_s, session(), u"--json"_s}).json()[u"changes"_s].toArray();
        const QJsonObject saved = changes[changes.size() - 2].toObject();
        QCOMPARE(saved[u"what"_s].toString(), u"template explore of island B"_s);
        QCOMPARE(saved[u"island"_s].toString(), u"B"_s);
    }

    void theStatusCountsOneEvaluationAsOne()
    {
        const auto status = [this] {
            return cli({QStringLiteral("control"), session(), QStringLiteral("status")}).out;
        };
        QTRY_VERIFY2_WITH_TIMEOUT(
            status().startsWith("blocked: 5 reviews, 1 of 6 evaluations (5 more in progress), 5 pending reviews\n"),
            status(), patience);
        QCOMPARE(control({QStringLiteral("budget"), QStringLiteral("--evaluations"), QStringLiteral("0")}).exitCode, 0);
        QVERIFY2(status().contains(", 1 evaluation ("), status());
    }

    void theSocketIsTheOwnersAlone()
    {
        const QStringList sockets = QDir(file("runtime") + QStringLiteral("/tilewright")).entryList(QDir::System);
        QCOMPARE(sockets.size(), 1);
        struct stat folder = {};
        QVERIFY(stat(qPrintable(file("runtime") + QStringLiteral("/tilewright")), &folder) == 0);
        QCOMPARE(folder.st_mode & 0777u, 0700u);
        struct stat socket = {};
        QVERIFY(stat(qPrintable(file("runtime") + QStringLiteral("/tilewright/") + sockets.first()), &socket) == 0);
        QCOMPARE(socket.st_mode & 077u, 0u);
    }

    void aPolicyOfOneKindOfProposerApprovesItsEditsAlone()
    {
        QCOMPARE(control({QStringLiteral("policy"), QStringLiteral("automatic"), QStringLiteral("--proposer"),
                             QStringLiteral("model")})
                     .exitCode,
            0);
        QCOMPARE(reviews().size(), 5); // they are the mutator's
        const auto policy = [this] {
            return control({QStringLiteral("islands")})
                .json()[u"islands"_s]
                .toArray()[0]
                .toObject()[u"review_policy"_s]
                .toString();
        };
        QCOMPARE(policy(), u"automatic for model; every for mutator, tuner, random, manual, replay"_s);
        QCOMPARE(control({QStringLiteral("policy"), QStringLiteral("by-proposer")}).exitCode, 0);
        QCOMPARE(policy(), u"automatic for mutator, tuner, random; risky for model, manual, replay"_s);
        QTRY_VERIFY_WITH_TIMEOUT(reviews().isEmpty(), patience);
    }

    void garbageOnTheSocketHarmsNobody()
    {
        const QString folder = file("runtime") + QStringLiteral("/tilewright");
        const QString path = folder + u'/' + QDir(folder).entryList(QDir::System).first();
        QLocalSocket socket;
        socket.connectToServer(path);
        QVERIFY(socket.waitForConnected(5000));
        socket.write("not json\n[1,2]\n{\"do\":7}\n{\"do\":\"approve\",\"candidates\":\"c-0002\"}\n"
                     "{\"do\":\"budget\",\"budget\":{\"evaluations\":\"many\"}}\n\xff\xfe\n");
        QByteArray answers;
        QVERIFY(QTest::qWaitFor(
            [&] {
                socket.waitForReadyRead(10);
                answers += socket.readAll();
                return answers.count('\n') == 6;
            },
            patience));
        for (const QByteArray& line : answers.trimmed().split('\n'))
            QCOMPARE(QJsonDocument::fromJson(line).object().value(QStringLiteral("code")).toString(),
                QStringLiteral("usage"));
        QCOMPARE(reviews().size(), 5);
    }
};

TILEWRIGHT_TEST(TestControl)
#include "test_control.moc"
