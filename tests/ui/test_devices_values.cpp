// SPDX-License-Identifier: GPL-3.0-or-later
// The values behind the Devices screen: lanes, the axis of time, the queue, what is known of a device.
#include "core/model/islands/living_islands.h"
#include "tests/test_program.h"
#include "tests/ui/fixture.h"
#include "ui/devices/calls_model.h"
#include "ui/devices/device_card.h"
#include "ui/devices/lanes_painting.h"
#include "ui/devices/queue_model.h"
#include "ui/devices/work_model.h"
#include "ui/devices/work_words.h"
#include "ui/models/activity_words.h"
#include "ui/models/display_text.h"
#include "ui/models/statistics_model.h"
#include "ui/theme/theme.h"

#include <QAbstractItemModelTester>
#include <QTest>

using namespace tilewright;
using namespace tilewright::ui;
using namespace tilewright::test;
using namespace Qt::StringLiterals;

namespace {

LaneSpan span(std::int64_t from, std::int64_t to, ui::Activity activity, bool failed = false)
{
    LaneSpan made;
    made.startNs = from;
    made.endNs = to;
    made.activity = activity;
    made.failed = failed;
    return made;
}

ModelRequest asked(std::int64_t id, const std::string& model, std::int64_t from, std::int64_t to)
{
    ModelRequest modelRequest;
    modelRequest.id = {id};
    modelRequest.model = model;
    modelRequest.askedNs = from;
    modelRequest.answeredNs = to;
    modelRequest.state = to > 0 ? ModelRequestState::Complete : ModelRequestState::Open;
    return modelRequest;
}

QString valueOf(const DeviceFacts& device, const QString& label)
{
    for (const DeviceFact& fact : device.facts)
        if (fact.label == label)
            return fact.value;
    return {};
}

} // namespace

