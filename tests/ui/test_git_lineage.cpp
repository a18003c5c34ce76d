// SPDX-License-Identifier: GPL-3.0-or-later
// The git repository beside the session that is open: what is admitted while it is wanted arrives as commits, switched
// off nothing more does, a session that is opened again goes on, and what is in the way stays as it is and is said.
#include "core/base/files.h"
#include "core/exporting/session_source.h"
#include "core/lineage/lineage_repository.h"
#include "tests/patience.h"
#include "tests/test_program.h"
#include "tests/ui/growing_session.h"
#include "tests/ui/theatre.h"
#include "ui/exporting/git_lineage.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/message_bar.h"

#include <QAction>
#include <QSignalSpy>
#include <QTest>

#include <filesystem>
#include <unistd.h>

using namespace tilewright;
using namespace tilewright::ui;
using namespace tilewright::test;
using namespace Qt::StringLiterals;
namespace fs = std::filesystem;

namespace {

/// With the repository beside it.
struct LineageSession : GrowingSession {
    fs::path repository = folder.filePath(u"run.git"_s).toStdString();

    /// What the command writes of the session as it is now.
    std::string writtenAtOnce() const
    {
        const QTemporaryDir other;
        const fs::path there = fs::path(other.path().toStdString()) / "whole.git";
        auto source = openRunSource(file.string()).value();
        auto whole = LineageRepository::open(there).value();
        RunState read;
        if (!source->follow(read, [&](const Event& event, const RunState& after) { whole->take(event, after); })
            || !whole->write(read, [&](const Hash& hash) { return source->text(hash); }))
            qFatal("the lineage cannot be written");
        return readFile(there / "packed-refs").value();
    }
    std::string names() const { return readFile(repository / "packed-refs").value_or(std::string()); }
};

/// Who has that session open, and its settings.
struct Opened {
    const LineageSession& recorded;
    Settings settings{recorded.folder.filePath(u"settings.ini"_s)};
    RecordedClient client;
    SessionClient session{client};
    GitLineage lineage{session, settings, nullptr, std::chrono::milliseconds(1)};
    QSignalSpy failed{&lineage, &GitLineage::failed};

    explicit Opened(const LineageSession& growing)
        : recorded(growing)
    {
        publish();
    }
    void publish() { client.publish(recorded.snapshot()); }
    bool isWrittenAsNow() const
    {
        return QTest::qWaitFor(
            [this] { return lineage.report() && lineage.report()->seq == recorded.state.lastSeq; }, patience);
    }
    bool isStill() const
    {
        return QTest::qWaitFor([this] { return !lineage.isWriting(); }, patience);
    }
};

} // namespace

