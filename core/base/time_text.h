// SPDX-License-Identifier: GPL-3.0-or-later
// How long something takes, as people read it: limits, waits, replies. Figures of measured kernels are in
// core/prompt/figures.h. Pure.
#pragma once

#include <chrono>
#include <string>

namespace tilewright {

/// "35 ms", "0.45 s", "12.5 s", "4 min 05 s", "3 h 12 min": never "0 s" for what took time. Below a second two digits,
/// below a minute three. What is not above 0 is "0 s".
std::string timeText(std::chrono::nanoseconds time);

/// As timeText(), from one second on in whole seconds, the begun one left out: a count that runs up.
std::string elapsedText(std::chrono::nanoseconds time);

/// As timeText(), from one second on in whole seconds, the begun one counted: a count that runs down.
std::string remainingText(std::chrono::nanoseconds time);

} // namespace tilewright
