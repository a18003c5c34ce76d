// SPDX-License-Identifier: GPL-3.0-or-later
// Frame times of the lineage on a synthetic run, bench-ui --lineage [candidates] [WxH], and of the lab's page while its
// search runs on all cores, bench-ui --search [frames] [WxH]. A frame is one zoom or pan step, or what came from the
// search, with the whole widget painted into its backing store; the limit is printed beside what was measured. Beside
// the time on the wall stands that on the processor, which other programs of a busy machine do not lengthen.
#include "tests/bench/limits.h"
#include "tests/bench/ui/frame_times.h"
#include "tests/bench/ui/long_run.h"
#include "ui/lab/search_page.h"
#include "ui/lineage/lineage_view.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QThread>
#include <QTimer>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>

using namespace tilewright;
using namespace tilewright::ui;
using namespace tilewright::bench;
using namespace Qt::StringLiterals;

namespace {

constexpr int frameMs = 16;
constexpr int rankThatIsNotReached = 40; ///< of 4x4x4, so that the search goes on

std::uint64_t flipsIn(SearchRun& run, const std::function<void()>& work, double& seconds)
{
    const std::uint64_t before = run.snapshot().statistics.flips;
    const double begin = run.snapshot().seconds;
    work();
    seconds = run.snapshot().seconds - begin;
    return run.snapshot().statistics.flips - before;
}

/// What the window is like while a search takes all cores, and what painting takes from the search.
int searchFrames(const QStringList& arguments)
{
    const int frames = std::max(arguments.value(2, u"600"_s).toInt(), 20);
    const QStringList size = arguments.value(3, u"1680x950"_s).split(u'x');
    LabModel lab;
    SchemeList list;
    SearchPage page(lab, list);
    page.resize(size.value(0).toInt(), size.value(1).toInt());
    page.setVisible(true);
    tensor::FlipRequest request;
    request.format = {4, 4, 4};
    request.target = rankThatIsNotReached;
    request.threads = std::max(1, QThread::idealThreadCount());
    if (const auto started = page.search().start(request); !started) {
        std::fprintf(stderr, "bench-ui: %s\n", started.error().text.c_str());
        return 1;
    }
    const auto waitFor = [](int ms) {
        QElapsedTimer timer;
        for (timer.start(); timer.elapsed() < ms;)
            QApplication::processEvents(QEventLoop::WaitForMoreEvents | QEventLoop::AllEvents, frameMs);
    };
    QTimer wake; // so that waiting for events ends
    wake.start(frameMs);
    waitFor(2000);
    double alone = 0, painted = 0;
    page.hide();
    const std::uint64_t flipsAlone = flipsIn(
        page.search(), [&] { waitFor(frames * frameMs); }, alone);
    page.setVisible(true);
    Times times;
    const std::uint64_t flipsPainted = flipsIn(
        page.search(),
        [&] {
            times = framesOf(
                page, frames, [] { QApplication::processEvents(); }, [] { QThread::msleep(frameMs - 4); });
        },
        painted);
    std::printf("search of 4x4x4 on %d threads, %s px\n", request.threads, qPrintable(size.join(u'x')));
    print("while a search runs on all cores", times);
    if (alone > 0 && painted > 0)
        std::printf("%-34s %.2f M flips/s hidden, %.2f M flips/s while every frame is painted\n", "search",
            double(flipsAlone) / alone / 1e6, double(flipsPainted) / painted / 1e6);
    page.search().stop();
    return bench::limits.exitCode();
}

} // namespace

int main(int argc, char** argv)
{
    QApplication app(argc, argv);
    const QStringList arguments = app.arguments();
    if (arguments.value(1) == u"--search"_s) {
        Theme::instance().apply(ThemeKind::Dark);
        return searchFrames(arguments);
    }
    if (arguments.value(1) != u"--lineage"_s) {
        std::fprintf(stderr, "bench-ui --lineage [candidates] [WxH] | --search [frames] [WxH]\n");
        return 2;
    }
    const int candidates = std::max(arguments.value(2, u"50000"_s).toInt(), 1);
    const QStringList size = arguments.value(3, u"1000x320"_s).split(u'x');
    Theme::instance().apply(ThemeKind::Dark);
    const RunState run = bench::longRun(candidates, 1);
    std::shared_ptr<const Lineage> lineage;
    const double layout = milliseconds([&] { lineage = std::make_shared<const Lineage>(lineageOf(run)); });
    std::printf("%d candidates: %zu nodes, %zu edges, %d generations, %d rows a band; %s px\n", candidates,
        lineage->nodes.size(), lineage->edges.size(), lineage->generations(), lineage->rows,
        qPrintable(size.join(u'x')));
    std::printf("%-34s %.1f ms (on another thread)\n", "layout", layout);
    LineageView view;
    view.resize(size.value(0).toInt(), size.value(1).toInt());
    view.show(lineage);
    view.setSelected(CandidateId{candidates});
    static_cast<QWidget&>(view).show();
    QApplication::processEvents();
    const auto frames = [&view](int count, const std::function<void()>& step) { return framesOf(view, count, step); };
    print("first frames, everything in view", frames(20, [&] { view.fit(); }));
    print("zooming in", frames(60, [&] { view.zoomBy(1.07); }));
    print("zooming out", frames(60, [&] { view.zoomBy(1 / 1.07); }));
    for (const double zoom : {1.5, 2.0, 3.0, 5.0, 10.0, 40.0}) {
        view.fit();
        view.zoomBy(zoom);
        const QSizeF plane = view.scene().camera.plane();
        double part = 0;
        print(qPrintable(u"panning at %1x, radius %2 px"_s.arg(zoom).arg(view.scene().radius())), frames(200, [&] {
            part += 1.0 / 200;
            view.centreOn({plane.width() * part, plane.height() * (0.5 + 0.3 * std::sin(part * 20))});
        }));
    }
    CandidateId hovered{1};
    print("hovering", frames(200, [&] {
        hovered.value = hovered.value % candidates + 1;
        view.setHovered(hovered);
    }));
    return bench::limits.exitCode();
}
