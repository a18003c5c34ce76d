// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/icons.h"

#include "ui/theme/theme.h"

#include <QFile>
#include <QIconEngine>
#include <QPainter>
#include <QPixmapCache>
#include <QSvgRenderer>

namespace tilewright::ui {
namespace {

using namespace Qt::StringLiterals;

QString pathOf(const QString& name) { return u":/tilewright/icons/%1.svg"_s.arg(name); }

QColor colourOf(Tint tint, QIcon::Mode mode, QIcon::State state)
{
    const Tokens& t = tokens();
    if (mode == QIcon::Disabled)
        return t.disabled;
    if (state == QIcon::On && tint == Tint::Secondary)
        return t.accent;
    switch (tint) {
    case Tint::Text:
        return t.text;
    case Tint::Secondary:
        return t.secondary;
    case Tint::Accent:
        return t.accent;
    case Tint::Good:
        return t.good;
    case Tint::Bad:
        return t.bad;
    case Tint::Warning:
        return t.warning;
    case Tint::Button:
        return t.buttonText;
    }
    return t.text;
}

class TintedEngine : public QIconEngine
{
public:
    TintedEngine(QString name, Tint tint)
        : m_name(std::move(name))
        , m_tint(tint)
    {
    }
    QIconEngine* clone() const override { return new TintedEngine(m_name, m_tint); }
    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State state) override
    {
        const qreal ratio = painter->device() ? painter->device()->devicePixelRatioF() : 1;
        painter->drawPixmap(rect, iconPixmap(m_name, colourOf(m_tint, mode, state), rect.width(), ratio));
    }
    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override
    {
        return iconPixmap(m_name, colourOf(m_tint, mode, state), size.width(), 1);
    }
    QPixmap scaledPixmap(const QSize& size, QIcon::Mode mode, QIcon::State state, qreal) override
    {
        return pixmap(size, mode, state);
    }

private:
    QString m_name;
    Tint m_tint;
};

} // namespace

QIcon icon(const QString& name, Tint tint)
{
    if (name.isEmpty() || !QFile::exists(pathOf(name)))
        return {};
    return QIcon(new TintedEngine(name, tint));
}

QPixmap iconPixmap(const QString& name, const QColor& colour, int size, qreal ratio)
{
    const QString key = u"tw-icon/%1/%2/%3/%4"_s.arg(name, colour.name()).arg(size).arg(ratio);
    QPixmap pixmap;
    if (QPixmapCache::find(key, &pixmap))
        return pixmap;
    QFile file(pathOf(name));
    if (size <= 0 || !file.open(QIODevice::ReadOnly))
        return {};
    QByteArray svg = file.readAll();
    svg.replace("currentColor", colour.name().toLatin1());
    QSvgRenderer renderer(svg);
    pixmap = QPixmap(QSize(size, size) * ratio);
    pixmap.fill(Qt::transparent);
    {
        QPainter painter(&pixmap);
        painter.setRenderHint(QPainter::Antialiasing);
        renderer.render(&painter, QRectF(QPointF(), QSizeF(pixmap.size())));
    }
    pixmap.setDevicePixelRatio(ratio);
    QPixmapCache::insert(key, pixmap);
    return pixmap;
}

} // namespace tilewright::ui
