// SPDX-License-Identifier: GPL-3.0-or-later
// Frame times of the lineage on a synthetic run: bench-ui --lineage [candidates] [WxH]. A frame is one zoom or pan step
// with the whole widget painted into its backing store; the limit is printed beside what was measured. Beside the time
// on the wall stands that on the processor, which other programs of a busy machine do not lengthen.
#include "tests/bench/ui/long_run.h"
#include "ui/lineage/lineage_view.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QElapsedTimer>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <functional>

using namespace tilewright;
using namespace tilewright::ui;
using namespace Qt::StringLiterals;

namespace {

constexpr double limitMs = 16;

double processorMs()
{
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

struct Times {
    std::vector<double> wall, processor; ///< ms a frame
};

double milliseconds(const std::function<void()>& work)
{
    QElapsedTimer timer;
    timer.start();
    work();
    return static_cast<double>(timer.nsecsElapsed()) / 1e6;
}

void print(const char* what, Times times)
{
    std::ranges::sort(times.wall);
    std::ranges::sort(times.processor);
    const auto at = [](const std::vector<double>& ms, double part) {
        return ms[static_cast<std::size_t>(part * static_cast<double>(ms.size() - 1))];
    };
    const auto p99 = at(times.wall, 0.99);
    std::printf("%-34s %4zu frames  p50 %6.2f  p99 %6.2f  max %6.2f ms  processor p50 %6.2f  p99 %6.2f  max %6.2f ms  "
                "limit of p99 %.0f ms  %s\n",
        what, times.wall.size(), at(times.wall, 0.5), p99, times.wall.back(), at(times.processor, 0.5),
        at(times.processor, 0.99), times.processor.back(), limitMs, p99 < limitMs ? "met" : "MISSED");
}

} // namespace

int main(int argc, char** argv)
{
    QApplication app(argc, argv);
    const QStringList arguments = app.arguments();
    if (arguments.value(1) != u"--lineage"_s) {
        std::fprintf(stderr, "bench-ui --lineage [candidates] [WxH]\n");
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
    const auto frames = [&view](int count, const std::function<void()>& step) {
        Times times;
        for (int i = 0; i < count; ++i) {
            const double before = processorMs();
            times.wall.push_back(milliseconds([&] {
                step();
                view.repaint();
            }));
            times.processor.push_back(processorMs() - before);
        }
        return times;
    };
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
    return 0;
}