class TestDevicesValues : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void devicesOfOneKindAreNumberedInTheOrderTheyCame()
    {
        RunState run;
        run.work.devices = {{"GPU-a", "NVIDIA H200"}, {"cpu0", "EPYC"}, {"GPU-b", "NVIDIA H200"}};
        QCOMPARE(deviceName(run, "GPU-a"), u"NVIDIA H200 · 1"_s);
        QCOMPARE(deviceName(run, "GPU-b"), u"NVIDIA H200 · 2"_s);
        QCOMPARE(deviceName(run, "cpu0"), u"EPYC"_s);
        QCOMPARE(deviceName(run, "GPU-c"), u"GPU-c"_s);
    }

    void devicesStandInTheOrderOfTheirNumbers()
    {
        Snapshot snapshot;
        snapshot.run.work.devices = {{"GPU-a", "NVIDIA H200"}, {"GPU-b", "NVIDIA H200"}};
        snapshot.run.device = "GPU-b"; // it went on with the second one
        const std::vector<DeviceFacts> cards = devicesOf(snapshot, [](const std::string&) { return 0.0; });
        QCOMPARE(cards.size(), std::size_t{2});
        QCOMPARE(cards[0].name, u"NVIDIA H200 · 1"_s);
        QCOMPARE(cards[1].name, u"NVIDIA H200 · 2"_s);
        QCOMPARE(valueOf(cards[0], u"Restarts"_s), u"reported at NVIDIA H200 · 2"_s); // the same rows on each card
        QCOMPARE(valueOf(cards[1], u"Restarts"_s), u"measuring program 0, workers lost 0"_s);
        WorkSpan span;
        span.work = Work::Confirm;
        span.device = 0;
        span.endedNs = 5;
        snapshot.run.work.spans.push_back(span);
        WorkLanes lanes;
        lanes.follow(snapshot);
        QCOMPARE(lanes.lanes().size(), std::size_t{2});
        QCOMPARE(lanes.lanes()[0].name, std::string("GPU-a"));
        QCOMPARE(lanes.lanes()[0].spans().size(), std::size_t{1});
        QCOMPARE(lanes.lanes()[1].name, std::string("GPU-b"));
    }

    void aLaneKnowsItsLoadOfAnyStretch()
    {
        Lane lane;
        lane.add(span(0, 100, ui::Activity::Check));
        lane.add(span(200, 400, ui::Activity::Screen, true));
        lane.add(span(400, 500, ui::Activity::Noise));
        QCOMPARE(lane.load().total(), 400.0);
        QCOMPARE(lane.load().failed, 1);
        std::size_t hint = 0;
        const LaneLoad first = lane.load(50, 250, hint);
        QCOMPARE(first.ns[static_cast<std::size_t>(ui::Activity::Check)], 50.0);
        QCOMPARE(first.ns[static_cast<std::size_t>(ui::Activity::Screen)], 50.0);
        QCOMPARE(first.failed, 1);
        const LaneLoad second = lane.load(250, 450, hint); // on from where the first ended
        QCOMPARE(second.ns[static_cast<std::size_t>(ui::Activity::Screen)], 150.0);
        QCOMPARE(second.ns[static_cast<std::size_t>(ui::Activity::Noise)], 50.0);
        QCOMPARE(second.failed, 1);
        hint = 0;
        QCOMPARE(lane.load(100, 200, hint).total(), 0.0);
        QCOMPARE(lane.load(450, 900, hint).total(), 50.0);
        QCOMPARE(lane.load(900, 950, hint).total(), 0.0);
    }

    void aTimingThatWasThrownOutIsNoFailure()
    {
        FixtureRun run;
        run.grow(20);
        const auto loadOf = [&run] {
            WorkLanes lanes;
            lanes.follow(*run.snapshot());
            for (std::size_t i = 0; i < lanes.lanes().size(); ++i)
                if (lanes.lanes()[i].kind == Lane::Kind::Device)
                    return std::pair(lanes.lanes()[i].load(), laneNote(lanes, i, run.state().runNs));
            return std::pair(LaneLoad(), QString());
        };
        const int failed = loadOf().first.failed;
        WorkSpan busy;
        busy.candidate = CandidateId{1};
        busy.work = Work::Screen;
        busy.askedNs = busy.startedNs = run.state().runNs + 1'000'000;
        busy.endedNs = busy.startedNs + 2'000'000;
        busy.rule = "time/unstable";
        run.record(events::WorkDone{busy});
        const auto [load, note] = loadOf();
        QCOMPARE(load.failed, failed);
        QCOMPARE(load.thrownOut, 1);
        QVERIFY2(note.contains(u"1 repeated"_s), qPrintable(note));
        busy.askedNs = busy.startedNs = busy.endedNs + 1'000'000;
        busy.endedNs = busy.startedNs + 2'000'000;
        busy.rule = "cancelled"; // by a user: nothing failed
        run.record(events::WorkDone{busy});
        QCOMPARE(loadOf().first.failed, failed);
    }

    void aDeviceIsBusyWithWhatIsUnderWay()
    {
        Snapshot snapshot;
        snapshot.run.device = "cpu0";
        snapshot.run.work.devices = {{"cpu0", "A CPU"}};
        snapshot.run.work.first = 0;
        snapshot.status.runNs = 100'000'000'000;
        WorkSpan live; // the first piece of work: nothing has ended yet
        live.candidate = CandidateId{1};
        live.work = Work::Screen;
        live.device = 0;
        live.askedNs = live.startedNs = 25'000'000'000;
        snapshot.status.work = {live};
        WorkLanes lanes;
        lanes.follow(snapshot);
        QCOMPARE(lanes.workedNs(0, snapshot.status.runNs), 75e9);
        QCOMPARE(laneNote(lanes, 0, snapshot.status.runNs), u"busy %1"_s.arg(percent(0.75)));
    }

    void theClockUnderLoadIsToldApartFromTheOneAtRest()
    {
        FixtureRun run;
        run.grow(10);
        run.observe({{"mhz", {213, 3700}}, {"measuring_core", 3}}); // the probe was interrupted
        run.observe({{"mhz", {213, 3650}}, {"measuring_core", 3}});
        auto snapshot = std::make_shared<Snapshot>(*run.snapshot());
        QCOMPARE(snapshot->run.work.conditions[snapshot->run.work.conditions.size() - 2].mhz,
            (std::optional<Readings>{{3700, 3700}}));
        snapshot->status.devices[0].telemetry->nowMhz = 213;
        const auto facts = [&] { return devicesOf(*snapshot, [](const std::string&) { return 0.5; }).at(0); };
        QCOMPARE(valueOf(facts(), u"Clock while timing"_s).replace(QChar(0x202f), u' '), u"3 650–3 700 MHz"_s);
        snapshot->status.work.clear();
        QCOMPARE(valueOf(facts(), u"Current clock"_s), u"213 MHz, idle"_s);
        WorkSpan live;
        live.work = Work::Screen;
        snapshot->status.work = {live};
        QCOMPARE(valueOf(facts(), u"Current clock"_s), u"213 MHz"_s);
    }

    void theQueueHoldsAllThatTheFrameCounts()
    {
        FixtureRun run;
        run.grow(10);
        auto snapshot = std::make_shared<Snapshot>(*run.snapshot());
        snapshot->status.jobs.clear();
        snapshot->status.work.clear();
        snapshot->status.openModelRequests.clear();
        QCOMPARE(queueOf(*snapshot).size(), std::size_t(0));
        snapshot->status.proposing = 2; // by what is built in: nobody was asked
        WorkSpan noise;
        noise.work = Work::Noise;
        noise.candidate = CandidateId{1};
        noise.askedNs = noise.startedNs = 5;
        snapshot->status.work = {noise};
        const std::vector<QueueRow> rows = queueOf(*snapshot);
        QCOMPARE(rows.size(), std::size_t(3));
        QCOMPARE(rows.front().stage, QueueStage::OnDevice);
        QCOMPARE(rows.front().what, words(ui::Activity::Noise));
    }

    void theLoadOfManyStretchesIsThatOfTheWhole()
    {
        Lane lane;
        for (int i = 0; i < 1000; ++i)
            lane.add(span(i * 37, i * 37 + i % 31, static_cast<ui::Activity>(i % 5), i % 7 == 0));
        double total = 0;
        std::size_t hint = 0;
        for (double at = 0; at < 38'000; at += 13.7)
            total += lane.load(at, at + 13.7, hint).total();
        QVERIFY(std::abs(total - lane.load().total()) < 1e-3);
    }

    void aPieceIsFoundByItsTime()
    {
        Lane lane;
        lane.add(span(100, 200, ui::Activity::Check));
        lane.add(span(300, 400, ui::Activity::Screen));
        QCOMPARE(lane.spanAt(150, 0), 0);
        QCOMPARE(lane.spanAt(250, 0), -1);
        QCOMPARE(lane.spanAt(295, 10), 1);
        QCOMPARE(lane.spanAt(205, 10), 0);
        QCOMPARE(lane.spanAt(1000, 10), -1);
        QCOMPARE(Lane().spanAt(5, 100), -1);
    }

    void nothingOverlapsInALane()
    {
        Lane lane;
        lane.add(span(0, 100, ui::Activity::Check));
        lane.add(span(90, 120, ui::Activity::Screen));
        QCOMPARE(lane.spans()[1].startNs, 100);
        QCOMPARE(lane.spans()[1].endNs, 120);
    }

    void callsAtTheSameTimeStandInLanesOfTheirOwn()
    {
        Snapshot snapshot;
        for (const ModelRequest& modelRequest : {asked(1, "writer", 0, 100), asked(2, "writer", 50, 80),
                 asked(3, "writer", 90, 200), asked(4, "other", 90, 95)})
            snapshot.run.modelRequests.push_back(modelRequest);
        WorkLanes lanes;
        lanes.follow(snapshot);
        QCOMPARE(lanes.lanes().size(), std::size_t(3));
        QCOMPARE(lanes.lanes()[0].name, std::string("other"));
        QCOMPARE(lanes.lanes()[1].spans().size(), std::size_t(1));
        QCOMPARE(lanes.lanes()[2].number, 2);
        QCOMPARE(lanes.lanes()[2].spans().size(), std::size_t(2)); // the third fits behind the second
    }

    void lanesGrowToWhatAReopenedSessionShows()
    {
        Snapshot snapshot;
        WorkLanes live;
        RunState& run = snapshot.run;
        run.modelRequests.push_back(asked(1, "writer", 0, 0));
        live.follow(snapshot);
        run.modelRequests.push_back(asked(2, "writer", 10, 0));
        snapshot.status.openModelRequests = {{1}, {2}};
        live.follow(snapshot);
        QCOMPARE(live.live().size(), std::size_t(2));
        QCOMPARE(live.size(), std::size_t(0));
        run.modelRequests.edit(1) = asked(2, "writer", 10, 30);
        run.modelRequests.push_back(asked(3, "writer", 40, 50));
        live.follow(snapshot);
        run.modelRequests.edit(0) = asked(1, "writer", 0, 60);
        live.follow(snapshot);
        WorkLanes reopened;
        reopened.follow(snapshot);
        QCOMPARE(live.lanes().size(), reopened.lanes().size());
        for (std::size_t i = 0; i < live.lanes().size(); ++i)
            QCOMPARE(live.lanes()[i].spans(), reopened.lanes()[i].spans());
        QVERIFY(live.live().empty());
    }

    void everyPieceOfTheRunIsInALane()
    {
        FixtureRun run;
        run.grow(80);
        WorkLanes lanes;
        lanes.follow(*run.snapshot());
        QCOMPARE(lanes.size(), run.state().work.spans.size());
        double inLanes = 0, recorded = 0;
        for (const Lane& lane : lanes.lanes())
            inLanes += lane.load().total();
        for (const WorkSpan& work : run.state().work.spans)
            recorded += static_cast<double>(work.durationNs());
        QVERIFY(inLanes <= recorded && inLanes > 0.9 * recorded); // builds of the fixture may overlap a little
        QCOMPARE(lanes.lanes()[0].kind, Lane::Kind::Device);
        QCOMPARE(laneName(run.state(), lanes.lanes()[0]), u"EPYC 9654, 1 thread"_s);
        QCOMPARE(lanes.live().size(), std::size_t(3));
    }

    void aLongRunIsReadAPartAtATime()
    {
        Snapshot snapshot;
        snapshot.run.device = "cpu0";
        constexpr std::int64_t pieces = 70'000;
        for (std::int64_t i = 0; i < pieces; ++i) {
            WorkSpan work;
            work.work = Work::Screen;
            work.askedNs = work.startedNs = i * 10;
            work.endedNs = i * 10 + 9;
            snapshot.run.work.spans.push_back(work);
        }
        WorkLanes lanes;
        int parts = 0;
        do {
            lanes.follow(snapshot);
            ++parts;
        } while (lanes.isBehind());
        QVERIFY(parts > 1);
        QCOMPARE(lanes.size(), static_cast<std::size_t>(pieces));
        QCOMPARE(lanes.lanes()[0].load().total(), 9.0 * pieces);
    }

    void theAxisKeepsWhatItIsToldToKeep()
    {
        TimeAxis axis;
        axis.setEnd(100e9);
        QVERIFY(axis.isFitted() && axis.from() == 0 && axis.to() >= 100e9);
        axis.zoom(10, 50e9);
        QVERIFY(!axis.isFitted());
        QVERIFY(std::abs((50e9 - axis.from()) / axis.length() - 50e9 / 103e9) < 1e-6); // it keeps its place
        axis.setEnd(110e9);
        QVERIFY(axis.to() < 100e9); // a user who looks at something is not moved
        axis.follow();
        axis.setEnd(120e9);
        QVERIFY(axis.from() < 120e9 && axis.to() > 120e9);
        axis.zoom(1e9, 120e9);
        QVERIFY(axis.length() >= 1e5);
        axis.fit();
        QVERIFY(axis.isFitted() && !axis.follows());
        axis.zoom(100, 10e9);
        axis.reveal(80e9, 81e9);
        QVERIFY(axis.from() <= 80e9 && axis.to() >= 81e9);
    }

    void ticksAreRoundAndApart()
    {
        TimeAxis axis;
        axis.setEnd(100e9);
        const std::vector<TimeTick> ticks = axis.ticks(0.1);
        QVERIFY(ticks.size() >= 3 && ticks.size() <= 11);
        QCOMPARE(ticks[1].label, u"0:30"_s);
        QCOMPARE(timeLabel(65e9, 1e9), u"1:05"_s);
        QCOMPARE(timeLabel(3725e9, 60e9), u"1:02:05"_s);
        QCOMPARE(timeLabel(1.25e9, 1e7), u"1.25 s"_s);
        QCOMPARE(timeLabel(61.5e9, 1e8), u"1:01.5"_s);
    }

    void theQueueSaysWhatWaitsWhere()
    {
        FixtureRun run;
        run.grow(20);
        const CandidateId review = run.awaitReview({"touches casts"});
        auto snapshot = std::make_shared<Snapshot>(*run.snapshot());
        snapshot->status.openModelRequests = {run.ask("writer", "Make it faster.")};
        snapshot->run = run.state();
        const std::vector<QueueRow> rows = queueOf(*snapshot);
        QCOMPARE(rows.size(), std::size_t(6));
        QCOMPARE(rows.back().stage, QueueStage::WaitsForReview); // below all that is on its way
        QCOMPARE(rows.back().candidate, review);
        QCOMPARE(rows[0].stage, QueueStage::OnDevice);
        QVERIFY(rows[0].sinceNs > 0);
        QCOMPARE(rows[1].stage, QueueStage::WaitsForDevice);
        QCOMPARE(rows[2].stage, QueueStage::Building);
        QCOMPARE(rows[4].name, u"writer"_s);
        // Once the run rests no pipeline has them: they wait for the next start.
        run.decide(run.awaitReview({}), Decision::Approved, {});
        snapshot->run = run.state();
        snapshot->status.jobs.clear();
        snapshot->run.phase = events::Phase::Paused;
        const auto left = std::ranges::find_if(snapshot->run.candidates, isOnItsWay);
        QVERIFY(left != snapshot->run.candidates.end());
        const std::vector<QueueRow> resting = queueOf(*snapshot);
        const auto row = std::ranges::find(resting, (*left).id, &QueueRow::candidate);
        QVERIFY(row != resting.end());
        QCOMPARE(row->what, u"when the run resumes"_s);
        QCOMPARE(
            std::ranges::count_if(resting, [](const QueueRow& each) { return each.what == u"when the run resumes"_s; }),
            leftOver(snapshot->run));
        QCOMPARE(countedWords(1, QueueStage::WaitsForBuild), u"1 waits for a build"_s);
        QCOMPARE(countedWords(3, QueueStage::WaitsForDevice), u"3 wait for the device"_s);
    }

    void callsAreCalledByWhatTheyAreFor()
    {
        ModelRequest modelRequest;
        const auto called = [&](const char* promptName, Focus focus) {
            modelRequest.id = {1};
            modelRequest.promptName = promptName;
            modelRequest.focus = focus;
            RunState run;
            run.modelRequests.push_back(modelRequest);
            LaneSpan span;
            span.modelRequest = {1};
            span.activity = ui::Activity::Call;
            return pieceName(run, span);
        };
        QCOMPARE(called("exploit", Focus::Exploit), u"exploit"_s);
        QCOMPARE(called("repair", Focus::Repair), u"repair"_s);
        QCOMPARE(called("judge", Focus::Explore), u"judgement"_s);
        QCOMPARE(called("summary", Focus::Explore), u"summary"_s);
        QCOMPARE(called("translate", Focus::Exploit), u"translation"_s);
    }

    void whatIsNotReportedIsSaid()
    {
        FixtureRun run;
        run.grow(10);
        const DeviceFacts device = devicesOf(*run.snapshot(), [](const std::string&) { return 0.5; }).at(0);
        QCOMPARE(valueOf(device, u"Clock while timing"_s), u"3700 MHz, from a probe"_s);
        QCOMPARE(valueOf(device, u"Temperature"_s), u"61 °C"_s);
        for (const QString& absent : {u"Power"_s, u"Current clock"_s, u"Throttling"_s})
            QCOMPARE(valueOf(device, absent), u"not reported by this machine"_s);
        QCOMPARE(valueOf(device, u"Busy"_s), u"%1 of the run"_s.arg(percent(0.5)));
    }

    void throttlingAndRestartsWarn()
    {
        FixtureRun run;
        run.grow(10);
        run.loseNode("the node crashed");
        auto snapshot = std::make_shared<Snapshot>(*run.snapshot());
        snapshot->status.devices[0].telemetry->throttling = "power limit";
        snapshot->status.devices[0].telemetry->watts = 251.6;
        const DeviceFacts device = devicesOf(*snapshot, [](const std::string&) { return 0; }).at(0);
        QCOMPARE(valueOf(device, u"Power"_s), u"252 W"_s);
        QCOMPARE(valueOf(device, u"Throttling"_s), u"power limit"_s);
        QVERIFY(valueOf(device, u"Restarts"_s).startsWith(u"measuring program 1,"_s));
        for (const DeviceFact& fact : device.facts)
            QCOMPARE(fact.warns, fact.label == u"Throttling"_s || fact.label == u"Restarts"_s);
    }

    void aSessionWithoutANodeTellsWhatWasRecorded()
    {
        FixtureRun run;
        run.grow(10);
        auto snapshot = std::make_shared<Snapshot>(*run.snapshot());
        snapshot->status.devices.clear();
        const DeviceFacts device = devicesOf(*snapshot, [](const std::string&) { return 0; }).at(0);
        QCOMPARE(device.state, u"recorded"_s);
        QVERIFY(!device.measures);
        QCOMPARE(valueOf(device, u"Temperature"_s), u"not recorded"_s);
        QCOMPARE(valueOf(device, u"Current clock"_s), u"the device is not on this machine"_s);
    }

    void theTableTwinHasEveryPieceWhileTheRunGoesOn()
    {
        FixtureRun run;
        run.grow(30);
        WorkLanes lanes;
        WorkModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
        for (int round = 0; round < 6; ++round) {
            const SnapshotPtr snapshot = run.snapshot(round % 2 ? events::Phase::Paused : events::Phase::Running);
            lanes.follow(*snapshot);
            model.show(snapshot, lanes);
            QCOMPARE(model.rowCount(), static_cast<int>(lanes.size() + lanes.live().size()));
            run.grow(7);
        }
        const auto& spans = run.state().work.spans;
        QVERIFY(!spans.empty());
        for (int row = 0; row < model.rowCount(); ++row)
            QVERIFY(!model.index(row, static_cast<int>(WorkModel::Column::Outcome)).data().toString().isEmpty());
        model.clear();
        QCOMPARE(model.rowCount(), 0);
    }

    /// In the table as in the picture: what it was asked, and of whom.
    void aCallIsTheQuestionThatItWas()
    {
        FixtureRun run;
        run.grow(3);
        const ModelRequestId asked = run.ask("writer", "Make it fast.");
        run.answer(asked, "no reply of use", 0);
        const SnapshotPtr snapshot = run.snapshot(events::Phase::Paused);
        WorkLanes lanes;
        lanes.follow(*snapshot);
        WorkModel model;
        model.show(snapshot, lanes);
        const auto text = [&model](int row, WorkModel::Column column) {
            return model.index(row, static_cast<int>(column)).data().toString();
        };
        const ModelRequest& modelRequest = *snapshot->run.modelRequest(asked);
        int calls = 0;
        for (int row = 0; row < model.rowCount(); ++row)
            if (text(row, WorkModel::Column::Work) == asksFor(modelRequest)) {
                ++calls;
                QCOMPARE(
                    text(row, WorkModel::Column::Candidate), u"of "_s + nameOfCandidate(modelRequest.parents.front()));
            }
        QCOMPARE(calls, 1);
        // A user's answer costs nothing and has no tokens: it came, and that is all.
        const ModelRequestId byHand = run.ask("", "Make it fast.");
        ModelRequestAnswer answer;
        answer.reply = run.store("no reply of use");
        answer.costMicroUsd = 0;
        run.put(events::Answered{byHand, answer, run.state().modelRequest(byHand)->askedNs + 1'000'000'000});
        const SnapshotPtr later = run.snapshot(events::Phase::Paused);
        lanes.follow(*later);
        model.show(later, lanes);
        QCOMPARE(text(0, WorkModel::Column::Outcome), u"replied"_s);
    }

    void modelsShowWhatTheyUsed()
    {
        FixtureRun run;
        run.grow(3);
        run.answer(run.ask("writer", "Make it fast."), "no reply of use", 0);
        const std::vector<CallsRow> rows = callsOf(*run.snapshot());
        QCOMPARE(rows.size(), std::size_t(1));
        QCOMPARE(rows[0].name, u"writer"_s);
        QCOMPARE(rows[0].calls, 1);
        QCOMPARE(rows[0].tokens.total(), run.state().tokensSpent);
    }

    void usedTokensAreToldSoThatTheyAddUp()
    {
        const TokenUsage usage{8314, 1024, 512, 393, 1800};
        QCOMPARE(
            readWords(usage), u"%1 read, of them %2 from a cache and 512 into one"_s.arg(grouped(9850), grouped(1024)));
        QCOMPARE(writtenWords(usage), u"%1 written, of them %2 reasoning"_s.arg(grouped(2193), grouped(1800)));
        QVERIFY(tokenWords(usage).startsWith(u"%1 tokens: %2 read"_s.arg(grouped(12'043), grouped(9850))));
        QCOMPARE(readWords({5200, 0, 0, 900, 0}), u"%1 read"_s.arg(grouped(5200)));
        QCOMPARE(readWords({5, 0, 2, 9, 0}), u"7 read, of them 2 into a cache"_s);
        QCOMPARE(writtenWords({5200, 0, 0, 900, 0}), u"900 written"_s);

        FixtureRun run;
        run.grow(3);
        run.answer(run.ask("writer", "Make it fast."), "no reply of use", 0);
        CallsModel calls;
        calls.show(*run.snapshot());
        const auto tip = [&](CallsModel::Column column) {
            return calls.index(0, static_cast<int>(column)).data(Qt::ToolTipRole).toString();
        };
        QCOMPARE(tip(CallsModel::Column::Read), readWords({5200, 0, 0, 900, 0}));
        QCOMPARE(tip(CallsModel::Column::Written), u"900 written"_s);
    }

    void whatAServerToldOfItsLimitsStandsByItsModelAndNothingWhereItToldNone()
    {
        FixtureRun run;
        run.grow(3);
        auto shown = std::make_shared<Snapshot>(*run.snapshot());
        ModelStatus writer, quiet;
        writer.name = "writer";
        writer.limits = {{"requests", 498, 500, "2026-11-21T12:01:00.000Z", "2026-11-21T12:00:20.000Z"},
            {"tokens", 39'000, -1, "", "2026-11-21T12:00:20.000Z"}};
        quiet.name = "quiet";
        shown->status.models = {writer, quiet};
        CallsModel calls;
        calls.show(*shown);
        const auto now = [&](int row, int role) {
            return calls.index(row, static_cast<int>(CallsModel::Column::Now)).data(role).toString();
        };
        const QString left = u"498 of 500 requests, %1 tokens left"_s.arg(grouped(39'000));
        QCOMPARE(now(0, Qt::DisplayRole), u"ready · "_s + left);
        const QStringList lines = now(0, Qt::ToolTipRole).split(u'\n');
        QCOMPARE(lines.size(), 3);
        QCOMPARE(lines[1],
            u"server limit: 498 of 500 requests left, full again at %1 (read at %2)"_s.arg(
                clockTime("2026-11-21T12:01:00.000Z"), clockTime("2026-11-21T12:00:20.000Z")));
        QVERIFY(!lines[2].contains(u"full again"_s));
        QCOMPARE(now(1, Qt::DisplayRole), u"ready"_s);
        QCOMPARE(now(1, Qt::ToolTipRole), u"ready"_s);
        StatisticsModel statistics;
        statistics.show(*shown, StatisticsModel::Grouping::Model);
        QStringList states;
        for (int row = 0; row < statistics.rowCount(); ++row)
            states << statistics.index(row, static_cast<int>(StatisticsModel::Column::State)).data().toString();
        QVERIFY2(states.contains(u"ready · "_s + left), qPrintable(states.join(u'|')));
        QVERIFY(states.contains(u"ready"_s));
        // A trouble comes first; the limits stay in the tooltip.
        shown->status.models[0].condition = ModelCondition::Waiting;
        shown->status.models[0].text = "the server asked for a pause";
        calls.show(*shown);
        QCOMPARE(now(0, Qt::DisplayRole), u"the server asked for a pause"_s);
        QVERIFY(now(0, Qt::ToolTipRole).contains(u"498 of 500"_s));
    }

    void coloursOfActivitiesAreSeenInEveryTheme()
    {
        for (const ThemeKind kind : {ThemeKind::Light, ThemeKind::Dark, ThemeKind::Contrast}) {
            const Tokens tokens = tokensOf(kind);
            for (std::size_t i = 0; i < activityCount; ++i)
                QVERIFY(contrast(colourOf(tokens, static_cast<ui::Activity>(i)), tokens.panel) >= 3.0);
        }
    }
};

TILEWRIGHT_TEST(TestDevicesValues)
#include "test_devices_values.moc"
