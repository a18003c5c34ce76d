// SPDX-License-Identifier: GPL-3.0-or-later
// What a model server told of its limits, in words for the screen. Pure.
#pragma once

#include "core/model/server_limit.h"

#include <QString>

namespace tilewright::ui {

/// "499 of 500 requests, 38 000 of 40 000 tokens left"; "" where none was told.
QString limitWords(const std::vector<ServerLimit>& limits);
/// A line each, with when it is all there again and when this was read.
QString limitLines(const std::vector<ServerLimit>& limits);

} // namespace tilewright::ui
