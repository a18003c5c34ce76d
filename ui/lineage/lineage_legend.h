// SPDX-License-Identifier: GPL-3.0-or-later
// What shapes, lines and colours of the lineage mean, in as many rows as the width asks for. GUI thread.
#pragma once

#include "ui/models/figures.h"

#include <QWidget>
#include <optional>

namespace tilewright::ui {

class LineageLegend : public QWidget
{
    Q_OBJECT

public:
    explicit LineageLegend(QWidget* parent = nullptr);
    /// Of the shades; none: it is left out.
    void setScale(const std::optional<ScoreScale>& scale);
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    std::optional<ScoreScale> m_scale;
};

} // namespace tilewright::ui
