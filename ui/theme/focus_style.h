// SPDX-License-Identifier: GPL-3.0-or-later
// Fusion with a focus ring that can be seen, two pixels of accent, boxes that leave the wheel to the page, and tool
// tips of several lines. GUI thread.
#pragma once

#include "ui/theme/calm_boxes.h"
#include "ui/theme/long_tool_tips.h"

#include <QProxyStyle>

namespace tilewright::ui {

class FocusStyle : public QProxyStyle
{
    Q_OBJECT

public:
    FocusStyle();
    using QProxyStyle::polish;
    void polish(QWidget* widget) override;
    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
        const QWidget* widget = nullptr) const override;
    int styleHint(StyleHint hint, const QStyleOption* option = nullptr, const QWidget* widget = nullptr,
        QStyleHintReturn* returned = nullptr) const override;
    int pixelMetric(
        PixelMetric metric, const QStyleOption* option = nullptr, const QWidget* widget = nullptr) const override;

private:
    CalmBoxes m_boxes;
    LongToolTips m_toolTips;
};

} // namespace tilewright::ui
