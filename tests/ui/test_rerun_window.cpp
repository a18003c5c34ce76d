// SPDX-License-Identifier: GPL-3.0-or-later
// Measuring again, asked for at the window: repeats, opponent, shapes, device, and how such runs stand in Runs.
#include "tests/patience.h"
#include "tests/test_program.h"
#include "tests/ui/steering_stage.h"
#include "ui/evolve/candidate_inspector.h"
#include "ui/evolve/evolve_page.h"
#include "ui/models/display_text.h"
#include "ui/models/score_words.h"
#include "ui/theme/theme.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/table.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>

using namespace tilewright;
using namespace tilewright::ui;
using namespace tilewright::test;
using namespace Qt::StringLiterals;

class TestRerunWindow : public QObject
{
    Q_OBJECT

private Q_SLOTS:

    void howItIsMeasuredAgainIsAskedAtTheButton()
    {
        SteeringStage stage;
        auto* button = stage.find<QPushButton>(u"inspector:candidate.rerun-more"_s);
        QVERIFY(button->isVisible() && button->isEnabled());
        // Into the middle of the screen that tests have, which is smaller than the window.
        const QPoint middle = stage.window->screen()->availableGeometry().center();
        stage.window->move(stage.window->pos() + middle - button->mapToGlobal(button->rect().center()));
        QTest::mouseClick(button, Qt::LeftButton);
        const auto* editor = stage.find<QWidget>(u"rerunEditor"_s);
        QVERIFY(editor && editor->isVisible());
        const QRect at(button->mapToGlobal(QPoint(0, 0)), button->size()), card = editor->frameGeometry();
        const int below = card.top() - at.bottom(), above = at.top() - card.bottom();
        QVERIFY2(std::max(below, above) >= 0 && std::max(below, above) <= px(6),
            qPrintable(u"%1 %2"_s.arg(below).arg(above)));
        QVERIFY(card.left() <= at.right() && at.left() <= card.right());
    }

    void aRerunIsAskedForOnSizesOfOnesOwnAndSaysWhatTheTaskDoesNotTake()
    {
        SteeringStage stage;
        stage.action(u"candidate.rerun-more"_s).trigger();
        auto* editor = stage.find<QWidget>(u"rerunEditor"_s);
        auto* shapes = stage.find<QComboBox>(u"rerunShapes"_s);
        auto* own = stage.find<QLineEdit>(u"rerunOwnShapes"_s);
        auto* note = stage.find<QLabel>(u"rerunNote"_s);
        auto* measure = stage.find<QPushButton>(u"applyRerun"_s);
        QVERIFY(editor && shapes && own && note && measure);
        QVERIFY(!own->isEnabled());
        const bool isConfirmed = stage.run.state().candidate(stage.shown)->confirmed;
        QCOMPARE(shapes->findData(u"heldout"_s) >= 0, isConfirmed);
        shapes->setCurrentIndex(shapes->count() - 1);
        QVERIFY(own->isEnabled() && !measure->isEnabled());
        own->setText(u"777x0x511"_s);
        QVERIFY(!measure->isEnabled());
        QVERIFY2(note->text().contains(u"N cannot be 0"_s), qPrintable(note->text()));
        own->setText(u"7x1023"_s);
        QVERIFY2(note->text().contains(u"is not a shape"_s), qPrintable(note->text()));
        own->setText(u"77x103x51"_s);
        QVERIFY(measure->isEnabled());
        QTest::mouseClick(measure, Qt::LeftButton);
        QVERIFY(stage.last<commands::Rerun>()
            == (commands::Rerun{stage.shown, 1, stage.last<commands::Rerun>().against, "77x103x51"}));
    }

