// SPDX-License-Identifier: GPL-3.0-or-later
// Several of the review queue chosen at once: one word is on all of them, and is taken back as one.
#include "core/model/reviews/review_queue.h"
#include "tests/test_program.h"
#include "tests/ui/review_stage.h"
#include "ui/review/review_model.h"
#include "ui/review/review_outlook.h"
#include "ui/widgets/message_bar.h"

#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPlainTextEdit>
#include <QPushButton>

using namespace tilewright;
using namespace tilewright::ui;
using namespace tilewright::test;
using namespace Qt::StringLiterals;

class TestReviewChoosing : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void beforeTheSeedIsTimedItSaysWhatTheRunDoes()
    {
        Snapshot snapshot;
        snapshot.status.sessionOpen = true;
        snapshot.status.phase = events::Phase::Running;
        snapshot.run.settings.review[IslandId{}] = ReviewPolicy::Every;
        const QString before = whyNothingWaits(snapshot, {});
        QVERIFY2(before.startsWith(u"The task's seed is being built."_s), qPrintable(before));
        QVERIFY(before.contains(u"wait here for your decision"_s) && !before.contains(u"First result"_s)); // not known
        QCOMPARE(nothingWaits(snapshot), u"No pending reviews yet."_s);
        Candidate seed;
        seed.id = CandidateId{1};
        seed.stage = Stage::Confirming;
        snapshot.run.candidates.push_back(seed);
        FixtureRun fixture;
        snapshot.pack = fixture.pack();
        snapshot.run.settings.taskName = fixture.state().settings.taskName;
        snapshot.run.device = "cpu";
        SessionStart like = startOf(snapshot.run, snapshot.pack->task);
        like.seedNs = 40'000'000'000;
        const QString known = whyNothingWaits(snapshot, {like});
        QVERIFY2(known.startsWith(u"The task's seed is being timed. First result in about 40 s."_s), qPrintable(known));
        snapshot.status.phase = events::Phase::Paused;
        QVERIFY(whyNothingWaits(snapshot, {like}).contains(u"Run, above"_s));
        snapshot.run.settings.review.clear();
        QVERIFY(whyNothingWaits(snapshot, {like}).contains(u"without a review"_s));
        fixture.grow(3);
        const QString after = whyNothingWaits(*fixture.snapshot(), {});
        QVERIFY2(after.startsWith(u"No pending reviews.\n"_s), qPrintable(after));
    }

    void theReasonIsShownToWhoeverIsThere()
    {
        ReviewStage stage;
        auto* reason = stage.find<QLineEdit>(u"rejectReason"_s);
        const auto saidFor = [&](const std::string& proposer) {
            stage.run.record(events::ProposerChanged{proposer});
            stage.open();
            return reason->placeholderText();
        };
        QCOMPARE(saidFor("mutator"), u"Reason, kept in the session"_s);
        QCOMPARE(saidFor("manual:/prompts"), u"Reason, shown in prompts"_s);
        QCOMPARE(saidFor("model:models.json"), u"Reason, shown to the model"_s);
    }

    void titlesBeginWithWhatSetsTheEditsApart()
    {
        FixtureRun run;
        run.grow(5);
        const auto make = [&run](std::vector<std::string> moves, Tunables tunables) {
            Proposal proposal;
            proposal.id = ProposalId{static_cast<std::int64_t>(run.state().proposals.size()) + 1};
            proposal.island = IslandId{1};
            proposal.proposer = "mutator";
            proposal.parents = {CandidateId{1}};
            proposal.moves = std::move(moves);
            run.record(events::Proposed{proposal});
            Candidate candidate;
            candidate.id = CandidateId{static_cast<std::int64_t>(run.state().candidates.size()) + 1};
            candidate.proposal = proposal.id;
            candidate.island = IslandId{1};
            candidate.parents = {CandidateId{1}};
            candidate.tunables = std::move(tunables);
            candidate.program = sha256(candidateName(candidate.id));
            run.record(events::CandidateMade{candidate});
            run.record(events::ReviewAsked{
                ReviewId{static_cast<std::int64_t>(run.state().reviews.size()) + 1}, candidate.id, {}, {}});
        };
        make({"vector-types", "prefetch-b"}, {});
        make({"vector-types", "prefetch-b", "tile-rows"}, {{"WHOLLY_NEW", 10}});
        ReviewModel model(ReviewModel::Part::Waiting);
        model.show(run.state());
        const QStringList first{u"vector-types"_s, u"prefetch-b"_s};
        const QStringList second{u"tile-rows"_s, u"WHOLLY_NEW 10"_s, u"vector-types"_s, u"prefetch-b"_s};
        QCOMPARE(model.at(0)->parts, first);
        QCOMPARE(model.at(1)->parts, second);
        // Others that come and go change no title.
        make({"vector-types", "tile-rows", "pack-a"}, {{"WHOLLY_NEW", 10}});
        model.show(run.state());
        QCOMPARE(model.at(0)->parts, first);
        QCOMPARE(model.at(1)->parts, second);
        QCOMPARE(model.at(2)->parts.front(), u"pack-a"_s);
        run.decide(model.at(0)->candidate, Decision::Approved, "");
        model.show(run.state());
        QCOMPARE(model.at(0)->parts, second);
        // Whole under the pointer.
        QVERIFY(model.index(0, 0)
                    .data(Qt::ToolTipRole)
                    .toString()
                    .contains(u"vector-types, prefetch-b, tile-rows, WHOLLY_NEW 10"_s));
    }

    void aWordIsOnAllThatAreChosen()
    {
        ReviewStage stage(4);
        auto* queue = stage.find<QListView>(u"reviewQueue"_s);
        auto* approve = stage.find<QPushButton>(u"review-approve"_s);
        QVERIFY(!approve->text().contains(u'('));
        const auto click = [&](int row, Qt::KeyboardModifiers with) {
            QTest::mouseClick(
                queue->viewport(), Qt::LeftButton, with, queue->visualRect(queue->model()->index(row, 0)).center());
        };
        click(0, Qt::NoModifier);
        click(2, Qt::ControlModifier);
        QCOMPARE(stage.page().chosen(), stage.waiting[2]); // it is read
        QVERIFY2(approve->text().contains(u"(2)"_s), qPrintable(approve->text()));
        QVERIFY(stage.find<QPushButton>(u"review-reject"_s)->text().contains(u"(2)"_s));
        QVERIFY(!stage.window->actions()[u"review.edit"_s].isEnabled()); // one at a time
        QVERIFY(!stage.find<QPushButton>(u"review-edit"_s)->isVisible());
        stage.run.note("info", "something else happened");
        stage.open(); // what is chosen outlives a snapshot …
        stage.run.awaitReview({});
        stage.open(); // … and one more that waits
        QCOMPARE(queue->selectionModel()->selectedIndexes().size(), 2);
        stage.press(Qt::Key_A);
        QCOMPARE(stage.client.calls, (QStringList{u"approved "_s + stage.name(0), u"approved "_s + stage.name(2)}));
        QCOMPARE(stage.page().chosen(), stage.waiting[3]);
        QVERIFY(!approve->text().contains(u'('));
        const auto* bar = stage.find<MessageBar>(u"messageBar"_s);
        QVERIFY2(bar->isHidden(), qPrintable(bar->text())); // they are on their way
        stage.run.decide({stage.waiting[0], stage.waiting[2]}, Decision::Approved, "");
        stage.open();
        QCOMPARE(bar->text(), u"Approved 2 candidates."_s);
        QVERIFY(stage.find<QPushButton>(u"messageOffer"_s)->isVisible());
        stage.press(Qt::Key_Z, Qt::ControlModifier); // one word, taken back as one
        QCOMPARE(stage.client.calls.mid(2), (QStringList{u"undo "_s + stage.name(2), u"undo "_s + stage.name(0)}));
    }

    void eachWordIsSaidAndOfOneThatCameTooLateToBeTakenBackTheWordAlone()
    {
        ReviewStage stage;
        const auto* bar = stage.find<MessageBar>(u"messageBar"_s);
        stage.press(Qt::Key_A);
        stage.run.decide(stage.waiting[0], Decision::Approved, "");
        stage.run.record(events::StageReached{stage.waiting[0], Stage::Screening});
        stage.open();
        QCOMPARE(bar->text(), u"Approved %1."_s.arg(stage.name(0)));
        auto* offer = stage.find<QPushButton>(u"messageOffer"_s);
        QVERIFY(!offer->isVisible());
        stage.find<QLineEdit>(u"rejectReason"_s)->setText(u"too clever"_s);
        stage.find<QPushButton>(u"review-reject"_s)->click();
        stage.decided(stage.waiting[1], Decision::Rejected, "too clever");
        QCOMPARE(bar->text(), u"Rejected %1."_s.arg(stage.name(1)));
        QVERIFY(offer->isVisible());
        stage.page().defer();
        stage.decided(stage.waiting[2], Decision::Deferred);
        QCOMPARE(bar->text(), u"Deferred %1."_s.arg(stage.name(2)));
        QTest::mouseClick(offer, Qt::LeftButton);
        QCOMPARE(stage.client.calls.back(), u"undo "_s + stage.name(2));
    }

    void aWordOnSeveralThatIsPartlyTooLateIsTakenBackAsFarAsItCanBe()
    {
        ReviewStage stage;
        stage.page().chooseAll();
        stage.press(Qt::Key_A);
        QCOMPARE(stage.client.calls.size(), 3);
        stage.run.decide(stage.waiting, Decision::Approved, "");
        stage.run.record(events::StageReached{stage.waiting[2], Stage::Screening});
        stage.open();
        stage.window->actions()[u"review.undo"_s].trigger();
        QCOMPARE(stage.client.calls.mid(3), (QStringList{u"undo "_s + stage.name(1), u"undo "_s + stage.name(0)}));
    }

    void whatAChangeOfThePolicyLetThroughIsTakenBackAsOne()
    {
        ReviewStage stage;
        stage.run.record(events::ReviewPolicyChanged{{}, ReviewPolicy::Every});
        stage.open();
        stage.decided(stage.waiting[2], Decision::Approved); // by hand, before
        stage.run.record(events::ReviewPolicyChanged{{}, ReviewPolicy::Automatic});
        for (const CandidateId each : {stage.waiting[0], stage.waiting[1]})
            stage.run.record(
                events::Reviewed{stage.run.state().candidate(each)->review, Decision::Approved, byPolicy, "", {}});
        stage.open();
        stage.window->actions()[u"review.undo"_s].trigger();
        QCOMPARE(stage.client.calls, // and the policy: else they would wait where nothing is to
            (QStringList{u"undo "_s + stage.name(1), u"undo "_s + stage.name(0), u"policy 0 every"_s}));
    }

    void theWordThatWasSaidLastIsTakenBackWhicheverWasAskedFirst()
    {
        ReviewStage stage;
        stage.decided(stage.waiting[2], Decision::Approved);
        stage.run.record(events::StageReached{stage.waiting[2], Stage::Screening});
        stage.decided(stage.waiting[0], Decision::Rejected, "too clever");
        // that the later one is measured does not matter
        stage.window->actions()[u"review.undo"_s].trigger();
        QCOMPARE(stage.client.calls.back(), u"undo "_s + stage.name(0));
    }

    void afterTheLastWordTheNextThatComesIsShown()
    {
        ReviewStage stage;
        const auto word = [&] { return stage.find<QLabel>(u"decisionWord"_s)->text(); };
        stage.page().chooseAll();
        stage.press(Qt::Key_A);
        for (const CandidateId each : stage.waiting)
            stage.decided(each, Decision::Approved); // one snapshot each
        QVERIFY(!stage.page().canDecide());
        QVERIFY2(word().contains(u"No pending reviews."_s), qPrintable(word()));
        const CandidateId late = stage.run.awaitReview({});
        stage.open();
        QCOMPARE(stage.page().chosen(), late);
        stage.press(Qt::Key_A);
        QCOMPARE(stage.client.calls.back(), u"approved "_s + QString::fromStdString(candidateName(late)));
    }

    void whatIsDecidedElsewhereGivesWayToTheNextThatWaits()
    {
        ReviewStage stage;
        stage.decided(stage.waiting[0], Decision::Approved); // in the list beside the run, by control
        QCOMPARE(stage.page().chosen(), stage.waiting[1]);
        stage.page().choose(stage.waiting[0]); // to be read: it stays
        stage.run.note("info", "something else happened");
        stage.open();
        QCOMPARE(stage.page().chosen(), stage.waiting[0]);
        const QString word = stage.find<QLabel>(u"decisionWord"_s)->text();
        QVERIFY2(word.contains(u"J goes to the pending reviews."_s), qPrintable(word));
        stage.press(Qt::Key_J);
        QCOMPARE(stage.page().chosen(), stage.waiting[1]);
    }

    void anEditLeadsToTheNextInTheQueueAndNotToItsBeginning()
    {
        ReviewStage stage(4);
        QTRY_VERIFY_WITH_TIMEOUT(stage.find<SplitDiff>(u"reviewDiff"_s)->changes() > 0, patience);
        stage.press(Qt::Key_J);
        QCOMPARE(stage.page().chosen(), stage.waiting[1]);
        stage.press(Qt::Key_E);
        auto* editor = stage.find<QPlainTextEdit>(u"reviewEditor"_s);
        QTRY_VERIFY_WITH_TIMEOUT(editor->isVisible(), patience);
        QTest::keyClicks(editor, u"// mine"_s);
        stage.find<QPushButton>(u"acceptEdit"_s)->click();
        QTRY_COMPARE_WITH_TIMEOUT(stage.client.calls.size(), 1, patience); // it builds
        stage.decided(stage.waiting[1], Decision::Edited, {}, stage.writtenFor(stage.waiting[1]));
        QVERIFY(!editor->isVisible());
        QCOMPARE(stage.page().chosen(), stage.waiting[2]);
    }

    void anEditThatWasTheLastToWaitLeadsToTheNextThatComes()
    {
        ReviewStage stage(1);
        QTRY_VERIFY_WITH_TIMEOUT(stage.find<SplitDiff>(u"reviewDiff"_s)->changes() > 0, patience);
        stage.press(Qt::Key_E);
        auto* editor = stage.find<QPlainTextEdit>(u"reviewEditor"_s);
        QTRY_VERIFY_WITH_TIMEOUT(editor->isVisible(), patience);
        QTest::keyClicks(editor, u"// mine"_s);
        stage.find<QPushButton>(u"acceptEdit"_s)->click();
        QTRY_COMPARE_WITH_TIMEOUT(stage.client.calls.size(), 1, patience); // it builds
        stage.decided(stage.waiting[0], Decision::Edited, {}, stage.writtenFor(stage.waiting[0]));
        QVERIFY(!editor->isVisible());
        const CandidateId late = stage.run.awaitReview({});
        stage.open();
        QCOMPARE(stage.page().chosen(), late);
    }

    void whatWasDecidedLastStandsFirst()
    {
        ReviewStage stage;
        stage.decided(stage.waiting[2], Decision::Approved);
        stage.decided(stage.waiting[0], Decision::Rejected, "too clever");
        auto* said = stage.find<QListView>(u"reviewDecided"_s);
        const auto first = [said] { return said->model()->index(0, 0).data().toString(); };
        QVERIFY2(first().startsWith(stage.name(0)), qPrintable(first()));
        stage.decided(stage.waiting[1], Decision::Approved);
        QVERIFY2(first().startsWith(stage.name(1)), qPrintable(first()));
    }

    void aReasonStandsAgainWhenItsWordIsTakenBack()
    {
        ReviewStage stage;
        auto* reason = stage.find<QLineEdit>(u"rejectReason"_s);
        stage.page().choose(stage.waiting[0]);
        QTest::keyClicks(reason, u"sums in half"_s);
        QTest::keyClick(reason, Qt::Key_Return);
        QVERIFY(reason->text().isEmpty()); // the next one's
        stage.decided(stage.waiting[0], Decision::Rejected, "sums in half");
        stage.window->actions()[u"review.undo"_s].trigger();
        QCOMPARE(stage.page().chosen(), stage.waiting[0]);
        QCOMPARE(reason->text(), u"sums in half"_s);
        stage.takenBack(stage.waiting[0]);
        QCOMPARE(reason->text(), u"sums in half"_s);
        stage.page().choose(stage.waiting[1]);
        QVERIFY(reason->text().isEmpty());
        stage.page().choose(stage.waiting[0]);
        QCOMPARE(reason->text(), u"sums in half"_s);
        stage.press(Qt::Key_A); // what spoke against it is no reason for it
        QCOMPARE(stage.client.calls.last(), u"approved "_s + stage.name(0));
        QVERIFY(reason->text().isEmpty());
    }

    void theKeyboardChoosesSeveralAndOneReasonIsForAll()
    {
        ReviewStage stage(4);
        stage.press(Qt::Key_J, Qt::ShiftModifier);
        stage.press(Qt::Key_J, Qt::ShiftModifier);
        auto* queue = stage.find<QListView>(u"reviewQueue"_s);
        QCOMPARE(queue->selectionModel()->selectedIndexes().size(), 3);
        stage.press(Qt::Key_K, Qt::ShiftModifier); // back towards where it began
        QCOMPARE(queue->selectionModel()->selectedIndexes().size(), 2);
        QCOMPARE(stage.page().chosen(), stage.waiting[1]);
        stage.press(Qt::Key_S);
        QCOMPARE(stage.client.calls, (QStringList{u"deferred "_s + stage.name(0), u"deferred "_s + stage.name(1)}));
        stage.run.decide({stage.waiting[0], stage.waiting[1]}, Decision::Deferred, "");
        stage.open();
        stage.press(Qt::Key_Z, Qt::ControlModifier); // back to those that were put off
        QCOMPARE(stage.client.calls.mid(2), (QStringList{u"undo "_s + stage.name(1), u"undo "_s + stage.name(0)}));
        stage.takenBack(stage.waiting[1]);
        stage.takenBack(stage.waiting[0]);
        QCOMPARE(stage.page().chosen(), stage.waiting[0]);
        QCOMPARE(queue->selectionModel()->selectedIndexes().size(), 2);
        stage.press(Qt::Key_A, Qt::ControlModifier);
        QCOMPARE(queue->selectionModel()->selectedIndexes().size(), 4);
        stage.press(Qt::Key_R);
        auto* reason = stage.find<QLineEdit>(u"rejectReason"_s);
        QTRY_VERIFY_WITH_TIMEOUT(reason->hasFocus(), patience);
        QTest::keyClicks(reason, u"no"_s);
        QTest::keyClick(reason, Qt::Key_Return);
        QCOMPARE(stage.client.calls.size(), 8);
        for (const QString& call : stage.client.calls.mid(4))
            QVERIFY2(call.startsWith(u"rejected c-"_s) && call.endsWith(u" no"_s), qPrintable(call));
        stage.press(Qt::Key_J); // one again
        QCOMPARE(queue->selectionModel()->selectedIndexes().size(), 1);
    }

    void whatIsReadIsAlwaysAmongThoseThatAreChosen()
    {
        ReviewStage stage;
        auto* queue = stage.find<QListView>(u"reviewQueue"_s);
        const auto toggle = [&](int row) {
            QTest::mouseClick(queue->viewport(), Qt::LeftButton, Qt::ControlModifier,
                queue->visualRect(queue->model()->index(row, 0)).center());
        };
        toggle(1);
        QCOMPARE(stage.page().chosen(), stage.waiting[1]);
        toggle(1); // not this one after all
        QCOMPARE(stage.page().chosen(), stage.waiting[0]);
        QCOMPARE(queue->selectionModel()->selectedIndexes().size(), 1);
        toggle(0); // none would be chosen: it stays
        QCOMPARE(stage.page().chosen(), stage.waiting[0]);
        QCOMPARE(queue->selectionModel()->selectedIndexes().size(), 1);
    }

    void theListsAreReadInTurn()
    {
        ReviewStage stage;
        stage.decided(stage.waiting[0], Decision::Approved);
        auto* queue = stage.find<QListView>(u"reviewQueue"_s);
        auto* said = stage.find<QListView>(u"reviewDecided"_s);
        const auto click = [](QListView* list) {
            QTest::mouseClick(
                list->viewport(), Qt::LeftButton, {}, list->visualRect(list->model()->index(0, 0)).center());
        };
        for (int round = 0; round < 2; ++round) {
            click(said);
            QCOMPARE(stage.page().chosen(), stage.waiting[0]);
            QVERIFY(queue->selectionModel()->selectedIndexes().isEmpty());
            click(queue);
            QCOMPARE(stage.page().chosen(), stage.waiting[1]);
            QVERIFY(said->selectionModel()->selectedIndexes().isEmpty());
        }
    }
};

TILEWRIGHT_TEST(TestReviewChoosing)
#include "test_review_choosing.moc"
