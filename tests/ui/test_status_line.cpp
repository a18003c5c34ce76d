// SPDX-License-Identifier: GPL-3.0-or-later
// The status bar warns of ground that moves: a clock that drifted in the run, a noise floor above 2 %.
#include "core/model/reviews/review_queue.h"
#include "tests/patience.h"
#include "tests/test_program.h"
#include "tests/ui/fits.h"
#include "ui/evolve/figures_card.h"
#include "ui/models/candidate_model.h"
#include "ui/models/display_text.h"
#include "ui/models/score_words.h"
#include "ui/prompts/prompts_page.h"
#include "ui/prompts/templates_page.h"
#include "ui/review/review_page.h"
#include "ui/theme/theme.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/table.h"

#include <QLabel>
#include <QPushButton>
#include <QTest>

using namespace tilewright;
using namespace tilewright::ui;
using namespace Qt::StringLiterals;
using test::Theatre;

namespace {

struct StatusStage : Theatre {
    std::shared_ptr<Snapshot> snapshot = std::make_shared<Snapshot>(*run.snapshot());

    /// What all timings from one on read, of those that got as far as a timing.
    void setClocks(std::size_t from, double mhz)
    {
        for (std::size_t i = from; i < snapshot->run.evaluations.size(); ++i)
            if (EvaluationResult& result = snapshot->run.evaluations.edit(i).result; result.score)
                result.environment["mhz"] = {mhz, mhz};
    }
    void publish() { client.publish(std::make_shared<Snapshot>(*snapshot)); }
    QString textOf(const QString& name) const { return find<ElidedLabel>(name)->text(); }
    QString tipOf(const QString& name) const { return find<ElidedLabel>(name)->parentWidget()->toolTip(); }
    /// Whether a warning sign stands beside it, for the eye and for a reader.
    bool warns(const QString& name) const
    {
        for (const QLabel* label : find<ElidedLabel>(name)->parentWidget()->findChildren<QLabel*>())
            if (!label->pixmap().isNull()) {
                const QPixmap sign = iconPixmap(u"warn"_s, tokens().warning, px(14), label->devicePixelRatioF());
                const bool isSign = label->pixmap().toImage() == sign.toImage();
                return isSign && label->accessibleName() == u"Warning"_s;
            }
        return false;
    }
};

} // namespace

