// SPDX-License-Identifier: GPL-3.0-or-later
// The reason of a word in Review: what a user writes is for the candidate that is read, and is there until it is
// said.
#include "tests/test_program.h"
#include "tests/ui/review_stage.h"
#include "ui/theme/theme.h"

#include <QLineEdit>
#include <QListView>
#include <QMenu>

using namespace tilewright;
using namespace tilewright::ui;
using namespace tilewright::test;
using namespace Qt::StringLiterals;

namespace {

struct ReasonStage : ReviewStage {
    QLineEdit* reason = find<QLineEdit>(QStringLiteral("rejectReason"));

    void write(const QString& words)
    {
        press(Qt::Key_R);
        QVERIFY(reason->hasFocus());
        QTest::keyClicks(reason, words);
    }
    QStringList kept() const { return window->drafts().places(u"reason/"_s); }
};

} // namespace

class TestReviewReasons : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { Theme::instance().apply(ThemeKind::Dark); }

    void aReasonStaysWithTheOneItWasWrittenFor()
    {
        ReasonStage stage;
        stage.write(u"too slow"_s);
        QTest::keyClick(stage.reason, Qt::Key_Escape);
        QVERIFY(stage.find<QListView>(u"reviewQueue"_s)->hasFocus());
        stage.press(Qt::Key_J);
        QVERIFY2(stage.reason->text().isEmpty(), qPrintable(stage.reason->text()));
        stage.write(u"reads past the end"_s);
        QTest::keyClick(stage.reason, Qt::Key_Escape);
        stage.press(Qt::Key_J);
        QVERIFY(stage.reason->text().isEmpty());
        stage.press(Qt::Key_K);
        QCOMPARE(stage.reason->text(), u"reads past the end"_s);
        stage.press(Qt::Key_K);
        QCOMPARE(stage.reason->text(), u"too slow"_s);
        QCOMPARE(stage.client.calls, QStringList());
        // One of the usual ones is kept as well.
        stage.page().choose(stage.waiting[2]);
        stage.find<QWidget>(u"decisionBar"_s)->findChild<QMenu*>()->actions().front()->trigger();
        stage.page().choose(stage.waiting[0]);
        stage.page().choose(stage.waiting[2]);
        QCOMPARE(stage.reason->text(), u"numerics"_s);
    }

    void escapeInAFieldThatIsUnchangedIsNothing()
    {
        ReasonStage stage;
        stage.write(u"too slow"_s);
        for (int i = 0; i < 2; ++i) {
            QTest::keyClick(stage.reason, Qt::Key_Escape);
            QTest::keyClick(stage.find<QListView>(u"reviewQueue"_s), Qt::Key_Escape);
            QCOMPARE(stage.reason->text(), u"too slow"_s);
            QCOMPARE(stage.kept().size(), 1);
            stage.reason->setFocus();
        }
        stage.page().choose(stage.waiting[1]);
        stage.reason->setFocus();
        QTest::keyClick(stage.reason, Qt::Key_Escape); // an empty one
        QCOMPARE(stage.kept().size(), 1);
        QCOMPARE(stage.page().chosen(), stage.waiting[1]);
        QCOMPARE(stage.client.calls, QStringList());
    }

    void aReasonThatIsEmptiedIsGone()
    {
        ReasonStage stage;
        stage.write(u"x"_s);
        QTest::keyClick(stage.reason, Qt::Key_Backspace);
        QVERIFY(stage.kept().isEmpty());
    }

    void aReasonIsKeptUntilTheRunHasIt()
    {
        ReasonStage stage;
        stage.write(u"too slow"_s);
        QTest::keyClick(stage.reason, Qt::Key_Return);
        QCOMPARE(stage.client.calls, QStringList{u"rejected %1 too slow"_s.arg(stage.name(0))});
        QVERIFY(stage.reason->text().isEmpty()); // the next one's
        Q_EMIT stage.client.failed(u"session/read-only"_s, u"the session is locked"_s, {});
        stage.page().choose(stage.waiting[0]);
        QCOMPARE(stage.reason->text(), u"too slow"_s); // the word was refused
        QTest::keyClick(stage.reason, Qt::Key_Return);
        stage.decided(stage.waiting[0], Decision::Rejected, "too slow");
        QVERIFY(stage.kept().isEmpty());
    }

    void aReasonOfTheLastThatWaitsStandsAgainWhenItsWordIsRefused()
    {
        ReasonStage stage;
        for (std::size_t i : {1, 2})
            stage.decided(stage.waiting[i], Decision::Approved);
        stage.page().choose(stage.waiting[0]);
        stage.write(u"too slow"_s);
        QTest::keyClick(stage.reason, Qt::Key_Return);
        QVERIFY(stage.reason->text().isEmpty());
        Q_EMIT stage.client.failed(u"session/read-only"_s, u"the session is locked"_s, {});
        QCOMPARE(stage.reason->text(), u"too slow"_s);
    }

    void whatIsPutOffKeepsItsReason()
    {
        ReasonStage stage;
        stage.write(u"ask about the edges"_s);
        QTest::keyClick(stage.reason, Qt::Key_Escape);
        stage.press(Qt::Key_S);
        stage.decided(stage.waiting[0], Decision::Deferred, "ask about the edges");
        QVERIFY(stage.reason->text().isEmpty());
        stage.page().choose(stage.waiting[0]);
        QCOMPARE(stage.reason->text(), u"ask about the edges"_s);
    }

    /// Decided elsewhere, for another reason: the text is there as long as the word can be taken back.
    void aReasonThatNobodySaidIsNotDroppedWithTheWordOfAnother()
    {
        ReasonStage stage;
        stage.write(u"too slow"_s);
        stage.decided(stage.waiting[0], Decision::Approved);
        QCOMPARE(stage.page().chosen(), stage.waiting[1]);
        QVERIFY(stage.reason->text().isEmpty());
        stage.takenBack(stage.waiting[0]);
        stage.page().choose(stage.waiting[0]);
        QCOMPARE(stage.reason->text(), u"too slow"_s);
        stage.decided(stage.waiting[0], Decision::Approved);
        stage.run.record(events::StageReached{stage.waiting[0], Stage::Screening});
        stage.open();
        QVERIFY(stage.kept().isEmpty());
    }
};

TILEWRIGHT_TEST(TestReviewReasons)
#include "test_review_reasons.moc"
