// SPDX-License-Identifier: GPL-3.0-or-later
// What a program needs of its device, as small boxes side by side, and in words below: how many blocks a multiprocessor
// holds and what limits them, and how near the program is to the device's roofline. GUI thread.
#pragma once

#include "core/model/resource_figures.h"
#include "core/model/roofline.h"

#include <QWidget>

class QHBoxLayout;
class QLabel;

namespace tilewright::ui {

class ResourceStrip : public QWidget
{
    Q_OBJECT

public:
    explicit ResourceStrip(QWidget* parent = nullptr);
    /// points: of the evaluation that is shown; empty where they are not known.
    void show(const ResourceFigures& figures, const std::vector<RooflinePoint>& points, const DeviceLimits& limits);

private:
    void showBoxes(const ResourceFigures& figures);

    QHBoxLayout* m_row;
    QLabel *m_room, *m_roofline;
    ResourceFigures m_shown;
};

} // namespace tilewright::ui