    void aRunOnOtherShapesStandsInTheRunsWithThem()
    {
        SteeringStage stage;
        const RunState& before = stage.run.state();
        const Candidate shown = *before.candidate(stage.shown);
        const Shape own{77, 103, 51};
        stage.run.record(events::RerunAsked{{1}, stage.shown, 1, {}, {own}, ""});
        Evaluation again;
        again.id = {static_cast<std::int64_t>(before.evaluations.size()) + 1};
        again.candidate = stage.shown;
        again.against = CandidateId{1};
        again.device = before.device;
        again.result.purpose = Purpose::Rerun;
        again.result.outcome = shown.outcome;
        again.result.score = Interval{1.5, 1.49, 1.51};
        ShapeResult measured;
        measured.shape = own;
        measured.split = ShapeSplit::Own;
        measured.candidateNs = 1e5;
        measured.versusBaseline = again.result.score;
        again.result.shapes = {measured};
        stage.run.record(events::Evaluated{again, before.runNs});
        stage.open();
        stage.window->selection().select(stage.shown);
        stage.window->evolve().inspector().setTab(TextTabs::Runs);
        auto* runs = stage.find<Table>(u"runsTable"_s);
        QCOMPARE(runs->currentIndex().row(), 0); // the newest is the one to look at, and stands first
        QCOMPARE(runs->model()->index(0, 2).data().toString(), u"77×103×51"_s);
        QVERIFY(runs->model()->rowCount() > 1);
        QTRY_VERIFY_WITH_TIMEOUT(
            runs->rowViewportPosition(1) + runs->rowHeight(1) <= runs->viewport()->height(), patience);
        auto* table = stage.find<Table>(u"runShapeTable"_s);
        QVERIFY(table && table->isVisible());
        QCOMPARE(table->model()->rowCount(), 1);
        QCOMPARE(table->model()->index(0, 0).data().toString(), u"77×103×51"_s);
        QCOMPARE(table->model()->index(0, 1).data().toString(), u"own"_s);
        QVERIFY(stage.find<QLabel>(u"candidateDisputed"_s)->isHidden());
        // The same shapes again, and another score: what disagrees by how much is said, and what to do.
        const Evaluation first = *stage.run.state().evaluation(stage.run.state().candidate(stage.shown)->latest);
        const std::int64_t rerun = static_cast<std::int64_t>(stage.run.state().reruns.size()) + 1;
        stage.run.record(events::RerunAsked{{rerun}, stage.shown});
        Evaluation other = first;
        other.id = {static_cast<std::int64_t>(stage.run.state().evaluations.size()) + 1};
        other.result.purpose = Purpose::Rerun;
        const Interval was = *first.result.score;
        other.result.score = Interval{was.value * 0.9, was.lo * 0.9, was.hi * 0.9};
        stage.run.record(events::Evaluated{other, before.runNs});
        stage.open();
        stage.window->selection().select(stage.shown);
        const auto* disputed = stage.find<QLabel>(u"candidateDisputed"_s);
        QVERIFY(!disputed->isHidden());
        for (const QString& part : {u"No. %1"_s.arg(other.id.value), times(was.value), times(was.value * 0.9),
                 u"10.0 %"_s, u"noise floor of ± 0.6 %"_s, u"Re-run both, paired"_s})
            QVERIFY2(disputed->text().contains(part), qPrintable(part + u": "_s + disputed->text()));
        QCOMPARE(runs->currentIndex().row(), 0);
        // Once it was timed beside another one, that is what to go by, whatever the score was then.
        stage.run.record(events::RerunAsked{{rerun + 1}, stage.shown, 1, CandidateId{1}});
        other.id = {other.id.value + 1};
        other.result.versusIncumbent = Interval{1.23, 1.22, 1.24};
        other.result.noiseFloor = 0;
        stage.run.record(events::Evaluated{other, before.runNs});
        stage.open();
        QVERIFY2(disputed->text().contains(u"timed it against c-0001: 1.23× of its speed. Rely on that"_s),
            qPrintable(disputed->text()));
        QVERIFY2(!disputed->text().contains(u"Re-run both"_s), qPrintable(disputed->text()));
    }

    void aFloorThatWasOnlyAssumedIsCalledSo()
    {
        FixtureRun run;
        run.grow(20);
        Disagreement found;
        found.noise = 0.01;
        QVERIFY(beyondNoise(found).contains(u"noise floor of ± 1.0 %"_s));
        found.isAssumed = true;
        QVERIFY(beyondNoise(found).contains(u"± 1.0 %, assumed"_s));
        RunState state = run.state();
        const auto ranked = std::ranges::find_if(state.candidates, &Candidate::isRanked);
        QVERIFY(ranked != state.candidates.end());
        Evaluation again = *state.evaluation(ranked->latest);
        again.result.score = Interval{ranked->score->value / 2, ranked->score->lo / 2, ranked->score->hi / 2};
        again.result.noiseFloor = 0.004;
        QVERIFY(!disagreementOf(state, *ranked, again).value().isAssumed);
        again.result.noiseFloor = 0;
        state.noiseFloor = 0;
        QVERIFY(disagreementOf(state, *ranked, again).value().isAssumed);
    }

