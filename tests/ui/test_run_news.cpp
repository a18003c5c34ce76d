// SPDX-License-Identifier: GPL-3.0-or-later
// What the run brings while a user looks elsewhere: a candidate that was measured again, with what came out.
#include "tests/patience.h"
#include "tests/test_program.h"
#include "tests/ui/theatre.h"
#include "ui/evolve/candidate_inspector.h"
#include "ui/evolve/evolve_page.h"
#include "ui/models/display_text.h"
#include "ui/models/runs_model.h"
#include "ui/theme/theme.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/pill.h"
#include "ui/widgets/table.h"

#include <QLabel>
#include <QPushButton>
#include <QTest>
#include <QTimer>

using namespace tilewright;
using namespace tilewright::ui;
using namespace Qt::StringLiterals;

namespace {

struct NewsStage : test::Theatre {
    CandidateId measured; ///< again: a confirmed one

    NewsStage()
        : Theatre(60)
    {
        open();
        measured = run.state().best()->id;
        window->showScreen(u"evolve"_s);
        window->selection().select(CandidateId{1});
    }
    const MessageBar& bar() const { return *find<MessageBar>(u"messageBar"_s); }
    /// Its result comes: as before, but for the score, so many times that of before.
    void measureAgain(double ratio, const std::string& rule = {})
    {
        const RunState& state = run.state();
        run.record(events::RerunAsked{{static_cast<std::int64_t>(state.reruns.size()) + 1}, measured, 3});
        open();
        Evaluation again = *state.evaluation(state.candidate(measured)->latest);
        again.id = {static_cast<std::int64_t>(state.evaluations.size()) + 1};
        again.result.purpose = Purpose::Rerun;
        const Interval was = *again.result.score;
        again.result.score = Interval{was.value * ratio, was.lo * ratio, was.hi * ratio};
        if (!rule.empty()) {
            again.result.outcome = Outcome::Unranked;
            again.result.rule = rule;
            again.result.text = "the machine was busy";
            again.result.score.reset();
            again.result.shapes.clear();
        }
        run.record(events::Evaluated{again, state.runNs});
        open();
    }
    QVariant cell(int row, RunsModel::Column column) const
    {
        return find<Table>(u"runsTable"_s)->model()->index(row, static_cast<int>(column)).data();
    }
};

} // namespace

