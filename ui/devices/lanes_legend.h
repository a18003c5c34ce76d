// SPDX-License-Identifier: GPL-3.0-or-later
// What the colours and heights of the timeline mean. GUI thread.
#pragma once

#include <QWidget>

namespace tilewright::ui {

class LanesLegend : public QWidget
{
    Q_OBJECT

public:
    explicit LanesLegend(QWidget* parent = nullptr);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;

protected:
    void paintEvent(QPaintEvent* event) override;
};

} // namespace tilewright::ui
