// SPDX-License-Identifier: GPL-3.0-or-later
// Changes of a run's settings that are taken back: budget, review policy with what it let through, steering, reference.
#include "core/model/reviews/review_queue.h"
#include "tests/patience.h"
#include "tests/test_program.h"
#include "tests/ui/undo_stage.h"
#include "ui/models/display_text.h"
#include "ui/review/review_page.h"
#include "ui/shell/undo_controller.h"
#include "ui/theme/theme.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/table.h"

#include <QLabel>
#include <QPushButton>
#include <QTest>

using namespace tilewright;
using namespace tilewright::ui;
using namespace tilewright::test;
using namespace Qt::StringLiterals;

class TestUndoSettings : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aPolicyOfOneKindOfProposerIsTakenBackAlone()
    {
        UndoStage stage;
        stage.happen(events::ReviewPolicyChanged{{}, ReviewPolicy::Every});
        stage.happen(events::ReviewPolicyChanged{{2}, ReviewPolicy::Automatic, ProposerKind::Mutator});
        QCOMPARE(stage.newest(), u"Changed the review policy of island B, proposer mutator from every to automatic"_s);
        stage.action(u"review.undo"_s).trigger();
        QCOMPARE(stage.client.calls.back(), u"policy 2 every"_s); // as all its kinds have it again
    }

    void initTestCase() { Theme::instance().apply(ThemeKind::Dark); }

    void whatWasChangedBeforeTheSessionWasOpenedIsListedWithItsPlace()
    {
        UndoStage stage;
        FixtureRun other;
        other.grow(5);
        other.record(events::ReviewPolicyChanged{{2}, ReviewPolicy::Every});
        stage.client.fixture = &other;
        auto snapshot = std::make_shared<Snapshot>(*other.snapshot());
        snapshot->status.sessionPath = "/elsewhere/other.tilewright";
        stage.client.publish(snapshot);
        QCOMPARE(stage.newest(), QString());
        stage.action(u"run.history"_s).trigger();
        const auto* table = stage.window->findChild<Table*>(u"undoTable"_s);
        const auto said = [table](int column) { return table->model()->index(0, column).data().toString(); };
        QCOMPARE(said(0), u"Changed the review policy of island B from automatic to every"_s);
        QCOMPARE(said(1), u"Can be undone; earlier session"_s);
        stage.window->findChild<UndoPage*>()->findChild<QPushButton*>(u"undoEntry"_s)->click();
        QCOMPARE(stage.client.calls.back(), u"policy 2 automatic"_s);
    }

    void ofWhatWasChangedBeforeTheNewestOfItsKindComesFirst()
    {
        Theatre stage(20);
        const Budget first = stage.run.state().settings.budget;
        stage.run.record(events::BudgetChanged{{500, 0, 0, 0}});
        stage.run.record(events::ReviewLimitChanged{3});
        stage.run.record(events::BudgetChanged{{600, 0, 0, 0}});
        stage.open(); // a record
        stage.window->actions()[u"run.history"_s].trigger();
        auto* page = stage.window->findChild<UndoPage*>();
        auto* table = page->findChild<Table*>(u"undoTable"_s);
        const auto said = [table](int row) { return table->model()->index(row, 1).data().toString(); };
        QCOMPARE(table->model()->rowCount(), 3);
        QCOMPARE(said(0), u"Can be undone; earlier session"_s);
        QCOMPARE(said(2), u"Blocked: a later change of the same setting must be undone first"_s);
        page->findChild<QPushButton*>(u"undoEntry"_s)->click();
        QCOMPARE(stage.client.budget.evaluations, 500);
        stage.run.record(events::BudgetChanged{{500, 0, 0, 0}, true});
        stage.open();
        QTRY_COMPARE_WITH_TIMEOUT(table->model()->rowCount(), 2, patience);
        table->setCurrentIndex(table->model()->index(1, 0));
        page->findChild<QPushButton*>(u"undoEntry"_s)->click();
        QVERIFY(stage.client.budget == first);
        const QStringList calls = stage.client.calls;
        stage.window->actions()[u"review.undo"_s].trigger();
        QCOMPARE(stage.client.calls, calls); // by no key
    }

    void anIslandsPolicyIsTakenBackOnceThoughItHadNoneOfItsOwn()
    {
        UndoStage stage;
        stage.happen(events::ReviewPolicyChanged{{}, ReviewPolicy::Every});
        stage.happen(events::ReviewPolicyChanged{{2}, ReviewPolicy::Automatic});
        stage.action(u"review.undo"_s).trigger();
        QCOMPARE(stage.client.calls.back(), u"policy 2 every"_s);
        stage.happen(events::ReviewPolicyChanged{{2}, ReviewPolicy::Every, {}, false, true}); // as all of them
        QVERIFY2(
            stage.newest().startsWith(u"Changed the review policy of all islands from "_s), qPrintable(stage.newest()));
        const auto calls = stage.client.calls.size();
        stage.action(u"review.undo"_s).trigger();
        QCOMPARE(stage.client.calls.size(), calls + 1);
        QVERIFY2(stage.client.calls.back().startsWith(u"policy 0 "_s), qPrintable(stage.client.calls.back()));
    }

    void whatAChangeOfThePolicyLetThroughIsOneOrder()
    {
        Theatre stage(20);
        stage.run.record(events::ReviewPolicyChanged{{}, ReviewPolicy::Every});
        std::vector<CandidateId> all;
        for (int i = 0; i < 3; ++i)
            all.push_back(stage.run.awaitReview({}));
        stage.open();
        stage.run.record(events::ReviewPolicyChanged{{}, ReviewPolicy::Automatic});
        for (const CandidateId each : all)
            stage.run.record(
                events::Reviewed{stage.run.state().candidate(each)->review, Decision::Approved, byPolicy, "", {}});
        stage.run.record(events::StageReached{all[1], Stage::Screening});
        stage.open();
        stage.window->showScreen(u"evolve"_s);
        stage.window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(stage.window.get(), patience));
        stage.window->centralWidget()->setFocus();
        QTest::keyClick(stage.window.get(), Qt::Key_Z, Qt::ControlModifier);
        const QString said = stage.find<MessageBar>(u"messageBar"_s)->text();
        QVERIFY2(said.startsWith(u"Undone: Changed the review policy of all islands from every to automatic, "
                                 "approving 3 candidates."_s),
            qPrintable(said));
        QCOMPARE(stage.client.calls, // else they would wait where nothing is to
            (QStringList{
                u"undo "_s + nameOfCandidate(all[2]), u"undo "_s + nameOfCandidate(all[0]), u"policy 0 every"_s}));
    }

    void inReviewAPolicyIsTakenBackWithWhatItApproved()
    {
        UndoStage stage;
        stage.happen(events::ReviewPolicyChanged{{}, ReviewPolicy::Every});
        const CandidateId through = stage.run.awaitReview({});
        stage.open();
        stage.run.record(events::ReviewPolicyChanged{{}, ReviewPolicy::Automatic});
        stage.happen(
            events::Reviewed{stage.run.state().candidate(through)->review, Decision::Approved, byPolicy, "", {}});
        stage.window->showScreen(u"review"_s);
        stage.action(u"run.history"_s).trigger();
        const auto* table = stage.window->findChild<UndoPage*>()->findChild<Table*>(u"undoTable"_s);
        QCOMPARE(table->model()->rowCount(), 2); // one order, and the one before it
        stage.action(u"review.undo"_s).trigger();
        QCOMPARE(stage.client.calls, (QStringList{u"undo "_s + nameOfCandidate(through), u"policy 0 every"_s}));
        const QString said = stage.find<MessageBar>(u"messageBar"_s)->text();
        QVERIFY2(said.startsWith(u"Undone: Changed the review policy of all islands from every to automatic, "
                                 "approving 1 candidate."_s),
            qPrintable(said));
    }

    /// A word that was taken back by itself, under a policy that asks about nothing.
    void thePolicysBoxSaysWhatStillWaits()
    {
        UndoStage stage;
        stage.run.awaitReview({});
        stage.open();
        stage.window->showScreen(u"review"_s);
        const auto said = [&] {
            QStringList all;
            for (const QLabel* label : stage.find<QWidget>(u"policyBox"_s)->findChildren<QLabel*>())
                all << label->text();
            return all.join(u'|');
        };
        QVERIFY2(said().contains(u"1 that is pending waits for your decision."_s), qPrintable(said()));
        stage.happen(events::ReviewPolicyChanged{{}, ReviewPolicy::Every});
        QVERIFY2(!said().contains(u"waits for your decision"_s), qPrintable(said()));
    }

    void whatASteeringChangedIsSaid()
    {
        UndoStage stage;
        IslandSteering steering;
        steering.focus = Focus::Tune;
        stage.happen(events::IslandSteered{{3}, steering});
        stage.action(u"run.history"_s).trigger();
        auto* table = stage.window->findChild<Table*>(u"undoTable"_s);
        QVERIFY(table);
        const QString said = table->model()->index(0, 0).data().toString();
        QVERIFY2(said.startsWith(u"Steered island C: "_s) && said.endsWith(u" → tune"_s), qPrintable(said));
    }

    void changesOfSettingsAreTakenBackNewestFirst()
    {
        UndoStage stage;
        const RunSettings before = stage.run.state().settings;
        QCOMPARE(stage.newest(), QString());
        stage.happen(events::BudgetChanged{{777, 60, 0, 0, 0}});
        stage.happen(events::HintsChanged{{3}, "smaller"});
        QCOMPARE(stage.newest(), u"Changed the hints for island C"_s);
        stage.action(u"review.undo"_s).trigger();
        QCOMPARE(stage.client.hints.size(), std::size_t(1));
        QVERIFY(stage.client.hints.back().first == IslandId{3});
        QCOMPARE(stage.client.hints.back().second, QString());
        stage.happen(events::HintsChanged{{3}, "", true}); // as the engine does it
        QVERIFY2(stage.newest().startsWith(u"Changed the budget from "_s), qPrintable(stage.newest()));
        stage.action(u"review.undo"_s).trigger();
        QVERIFY(stage.client.budget == before.budget);
        stage.happen(events::BudgetChanged{before.budget, true});
        QCOMPARE(stage.newest(), QString()); // undoing is no change of its own
    }

    void anotherSessionForgetsWhatWasChanged()
    {
        UndoStage stage;
        stage.happen(events::ProposerChanged{"tuner"});
        QCOMPARE(stage.newest(), u"Changed the proposer from mutator to tuner"_s);
        FixtureRun other;
        other.grow(5);
        auto snapshot = std::make_shared<Snapshot>(*other.snapshot());
        snapshot->status.sessionPath = "/elsewhere/other.tilewright";
        stage.client.publish(snapshot);
        QCOMPARE(stage.newest(), QString());
    }

    void theReviewPolicyComesBackForAllAndForOne()
    {
        UndoStage stage;
        stage.happen(events::ReviewPolicyChanged{{2}, ReviewPolicy::Every});
        QCOMPARE(stage.newest(), u"Changed the review policy of island B from automatic to every"_s);
        stage.action(u"review.undo"_s).trigger();
        const QString last = stage.client.calls.isEmpty() ? QString() : stage.client.calls.last();
        QVERIFY2(last.contains(u"policy"_s), qPrintable(stage.client.calls.join(u'|')));
    }

    void aKeyAmongTheSettingsTakesNothingOfTheRunBack()
    {
        UndoStage stage;
        stage.happen(events::BudgetChanged{{777, 60, 0, 0, 0}});
        stage.window->showScreen(u"settings"_s);
        stage.window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(stage.window.get(), patience));
        stage.window->centralWidget()->setFocus();
        stage.client.calls.clear();
        const Budget untouched = stage.client.budget;
        for (const auto keys : {Qt::KeyboardModifiers(Qt::ControlModifier), Qt::ControlModifier | Qt::ShiftModifier}) {
            QTest::keyClick(stage.window.get(), Qt::Key_Z, keys);
            QVERIFY2(
                stage.find<MessageBar>(u"messageBar"_s)->text().startsWith(u"There is nothing to undo on this page"_s),
                qPrintable(stage.find<MessageBar>(u"messageBar"_s)->text()));
        }
        QCOMPARE(stage.client.calls, QStringList());
        QVERIFY(stage.client.budget == untouched);
        // Of the models, which have steps of their own, it takes the last one back, and names it.
        stage.action(u"settings.models"_s).trigger();
        ModelsDraft draft = stage.window->models().draft();
        const std::size_t before = draft.count(DraftPart::Endpoint);
        draft.addEndpoint("ollama");
        stage.window->models().change(draft, u"a new endpoint"_s);
        stage.window->centralWidget()->setFocus();
        QTest::keyClick(stage.window.get(), Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(stage.find<MessageBar>(u"messageBar"_s)->text(), u"Undone: a new endpoint."_s);
        QCOMPARE(stage.window->models().draft().count(DraftPart::Endpoint), before);
    }

    /// Nobody's key approves what nobody has read: the policy's own box asks.
    void takingAPolicyBackApprovesNothingThatWaits()
    {
        UndoStage stage;
        stage.open();
        stage.run.record(events::ReviewPolicyChanged{{}, ReviewPolicy::Every});
        stage.open();
        const CandidateId waits = stage.run.awaitReview({});
        stage.open();
        stage.window->showScreen(u"evolve"_s);
        stage.window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(stage.window.get(), patience));
        stage.window->centralWidget()->setFocus();
        stage.client.calls.clear();
        QTest::keyClick(stage.window.get(), Qt::Key_Z, Qt::ControlModifier);
        const auto said = [&] { return stage.find<MessageBar>(u"messageBar"_s)->text(); };
        QVERIFY2(said().contains(u"1 pending candidate would be approved unread"_s), qPrintable(said()));
        QCOMPARE(stage.client.calls, QStringList());
        stage.window->resize(1280, 800);
        stage.action(u"run.history"_s).trigger();
        const auto* page = stage.window->findChild<UndoPage*>();
        const auto* table = page->findChild<Table*>(u"undoTable"_s);
        QString reasons; // whole, in the row that has one
        for (int row = 0; row < table->model()->rowCount(); ++row) {
            const QString reason = table->model()->index(row, 1).data().toString();
            QVERIFY2(table->fontMetrics().horizontalAdvance(reason) + 2 * px(8) <= table->columnWidth(1),
                qPrintable(reason));
            reasons += reason;
        }
        QVERIFY2(reasons.contains(u"would be approved unread"_s), qPrintable(reasons));
        QVERIFY(table->columnViewportPosition(1) + table->columnWidth(1) <= table->viewport()->width());
        delete page;
        stage.run.record(
            events::Reviewed{stage.run.state().candidate(waits)->review, Decision::Rejected, "person", "no", {}});
        stage.open();
        stage.action(u"review.undo"_s).trigger(); // bars the way: it is final
        stage.action(u"review.undo"_s).trigger(); // nothing is pending any more
        QVERIFY2(stage.client.calls.join(u'|').contains(u"policy"_s), qPrintable(stage.client.calls.join(u'|')));
    }

    void theReferenceIsSaidAndTakenBack()
    {
        UndoStage stage;
        const auto said = [&] { return stage.find<MessageBar>(u"messageBar"_s)->text(); };
        SelectionContext& selection = stage.window->selection();
        stage.window->showScreen(u"evolve"_s);
        selection.select(CandidateId{3});
        stage.action(u"candidate.reference"_s).trigger();
        QVERIFY2(said().startsWith(u"c-0003 is the reference: "_s), qPrintable(said()));
        selection.select(CandidateId{5});
        stage.action(u"candidate.reference"_s).trigger();
        QVERIFY2(said().startsWith(u"c-0005 is the reference: "_s), qPrintable(said()));
        stage.action(u"review.undo"_s).trigger();
        QCOMPARE(selection.reference(), CandidateId{3});
        QVERIFY2(said().startsWith(u"Undone: Set the reference to c-0005. The reference is c-0003 again."_s),
            qPrintable(said()));
        stage.action(u"review.redo"_s).trigger();
        QCOMPARE(selection.reference(), CandidateId{5});
        QTest::mouseClick(stage.find<QPushButton>(u"messageOffer"_s), Qt::LeftButton);
        stage.action(u"review.undo"_s).trigger();
        QCOMPARE(selection.reference(), CandidateId{});
        stage.action(u"review.undo"_s).trigger();
        QVERIFY2(said().startsWith(u"There is nothing to undo"_s), qPrintable(said()));
    }
};

TILEWRIGHT_TEST(TestUndoSettings)
#include "test_undo_settings.moc"
