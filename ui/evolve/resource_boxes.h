// SPDX-License-Identifier: GPL-3.0-or-later
// What a program needs of its device, as small boxes: side by side, or in two rows where figures would be cut. GUI
// thread.
#pragma once

#include "core/model/measurement/resource_figures.h"
#include "core/model/measurement/roofline.h"

#include <QFrame>
#include <QWidget>
#include <vector>

class QGridLayout;

class QLabel;

namespace tilewright::ui {

class ResourceBoxes : public QFrame
{
    Q_OBJECT

public:
    explicit ResourceBoxes(QWidget* parent = nullptr);
    /// Hidden where nothing is known.
    void show(const ResourceFigures& figures);
    QSize minimumSizeHint() const override;

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void add(const QString& name, const QString& value);
    void arrange();
    int widthOf(int columns) const;

    QGridLayout* m_grid;
    std::vector<QFrame*> m_boxes;
    ResourceFigures m_shown;
    int m_columns = 0;
};

// What a program's needs come to, in words: how many blocks a multiprocessor holds and what limits them, and how near
// the program is to the device's roofline. GUI thread.

/// "gemm<8>, the most demanding of 6 kernels", which the figures are of; empty where it is not known.
QString kernelWords(const ResourceFigures& figures);

class ResourceNotes : public QWidget
{
    Q_OBJECT

public:
    explicit ResourceNotes(QWidget* parent = nullptr);
    /// points: of the evaluation that is shown; empty where they are not known.
    /// before: the hot loop of the program that it was made from, in words.
    /// gpu: what a GPU program's findings depend on.
    void show(const ResourceFigures& figures, const std::vector<RooflinePoint>& points, const DeviceLimits& limits,
        const std::string& before = {}, const GpuLoopLimits& gpu = {});

private:
    QLabel *m_room, *m_loop, *m_roofline;
};

} // namespace tilewright::ui
