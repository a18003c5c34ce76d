// SPDX-License-Identifier: GPL-3.0-or-later
// A confirmed candidate that is not the best says why, though its score may be the highest.
#include "core/model/best.h"
#include "core/model/measurement/evidence.h"
#include "tests/test_program.h"
#include "tests/ui/theatre.h"
#include "ui/models/best_words.h"
#include "ui/models/candidate_model.h"
#include "ui/models/display_text.h"
#include "ui/models/figures.h"
#include "ui/models/island_model.h"
#include "ui/models/score_words.h"
#include "ui/shell/message_log.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/table.h"

#include <QLabel>
#include <QPushButton>
#include <QToolButton>
#include <QtTest>

using namespace tilewright;
using namespace tilewright::ui;
using namespace Qt::StringLiterals;
using test::Theatre;

namespace {

/// Confirms a provisional candidate with a score above the best's.
CandidateId confirm(Theatre& stage, Verdict verdict)
{
    const RunState& run = stage.run.state();
    for (const Candidate& candidate : run.candidates) {
        if (!candidate.isRanked() || candidate.confirmed || candidate.migrated || candidate.parents.empty())
            continue;
        Evaluation evaluation;
        evaluation.id = {static_cast<std::int64_t>(run.evaluations.size()) + 1};
        evaluation.candidate = candidate.id;
        evaluation.against = run.incumbent;
        evaluation.device = "cpu0";
        evaluation.result = run.evaluation(candidate.latest)->result;
        evaluation.result.purpose = Purpose::Confirm;
        evaluation.result.verdict = verdict;
        evaluation.result.versusIncumbent = Interval{1.002, 0.991, 1.013};
        const double score = run.best()->score->value * 1.05;
        evaluation.result.score = Interval{score, score * 0.99, score * 1.01};
        const CandidateId id = candidate.id;
        stage.run.put(events::Evaluated{evaluation, run.runNs});
        return id;
    }
    return {};
}

} // namespace

