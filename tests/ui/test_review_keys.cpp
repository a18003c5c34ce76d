// SPDX-License-Identifier: GPL-3.0-or-later
// Letters that decide in Review: where they are orders, where they are text, and what the keyboard has afterwards.
#include "tests/patience.h"
#include "tests/test_program.h"
#include "tests/ui/review_stage.h"
#include "ui/diff/split_diff.h"
#include "ui/models/display_text.h"
#include "ui/review/proposal_editor.h"
#include "ui/review/review_page.h"
#include "ui/theme/theme.h"
#include "ui/widgets/numbered_editor.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPushButton>
#include <QTest>

using namespace tilewright;
using namespace tilewright::ui;
using namespace tilewright::test;
using namespace Qt::StringLiterals;

class TestReviewKeys : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { Theme::instance().apply(ThemeKind::Dark); }

    void aLetterThatIsTypedIntoABoxIsNoOrder_data()
    {
        QTest::addColumn<QString>("box");
        for (const char* box : {"policyIsland", "reviewPolicy", "reviewLimit"})
            QTest::newRow(box) << QString::fromLatin1(box);
    }

    void aLetterThatIsTypedIntoABoxIsNoOrder()
    {
        QFETCH(QString, box);
        ReviewStage stage;
        stage.window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(stage.window.get(), patience));
        auto* typed = stage.find<QComboBox>(box);
        QVERIFY(typed && typed->isVisible() && typed->isEnabled());
        typed->setFocus();
        QVERIFY(typed->hasFocus());
        for (const Qt::Key key : {Qt::Key_A, Qt::Key_E, Qt::Key_R, Qt::Key_S, Qt::Key_M, Qt::Key_J, Qt::Key_N})
            QTest::keyClick(typed, key);
        for (const QString& call : stage.client.calls)
            QVERIFY2(call.startsWith(u"policy"_s) || call.startsWith(u"review limit"_s), qPrintable(call));
        QVERIFY(!stage.page().isEditing());
        QVERIFY(!stage.find<QLineEdit>(u"rejectReason"_s)->hasFocus());
        QCOMPARE(stage.page().chosen(), stage.waiting.front());
        stage.press(Qt::Key_A); // elsewhere it is the order
        QVERIFY2(stage.client.calls.last().startsWith(u"approve"_s), qPrintable(stage.client.calls.last()));
    }

    void keysDecideInReviewAndNowhereElse()
    {
        ReviewStage stage;
        const auto name = [&](std::size_t i) { return QString::fromStdString(candidateName(stage.waiting[i])); };
        stage.press(Qt::Key_A);
        QCOMPARE(stage.client.calls, QStringList{u"approved "_s + name(0)});
        QCOMPARE(stage.page().chosen(), stage.waiting[1]); // the next one is shown at once
        stage.decided(stage.waiting[0], Decision::Approved);
        stage.press(Qt::Key_S);
        QCOMPARE(stage.client.calls.last(), u"deferred "_s + name(1));
        stage.decided(stage.waiting[1], Decision::Deferred);
        stage.press(Qt::Key_J);
        stage.press(Qt::Key_K);
        stage.press(Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(stage.client.calls.last(), u"undo "_s + name(1));
        QCOMPARE(stage.page().chosen(), stage.waiting[1]); // back to the one that was put off
        stage.takenBack(stage.waiting[1]);
        auto* queue = stage.find<QListView>(u"reviewQueue"_s);
        QCOMPARE(queue->currentIndex().row(), 0); // in its old place
        stage.press(Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(stage.client.calls.last(), u"undo "_s + name(0));
        stage.window->showScreen(u"evolve"_s);
        const qsizetype before = stage.client.calls.size();
        stage.press(Qt::Key_A);
        stage.press(Qt::Key_S);
        QCOMPARE(stage.client.calls.size(), before);
    }

    void aWordThatIsTypedIsNoRowOfOrders()
    {
        ReviewStage stage;
        const auto* letters = stage.find<QLabel>(u"letterWords"_s);
        QVERIFY2(letters->isVisible() && letters->text().contains(u"S defers"_s), qPrintable(letters->text()));
        stage.press(Qt::Key_J); // steps at any speed …
        stage.pressFast(Qt::Key_K);
        stage.pressFast(Qt::Key_S); // … and the word after them
        stage.pass(ShortcutGuard::fast);
        QCOMPARE(stage.client.calls, QStringList{u"deferred "_s + stage.name(0)});
        for (const Qt::Key key : {Qt::Key_A, Qt::Key_R, Qt::Key_E, Qt::Key_S, Qt::Key_A})
            stage.pressFast(key);
        QCOMPARE(stage.client.calls.size(), 1);
        QVERIFY(!stage.page().isEditing() && !stage.find<QLineEdit>(u"rejectReason"_s)->hasFocus());
        QCOMPARE(letters->text(), u"Single keys are shortcuts here; Ctrl+K searches."_s);
        // What begins the name of a candidate leads nowhere.
        const CandidateId read = stage.page().chosen();
        auto* queue = stage.find<QListView>(u"reviewQueue"_s);
        queue->setFocus();
        stage.letters().rest();
        QTest::keyClicks(queue, stage.name(2));
        QCOMPARE(stage.page().chosen(), read);
        QCOMPARE(stage.client.calls.size(), 1);
        stage.press(Qt::Key_A); // after a rest it is an order
        QCOMPARE(stage.client.calls.size(), 2);
    }

    void aKeyNeverEndsACandidateByItself()
    {
        ReviewStage stage;
        auto* reason = stage.find<QLineEdit>(u"rejectReason"_s);
        QTest::keyClicks(reason, u"sums in half"_s);
        stage.press(Qt::Key_R);
        QVERIFY(stage.client.calls.isEmpty());
        QVERIFY(reason->hasFocus());
        const auto* word = stage.find<QLabel>(u"decisionWord"_s);
        QVERIFY2(word->text().startsWith(u"Return rejects it"_s), qPrintable(word->text()));
        QTest::keyClick(reason, Qt::Key_Escape);
        QVERIFY2(!word->text().contains(u"Return"_s), qPrintable(word->text()));
        stage.find<QPushButton>(u"review-reject"_s)->click(); // that is no slip of a finger
        QCOMPARE(stage.client.calls, QStringList{u"rejected "_s + stage.name(0) + u" sums in half"_s});
    }

    void anEditIsWrittenWhereTheChangeIs()
    {
        ReviewStage stage;
        auto* diff = stage.find<SplitDiff>(u"reviewDiff"_s);
        QTRY_VERIFY_WITH_TIMEOUT(diff->changes() > 0, patience);
        stage.press(Qt::Key_E);
        auto* editor = stage.find<NumberedEditor>(u"reviewEditor"_s);
        QTRY_VERIFY_WITH_TIMEOUT(editor->hasFocus(), patience);
        QVERIFY(editor->textCursor().blockNumber() > 0);
        QTRY_VERIFY_WITH_TIMEOUT(
            std::ranges::any_of(editor->lines(), &EditedLine::isLocked), patience); // what may not be edited is shaded
        QVERIFY(!stage.find<QWidget>(u"diffForm"_s)->isVisible()); // one form alone can be written in
        QTest::keyClick(editor, Qt::Key_Escape);
        QVERIFY(!editor->isVisible() && stage.find<QWidget>(u"diffForm"_s)->isVisible());
        stage.press(Qt::Key_E);
        QTRY_VERIFY_WITH_TIMEOUT(editor->hasFocus(), patience);
        QTest::keyClicks(editor, u"// mine"_s);
        QTest::keyClick(editor, Qt::Key_Return, Qt::ControlModifier);
        QTRY_VERIFY_WITH_TIMEOUT(!stage.client.calls.isEmpty(), patience); // once it was built
        QVERIFY2(stage.client.calls.last().startsWith(u"edited "_s), qPrintable(stage.client.calls.last()));
    }

    void aRejectionLeavesTheKeysToTheNextDecision()
    {
        ReviewStage stage;
        auto* reason = stage.find<QLineEdit>(u"rejectReason"_s);
        reason->setFocus();
        QTest::keyClicks(reason, u"changes numerics"_s);
        QTest::keyClick(reason, Qt::Key_Return);
        QCOMPARE(stage.client.calls.size(), 1);
        QVERIFY(reason->text().isEmpty() && !reason->hasFocus() && !reason->isUndoAvailable());
        reason->setFocus();
        QTest::keyClick(reason, Qt::Key_Escape);
        QVERIFY(!reason->hasFocus());
    }
};

TILEWRIGHT_TEST(TestReviewKeys)
#include "test_review_keys.moc"