    void anotherDeviceIsOfferedWhereTheNodeHasOneOfTheTasksKind()
    {
        SteeringStage stage;
        stage.action(u"candidate.rerun-more"_s).trigger();
        QVERIFY(!stage.find<QComboBox>(u"rerunDevice"_s)->isVisible());
        stage.find<QWidget>(u"rerunEditor"_s)->close();
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        auto machine = std::make_shared<Snapshot>(*stage.run.snapshot());
        const bool isGpu = machine->pack->task.target == Target::Cuda;
        machine->status.devices.clear();
        for (const char* id : {"cpu0", isGpu ? "GPU-a" : "cpu1", isGpu ? "GPU-b" : "GPU-a"}) {
            DeviceStatus status;
            status.device.id = id;
            status.device.name = std::string("Model of ") + id;
            status.measures = std::string(id) == (isGpu ? "GPU-a" : "cpu0");
            machine->status.devices.push_back(status);
        }
        stage.client.publish(machine);
        stage.action(u"candidate.rerun-more"_s).trigger();
        auto* device = stage.find<QComboBox>(u"rerunDevice"_s);
        QVERIFY(device->isVisible());
        QCOMPARE(device->count(), 2); // what cannot run the task's programs is not offered
        device->setCurrentIndex(1);
        QTest::mouseClick(stage.find<QPushButton>(u"applyRerun"_s), Qt::LeftButton);
        QCOMPARE(stage.last<commands::Rerun>().device, std::string(isGpu ? "GPU-b" : "cpu1"));
    }

    void whereTheDeviceIsNotHereNothingIsMeasuredAgain()
    {
        SteeringStage stage;
        auto elsewhere = std::make_shared<Snapshot>(*stage.run.snapshot());
        elsewhere->status.elsewhere = "this session was measured on another device";
        elsewhere->status.devices.clear();
        stage.client.publish(elsewhere);
        const QAction &again = stage.action(u"candidate.rerun"_s), &with = stage.action(u"candidate.rerun-more"_s);
        QVERIFY(!again.isEnabled() && with.isEnabled());
        QVERIFY2(
            again.toolTip().startsWith(u"This session was measured on another device"_s), qPrintable(again.toolTip()));
        stage.action(u"candidate.rerun-more"_s).trigger();
        QVERIFY(!stage.find<QPushButton>(u"applyRerun"_s)->isEnabled());
        QVERIFY(stage.find<QLabel>(u"rerunNote"_s)->text().startsWith(u"This session was measured on another"_s));
        stage.find<QWidget>(u"rerunEditor"_s)->close();
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        DeviceStatus here;
        here.device.id = elsewhere->pack->task.target == Target::Cuda ? "GPU-here" : "cpu-here";
        elsewhere = std::make_shared<Snapshot>(*elsewhere);
        elsewhere->status.devices.push_back(here);
        stage.client.publish(elsewhere);
        QVERIFY(!again.isEnabled()); // there another device is chosen
        stage.action(u"candidate.rerun-more"_s).trigger();
        QVERIFY(stage.find<QPushButton>(u"applyRerun"_s)->isEnabled());
        stage.find<QWidget>(u"rerunEditor"_s)->close();
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        // One that goes by the name of the session's own cannot be told from it.
        elsewhere = std::make_shared<Snapshot>(*elsewhere);
        elsewhere->status.devices.back().device.id = elsewhere->run.device;
        elsewhere->status.devices.back().measures = true;
        stage.client.publish(elsewhere);
        stage.action(u"candidate.rerun-more"_s).trigger();
        QVERIFY(!stage.find<QPushButton>(u"applyRerun"_s)->isEnabled());
        QVERIFY(stage.find<QLabel>(u"rerunNote"_s)->text().startsWith(u"This session was measured on another"_s));
    }
};

TILEWRIGHT_TEST(TestRerunWindow)

#include "test_rerun_window.moc"
