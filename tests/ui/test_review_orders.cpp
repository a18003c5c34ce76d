// SPDX-License-Identifier: GPL-3.0-or-later
// Orders in Review: letters wait until it is known that they begin no word, a rejection says what it lacks, and a quick
// result is said and taken back as other orders are.
#include "tests/test_program.h"
#include "tests/ui/review_stage.h"
#include "ui/devices/queue_model.h"
#include "ui/evolve/fitness_changes.h"
#include "ui/models/display_text.h"
#include "ui/models/score_words.h"
#include "ui/review/decision_bar.h"
#include "ui/theme/theme.h"
#include "ui/widgets/message_bar.h"

#include <QLineEdit>
#include <QListView>
#include <QPushButton>

using namespace tilewright;
using namespace tilewright::ui;
using namespace tilewright::test;
using namespace Qt::StringLiterals;

namespace {

constexpr std::chrono::milliseconds waits = ShortcutGuard::fast; ///< an order of a letter

struct OrderStage : ReviewStage {
    explicit OrderStage(int reviews = 3)
        : ReviewStage(reviews)
    {
        window->activateWindow();
        [[maybe_unused]] const bool isActive = QTest::qWaitForWindowActive(window.get(), patience);
        window->centralWidget()->setFocus();
    }
    QPushButton* button(const QString& name) const { return find<QPushButton>(name); }
};

} // namespace

