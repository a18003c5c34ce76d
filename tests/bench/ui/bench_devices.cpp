// SPDX-License-Identifier: GPL-3.0-or-later
// Frame times of the timeline on a made-up run: bench-devices [spans] [WxH]. A frame is one zoom or pan step with the
// whole widget painted into its backing store; the limit is printed beside what was measured, and where it is
// missed the exit code is 1.
#include "core/base/random.h"
#include "tests/bench/limits.h"
#include "tests/bench/ui/frame_times.h"
#include "ui/devices/lanes_view.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <algorithm>
#include <cstdio>

using namespace tilewright;
using namespace tilewright::ui;
using namespace tilewright::bench;
using namespace Qt::StringLiterals;

namespace {

constexpr double second = 1e9;

/// Adds the work of one candidate: a build, a check, a screening, now and then a confirmation and a failure.
class LongWork
{
public:
    explicit LongWork(RunState& run)
        : m_run(run)
    {
        run.device = "cpu0";
        run.work.devices = {{"cpu0", "A CPU"}};
    }

    void addCandidate()
    {
        CounterRandom random(5, 1, static_cast<std::uint64_t>(++m_candidate));
        const double fate = random.uniform();
        const double builds = 0.05 + random.uniform() * 0.2;
        add(Work::Build, 1 + static_cast<int>(m_candidate % 4), std::max(m_now - builds, 0.0), m_now + 0.01,
            fate < 0.06);
        if (fate < 0.06)
            return;
        busy(Work::Check, 0.02 + random.uniform() * 0.05, fate < 0.1);
        if (fate < 0.1)
            return;
        busy(Work::Screen, 0.1 + random.uniform() * 0.3, fate < 0.13);
        if (fate > 0.97)
            busy(Work::Confirm, 2 + random.uniform() * 3, false);
        m_now += random.uniform() * 0.02;
    }
    std::int64_t now() const { return static_cast<std::int64_t>(m_now * second); }

private:
    void busy(Work work, double seconds, bool failed)
    {
        add(work, 0, m_now, m_now + seconds, failed);
        m_now += seconds;
    }

    void add(Work work, int place, double from, double to, bool failed)
    {
        WorkSpan span;
        span.candidate = {m_candidate};
        span.work = work;
        span.place = place;
        span.device = 0;
        span.askedNs = span.startedNs = static_cast<std::int64_t>(from * second);
        span.endedNs = static_cast<std::int64_t>(to * second);
        span.rule = failed ? "build/error" : "";
        m_run.work.spans.push_back(std::move(span));
    }

    RunState& m_run;
    std::int64_t m_candidate = 0;
    double m_now = 1;
};

} // namespace

int main(int argc, char** argv)
{
    QApplication app(argc, argv);
    const QStringList arguments = app.arguments();
    const auto wanted = static_cast<std::size_t>(std::max(arguments.value(1, u"300000"_s).toInt(), 100));
    const QStringList size = arguments.value(2, u"1400x420"_s).split(u'x');
    Theme::instance().apply(ThemeKind::Dark);
    Snapshot snapshot;
    LongWork work(snapshot.run);
    while (snapshot.run.work.spans.size() < wanted)
        work.addCandidate();
    WorkLanes lanes;
    Times parts;
    do
        parts.wall.push_back(milliseconds([&] { lanes.follow(snapshot); }));
    while (lanes.isBehind());
    const double longest = *std::ranges::max_element(parts.wall);
    std::printf("%zu pieces of work in %zu lanes, %.1f h of run time; %s px\n", lanes.size(), lanes.lanes().size(),
        static_cast<double>(work.now()) / second / 3600, qPrintable(size.join(u'x')));
    std::printf("%-34s %zu parts, the longest %.1f ms\n", "laying them out", parts.wall.size(), longest);
    QStringList names;
    for (const Lane& lane : lanes.lanes())
        names << QString::fromStdString(lane.name);
    LanesView view;
    view.setNamer([](const LaneSpan& span) { return QString::fromStdString(candidateName(span.candidate)); });
    view.resize(size.value(0).toInt(), size.value(1).toInt());
    view.show(lanes, names, {}, static_cast<double>(work.now()));
    view.setSelected(CandidateId{1000});
    static_cast<QWidget&>(view).show();
    QApplication::processEvents();
    QWidget& shown = *view.viewport();
    print("everything in view", framesOf(shown, 60, [&] { view.fit(); }));
    print("zooming in", framesOf(shown, 80, [&] { view.zoomBy(1.15); }));
    print("zooming out", framesOf(shown, 80, [&] { view.zoomBy(1 / 1.15); }));
    for (const double zoom : {3.0, 30.0, 100.0, 300.0, 1000.0, 10000.0}) {
        view.fit();
        view.zoomBy(zoom);
        const double whole = view.scene().axis.end(), length = view.scene().axis.length();
        double part = 0;
        print(qPrintable(u"panning at %1x"_s.arg(zoom)), framesOf(shown, 200, [&] {
            part += 1.0 / 200;
            view.showFrom((whole - length) * part);
        }));
    }
    view.fit();
    print("growing by 20 candidates, in view", framesOf(shown, 100, [&] {
        for (int i = 0; i < 20; ++i)
            work.addCandidate();
        lanes.follow(snapshot);
        view.show(lanes, names, {}, static_cast<double>(work.now()));
    }));
    return bench::limits.exitCode();
}
