// SPDX-License-Identifier: GPL-3.0-or-later
// The first generation of a run: the plot stands with its axes and lines, and says when the first result comes, with a
// time where one was earned and none where not.
#include "tests/ui/theatre.h"
#include "ui/evolve/evolve_page.h"
#include "ui/models/first_result.h"
#include "ui/theme/theme.h"
#include "ui/welcome/session_sketch.h"
#include "ui/widgets/plot_view.h"

#include <QTest>

using namespace tilewright;
using namespace tilewright::ui;
using namespace Qt::StringLiterals;
using test::FixtureRun;
using test::Theatre;

namespace {

constexpr std::int64_t second = 1'000'000'000;
const QString noTime = u"First result when the first candidate\nis built, checked and timed"_s;

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

/// 1.9 s in all, one after the other, until it had its result.
void recordSeedsWork(FixtureRun& run)
{
    double at = 0;
    for (const auto& [work, seconds] :
        {std::pair{Work::Build, 0.5}, std::pair{Work::CheckAll, 0.3}, std::pair{Work::Confirm, 1.1}}) {
        WorkSpan span;
        span.candidate = {1};
        span.work = work;
        span.place = work == Work::Build ? 1 : 0;
        span.askedNs = span.startedNs = static_cast<std::int64_t>(at * second);
        span.endedNs = static_cast<std::int64_t>((at += seconds) * second);
        run.record(events::WorkDone{span});
    }
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

    void afterTheSeedItIsTheFirstCandidateThatCounts()
    {
        FixtureRun run; // its seed was measured after 2 s
        SessionStart byModels = like(run, 30, 90);
        byModels.proposer = "model";
        QCOMPARE(firstResultWords(runningFor(run, 2, true), {byModels}), noTime);
        QCOMPARE(firstResultWords(runningFor(run, 4, true), {byModels, like(run, 30, 39)}),
            u"First result in about 7 s\nas in 1 earlier session on this device"_s);
        recordSeedsWork(run);
        QCOMPARE(firstResultWords(runningFor(run, 2, true), {}),
            u"First result in about 2 s\nas long as the seed's build, check and timing took"_s);
        run.record(events::ProposerChanged{"manual"}); // a person's time nobody knows
        QCOMPARE(firstResultWords(runningFor(run, 2, true), {}), noTime);
    }

    void aRunWithResultsOrAtRestPromisesNothing()
    {
        FixtureRun run;
        Snapshot paused = runningFor(run, 2, true);
        paused.status.phase = events::Phase::Paused;
        QCOMPARE(firstResultWords(paused, {}), QString());
        run.grow(12);
        QVERIFY(!isFirstGeneration(run.state()));
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
        const auto publish = [&](double seconds) {
            auto snapshot = std::make_shared<Snapshot>(*stage.run.snapshot());
            snapshot->status.runNs = static_cast<std::int64_t>(seconds * second);
            stage.door.publish(snapshot);
        };
        publish(3);
        auto* plot = stage.find<PlotView>(u"fitnessPlot"_s);
        QVERIFY(plot->isVisible());
        QCOMPARE(plot->message(), noTime);
        stage.window->evolve().setEarlier({like(stage.run, 2, 33)}); // the list of recent sessions was read meanwhile
        QCOMPARE(plot->message().section(u'\n', 0, 0), u"First result in about 30 s"_s);
        publish(9); // no event came, time passed
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
        stage.run.grow(12);
        publish(60);
        QCOMPARE(plot->message(), QString());
    }
};

QTEST_MAIN(TestFirstResult)
#include "test_first_result.moc"
