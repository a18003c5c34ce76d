// SPDX-License-Identifier: GPL-3.0-or-later
// What the window says to files, folders and packs that are not as they should be: what, where, what to do; never a
// dialog, and never at the cost of the session that is open.
#include "core/base/folders.h"
#include "core/store/packed_session.h"
#include "tests/e2e/stage.h"
#include "tests/patience.h"
#include "ui/models/display_text.h"
#include "ui/theme/theme.h"
#include "ui/welcome/choice_card.h"
#include "ui/welcome/new_session_page.h"

#include <QLabel>
#include <QLineEdit>
#include <QProcess>
#include <QPushButton>
#include <QTemporaryDir>
#include <QtTest>
#include <csignal>
#include <sys/stat.h>

using namespace tilewright;
using namespace tilewright::ui;
using namespace Qt::StringLiterals;

namespace {

void write(const QString& name, const QByteArray& bytes)
{
    QFile file(name);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(bytes), bytes.size());
}

QByteArray demo(const test::Stage& stage)
{
    const QString name = stage.file(u"whole.tilewright"_s);
    if (!unpackSession(shippedDemo("gemm-cpu"), name.toStdString()))
        return {};
    QFile file(name);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

class TestBadInput : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aFileThatCannotBeOpenedIsNamedAndCostsNothing_data()
    {
        QTest::addColumn<QString>("kind");
        QTest::addColumn<QString>("reason");
        QTest::newRow("no session") << u"text"_s << u"is not a Tilewright session"_s;
        QTest::newRow("empty") << u"empty"_s << u"is empty: it contains no session"_s;
        QTest::newRow("truncated") << u"truncated"_s << u"is damaged"_s;
        QTest::newRow("missing") << u"missing"_s << u"here is no session file"_s;
        QTest::newRow("a folder") << u"folder"_s << u"is a folder"_s;
        QTest::newRow("a pipe") << u"pipe"_s << u"is a pipe"_s;
    }

    void aFileThatCannotBeOpenedIsNamedAndCostsNothing()
    {
        QFETCH(QString, kind);
        QFETCH(QString, reason);
        test::Stage stage;
        const QString bad = stage.file(kind + u".tilewright"_s), good = stage.file(u"whole.tilewright"_s);
        const QByteArray whole = demo(stage);
        QVERIFY(whole.size() > 100'000);
        if (kind == u"text"_s)
            write(bad, QByteArray("These are words, many of them. ").repeated(100));
        else if (kind == u"empty"_s)
            write(bad, {});
        else if (kind == u"truncated"_s)
            write(bad, whole.left(whole.size() / 2));
        else if (kind == u"folder"_s)
            QVERIFY(QDir().mkpath(bad));
        else if (kind == u"pipe"_s)
            QVERIFY(::mkfifo(bad.toLocal8Bit().constData(), 0600) == 0);
        stage.window->openFile(good);
        QTRY_VERIFY_WITH_TIMEOUT(stage.window->session().isOpen(), patience);
        stage.window->openFile(bad);
        QTRY_VERIFY_WITH_TIMEOUT(stage.saidWith(reason).contains(bad), patience);
        QVERIFY(stage.window->session().isOpen());
        QCOMPARE(text(stage.window->session().snapshot().status.sessionPath), good);
        QVERIFY(!QApplication::activeModalWidget());
        QVERIFY(!stage.settings.recentFiles().contains(bad));
    }

    void screenshotsOfWhatIsNoSessionEndBeforeThereIsAWindow_data()
    {
        QTest::addColumn<QString>("kind");
        QTest::addColumn<int>("exitCode");
        QTest::addColumn<QByteArray>("says");
        QTest::newRow("no session") << u"text"_s << 2 << QByteArray("is not a Tilewright session");
        QTest::newRow("truncated") << u"truncated"_s << 2 << QByteArray("is damaged");
        QTest::newRow("missing") << u"missing"_s << 6 << QByteArray("there is no session file");
    }

    void screenshotsOfWhatIsNoSessionEndBeforeThereIsAWindow()
    {
        QFETCH(QString, kind);
        QFETCH(int, exitCode);
        QFETCH(QByteArray, says);
        test::Stage stage;
        const QString bad = stage.file(kind + u".tilewright"_s), pictures = stage.file(u"pictures"_s);
        const QByteArray whole = demo(stage);
        if (kind != u"missing"_s)
            write(
                bad, kind == u"text"_s ? QByteArray("These are words. ").repeated(100) : whole.left(whole.size() / 2));
        for (const QStringList& how : {QStringList{u"--session"_s, bad}, QStringList{bad}}) {
            QProcess window;
            window.start(
                QStringLiteral(TILEWRIGHT_BIN_DIR "/tilewright"), QStringList{u"--screenshot"_s, pictures} + how);
            QVERIFY(window.waitForFinished(patience));
            QCOMPARE(window.exitCode(), exitCode);
            const QByteArray said = window.readAllStandardError();
            QVERIFY2(said.contains(says) && said.contains(bad.toLocal8Bit()), said.constData());
            QVERIFY(!QFileInfo::exists(pictures)); // nothing was begun
        }
    }

    void screenshotsOfADemoThatIsNotThereEndBeforeThereIsAWindow()
    {
        test::Stage stage;
        const QString pictures = stage.file(u"pictures"_s);
        QProcess window;
        window.start(QStringLiteral(TILEWRIGHT_BIN_DIR "/tilewright"),
            {u"--screenshot"_s, pictures, u"--demo"_s, u"nonsense"_s});
        QVERIFY(window.waitForFinished(patience));
        QCOMPARE(window.exitCode(), 6);
        const QByteArray said = window.readAllStandardError();
        QVERIFY2(said.contains("there is no demo 'nonsense'"), said.constData());
        QVERIFY(!QFileInfo::exists(pictures));
    }

    void whoNamesNoSessionInATerminalIsToldThere_data()
    {
        QTest::addColumn<QString>("file");
        QTest::addColumn<int>("exitCode");
        QTest::addColumn<QByteArray>("says");
        QTest::newRow("no session") << u"/etc/passwd"_s << 2 << QByteArray("is not a Tilewright session");
        QTest::newRow("a folder") << u"/etc"_s << 2 << QByteArray("is a folder, not a session file");
        QTest::newRow("a device") << u"/dev/zero"_s << 2 << QByteArray("is a device, not a session file");
        QTest::newRow("missing") << u"/nowhere/a.tilewright"_s << 6 << QByteArray("there is no session file");
    }

    void whoNamesNoSessionInATerminalIsToldThere()
    {
        QFETCH(QString, file);
        QFETCH(int, exitCode);
        QFETCH(QByteArray, says);
        QProcess window;
        window.start(QStringLiteral(TILEWRIGHT_BIN_DIR "/tilewright"), {file});
        QVERIFY(window.waitForFinished(patience));
        QCOMPARE(window.exitCode(), exitCode);
        const QByteArray said = window.readAllStandardError();
        QVERIFY2(said.contains("tilewright: ") && said.contains(says) && said.contains(file.toLocal8Bit()),
            said.constData());
        QCOMPARE(said.count("tilewright: "), 1);
    }

    void aSessionThatAnotherProgramWritesIsShownReadOnly()
    {
        test::Stage stage;
        const QString file = stage.file(u"busy.tilewright"_s);
        QProcess writer;
        test::startCli(writer,
            {u"evolve"_s, u"--task"_s, u"gemm-fp32-cpu"_s, u"--evaluations"_s, u"100000"_s, u"--session"_s, file});
        QTRY_VERIFY_WITH_TIMEOUT(QFileInfo::exists(file), patience);
        stage.window->openFile(file);
        QTRY_VERIFY_WITH_TIMEOUT(stage.window->session().isOpen(), patience);
        QTRY_VERIFY_WITH_TIMEOUT(stage.message().contains(u"process %1"_s.arg(writer.processId())), patience);
        QVERIFY(stage.message().contains(file));
        QVERIFY(stage.message().contains(u"close it in the other program"_s));
        QVERIFY(stage.window->session().snapshot().status.readOnly);
        for (const QString& id : {u"run.run"_s, u"run.step"_s, u"run.budget"_s})
            QVERIFY2(!stage.window->actions()[id].isEnabled(), qPrintable(id));
        QVERIFY(stage.find<QLabel>(u"statusFile"_s)->text().contains(u"read-only"_s));
        QCOMPARE(::kill(static_cast<pid_t>(writer.processId()), SIGTERM), 0);
        QVERIFY(writer.waitForFinished(patience));
    }

    void aFolderThatCannotBeWrittenLeavesTheChoicesAsTheyAre()
    {
        test::Stage stage;
        // A device is no folder: that is seen before Start. That nothing can be made under /proc is seen by trying.
        QVERIFY(!stage.create(u"/dev/null/mine.tilewright"_s, 5, u"start"_s));
        QVERIFY(stage.find<QLabel>(u"choicesNote"_s)->text().contains(u"/dev/null"_s));
        const QString impossible = u"/proc/mine.tilewright"_s;
        if (!stage.create(impossible, 5, u"start"_s)) { // not as root: seen before Start as well
            QVERIFY(stage.find<QLabel>(u"choicesNote"_s)->text().contains(u"/proc"_s));
            return;
        }
        QTRY_VERIFY_WITH_TIMEOUT(stage.message().contains(impossible), patience);
        QVERIFY2(stage.message().contains(u"choose a folder of your own"_s), qPrintable(stage.message()));
        QVERIFY(stage.find<QPushButton>(u"start"_s)->isVisible());
        QCOMPARE(stage.find<QLineEdit>(u"sessionFile"_s)->text(), impossible);
        QVERIFY(!stage.window->session().isOpen());
    }

    void aKilledWindowLeavesNoFolderBehind()
    {
        const QTemporaryDir folder;
        const QString scratch = folder.filePath(u"tmp"_s);
        QVERIFY(QDir().mkpath(scratch));
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(u"TMPDIR"_s, scratch);
        environment.insert(u"XDG_DATA_HOME"_s, folder.filePath(u"data"_s));
        environment.insert(u"XDG_CONFIG_HOME"_s, folder.filePath(u"config"_s));
        environment.insert(u"XDG_CACHE_HOME"_s, folder.filePath(u"cache"_s));
        environment.insert(u"QT_QPA_PLATFORM"_s, u"offscreen"_s);
        QProcess window;
        window.setProcessEnvironment(environment);
        window.start(QStringLiteral(TILEWRIGHT_BIN_DIR "/tilewright"), QStringList());
        QVERIFY(window.waitForStarted(patience));
        // It stands once it has sent somebody to look at the machine.
        const auto children = [&] {
            QFile list(u"/proc/%1/task/%1/children"_s.arg(window.processId()));
            return list.open(QIODevice::ReadOnly) ? list.readAll() : QByteArray();
        };
        QTRY_VERIFY_WITH_TIMEOUT(!children().isEmpty() || window.state() == QProcess::NotRunning, patience);
        QCOMPARE(window.state(), QProcess::Running);
        const QStringList left = QDir(scratch).entryList({u"tilewright-*"_s}, QDir::AllEntries);
        ::kill(static_cast<pid_t>(window.processId()), SIGKILL);
        QVERIFY(window.waitForFinished(patience));
        QCOMPARE(left, QStringList());
    }

    void aBrokenTaskPackIsShownWithFileFieldAndReason()
    {
        test::Stage stage;
        const QString folder = text(dataFolder().string()) + u"/kernels/broken"_s;
        QVERIFY(QDir().mkpath(folder));
        write(folder + u"/task.json"_s, R"({"name": "broken", "tolerance": "wide"})");
        stage.window->welcome().tasks().show(findTaskPacks());
        QStringList reasons;
        for (const ChoiceCard* card : stage.window->findChildren<ChoiceCard*>())
            if (card->text() == u"broken"_s) {
                QVERIFY(!card->isEnabled());
                reasons << card->accessibleDescription();
            }
        QDir(folder).removeRecursively();
        QCOMPARE(reasons.size(), 1);
        QVERIFY2(reasons.first().startsWith(folder + u"/task.json: tolerance: unknown field"_s),
            qPrintable(reasons.first()));
        QVERIFY(stage.find<QPushButton>(u"start"_s)->isEnabled()); // the good packs are still there
    }

    void aNodeThatCannotBeStartedPausesTheRunAndSaysSo()
    {
        test::Stage stage;
        stage.client->setNodeCommand({stage.file(u"no-such-node"_s)});
        QVERIFY(stage.create(stage.file(u"mine.tilewright"_s), 5, u"start"_s));
        QTRY_VERIFY_WITH_TIMEOUT(stage.message().contains(u"no-such-node"_s), patience);
        QTRY_VERIFY_WITH_TIMEOUT(stage.window->session().snapshot().status.phase == events::Phase::Paused, patience);
        QVERIFY(stage.window->actions()[u"run.run"_s].isEnabled());
        QVERIFY(!QApplication::activeModalWidget());
    }
};

int main(int argc, char** argv)
{
    const auto data = tilewright::test::privateDataFolder();
    QApplication app(argc, argv);
    Theme::instance().apply(ThemeKind::Dark);
    TestBadInput test;
    return QTest::qExec(&test, argc, argv);
}

#include "test_bad_input.moc"
