// SPDX-License-Identifier: GPL-3.0-or-later
// What the build says a program needs, each as a bar with its parent as a marker. GUI thread.
#pragma once

#include <QString>
#include <QWidget>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

namespace tilewright::ui {

struct ResourceBar {
    QString name, unit;
    double own = 0, most = 1; ///< most: the bar's end
    std::optional<double> parent;

    bool operator==(const ResourceBar&) const = default;
};

/// Those of the two builds that are numbers, in the order of a fixed list.
std::vector<ResourceBar> resourceBars(const nlohmann::json& own, const nlohmann::json& parent);

class ResourceBars : public QWidget
{
    Q_OBJECT

public:
    explicit ResourceBars(QWidget* parent = nullptr);
    void show(std::vector<ResourceBar> bars);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {0, sizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    std::vector<ResourceBar> m_bars;
};

} // namespace tilewright::ui
