// SPDX-License-Identifier: GPL-3.0-or-later
// The first generation of a run: the plot stands with its axes and lines, and says when the first result comes, with a
// time where one was earned and none where not.
#include "tests/test_program.h"
#include "tests/ui/theatre.h"
#include "ui/evolve/evolve_page.h"
#include "ui/models/first_result.h"
#include "ui/theme/theme.h"
#include "ui/welcome/recent_row.h"
#include "ui/widgets/plot/plot_view.h"

#include <QTest>

using namespace tilewright;
using namespace tilewright::ui;
using namespace Qt::StringLiterals;
using test::FixtureRun;
using test::Theatre;

namespace {

constexpr std::int64_t second = 1'000'000'000;
const QString noTime = u"The first result is that of the seed,\nwhich waits for a build"_s;

/// Running since so many seconds, with the seed measured or not.
Snapshot runningFor(const FixtureRun& run, double seconds, bool hasSeed)
{
    Snapshot snapshot;
    snapshot.pack = run.pack();
    snapshot.run = run.state();
    if (!hasSeed)
        snapshot.run.candidates = {};
    snapshot.status.sessionOpen = true;
    snapshot.status.phase = events::Phase::Running;
    snapshot.status.runNs = static_cast<std::int64_t>(seconds * second);
    return snapshot;
}

/// A session like that of the fixture, whose seed and first candidate took so long.
SessionStart like(const FixtureRun& run, double seedSeconds, double firstSeconds)
{
    SessionStart start = startOf(run.state(), run.pack()->task);
    start.seedNs = static_cast<std::int64_t>(seedSeconds * second);
    start.firstNs = static_cast<std::int64_t>(firstSeconds * second);
    return start;
}

} // namespace

