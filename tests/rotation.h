// SPDX-License-Identifier: GPL-3.0-or-later
// `packaging/test` runs a part of some long tests on each commit: TILEWRIGHT_ROTATION, the commit's hash, chooses
// which. Where it is not set, as with `packaging/test --all` and a plain `ctest`, everything runs.
#pragma once

#include "core/base/hash.h"

#include <cstddef>
#include <cstdlib>
#include <string>

namespace tilewright::test {

/// Whether number `index` of `count` rows of the test that is named runs: `wanted` of them do, one after the other.
inline bool isInRotation(const std::string& test, std::size_t index, std::size_t count, std::size_t wanted)
{
    const char* const rotation = std::getenv("TILEWRIGHT_ROTATION");
    if (!rotation || !*rotation)
        return true;
    const std::size_t first = sha256(rotation + test).bytes[0] % count;
    return (index + count - first) % count < wanted;
}

} // namespace tilewright::test
