// SPDX-License-Identifier: GPL-3.0-or-later
// The Devices mode as a user uses it: what is shown is what the run holds, by mouse, by keyboard and as a table.
#include "tests/patience.h"
#include "tests/test_program.h"
#include "tests/ui/fits.h"
#include "ui/devices/device_card.h"
#include "ui/devices/devices_page.h"
#include "ui/devices/lanes_view.h"
#include "ui/devices/queue_model.h"
#include "ui/devices/timeline_panel.h"
#include "ui/devices/work_model.h"
#include "ui/devices/work_words.h"
#include "ui/evolve/evolve_page.h"
#include "ui/evolve/records_panel.h"
#include "ui/models/display_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/plot/plot_view.h"
#include "ui/widgets/table.h"

#include <QAbstractItemModelTester>
#include <QDockWidget>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QStackedWidget>
#include <QTabBar>
#include <QTest>

using namespace tilewright;
using namespace tilewright::ui;
using namespace tilewright::test;
using namespace Qt::StringLiterals;

namespace {

struct DevicesStage : Theatre {
    explicit DevicesStage(int candidates = 60)
        : Theatre(candidates)
    {
        open();
        window->showScreen(u"devices"_s);
    }
    DevicesPage& page() { return window->devices(); }
    LanesView& view() { return *find<LanesView>(u"lanesView"_s); }
    const WorkLanes& lanes() { return page().timeline().lanes(); }
    QString detail() { return find<ElidedLabel>(u"laneDetail"_s)->text(); }
    /// A piece of the device's lane that is wide enough to be hit.
    LanePlace wide(ui::Activity activity)
    {
        const auto& spans = lanes().lanes()[0].spans();
        for (std::size_t i = 0; i < spans.size(); ++i)
            if (spans[i].activity == activity)
                return {0, static_cast<int>(i), -1};
        return {};
    }
    void comeClose(const LanePlace& place)
    {
        view().zoomBy(40);
        view().showFrom(static_cast<double>(view().at(place)->startNs) - view().scene().axis.length() / 4);
    }
    void press(Qt::Key key, Qt::KeyboardModifiers with = Qt::NoModifier)
    {
        view().setFocus();
        QTest::keyClick(&view(), key, with);
    }
};

} // namespace

