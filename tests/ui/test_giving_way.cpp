// SPDX-License-Identifier: GPL-3.0-or-later
// A run that is going: what takes its place in the window asks first, and the run is one click away afterwards.
#include "core/store/packed_session.h"
#include "tests/patience.h"
#include "tests/test_program.h"
#include "tests/ui/set_up.h"
#include "ui/theme/theme.h"
#include "ui/welcome/recent_list.h"
#include "ui/welcome/recent_row.h"
#include "ui/widgets/message_bar.h"

#include <QApplication>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QTest>

using namespace tilewright;
using namespace tilewright::ui;
using namespace Qt::StringLiterals;

namespace {

struct GoingRun : test::SetUp {
    GoingRun()
    {
        run.grow(40);
        QVERIFY(unpackSession(shippedDemo("gemm-cpu"), going.toStdString()));
        QVERIFY(unpackSession(shippedDemo("gemm-cpu"), other.toStdString()));
        show(events::Phase::Running);
        window->showScreen(u"welcome"_s);
    }
    void show(events::Phase phase)
    {
        Snapshot snapshot = *run.snapshot(phase);
        snapshot.status.sessionPath = going.toStdString();
        client.publish(std::make_shared<const Snapshot>(snapshot));
    }
    QString said() const { return find<MessageBar>(u"messageBar"_s)->text(); }
    QPushButton* offer() const { return find<QPushButton>(u"messageOffer"_s); }
    bool asks() const
    {
        return QTest::qWaitFor([this] { return said().contains(u"is running"_s) && offer()->isVisible(); }, patience);
    }
    /// Beside the button that starts the session.
    bool asksAtStart() const
    {
        auto* words = find<QLabel>(u"startQuestionWords"_s);
        return QTest::qWaitFor([&] { return words->isVisible() && words->text().contains(u"is running"_s); }, patience);
    }
    bool has(const QString& call) const
    {
        return QTest::qWaitFor([&] { return client.calls.contains(call); }, patience);
    }

    QString going = folder.filePath(u"going.tilewright"_s), other = folder.filePath(u"other.tilewright"_s);
};

} // namespace

