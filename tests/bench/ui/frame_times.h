// SPDX-License-Identifier: GPL-3.0-or-later
// How long frames of a widget take. Beside the time on the wall stands that on the processor, which other programs of a
// busy machine do not lengthen.
#pragma once

#include <QWidget>
#include <functional>
#include <vector>

namespace tilewright::bench {

struct Times {
    std::vector<double> wall, processor; ///< ms a frame
};

double milliseconds(const std::function<void()>& work);
/// So many steps, each with the widget painted whole into its backing store. `pause`: before each, not timed.
Times framesOf(QWidget& widget, int count, const std::function<void()>& step, const std::function<void()>& pause = {});
/// Percentiles beside the limit.
void print(const char* what, Times times);

} // namespace tilewright::bench
