// SPDX-License-Identifier: GPL-3.0-or-later
// Pieces of work in words: the same in the timeline, its table twin, the line below it and for those who listen. Pure.
#pragma once

#include "ui/devices/work_lanes.h"

#include <QString>
#include <QStringList>

namespace tilewright::ui {

QString words(Activity activity);
/// A device of the run: its name, with its number where several of the run's are called so.
QString deviceName(const RunState& run, const std::string& id);
QString deviceName(const std::vector<MeasuringDevice>& devices, const std::string& id);
QString laneName(const RunState& run, const Lane& lane);
/// How busy a device was, what is under way included, or how many builds or calls a lane holds.
QString laneNote(const WorkLanes& lanes, std::size_t lane, std::int64_t runNs);
/// "c-0012", or for a call what it asks for: what a piece is called where there is little room.
QString pieceName(const RunState& run, const LaneSpan& span);
/// "better", "build/error", "3 210 tokens, $0.02": what came of it.
QString outcomeWords(const RunState& run, const LaneSpan& span);
/// Activity as it was recorded: a check of all shapes is not a first check.
QString workWords(const RunState& run, const LaneSpan& span);
/// The candidate that a piece is about: its own, or what came of a call, or else what the call was to change.
CandidateId candidateOf(const RunState& run, const LaneSpan& span);
/// Start, duration, wait, outcome, origin, a line each. nowNs: the end of what is still under way.
QStringList pieceLines(const RunState& run, const LaneSpan& span, double nowNs);

} // namespace tilewright::ui
