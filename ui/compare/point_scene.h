// SPDX-License-Identifier: GPL-3.0-or-later
// What a plot of the Compare screen shows: axes, marks of programs, lines, a legend, and the same as rows of a table.
// Values; colours are read from the theme while painting.
#pragma once

#include "core/base/ids.h"
#include "ui/compare/marker.h"

#include <QPointF>
#include <QStringList>
#include <QVector>
#include <optional>
#include <vector>

namespace tilewright::ui {

struct PointAxis {
    QString title;
    bool isLogarithmic = false;
    bool isCounting = false; ///< ticks at whole numbers only
    /// What it spans; none: what the marks and the ends of lines need.
    std::optional<std::pair<double, double>> range = {};

    bool operator==(const PointAxis&) const = default;
};

struct PointMark {
    enum class Size { Small, Large, Quiet }; ///< Quiet: a program that is not compared

    QPointF at;
    Marker marker;
    Size size = Size::Large;
    std::optional<std::pair<double, double>> spanY = {}; ///< a 95 % interval
    QString name = {}, aside = {}; ///< of the card beside the pointer
    QStringList lines = {};
    QString label = {}; ///< beside the mark, where there is room
    CandidateId candidate = {}; ///< that a click selects

    bool operator==(const PointMark&) const = default;
};

struct PointLine {
    enum class Tone { Roof, Front, Quiet, Program };

    QVector<QPointF> points;
    Tone tone = Tone::Quiet;
    Marker marker = {}; ///< of Tone::Program
    bool isDashed = false, isSoft = false; ///< soft: the area below it has a tint
    QString label = {}; ///< above its longest piece

    bool operator==(const PointLine&) const = default;
};

struct PointLegendRow {
    Marker marker;
    QString name, value;

    bool operator==(const PointLegendRow&) const = default;
};

struct PointScene {
    PointAxis x, y;
    std::vector<PointMark> marks;
    std::vector<PointLine> lines;
    std::vector<PointLegendRow> legend;
    QString nothing; ///< why there is nothing to show; empty where there is
    QString summary; ///< beside the title, and read aloud
    // The same as a table.
    QStringList headings;
    std::vector<int> figures; ///< columns of the table that hold figures
    std::vector<QStringList> rows;

    bool operator==(const PointScene&) const = default;
};

/// Places of the ticks of an axis, and what is written there.
struct AxisTick {
    double value = 0;
    QString text;
};
/// `most`: as many as have room.
std::vector<AxisTick> ticksOf(const PointAxis& axis, double low, double high, int most);
/// What an axis spans: its range, or all of these values with some room around them.
std::pair<double, double> spanOf(const PointAxis& axis, const std::vector<double>& values);

} // namespace tilewright::ui
