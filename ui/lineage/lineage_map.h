// SPDX-License-Identifier: GPL-3.0-or-later
// The whole lineage, small, with a frame around what the view shows; a click or a drag moves the view. GUI thread.
#pragma once

#include "ui/lineage/lineage_view.h"

namespace tilewright::ui {

class LineageMap : public QWidget
{
    Q_OBJECT

public:
    explicit LineageMap(LineageView* view);
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;

private:
    LineageScene whole() const;
    void moveTo(const QPointF& pixel);

    LineageView* m_view;
    QImage m_picture;
    /// What the picture shows. Not its bare address: another lineage may come to lie where a gone one lay.
    std::weak_ptr<const Lineage> m_shown;
};

} // namespace tilewright::ui
