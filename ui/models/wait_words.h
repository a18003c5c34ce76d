// SPDX-License-Identifier: GPL-3.0-or-later
// How long something waits for a person, and how much of it, in words. Pure.
#pragma once

#include <QString>
#include <cstdint>
#include <string>

class QDateTime;

namespace tilewright::ui {

/// "under a minute", "12 min", "2 h 5 min", "3 days"; empty where the time (ISO 8601) says nothing.
QString waitedFor(const std::string& sinceUtc, const QDateTime& now);
/// "waiting 12 min"
QString waitWords(const std::string& sinceUtc, const QDateTime& now);

/// "27 wait for you": on the button beside the budgets, and where that is meant.
QString waitsForYou(std::int64_t count);

} // namespace tilewright::ui
