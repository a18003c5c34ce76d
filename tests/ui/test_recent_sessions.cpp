// SPDX-License-Identifier: GPL-3.0-or-later
// Recent sessions on Welcome: what is seen of a file, what is kept of it, and the rows that say it.
#include "core/store/packed_session.h"
#include "core/store/session_reader.h"
#include "tests/patience.h"
#include "tests/test_program.h"
#include "tests/ui/theatre.h"
#include "ui/models/display_text.h"
#include "ui/theme/theme.h"
#include "ui/welcome/recent_list.h"
#include "ui/welcome/recent_row.h"

#include <QDir>
#include <QFile>
#include <QTest>
#include <QToolButton>
#include <nlohmann/json.hpp>

using namespace tilewright;
using namespace tilewright::ui;
using namespace Qt::StringLiterals;

namespace {

QString demoIn(const QTemporaryDir& folder)
{
    const QString path = folder.filePath(u"shown.tilewright"_s);
    return unpackSession(shippedDemo("gemm-cpu"), path.toStdString()) ? path : QString();
}

RunState runOf(const QString& path)
{
    const auto reader = SessionReader::open(path.toStdString());
    return (*reader)->load().value();
}

void write(const QString& path, const QByteArray& bytes)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(bytes), bytes.size());
}

QList<RecentRow*> rowsOf(const test::Theatre& stage)
{
    QList<RecentRow*> rows;
    for (auto* row : stage.find<RecentList>(u"recentSessions"_s)->findChildren<RecentRow*>())
        if (!row->isHidden())
            rows << row;
    return rows;
}

} // namespace