class TestGitLineage : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatIsAdmittedWhileItIsOnArrivesAsCommits()
    {
        LineageSession recorded;
        recorded.growTo(30);
        Opened opened(recorded);
        QVERIFY(!opened.lineage.isOn() && !opened.lineage.isWriting());
        QVERIFY(!fs::exists(recorded.repository));
        opened.lineage.setOn(true);
        QVERIFY(opened.isWrittenAsNow());
        const std::int64_t before = opened.lineage.report()->admitted;
        QVERIFY(before > 5);
        QCOMPARE(recorded.names(), recorded.writtenAtOnce());
        recorded.growTo(60);
        opened.publish();
        QVERIFY(opened.isWrittenAsNow());
        QVERIFY(opened.lineage.report()->admitted > before);
        QCOMPARE(recorded.names(), recorded.writtenAtOnce());
        QCOMPARE(opened.client.calls, QStringList()); // the engine was told nothing
        QCOMPARE(opened.failed.count(), 0);
    }

    void switchedOffNothingMoreIsWritten()
    {
        LineageSession recorded;
        recorded.growTo(30);
        Opened opened(recorded);
        opened.lineage.setOn(true);
        QVERIFY(opened.isWrittenAsNow());
        opened.lineage.setOn(false);
        QVERIFY(!opened.lineage.isOn() && opened.isStill());
        const std::string names = recorded.names();
        QCOMPARE(names, recorded.writtenAtOnce());
        recorded.growTo(60);
        opened.publish();
        QVERIFY(!opened.lineage.isWriting() && !opened.lineage.report());
        QCOMPARE(recorded.names(), names);
        // Switched on again before the thread of the time before has ended, it goes on all the same.
        opened.lineage.setOn(true);
        opened.lineage.setOn(false);
        opened.lineage.setOn(true);
        QVERIFY(opened.isWrittenAsNow());
        QCOMPARE(recorded.names(), recorded.writtenAtOnce());
        QCOMPARE(opened.failed.count(), 0);
    }

    void aSessionThatIsOpenedAgainGoesOn()
    {
        LineageSession recorded;
        recorded.growTo(60);
        std::int64_t before = 0;
        {
            Opened opened(recorded);
            opened.lineage.setOn(true);
            QVERIFY(opened.isWrittenAsNow());
            before = opened.lineage.report()->admitted + opened.lineage.report()->kept;
            opened.client.publish(std::make_shared<const Snapshot>()); // it is closed
            QVERIFY(!opened.lineage.isOn() && opened.lineage.folder().isEmpty() && opened.isStill());
        }
        QVERIFY(before > 10);
        recorded.growTo(90); // elsewhere, without it
        Opened opened(recorded);
        QVERIFY(opened.lineage.isOn()); // as it was left
        QVERIFY(opened.isWrittenAsNow());
        const LineageReport report = *opened.lineage.report();
        QVERIFY(report.admitted + report.kept > before);
        QVERIFY2(report.fresh < before, "all commits are written anew");
        QCOMPARE(recorded.names(), recorded.writtenAtOnce());
    }

    void whatIsInTheWayStaysAsItIsAndIsSaid_data()
    {
        QTest::addColumn<QString>("kind");
        QTest::addColumn<QString>("code");
        QTest::newRow("a file") << u"file"_s << u"lineage/not-ours"_s;
        QTest::newRow("a folder with files") << u"folder"_s << u"lineage/not-ours"_s;
        QTest::newRow("the lineage of another session") << u"other"_s << u"lineage/other-session"_s;
        QTest::newRow("a folder of another user") << u"foreign"_s << u"lineage/foreign-owner"_s;
    }

    void whatIsInTheWayStaysAsItIsAndIsSaid()
    {
        QFETCH(QString, kind);
        QFETCH(QString, code);
        LineageSession recorded;
        recorded.growTo(30);
        fs::path kept = recorded.repository / "mine";
        if (kind == u"file"_s) {
            kept = recorded.repository;
            QVERIFY(saveFile(kept, "mine"));
        } else if (kind == u"folder"_s) {
            QVERIFY(fs::create_directory(recorded.repository) && saveFile(kept, "mine"));
        } else if (kind == u"other"_s) {
            const fs::path other = recorded.folder.filePath(u"other.tilewright"_s).toStdString();
            QVERIFY(unpackSession(shippedDemo("gemm-h200"), other));
            auto source = openRunSource(other.string()).value();
            auto lineage = LineageRepository::open(recorded.repository).value();
            RunState read;
            QVERIFY(
                source->follow(read, [&](const Event& event, const RunState& after) { lineage->take(event, after); }));
            QVERIFY(lineage->write(read, [&](const Hash& hash) { return source->text(hash); }));
            kept = recorded.repository / "packed-refs";
        } else {
            if (geteuid() != 0)
                QSKIP("only root can give a folder away");
            Opened first(recorded);
            first.lineage.setOn(true);
            QVERIFY(first.isWrittenAsNow());
            first.lineage.setOn(false);
            QVERIFY(first.isStill());
            kept = recorded.repository / "packed-refs";
            QCOMPARE(chown(recorded.repository.c_str(), 65534, 65534), 0);
        }
        const std::string before = readFile(kept).value();
        Opened opened(recorded);
        opened.lineage.setOn(true);
        QVERIFY(opened.isStill());
        QVERIFY(opened.lineage.failure());
        QCOMPARE(q(opened.lineage.failure()->code), code);
        QCOMPARE(opened.failed.count(), 1);
        const QString said = opened.failed.first().first().toString(), hint = opened.failed.first().last().toString();
        QVERIFY2(!said.contains(u'\n') && said.startsWith(u"The lineage in git is not written: "_s), qPrintable(said));
        QVERIFY2(hint.contains(u"off and on"_s), qPrintable(hint));
        QCOMPARE(readFile(kept).value(), before);
        recorded.growTo(40);
        opened.publish(); // nothing is tried again by itself
        QVERIFY(!opened.lineage.isWriting());
        fs::rename(recorded.repository, recorded.folder.filePath(u"moved"_s).toStdString());
        opened.lineage.setOn(false);
        opened.lineage.setOn(true);
        QVERIFY(opened.isWrittenAsNow());
        QVERIFY(!opened.lineage.failure());
        QCOMPARE(recorded.names(), recorded.writtenAtOnce());
    }

    void theWindowSaysHowFarItIs()
    {
        LineageSession recorded;
        recorded.growTo(30);
        Theatre stage(0);
        QAction& action = stage.window->actions()[u"session.git-lineage"_s];
        auto* said = stage.find<ElidedLabel>(u"statusLineage"_s);
        QVERIFY(action.isCheckable() && !action.isEnabled());
        stage.client.publish(recorded.snapshot());
        QVERIFY(action.isEnabled() && !action.isChecked() && !said->isVisible());
        action.trigger();
        QVERIFY(action.isChecked());
        QVERIFY(stage.find<MessageBar>(u"messageBar"_s)->text().contains(q(recorded.repository.string())));
        QTRY_VERIFY_WITH_TIMEOUT(said->text().endsWith(u" commits"_s), patience);
        QVERIFY2(said->isVisible() && said->text().startsWith(u"git: "_s), qPrintable(said->text()));
        QVERIFY(said->parentWidget()->toolTip().contains(q(recorded.repository.string())));
        action.trigger();
        QVERIFY(!action.isChecked() && !said->isVisible());
        fs::rename(recorded.repository, recorded.folder.filePath(u"moved"_s).toStdString());
        QVERIFY(saveFile(recorded.repository, "mine"));
        action.trigger();
        QTRY_COMPARE_WITH_TIMEOUT(said->text(), u"git: not written"_s, patience);
        QVERIFY(said->parentWidget()->toolTip().contains(u"--to"_s));
        QVERIFY(stage.find<MessageBar>(u"messageBar"_s)->text().contains(u"is not written"_s));
        QCOMPARE(readFile(recorded.repository).value(), std::string("mine"));
        stage.client.publish(std::make_shared<const Snapshot>());
        QVERIFY(!action.isEnabled() && !action.isChecked() && !said->isVisible());
    }
};

TILEWRIGHT_TEST(TestGitLineage)
#include "test_git_lineage.moc"