class TestDevicesScreen : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theModeIsReachedByItsKey()
    {
        Theatre stage(5);
        stage.open();
        stage.window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(stage.window.get()));
        stage.window->centralWidget()->setFocus();
        QTest::keyClick(stage.window.get(), Qt::Key_5, Qt::ControlModifier);
        QVERIFY(stage.window->devices().isVisible());
    }

    void withoutASessionThePageSaysSo()
    {
        Theatre stage(0);
        stage.window->showScreen(u"devices"_s);
        QVERIFY(stage.find<QLabel>(u"noDevices"_s)->isVisible());
    }

    void everyPieceOfTheRunIsShown()
    {
        DevicesStage stage;
        const RunState& run = stage.run.state();
        QCOMPARE(stage.lanes().size(), run.work.spans.size());
        std::map<Work, std::int64_t> recorded;
        for (const WorkSpan& span : run.work.spans)
            ++recorded[span.work];
        std::map<ui::Activity, std::int64_t> shown;
        for (const Lane& lane : stage.lanes().lanes())
            for (const LaneSpan& span : lane.spans())
                ++shown[span.activity];
        QCOMPARE(shown[ui::Activity::Build], recorded[Work::Build]);
        QCOMPARE(shown[ui::Activity::Check], recorded[Work::Check] + recorded[Work::CheckAll]);
        QCOMPARE(shown[ui::Activity::Screen], recorded[Work::Screen]);
        QCOMPARE(shown[ui::Activity::Confirm], recorded[Work::Confirm]);
        QCOMPARE(shown[ui::Activity::Noise], recorded[Work::Noise]);
    }

    void aHiddenPageDoesNoWork()
    {
        DevicesStage stage;
        stage.window->showScreen(u"evolve"_s);
        const std::size_t before = stage.lanes().size();
        stage.run.grow(20);
        stage.open();
        QCOMPARE(stage.lanes().size(), before);
        stage.window->showScreen(u"devices"_s);
        QCOMPARE(stage.lanes().size(), stage.run.state().work.spans.size());
    }

    void aClickSelectsTheCandidateEverywhere()
    {
        DevicesStage stage;
        const LanePlace place = stage.wide(ui::Activity::Screen);
        stage.comeClose(place);
        QTest::mouseClick(stage.view().viewport(), Qt::LeftButton, {}, stage.view().placeOf(place));
        QCOMPARE(stage.window->selection().current(), stage.view().at(place)->candidate);
    }

    void thePointerIsToldWhatItPointsAt()
    {
        DevicesStage stage;
        const LanePlace place = stage.wide(ui::Activity::Screen);
        stage.comeClose(place);
        QSignalSpy hovered(&stage.view(), &LanesView::hovered);
        QTest::mouseMove(stage.view().viewport(), stage.view().placeOf(place) + QPoint(1, 0));
        QTest::mouseMove(stage.view().viewport(), stage.view().placeOf(place));
        QTRY_VERIFY(!hovered.isEmpty());
        QCOMPARE(hovered.last().at(0).value<LanePlace>(), place);
        QCOMPARE(stage.window->selection().hovered(), stage.view().at(place)->candidate);
    }

    void theKeyboardWalksAndSaysWhatItMeets()
    {
        DevicesStage stage;
        stage.press(Qt::Key_Right);
        const LanePlace first = stage.view().current();
        QCOMPARE(first, (LanePlace{0, 0, -1}));
        stage.press(Qt::Key_Right);
        QCOMPARE(stage.view().current().span, 1);
        const LaneSpan* span = stage.view().at(stage.view().current());
        const RunState& run = stage.run.state();
        QVERIFY(stage.detail().contains(nameOfCandidate(span->candidate)));
        QVERIFY(stage.detail().contains(workWords(run, *span)));
        QVERIFY(stage.detail().contains(outcomeWords(run, *span)));
        QVERIFY(stage.detail().contains(shortTime(static_cast<double>(span->endNs - span->startNs))));
        QCOMPARE(stage.view().accessibleDescription(), stage.detail());
        stage.press(Qt::Key_Return);
        QCOMPARE(stage.window->selection().current(), span->candidate);
        stage.press(Qt::Key_Down);
        QCOMPARE(stage.view().current().lane, 1);
        QVERIFY(stage.detail().contains(u"Build 1"_s));
        stage.press(Qt::Key_Up);
        QCOMPARE(stage.view().current().lane, 0);
    }

    void theEndIsFollowedUntilThePersonLooksElsewhere()
    {
        DevicesStage stage;
        stage.view().zoomBy(20);
        auto* follow = stage.find<QPushButton>(u"followNow"_s);
        follow->click();
        QVERIFY(stage.view().scene().axis.follows());
        stage.run.grow(30);
        stage.open();
        const auto end = static_cast<double>(stage.run.snapshot()->status.runNs);
        QVERIFY(stage.view().scene().axis.from() < end && stage.view().scene().axis.to() >= end);
        stage.press(Qt::Key_Left, Qt::ShiftModifier);
        QVERIFY(!stage.view().scene().axis.follows());
        QVERIFY(!follow->isChecked());
        const double from = stage.view().scene().axis.from();
        stage.run.grow(30);
        stage.open();
        QCOMPARE(stage.view().scene().axis.from(), from);
        stage.press(Qt::Key_0);
        QVERIFY(stage.view().scene().axis.isFitted());
    }

    void theWheelZoomsAroundThePointer()
    {
        DevicesStage stage;
        const QPoint at(stage.view().viewport()->width() / 2, stage.view().viewport()->height() / 2);
        const double before = stage.view().scene().nsAt(at.x()), length = stage.view().scene().axis.length();
        QWheelEvent event(at, stage.view().viewport()->mapToGlobal(at), {}, {0, 240}, Qt::NoButton, Qt::NoModifier,
            Qt::NoScrollPhase, false);
        QApplication::sendEvent(stage.view().viewport(), &event);
        QVERIFY(stage.view().scene().axis.length() < length);
        QVERIFY(std::abs(stage.view().scene().nsAt(at.x()) - before) < stage.view().scene().nsPerPixel());
        stage.view().horizontalScrollBar()->setValue(0);
        QCOMPARE(stage.view().scene().axis.from(), 0.0);
    }

    void theTableHasTheSamePieces()
    {
        DevicesStage stage;
        stage.window->actions()[u"view.table"_s].trigger();
        auto* table = stage.find<Table>(u"workTable"_s);
        QVERIFY(table->isVisible());
        const QAbstractItemModelTester tester(table->model(), QAbstractItemModelTester::FailureReportingMode::Fatal);
        const auto live = static_cast<int>(stage.lanes().live().size());
        QCOMPARE(table->model()->rowCount(), static_cast<int>(stage.run.state().work.spans.size()) + live);
        stage.run.grow(5);
        stage.open();
        QCOMPARE(table->model()->rowCount(), static_cast<int>(stage.run.state().work.spans.size()) + live);
        const QModelIndex newest = table->model()->index(live, 0);
        std::int64_t last = 0;
        for (const WorkSpan& span : stage.run.state().work.spans)
            last = std::max(last, span.endedNs);
        const CandidateId candidate{newest.data(WorkModel::IdRole).toLongLong()};
        bool ends = false;
        for (const WorkSpan& span : stage.run.state().work.spans)
            ends = ends || (span.candidate == candidate && span.endedNs == last);
        QVERIFY(ends);
        table->scrollTo(newest);
        QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, table->visualRect(newest).center());
        QCOMPARE(stage.window->selection().current(), candidate);
        stage.window->actions()[u"view.table"_s].trigger();
        QVERIFY(stage.view().isVisible());
    }

    void jobsStandInEvolveToo()
    {
        DevicesStage stage;
        stage.window->showScreen(u"evolve"_s);
        const auto* tabs = stage.find<QTabBar>(u"recordTabs"_s);
        const auto* table = stage.find<Table>(u"jobsTable"_s);
        QCOMPARE(table->model()->rowCount(), 4);
        QCOMPARE(tabs->tabText(5), u"Jobs  4"_s);
        stage.run.awaitReview({});
        stage.client.publish(stage.run.snapshot());
        QCOMPARE(table->model()->rowCount(), 5);
        QCOMPARE(tabs->tabText(5), u"Jobs  4"_s); // what waits for a user is no job
        stage.client.publish(stage.run.snapshot(events::Phase::Paused));
        QCOMPARE(tabs->tabText(5), u"Jobs"_s);
    }

    void whatAPersonOrderedIsTakenBackWhereItWaits()
    {
        DevicesStage stage;
        stage.window->showScreen(u"evolve"_s);
        stage.run.record(events::RerunAsked{{1}, CandidateId{5}});
        stage.run.record(events::RerunAsked{{2}, CandidateId{5}, 4}); // both are taken back at once
        SteeringRequest steering;
        steering.id = SteeringRequestId{1};
        steering.parent = CandidateId{6};
        steering.count = 3;
        stage.run.record(events::SteeringRequested{steering});
        stage.open();
        stage.window->evolve().records().showTab(5);
        auto* table = stage.find<Table>(u"jobsTable"_s);
        QCOMPARE(stage.find<QTabBar>(u"recordTabs"_s)->tabText(5), u"Jobs  6"_s);
        const auto goTo = [&](const QString& words) {
            for (int row = 0; row < table->model()->rowCount(); ++row)
                if (table->model()->index(row, 1).data().toString() == words) {
                    table->setCurrentIndex(table->model()->index(row, 0));
                    return true;
                }
            return false;
        };
        stage.window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(stage.window.get(), patience));
        table->setFocus();
        QVERIFY(goTo(u"waits for the device: re-run"_s));
        QTest::keyClick(table, Qt::Key_Delete);
        QCOMPARE(stage.client.candidateCommands.size(), std::size_t(1));
        QVERIFY(stage.client.candidateCommands.back() == CandidateCommand(commands::CancelReruns{CandidateId{5}}));
        QVERIFY(goTo(u"requested: 3 edits of it"_s));
        const QWidget* owner = table->parentWidget();
        while (owner && !qobject_cast<const QueueTable*>(owner))
            owner = owner->parentWidget();
        QVERIFY(owner);
        const QString summary = qobject_cast<const QueueTable*>(owner)->summary();
        QVERIFY2(summary.contains(u"3 requested"_s), qPrintable(summary));
        Q_EMIT table->customContextMenuRequested(table->visualRect(table->currentIndex()).center());
        auto* menu = table->findChild<QMenu*>(u"queueMenu"_s);
        QVERIFY(menu);
        menu->actions().front()->trigger();
        QVERIFY(stage.client.candidateCommands.back()
            == CandidateCommand(commands::CancelRequests{CandidateId{6}, SteeringRequestId{1}}));
        const auto before = stage.client.candidateCommands.size();
        table->setCurrentIndex(table->model()->index(0, 0)); // under way, and nobody's order
        QTest::keyClick(table, Qt::Key_Delete);
        QCOMPARE(stage.client.candidateCommands.size(), before);
    }

    void theQueueShowsWhatIsOnTheWay()
    {
        DevicesStage stage;
        auto* table = stage.find<Table>(u"queueTable"_s);
        QVERIFY(table->isVisible());
        QCOMPARE(table->model()->rowCount(), 4);
        QVERIFY(table->model()->index(0, 1).data().toString().startsWith(u"on the device"_s));
        QCOMPARE(words(QueueStage::WaitsForReview), u"in review"_s); // as the status line has it, and short
        stage.client.publish(stage.run.snapshot(events::Phase::Paused));
        QVERIFY(stage.find<QLabel>(u"queueEmpty"_s)->isVisible());
    }

    void howLongItLastsIsNeverPushedOutOfSightByWhatFor()
    {
        DevicesStage stage;
        auto snapshot = std::make_shared<Snapshot>(*stage.run.snapshot());
        snapshot->status.jobs.push_back({CandidateId{3}, Work::Confirm, false});
        stage.run.awaitReview({});
        snapshot->run = stage.run.state();
        stage.client.publish(snapshot);
        stage.window->resize(1280, 800);
        const auto* table = stage.find<Table>(u"queueTable"_s);
        QVERIFY(table->isVisible());
        const auto stageOf = [table](int row) { return table->model()->index(row, 1).data().toString(); };
        QVERIFY2(stageOf(0).startsWith(u"on the device"_s), qPrintable(stageOf(0)));
        QVERIFY2(stageOf(table->model()->rowCount() - 1).startsWith(u"in review"_s), qPrintable(stageOf(0)));
        const int last = table->model()->columnCount() - 1;
        const auto end = [&] { return table->columnViewportPosition(last) + table->columnWidth(last); };
        QTRY_VERIFY_WITH_TIMEOUT(end() <= table->viewport()->width(), patience);
        for (int row = 0; row < table->model()->rowCount(); ++row)
            QVERIFY(table->columnWidth(last)
                >= table->fontMetrics().horizontalAdvance(table->model()->index(row, last).data().toString()));
    }

    void whatTheQueueAndTheModelsSayIsWhole_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::newRow("1280") << QSize(1280, 800);
        QTest::newRow("1680") << QSize(1680, 1050);
    }

    void whatTheQueueAndTheModelsSayIsWhole()
    {
        QFETCH(const QSize, size);
        DevicesStage stage;
        stage.run.answer(stage.run.ask("writer", "Make the kernel faster."), "reply", 1);
        stage.run.awaitReview({});
        auto snapshot = std::make_shared<Snapshot>(*stage.run.snapshot());
        snapshot->status.jobs.push_back({CandidateId{3}, Work::Confirm, false});
        stage.window->resize(size);
        stage.client.publish(snapshot);
        settle(*stage.window);
        auto* table = stage.find<Table>(u"queueTable"_s);
        QTRY_VERIFY_WITH_TIMEOUT(table->isVisible(), patience); // before the models, where both share a place
        QCOMPARE(table->horizontalScrollBar()->maximum(), 0);
        const QString longest = u"waits for the device: confirmation"_s;
        QStringList stages;
        for (int row = 0; row < table->model()->rowCount(); ++row) {
            const QModelIndex cell = table->model()->index(row, static_cast<int>(QueueModel::Column::Stage));
            stages << cell.data().toString();
            const QRect room = table->visualRect(cell).adjusted(px(8), 0, -px(8), -1);
            const QRect taken
                = table->fontMetrics().boundingRect(QRect(0, 0, room.width(), 1000), Qt::TextWordWrap, stages.last());
            QVERIFY2(taken.width() <= room.width() && taken.height() <= room.height(), qPrintable(stages.last()));
        }
        QVERIFY2(stages.contains(longest), qPrintable(stages.join(u'|')));
        stage.find<QDockWidget>(u"callsDock"_s)->raise();
        settle(*stage.window);
        const auto* calls = stage.find<Table>(u"callsTable"_s);
        QVERIFY(calls->isVisible());
        QTRY_COMPARE_WITH_TIMEOUT(calls->horizontalScrollBar()->maximum(), 0, patience);
    }

    void whatIsSaidOfALaneIsWhole()
    {
        DevicesStage stage;
        WorkSpan failed;
        failed.candidate = CandidateId{1};
        failed.work = Work::Screen;
        failed.askedNs = failed.startedNs = stage.run.state().runNs + 1'000'000;
        failed.endedNs = failed.startedNs + 2'000'000;
        failed.rule = "run/crash";
        stage.run.record(events::WorkDone{failed});
        failed.rule = "time/unstable";
        stage.run.record(events::WorkDone{failed});
        stage.open();
        stage.window->resize(1280, 800);
        const auto longest = [&] {
            double widest = 0;
            for (const QString& note : stage.view().scene().notes)
                widest = std::max(widest, QFontMetricsF(fontOf(Type::Secondary)).horizontalAdvance(note));
            return widest;
        };
        QVERIFY(longest() + px(16) > px(168)); // more than it usually takes
        QTRY_VERIFY_WITH_TIMEOUT(stage.view().scene().labelWidth >= longest() + px(16), patience);
    }

    void theCardSaysWhatTheNodeSays()
    {
        DevicesStage stage;
        auto* card = stage.find<DeviceCard>(u"deviceCard1"_s);
        QCOMPARE(card->valueOf(u"Isolation"_s), u"sandbox"_s);
        QCOMPARE(card->valueOf(u"Clock while timing"_s), u"3700 MHz, from a probe"_s);
        QCOMPARE(card->valueOf(u"Power"_s), u"not reported by this machine"_s);
        const auto* noise = stage.find<PlotView>(u"noisePlot"_s);
        QCOMPARE(noise->series().size(), qsizetype(1));
        QCOMPARE(noise->series()[0].y.size(), static_cast<qsizetype>(stage.run.state().work.noise.size()));
        QCOMPARE(noise->series()[0].y[0], stage.run.state().work.noise[0].floor * 100);
    }

    void theNoiseFloorIsSeenWhateverNumberOfDevices_data()
    {
        QTest::addColumn<QSize>("size");
        for (const QSize& size : {QSize(1280, 800), QSize(1366, 720), QSize(1680, 1050)})
            QTest::addRow("%d", size.width()) << size;
    }
    void theNoiseFloorIsSeenWhateverNumberOfDevices()
    {
        QFETCH(QSize, size);
        DevicesStage stage;
        stage.window->resize(size);
        auto snapshot = std::make_shared<Snapshot>(*stage.run.snapshot());
        for (const char* id : {"cuda:1", "cuda:2", "cuda:3", "cuda:4"}) {
            DeviceStatus other;
            other.device.id = other.device.name = id;
            snapshot->status.devices.push_back(other);
        }
        stage.client.publish(snapshot);
        settle(*stage.window);
        const auto* noise = stage.find<PlotView>(u"noisePlot"_s)->findChildren<QWidget*>().first(); // what is drawn on
        QVERIFY(noise->height() >= px(110));
        QCOMPARE(noise->visibleRegion().boundingRect(), noise->rect());
        const auto* cards = stage.find<QScrollArea>(u"deviceCards"_s);
        const auto* last = stage.find<DeviceCard>(u"deviceCard5"_s);
        cards->verticalScrollBar()->setValue(cards->verticalScrollBar()->maximum());
        QVERIFY(last->visibleRegion().boundingRect().height() >= px(100)); // reached by scrolling
    }

    void theTitleOfClockAndHeatIsNeverCutInAWord()
    {
        DevicesStage stage;
        for (int i = 0; i < 3; ++i)
            stage.run.observe({{"mhz", {1965 - 300 * i, 1980}},
                {"observed",
                    {{"blocks", 40}, {"temp_c", {58, 61}}, {"power_w", {540.2, 562.4}},
                        {"throttling", {{"power limit", 12}}}}}});
        stage.open();
        for (const int width : {1280, 1400, 1680, 2560}) {
            stage.window->resize(width, 800);
            test::settle(*stage.window);
            int told = 0;
            for (const auto* label : stage.window->findChildren<ElidedLabel*>())
                if (label->isVisible() && label->text().contains(u"throttled in"_s)) {
                    ++told;
                    QVERIFY2(!label->shown().endsWith(QChar(0x2026)), qPrintable(label->shown()));
                }
            QVERIFY(told > 0 || width < 1680);
        }
    }

    void aReadOnlySessionShowsWhatWasRecorded()
    {
        DevicesStage stage;
        auto snapshot = std::make_shared<Snapshot>(*stage.run.snapshot(events::Phase::Paused));
        snapshot->status.readOnly = true;
        snapshot->status.devices.clear();
        snapshot->status.telemetry.reset();
        snapshot->status.builders = 0;
        stage.client.publish(snapshot);
        QCOMPARE(stage.lanes().size(), stage.run.state().work.spans.size());
        QVERIFY(stage.lanes().live().empty());
        auto* card = stage.find<DeviceCard>(u"deviceCard1"_s);
        QCOMPARE(card->valueOf(u"Current clock"_s), u"the device is not on this machine"_s);
    }

    void anotherSessionStartsAnew()
    {
        DevicesStage stage;
        FixtureRun other;
        other.grow(3);
        auto snapshot = std::make_shared<Snapshot>(*other.snapshot());
        snapshot->status.sessionPath = "/home/ada/tilewright/other.tilewright";
        stage.client.publish(snapshot);
        stage.window->showScreen(u"devices"_s);
        QCOMPARE(stage.lanes().size(), other.state().work.spans.size());
        QVERIFY(stage.view().scene().axis.isFitted());
    }

    void clockTemperatureAndPowerOverTheRun()
    {
        DevicesStage stage(5);
        const auto* plot = stage.find<PlotView>(u"conditionsPlot"_s);
        auto* missing = stage.find<QLabel>(u"conditionsMissing"_s);
        QCOMPARE(missing->text(), u"No clock data: no measurements yet."_s);
        QVERIFY(missing->isVisible() && !plot->isVisible()); // no axis without anything on it
        stage.run.observe({{"mhz", {1965, 1980}},
            {"observed",
                {{"blocks", 40}, {"temp_c", {58, 61}}, {"power_w", nullptr},
                    {"throttling", nlohmann::json::object()}}}});
        stage.run.observe({{"mhz", {1500, 1500}},
            {"observed",
                {{"blocks", 20}, {"temp_c", {60, 60}}, {"power_w", nullptr}, {"throttling", {{"power limit", 12}}}}}});
        stage.open();
        const auto seconds
            = [&](std::size_t i) { return static_cast<double>(stage.run.state().work.conditions[i].runNs) / 1e9; };
        QCOMPARE(plot->series().at(0).y, (QVector<double>{1965, 1980, 1500}));
        QCOMPARE(plot->series().at(0).x, (QVector<double>{seconds(0), seconds(0), seconds(1)}));
        QCOMPARE(plot->guides().size(), 1); // where it was throttled
        QCOMPARE(plot->guides().at(0).x, seconds(1));
        QVERIFY2(plot->accessibleName()
                     .replace(QChar(0x202f), u' ')
                     .contains(u"1 500–1 980 MHz · throttled in 1 of 2 measurements"_s),
            qPrintable(plot->accessibleName()));
        // One range, and the same on the card of the device.
        QCOMPARE(
            stage.find<DeviceCard>(u"deviceCard1"_s)->valueOf(u"Clock while timing"_s).replace(QChar(0x202f), u' '),
            u"1 500–1 980 MHz"_s);
        auto* choice = stage.find<QWidget>(u"conditionChoice"_s);
        const auto buttons = choice->findChildren<QAbstractButton*>();
        QCOMPARE(buttons.size(), 3);
        QTest::mouseClick(buttons[1], Qt::LeftButton);
        QCOMPARE(plot->series().at(0).y, (QVector<double>{58, 61, 60}));
        QCOMPARE(plot->guides().size(), 1);
        QTest::mouseClick(buttons[2], Qt::LeftButton);
        QVERIFY(plot->series().isEmpty());
        QCOMPARE(missing->text(), u"No power data: EPYC 9654, 1 thread does not report it."_s);
        QVERIFY(missing->isVisible() && !plot->isVisible());
        QTest::mouseClick(buttons[0], Qt::LeftButton);
        QVERIFY(!missing->isVisible() && plot->isVisible());
        // Each device has dots of its own, told apart by a number.
        stage.run.observe({{"mhz", {1700, 1710}}, {"observed", {{"blocks", 30}}}}, "GPU-two");
        stage.open();
        QCOMPARE(plot->series().size(), 2);
        QCOMPARE(plot->series().at(0).y, (QVector<double>{1965, 1980, 1500}));
        QCOMPARE(plot->series().at(1).y, (QVector<double>{1700, 1710}));
        QCOMPARE(plot->series().at(1).label, u"2"_s);
        QVERIFY(plot->series().at(0).colour != plot->series().at(1).colour);
    }

    void conditionsAsATable()
    {
        DevicesStage stage(5);
        auto* table = stage.find<Table>(u"conditionsTable"_s);
        const QAbstractItemModelTester tester(table->model(), QAbstractItemModelTester::FailureReportingMode::Fatal);
        stage.window->actions()[u"view.table"_s].trigger();
        QVERIFY(table->isVisible());
        QCOMPARE(table->model()->rowCount(), 0);
        for (const int reasons : {0, 1})
            stage.run.observe({{"mhz", {1965, 1980}},
                {"observed",
                    {{"blocks", 40}, {"temp_c", {58, 61}}, {"power_w", nullptr},
                        {"throttling", reasons ? nlohmann::json{{"power limit", 12}} : nlohmann::json::object()}}}});
        stage.run.observe({{"mhz", {3700, 3702}}});
        stage.open();
        const auto row = [&](int number) {
            QStringList cells;
            for (int column = 1; column < table->model()->columnCount(); ++column)
                cells << table->model()->index(number, column).data().toString();
            return cells.join(u" | "_s).replace(QChar(0x202f), u' ');
        };
        const QString end = u" | EPYC 9654, 1 thread"_s;
        QCOMPARE(row(0), u"c-0001 | 3 700–3 702 | – | – | –"_s + end);
        QCOMPARE(row(1), u"c-0001 | 1 965–1 980 | 58–61 | – | power limit in 12 of 40 blocks"_s + end);
        QCOMPARE(row(2), u"c-0001 | 1 965–1 980 | 58–61 | – | none"_s + end);
        QCOMPARE(table->model()->rowCount(), 3);
        stage.run.observe({{"mhz", {3700, 3702}}});
        stage.open();
        QCOMPARE(table->model()->rowCount(), 4);
    }

    void thePictureIsThatOfTheLanes()
    {
        DevicesStage stage;
        const LanePlace place = stage.wide(ui::Activity::Screen);
        stage.comeClose(place);
        const QImage picture = stage.view().viewport()->grab().toImage();
        QCOMPARE(picture.pixelColor(stage.view().placeOf(place) + QPoint(0, 9)), tokens().accent);
    }
};

TILEWRIGHT_TEST(TestDevicesScreen)
#include "test_devices_screen.moc"