class TestNotBest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aHigherScoreThatWasNotProvenSaysSo()
    {
        Theatre stage;
        const CandidateId best = stage.run.state().best()->id;
        const CandidateId other = confirm(stage, Verdict::Neutral);
        QVERIFY(other && stage.run.state().best()->id == best);
        stage.open();
        const auto* line = stage.find<QLabel>(u"notBest"_s);
        stage.window->selection().select(best);
        QVERIFY(line->isHidden());
        stage.window->selection().select(other);
        QVERIFY(!line->isHidden());
        const QString words = line->text().replace(QChar(0xA0), u' ').remove(QChar(0x2060));
        QCOMPARE(words,
            u"Not the best: not measurably faster than %1, side by side (+0.2 %% [−0.9 %%, +1.3 %%])."_s
                .replace(u"%%"_s, u"%"_s)
                .arg(text(candidateName(best))));
        QVERIFY(line->toolTip().contains(u"side by side"_s));
        const auto* table = stage.find<Table>(u"candidateTable"_s);
        const QString tip = table->currentIndex()
                                .siblingAtColumn(static_cast<int>(CandidateModel::Column::Score))
                                .data(Qt::ToolTipRole)
                                .toString();
        QVERIFY2(tip.contains(u"Not the best"_s), qPrintable(tip));
    }

    void whatIsOnlyScreenedSaysWhatComesOfIt()
    {
        Theatre stage;
        RunState run = stage.run.state();
        const auto provisional = std::ranges::find_if(run.candidates, [&](const Candidate& one) {
            return isProvisional(one) && !one.migrated && one.stage == Stage::Done && run.evaluation(one.latest)
                && run.evaluation(one.latest)->against != CandidateId{1};
        });
        QVERIFY(provisional != run.candidates.end());
        Candidate candidate = *provisional;
        const auto verdict = [&](Verdict is) {
            run.evaluations.edit(static_cast<std::size_t>(candidate.latest.value - 1)).result.verdict = is;
            return howScored(run, candidate);
        };
        QVERIFY(verdict(Verdict::Neutral).contains(u"\nnot confirmed: not clearly faster"_s));
        QVERIFY(verdict(Verdict::Better).contains(u"\nnot confirmed: a better candidate became the best"_s));
        candidate.stage = Stage::Confirming;
        QVERIFY(verdict(Verdict::Better).contains(u"\nto be confirmed"_s));
        QCOMPARE(stateWords(candidate), u"to be confirmed"_s); // it may wait, and it may be under way
        candidate.confirmed = true;
        QVERIFY(!verdict(Verdict::Better).contains(u"confirmed:"_s));
        QCOMPARE(stateWords(candidate), u"confirmed"_s);
        candidate.disputed = true; // a re-run contradicts it: whoever reads the state alone is told, too
        QCOMPARE(stateWords(candidate), u"disputed"_s);
    }

    void aGainThatDoesNotHoldOnHeldOutShapesIsWarnedOf()
    {
        Candidate candidate;
        candidate.confirmed = true;
        candidate.score = Interval{2, 1.9, 2.1};
        candidate.heldoutScore = Interval{1.4, 1.3, 1.5};
        candidate.vsVendor = Interval{0.9, 0.89, 0.91};
        candidate.heldoutVsVendor = Interval{0.8, 0.7, 0.9};
        QVERIFY(heldoutWarning(candidate).isEmpty()); // slower than the vendor on both alike
        candidate.vsVendor = Interval{1.03, 1.02, 1.04};
        QVERIFY(heldoutWarning(candidate).contains(u"faster than the vendor library on train shapes"_s));
        candidate.heldoutVsVendor = Interval{0.99, 0.97, 1.01}; // may be as fast
        QVERIFY(heldoutWarning(candidate).isEmpty());
        candidate.heldoutScore = Interval{0.93, 0.9, 0.95};
        QVERIFY(heldoutWarning(candidate).contains(u"slower than the baseline"_s));
        candidate.confirmed = false; // its held-out figures are not shown
        QVERIFY(heldoutWarning(candidate).isEmpty());
        Theatre stage;
        stage.open();
        const auto* warning = stage.find<QLabel>(u"heldoutWarning"_s);
        QVERIFY(!warning->isVisible());
        const Candidate& best = *stage.run.state().best();
        Evaluation again = *stage.run.state().evaluation(best.latest);
        again.id = {static_cast<std::int64_t>(stage.run.state().evaluations.size()) + 1};
        again.result.purpose = Purpose::Confirm;
        again.result.heldoutScore = Interval{0.93, 0.9, 0.95};
        stage.run.put(events::Evaluated{again, stage.run.state().runNs});
        stage.open();
        QTRY_VERIFY(warning->isVisible());
        QVERIFY(warning->text().startsWith(u"⚠"_s));
    }

    void anIslandsBestThatWasScreenedAloneSaysSoWhereItStandsAboveTheRunsBest()
    {
        Theatre stage;
        const RunState& run = stage.run.state();
        const Candidate& best = *run.best();
        QVERIFY(!islandBestWords(run, best).contains(u"≈"_s));
        Candidate screened = best;
        screened.confirmed = false;
        screened.score = Interval{best.score->value * 1.2, best.score->lo, best.score->hi * 1.3};
        const QString words = islandBestWords(run, screened);
        QVERIFY2(words.startsWith(u"≈ screened, not confirmed"_s) && words.contains(nameOfCandidate(best.id)),
            qPrintable(words));
        screened.score = Interval{best.score->value * 0.5, 0.1, 1};
        QVERIFY(!islandBestWords(run, screened).contains(nameOfCandidate(best.id)));
        stage.open();
        IslandModel islands;
        for (const Island& island : run.islands)
            if (const Candidate* ahead = run.candidate(island.best); ahead && isProvisional(*ahead)) {
                islands.show(stage.run.snapshot());
                const QModelIndex name
                    = islands.index(static_cast<int>(island.id.value) - 1, static_cast<int>(IslandModel::Column::Name));
                QVERIFY(name.data(Qt::ToolTipRole).toString().contains(u"≈ screened"_s));
                QVERIFY(name.data(Qt::AccessibleTextRole).toString().contains(u"≈"_s));
                return;
            }
        QFAIL("no island's best is provisional in the fixture");
    }

    void eachReasonIsToldApart()
    {
        Theatre stage;
        const CandidateId before = stage.run.state().best()->id;
        const CandidateId slower = confirm(stage, Verdict::Worse);
        const CandidateId next = confirm(stage, Verdict::Better);
        stage.run.put(events::IncumbentChanged{next});
        const RunState& run = stage.run.state();
        QCOMPARE(whyNotBest(run, *run.candidate(next)), std::nullopt);
        QCOMPARE(whyNotBest(run, *run.candidate(before))->why, NotBest::Why::Overtaken);
        const auto why = whyNotBest(run, *run.candidate(slower));
        QCOMPARE(why->why, NotBest::Why::NotProven);
        QCOMPARE(why->verdict, Verdict::Worse);
        QCOMPARE(why->against, before);
        QCOMPARE(why->best, next);
        QCOMPARE(whyNotBest(run, *run.candidate({1})), std::nullopt);
        for (const Candidate& candidate : run.candidates)
            if (!candidate.confirmed)
                QCOMPARE(whyNotBest(run, candidate), std::nullopt);
    }

    void aNewBestIsToldOnceAndOnlyTheLastStaysInSight()
    {
        Theatre stage;
        stage.open(); // what is there already is no news
        const auto* bar = stage.find<MessageBar>(u"messageBar"_s);
        QVERIFY2(bar->isHidden(), qPrintable(bar->text()));
        const CandidateId before = stage.run.state().best()->id;
        const CandidateId first = confirm(stage, Verdict::Better);
        stage.run.put(events::IncumbentChanged{first});
        stage.open();
        const Candidate* best = stage.run.state().best();
        QCOMPARE(best->id, first);
        const QString figures = best->vsVendor ? u"%1 baseline, %2 %3"_s.arg(times(best->score), times(best->vsVendor),
                                    QString::fromStdString(vendorWordsOf(stage.run.state(), *best)))
                                               : u"%1 baseline"_s.arg(times(best->score));
        QCOMPARE(bar->text(),
            u"%1 is the best now: %2, side by side 1.00× the previous best, %3."_s.arg(
                nameOfCandidate(first), figures, nameOfCandidate(before)));
        stage.find<QToolButton>(u"messageDismiss"_s)->click();
        stage.run.note("info", "something else");
        stage.open();
        QVERIFY2(bar->isHidden(), qPrintable(bar->text())); // once
        std::vector<CandidateId> later;
        for (int i = 0; i < 3; ++i) {
            later.push_back(confirm(stage, Verdict::Better));
            stage.run.put(events::IncumbentChanged{later.back()});
            stage.open();
        }
        QVERIFY2(
            bar->text().startsWith(nameOfCandidate(later.back()) + u" is the best now"_s), qPrintable(bar->text()));
        stage.find<QPushButton>(u"messageOffer"_s)->click();
        QCOMPARE(stage.window->selection().current(), later.back());
        QVERIFY2(bar->isHidden(), qPrintable(bar->text())); // none stands behind it
        // All of them can be read afterwards.
        stage.window->actions()[u"help.messages"_s].trigger();
        const auto* log = stage.find<Table>(u"messageTable"_s);
        QCOMPARE(log->model()->rowCount(), 4);
    }

    void anotherSessionsBestIsNoNews()
    {
        Theatre stage;
        stage.open();
        test::FixtureRun other;
        other.grow(60);
        auto snapshot = std::make_shared<Snapshot>(*other.snapshot());
        snapshot->status.sessionPath = "/elsewhere/other.tilewright";
        snapshot->status.opening = 0.5; // a record that is read bit by bit
        stage.client.publish(std::make_shared<Snapshot>(*snapshot));
        other.grow(60);
        auto grown = std::make_shared<Snapshot>(*other.snapshot());
        grown->status.sessionPath = snapshot->status.sessionPath;
        QVERIFY(grown->run.bestTrace.size() > snapshot->run.bestTrace.size());
        stage.client.publish(grown);
        const auto* bar = stage.find<MessageBar>(u"messageBar"_s);
        QVERIFY2(!bar->text().contains(u"is the best now"_s), qPrintable(bar->text()));
    }

    void aBanOfTheBestSaysWhoIsItNow()
    {
        Theatre stage;
        const CandidateId next = confirm(stage, Verdict::Better), before = stage.run.state().best()->id;
        stage.run.put(events::IncumbentChanged{next});
        stage.open();
        const auto* bar = stage.find<MessageBar>(u"messageBar"_s);
        const auto mark = [&](CandidateId id, bool banned) {
            stage.window->selection().select(id);
            stage.window->actions()[u"candidate.ban"_s].trigger();
            Marks marks;
            marks.banned = banned;
            stage.run.put(events::Marked{id, marks});
            stage.open();
            return bar->text();
        };
        const QString fell = mark(next, true);
        QCOMPARE(stage.run.state().best()->id, before);
        QVERIFY2(fell.startsWith(u"Banned %1. It was the best; the best is now %2, "_s.arg(
                     nameOfCandidate(next), nameOfCandidate(before))),
            qPrintable(fell));
        QCOMPARE(mark(next, false), u"Unbanned %1. It is the best again."_s.arg(nameOfCandidate(next)));
        QCOMPARE(mark(before, true), u"Banned %1."_s.arg(nameOfCandidate(before))); // it was not
    }
};

TILEWRIGHT_TEST(TestNotBest)
#include "test_not_best.moc"
