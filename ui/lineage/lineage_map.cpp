// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lineage/lineage_map.h"

#include "ui/theme/theme.h"

#include <QMouseEvent>
#include <QPainter>

namespace tilewright::ui {

LineageMap::LineageMap(LineageView* view)
    : m_view(view)
{
    setObjectName(QStringLiteral("lineageMap"));
    setAccessibleName(tr("Overview of the lineage; the frame is what is shown"));
    setFixedSize(sizeHint());
    connect(view, &LineageView::viewChanged, this, [this] { update(); });
    connect(&Theme::instance(), &Theme::changed, this, [this] {
        m_picture = {};
        update();
    });
}

QSize LineageMap::sizeHint() const { return {px(160), px(48)}; }

LineageScene LineageMap::whole() const
{
    LineageScene scene;
    scene.lineage = m_view->scene().lineage;
    scene.area = QRectF(rect()).adjusted(1, 1, -1, -1);
    scene.camera.setSizes({scene.lineage->width(), scene.lineage->height()}, scene.area.size());
    return scene;
}

void LineageMap::paintEvent(QPaintEvent*)
{
    const LineageScene scene = whole();
    if (m_picture.isNull() || m_shown.lock() != scene.lineage) {
        m_shown = scene.lineage;
        m_picture = paintOverview(scene, size(), devicePixelRatioF());
    }
    QPainter painter(this);
    painter.drawImage(0, 0, m_picture);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(tokens().border);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
    if (scene.lineage->empty())
        return;
    const QRectF seen = m_view->scene().camera.seen();
    const QRectF frame(scene.camera.pixelOf(seen.topLeft()) + scene.area.topLeft(),
        scene.camera.pixelOf(seen.bottomRight()) + scene.area.topLeft());
    painter.setPen(QPen(tokens().accent, 1.5));
    painter.drawRoundedRect(frame.intersected(scene.area), 2, 2);
}

void LineageMap::moveTo(const QPointF& pixel)
{
    const LineageScene scene = whole();
    if (!scene.lineage->empty())
        m_view->centreOn(scene.camera.unitAt(pixel - scene.area.topLeft()));
}

void LineageMap::mousePressEvent(QMouseEvent* event) { moveTo(event->position()); }

void LineageMap::mouseMoveEvent(QMouseEvent* event)
{
    if (event->buttons() & Qt::LeftButton)
        moveTo(event->position());
}

} // namespace tilewright::ui
