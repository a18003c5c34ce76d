// SPDX-License-Identifier: GPL-3.0-or-later
// What is said beside the menus: no page moves for it, several wait for each other, the keyboard reaches and puts them
// away, screen readers are told.
#include "core/store/session_lock.h"
#include "tests/patience.h"
#include "tests/test_program.h"
#include "tests/ui/fits.h"
#include "ui/theme/theme.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/message_bar.h"

#include <QAccessible>
#include <QApplication>
#include <QLabel>
#include <QLineEdit>
#include <QMenuBar>
#include <QPushButton>
#include <QRegularExpression>
#include <QStackedWidget>
#include <QTest>
#include <QTimer>
#include <QToolButton>

using namespace tilewright;
using namespace tilewright::ui;
using namespace tilewright::test;
using namespace Qt::StringLiterals;

namespace {

/// Where everything on the pages stands.
QList<QRect> places(const Theatre& stage)
{
    QList<QRect> all;
    const auto* pages = stage.window->centralWidget()->findChild<QStackedWidget*>();
    for (const QWidget* each : pages->findChildren<QWidget*>())
        all << QRect(each->mapTo(stage.window.get(), QPoint()), each->size());
    return all;
}

} // namespace

class TestMessages : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theNewestIsShownAndTheOthersComeAfterIt()
    {
        MessageQueue queue;
        QCOMPARE(queue.front().number, 0U);
        const quint64 error = queue.add(MessageMood::Error, u"no room"_s);
        const quint64 note = queue.add(MessageMood::Info, u"a copy was written"_s);
        QCOMPARE(queue.front().number, note);
        queue.restate(error, u"no room at all"_s);
        MessageQueue answered;
        answered.add(MessageMood::Info, u"Taken back: the approval of 32 edits."_s);
        const quint64 state = answered.addBehind(MessageMood::Info, u"32 candidates wait"_s, MessageKind::Waiting);
        QCOMPARE(answered.front().text, u"Taken back: the approval of 32 edits."_s);
        answered.remove(answered.front().number);
        QCOMPARE(answered.front().number, state);
        queue.remove(note);
        QCOMPARE(queue.front(), (Message{error, MessageMood::Error, u"no room at all"_s, MessageKind::Note}));
        queue.remove(note); // once more: nothing
        QVERIFY(queue.has(error) && !queue.has(note));
    }

    void theSameAgainComesToTheFrontAndStandsOnce()
    {
        MessageQueue queue;
        const quint64 first = queue.add(MessageMood::Error, u"no room"_s);
        queue.add(MessageMood::Warning, u"the device is gone"_s);
        QCOMPARE(queue.add(MessageMood::Error, u"no room"_s), first);
        QCOMPARE(queue.all().size(), 2U);
        QCOMPARE(queue.front().number, first);
    }

    void aNewerOneTakesThePlaceOfTheOlderOfItsKind()
    {
        MessageQueue queue;
        queue.add(MessageMood::Info, u"c-0001 is the best now"_s, MessageKind::Best);
        queue.add(MessageMood::Info, u"banned c-0003"_s, MessageKind::Order);
        const quint64 best = queue.addBehind(MessageMood::Info, u"c-0007 is the best now"_s, MessageKind::Best);
        QCOMPARE(queue.all().size(), 2U);
        QCOMPARE(queue.all().back().number, best);
        queue.add(MessageMood::Warning, u"c-0004 contradicts its verdict"_s, MessageKind::News);
        queue.add(MessageMood::Info, u"c-0005 agrees with its verdict"_s, MessageKind::News); // of another one
        QCOMPARE(queue.all().size(), 4U);
    }

    /// What was said long ago does not stay in sight over what is newer.
    void whatTheRunBringsComesIntoSight()
    {
        QWidget frame; // not shown: neither the pointer nor the keyboard is there
        MessageBar bar(&frame);
        bar.show(MessageMood::Info, u"c-0001 is the best now."_s, {}, MessageKind::Best);
        bar.show(MessageMood::Info, u"No island goes on before you decide."_s, {}, MessageKind::Waiting);
        QCOMPARE(bar.text(), u"No island goes on before you decide."_s);
        bar.show(MessageMood::Info, u"Banned c-0003."_s, {}, MessageKind::Order);
        bar.show(MessageMood::Info, u"One island goes on only once you decide."_s, {}, MessageKind::Waiting);
        QCOMPARE(bar.text(), u"Banned c-0003."_s); // an answer is read first
        bar.findChild<QTimer*>(u"messageAnswered"_s)->start(0);
        QTRY_COMPARE_WITH_TIMEOUT(bar.text(), u"One island goes on only once you decide."_s, patience);
    }

    void newsDoNotComeUnderThePointerOrTheKeyboard()
    {
        Theatre stage(20);
        stage.open();
        stage.window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(stage.window.get(), patience));
        auto* bar = stage.find<MessageBar>(u"messageBar"_s);
        bar->clear();
        const quint64 order = bar->show(MessageMood::Info, u"Banned c-0003."_s, {}, MessageKind::Order);
        bar->offer(order, u"Undo"_s, [] {});
        bar->takeFocus();
        bar->show(MessageMood::Info, u"c-0007 is the best now."_s, {}, MessageKind::Best);
        auto* answered = bar->findChild<QTimer*>(u"messageAnswered"_s);
        answered->start(0);
        QTRY_VERIFY_WITH_TIMEOUT(answered->remainingTime() > 100, patience); // it waits once more as long
        QCOMPARE(bar->text(), u"Banned c-0003."_s);
        stage.window->centralWidget()->setFocus();
        answered->start(0);
        QTRY_COMPARE_WITH_TIMEOUT(bar->text(), u"c-0007 is the best now."_s, patience);
    }

    void buttonsKeepTheirPlacesFromMessageToMessage()
    {
        Theatre stage(20);
        stage.open();
        auto* bar = stage.find<MessageBar>(u"messageBar"_s);
        bar->clear();
        auto* offer = stage.find<QPushButton>(u"messageOffer"_s);
        auto* all = stage.find<QPushButton>(u"messageAll"_s);
        int done = 0;
        const auto say = [&](const QString& words, const QString& does) {
            const quint64 number = bar->show(MessageMood::Info, words, {});
            if (!does.isEmpty())
                bar->offer(number, does, [&done] { ++done; });
            settle(*stage.window);
        };
        say(u"Banned c-0003."_s, u"Undo"_s);
        QVERIFY(!all->isVisible());
        const int right = offer->geometry().right();
        say(u"c-0007 is the best now."_s, u"Show"_s);
        QVERIFY(all->isVisible());
        QCOMPARE(offer->geometry().right(), right);
        const QRect place = all->geometry();
        QVERIFY(place.left() > right);
        say(u"It cannot be undone."_s, {});
        QVERIFY(!offer->isVisible());
        QCOMPARE(all->geometry(), place);
        say(u"Paused."_s, u"Take that back"_s);
        QCOMPARE(offer->geometry().right(), right);
        QCOMPARE(all->geometry(), place);
        say(u"Resumed."_s, u"Undo"_s);
        // The second half of a double click does not do what the next one offers.
        QTest::mouseClick(offer, Qt::LeftButton);
        QCOMPARE(done, 1);
        QVERIFY(offer->isVisible());
        QTest::mouseDClick(offer, Qt::LeftButton);
        QTest::mouseRelease(offer, Qt::LeftButton);
        QCOMPARE(done, 1);
    }

    void whatDoesNotFitIsItsTooltipAndItsName()
    {
        Theatre stage(20);
        stage.open();
        stage.window->resize(1280, 800);
        auto* bar = stage.find<MessageBar>(u"messageBar"_s);
        bar->clear();
        const QString words
            = u"The approval of c-0012. It cannot be undone: c-0012 is being measured. What you ordered before it: ban of c-0004. Ctrl+Z once more takes that back; Ctrl+Alt+H lists what else can be."_s;
        bar->offer(bar->show(MessageMood::Info, words, {}), u"Take that back"_s, [] {});
        settle(*stage.window);
        const auto* text = bar->findChild<ElidedLabel*>();
        QVERIFY(text->shown() != words);
        QCOMPARE(text->toolTip(), words);
        QCOMPARE(bar->accessibleName(), words);
        QVERIFY(stage.find<QPushButton>(u"messageAll"_s)->isVisible());
        bar->show(MessageMood::Info, u"Short."_s, {});
        QCOMPARE(text->toolTip(), QString());
    }

    void theOldestGoNotesFirst()
    {
        MessageQueue queue;
        const quint64 error = queue.add(MessageMood::Error, u"no room"_s);
        const quint64 oldest = queue.add(MessageMood::Info, u"note"_s);
        for (int i = 0; i < MessageQueue::mostNotes; ++i)
            queue.add(MessageMood::Info, u"note %1"_s.arg(i));
        QVERIFY(!queue.has(oldest));
        QVERIFY(queue.has(error));
        for (std::size_t i = 0; i < MessageQueue::most; ++i)
            queue.add(MessageMood::Error, u"trouble %1"_s.arg(i));
        QCOMPARE(queue.all().size(), MessageQueue::most);
        QVERIFY(!queue.has(error));
    }

    void noPageMovesForAMessage_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::newRow("small") << QSize(1280, 800);
        QTest::newRow("large") << QSize(1680, 1050);
    }
    void noPageMovesForAMessage()
    {
        QFETCH(QSize, size);
        Theatre stage;
        setScene(stage);
        stage.window->resize(size);
        for (const QString& mode : {u"welcome"_s, u"evolve"_s, u"review"_s}) {
            stage.window->showScreen(mode);
            settle(*stage.window);
            const QList<QRect> before = places(stage);
            Q_EMIT stage.client.failed(u"store/full"_s, u"No room is left on the disk."_s, u"free some space"_s);
            settle(*stage.window);
            auto* bar = stage.find<MessageBar>(u"messageBar"_s);
            QVERIFY(bar->isVisible() && bar->text().contains(u"No room"_s));
            QCOMPARE(places(stage), before);
            const QRect line(bar->mapTo(stage.window.get(), QPoint()), bar->size());
            const auto* menus = stage.window->findChild<QMenuBar*>();
            QAction* last = menus->actions().last();
            QVERIFY(!menus->actionGeometry(last).isEmpty());
            QVERIFY(line.left() >= menus->mapTo(stage.window.get(), menus->actionGeometry(last).topRight()).x());
            QVERIFY(line.bottom() < stage.window->centralWidget()->geometry().top()); // and nothing is covered
            QTest::mouseClick(stage.find<QToolButton>(u"messageDismiss"_s), Qt::LeftButton);
            QVERIFY(!bar->isVisible());
            settle(*stage.window);
            QCOMPARE(places(stage), before);
        }
    }

    void aTroubleThatIsOverIsNotSaidAnyMore()
    {
        Theatre stage(20);
        stage.open();
        auto* bar = stage.find<MessageBar>(u"messageBar"_s);
        const QString trouble = u"the disk is full"_s, hint = u"free some space there"_s;
        Q_EMIT stage.client.failed(u"session/full"_s, trouble, hint);
        auto snapshot = std::make_shared<Snapshot>(*stage.run.snapshot(events::Phase::Paused));
        snapshot->status.trouble = trouble.toStdString();
        snapshot->status.troubleHint = hint.toStdString();
        snapshot->status.unsaved = true;
        stage.client.publish(snapshot);
        QVERIFY2(bar->text().contains(u"disk is full"_s), qPrintable(bar->text()));
        stage.client.publish(stage.run.snapshot(events::Phase::Paused)); // there is room again, and it is written
        QVERIFY2(bar->isHidden(), qPrintable(bar->text()));
    }

    void aMachineThatIsTooBusyIsToldWithEachTryAndWhatToDo()
    {
        Theatre stage(20);
        stage.open();
        const auto* bar = stage.find<MessageBar>(u"messageBar"_s);
        const auto wait = [&stage](const std::string& words) {
            auto snapshot = std::make_shared<Snapshot>(*stage.run.snapshot());
            snapshot->status.trouble = "the machine is too busy to time (another process ran)";
            snapshot->status.troubleHint = "stop other work on this machine";
            snapshot->status.troubleCode = snapshot->status.waitingCode = "machine/busy";
            snapshot->status.waiting = "waiting: the machine is too busy to time (another process ran); " + words;
            stage.client.publish(snapshot);
        };
        wait("attempt 1 failed: 9 of 11 blocks of samples on 64×64×64 were disturbed; attempt 2 in 2 s");
        QVERIFY2(bar->text().contains(u"9 of 11 blocks"_s) && bar->text().contains(u"attempt 2 in 2 s"_s)
                && bar->text().contains(u"stop other work"_s, Qt::CaseInsensitive),
            qPrintable(bar->text()));
        wait("attempt 2 failed; attempt 3 in 4 s");
        QVERIFY2(bar->text().contains(u"attempt 3 in 4 s"_s), qPrintable(bar->text()));
        stage.open();
        QVERIFY2(bar->isHidden(), qPrintable(bar->text()));
    }

    void whatARestingRunDoesNotTryAnyMoreIsNotSaid()
    {
        Theatre stage(20);
        stage.open();
        const auto* bar = stage.find<MessageBar>(u"messageBar"_s);
        auto snapshot = std::make_shared<Snapshot>(*stage.run.snapshot());
        snapshot->status.trouble = "the machine is too busy to time (another process ran)";
        snapshot->status.troubleCode = snapshot->status.waitingCode = "machine/busy";
        snapshot->status.waiting = "waiting: the machine is too busy to time; retry in 8 s";
        stage.client.publish(std::make_shared<Snapshot>(*snapshot));
        QVERIFY2(bar->text().contains(u"too busy"_s), qPrintable(bar->text()));
        snapshot->status.phase = events::Phase::Paused; // by hand: nothing is tried again
        snapshot->status.waiting.clear();
        snapshot->status.waitingCode.clear();
        stage.client.publish(std::make_shared<Snapshot>(*snapshot));
        QVERIFY2(bar->isHidden(), qPrintable(bar->text()));
    }

    void whatWasRecoveredIsOverWhenTheRunGoesOn()
    {
        Theatre stage(20);
        auto snapshot = std::make_shared<Snapshot>(*stage.run.snapshot(events::Phase::Paused));
        snapshot->status.recovered = "Recovered 20 evaluations, 1 was incomplete.";
        stage.client.publish(std::make_shared<Snapshot>(*snapshot));
        const auto* bar = stage.find<MessageBar>(u"messageBar"_s);
        QVERIFY2(bar->text().contains(u"Recovered 20"_s), qPrintable(bar->text()));
        snapshot->status.phase = events::Phase::Running;
        stage.client.publish(std::make_shared<Snapshot>(*snapshot));
        QVERIFY2(bar->isHidden(), qPrintable(bar->text()));
    }

    void oneOrderTakenBackGivesWayToTheNext()
    {
        Theatre stage(20);
        stage.open();
        const auto* bar = stage.find<MessageBar>(u"messageBar"_s);
        for (int i = 0; i < 2; ++i) // nothing was ordered; then nothing was taken back
            stage.window->actions()[i == 0 ? u"review.undo"_s : u"review.redo"_s].trigger();
        QVERIFY2(bar->text().contains(u"There is nothing to redo"_s), qPrintable(bar->text()));
        QTest::mouseClick(stage.find<QToolButton>(u"messageDismiss"_s), Qt::LeftButton);
        QVERIFY2(bar->isHidden(), qPrintable(bar->text())); // the first does not come up again
    }

    void aSessionThatAnotherProgramHasClosedCanBeTakenOver()
    {
        Theatre stage(20);
        const QString path = stage.folder.filePath(u"a.tilewright"_s);
        SessionLock other;
        QVERIFY(other.acquire(path.toStdString()));
        auto snapshot = std::make_shared<Snapshot>(*stage.run.snapshot(events::Phase::Paused));
        snapshot->status.sessionPath = path.toStdString();
        snapshot->status.readOnly = true;
        snapshot->status.trouble = "another process has the session";
        snapshot->status.troubleCode = "session/locked";
        stage.client.publish(snapshot);
        auto* bar = stage.find<MessageBar>(u"messageBar"_s);
        QVERIFY2(bar->text().contains(u"Another process"_s), qPrintable(bar->text()));
        const auto take = [&]() -> QPushButton* {
            for (auto* button : bar->findChildren<QPushButton*>())
                if (button->isVisible() && button->text() == u"Open for writing"_s)
                    return button;
            return nullptr;
        };
        QVERIFY(!take());
        other.release();
        QTRY_VERIFY_WITH_TIMEOUT(take(), patience);
        QVERIFY(bar->text().contains(u"has closed this session"_s));
        QTest::mouseClick(take(), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(stage.client.calls.contains(u"open "_s + path), patience);
        QVERIFY(stage.client.calls.indexOf(u"close"_s) < stage.client.calls.indexOf(u"open "_s + path));
        QVERIFY(!bar->text().contains(u"has closed this session"_s));
    }

    void allOfALongOneOpensBelowIt()
    {
        Theatre stage(20);
        stage.open();
        stage.window->resize(1280, 800);
        auto* bar = stage.find<MessageBar>(u"messageBar"_s);
        bar->show(MessageMood::Info, u"Short."_s, {});
        settle(*stage.window);
        auto* all = stage.find<QPushButton>(u"messageAll"_s);
        QVERIFY(!all->isVisible());
        const QString reason = u"This file was not written by this program, or it was cut. "_s.repeated(6).trimmed();
        bar->show(MessageMood::Error, reason, u"open another"_s);
        settle(*stage.window);
        QVERIFY(all->isVisible());
        QCOMPARE(misfits(*bar), QStringList());
        QTest::mouseClick(all, Qt::LeftButton);
        auto* page = stage.find<QWidget>(u"allMessages"_s);
        QVERIFY(page && page->isVisible());
        settle(*page);
        QStringList texts;
        for (const auto* label : page->findChildren<QLabel*>())
            if (!label->text().isEmpty())
                texts << label->text();
        QCOMPARE(texts, (QStringList{reason + u" — open another"_s, u"Short."_s}));
        QVERIFY2(misfits(*page).isEmpty(), qPrintable(misfits(*page).join(u'\n')));
        QTest::keyClick(page, Qt::Key_Escape);
        QVERIFY(!page->isVisible());
    }

    void oneThatComesUpAgainTellsWhenItWasSaidAndAClickLeavesTheKeyboardWhereItIs()
    {
        Theatre stage(20);
        stage.open();
        stage.window->showScreen(u"evolve"_s);
        QApplication::setActiveWindow(stage.window.get());
        auto* query = stage.find<QLineEdit>(u"candidateFilter"_s);
        query->setFocus();
        auto* bar = stage.find<MessageBar>(u"messageBar"_s);
        const auto* shown = bar->findChild<ElidedLabel*>();
        bar->show(MessageMood::Warning, u"The device is gone."_s, {});
        int done = 0;
        const quint64 newer = bar->show(MessageMood::Info, u"A copy was written."_s, {});
        bar->offer(newer, u"Undo"_s, [&done] { ++done; });
        QCOMPARE(shown->text(), u"A copy was written."_s);
        QTest::mouseClick(stage.find<QPushButton>(u"messageOffer"_s), Qt::LeftButton);
        QCOMPARE(done, 1);
        QCOMPARE(QApplication::focusWidget(), query);
        static const QRegularExpression withTime(u"^At \\d\\d:\\d\\d: The device is gone\\.$"_s);
        QVERIFY2(withTime.match(shown->text()).hasMatch(), qPrintable(shown->text()));
        bar->show(MessageMood::Warning, u"The device is gone."_s, {}); // again: it is new
        QCOMPARE(shown->text(), u"The device is gone."_s);
    }

    void theKeyboardReachesThemAndPutsThemAway()
    {
        Theatre stage(20);
        stage.open();
        stage.window->showScreen(u"evolve"_s);
        QApplication::setActiveWindow(stage.window.get());
        auto* query = stage.find<QLineEdit>(u"candidateFilter"_s);
        QVERIFY(query);
        query->setFocus();
        auto* bar = stage.find<MessageBar>(u"messageBar"_s);
        bar->show(MessageMood::Warning, u"The device is gone."_s, {});
        bar->show(MessageMood::Info, u"A copy was written."_s, {});
        QCOMPARE(QApplication::focusWidget(), query); // it does not take the keyboard by itself
        QTest::keyClick(query, Qt::Key_F2, Qt::ShiftModifier);
        QVERIFY(bar->isAncestorOf(QApplication::focusWidget()));
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
        QCOMPARE(bar->text(), u"The device is gone."_s);
        QVERIFY(bar->isAncestorOf(QApplication::focusWidget()));
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
        QVERIFY(!bar->isVisible());
        QCOMPARE(QApplication::focusWidget(), query);
    }

    void screenReadersFindAnAlertWithItsWords()
    {
        Theatre stage(20);
        auto* bar = stage.find<MessageBar>(u"messageBar"_s);
        bar->show(MessageMood::Error, u"No room is left."_s, {});
        bar->show(MessageMood::Error, u"Nor is there time."_s, {});
        const QAccessibleInterface* face = QAccessible::queryAccessibleInterface(bar);
        QCOMPARE(face->role(), QAccessible::AlertMessage);
        QCOMPARE(face->text(QAccessible::Name), u"Nor is there time."_s);
        QVERIFY(!face->state().invisible);
    }
};

TILEWRIGHT_TEST(TestMessages)

#include "test_messages.moc"
