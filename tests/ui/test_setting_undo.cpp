// SPDX-License-Identifier: GPL-3.0-or-later
// Changes of a run's settings that are taken back: budget, review policy with what it let through, steering, reference.
#include "core/model/review_undo.h"
#include "tests/patience.h"
#include "tests/test_program.h"
#include "tests/ui/undo_stage.h"
#include "ui/models/format.h"
#include "ui/review/review_page.h"
#include "ui/shell/take_back_page.h"
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

class TestSettingUndo : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aPolicyOfOneKindOfProposerIsTakenBackAlone()
    {
        UndoStage stage;
        stage.happen(events::ReviewPolicyChanged{{}, ReviewPolicy::Every});
        stage.happen(events::ReviewPolicyChanged{{2}, ReviewPolicy::Automatic, ProposerKind::Mutator});
        const QString words = stage.action(u"run.undo"_s).text();
        QVERIFY2(words.contains(u"review policy of island B, mutator, from “Every edit” to “Automatic”"_s),
            qPrintable(words));
        stage.action(u"run.undo"_s).trigger();
        QCOMPARE(stage.door.calls.back(), u"policy 2 every"_s); // as all its kinds have it again
    }

    void initTestCase() { Theme::instance().apply(ThemeKind::Dark); }

    void whatWasChangedBeforeTheSessionWasOpenedIsListedWithItsPlace()
    {
        UndoStage stage;
        FixtureRun other;
        other.grow(5);
        other.record(events::ReviewPolicyChanged{{2}, ReviewPolicy::Every});
        auto snapshot = std::make_shared<Snapshot>(*other.snapshot());
        snapshot->status.sessionPath = "/elsewhere/other.tilewright";
        stage.door.publish(snapshot);
        QVERIFY(!stage.action(u"run.undo"_s).isEnabled());
        stage.action(u"run.history"_s).trigger();
        const auto* table = stage.window->findChild<Table*>(u"takeBackTable"_s);
        const auto said = [table](int column) { return table->model()->index(0, column).data().toString(); };
        QCOMPARE(said(0), u"review policy of island B: automatic → every"_s);
        QCOMPARE(said(1), u"can be taken back; of an earlier opening"_s);
        stage.window->findChild<TakeBackPage*>()->findChild<QPushButton*>(u"takeBack"_s)->click();
        QCOMPARE(stage.door.calls.back(), u"policy 2 automatic"_s);
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
        auto* page = stage.window->findChild<TakeBackPage*>();
        auto* table = page->findChild<Table*>(u"takeBackTable"_s);
        const auto said = [table](int row) { return table->model()->index(row, 1).data().toString(); };
        QCOMPARE(table->model()->rowCount(), 3);
        QCOMPARE(said(0), u"can be taken back; of an earlier opening"_s);
        QCOMPARE(said(2), u"not now: a later change of the same comes first"_s);
        page->findChild<QPushButton*>(u"takeBack"_s)->click();
        QCOMPARE(stage.door.budget.evaluations, 500);
        stage.run.record(events::BudgetChanged{{500, 0, 0, 0}});
        stage.open();
        QTRY_COMPARE_WITH_TIMEOUT(table->model()->rowCount(), 2, patience);
        table->setCurrentIndex(table->model()->index(1, 0));
        page->findChild<QPushButton*>(u"takeBack"_s)->click();
        QVERIFY(stage.door.budget == first);
        QVERIFY(!stage.window->actions()[u"run.undo"_s].isEnabled()); // by no key
    }

    void anIslandsPolicyIsTakenBackOnceThoughItHadNoneOfItsOwn()
    {
        UndoStage stage;
        stage.happen(events::ReviewPolicyChanged{{}, ReviewPolicy::Every});
        stage.happen(events::ReviewPolicyChanged{{2}, ReviewPolicy::Automatic});
        stage.action(u"run.undo"_s).trigger();
        QCOMPARE(stage.door.calls.back(), u"policy 2 every"_s);
        stage.happen(events::ReviewPolicyChanged{{2}, ReviewPolicy::Every}); // as all of them
        const QString next = stage.action(u"run.undo"_s).text();
        QVERIFY2(next.startsWith(u"Undo: the change of the review policy from “"_s), qPrintable(next)); // of all
        const auto calls = stage.door.calls.size();
        stage.action(u"run.undo"_s).trigger();
        QCOMPARE(stage.door.calls.size(), calls + 1);
        QVERIFY2(stage.door.calls.back().startsWith(u"policy 0 "_s), qPrintable(stage.door.calls.back()));
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
        stage.window->showMode(Mode::Evolve);
        stage.window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(stage.window.get(), patience));
        stage.window->centralWidget()->setFocus();
        QTest::keyClick(stage.window.get(), Qt::Key_Z, Qt::ControlModifier);
        const QString said = stage.find<MessageBar>(u"messageBar"_s)->text();
        QVERIFY2(
            said.startsWith(u"Taken back: the change of the review policy from “Every edit” to “Automatic”, with 3 "
                            "edits that it approved."_s),
            qPrintable(said));
        QCOMPARE(stage.door.calls, // else they would wait where nothing is to
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
        stage.window->showMode(Mode::Review);
        stage.action(u"run.history"_s).trigger();
        const auto* table = stage.window->findChild<TakeBackPage*>()->findChild<Table*>(u"takeBackTable"_s);
        QCOMPARE(table->model()->rowCount(), 2); // one order, and the one before it
        stage.action(u"review.undo"_s).trigger();
        QCOMPARE(stage.door.calls, (QStringList{u"undo "_s + nameOfCandidate(through), u"policy 0 every"_s}));
        const QString said = stage.find<MessageBar>(u"messageBar"_s)->text();
        QVERIFY2(
            said.startsWith(u"Taken back: the change of the review policy from “Every edit” to “Automatic”, with 1 "
                            "edit that it approved."_s),
            qPrintable(said));
    }

    /// A word that was taken back by itself, under a policy that asks about nothing.
    void thePolicysBoxSaysWhatStillWaits()
    {
        UndoStage stage;
        stage.run.awaitReview({});
        stage.open();
        stage.window->showMode(Mode::Review);
        const auto said = [&] {
            QStringList all;
            for (const QLabel* label : stage.find<QWidget>(u"policyBox"_s)->findChildren<QLabel*>())
                all << label->text();
            return all.join(u'|');
        };
        QVERIFY2(said().contains(u"1 that waits now stays until you decide."_s), qPrintable(said()));
        stage.happen(events::ReviewPolicyChanged{{}, ReviewPolicy::Every});
        QVERIFY2(!said().contains(u"stays until"_s), qPrintable(said()));
    }

    void whatASteeringChangedIsSaid()
    {
        UndoStage stage;
        IslandSteering steering;
        steering.focus = Focus::Tune;
        stage.happen(events::IslandSteered{{3}, steering});
        stage.action(u"run.history"_s).trigger();
        auto* table = stage.window->findChild<Table*>(u"takeBackTable"_s);
        QVERIFY(table);
        const QString said = table->model()->index(0, 0).data().toString();
        QVERIFY2(said.startsWith(u"steering island C: "_s) && said.endsWith(u" → tune"_s), qPrintable(said));
    }

    void changesOfSettingsAreTakenBackNewestFirst()
    {
        UndoStage stage;
        const RunSettings before = stage.run.state().settings;
        QVERIFY(!stage.action(u"run.undo"_s).isEnabled());
        stage.happen(events::BudgetChanged{{777, 60, 0, 0, 0}});
        stage.happen(events::HintsChanged{{3}, "smaller"});
        QCOMPARE(stage.action(u"run.undo"_s).text(), u"Undo: the change of hints"_s);
        stage.action(u"run.undo"_s).trigger();
        QCOMPARE(stage.door.hints.size(), std::size_t(1));
        QVERIFY(stage.door.hints.back().first == IslandId{3});
        QCOMPARE(stage.door.hints.back().second, QString());
        stage.happen(events::HintsChanged{{3}, ""}); // as the engine does it
        QVERIFY(stage.action(u"run.undo"_s).text().startsWith(u"Undo: the change of the budget from "_s));
        stage.action(u"run.undo"_s).trigger();
        QVERIFY(stage.door.budget == before.budget);
        stage.happen(events::BudgetChanged{before.budget});
        QVERIFY(!stage.action(u"run.undo"_s).isEnabled()); // taking back is no change of its own
    }

    void anotherSessionForgetsWhatWasChanged()
    {
        UndoStage stage;
        stage.happen(events::ProposerChanged{"tuner"});
        QVERIFY(stage.action(u"run.undo"_s).isEnabled());
        FixtureRun other;
        other.grow(5);
        auto snapshot = std::make_shared<Snapshot>(*other.snapshot());
        snapshot->status.sessionPath = "/elsewhere/other.tilewright";
        stage.door.publish(snapshot);
        QVERIFY(!stage.action(u"run.undo"_s).isEnabled());
    }

    void theReviewPolicyComesBackForAllAndForOne()
    {
        UndoStage stage;
        stage.happen(events::ReviewPolicyChanged{{2}, ReviewPolicy::Every});
        QCOMPARE(stage.action(u"run.undo"_s).text(),
            u"Undo: the change of the review policy of island B from “Automatic” to “Every edit”"_s);
        stage.action(u"run.undo"_s).trigger();
        const QString last = stage.door.calls.isEmpty() ? QString() : stage.door.calls.last();
        QVERIFY2(last.contains(u"policy"_s), qPrintable(stage.door.calls.join(u'|')));
    }

    void aKeyAmongTheSettingsTakesNothingOfTheRunBack()
    {
        UndoStage stage;
        stage.happen(events::BudgetChanged{{777, 60, 0, 0, 0}});
        stage.window->showMode(Mode::Settings);
        stage.window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(stage.window.get(), patience));
        stage.window->centralWidget()->setFocus();
        stage.door.calls.clear();
        const Budget untouched = stage.door.budget;
        for (const auto keys : {Qt::KeyboardModifiers(Qt::ControlModifier), Qt::ControlModifier | Qt::ShiftModifier}) {
            QTest::keyClick(stage.window.get(), Qt::Key_Z, keys);
            QVERIFY2(stage.find<MessageBar>(u"messageBar"_s)->text().startsWith(u"Nothing on this page"_s),
                qPrintable(stage.find<MessageBar>(u"messageBar"_s)->text()));
        }
        QCOMPARE(stage.door.calls, QStringList());
        QVERIFY(stage.door.budget == untouched);
        // Of the models, which have steps of their own, it takes the last one back, and names it.
        stage.action(u"settings.models"_s).trigger();
        ModelsDraft draft = stage.window->models().draft();
        const std::size_t before = draft.count(DraftPart::Endpoint);
        draft.addEndpoint("ollama");
        stage.window->models().change(draft, u"a new endpoint"_s);
        stage.window->centralWidget()->setFocus();
        QTest::keyClick(stage.window.get(), Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(stage.find<MessageBar>(u"messageBar"_s)->text(), u"Taken back: a new endpoint."_s);
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
        stage.window->showMode(Mode::Evolve);
        stage.window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(stage.window.get(), patience));
        stage.window->centralWidget()->setFocus();
        stage.door.calls.clear();
        QTest::keyClick(stage.window.get(), Qt::Key_Z, Qt::ControlModifier);
        const auto said = [&] { return stage.find<MessageBar>(u"messageBar"_s)->text(); };
        QVERIFY2(said().contains(u"1 edit that waits would be approved unread"_s), qPrintable(said()));
        stage.action(u"run.undo"_s).trigger();
        QVERIFY2(said().contains(u"1 edit that waits would be approved unread"_s), qPrintable(said()));
        QCOMPARE(stage.door.calls, QStringList());
        stage.window->resize(1280, 800);
        stage.action(u"run.history"_s).trigger();
        const auto* page = stage.window->findChild<TakeBackPage*>();
        const auto* table = page->findChild<Table*>(u"takeBackTable"_s);
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
        stage.action(u"run.undo"_s).trigger(); // nothing waits any more
        QVERIFY2(stage.door.calls.join(u'|').contains(u"policy"_s), qPrintable(stage.door.calls.join(u'|')));
    }

    void theReferenceIsSaidAndTakenBack()
    {
        UndoStage stage;
        const auto said = [&] { return stage.find<MessageBar>(u"messageBar"_s)->text(); };
        SelectionContext& selection = stage.window->selection();
        stage.window->showMode(Mode::Evolve);
        selection.select(CandidateId{3});
        stage.action(u"candidate.reference"_s).trigger();
        QVERIFY2(said().startsWith(u"c-0003 is the reference: "_s), qPrintable(said()));
        selection.select(CandidateId{5});
        stage.action(u"candidate.reference"_s).trigger();
        QVERIFY2(said().startsWith(u"c-0005 is the reference: "_s), qPrintable(said()));
        stage.action(u"review.undo"_s).trigger();
        QCOMPARE(selection.reference(), CandidateId{3});
        QVERIFY2(
            said().startsWith(u"Taken back: the choice of c-0005 as the reference. The reference is c-0003 again."_s),
            qPrintable(said()));
        stage.action(u"review.redo"_s).trigger();
        QCOMPARE(selection.reference(), CandidateId{5});
        QTest::mouseClick(stage.find<QPushButton>(u"messageOffer"_s), Qt::LeftButton);
        stage.action(u"review.undo"_s).trigger();
        QCOMPARE(selection.reference(), CandidateId{});
        stage.action(u"review.undo"_s).trigger();
        QVERIFY2(said().startsWith(u"Nothing was ordered"_s), qPrintable(said()));
    }
};

TILEWRIGHT_TEST(TestSettingUndo)
#include "test_setting_undo.moc"
