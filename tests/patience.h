// SPDX-License-Identifier: GPL-3.0-or-later
// How long a test waits for what has to come.
#pragma once

/// Milliseconds. A busy or slow machine is no failure; this ends a test in which something hangs, before ctest does.
constexpr int patience = 240'000;
