// SPDX-License-Identifier: GPL-3.0-or-later
// Where the tests of the node find what they look at, and how they tell what came of it.
#pragma once

#include "core/base/result.h"

#include <QString>
#include <filesystem>

namespace tilewright::test {

inline const std::filesystem::path root = TILEWRIGHT_SOURCE_DIR;
inline const std::filesystem::path cudaWorker = std::filesystem::path(TILEWRIGHT_BIN_DIR) / "tilewright-cuda-worker";

/// The error's code; "fine" where there is none.
template <typename T> QString codeOf(const Result<T>& result)
{
    return result ? QStringLiteral("fine") : QString::fromStdString(result.error().code);
}

} // namespace tilewright::test