class TestRecentSessions : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { Theme::instance().apply(ThemeKind::Dark); }

    void aSketchSaysWhatTheSessionHolds()
    {
        const QTemporaryDir folder;
        const QString path = demoIn(folder);
        const RunState run = runOf(path);
        const SessionLook look = lookAtSession(path, folder.filePath(u"recent"_s));
        QVERIFY(look.trouble.isEmpty());
        QVERIFY(look.sketch && run.best() && !run.bestTrace.empty());
        QCOMPARE(look.sketch->evaluations, run.evaluationsDone);
        QCOMPARE(look.sketch->curve, run.bestTrace);
        QVERIFY(look.sketch->best == run.best()->score);
        QVERIFY(!look.sketch->task.empty() && !look.sketch->lastEventUtc.empty());
        QCOMPARE(look.sketch->taskName, run.settings.taskName);
        QCOMPARE(look.sketch->runNs, run.runNs);
        QCOMPARE(look.sketch->bytes, QFileInfo(path).size() + QFileInfo(path + u"-wal"_s).size());
        QVERIFY(SessionSketch::fromJson(look.sketch->json()) == look.sketch);
    }

    void aCopyOfTheDemoTellsNothingOfThisMachine()
    {
        QCOMPARE(demoOf("/x/demo-gemm-cpu-12.tilewright"), std::string("gemm-cpu"));
        QCOMPARE(demoOf("/x/gemm-cpu-12.tilewright"), std::string());
        test::Theatre stage;
        const QString own = demoIn(stage.folder), demo = stage.folder.filePath(u"demo-gemm-cpu-1.tilewright"_s);
        QVERIFY(QFile::copy(own, demo));
        stage.settings.addRecentFile(demo);
        stage.settings.addRecentFile(own);
        stage.window->showScreen(u"welcome"_s);
        const auto* list = stage.find<RecentList>(u"recentSessions"_s);
        QTRY_COMPARE_WITH_TIMEOUT(list->readable().size(), qsizetype(2), patience);
        QCOMPARE(list->sketches().size(), std::size_t(1));
        QCOMPARE(list->sketches().front().beganUtc, runOf(own).log[0].atUtc);
    }

    void whatWasSeenIsKeptUntilTheFileChanges()
    {
        const QTemporaryDir folder;
        const QString path = demoIn(folder), kept = folder.filePath(u"recent"_s);
        const SessionLook first = lookAtSession(path, kept);
        const QStringList files = QDir(kept).entryList(QDir::Files);
        QCOMPARE(files.size(), 1);
        const QString sketch = QDir(kept).filePath(files.first());
        QFile file(sketch);
        QVERIFY(file.open(QIODevice::ReadWrite));
        QByteArray bytes = file.readAll();
        file.close();
        auto json = nlohmann::json::parse(bytes.toStdString());
        json["sketch"]["evaluations"] = 7; // to see that it is read
        write(sketch, QByteArray::fromStdString(json.dump()));
        QCOMPARE(lookAtSession(path, kept).sketch->evaluations, 7);
        QFile session(path);
        QVERIFY(session.open(QIODevice::ReadWrite));
        QVERIFY(session.setFileTime(QDateTime::currentDateTime().addSecs(60), QFileDevice::FileModificationTime));
        session.close();
        QVERIFY(lookAtSession(path, kept) == first);
    }

    void aSpoiltSketchIsMadeAnew()
    {
        const QTemporaryDir folder;
        const QString path = demoIn(folder), kept = folder.filePath(u"recent"_s);
        const SessionLook first = lookAtSession(path, kept);
        const QString sketch = QDir(kept).filePath(QDir(kept).entryList(QDir::Files).first());
        for (const QByteArray& bytes : {QByteArray("{"), QByteArray("[]"), QByteArray(R"({"format":2,"sketch":3})")}) {
            write(sketch, bytes);
            QVERIFY(lookAtSession(path, kept) == first);
        }
    }

    void aFolderThatCannotBeWrittenCostsNothingElse()
    {
        const QTemporaryDir folder;
        QVERIFY(lookAtSession(demoIn(folder), u"/proc/x/recent"_s).sketch);
    }

    void sketchesOfOtherSessionsAreForgotten()
    {
        const QTemporaryDir folder;
        const QString path = demoIn(folder), kept = folder.filePath(u"recent"_s);
        lookAtSession(path, kept);
        forgetSketchesExcept({path}, kept);
        QCOMPARE(QDir(kept).entryList(QDir::Files).size(), 1);
        forgetSketchesExcept({}, kept);
        QVERIFY(QDir(kept).isEmpty());
    }

    void rowsSayWhatCannotBeOpenedAndCanBeTakenOff()
    {
        test::Theatre stage;
        const QString good = demoIn(stage.folder), gone = stage.folder.filePath(u"gone.tilewright"_s),
                      spoilt = stage.folder.filePath(u"spoilt.tilewright"_s);
        write(spoilt, "no session");
        for (const QString& path : {gone, spoilt, good})
            stage.settings.addRecentFile(path);
        const auto description = [&stage](int at) {
            const QList<RecentRow*> rows = rowsOf(stage);
            return at < rows.size() ? rows[at]->accessibleDescription() : QString();
        };
        QTRY_VERIFY_WITH_TIMEOUT(
            !description(0).isEmpty() && !description(1).isEmpty() && !description(2).isEmpty(), patience);
        const RunState run = runOf(good);
        QVERIFY(description(0).contains(times(run.best()->score)));
        QVERIFY(description(0).contains(u"%1 evaluations"_s.arg(run.evaluationsDone)));
        QCOMPARE(description(1), u"not a session"_s);
        QCOMPARE(description(2), u"moved or deleted"_s);
        QVERIFY(!rowsOf(stage)[0]->findChild<QToolButton*>(u"removeRecent"_s)->isVisible());
        QTest::mouseClick(rowsOf(stage)[2]->findChild<QToolButton*>(u"removeRecent"_s), Qt::LeftButton);
        QCOMPARE(stage.settings.recentFiles(), (QStringList{good, spoilt}));
        QTRY_COMPARE_WITH_TIMEOUT(rowsOf(stage).size(), 2, patience);
        rowsOf(stage)[1]->setFocus();
        QTest::keyClick(rowsOf(stage)[1], Qt::Key_Delete);
        QCOMPARE(stage.settings.recentFiles(), QStringList{good});
        QTest::mouseClick(rowsOf(stage)[0], Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(stage.client.calls.contains(u"open "_s + good), patience);
    }

    void aSessionThatWasClosedIsLookedAtAgain()
    {
        test::Theatre stage;
        const QString path = demoIn(stage.folder);
        auto open = std::make_shared<Snapshot>(*stage.run.snapshot());
        open->status.sessionPath = path.toStdString();
        stage.client.publish(open);
        QCOMPARE(stage.settings.recentFiles(), QStringList{path});
        QDir kept(stage.settings.recentFolder());
        QTRY_VERIFY_WITH_TIMEOUT(!QDir(kept.path()).isEmpty(), patience); // when it was opened
        for (const QString& name : kept.entryList(QDir::Files))
            QVERIFY(kept.remove(name));
        stage.client.publish(std::make_shared<Snapshot>());
        QTRY_VERIFY_WITH_TIMEOUT(!QDir(stage.settings.recentFolder()).isEmpty(), patience);
    }
};

TILEWRIGHT_TEST(TestRecentSessions)
#include "test_recent_sessions.moc"
