// SPDX-License-Identifier: GPL-3.0-or-later
// The Review mode: what a user sees of a candidate that waits, and what each of their words sends to the engine.
#include "tests/patience.h"
#include "tests/test_program.h"
#include "tests/ui/review_stage.h"
#include "ui/conversation/conversation_view.h"
#include "ui/diff/split_diff.h"
#include "ui/models/activity_words.h"
#include "ui/models/display_text.h"
#include "ui/models/rule_words.h"
#include "ui/review/check_list.h"
#include "ui/review/claim_card.h"
#include "ui/review/decision_bar.h"
#include "ui/review/policy_box.h"
#include "ui/review/proposal_editor.h"
#include "ui/review/resource_bars.h"
#include "ui/review/review_model.h"
#include "ui/review/review_page.h"
#include "ui/theme/theme.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/numbered_editor.h"
#include "ui/widgets/room.h"
#include "ui/widgets/table.h"

#include <QAbstractItemModelTester>
#include <QDateTime>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QTest>
#include <QTimer>
#include <QVBoxLayout>

using namespace tilewright;
using namespace tilewright::ui;
using namespace tilewright::test;
using namespace Qt::StringLiterals;

class TestReviewScreen : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { Theme::instance().apply(ThemeKind::Dark); }

    void theFirstThatWaitsIsShownWithAllThatIsKnown()
    {
        ReviewStage stage;
        QCOMPARE(stage.page().chosen(), stage.waiting.front());
        QCOMPARE(stage.find<QLabel>(u"reviewCandidate"_s)->text(),
            QString::fromStdString(candidateName(stage.waiting.front())));
        QVERIFY(stage.find<QLabel>(u"reviewReasoning"_s)->text().contains(u"Cut the depth"_s));
        QTRY_VERIFY_WITH_TIMEOUT(stage.find<SplitDiff>(u"reviewDiff"_s)->changes() > 0, patience);
        QVERIFY(!stage.column(u"diffAfter"_s)->lines().empty());
        QCOMPARE(stage.column(u"diffAfter"_s)->lines().size(), stage.column(u"diffBefore"_s)->lines().size());
        QCOMPARE(stage.find<QListView>(u"reviewQueue"_s)->model()->rowCount(), 3);
        QStringList checks;
        for (const QLabel* label : stage.find<QWidget>(u"checkList"_s)->findChildren<QLabel*>())
            checks << label->text();
        QVERIFY(checks.contains(u"none found"_s));
        QVERIFY(checks.contains(u"1 warning\nstatic/clock"_s));
        QVERIFY(checks.contains(u"2 rules passed"_s));
        QVERIFY(checks.contains(u"6.4 s"_s)); // the build
        QVERIFY(checks.contains(u"0.4 s"_s)); // the first check
    }

    void signsOfChecksFollowTheTheme()
    {
        ReviewStage stage;
        const auto signs = [&stage] {
            std::vector<QImage> all;
            for (const QLabel* label : stage.find<QWidget>(u"checkList"_s)->findChildren<QLabel*>())
                if (const QPixmap sign = label->pixmap(); !sign.isNull())
                    all.push_back(sign.toImage());
            return all;
        };
        const std::vector<QImage> dark = signs();
        QVERIFY(!dark.empty());
        Theme::instance().apply(ThemeKind::Light);
        const std::vector<QImage> light = signs();
        Theme::instance().apply(ThemeKind::Dark);
        QCOMPARE(light.size(), dark.size());
        for (std::size_t i = 0; i < dark.size(); ++i)
            QVERIFY(light[i] != dark[i]);
        QVERIFY(signs() == dark);
    }

    void resourcesStandBesideWhatTheDeviceHas()
    {
        const auto kernels = [](int registers, int shared) {
            return resourceFigures({{"kernels",
                {{{"kernel", "gemm"}, {"registers", registers}, {"shared_bytes", shared}, {"occupancy", 0.125},
                    {"threads", 250}}}}});
        };
        const ResourceLimits limits
            = resourceLimits({{"shared_per_block_bytes", 232448}, {"registers_per_sm", 65536}, {"sms", 132}});
        const std::vector<ResourceBar> bars = resourceBars(kernels(168, 98304), kernels(160, 73728), limits);
        QCOMPARE(bars.size(), std::size_t(5));
        QCOMPARE(bars[0].limit, std::optional(255.));
        QCOMPARE(bars[1], (ResourceBar{u"Registers per block"_s, {}, 168. * 256, 65536, 160. * 256, 65536}));
        QCOMPARE(bars[2], (ResourceBar{u"Shared memory"_s, u"B"_s, 98304, 232448, 73728, 232448}));
        QVERIFY(!bars[3].limit); // of a share, all is the end
        ResourceBars shown;
        shown.show(bars);
        QVERIFY(shown.accessibleDescription().contains(u"Shared memory 96 KiB, parent 72 KiB, at most 227 KiB"_s));
        // Without a record of the device nothing is said of its limits.
        const auto alone = resourceBars(kernels(168, 98304), {}, resourceLimits(nullptr));
        QCOMPARE(alone[2].most, 0.0); // neither a limit nor a parent: a bar would tell nothing
        QCOMPARE(alone[0].most, 255.0);
        QVERIFY(!resourceBars(kernels(168, 98304), {}, resourceLimits(nullptr))[2].limit);
    }

    void rowsTellHowLongTheyWait()
    {
        ReviewStage stage;
        const auto* queue = stage.find<QListView>(u"reviewQueue"_s);
        const QString said = queue->model()->index(0, 0).data(Qt::AccessibleTextRole).toString();
        QVERIFY(said.startsWith(stage.name(0)));
        QVERIFY(said.endsWith(stage.find<QLabel>(u"reviewWaits"_s)->text()));
        QVERIFY(said.contains(u"waiting "_s));
    }

    void whoseWordIsTakenBackWaitsInItsOldPlaceSinceItFirstDid()
    {
        ReviewStage stage;
        const auto* queue = stage.find<QListView>(u"reviewQueue"_s);
        const auto said
            = [queue](int row) { return queue->model()->index(row, 0).data(Qt::AccessibleTextRole).toString(); };
        const CandidateId first = stage.waiting.front();
        const auto asked
            = [&] { return stage.run.state().review(stage.run.state().candidate(first)->review)->askedAtUtc; };
        const std::string since = asked();
        stage.decided(first, Decision::Approved);
        QVERIFY(!said(0).startsWith(stage.name(0)));
        const auto* decided = stage.find<QListView>(u"reviewDecided"_s)->model();
        QCOMPARE(decided->rowCount(), 1);
        stage.takenBack(first);
        QCOMPARE(decided->rowCount(), 0); // it is decided no more
        QCOMPARE(asked(), since);
        QVERIFY2(said(0).startsWith(stage.name(0)), qPrintable(said(0)));
    }

    void longReasoningCanBeReadToItsEnd()
    {
        ReviewStage stage;
        ShortenedText text(u"words"_s);
        text.setVisible(true);
        auto* more = text.findChild<QPushButton*>(u"wordsMore"_s);
        text.setWords(u"A short reason."_s);
        QVERIFY(!more->isVisible());
        QString reason;
        for (int i = 0; i < 400; ++i)
            reason += u"word %1 "_s.arg(i);
        text.setWords(reason);
        QVERIFY(more->isVisible());
        QVERIFY(!text.label().text().contains(u"word 399"_s));
        QTest::mouseClick(more, Qt::LeftButton);
        auto* whole = text.findChild<QPlainTextEdit*>(u"wordsWhole"_s);
        QVERIFY(whole->isVisible() && !text.label().isVisible());
        QCOMPARE(whole->toPlainText(), reason);
        text.setWords(reason); // as with each snapshot
        QVERIFY(whole->isVisible());
        text.setWords(u"Of another one."_s);
        QVERIFY(!whole->isVisible() && text.label().isVisible() && !more->isVisible());
    }

    void whatIsFilledWhileItIsHiddenHasItsRoomWhenItIsSeen()
    {
        QWidget window;
        auto* column = new QVBoxLayout(&window);
        auto* said = new QLabel(&window);
        said->setWordWrap(true);
        auto* area = new ShrinkingArea(said, &window);
        column->addWidget(area);
        column->addWidget(new QPlainTextEdit(&window), 1);
        window.resize(400, 800);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        window.hide();
        said->setText(u"one line\n"_s.repeated(12));
        window.show();
        QTRY_VERIFY_WITH_TIMEOUT(area->height() >= said->heightForWidth(area->width()), patience);
    }

    void whereTheDeviceOfTheSessionIsNotNoMeasurementIsPromised()
    {
        ReviewStage stage(1);
        const auto says = [&stage](const QString& words) {
            for (const QLabel* label : stage.page().findChildren<QLabel*>())
                if (label->text().contains(words))
                    return true;
            return false;
        };
        QVERIFY(says(u"Approve queues its measurement"_s));
        QVERIFY(stage.page().canLook());
        Snapshot elsewhere = *stage.run.snapshot(events::Phase::Paused);
        elsewhere.status.elsewhere = "this session was measured on another device";
        stage.client.publish(std::make_shared<const Snapshot>(elsewhere));
        QVERIFY(says(u"Measurement continues only on the device of this session"_s));
        QVERIFY(says(u"The device of this session is not on this machine"_s));
        QVERIFY(!says(u"Approve queues"_s));
        QVERIFY(stage.page().canDecide());
        QVERIFY(!stage.page().canLook());
    }

    void aQuickResultIsOfferedOnceTheSeedIsMeasuredBesideWhichItWouldBe()
    {
        ReviewStage stage(1);
        auto* look = stage.find<QPushButton>(u"quickResult"_s);
        QVERIFY(look->isEnabled() && look->toolTip().contains(u"against the best so far"_s));
        stage.run.record(events::StageReached{CandidateId{1}, Stage::Screening});
        stage.open();
        QVERIFY(!look->isEnabled());
        QCOMPARE(look->toolTip(), u"It would be compared with the seed, which is not measured yet."_s);
        stage.press(Qt::Key_R, Qt::ControlModifier);
        QVERIFY(stage.client.candidateCommands.empty());
    }

    void whatItCostAndHowItCameAboutIsAtItsHead()
    {
        ReviewStage stage(1);
        auto* about = stage.find<QLabel>(u"reviewAbout"_s);
        auto* prompt = stage.find<QPushButton>(u"reviewPrompt"_s);
        auto* reply = stage.find<QPushButton>(u"reviewReply"_s);
        QVERIFY2(!about->text().contains(u"tokens"_s) && !about->text().contains(u'$'), qPrintable(about->text()));
        QVERIFY(!prompt->isEnabled() && prompt->toolTip().contains(u"No prompt"_s)); // the mutator's
        QVERIFY(!stage.find<QLabel>(u"reviewWaits"_s)->text().isEmpty());
        // A reply whose patch failed, and the turn that mended it: both were paid for.
        const ModelRequestId first = stage.run.ask("writer", "Make it fast.\n");
        stage.run.answer(first, "a patch that does not apply", 0);
        const ProposalId failed{static_cast<std::int64_t>(stage.run.state().proposals.size())};
        ModelRequest repair = *stage.run.state().modelRequest(first);
        repair.id = {first.value + 1};
        repair.repairOf = failed;
        repair.state = ModelRequestState::Open;
        repair.answer = {};
        stage.run.record(events::Asked{repair});
        ModelRequestAnswer answer = stage.run.state().modelRequest(first)->answer;
        answer.tokens.input = 1000;
        answer.costMicroUsd = 700;
        stage.run.record(events::Answered{repair.id, answer, stage.run.state().runNs});
        const CandidateId made = stage.run.awaitReview({}, repair.id);
        stage.open();
        stage.page().choose(made);
        QVERIFY2(about->text().endsWith(
                     u"2 requests · %1 prompt tokens, %2 reply tokens · $0.013"_s.arg(grouped(6200), grouped(1800))),
            qPrintable(about->text()));
        prompt->click();
        auto* window = stage.window->findChild<ConversationWindow*>();
        QVERIFY(window && window->isVisible());
        QVERIFY2(window->windowTitle().startsWith(nameOfCandidate(made)), qPrintable(window->windowTitle()));
        auto* asked = window->findChild<ConversationView*>(u"conversationPrompt"_s);
        QVERIFY(asked->isVisible());
        QTRY_VERIFY_WITH_TIMEOUT(asked->text().endsWith(u"Make it fast.\n"_s), patience);
        reply->click();
        QCOMPARE(stage.window->findChildren<ConversationWindow*>().size(), 1); // the same
        QVERIFY(!asked->isVisible());
        QVERIFY(window->findChild<ConversationView*>(u"conversationReply"_s)->isVisible());
        stage.decided(made, Decision::Approved);
        stage.page().choose(made);
        QVERIFY(!stage.find<QLabel>(u"reviewWaits"_s)->isVisible());
    }

    void whatIsUnknownOfTheCostStaysUnknown()
    {
        RunState run;
        ModelRequest modelRequest;
        modelRequest.id = {1};
        modelRequest.proposer = "model";
        modelRequest.answer.tokens.input = 100;
        run.modelRequests.push_back(modelRequest);
        modelRequest.id = {2};
        modelRequest.repeats = {1};
        modelRequest.answer.costMicroUsd = 20'000;
        run.modelRequests.push_back(modelRequest);
        Proposal proposal;
        proposal.id = {1};
        proposal.modelRequest = {1};
        run.proposals.push_back(proposal);
        QCOMPARE(priceOf(run, {1}), u"100 prompt tokens, 0 reply tokens · cost unknown"_s);
        run.proposals.edit(0).modelRequest = {2};
        QCOMPARE(priceOf(run, {1}), u"2 requests · 200 prompt tokens, 0 reply tokens · at least $0.020"_s);
        run.modelRequests.edit(0).answer.untold = 1;
        QVERIFY(priceOf(run, {1}).contains(u"at least 200 prompt tokens"_s));
        run.modelRequests.edit(0).proposer = run.modelRequests.edit(1).proposer = "manual";
        QCOMPARE(priceOf(run, {1}), QString());
    }

    void theRecordOfAnAuthorSaysOnceHowManyWereMeasured()
    {
        ReviewStage stage(1);
        auto statistics = std::make_shared<RunStatistics>();
        PromptStatistics figures;
        figures.model = "mutator";
        figures.ranked = 83;
        figures.meanGain = Interval{1.012, 1.004, 1.02};
        statistics->byModel = {figures};
        const auto show = [&] {
            auto snapshot = std::make_shared<Snapshot>(*stage.run.snapshot());
            snapshot->statistics = statistics;
            stage.client.publish(snapshot);
            const auto rows = stage.find<QWidget>(u"claimCard"_s)->findChildren<QLabel*>(u"claimWords"_s);
            return rows.last()->accessibleName();
        };
        QCOMPARE(show(), u"Edits of mutator: 83 measured, on average +1.2 % [+0.4 %, +2.0 %]"_s);
        statistics = std::make_shared<RunStatistics>(*statistics);
        statistics->byModel.front().ranked = 2;
        QCOMPARE(show(), u"Edits of mutator: 2 measured, too few for a mean"_s);
    }

    void howLongItWaitsIsSaidInTheUnitThatMatters()
    {
        const auto after = [](qint64 seconds) {
            return waitWords("2026-11-21T09:00:00.000Z",
                QDateTime::fromString(u"2026-11-21T09:00:00Z"_s, Qt::ISODate).addSecs(seconds));
        };
        QCOMPARE(after(-5), u"waiting under a minute"_s); // clocks differ
        QCOMPARE(after(59), u"waiting under a minute"_s);
        QCOMPARE(after(125), u"waiting 2 min"_s);
        QCOMPARE(after(7500), u"waiting 2 h 5 min"_s);
        QCOMPARE(after(200'000), u"waiting 2 days"_s);
        QCOMPARE(waitWords("", QDateTime::currentDateTimeUtc()), QString());
    }

    void rulesThatPassedAreExplained()
    {
        ReviewStage stage;
        QStringList tips;
        for (const QWidget* row : stage.find<QWidget>(u"checkList"_s)->findChildren<QWidget*>())
            tips << row->toolTip();
        QVERIFY2(
            tips.contains(
                u"verify/normwise: error of the whole output within tolerance\nverify/exact: results that must be exact are exact"_s),
            qPrintable(tips.join(u'|')));
        // In one line until somebody wants to see them, then a line each, also of what is read next.
        const QString one = u"error of the whole output within tolerance"_s;
        const QString other = u"results that must be exact are exact"_s;
        QTRY_VERIFY_WITH_TIMEOUT(stage.checksSaid().contains(u"2 rules passed"_s), patience);
        QVERIFY(!stage.checksSaid().contains(one) && !stage.checksSaid().contains(other));
        auto* more = stage.find<QPushButton>(u"showPassedRules"_s);
        QCOMPARE(more->accessibleDescription(), one + u"; "_s + other);
        QTest::mouseClick(more, Qt::LeftButton);
        QVERIFY(stage.checksSaid().contains(one) && stage.checksSaid().contains(other));
        stage.page().goTo(1);
        QTRY_VERIFY_WITH_TIMEOUT(stage.checksSaid().contains(u"Risk: 57 changed lines"_s), patience);
        QVERIFY(stage.checksSaid().contains(one) && stage.checksSaid().contains(other));
        QCOMPARE(passedWords(u"determinism"_s), u"two runs on the same inputs are equal"_s);
        QCOMPARE(passedWords(u"unheard-of"_s), QString());
    }

    void risksAreNamed()
    {
        ReviewStage stage;
        stage.page().goTo(1);
        QStringList checks;
        for (const QLabel* label : stage.find<QWidget>(u"checkList"_s)->findChildren<QLabel*>())
            checks << label->text();
        QVERIFY(checks.contains(u"Risk: 57 changed lines"_s));
        QVERIFY(checks.contains(u"Risk: touches casts"_s));
    }

    void aModelsWordStandsBesideTheEditAndDecidesNothing()
    {
        ReviewStage stage;
        auto* said = stage.find<QLabel>(u"reviewJudged"_s);
        auto* ask = stage.find<QPushButton>(u"askAJudge"_s);
        QVERIFY(!said->isVisible());
        QVERIFY(!ask->isEnabled()); // of the mutator nothing can be asked
        QVERIFY2(ask->toolTip().startsWith(u"No language model takes part in this run"_s), qPrintable(ask->toolTip()));
        stage.run.record(events::ProposerChanged{"model:models.json"});
        stage.open();
        QVERIFY(ask->isEnabled() && ask->toolTip().startsWith(u"Ask a model for its opinion of this edit"_s));
        stage.press(Qt::Key_M);
        QVERIFY(stage.client.candidateCommands
            == std::vector<CandidateCommand>{commands::RequestJudgement{stage.waiting[0]}});
        QTest::mouseClick(ask, Qt::LeftButton);
        QCOMPARE(stage.client.candidateCommands.size(), std::size_t(2));
        // Where nobody can be asked, the place of the answer says so.
        Q_EMIT stage.client.failed(u"judge/no-models"_s, u"no language model can be asked: …"_s, u"start a session"_s);
        QCOMPARE(said->text(), u"no language model can be asked: … — start a session"_s);
        stage.page().goTo(1);
        QVERIFY(!said->isVisible()); // that was of another edit
        stage.page().goTo(-1);
        SteeringRequest steering;
        steering.id = SteeringRequestId{static_cast<std::int64_t>(stage.run.state().steeringRequests.size()) + 1};
        steering.parent = stage.waiting[0];
        steering.prompt.templateName = "judge";
        stage.run.record(events::SteeringRequested{steering});
        stage.open();
        QCOMPARE(said->text(), u"A judgement is requested when a model is free."_s);
        ModelRequest asked;
        asked.id = ModelRequestId{static_cast<std::int64_t>(stage.run.state().modelRequests.size()) + 1};
        asked.proposer = "model";
        asked.model = "writer";
        asked.promptName = "judge";
        asked.parents = {stage.waiting[0]};
        asked.steering = steering.id;
        stage.run.record(events::Asked{asked});
        stage.open();
        QCOMPARE(said->text(), u"writer is judging it; waiting for the reply."_s);
        ModelRequestAnswer answer;
        answer.model = "writer";
        stage.run.record(events::Answered{asked.id, answer, 0});
        stage.run.record(
            events::Judged{{asked.id, stage.waiting[0], JudgeVerdict::Repeat, CandidateId{1}, "As the seed", 1.1}});
        stage.open();
        QVERIFY(said->isVisible());
        QCOMPARE(
            said->text(), u"Judged by writer: repeats c-0001. As the seed. It expects 1.10× the parent's speed."_s);
        QVERIFY(stage.client.calls.isEmpty()); // no word of ours was sent
        QCOMPARE(stage.find<QListView>(u"reviewQueue"_s)->model()->rowCount(), 3);
    }

    void rowsTellUnderThePointerWhatTheyHaveNoRoomFor()
    {
        ReviewStage stage;
        stage.decided(stage.waiting[2], Decision::Edited, "kept the guard", stage.writtenFor(stage.waiting[2]));
        const auto* queue = stage.find<QListView>(u"reviewQueue"_s);
        const auto* decided = stage.find<QListView>(u"reviewDecided"_s);
        QCOMPARE(queue->sizeHintForRow(0), px(62)); // with parents and claim
        QCOMPARE(decided->sizeHintForRow(0), px(42));
        const QString waiting = queue->model()->index(0, 0).data(Qt::ToolTipRole).toString();
        const Candidate& first = *stage.run.state().candidate(stage.waiting[0]);
        QVERIFY2(waiting.contains(u"parent "_s + nameOfCandidate(first.parents.front())), qPrintable(waiting));
        QVERIFY2(waiting.contains(u"claims "_s), qPrintable(waiting));
        const QString edited = decided->model()->index(0, 0).data(Qt::ToolTipRole).toString();
        QVERIFY2(edited.contains(u"edited → c-"_s) && edited.contains(u"kept the guard"_s), qPrintable(edited));
    }

    void theDecisionIsNeverCutForWhatWasGained()
    {
        const double decision = QFontMetricsF(fontOf(Type::Body)).horizontalAdvance(u"approved"_s);
        const double gain = QFontMetricsF(fontOf(Type::Secondary)).horizontalAdvance(u"within noise"_s);
        const double both = decision + px(8) + gain;
        QVERIFY(hasRoomBeside(u"approved"_s, u"within noise"_s, both + 0.1));
        QVERIFY(!hasRoomBeside(u"approved"_s, u"within noise"_s, both - 1));
        QVERIFY(hasRoomBeside(u"approved"_s, {}, decision));
    }

    void thePageHasOneClock()
    {
        ReviewStage stage;
        for (const QTimer* timer : stage.page().findChildren<QTimer*>())
            QVERIFY(!timer->isActive() || timer->interval() != 1000);
    }

    void aRejectionAsksForItsReason()
    {
        ReviewStage stage;
        const QString name = QString::fromStdString(candidateName(stage.waiting.front()));
        stage.press(Qt::Key_R);
        QVERIFY(stage.client.calls.isEmpty());
        auto* reason = stage.find<QLineEdit>(u"rejectReason"_s);
        QTRY_VERIFY_WITH_TIMEOUT(reason->hasFocus(), patience);
        QTest::keyClicks(reason, u"sums in half"_s); // letters go into the text, not to the actions
        QVERIFY(stage.client.calls.isEmpty());
        QTest::keyClick(reason, Qt::Key_Return);
        QCOMPARE(stage.client.calls, QStringList{u"rejected "_s + name + u" sums in half"_s});
        QVERIFY(reason->text().isEmpty());
    }

    void anEditIsApprovedInItsPlace()
    {
        ReviewStage stage;
        QTRY_VERIFY_WITH_TIMEOUT(stage.find<SplitDiff>(u"reviewDiff"_s)->changes() > 0, patience);
        stage.press(Qt::Key_E);
        auto* editor = stage.find<NumberedEditor>(u"reviewEditor"_s);
        QVERIFY(editor->isVisible());
        QVERIFY(editor->toPlainText().contains(u"constexpr"_s));
        QVERIFY(!stage.window->actions()[u"review.approve"_s].isEnabled());
        editor->appendPlainText(u"// mine"_s);
        const auto size = editor->toPlainText().size();
        stage.find<QPushButton>(u"acceptEdit"_s)->click();
        QTRY_COMPARE_WITH_TIMEOUT(stage.client.calls.size(), 1, patience); // once it is known to build
        QCOMPARE(stage.client.calls,
            QStringList{u"edited %1 %2"_s.arg(QString::fromStdString(candidateName(stage.waiting.front()))).arg(size)});
        QVERIFY(!stage.find<QPushButton>(u"acceptEdit"_s)->isEnabled()); // once
        stage.decided(stage.waiting.front(), Decision::Edited, {}, CandidateId{2});
        QVERIFY(!editor->isVisible());
        QVERIFY(stage.page().canDecide()); // the next one is there
    }

    void aRefusedEditStaysOpenWithItsReason()
    {
        ReviewStage stage;
        QTRY_VERIFY_WITH_TIMEOUT(stage.find<SplitDiff>(u"reviewDiff"_s)->changes() > 0, patience);
        stage.press(Qt::Key_E);
        auto* editor = stage.find<NumberedEditor>(u"reviewEditor"_s);
        QTest::keyClicks(editor, u"// mine"_s);
        const QString typed = editor->toPlainText();
        stage.find<QPushButton>(u"acceptEdit"_s)->click();
        QTRY_COMPARE_WITH_TIMEOUT(stage.client.calls.size(), 1, patience);
        stage.open(); // a snapshot of before the word
        QVERIFY(editor->isVisible());
        Q_EMIT stage.client.failed(u"duplicate"_s, u"this program exists already: c-0143"_s, {});
        const auto* refused = stage.find<QLabel>(u"editRefused"_s);
        QVERIFY(editor->isVisible());
        QVERIFY(refused->isVisible());
        QVERIFY(refused->text().contains(u"c-0143"_s));
        QCOMPARE(editor->toPlainText(), typed);
        QTest::keyClicks(editor, u"!"_s); // and can be mended
        QVERIFY(editor->toPlainText() != typed);
        stage.find<QPushButton>(u"acceptEdit"_s)->click();
        QTRY_COMPARE_WITH_TIMEOUT(stage.client.calls.size(), 2, patience);
        QVERIFY(!refused->isVisible());
    }

    void anEditCanBeDiscarded()
    {
        ReviewStage stage;
        QTRY_VERIFY_WITH_TIMEOUT(stage.find<SplitDiff>(u"reviewDiff"_s)->changes() > 0, patience);
        stage.page().edit();
        stage.find<QPushButton>(u"cancelEdit"_s)->click();
        QVERIFY(stage.client.calls.isEmpty());
        QVERIFY(stage.page().canDecide());
    }

    void whatWasDecidedStandsBelowWithItsReason()
    {
        ReviewStage stage;
        stage.decided(stage.waiting[0], Decision::Rejected, "too clever");
        auto* said = stage.find<QListView>(u"reviewDecided"_s);
        QCOMPARE(said->model()->rowCount(), 1);
        QVERIFY(said->model()->index(0, 0).data().toString().contains(u"rejected"_s));
        QVERIFY(said->model()->index(0, 0).data(Qt::ToolTipRole).toString().contains(u"too clever"_s));
        QVERIFY(said->sizeHintForRow(0) >= px(42)); // the reason has a line of its own
        QCOMPARE(stage.find<QListView>(u"reviewQueue"_s)->model()->rowCount(), 2);
        const QAbstractItemModelTester tester(said->model(), QAbstractItemModelTester::FailureReportingMode::Fatal);
        stage.decided(stage.waiting[1], Decision::Approved);
        QCOMPARE(said->model()->rowCount(), 2);
        int told = 0;
        for (const auto* label : stage.page().findChildren<ElidedLabel*>())
            if (label->text() == u"1 approved · 1 rejected"_s) { // and not how many there are none of
                ++told;
                QVERIFY2(!label->shown().endsWith(QChar(0x2026)), qPrintable(label->shown()));
            }
        QCOMPARE(told, 1);
    }

    void withoutACandidateTheChecksAreNotScrolled()
    {
        ReviewStage stage;
        auto* facts = stage.window->findChild<ReviewFacts*>();
        QWidget* place = facts->parentWidget();
        facts->setParent(nullptr); // lower than any window lets it be
        facts->resize(px(300), px(120));
        facts->setVisible(true);
        QTRY_VERIFY_WITH_TIMEOUT(facts->verticalScrollBar()->isVisible(), patience);
        facts->clear();
        QTRY_VERIFY_WITH_TIMEOUT(!facts->verticalScrollBar()->isVisible(), patience);
        facts->show(*stage.run.state().candidate(stage.waiting[0]));
        QTRY_VERIFY_WITH_TIMEOUT(facts->verticalScrollBar()->isVisible(), patience);
        facts->setParent(place);
    }

    void aBuildThatWasKeptFromBeforeHasNoTimeOfItsOwn()
    {
        ReviewStage stage;
        auto snapshot = std::make_shared<Snapshot>(*stage.run.snapshot());
        const auto said = [&] { return stage.checksSaid(); };
        QVERIFY(!said().contains(u"built before"_s));
        for (std::size_t i = 0; i < snapshot->run.reviews.size(); ++i)
            snapshot->run.reviews.edit(i).facts["cached"] = true;
        stage.client.publish(snapshot);
        QTRY_VERIFY_WITH_TIMEOUT(said().contains(u"built before"_s), patience);
    }

    void aBuildTellsItsOwnTimeAlsoOnceItWasMadeAgainOutOfWhatIsKept()
    {
        ReviewStage stage;
        const auto said = [&] { return stage.checksSaid(); };
        const CandidateId read = stage.waiting[0];
        const WorkSpan* built = lastDone(stage.run.state().work, read, Work::Build);
        const QString time = tookTime(built->durationNs());
        QTRY_VERIFY2_WITH_TIMEOUT(said().contains(time), qPrintable(said().join(u'|')), patience);
        stage.decided(read, Decision::Approved);
        WorkSpan again = *built;
        again.startedNs = built->endedNs + 10'000'000;
        again.endedNs = again.startedNs + 410'000; // as it was kept
        stage.run.record(events::WorkDone{again});
        stage.run.record(events::StageReached{read, Stage::Screening});
        stage.open();
        stage.page().choose(read);
        QTRY_VERIFY2_WITH_TIMEOUT(said().contains(time), qPrintable(said().join(u'|')), patience);
    }

    void howManyLinesAreARiskSaysWhatItCounts()
    {
        ReviewStage stage;
        const CandidateId large = stage.run.awaitReview({"143 changed lines of code"});
        stage.open();
        stage.page().choose(large);
        const auto labels = stage.find<QWidget>(u"checkList"_s)->findChildren<QLabel*>();
        QVERIFY(std::ranges::any_of(labels, [](const QLabel* label) {
            return label->text().startsWith(u"A replaced line counts as one. Blank lines"_s);
        }));
    }

    void whatAWordDoesIsSaidOfTheReasonThatIsTyped()
    {
        ReviewStage stage;
        const auto* word = stage.find<QLabel>(u"decisionWord"_s);
        QCOMPARE(word->text(), u"Approve queues its measurement."_s);
        auto* reason = stage.find<QLineEdit>(u"rejectReason"_s);
        QTest::keyClicks(reason, u"sums"_s);
        QCOMPARE(word->text(), u"Reject ends it, with this reason; Approve keeps the reason as a note."_s);
        reason->selectAll();
        QTest::keyClick(reason, Qt::Key_Delete);
        QCOMPARE(word->text(), u"Approve queues its measurement."_s);
    }

    void whoseWordTheEngineRefusedIsComeBackTo()
    {
        ReviewStage stage;
        stage.page().approve();
        QCOMPARE(stage.page().chosen(), stage.waiting[1]);
        Q_EMIT stage.client.failed(u"session/read-only"_s, u"the session is locked"_s, {});
        stage.decided(stage.waiting[1], Decision::Approved); // from outside
        QCOMPARE(stage.page().chosen(), stage.waiting[0]);
    }

    void anEmptyQueueSaysSo()
    {
        ReviewStage stage(0);
        stage.window->selection().select({1}); // the seed: there is no edit to read
        QVERIFY(stage.find<QLabel>(u"noReviews"_s)->isVisible());
        QVERIFY(!stage.page().canDecide());
        QVERIFY(!stage.window->actions()[u"review.approve"_s].isEnabled());
    }

    void whereNothingWaitsTheSelectedCandidateIsRead()
    {
        ReviewStage stage(0);
        const RunState& run = stage.run.state();
        const Candidate* ranked = nullptr;
        for (const Candidate& each : run.candidates)
            if (!ranked && each.isRanked() && !each.parents.empty() && !each.review)
                ranked = &each;
        QVERIFY(ranked);
        stage.window->selection().select(ranked->id);
        QCOMPARE(stage.page().chosen(), ranked->id);
        QVERIFY(!stage.find<QLabel>(u"noReviews"_s)->isVisible());
        auto* diff = stage.find<SplitDiff>(u"reviewDiff"_s);
        QTRY_VERIFY_WITH_TIMEOUT(diff->changes() > 0, patience);
        QVERIFY(stage.find<QLabel>(u"quickFigure"_s)->text().startsWith(times(ranked->score->value)));
        const auto& shapes = stage.run.state().evaluation(ranked->latest)->result.shapes;
        const auto* table = stage.find<Table>(u"measuredShapes"_s);
        QVERIFY(table->isVisible());
        QCOMPARE(static_cast<std::size_t>(table->model()->rowCount()),
            static_cast<std::size_t>(std::ranges::count_if(shapes,
                [ranked](const ShapeResult& shape) { return shape.split == ShapeSplit::Train || ranked->confirmed; })));
        QVERIFY(!stage.page().canDecide());
        QVERIFY(!stage.window->actions()[u"review.approve"_s].isEnabled());
    }

    void aQuickResultIsShownAsWhatItIs()
    {
        ReviewStage stage;
        const CandidateId id = stage.waiting[0];
        auto* button = stage.find<QPushButton>(u"quickResult"_s);
        auto* words = stage.find<QLabel>(u"quickWords"_s);
        QVERIFY(button->isVisible() && button->isEnabled());
        QVERIFY(!stage.find<QLabel>(u"quickFigure"_s)->isVisible());
        QVERIFY(!stage.find<Table>(u"measuredShapes"_s)->isVisible()); // nothing of it is measured
        stage.press(Qt::Key_R, Qt::ControlModifier);
        QCOMPARE(stage.client.candidateCommands.size(), std::size_t(1));
        QVERIFY(std::get<commands::Rerun>(stage.client.candidateCommands.front()) == (commands::Rerun{id, 1, {}}));
        stage.run.put(events::RerunAsked{{1}, id, 1, {}});
        stage.open();
        QVERIFY(!button->isEnabled()); // one at a time
        QVERIFY2(words->text().contains(u"was requested"_s), qPrintable(words->text()));
        Evaluation quick;
        quick.id = {static_cast<std::int64_t>(stage.run.state().evaluations.size()) + 1};
        quick.candidate = id;
        quick.against = {1};
        quick.result.purpose = Purpose::Rerun;
        quick.result.outcome = Outcome::Ranked;
        quick.result.verdict = Verdict::Better;
        quick.result.score = Interval{1.31, 1.27, 1.35};
        quick.result.versusIncumbent = Interval{1.031, 1.02, 1.04};
        stage.run.put(events::Evaluated{quick, stage.run.state().runNs});
        stage.open();
        QVERIFY(button->isEnabled());
        QCOMPARE(stage.find<QLabel>(u"quickFigure"_s)->text(), u"≈ 1.31× ± 0.04"_s);
        QVERIFY2(words->text().contains(u"+3.1 % against c-0001"_s), qPrintable(words->text()));
        QVERIFY(words->text().contains(u"not a verdict"_s));
        // It waits as before, and has no figure of its own.
        QVERIFY(stage.page().canDecide());
        QVERIFY(!stage.run.state().candidate(id)->score);
        QVERIFY(stage.run.state().log.back().text.contains("quick result"));
    }
};

TILEWRIGHT_TEST(TestReviewScreen)
#include "test_review_screen.moc"
