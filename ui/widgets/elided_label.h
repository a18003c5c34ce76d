// SPDX-License-Identifier: GPL-3.0-or-later
// One line of text that ends with an ellipsis where room is short; the whole text is its tooltip then. GUI thread.
#pragma once

#include <QLabel>

namespace tilewright::ui {

class ElidedLabel : public QLabel
{
    Q_OBJECT

public:
    explicit ElidedLabel(const QString& text = {}, QWidget* parent = nullptr);
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
};

} // namespace tilewright::ui
