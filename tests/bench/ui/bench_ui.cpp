// SPDX-License-Identifier: GPL-3.0-or-later
// Frame times of the lineage on a synthetic run: bench-ui --lineage [candidates] [WxH]. A frame is one zoom or pan step
// with the whole widget painted into its backing store; the limit is printed beside what was measured. Beside the time
// on the wall stands that on the processor, which other programs of a busy machine do not lengthen.
#include "tests/bench/limits.h"
#include "tests/bench/ui/frame_times.h"
#include "tests/bench/ui/long_run.h"
#include "ui/lineage/lineage_view.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>

using namespace tilewright;
using namespace tilewright::ui;
using namespace tilewright::bench;
using namespace Qt::StringLiterals;

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