class TestStatusLine : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    /// Below the toolbar of other screens nothing can be set up.
    void withoutASessionTheToolbarSaysWhereOneIsSetUp()
    {
        Theatre stage;
        const auto* said = stage.find<QLabel>(u"noSession"_s);
        auto* there = stage.find<QPushButton>(u"toWelcome"_s);
        QVERIFY(said->isVisible() && said->text().contains(u"Set one up below"_s) && !there->isVisible());
        for (const QString& mode : {u"evolve"_s, u"review"_s, u"prompts"_s, u"devices"_s, u"settings"_s}) {
            stage.window->showScreen(mode);
            QVERIFY2(said->isVisible() && said->text().contains(u"in Welcome"_s), qPrintable(said->text()));
            QVERIFY(!said->text().contains(u"below"_s) && there->isVisible());
            QVERIFY(there->toolTip().contains(u"Welcome"_s));
            there->click();
            QVERIFY(stage.window->actions()[u"mode.welcome"_s].isChecked() && !there->isVisible());
        }
        stage.open();
        stage.window->showScreen(u"evolve"_s);
        QVERIFY(!said->isVisible() && !there->isVisible());
    }

    void initTestCase() { Theme::instance().apply(ThemeKind::Dark); }

    void aDriftOfTheClockWarns()
    {
        StatusStage stage;
        stage.setClocks(0, 1900);
        stage.publish();
        QCOMPARE(stage.textOf(u"statusClock"_s), u"3700 MHz"_s); // as the node tells it now
        QVERIFY(!stage.warns(u"statusClock"_s));
        stage.setClocks(stage.snapshot->run.evaluations.size() / 2, 1805);
        stage.publish();
        QCOMPARE(stage.textOf(u"statusClock"_s), u"3700 MHz, drifted −5.0 %"_s);
        QVERIFY(stage.warns(u"statusClock"_s));
        QVERIFY2(stage.tipOf(u"statusClock"_s).contains(u"at 1805 MHz, the first of the run at 1900 MHz"_s),
            qPrintable(stage.tipOf(u"statusClock"_s)));
        stage.setClocks(0, 1900);
        stage.publish();
        QVERIFY(!stage.warns(u"statusClock"_s));
        QVERIFY(!stage.tipOf(u"statusClock"_s).contains(u"1805"_s));
    }

    void aRecordedSessionTellsItsDriftToo()
    {
        StatusStage stage;
        stage.setClocks(0, 1900);
        stage.setClocks(stage.snapshot->run.evaluations.size() / 2, 1976);
        stage.snapshot->status.telemetry.reset();
        stage.publish();
        QCOMPARE(stage.textOf(u"statusClock"_s), u"1976 MHz, drifted +4.0 %"_s);
        QVERIFY(stage.find<ElidedLabel>(u"statusClock"_s)->isVisible());
    }

    void aNoiseFloorAboveTwoPercentWarns()
    {
        StatusStage stage;
        stage.publish();
        QCOMPARE(stage.textOf(u"statusNoise"_s), u"noise floor ± 0.6 %"_s);
        QVERIFY(!stage.warns(u"statusNoise"_s));
        stage.snapshot->run.noiseFloor = 0.031;
        stage.publish();
        QCOMPARE(stage.textOf(u"statusNoise"_s), u"noise floor ± 3.1 %"_s);
        QVERIFY(stage.warns(u"statusNoise"_s));
        QVERIFY2(stage.tipOf(u"statusNoise"_s).contains(u"within noise"_s), qPrintable(stage.tipOf(u"statusNoise"_s)));
        stage.snapshot->run.noiseFloor = 0.02;
        stage.publish();
        QVERIFY(!stage.warns(u"statusNoise"_s));
    }

    void aNoiseFloorThatWasNotMeasuredSaysWhenItWillBe()
    {
        StatusStage stage;
        stage.window->resize(2560, 1440);
        stage.snapshot->run.noiseFloor = 0;
        stage.publish();
        QCOMPARE(stage.textOf(u"statusNoise"_s), u"noise floor not measured yet"_s); // of an older record
        stage.snapshot->run.candidates.edit(0).stage = Stage::Confirming;
        stage.publish();
        QCOMPARE(stage.textOf(u"statusNoise"_s),
            u"noise floor not measured yet; needs 8 timings of the best, taken between screenings"_s);
        test::settle(*stage.window); // with so much room it is read whole, however long it is
        const auto* noise = stage.find<ElidedLabel>(u"statusNoise"_s);
        QCOMPARE(noise->shown(), noise->text());
        test::FixtureRun young; // its seed is confirmed, and no more
        QVERIFY(noiseNotYet(young.state()).endsWith(u"needs 8 timings of the best, taken between screenings"_s));
    }

    void aRunThatWaitsIsCalledSoEverywhere()
    {
        StatusStage stage;
        stage.window->resize(2560, 1440);
        stage.publish();
        QVERIFY(stage.textOf(u"statusSummary"_s).startsWith(u"running"_s));
        stage.snapshot->status.waitingCode = "reviews";
        stage.snapshot->status.waiting = "waiting for 2 reviews";
        stage.publish();
        auto* state = stage.find<QPushButton>(u"runState"_s);
        QCOMPARE(state->text(), u"Blocked: %1 reviews"_s.arg(stage.snapshot->run.waitingReviews));
        QVERIFY(!stage.find<QPushButton>(u"run.run"_s)->isVisible()); // which would be green
        QVERIFY2(
            stage.textOf(u"statusSummary"_s).startsWith(u"blocked"_s), qPrintable(stage.textOf(u"statusSummary"_s)));
        state->click();
        QVERIFY(stage.find<QWidget>(u"reviewPage"_s)->isVisible());
    }

    void scoresOfBestsThatStandApartWarn()
    {
        StatusStage stage;
        RunState& run = stage.snapshot->run;
        const CandidateId first{2}, second{3};
        for (const auto& [id, against, pair, score] :
            {std::tuple{first, CandidateId{1}, 30.0, 30.0}, std::tuple{second, first, 1.1, 36.3}}) {
            Candidate& candidate = run.candidates.edit(static_cast<std::size_t>(id.value - 1));
            candidate.outcome = Outcome::Ranked;
            candidate.confirmed = true;
            candidate.score = Interval{score, score, score};
            QVERIFY(candidate.latest);
            Evaluation& evaluation = run.evaluations.edit(static_cast<std::size_t>(candidate.latest.value - 1));
            evaluation.against = against;
            evaluation.result.purpose = Purpose::Confirm;
            evaluation.result.versusIncumbent = Interval{pair, pair, pair};
        }
        run.incumbent = first;
        run.incumbents = {first};
        stage.publish();
        QVERIFY(!stage.warns(u"statusNoise"_s));
        run.incumbent = second;
        run.incumbents = {first, second};
        stage.publish();
        QCOMPARE(stage.textOf(u"statusNoise"_s), u"noise floor ± 0.6 %, scores drifted +10.0 %"_s);
        QVERIFY(stage.warns(u"statusNoise"_s));
        const QString tip = stage.tipOf(u"statusNoise"_s);
        for (const QString& words : {tip, stage.find<QWidget>(u"bestBadge"_s)->toolTip()})
            QVERIFY2(words.contains(u"c-0002 scored 30.00× when it was confirmed, and 33.00× when it was timed again"_s)
                    && words.contains(u"That is +10.0 %: the baseline changed its speed"_s),
                qPrintable(words));
        QVERIFY2(tip.contains(u"What to do"_s) && tip.contains(u"Measure again with"_s), qPrintable(tip));
    }

    /// It was −10.0 % in the status line and 11.1 % in the inspector.
    void aDriftIsToldWithOneFigure()
    {
        QCOMPARE(movedBy(std::log(1.1)), u"10.0 %"_s);
        QCOMPARE(movedBy(std::log(0.9)), u"10.0 %"_s);
        StatusStage stage;
        RunState& run = stage.snapshot->run;
        std::vector<CandidateId> late; // the last two that were measured
        for (std::size_t i = run.candidates.size(); i > 0 && late.size() < 2; --i)
            if (const Candidate& one = run.candidates[i - 1]; one.isRanked() && !one.migrated && one.latest)
                late.push_back(one.id);
        QCOMPARE(late.size(), std::size_t(2));
        const CandidateId first = late[1], second = late[0];
        for (const auto& [id, against, pair, score] :
            {std::tuple{first, CandidateId{1}, 30.0, 30.0}, std::tuple{second, first, 1.1, 29.7}}) {
            Candidate& candidate = run.candidates.edit(static_cast<std::size_t>(id.value - 1));
            candidate.confirmed = true;
            candidate.score = Interval{score, score, score};
            Evaluation& evaluation = run.evaluations.edit(static_cast<std::size_t>(candidate.latest.value - 1));
            evaluation.against = against;
            evaluation.result.purpose = Purpose::Confirm;
            evaluation.result.versusIncumbent = Interval{pair, pair, pair};
        }
        run.incumbent = second;
        run.incumbents = {first, second};
        const auto drift = scoreDriftOf(run);
        QVERIFY(drift);
        QCOMPARE(driftFigure(*drift), u"−10.0 %"_s);
        QCOMPARE(drift->apartNs, timeApart(run, run.candidate(first)->latest, run.candidate(second)->latest));
        stage.publish();
        QCOMPARE(stage.textOf(u"statusNoise"_s), u"noise floor ± 0.6 %, scores drifted −10.0 %"_s);
        QVERIFY(stage.tipOf(u"statusNoise"_s).contains(u"That is −10.0 %"_s));
        const Candidate* before = nullptr; // who was measured then, not side by side with the parent
        for (const Candidate& candidate : run.candidates)
            if (const auto change = versusParent(run, candidate); change && change->movedSince > 0)
                before = &candidate;
        QVERIFY(before);
        FiguresCard card;
        card.show(run, *before);
        const QString note = card.findChild<QLabel*>(u"figuresNote"_s)->text().replace(QChar(QChar::Nbsp), u' ');
        QVERIFY2(note.contains(u"drifted by −10.0 %"_s), qPrintable(note));
    }

    void warningsCanBeReadInASmallWindow()
    {
        StatusStage stage;
        stage.window->resize(1280, 800);
        stage.setClocks(0, 1900);
        stage.setClocks(stage.snapshot->run.evaluations.size() / 2, 1805);
        stage.snapshot->run.noiseFloor = 0.031;
        stage.publish();
        test::settle(*stage.window);
        QCOMPARE(stage.window->size(), QSize(1280, 800));
        for (const QString& name : {u"statusClock"_s, u"statusNoise"_s}) {
            const auto* label = stage.find<ElidedLabel>(name);
            QVERIFY2(label->width() >= label->fontMetrics().horizontalAdvance(label->text()),
                qPrintable(u"%1 is %2 wide"_s.arg(name).arg(label->width())));
        }
    }

    void whyARunWaitsGivesWayFirstAndNoWordIsCut()
    {
        StatusStage stage;
        EngineStatus& status = stage.snapshot->status;
        const QString why
            = u"waiting: the machine is too busy to time (another process ran on the same core for 12 % of "
              "the time); it is tried again in 30 s"_s;
        status.waiting = why.toStdString();
        status.waitingCode = "machine/busy";
        status.savedAtUtc = "2026-11-25T00:48:19Z";
        status.isolation = "reduced";
        stage.snapshot->run.noiseFloor = 0;
        for (const int width : {1680, 1280, 1024}) {
            stage.window->resize(width, 800);
            stage.publish();
            test::settle(*stage.window);
            for (const QString& name : {u"statusFile"_s, u"statusDevice"_s, u"statusTemperature"_s, u"statusClock"_s,
                     u"statusQueue"_s, u"statusNoise"_s, u"statusIsolation"_s, u"statusSummary"_s}) {
                const auto* label = stage.find<ElidedLabel>(name);
                QVERIFY2(!label->isVisible() || label->width() >= label->fontMetrics().horizontalAdvance(label->text()),
                    qPrintable(
                        u"%1 \"%2\" is %3 wide at %4"_s.arg(name, label->text()).arg(label->width()).arg(width)));
            }
            QVERIFY(stage.find<ElidedLabel>(u"statusDevice"_s)->isVisible());
        }
        QVERIFY(stage.textOf(u"statusQueue"_s).startsWith(u"waiting"_s));
        status.waitingCode = "reviews";
        status.waiting = "waiting for 27 reviews: no island requests further edits until some are decided";
        stage.window->resize(1280, 800);
        stage.publish();
        test::settle(*stage.window);
        const QString said = stage.textOf(u"statusQueue"_s);
        QVERIFY2(
            said == u"waiting for your review"_s || said == QString::fromStdString(status.waiting), qPrintable(said));
        QVERIFY(stage.tipOf(u"statusQueue"_s).contains(u"decide on them under Review"_s));
        status.waitingCode = "machine/busy";
        status.waiting = why.toStdString();
        stage.window->resize(1024, 800);
        stage.publish();
        test::settle(*stage.window);
        QVERIFY(!stage.find<QPushButton>(u"run.run"_s)->isVisible()); // in green: nothing moves
        QVERIFY(stage.find<QPushButton>(u"runState"_s)->toolTip().contains(why));
        QCOMPARE(stage.tipOf(u"statusQueue"_s), why);
    }

    void whatARunLeftIsNotAnEmptyQueue()
    {
        StatusStage stage;
        EngineStatus& status = stage.snapshot->status;
        RunState& run = stage.snapshot->run;
        status.proposing = status.queued = status.building = status.checking = status.measuring = 0;
        run.waitingReviews = 0;
        status.phase = events::Phase::Stopped;
        for (std::size_t i = 0; i < run.candidates.size(); ++i)
            run.candidates.edit(i).stage = Stage::Done;
        stage.publish();
        QCOMPARE(stage.textOf(u"statusQueue"_s), u"queue empty"_s);
        run.candidates.edit(run.candidates.size() - 1).stage = Stage::Queued;
        run.candidates.edit(run.candidates.size() - 2).stage = Stage::Building;
        stage.publish();
        QCOMPARE(stage.textOf(u"statusQueue"_s), u"2 unfinished"_s);
        // What was approved in a pause is in no pipeline yet, but waits all the same.
        status.phase = events::Phase::Paused;
        status.queued = 1;
        stage.publish();
        QCOMPARE(stage.textOf(u"statusQueue"_s), u"queue: 2 waiting"_s);
    }

    void aRateSaysOverWhichTime()
    {
        StatusStage stage;
        stage.snapshot->status.evaluationsPerMinute = 21.4;
        stage.window->resize(2560, 1440);
        stage.publish();
        const auto* summary = stage.find<ElidedLabel>(u"statusSummary"_s);
        QVERIFY2(summary->text().contains(u"21.4 evaluations/min over the last minute"_s), qPrintable(summary->text()));
        for (const QString& words : {summary->parentWidget()->toolTip(), summary->accessibleDescription()})
            QVERIFY2(words.contains(u"last minute of running time"_s), qPrintable(words));
        stage.window->resize(1280, 800);
        test::settle(*stage.window);
        QVERIFY2(!summary->text().contains(u"/min"_s) || summary->text().contains(u"last minute"_s),
            qPrintable(summary->text()));
    }

    void whatAnotherProgramDoesIsNotSaidToBeNothing()
    {
        StatusStage stage;
        EngineStatus& status = stage.snapshot->status;
        status.proposing = status.queued = status.building = status.checking = status.measuring = 0;
        status.jobs.clear();
        status.work.clear();
        status.openModelRequests.clear();
        stage.snapshot->run.waitingReviews = 0;
        status.readOnly = true;
        stage.publish();
        QCOMPARE(stage.textOf(u"statusQueue"_s), u"queue unknown"_s);
        const auto* nothing = stage.find<QLabel>(u"queueEmpty"_s);
        stage.window->showScreen(u"devices"_s);
        QVERIFY2(nothing->isVisible() && nothing->text().contains(u"In-flight work is unknown"_s),
            qPrintable(nothing->text()));
        status.readOnly = false;
        stage.publish();
        QCOMPARE(nothing->text(), u"No unfinished work."_s);
    }

    void theInspectorSaysWhyAnIntervalIsWider()
    {
        StatusStage stage;
        RunState& run = stage.snapshot->run;
        const Candidate* child = nullptr;
        for (const Candidate& candidate : run.candidates)
            if (const auto change = versusParent(run, candidate); change && !change->paired)
                child = &candidate;
        QVERIFY(child);
        const Candidate* parent = run.candidate(child->parents.front());
        const auto noteWith = [&](double mhz) {
            for (const auto& [id, clock] : {std::pair{child->latest, mhz}, std::pair{parent->latest, 2000.0}})
                run.evaluations.edit(static_cast<std::size_t>(id.value - 1)).result.environment["mhz"] = {clock, clock};
            FiguresCard card;
            card.show(run, *child);
            QStringList all;
            for (const QLabel* label : card.findChildren<QLabel*>())
                all << label->text();
            return all.join(u'|').replace(QChar(QChar::Nbsp), u' ');
        };
        QVERIFY2(!noteWith(2000).contains(u"wider"_s), qPrintable(noteWith(2000)));
        QVERIFY2(noteWith(2100).contains(u"widened: clocks differ by 5.0 %"_s), qPrintable(noteWith(2100)));
    }

    void theInspectorSaysWhatScoresThatTellAnotherChangeWereMeasuredAgainst()
    {
        StatusStage stage;
        RunState& run = stage.snapshot->run;
        const Candidate* child = nullptr;
        for (const Candidate& candidate : run.candidates)
            if (!candidate.confirmed && candidate.parents.size() == 1 && candidate.parents.front() != CandidateId{1})
                if (const auto change = versusParent(run, candidate); change && change->pairs > 0)
                    child = &candidate;
        QVERIFY(child);
        const CandidateId parent = child->parents.front();
        const double wanted = versusParent(run, *child)->ratio.value;
        FiguresCard card;
        const auto noteWithParentsScore = [&](double score) {
            run.candidates.edit(static_cast<std::size_t>(parent.value - 1)).score = Interval{score, score, score};
            card.show(run, *child);
            return card.findChild<QLabel*>(u"figuresNote"_s)->text().replace(QChar(QChar::Nbsp), u' ');
        };
        const QString same = noteWithParentsScore(child->score->value / wanted);
        QVERIFY2(!same.contains(u"by the scores alone"_s), qPrintable(same));
        const QString other = noteWithParentsScore(child->score->value / wanted / 1.3);
        QVERIFY2(other.contains(u"%1 by the scores alone: the two were measured against the baseline"_s.arg(
                     signedPercent(wanted * 1.3))),
            qPrintable(other));
        const QString against = nameOfCandidate(run.evaluation(child->latest)->against);
        for (const QString& name : {u"scoreFigure"_s, u"scoreWord"_s})
            QVERIFY(card.findChild<QLabel*>(name)->toolTip().contains(
                u"of %1, the best at that time, times "_s.arg(against)));
    }

    void theScreenThatIsSeenIsSummedUp()
    {
        StatusStage stage;
        for (int i = 0; i < 2; ++i)
            stage.run.awaitReview({});
        stage.open();
        const auto said = [&] { return stage.textOf(u"statusView"_s); };
        stage.window->showScreen(u"evolve"_s);
        const auto all = stage.run.state().candidates.size();
        QTRY_COMPARE_WITH_TIMEOUT(said(), u"%1 candidates"_s.arg(all), patience);
        stage.window->selection().setIslands({IslandId{2}});
        const auto* table = stage.find<Table>(u"candidateTable"_s);
        QTRY_VERIFY_WITH_TIMEOUT(table->model()->rowCount() < static_cast<int>(all), patience);
        QTRY_COMPARE_WITH_TIMEOUT(
            said(), u"%1 candidates, %2 match"_s.arg(all).arg(table->model()->rowCount()), patience);
        stage.window->showScreen(u"review"_s);
        QCOMPARE(said(), u"1 of 2 in review"_s);
        stage.window->review().goTo(1);
        QCOMPARE(said(), u"2 of 2 in review"_s);
        // One whose word was taken back waits in its old place, as in the queue.
        const CandidateId first = reviewsInOrder(stage.run.state()).front()->candidate;
        stage.run.decide(first, Decision::Rejected, "no");
        const Review before = *stage.run.state().review(stage.run.state().candidate(first)->review);
        stage.run.record(events::ReviewUndone{before.id});
        stage.run.record(events::ReviewAsked{
            {static_cast<std::int64_t>(stage.run.state().reviews.size()) + 1}, first, before.risks, before.facts});
        stage.open();
        stage.window->review().choose(first);
        QTRY_COMPARE_WITH_TIMEOUT(said(), u"1 of 2 in review"_s, patience);
        stage.window->showScreen(u"prompts"_s);
        stage.window->prompts().templates().choose({IslandId{2}, "exploit"});
        QCOMPARE(said(), u"Exploit, island B"_s);
        stage.window->prompts().show(PromptsPage::Open); // and not the template that stands behind them
        QCOMPARE(said(), u"no prompt waits for a reply"_s);
        stage.window->showScreen(u"welcome"_s);
        QCOMPARE(said(), QString());
    }
};

TILEWRIGHT_TEST(TestStatusLine)
#include "test_status_line.moc"
