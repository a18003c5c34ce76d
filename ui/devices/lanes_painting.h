// SPDX-License-Identifier: GPL-3.0-or-later
// How lanes look: pieces of work as bars where they are wide enough to be seen, as a load curve where they are not.
// Activities differ in height as well as in colour; what came to nothing has a red foot. Pure painting.
#pragma once

#include "ui/devices/time_axis.h"
#include "ui/devices/work_lanes.h"
#include "ui/theme/tokens.h"

#include <QImage>
#include <QRectF>
#include <QStringList>
#include <functional>

class QPainter;

namespace tilewright::ui {

struct LaneScene {
    const WorkLanes* lanes = nullptr;
    TimeAxis axis;
    QStringList names; ///< one a lane
    QStringList notes; ///< below the names, where lanes are high enough
    QSize size; ///< of the picture, in logical pixels
    int labelWidth = 0, headHeight = 0, laneHeight = 0;
    int scrolled = 0; ///< pixels that the lanes are moved up

    double xOf(double ns) const;
    double nsAt(double x) const;
    double nsPerPixel() const;
    int topOf(int lane) const { return headHeight + lane * laneHeight - scrolled; }
    /// −1: none.
    int laneAt(double y) const;
    QRectF bar(int lane, double fromNs, double toNs, Activity activity) const;
    /// Its pieces are too narrow here: the lane is painted as a load curve.
    bool isDense(const Lane& lane) const;
};

QColor colourOf(const Tokens& tokens, Activity activity);
/// Of the height of a lane, 0 … 1.
double heightOf(Activity activity);
/// Everything that changes only with the run or the view. name: what a piece is called, asked for those wide enough.
QImage paintLanes(const LaneScene& scene, qreal ratio, const std::function<QString(const LaneSpan&)>& name);
/// One piece that is still under way, up to now.
void paintLive(QPainter& painter, const LaneScene& scene, const LiveSpan& live, double nowNs);

} // namespace tilewright::ui
