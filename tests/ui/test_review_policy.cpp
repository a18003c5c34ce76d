// SPDX-License-Identifier: GPL-3.0-or-later
// Which candidates wait for a user, and how many may: the policy's box, the limit, and what the queue says of both.
#include "core/model/reviews/review_queue.h"
#include "tests/patience.h"
#include "tests/test_program.h"
#include "tests/ui/fits.h"
#include "tests/ui/review_stage.h"
#include "ui/evolve/evolve_page.h"
#include "ui/evolve/island_actions.h"
#include "ui/models/display_text.h"
#include "ui/models/island_model.h"
#include "ui/review/policy_box.h"
#include "ui/review/proposal_editor.h"
#include "ui/review/review_page.h"
#include "ui/session/drafts.h"
#include "ui/theme/theme.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/message_bar.h"

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QTest>

using namespace tilewright;
using namespace tilewright::ui;
using namespace tilewright::test;
using namespace Qt::StringLiterals;

class TestReviewPolicy : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { Theme::instance().apply(ThemeKind::Dark); }

    void whosePolicyIsShownIsSaidAndItStaysInItsPlace()
    {
        ReviewStage stage;
        const auto* box = stage.find<PolicyBox>(u"policyBox"_s);
        const auto* whose = stage.find<QLabel>(u"whosePolicy"_s);
        auto* island = stage.find<QComboBox>(u"policyIsland"_s);
        const auto* why = stage.find<ElidedLabel>(u"whyItWaits"_s);
        QCOMPARE(whose->text(), u"Review policy of all islands"_s);
        settle(*stage.window);
        const QRect place = box->geometry();
        for (int i = 0; i < 3; ++i) { // they wait for different reasons, or none
            stage.page().goTo(1);
            QTRY_VERIFY_WITH_TIMEOUT(why->text().startsWith(nameOfCandidate(stage.page().chosen())), patience);
            settle(*stage.window);
            QTRY_COMPARE_WITH_TIMEOUT(box->geometry(), place, patience);
        }
        QVERIFY(!stage.find<QWidget>(u"policyBadge"_s)->isVisible());
        island->setCurrentIndex(2);
        QVERIFY2(whose->text().startsWith(u"Review policy of island B"_s), qPrintable(whose->text()));
        QVERIFY(stage.find<QWidget>(u"policyBadge"_s)->isVisible());
        QVERIFY(!island->itemIcon(2).isNull());
        stage.page().goTo(1); // of another island
        stage.open();
        QVERIFY2(whose->text().startsWith(u"Review policy of island B"_s), qPrintable(whose->text()));
    }

    void thePolicyIsChangedForAllAndForOneIsland()
    {
        ReviewStage stage;
        auto* policy = stage.find<QComboBox>(u"reviewPolicy"_s);
        auto* island = stage.find<QComboBox>(u"policyIsland"_s);
        QCOMPARE(island->count(), 5);
        auto* limit = stage.find<QComboBox>(u"reviewLimit"_s);
        QCOMPARE(limit->currentText(), QString::number(usualReviewLimit));
        const int every = policy->findText(words(ReviewPolicy::Every)), risky = policy->findText(u"Risky edits"_s),
                  automatic = policy->findText(words(ReviewPolicy::Automatic));
        QCOMPARE(policy->currentIndex(), automatic);
        Q_EMIT policy->activated(every);
        QCOMPARE(stage.client.calls, QStringList{u"policy 0 every"_s}); // lets nobody through: done at once
        auto* approve = stage.find<QPushButton>(u"letThrough"_s);
        QVERIFY(!approve->isVisible());
        Q_EMIT policy->activated(automatic);
        QCOMPARE(stage.client.calls.size(), 1); // asked first
        QVERIFY(approve->isVisible());
        stage.run.record(events::ReviewPolicyChanged{{}, ReviewPolicy::Every}); // as the engine did it
        stage.open();
        QCOMPARE(policy->currentIndex(), every); // what holds until it is answered
        QCOMPARE(approve->text(), u"Approve %1"_s.arg(stage.waiting.size()));
        const auto* consequence = stage.find<QLabel>(u"policyConsequence"_s);
        QVERIFY(!consequence->text().contains(u"begun"_s));
        stage.find<QPushButton>(u"leavePolicy"_s)->click();
        stage.window->context().drafts.keep(
            Drafts::placeOf(editDraft, *stage.run.state().candidate(stage.waiting[0])), u"mine"_s);
        Q_EMIT policy->activated(automatic);
        QVERIFY2(consequence->text().contains(u"1 has an unfinished edit"_s), qPrintable(consequence->text()));
        stage.find<QPushButton>(u"leavePolicy"_s)->click();
        QVERIFY(!approve->isVisible());
        QCOMPARE(stage.client.calls.size(), 1);
        Q_EMIT policy->activated(automatic);
        approve->click();
        QCOMPARE(stage.client.calls, (QStringList{u"policy 0 every"_s, u"policy 0 automatic"_s}));
        island->setCurrentIndex(2);
        const bool any = !letThroughBy(stage.run.state(), IslandId{2}, ReviewPolicy::Risky).empty();
        Q_EMIT policy->activated(risky);
        QCOMPARE(stage.client.calls.contains(u"policy 2 risky"_s), !any);
    }

    void aPolicyIsSetForOneKindOfProposer()
    {
        ReviewStage stage;
        auto* policy = stage.find<QComboBox>(u"reviewPolicy"_s);
        auto* kind = stage.find<QComboBox>(u"policyProposer"_s);
        const auto* about = stage.find<QLabel>(u"aboutPolicy"_s);
        kind->setCurrentText(words(ProposerKind::Model));
        Q_EMIT policy->activated(policy->findText(words(ReviewPolicy::Risky)));
        QCOMPARE(
            stage.client.calls, QStringList{u"policy 0 model risky"_s}); // edits of the mutator wait: none of a model
        stage.run.record(events::ReviewPolicyChanged{{}, ReviewPolicy::Risky, ProposerKind::Model});
        stage.open();
        QCOMPARE(policy->currentText(), words(ReviewPolicy::Risky));
        kind->setCurrentIndex(0); // all of them
        QCOMPARE(policy->currentIndex(), -1);
        QVERIFY2(about->text().contains(u"Risky edits: models."_s), qPrintable(about->text()));
        stage.find<QComboBox>(u"policyIsland"_s)->setCurrentIndex(2);
        kind->setCurrentText(words(ProposerKind::Manual));
        Q_EMIT policy->activated(policy->findText(words(ReviewPolicy::Every)));
        QCOMPARE(stage.client.calls.back(), u"policy 2 manual every"_s);
    }

    void thePolicyOfAnIslandIsReachedFromItsCard()
    {
        ReviewStage stage;
        Q_EMIT stage.window->evolve().islandActions().reviewPolicyRequested(IslandId{2});
        QVERIFY(stage.find<QWidget>(u"reviewPage"_s)->isVisible());
        const auto* whose = stage.find<QLabel>(u"whosePolicy"_s);
        QVERIFY2(whose->text().startsWith(u"Review policy of island B"_s), qPrintable(whose->text()));
    }

    void aPolicyThatIsAskedAboutDoesNotHoldAndTheUsualKeyLeavesIt()
    {
        ReviewStage stage;
        stage.run.record(events::ReviewPolicyChanged{{}, ReviewPolicy::Every});
        stage.open();
        auto* policy = stage.find<QComboBox>(u"reviewPolicy"_s);
        const int every = policy->findText(words(ReviewPolicy::Every)),
                  automatic = policy->findText(words(ReviewPolicy::Automatic));
        policy->setCurrentIndex(automatic); // as a click does it
        Q_EMIT policy->activated(automatic);
        QCOMPARE(policy->currentIndex(), every);
        const auto* consequence = stage.find<QLabel>(u"policyConsequence"_s);
        QCOMPARE(consequence->text(),
            u"“%1” would approve 3 that are pending, unread. Not applied yet."_s.arg(words(ReviewPolicy::Automatic)));
        stage.press(Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(!stage.find<QPushButton>(u"letThrough"_s)->isVisible());
        QVERIFY(stage.client.calls.isEmpty());
        const auto said = [&] { return stage.find<MessageBar>(u"messageBar"_s)->text(); };
        QCOMPARE(said(), u"The review policy is unchanged."_s);
        // One more waits by the time that it is approved: how many it were is said.
        Q_EMIT policy->activated(automatic);
        stage.find<QPushButton>(u"letThrough"_s)->click();
        stage.waiting.push_back(stage.run.awaitReview({}));
        stage.run.record(events::ReviewPolicyChanged{{}, ReviewPolicy::Automatic});
        for (const CandidateId each : stage.waiting)
            stage.run.record(
                events::Reviewed{stage.run.state().candidate(each)->review, Decision::Approved, byPolicy, "", {}});
        stage.open();
        QVERIFY2(said().startsWith(u"Changed the review policy"_s) && said().contains(u"approving 4 candidates."_s),
            qPrintable(said()));
        QVERIFY(stage.find<QPushButton>(u"messageOffer"_s)->isVisible());
    }

    void aPolicyCanHoldOnlyFromNowOn()
    {
        ReviewStage stage;
        stage.run.record(events::ReviewPolicyChanged{{}, ReviewPolicy::Every});
        stage.open();
        auto* policy = stage.find<QComboBox>(u"reviewPolicy"_s);
        auto* fromNowOn = stage.find<QPushButton>(u"fromNowOn"_s);
        QVERIFY(!fromNowOn->isVisible());
        Q_EMIT policy->activated(policy->findText(words(ReviewPolicy::Automatic)));
        QVERIFY(fromNowOn->isVisible());
        fromNowOn->click();
        QCOMPARE(stage.client.calls, QStringList{u"policy 0 automatic from now on"_s});
        QVERIFY(!fromNowOn->isVisible());
        stage.run.record(events::ReviewPolicyChanged{{}, ReviewPolicy::Automatic}); // as the engine did it
        stage.open();
        QStringList seen;
        for (const auto* label : stage.find<QWidget>(u"policyBox"_s)->findChildren<QLabel*>())
            seen << label->text();
        QVERIFY2(
            seen.join(u'\n').contains(u"3 that are pending wait for your decision."_s), qPrintable(seen.join(u'\n')));
        // It is one order, and taken back as one.
        QTRY_VERIFY_WITH_TIMEOUT(
            stage.find<MessageBar>(u"messageBar"_s)->text().startsWith(u"Changed the review policy"_s), patience);
        stage.find<QPushButton>(u"messageOffer"_s)->click();
        QCOMPARE(stage.client.calls.back(), u"policy 0 every"_s);
    }

    void howManyMayWaitIsChangedAndSaidOfAnIslandThatWaits()
    {
        ReviewStage stage;
        stage.run.record(events::ReviewPolicyChanged{{}, ReviewPolicy::Every});
        stage.open();
        auto* limit = stage.find<QComboBox>(u"reviewLimit"_s);
        limit->setCurrentIndex(limit->findData(2));
        Q_EMIT limit->activated(limit->currentIndex());
        QCOMPARE(stage.client.calls, QStringList{u"review limit 2"_s});
        IslandModel islands;
        islands.show(stage.run.snapshot());
        QVERIFY(islands.waitOf(0).isEmpty()); // 3 of 8
        stage.run.record(events::ReviewLimitChanged{3});
        stage.open();
        QCOMPARE(limit->currentData().toInt(), 3); // said elsewhere
        const auto about = [&stage] { return stage.find<QLabel>(u"aboutPolicy"_s)->text(); };
        QVERIFY2(!about().contains(u"pending reviews per island"_s), qPrintable(about()));
        Budget small = stage.run.state().settings.budget;
        small.evaluations = stage.run.state().evaluationsStarted + 4; // a quarter of them is less than three on each
        stage.run.record(events::BudgetChanged{small});
        stage.open();
        QVERIFY2(about().contains(u"The limit per island is now 1, not 3"_s), qPrintable(about()));
        islands.show(stage.run.snapshot());
        QCOMPARE(islands.waitOf(0), u"blocked: 3 pending reviews"_s);
        QVERIFY(islands.waitOf(1).isEmpty());
        const QString spoken = islands.index(0, 0).data(Qt::AccessibleTextRole).toString();
        QVERIFY2(spoken.contains(u"blocked: 3 pending reviews"_s), qPrintable(spoken));
    }

    void theQueueSaysWhatHappensWhenAsManyWaitAsMay()
    {
        ReviewStage stage;
        const auto* limit = stage.find<QLabel>(u"reviewLimitWords"_s);
        const auto said = [&](EventBody body) {
            stage.run.record(std::move(body));
            stage.open();
            return limit->isVisible() ? limit->text() : QString();
        };
        QCOMPARE(said(events::ReviewPolicyChanged{{}, ReviewPolicy::Automatic}), QString()); // nobody asks
        QCOMPARE(said(events::ReviewPolicyChanged{{}, ReviewPolicy::Risky}),
            u"With 8 pending, an island requests no more edits until you decide."_s);
        QCOMPARE(said(events::ReviewLimitChanged{3}), // which wait on A
            u"Island A requests no more edits until you decide: 3 pending, limit 3."_s);
        // Two that wait, each for its own reason.
        Proposal proposal;
        proposal.id = {static_cast<std::int64_t>(stage.run.state().proposals.size()) + 1};
        proposal.island = IslandId{2};
        proposal.proposer = "mutator";
        proposal.parents = {CandidateId{1}};
        stage.run.record(events::Proposed{proposal});
        Candidate onB = *stage.run.state().candidate(stage.waiting[0]);
        onB.id = {static_cast<std::int64_t>(stage.run.state().candidates.size()) + 1};
        onB.island = proposal.island;
        onB.proposal = proposal.id;
        onB.review = {};
        onB.program = sha256("on island B");
        stage.run.record(events::CandidateMade{onB});
        const auto next = static_cast<std::int64_t>(stage.run.state().reviews.size()) + 1;
        QCOMPARE(said(events::ReviewAsked{{next}, onB.id, {}, {}}),
            u"Island A requests no more edits until you decide: 3 pending, limit 3."_s);
        QCOMPARE(said(events::ReviewLimitChanged{1}),
            u"Islands A, B request no more edits until you decide: A has 3 of 1, B has 1 of 1."_s);
        stage.run.decide(onB.id, Decision::Rejected, "no");
        said(events::ReviewLimitChanged{3});
        RunSettings few = stage.run.state().settings;
        few.budget.evaluations = stage.run.state().evaluationsStarted + 4;
        said(events::ReviewPolicyChanged{{}, ReviewPolicy::Every});
        QCOMPARE(said(events::BudgetChanged{few.budget}), // a quarter of what is left, on all islands together
            u"Island A requests no more edits until you decide: 3 pending, limit 1. Pending reviews take at most a quarter of the remaining evaluations."_s);
        QCOMPARE(said(events::ReviewLimitChanged{0}), u"No review limit: islands keep requesting edits."_s);
    }

    void whereNothingEverWaitsAnotherPolicyIsOneClickAway()
    {
        ReviewStage stage(0);
        auto* note = stage.find<QWidget>(u"automaticNote"_s);
        QVERIFY(note->isVisible());
        stage.find<QPushButton>(u"letEveryWait"_s)->click();
        QCOMPARE(stage.client.calls, QStringList{u"policy 0 every"_s});
        stage.run.record(events::ReviewPolicyChanged{{}, ReviewPolicy::Every});
        stage.open();
        QVERIFY(!note->isVisible());
        stage.run.record(events::ReviewPolicyChanged{{}, ReviewPolicy::Automatic});
        auto readOnly = std::make_shared<Snapshot>(*stage.run.snapshot());
        readOnly->status.readOnly = true;
        stage.client.publish(readOnly);
        QVERIFY(!note->isVisible()); // nothing can be set
    }
};

TILEWRIGHT_TEST(TestReviewPolicy)
#include "test_review_policy.moc"