class TestReviewOrders : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { Theme::instance().apply(ThemeKind::Dark); }

    void theFirstLetterOfAWordIsNoOrder_data()
    {
        QTest::addColumn<QString>("word");
        for (const char* word : {"approve", "edit", "as", "model"})
            QTest::newRow(word) << QString::fromLatin1(word);
    }

    void theFirstLetterOfAWordIsNoOrder()
    {
        QFETCH(QString, word);
        OrderStage stage;
        QTest::keyClicks(stage.window.get(), word);
        stage.pass(2 * waits); // nothing comes later either
        QCOMPARE(stage.client.calls, QStringList());
        QVERIFY(stage.client.candidateCommands.empty());
        QVERIFY(!stage.page().isEditing());
        QVERIFY(!stage.find<QLineEdit>(u"rejectReason"_s)->hasFocus());
        QCOMPARE(stage.find<QLabel>(u"letterWords"_s)->text(), u"Single keys are shortcuts here; Ctrl+K searches."_s);
    }

    void aReasonIsTypedAtOnceBehindItsLetter()
    {
        OrderStage stage;
        auto* reason = stage.find<QLineEdit>(u"rejectReason"_s);
        QTest::keyClick(stage.window.get(), Qt::Key_R);
        QVERIFY(reason->hasFocus());
        QTest::keyClicks(reason, u"too slow, as before"_s);
        stage.pass(2 * waits);
        QCOMPARE(reason->text(), u"too slow, as before"_s);
        QCOMPARE(stage.client.calls, QStringList()); // nothing is decided before Return
        QTest::keyClick(reason, Qt::Key_Return);
        QCOMPARE(stage.client.calls.size(), 1);
    }

    void anOrderOfALetterWaitsWithItsButtonPressed()
    {
        OrderStage stage;
        stage.pressFast(Qt::Key_A);
        QVERIFY(stage.button(u"review-approve"_s)->isDown());
        QVERIFY(!stage.button(u"review-defer"_s)->isDown());
        stage.pass(waits - std::chrono::milliseconds(1));
        QVERIFY(stage.button(u"review-approve"_s)->isDown());
        QCOMPARE(stage.client.calls, QStringList());
        stage.pass(std::chrono::milliseconds(1));
        QCOMPARE(stage.client.calls, QStringList{u"approved "_s + stage.name(0)});
        QVERIFY(!stage.button(u"review-approve"_s)->isDown());
    }

    void lettersWithRestsBetweenThemAllAct()
    {
        OrderStage stage;
        for (int i = 0; i < 3; ++i) {
            stage.pressFast(Qt::Key_A);
            stage.pass(waits);
        }
        QCOMPARE(stage.client.calls,
            (QStringList{
                u"approved "_s + stage.name(0), u"approved "_s + stage.name(1), u"approved "_s + stage.name(2)}));
    }

    /// Where the window was busy when the time was over, the next key still finds the order carried out.
    void aLateKeyFindsTheOrderCarriedOut()
    {
        OrderStage stage;
        stage.pressFast(Qt::Key_A);
        stage.time += waits; // nobody looked
        stage.pressFast(Qt::Key_S);
        QCOMPARE(stage.client.calls, QStringList{u"approved "_s + stage.name(0)});
        stage.pass(waits);
        QCOMPARE(stage.client.calls.last(), u"deferred "_s + stage.name(1));
    }

    void keysThatMoveActAtOnceAfterWhatWaits_data()
    {
        QTest::addColumn<int>("key");
        QTest::newRow("J") << int(Qt::Key_J);
        QTest::newRow("K") << int(Qt::Key_K);
        QTest::newRow("Down") << int(Qt::Key_Down);
    }

    void keysThatMoveActAtOnceAfterWhatWaits()
    {
        QFETCH(int, key);
        OrderStage stage(4);
        stage.find<QListView>(u"reviewQueue"_s)->setFocus();
        stage.pressFast(Qt::Key_J);
        QCOMPARE(stage.page().chosen(), stage.waiting[1]); // at once
        stage.pressFast(Qt::Key_S);
        QTest::keyClick(stage.find<QListView>(u"reviewQueue"_s), Qt::Key(key));
        QCOMPARE(stage.client.calls, QStringList{u"deferred "_s + stage.name(1)});
        QVERIFY(!stage.button(u"review-defer"_s)->isDown());
        stage.pass(2 * waits);
        QCOMPARE(stage.client.calls.size(), 1); // once
    }

    void aPressOfTheMouseComesAfterWhatWaits()
    {
        OrderStage stage;
        auto* queue = stage.find<QListView>(u"reviewQueue"_s);
        stage.pressFast(Qt::Key_A);
        QTest::mouseClick(
            queue->viewport(), Qt::LeftButton, {}, queue->visualRect(queue->model()->index(2, 0)).center());
        QCOMPARE(stage.client.calls, QStringList{u"approved "_s + stage.name(0)});
        QCOMPARE(stage.page().chosen(), stage.waiting[2]);
    }

    void buttonsActAtOnce()
    {
        OrderStage stage;
        QTest::mouseClick(stage.button(u"review-approve"_s), Qt::LeftButton);
        QCOMPARE(stage.client.calls, QStringList{u"approved "_s + stage.name(0)});
    }

    void whatWaitsIsTakenBackBeforeItActs_data()
    {
        QTest::addColumn<int>("key");
        QTest::addColumn<int>("with");
        QTest::newRow("Escape") << int(Qt::Key_Escape) << int(Qt::NoModifier);
        QTest::newRow("Undo") << int(Qt::Key_Z) << int(Qt::ControlModifier);
    }

    void whatWaitsIsTakenBackBeforeItActs()
    {
        QFETCH(int, key);
        QFETCH(int, with);
        OrderStage stage;
        stage.pressFast(Qt::Key_A);
        QTest::keyClick(stage.window.get(), Qt::Key(key), Qt::KeyboardModifiers(with));
        QVERIFY(!stage.button(u"review-approve"_s)->isDown());
        stage.pass(2 * waits);
        QCOMPARE(stage.client.calls, QStringList());
    }

    /// The one it was meant for is decided elsewhere while it waits: nobody else is approved.
    void whatWaitsIsOnNobodyElse()
    {
        OrderStage stage;
        stage.pressFast(Qt::Key_A);
        stage.decided(stage.waiting[0], Decision::Approved);
        QCOMPARE(stage.page().chosen(), stage.waiting[1]);
        stage.pass(2 * waits);
        QCOMPARE(stage.client.calls, QStringList());
    }

    void aKeyThatIsHeldDownIsSaidOnce()
    {
        OrderStage stage;
        stage.pressFast(Qt::Key_A);
        stage.pass(waits);
        QKeyEvent again(QEvent::ShortcutOverride, Qt::Key_A, Qt::NoModifier, u"a"_s, true);
        QCoreApplication::sendEvent(stage.window.get(), &again);
        QVERIFY(again.isAccepted());
        stage.pass(waits);
        QCOMPARE(stage.client.calls.size(), 1);
    }

    void aRejectionWithoutAReasonSaysWhatItLacks()
    {
        OrderStage stage;
        auto* reason = stage.find<QLineEdit>(u"rejectReason"_s);
        const auto* word = stage.find<QLabel>(u"decisionWord"_s);
        const auto isBad = [&] { return reason->property("invalid").toBool() && word->property("tone") == u"bad"_s; };
        stage.press(Qt::Key_R);
        QVERIFY(reason->hasFocus());
        QVERIFY(!isBad() && !reason->property("invalid").toBool()); // it is only asked for
        QTest::keyClick(reason, Qt::Key_Return);
        QCOMPARE(stage.client.calls, QStringList());
        QVERIFY(isBad());
        QCOMPARE(word->text(), u"A rejection needs a reason: write what is wrong, then press Return. Esc cancels."_s);
        QCOMPARE(reason->accessibleDescription(), word->text());
        QVERIFY(reason->hasFocus());
        QTest::keyClicks(reason, u"x"_s);
        QVERIFY(!reason->property("invalid").toBool());
        QVERIFY(word->property("tone") == u"secondary"_s);
        QTest::keyClick(reason, Qt::Key_Backspace);
        QTest::keyClick(reason, Qt::Key_Space);
        QTest::keyClick(reason, Qt::Key_Return); // blanks are none
        QVERIFY(isBad());
        QTest::keyClick(reason, Qt::Key_Escape);
        QVERIFY(!isBad() && !reason->property("invalid").toBool());
        stage.button(u"review-reject"_s)->click();
        QVERIFY(!isBad());
        stage.button(u"review-reject"_s)->click(); // once more, and still none
        QVERIFY(isBad());
        stage.page().goTo(1);
        QVERIFY(!isBad());
    }

    void aQuickResultIsSaidAndTakenBackAsOtherOrdersAre()
    {
        OrderStage stage;
        const CandidateId id = stage.waiting[0];
        auto* bar = stage.find<MessageBar>(u"messageBar"_s);
        auto* offer = stage.find<QPushButton>(u"messageOffer"_s);
        stage.press(Qt::Key_R, Qt::ControlModifier);
        QCOMPARE(stage.client.candidateCommands.size(), std::size_t(1));
        stage.run.put(events::RerunAsked{{1}, id, 1, {}});
        stage.open();
        QCOMPARE(bar->text(),
            u"Requested a quick result of %1. It is measured once the device is free."_s.arg(stage.name(0)));
        QVERIFY(offer->isVisible());
        QCOMPARE(offer->text(), u"Undo"_s);
        QTest::mouseClick(offer, Qt::LeftButton);
        QCOMPARE(stage.client.candidateCommands.size(), std::size_t(2));
        QVERIFY(std::get<commands::CancelReruns>(stage.client.candidateCommands.back()) == commands::CancelReruns{id});
        QVERIFY2(bar->text().startsWith(
                     u"Undone: Requested a quick result of %1. It is pending review as before."_s.arg(stage.name(0))),
            qPrintable(bar->text()));
    }

    /// One name for it, wherever it is told of.
    void aQuickResultHasOneName()
    {
        OrderStage stage;
        const CandidateId id = stage.waiting[0];
        const RunState& run = stage.run.state();
        const auto newestChange = [&run] { return run.changes[run.changes.size() - 1]; };
        stage.run.put(events::RerunAsked{{1}, id, 1, {}});
        QCOMPARE(
            run.log.back().text, stage.name(0).toStdString() + " is to have a quick result before it is decided on");
        QVERIFY(newestChange().to == "a quick result");
        const auto rows = queueOf(*stage.run.snapshot());
        const auto row = std::ranges::find(rows, u"quick result"_s, &QueueRow::what);
        QVERIFY(row != rows.end() && row->candidate == id);
        stage.run.put(events::RerunWithdrawn{{1}});
        QCOMPARE(run.log.back().text, stage.name(0).toStdString() + " gets no quick result: undone");
        QVERIFY(newestChange().from == "a quick result");
        stage.run.put(events::RerunAsked{{2}, id, 1, {}});
        Evaluation quick;
        quick.id = {static_cast<std::int64_t>(run.evaluations.size()) + 1};
        quick.candidate = id;
        quick.against = {1};
        quick.result.purpose = Purpose::Rerun;
        quick.result.outcome = Outcome::Ranked;
        quick.result.score = Interval{1.31, 1.27, 1.35};
        stage.run.put(events::Evaluated{quick, run.runNs});
        QVERIFY(run.log.back().text.contains("has a quick result"));
        QVERIFY2(rerunEnded(run, run.reruns.back())
                     .startsWith(u"Quick result of %1, not a verdict: 1.31×"_s.arg(stage.name(0))),
            qPrintable(rerunEnded(run, run.reruns.back())));
        for (const LogLine& line : run.log)
            QVERIFY(line.candidate != id || line.text.find("measured again") == std::string::npos);
    }
};

TILEWRIGHT_TEST(TestReviewOrders)
#include "test_review_orders.moc"
