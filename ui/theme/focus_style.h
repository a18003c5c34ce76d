// SPDX-License-Identifier: GPL-3.0-or-later
// Fusion with a focus ring that can be seen: two pixels of accent. GUI thread.
#pragma once

#include <QProxyStyle>

namespace tilewright::ui {

class FocusStyle : public QProxyStyle
{
    Q_OBJECT

public:
    FocusStyle();
    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
        const QWidget* widget = nullptr) const override;
    int styleHint(StyleHint hint, const QStyleOption* option = nullptr, const QWidget* widget = nullptr,
        QStyleHintReturn* returned = nullptr) const override;
    int pixelMetric(
        PixelMetric metric, const QStyleOption* option = nullptr, const QWidget* widget = nullptr) const override;
};

} // namespace tilewright::ui
