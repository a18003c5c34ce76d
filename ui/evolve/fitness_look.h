// SPDX-License-Identifier: GPL-3.0-or-later
// How a person looks at the fitness plot of a session: both axes, the scale, the chosen stretch. Kept as JSON between
// starts, one for each session, but for the stretch: it hides candidates, and nobody remembers having drawn it. Pure.
#pragma once

#include "ui/models/run_axis.h"

#include <QByteArray>

namespace tilewright::ui {

/// What stands upwards: the speedup over the baseline, the time itself, the speedup over the vendor's library.
enum class FitnessValue { Score, Time, VersusVendor };
constexpr int fitnessValues = 3;

struct FitnessLook {
    RunAxis axis = RunAxis::Evaluation;
    FitnessValue value = FitnessValue::Score;
    std::optional<bool> logarithmic; ///< none: as the values ask for
    std::optional<RunRange> range;
    bool migrations = true; ///< dotted lines where elites went to other islands

    bool operator==(const FitnessLook&) const = default;
};

QString nameOf(FitnessValue value); ///< "Score"
QByteArray toJson(const FitnessLook& look);
/// What cannot be read is as it is at first.
FitnessLook fitnessLookFrom(const QByteArray& json);
/// The name under which the settings keep the look of that session.
QString fitnessLookName(const QString& sessionPath);

} // namespace tilewright::ui
