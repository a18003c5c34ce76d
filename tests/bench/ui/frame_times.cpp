// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/ui/frame_times.h"

#include "tests/bench/limits.h"

#include <QElapsedTimer>
#include <algorithm>
#include <cstdio>
#include <ctime>

namespace tilewright::bench {
namespace {

constexpr double limitMs = 16;

double processorMs()
{
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

} // namespace

double milliseconds(const std::function<void()>& work)
{
    QElapsedTimer timer;
    timer.start();
    work();
    return static_cast<double>(timer.nsecsElapsed()) / 1e6;
}

Times framesOf(QWidget& widget, int count, const std::function<void()>& step, const std::function<void()>& pause)
{
    Times times;
    for (int i = 0; i < count; ++i) {
        if (pause)
            pause();
        const double before = processorMs();
        times.wall.push_back(milliseconds([&] {
            step();
            widget.repaint();
        }));
        times.processor.push_back(processorMs() - before);
    }
    return times;
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
        at(times.processor, 0.99), times.processor.back(), limitMs, limits.hold(p99, limitMs));
}

} // namespace tilewright::bench