class TestFirstResult : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { Theme::instance().apply(ThemeKind::Dark); }

    void withoutABasisNoTimeIsNamed()
    {
        const FixtureRun run;
        QCOMPARE(firstResultWords(runningFor(run, 1, false), {}), noTime);
        SessionStart elsewhere = like(run, 40, 50);
        elsewhere.device = "another machine";
        QCOMPARE(firstResultWords(runningFor(run, 1, false), {elsewhere}), noTime);
        SessionStart sameName = like(run, 40, 50); // as of a copied session, or of a demo
        sameName.host = "another computer";
        QCOMPARE(firstResultWords(runningFor(run, 1, false), {sameName}), noTime);
        SessionStart onOthers = like(run, 40, 50);
        onOthers.shapes = "64x64x64";
        QCOMPARE(firstResultWords(runningFor(run, 1, false), {onOthers}), noTime);
        Snapshot before = runningFor(run, 1, false); // the node has not said yet what it measures on
        before.run.deviceFacts = nullptr;
        before.run.device.clear();
        SessionStart unknown = like(run, 40, 50);
        unknown.device.clear();
        QCOMPARE(firstResultWords(before, {unknown}), noTime);
    }

    void earlierSessionsTellHowLongTheSeedTakes()
    {
        const FixtureRun run;
        const std::vector<SessionStart> earlier{like(run, 38, 50), like(run, 200, 300), like(run, 40, 50)};
        QCOMPARE(firstResultWords(runningFor(run, 0, false), earlier),
            u"First result in about 40 s\nas in 3 earlier sessions on this device"_s);
        QCOMPARE(firstResultWords(runningFor(run, 12, false), earlier).section(u'\n', 0, 0),
            u"First result in about 30 s"_s);
        QCOMPARE(firstResultWords(runningFor(run, 36.5, false), earlier).section(u'\n', 0, 0),
            u"First result in about 4 s"_s);
        QCOMPARE(firstResultWords(runningFor(run, 41, false), earlier), noTime); // later than ever before
        QCOMPARE(firstResultWords(runningFor(run, 0, false), {like(run, 200, 300)}).section(u'\n', 0, 0),
            u"First result in about 4 min"_s);
    }

    void whereNoTimeIsKnownItSaysWhatGoesOn()
    {
        const FixtureRun run;
        Snapshot snapshot = runningFor(run, 12.7, false);
        WorkSpan span;
        span.candidate = {1};
        span.startedNs = second / 2;
        const auto words = [&](Work work) {
            span.work = work;
            snapshot.status.work = {span};
            return firstResultWords(snapshot, {}).section(u'\n', 0, 0);
        };
        QCOMPARE(words(Work::Build), u"Building the seed, for 12 s"_s);
        QCOMPARE(words(Work::CheckAll), u"Checking the seed, for 12 s"_s);
        QCOMPARE(words(Work::Confirm), u"Measuring the seed, for 12 s"_s);
        snapshot.status.work.clear();
        snapshot.run.work.open[CandidateId{1}] = span; // the record alone tells
        QCOMPARE(firstResultWords(snapshot, {}).section(u'\n', 0, 0), u"Measuring the seed, for 12 s"_s);
        snapshot.status.waiting = "waiting: the machine is too busy to time";
        QCOMPARE(firstResultWords(snapshot, {}), u"waiting: the machine is too busy to time"_s);
        QCOMPARE(firstResultIn(snapshot, {}), QString()); // no figure that nobody measured
    }

    void whoLooksOnIsToldByTheRecordWhatGoesOn()
    {
        const FixtureRun run;
        Snapshot snapshot = runningFor(run, 12.7, false);
        Candidate seed;
        seed.id = CandidateId{1};
        snapshot.run.candidates.push_back(seed);
        snapshot.status.readOnly = true; // another program runs it: no node of ours tells
        const auto words = [&](Stage stage) {
            snapshot.run.candidates.edit(0).stage = stage;
            return firstResultWords(snapshot, {}).section(u'\n', 0, 0);
        };
        QCOMPARE(words(Stage::Building), u"Building the seed"_s);
        QCOMPARE(words(Stage::Screening), u"Measuring the seed"_s);
        QCOMPARE(words(Stage::Confirming), u"Measuring the seed"_s);
        QVERIFY(firstResultWords(snapshot, {}).contains(u"not known yet"_s));
        snapshot.run.candidates.edit(0).stage = Stage::Queued;
        QVERIFY(firstResultWords(snapshot, {}).contains(u"waits for a build"_s));
    }

    void theSeedsResultIsOne()
    {
        const FixtureRun run; // its seed was measured after 2 s
        QVERIFY(!isBeforeFirstResult(run.state()));
        QCOMPARE(firstResultWords(runningFor(run, 3, true), {like(run, 30, 39)}), QString());
    }

    void aRunWithResultsOrAtRestPromisesNothing()
    {
        FixtureRun run;
        Snapshot paused = runningFor(run, 2, false);
        paused.status.phase = events::Phase::Paused;
        QCOMPARE(firstResultWords(paused, {}), QString());
        run.grow(12);
        QCOMPARE(firstResultWords(runningFor(run, 60, true), {like(run, 90, 900)}), QString());
    }

    void aSketchKeepsHowSoonResultsCame()
    {
        FixtureRun run;
        run.grow(12);
        const SessionSketch sketch = sketchOf(run.state(), run.pack()->task, "2026-11-21T10:00:00.000Z");
        QCOMPARE(sketch.seedNs, 2 * second);
        QVERIFY(sketch.firstNs > sketch.seedNs);
        QVERIFY(sketch.start() == startOf(run.state(), run.pack()->task));
        const auto again = SessionSketch::fromJson(sketch.json());
        QVERIFY(again && *again == sketch);
    }

    void thePlotStandsAndSaysIt()
    {
        Theatre stage(0);
        const auto publish = [&](double seconds, bool hasSeed) {
            auto snapshot = std::make_shared<Snapshot>(*stage.run.snapshot());
            snapshot->status.runNs = static_cast<std::int64_t>(seconds * second);
            if (!hasSeed) {
                snapshot->run.candidates = {};
                snapshot->run.lastSeq -= 1; // as before its result came
            }
            stage.client.publish(snapshot);
        };
        publish(3, false);
        auto* plot = stage.find<PlotView>(u"fitnessPlot"_s);
        QVERIFY(plot->isVisible());
        QCOMPARE(plot->message(), noTime);
        stage.window->evolve().setEarlier({like(stage.run, 33, 60)}); // the list of recent sessions was read meanwhile
        QCOMPARE(plot->message().section(u'\n', 0, 0), u"First result in about 30 s"_s);
        publish(9, false); // no event came, time passed
        QCOMPARE(plot->message().section(u'\n', 0, 0), u"First result in about 25 s"_s);
        QCoreApplication::processEvents();
        const QImage shown = plot->grab().toImage();
        const QPoint baseline = plot->pixelOf(1, 1);
        QVERIFY(plot->area().contains(baseline));
        int dashes = 0;
        for (int x = plot->area().left() + 2; x < plot->area().right() - 2; ++x) {
            int most = 0; // a line between two rows of pixels is in both
            for (const int y : {baseline.y() - 1, baseline.y(), baseline.y() + 1})
                most = std::max(most, shown.pixelColor(x, y).lightness() - tokens().grid.lightness());
            dashes += most > 20 ? 1 : 0;
        }
        QVERIFY2(dashes > plot->area().width() / 4, qPrintable(QString::number(dashes)));
        publish(60, true); // the seed's
        QCOMPARE(plot->message(), QString());
    }
};

TILEWRIGHT_TEST(TestFirstResult)
#include "test_first_result.moc"