class TestGivingWay : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { Theme::instance().apply(ThemeKind::Dark); }

    void anotherSessionIsOpenedOnceThePersonSaysSoAndTheRunIsOneClickAway()
    {
        GoingRun stage;
        stage.window->openFile(stage.other);
        QVERIFY2(stage.asks(), qPrintable(stage.said()));
        QVERIFY2(stage.said().contains(u"going.tilewright"_s) && stage.said().contains(u"other.tilewright"_s),
            qPrintable(stage.said()));
        QVERIFY(stage.client.calls.isEmpty()); // the run goes on
        QTest::mouseClick(stage.offer(), Qt::LeftButton);
        QVERIFY(stage.has(u"open "_s + stage.other));
        QCOMPARE(stage.client.calls, (QStringList{u"close"_s, u"open "_s + stage.other}));
        QVERIFY2(stage.said().contains(u"going.tilewright"_s) && stage.said().contains(u"paused"_s),
            qPrintable(stage.said()));
        QCOMPARE(stage.offer()->text(), u"Resume"_s);
        stage.client.calls.clear();
        QTest::mouseClick(stage.offer(), Qt::LeftButton);
        QVERIFY(stage.has(u"run"_s));
        QCOMPARE(stage.client.calls, (QStringList{u"close"_s, u"open "_s + stage.going, u"run"_s}));
    }

    void aSessionThatIsClickedOnIsAskedAboutBesideIt()
    {
        GoingRun stage;
        stage.window->resize(1280, 800);
        stage.settings.addRecentFile(stage.other);
        auto* list = stage.find<RecentList>(u"recentSessions"_s);
        const auto rows = list->findChildren<RecentRow*>();
        const auto row = std::ranges::find_if(rows, [&](const RecentRow* each) { return each->path() == stage.other; });
        QVERIFY(row != rows.end());
        QTest::mouseClick(*row, Qt::LeftButton);
        auto* question = stage.find<QWidget>(u"openQuestion"_s);
        QTRY_VERIFY_WITH_TIMEOUT(question->isVisible(), patience);
        QVERIFY(stage.find<QLabel>(u"openQuestionWords"_s)->text().contains(u"other.tilewright is opened instead"_s));
        QVERIFY2(!stage.said().contains(u"is running"_s), qPrintable(stage.said())); // once, and here
        QTRY_VERIFY_WITH_TIMEOUT(question->visibleRegion().boundingRect() == question->rect(), patience);
        const auto topOf = [](QWidget* one) { return one->mapToGlobal(QPoint()).y(); };
        QVERIFY(topOf(question) >= topOf(list) && topOf(question) - topOf(list) <= list->height() + 20);
        auto* agree = stage.find<QPushButton>(u"openAgree"_s);
        QVERIFY(agree->hasFocus());
        QVERIFY(stage.client.calls.isEmpty());
        QTest::keyClick(agree, Qt::Key_Escape);
        QVERIFY(!question->isVisible());
        QTest::mouseClick(*row, Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(question->isVisible(), patience);
        stage.show(events::Phase::Paused); // by hand: nothing is left to ask
        QVERIFY(!question->isVisible());
        stage.show(events::Phase::Running);
        QTest::mouseClick(*row, Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(question->isVisible(), patience);
        QTest::keyClick(agree, Qt::Key_Return);
        QVERIFY(stage.has(u"open "_s + stage.other));
        QVERIFY2(stage.said().contains(u"is paused now"_s), qPrintable(stage.said()));
    }

    void theQuestionIsOverOnceTheRunRests()
    {
        GoingRun stage;
        stage.window->openFile(stage.other);
        QVERIFY2(stage.asks(), qPrintable(stage.said()));
        stage.show(events::Phase::Paused); // by hand
        QVERIFY2(!stage.said().contains(u"is running"_s), qPrintable(stage.said()));
        QCOMPARE(stage.offer()->text(), u"Open other.tilewright"_s); // what was wanted is not lost
        QTest::mouseClick(stage.offer(), Qt::LeftButton);
        QVERIFY(stage.has(u"open "_s + stage.other));
    }

    void aNewSessionWaitsForTheWordAsWell()
    {
        GoingRun stage;
        const QString file = stage.choices().path;
        QTest::mouseClick(stage.find<QPushButton>(u"start"_s), Qt::LeftButton);
        QVERIFY(stage.asksAtStart());
        QVERIFY2(!stage.said().contains(u"is running"_s), qPrintable(stage.said())); // once, and here
        QVERIFY(!stage.client.created && stage.client.calls.isEmpty());
        auto* question = stage.find<QWidget>(u"startQuestion"_s);
        const auto bottomOf = [](QWidget* one) { return one->mapToGlobal(QPoint(0, one->height())).y(); };
        auto* start = stage.find<QPushButton>(u"start"_s);
        QVERIFY(std::abs(bottomOf(question) - start->mapToGlobal(QPoint()).y()) < 40); // right above the button
        QTest::mouseClick(stage.find<QPushButton>(u"startNotNow"_s), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(!question->isVisible(), patience);
        QCoreApplication::processEvents(); // whatever the word set off
        QVERIFY(stage.client.calls.isEmpty());
        QCOMPARE(stage.choices().path, file); // all that was chosen is there yet
        QTest::mouseClick(start, Qt::LeftButton);
        QVERIFY(stage.asksAtStart());
        QVERIFY(stage.find<QPushButton>(u"startAgree"_s)->hasFocus());
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return); // presses what has the focus
        QVERIFY(stage.has(u"create"_s));
        QCOMPARE(stage.client.calls, QStringList{u"create"_s}); // which closes the other once it is there itself
        QCOMPARE(stage.client.created->path, file);
        stage.show(events::Phase::Running); // until then
        QVERIFY2(!stage.said().contains(u"paused"_s), qPrintable(stage.said()));
        Snapshot made = *stage.run.snapshot(events::Phase::Running);
        made.status.sessionPath = file.toStdString();
        stage.client.publish(std::make_shared<const Snapshot>());
        stage.client.publish(std::make_shared<const Snapshot>(made));
        QTRY_VERIFY_WITH_TIMEOUT(stage.said().contains(u"going.tilewright was running and is paused now"_s), patience);
    }

    void aNewSessionThatCannotBeMadeLeavesTheRunGoing()
    {
        GoingRun stage;
        QTest::mouseClick(stage.find<QPushButton>(u"start"_s), Qt::LeftButton);
        QVERIFY(stage.asksAtStart());
        QTest::mouseClick(stage.find<QPushButton>(u"startAgree"_s), Qt::LeftButton);
        QVERIFY(stage.has(u"create"_s));
        Q_EMIT stage.client.failed(
            u"session/full"_s, u"mine.tilewright cannot be created: the disk is full"_s, u"free some space there"_s);
        QVERIFY2(stage.said().contains(u"the disk is full"_s), qPrintable(stage.said()));
        QVERIFY(stage.find<QPushButton>(u"start"_s)->isVisible()); // all that was chosen is there yet
        QVERIFY(!stage.client.calls.contains(u"close"_s));
        stage.window->showScreen(u"evolve"_s);
        stage.show(events::Phase::Running);
        QVERIFY2(!stage.said().contains(u"is paused"_s), qPrintable(stage.said()));
        QVERIFY(stage.window->actions()[u"run.pause"_s].isEnabled());
    }

    void theQuestionIsPutAwayWhenTheChoicesChange()
    {
        GoingRun stage;
        QTest::mouseClick(stage.find<QPushButton>(u"start"_s), Qt::LeftButton);
        QVERIFY(stage.asksAtStart());
        stage.find<QSpinBox>(u"islands"_s)->setValue(7);
        QVERIFY(!stage.find<QWidget>(u"startQuestion"_s)->isVisible());
        QVERIFY(stage.client.calls.isEmpty());
    }

    void returnPressesTheButtonOfAMessage()
    {
        GoingRun stage;
        stage.window->openFile(stage.other);
        QVERIFY2(stage.asks(), qPrintable(stage.said()));
        QVERIFY(QTest::qWaitForWindowActive(stage.window.get()));
        QTRY_VERIFY_WITH_TIMEOUT(stage.offer()->hasFocus(), patience);
        QTest::keyClick(stage.offer(), Qt::Key_Return);
        QVERIFY(stage.has(u"open "_s + stage.other));
    }

    void onlyTheLastWishIsFollowed()
    {
        GoingRun stage;
        stage.window->openFile(stage.other);
        QVERIFY(stage.asks());
        QTest::mouseClick(stage.find<QPushButton>(u"start"_s), Qt::LeftButton);
        QVERIFY(stage.asksAtStart());
        QVERIFY2(!stage.said().contains(u"is running"_s), qPrintable(stage.said()));
        QTest::mouseClick(stage.find<QPushButton>(u"startAgree"_s), Qt::LeftButton);
        QVERIFY(stage.has(u"create"_s));
        QVERIFY(!stage.client.calls.contains(u"open "_s + stage.other));
    }

    void whatDoesNotRunGivesWayAtOnce()
    {
        GoingRun stage;
        stage.show(events::Phase::Paused);
        stage.window->openFile(stage.other);
        QVERIFY(stage.has(u"open "_s + stage.other));
        QVERIFY2(!stage.said().contains(u"paused"_s), qPrintable(stage.said()));
    }

    void aRunThatIsClosedIsOneClickAway()
    {
        GoingRun stage;
        stage.window->actions()[u"file.close"_s].trigger();
        QVERIFY(stage.has(u"close"_s));
        QTRY_VERIFY_WITH_TIMEOUT(stage.said().contains(u"is paused now"_s), patience);
        QTest::mouseClick(stage.offer(), Qt::LeftButton);
        QVERIFY(stage.has(u"run"_s));
    }
};

TILEWRIGHT_TEST(TestGivingWay)
#include "test_giving_way.moc"
