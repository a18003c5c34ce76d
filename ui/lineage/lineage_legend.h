// SPDX-License-Identifier: GPL-3.0-or-later
// What shapes, lines and colours of the lineage mean, in as many rows as the width asks for. GUI thread.
#pragma once

#include <QWidget>

namespace tilewright::ui {

class LineageLegend : public QWidget
{
    Q_OBJECT

public:
    explicit LineageLegend(QWidget* parent = nullptr);
    /// Score at the upper end of the colour scale.
    void setTop(double score);
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    double m_top = 1;
};

} // namespace tilewright::ui
