// SPDX-License-Identifier: GPL-3.0-or-later
// Used tokens in words that a reader can add up: read and written are the whole, and what overlaps is named as a part
// of one of them. Pure.
#pragma once

#include "core/model/token_usage.h"

#include <QString>

namespace tilewright::ui {

/// "9 850 read, of them 1 024 from a cache and 512 into one"; without a cache the figure alone.
QString readWords(const TokenUsage& usage);
/// "2 193 written, of them 1 800 reasoning".
QString writtenWords(const TokenUsage& usage);
/// "12 043 tokens: 9 850 read, …; 2 193 written, …".
QString tokenWords(const TokenUsage& usage);

} // namespace tilewright::ui
