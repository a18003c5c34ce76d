// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/painted_texts.h"

#include <QAbstractScrollArea>
#include <QFontMetricsF>
#include <QLineEdit>
#include <QMenu>
#include <QPaintDevice>
#include <QPaintEngine>
#include <QPainter>
#include <QScreen>

namespace tilewright::test {

using namespace Qt::StringLiterals;

namespace {

/// Writes down texts, and draws nothing.
class TextEngine : public QPaintEngine
{
public:
    TextEngine()
        : QPaintEngine(AllFeatures)
    {
    }

    bool begin(QPaintDevice*) override { return true; }
    bool end() override { return true; }
    void updateState(const QPaintEngineState&) override { }
    void drawPixmap(const QRectF&, const QPixmap&, const QRectF&) override { }
    void drawPath(const QPainterPath&) override { }
    void drawPolygon(const QPointF*, int, PolygonDrawMode) override { }
    Type type() const override { return User; }
    void drawRects(const QRectF* rects, int count) override
    {
        for (int i = 0; i < count; ++i)
            cover(rects[i]);
    }
    void drawRects(const QRect* rects, int count) override
    {
        for (int i = 0; i < count; ++i)
            cover(rects[i]);
    }
    void drawTextItem(const QPointF& at, const QTextItem& item) override
    {
        if (item.text().trimmed().isEmpty())
            return;
        const QTransform places = painter()->combinedTransform();
        const QRectF ink = QFontMetricsF(item.font()).tightBoundingRect(item.text()).translated(at);
        const QRectF clip = painter()->hasClipping() ? painter()->clipBoundingRect() : QRectF();
        texts.push_back({item.text(), places.mapRect(ink), clip.isNull() ? QRectF() : places.mapRect(clip)});
    }

    std::vector<PaintedText> texts;

private:
    /// What lies wholly beneath it is seen by nobody.
    void cover(const QRectF& rect)
    {
        if (!painter()->brush().isOpaque() || painter()->opacity() < 1)
            return;
        QRectF filled = painter()->combinedTransform().mapRect(rect);
        if (painter()->hasClipping())
            filled &= painter()->combinedTransform().mapRect(painter()->clipBoundingRect());
        const QRectF all(0, 0, paintDevice()->width(), paintDevice()->height());
        std::erase_if(texts, [&](const PaintedText& each) { return filled.contains(each.ink & all); });
    }
};

class TextDevice : public QPaintDevice
{
public:
    explicit TextDevice(const QSize& size)
        : m_size(size)
    {
    }
    QPaintEngine* paintEngine() const override { return &engine; }

    mutable TextEngine engine;

protected:
    int metric(PaintDeviceMetric metric) const override
    {
        switch (metric) {
        case PdmWidth:
            return m_size.width();
        case PdmHeight:
            return m_size.height();
        case PdmDpiX:
        case PdmDpiY:
        case PdmPhysicalDpiX:
        case PdmPhysicalDpiY:
            return 96;
        case PdmDevicePixelRatio:
            return 1;
        case PdmDevicePixelRatioScaled:
            return static_cast<int>(devicePixelRatioFScale());
        case PdmDepth:
            return 32;
        case PdmNumColors:
            return 1 << 24;
        default:
            return 0;
        }
    }

private:
    QSize m_size;
};

constexpr double touching = 2; ///< px that neighbours may share

QString describe(const QWidget& widget)
{
    QString name = widget.objectName();
    for (const QWidget* at = &widget; name.isEmpty() || name.startsWith(u"qt_"_s); at = at->parentWidget())
        name = at->parentWidget() ? at->parentWidget()->objectName() : u"?"_s;
    return u"%1 %2"_s.arg(QLatin1String(widget.metaObject()->className()), name).remove(u"tilewright::ui::"_s);
}

/// What is beyond its edges is scrolled to.
bool isScrolled(const QWidget& widget)
{
    return qobject_cast<const QAbstractScrollArea*>(widget.parentWidget()) || qobject_cast<const QLineEdit*>(&widget)
        || qobject_cast<const QMenu*>(&widget);
}

} // namespace

std::vector<PaintedText> paintedTexts(QWidget& widget)
{
    TextDevice device(widget.size());
    QPainter painter(&device);
    widget.render(&painter, {}, {}, {});
    painter.end();
    return device.engine.texts;
}

QStringList paintedMisfits(QWidget& window)
{
    QStringList found;
    for (QWidget* widget : window.findChildren<QWidget*>()) {
        if (!widget->isVisible() || widget->visibleRegion().isEmpty())
            continue;
        // The offscreen platform's screen is smaller than the window where it is scaled, and squeezes what pops up.
        if (widget->window() != &window && window.screen()->size().height() < window.height())
            continue;
        const std::vector<PaintedText> texts = paintedTexts(*widget);
        for (std::size_t i = 0; i < texts.size(); ++i) {
            const PaintedText& one = texts[i];
            const QRectF seen = one.clip.isNull() ? QRectF(widget->rect()) : one.clip & QRectF(widget->rect());
            const QRectF shown = one.ink & seen;
            if (!shown.isEmpty() && !isScrolled(*widget)
                && (one.ink.width() - shown.width() > touching || one.ink.height() - shown.height() > touching))
                found << u"\"%1\" is cut at an edge of %2: %3×%4 of %5×%6 are seen"_s.arg(one.text, describe(*widget))
                             .arg(shown.width(), 0, 'f', 1)
                             .arg(shown.height(), 0, 'f', 1)
                             .arg(one.ink.width(), 0, 'f', 1)
                             .arg(one.ink.height(), 0, 'f', 1);
            for (std::size_t j = 0; j < i; ++j) {
                const QRectF both = shown & texts[j].ink & seen;
                const bool isSame = one.text == texts[j].text
                    && (one.ink.topLeft() - texts[j].ink.topLeft()).manhattanLength() <= 2 * touching; // its rim
                if (!isSame && both.width() > touching && both.height() > touching)
                    found << u"\"%1\" lies upon \"%2\" in %3"_s.arg(one.text, texts[j].text, describe(*widget));
            }
        }
    }
    return found;
}

} // namespace tilewright::test