class TestRunNews : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { Theme::instance().apply(ThemeKind::Dark); }

    void whatIsUnderWayHaltsWithTheRunWhereItIsReadToo()
    {
        test::Theatre stage(20);
        stage.run.record(events::ReviewPolicyChanged{{}, ReviewPolicy::Every});
        const CandidateId one = stage.run.awaitReview({});
        stage.run.record(
            events::Reviewed{stage.run.state().candidate(one)->review, Decision::Approved, "person", "", {}});
        stage.run.record(events::StageReached{one, Stage::Screening});
        stage.run.record(events::PhaseChanged{events::Phase::Running, {}, stage.run.state().runNs});
        stage.open();
        stage.window->showScreen(u"evolve"_s);
        stage.window->selection().select(one);
        const auto state = [&stage] { return stage.find<Pill>(u"statePill"_s)->text(); };
        QVERIFY2(!state().isEmpty() && !state().contains(u"halted"_s), qPrintable(state()));
        stage.run.record(events::PhaseChanged{events::Phase::Paused, {}, stage.run.state().runNs});
        stage.open();
        QVERIFY2(state().endsWith(u", halted"_s), qPrintable(state()));
        stage.run.record(events::PhaseChanged{events::Phase::Running, {}, stage.run.state().runNs});
        stage.open();
        QVERIFY2(!state().contains(u"halted"_s), qPrintable(state()));
    }

    void theEndOfARerunSaysWhatCameOutAndLeadsThere()
    {
        NewsStage stage;
        const QString name = nameOfCandidate(stage.measured);
        const Interval was = *stage.run.state().candidate(stage.measured)->score;
        stage.measureAgain(1.0001);
        QVERIFY2(stage.bar().text().startsWith(
                     u"%1 was measured again, 3 times the samples. It agrees with the verdict: %2 now ["_s.arg(
                         name, times(was.value * 1.0001)))
                && stage.bar().text().contains(u", %1 before ["_s.arg(times(was.value))),
            qPrintable(stage.bar().text()));
        stage.find<QPushButton>(u"messageOffer"_s)->click();
        QCOMPARE(stage.window->selection().current(), stage.measured);
        QVERIFY(stage.window->evolve().inspector().shows(TextTabs::Runs));
        // Who has its runs before them sees it there.
        stage.measureAgain(1.0002);
        QVERIFY2(!stage.bar().text().contains(u"measured again"_s), qPrintable(stage.bar().text()));
        stage.window->showScreen(u"devices"_s);
        stage.measureAgain(0.8);
        QVERIFY2(stage.bar().text().contains(u"It contradicts the verdict: "_s)
                && stage.bar().text().contains(u"The difference is 20.0 %"_s)
                && stage.bar().text().contains(u"Re-run both, paired"_s),
            qPrintable(stage.bar().text()));
        stage.measureAgain(1, "machine/busy");
        QVERIFY2(stage.bar().text().contains(u"It gave no result"_s)
                && stage.bar().text().contains(u"machine/busy: the machine was busy"_s),
            qPrintable(stage.bar().text()));
    }

    void theRunsTellIntervalSamplesAndAgreement()
    {
        NewsStage stage;
        stage.window->selection().select(stage.measured);
        stage.window->evolve().inspector().setTab(TextTabs::Runs);
        const Interval was = *stage.run.state().candidate(stage.measured)->score;
        QCOMPARE(stage.cell(0, RunsModel::Column::Agreement).toString(), u"–"_s); // the verdict itself
        stage.measureAgain(1.0001);
        QCOMPARE(stage.cell(0, RunsModel::Column::Agreement).toString(), u"agrees"_s);
        QCOMPARE(stage.cell(0, RunsModel::Column::Score).toString(),
            u"%1 ± %2"_s.arg(times(was.value * 1.0001), percent((was.hi - was.lo) / 2 / was.value)));
        const Evaluation* newest = stage.run.state().evaluation(stage.run.state().candidate(stage.measured)->newest);
        QCOMPARE(stage.cell(0, RunsModel::Column::Samples).toString(),
            QString::number(newest->result.shapes.front().samples));
        const auto note = [&stage] { return stage.find<QLabel>(u"runNote"_s)->text(); };
        QVERIFY2(note().contains(u"95 % interval %1 to %2, from %3 samples per shape"_s
                                     .arg(times(newest->result.score->lo), times(newest->result.score->hi))
                                     .arg(newest->result.shapes.front().samples))
                && note().contains(u"It agrees with the verdict"_s),
            qPrintable(note()));
        stage.measureAgain(0.8);
        QCOMPARE(stage.cell(0, RunsModel::Column::Agreement).toString(), u"contradicts"_s);
        stage.measureAgain(1, "machine/busy");
        QCOMPARE(stage.cell(0, RunsModel::Column::Agreement).toString(), u"no result"_s);
        QCOMPARE(stage.cell(0, RunsModel::Column::Score).toString(), u"unranked"_s);
        QCOMPARE(stage.cell(0, RunsModel::Column::Samples).toString(), u"–"_s);
        stage.window->resize(1280, 800); // the narrowest inspector
        for (const auto column : {RunsModel::Column::Score, RunsModel::Column::Agreement})
            QVERIFY(!stage.find<Table>(u"runsTable"_s)->isColumnHidden(static_cast<int>(column)));
        stage.measureAgain(123.4); // a longer figure is whole as well, and in sight
        const auto* runs = stage.find<Table>(u"runsTable"_s);
        const int score = static_cast<int>(RunsModel::Column::Score);
        for (int row = 0; row < runs->model()->rowCount(); ++row)
            QVERIFY2(runs->columnWidth(score) >= 2 * px(8)
                        + runs->fontMetrics().horizontalAdvance(runs->model()->index(row, score).data().toString()),
                qPrintable(runs->model()->index(row, score).data().toString()));
        QVERIFY(runs->columnViewportPosition(score) + runs->columnWidth(score) <= runs->viewport()->width());
    }

    void whatBecameOfAVersionOfOnesOwnIsSaid()
    {
        NewsStage stage;
        stage.window->showScreen(u"devices"_s);
        const RunState& state = stage.run.state();
        Proposal proposal;
        proposal.id = {static_cast<std::int64_t>(state.proposals.size()) + 1};
        proposal.island = {1};
        proposal.proposer = "person";
        proposal.parents = {CandidateId{2}};
        stage.run.record(events::Proposed{proposal});
        Candidate written;
        written.id = {static_cast<std::int64_t>(state.candidates.size()) + 1};
        written.proposal = proposal.id;
        written.island = {1};
        written.parents = {CandidateId{2}};
        written.source = written.program = stage.run.store("int main() {}\n");
        stage.run.record(events::CandidateMade{written});
        stage.open();
        const CandidateId own = written.id;
        QVERIFY2(!stage.bar().text().contains(nameOfCandidate(own)), qPrintable(stage.bar().text()));
        Evaluation failed;
        failed.id = {static_cast<std::int64_t>(state.evaluations.size()) + 1};
        failed.candidate = own;
        failed.device = "cpu0";
        failed.result.purpose = Purpose::Screen;
        failed.result.outcome = Outcome::BuildFailed;
        failed.result.rule = "build/compile";
        failed.result.text = "no such name";
        stage.run.record(events::EvaluationStarted{own});
        stage.run.record(events::Evaluated{failed, state.runNs});
        stage.run.record(events::StageReached{own, Stage::Rejected});
        stage.open();
        QVERIFY2(stage.bar().text().startsWith(
                     u"Your version %1 was refused: does not compile."_s.arg(nameOfCandidate(own))),
            qPrintable(stage.bar().text()));
        stage.find<QPushButton>(u"messageOffer"_s)->click();
        QCOMPARE(stage.window->selection().current(), own);
    }

    void newsWaitUntilAnAnswerWasRead()
    {
        QWidget frame; // not shown: neither the pointer nor the keyboard is there
        MessageBar bar(&frame);
        bar.show(MessageMood::Info, u"Starred c-0003."_s, {});
        bar.show(MessageMood::Info, u"c-0007 is the best now."_s, {}, MessageKind::Best);
        QCOMPARE(bar.text(), u"Starred c-0003."_s);
        auto* answered = bar.findChild<QTimer*>(u"messageAnswered"_s);
        QVERIFY(answered && answered->isActive());
        answered->start(0);
        QTRY_COMPARE_WITH_TIMEOUT(bar.text(), u"c-0007 is the best now."_s, patience);
        bar.show(MessageMood::Info, u"c-0009 is the best now."_s, {}, MessageKind::Best);
        QCOMPARE(bar.text(), u"c-0009 is the best now."_s); // nobody waits for an answer any more
    }
};

TILEWRIGHT_TEST(TestRunNews)
#include "test_run_news.moc"
