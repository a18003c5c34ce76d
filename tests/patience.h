// SPDX-License-Identifier: GPL-3.0-or-later
// How long a test waits for what has to come.
#pragma once

#include <cstdlib>

/// Milliseconds; $TILEWRIGHT_TEST_PATIENCE_MS in its place. A busy or slow machine is no failure; this ends a test in
/// which something hangs, before ctest does.
inline const int patience = [] {
    const char* set = std::getenv("TILEWRIGHT_TEST_PATIENCE_MS");
#ifdef __SANITIZE_ADDRESS__
    constexpr int usual = 180'000;
#else
    constexpr int usual = 60'000;
#endif
    return set ? std::atoi(set) : usual;
}();
