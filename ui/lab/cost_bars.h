// SPDX-License-Identifier: GPL-3.0-or-later
// What two ways to multiply cost, as bars of multiplications and additions. GUI thread.
#pragma once

#include <QString>
#include <QWidget>
#include <vector>

namespace tilewright::ui {

struct CostBar {
    QString name;
    double multiplications = 0, additions = 0; ///< in clocks
    QString formula; ///< "8 × 20 = 160", written into the bar where it has room
};

class CostBars : public QWidget
{
    Q_OBJECT

public:
    using QWidget::QWidget;
    void show(std::vector<CostBar> bars);
    using QWidget::show;
    const std::vector<CostBar>& bars() const { return m_bars; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    std::vector<CostBar> m_bars;
};

} // namespace tilewright::ui
