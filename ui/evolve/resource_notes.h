// SPDX-License-Identifier: GPL-3.0-or-later
// What a program's needs come to, in words: how many blocks a multiprocessor holds and what limits them, and how near
// the program is to the device's roofline. GUI thread.
#pragma once

#include "core/model/resource_figures.h"
#include "core/model/roofline.h"

#include <QWidget>

class QLabel;

namespace tilewright::ui {

/// "gemm<8>, the most demanding of 6 kernels", which the figures are of; empty where it is not known.
QString kernelWords(const ResourceFigures& figures);

class ResourceNotes : public QWidget
{
    Q_OBJECT

public:
    explicit ResourceNotes(QWidget* parent = nullptr);
    /// points: of the evaluation that is shown; empty where they are not known.
    void show(const ResourceFigures& figures, const std::vector<RooflinePoint>& points, const DeviceLimits& limits);

private:
    QLabel *m_room, *m_roofline;
};

} // namespace tilewright::ui
