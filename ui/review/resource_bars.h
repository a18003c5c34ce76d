// SPDX-License-Identifier: GPL-3.0-or-later
// What the build says a program needs, each as a bar with its parent as a marker, up
// to what the device has where that is known. GUI thread.
#pragma once

#include "core/model/resource_figures.h"

#include <QString>
#include <QWidget>
#include <optional>
#include <vector>

namespace tilewright::ui {

struct ResourceBar {
    QString name, unit;
    double own = 0, most = 1; ///< most: the bar's end; 0: there is nothing to hold it against, and no bar
    std::optional<double> parent;
    std::optional<double> limit = {}; ///< more of it a program cannot have

    bool operator==(const ResourceBar&) const = default;
};

/// Those that the proposal's build told, in a fixed order. limits: of the device that they are measured on.
std::vector<ResourceBar> resourceBars(
    const ResourceFigures& own, const ResourceFigures& parent, const ResourceLimits& limits);

class ResourceBars : public QWidget
{
    Q_OBJECT

public:
    explicit ResourceBars(QWidget* parent = nullptr);
    void show(std::vector<ResourceBar> bars);
    /// What stands where there are no bars.
    void setNone(const QString& words);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    /// Rows that are too narrow for the caption and the figures side by side have a line for each.
    int heightForWidth(int width) const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    std::vector<ResourceBar> m_bars;
    QString m_none;
};

} // namespace tilewright::ui
