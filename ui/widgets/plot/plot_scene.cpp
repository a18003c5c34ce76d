// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/plot/plot_scene.h"

#include "ui/theme/theme.h"
#include "ui/widgets/plot/plot_graphs.h"
#include "ui/widgets/plot/plot_labels.h"
#include "ui/widgets/plot/plot_ticker.h"

#include <algorithm>
#include <cmath>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {
constexpr int manyDots = 500; // beyond, discs are blitted instead of drawn
constexpr double logFrom = 8; // ratio of largest to smallest score from which the axis is logarithmic
constexpr double readable = 4.5; // contrast of words
constexpr double nearPixels = 12;

QPixmap discOf(const QColor& colour, double ratio)
{
    QPixmap disc(QSize(px(5), px(5)) * ratio);
    disc.setDevicePixelRatio(ratio);
    disc.fill(Qt::transparent);
    QPainter painter(&disc);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour);
    painter.drawEllipse(QRect(0, 0, px(5), px(5)));
    return disc;
}

} // namespace

void PlotScene::build()
{
    plot->setPlottingHint(QCP::phImmediateRefresh, false); // with whatever else is painted
    plot->plotLayout()->clear();
    main = new QCPAxisRect(plot);
    rug = new QCPAxisRect(plot);
    plot->plotLayout()->addElement(0, 0, main);
    plot->plotLayout()->addElement(1, 0, rug);
    plot->plotLayout()->setRowSpacing(px(6));
    main->setAutoMargins(QCP::msLeft | QCP::msRight | QCP::msTop);
    main->setMargins(QMargins(0, px(12), 0, 0));
    main->setMinimumMargins(QMargins(0, 0, px(40), 0)); // room for the count of failures
    rug->setSizeConstraintRect(QCPLayoutElement::scrInnerRect);
    rug->setMinimumSize(60, px(16));
    rug->setMaximumSize(QWIDGETSIZE_MAX, px(16));
    auto* group = new QCPMarginGroup(plot);
    for (QCPAxisRect* rect : {main, rug})
        rect->setMarginGroup(QCP::msLeft | QCP::msRight, group);
    for (const QCPAxis::AxisType side : {QCPAxis::atTop, QCPAxis::atLeft, QCPAxis::atRight})
        rug->axis(side)->setVisible(false);
    rug->axis(QCPAxis::atLeft)->setRange(0, 1);
    rug->axis(QCPAxis::atBottom)->grid()->setVisible(false);
    for (const QCPAxis::AxisType side : {QCPAxis::atTop, QCPAxis::atRight})
        main->axis(side)->setVisible(false);
    x()->setTickLabels(false);
    x()->setTicks(false);
    main->setRangeDrag(Qt::Horizontal);
    main->setRangeZoom(Qt::Horizontal);
    rug->setRangeDrag(Qt::Horizontal);
    rug->setRangeZoom(Qt::Horizontal);
    plot->setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
    plot->setNoAntialiasingOnDrag(true);
    QObject::connect(x(), qOverload<const QCPRange&>(&QCPAxis::rangeChanged), rugX(),
        [this](const QCPRange& range) { rugX()->setRange(range); });
    QObject::connect(rugX(), qOverload<const QCPRange&>(&QCPAxis::rangeChanged), x(),
        [this](const QCPRange& range) { x()->setRange(range); });
    for (QCPAxis* axis : {x(), y()})
        QObject::connect(axis, qOverload<const QCPRange&>(&QCPAxis::rangeChanged), rug, [this] { tagCrosshair(); });
    plot->addLayer(u"rings"_s, plot->layer(u"main"_s), QCustomPlot::limAbove);
    plot->layer(u"rings"_s)->setMode(QCPLayer::lmBuffered);
    plot->addLayer(u"cross"_s, plot->layer(u"overlay"_s), QCustomPlot::limAbove);
    plot->layer(u"cross"_s)->setMode(QCPLayer::lmBuffered);
    setCounting(true);
    plot->setSelectionRect(new QCPSelectionRect(plot));
}

void PlotScene::setCounting(bool counts)
{
    counting = counts;
    const QSharedPointer<QCPAxisTicker> ticker(counts ? new WholeTicker : new QCPAxisTicker);
    rugX()->setTicker(ticker);
    x()->setTicker(ticker);
}

void PlotScene::addBrush()
{
    QColor soft = tokens().accent;
    plot->selectionRect()->setPen(QPen(soft));
    soft.setAlphaF(0.16F);
    plot->selectionRect()->setBrush(soft);
    if (!brush)
        return;
    for (QCPAxisRect* rect : {main, rug}) {
        auto* box = new QCPItemRect(plot);
        box->setLayer(u"background"_s);
        box->setClipAxisRect(rect);
        for (QCPItemPosition* corner : {box->topLeft, box->bottomRight}) {
            corner->setAxisRect(rect);
            corner->setAxes(rect->axis(QCPAxis::atBottom), rect->axis(QCPAxis::atLeft));
            corner->setTypeY(QCPItemPosition::ptAxisRectRatio);
        }
        box->topLeft->setCoords(brush->first, 0);
        box->bottomRight->setCoords(brush->second, 1);
        box->setPen(QPen(tokens().accent));
        box->setBrush(soft);
        box->setSelectable(false);
    }
}

void PlotScene::fitName()
{
    y()->setLabel(
        QFontMetrics(y()->labelFont()).elidedText(leftName, Qt::ElideMiddle, std::max(main->height(), px(60))));
}

void PlotScene::style(QCPAxis* axis) const
{
    const Tokens& t = tokens();
    axis->setBasePen(QPen(t.border));
    axis->setTickPen(QPen(t.border));
    axis->setSubTickPen(Qt::NoPen);
    axis->setTickLength(0, px(4));
    axis->setTickLabelColor(t.secondary);
    axis->setTickLabelFont(fontOf(Type::Tick));
    axis->setLabelFont(fontOf(Type::Secondary));
    axis->setLabelColor(t.secondary);
    axis->setTickLabelPadding(px(4));
    axis->setLabelPadding(px(4));
    axis->grid()->setPen(QPen(t.grid));
    axis->grid()->setZeroLinePen(Qt::NoPen);
    axis->grid()->setSubGridVisible(false);
}

QCPItemText* PlotScene::label(QCPAxisRect* rect, const QString& text, Qt::Alignment alignment) const
{
    auto* item = new QCPItemText(plot);
    item->position->setAxisRect(rect);
    item->position->setAxes(rect->axis(QCPAxis::atBottom), rect->axis(QCPAxis::atLeft));
    item->setClipToAxisRect(false);
    item->setFont(fontOf(Type::Secondary));
    item->setColor(tokens().secondary);
    item->setText(text);
    item->setPositionAlignment(alignment);
    item->setPadding(QMargins(px(3), 1, px(3), 1));
    item->setSelectable(false);
    return item;
}

void PlotScene::addBand(const PlotReference& reference)
{
    if (!reference.band)
        return;
    auto* stripe = new QCPItemRect(plot);
    stripe->setLayer(u"background"_s);
    stripe->setClipAxisRect(main);
    for (QCPItemPosition* corner : {stripe->topLeft, stripe->bottomRight}) {
        corner->setAxisRect(main);
        corner->setAxes(x(), y());
        corner->setTypeX(QCPItemPosition::ptAxisRectRatio);
    }
    stripe->topLeft->setCoords(0, reference.band->second);
    stripe->bottomRight->setCoords(1, reference.band->first);
    QColor soft = tokens().secondary;
    soft.setAlphaF(0.14F);
    stripe->setPen(Qt::NoPen);
    stripe->setBrush(soft);
    stripe->setSelectable(false);
}

void PlotScene::addReference(const PlotReference& reference)
{
    auto* line = new QCPItemStraightLine(plot);
    line->setClipAxisRect(main);
    for (QCPItemPosition* position : {line->point1, line->point2}) {
        position->setAxisRect(main);
        position->setAxes(x(), y());
    }
    line->point1->setCoords(0, reference.y);
    line->point2->setCoords(1, reference.y);
    line->setPen(QPen(tokens().secondary, 1, Qt::DashLine));
    line->setSelectable(false);
}

void PlotScene::addReferenceLabel(const PlotReference& reference)
{
    QCPItemText* text = label(
        main, reference.label, reference.below ? Qt::AlignHCenter | Qt::AlignTop : Qt::AlignLeft | Qt::AlignBottom);
    text->position->setTypeX(QCPItemPosition::ptAxisRectRatio);
    text->position->setCoords(reference.below ? 0.5 : 0.005, reference.y);
    if (!reference.below) // what comes close to the line, and its ring, stays below the name
        text->setPadding(QMargins(px(2), 0, px(2), px(7)));
    QColor ground = tokens().panel; // the curves stay to be seen below it
    ground.setAlphaF(0.85F);
    text->setBrush(ground);
    referenceLabels.append(text);
}

QVector<QRectF> PlotScene::boxesOfSteps() const
{
    QVector<QRectF> boxes;
    for (const PlotSeries& one : series) {
        const QPolygonF corners = stepsInPixels(*x(), *y(), one.stepX, one.stepY);
        for (qsizetype i = 0; i + 1 < corners.size(); ++i)
            boxes << QRectF(corners[i], corners[i + 1]).normalized().adjusted(-1, -1, 1, 1);
    }
    return boxes;
}

QVector<QRectF> PlotScene::placeReferences(const QVector<QRectF>& taken, const QVector<QRectF>& avoided)
{
    QVector<QRectF> boxes;
    for (int i = 0; i < referenceLabels.size(); ++i) {
        QCPItemText* text = referenceLabels[i];
        QVector<double> parts{0.005, 0.25, 0.5, 0.75}; // of the plot's width
        if (references[i].below)
            parts = {0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8, 0.1, 0.9};
        QVector<QRectF> choices;
        for (const double part : std::as_const(parts)) {
            text->position->setCoords(part, references[i].y);
            choices << QRectF(text->topLeft->pixelPosition(), text->bottomRight->pixelPosition());
        }
        const QRectF room(main->rect());
        int free = firstFree(choices, room, taken + boxes + avoided);
        if (free < 0)
            free = firstFree(choices, room, taken + boxes);
        text->setVisible(free >= 0);
        if (free < 0)
            continue;
        text->position->setCoords(parts[free], references[i].y);
        boxes << choices[free];
    }
    return boxes;
}

void PlotScene::addRug()
{
    QMap<QRgb, QVector<double>> byColour;
    for (const PlotTick& tick : ticks)
        byColour[tick.colour.rgb()].append(tick.x);
    for (auto colour = byColour.begin(); colour != byColour.end(); ++colour) {
        std::ranges::sort(colour.value());
        auto* graph = plot->addGraph(rugX(), rug->axis(QCPAxis::atLeft));
        graph->setLineStyle(QCPGraph::lsImpulse);
        graph->setPen(QPen(QColor(colour.key()), ticks.size() > 500 ? 1 : 2));
        graph->setAntialiased(false);
        graph->setData(colour.value(), QVector<double>(colour.value().size(), 1.0), true);
    }
    QCPItemText* name = label(rug, rugName, Qt::AlignRight | Qt::AlignVCenter);
    name->position->setType(QCPItemPosition::ptAxisRectRatio);
    name->position->setCoords(-0.004, 0.5);
    QCPItemText* count = label(rug, rugCount, Qt::AlignLeft | Qt::AlignVCenter);
    count->position->setType(QCPItemPosition::ptAxisRectRatio);
    count->position->setCoords(1.004, 0.5);
}

QCPGraph* PlotScene::addRing(QCPScatterStyle::ScatterShape shape, const QColor& colour)
{
    auto* ring = plot->addGraph(x(), y());
    ring->setLineStyle(QCPGraph::lsNone);
    ring->setScatterStyle(QCPScatterStyle(shape, QPen(colour, 2), Qt::NoBrush, px(13)));
    ring->setLayer(u"rings"_s);
    return ring;
}

void PlotScene::placeRings()
{
    // They get other data, and stay: a graph that comes or goes has the library paint the whole plot anew.
    const auto place = [](QCPGraph& ring, const std::optional<QPointF>& at) {
        ring.data()->clear();
        if (at)
            ring.addData(at->x(), at->y());
    };
    place(*referenceRing, reference);
    place(*selectedRing, selected);
    if (!replots)
        plot->layer(u"rings"_s)->replot();
}

void PlotScene::rebuild()
{
    replots = true;
    const Tokens& t = tokens();
    plot->clearGraphs();
    plot->clearItems();
    across = nullptr; // with all items
    endLabels.clear();
    referenceLabels.clear();
    messageText = nullptr;
    plot->setBackground(QBrush(t.panel));
    const bool hasRug = !rugName.isEmpty();
    rug->setBackground(hasRug ? QBrush(t.raised) : QBrush(Qt::NoBrush));
    rug->setMinimumSize(60, hasRug ? px(16) : 1);
    rug->setMaximumSize(QWIDGETSIZE_MAX, hasRug ? px(16) : 1);
    rug->setMinimumMargins(QMargins(15, hasRug ? 15 : 0, 15, 15)); // as the library has them
    plot->plotLayout()->setRowSpacing(hasRug ? px(6) : 0);
    for (QCPAxis* axis : {x(), y(), rugX()})
        style(axis);
    if (!hasRug) // then the rug is no more than its axis, which stands below
        x()->setBasePen(Qt::NoPen);
    for (const PlotSeries& one : series) {
        if (one.x.size() > manyDots) {
            new Dots(x(), y(), one.x, one.y, discOf(one.colour, plot->devicePixelRatioF())); // the plot's
        } else {
            QCPGraph* dots = plot->addGraph(x(), y());
            dots->setLineStyle(QCPGraph::lsNone);
            dots->setData(one.x, one.y, true);
            // Opaque: a softened one would have the colour of no line, or that of another island's.
            dots->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDisc, QPen(one.colour), one.colour, px(5)));
        }
    }
    addBrush();
    addGuides();
    for (const PlotReference& reference : references) // before the names, which cover the lines where they meet
        addBand(reference), addReference(reference);
    for (const PlotSeries& one : series) {
        auto* steps = new Steps(x(), y(), one.stepX, one.stepY); // the plot's
        steps->setPen(QPen(one.colour, 2, one.line)); // monotone and short: a wide pen costs little here
    }
    for (const PlotReference& reference : references)
        addReferenceLabel(reference);
    for (const PlotSeries& one : series) {
        if (!one.stepX.isEmpty()) {
            QCPItemText* end = label(main, one.label, Qt::AlignLeft | Qt::AlignVCenter);
            end->setColor(standingOut(one.colour, t.panel, readable)); // its line's, where that can be read
            end->setBrush(t.panel);
            end->position->setTypeY(QCPItemPosition::ptAbsolute);
            endLabels.append(end);
        }
    }
    addOutside();
    addRug();
    addMarks();
    referenceRing = addRing(QCPScatterStyle::ssDiamond, tokens().secondary); // those before went with all graphs
    selectedRing = addRing(QCPScatterStyle::ssCircle, tokens().text);
    placeRings();
    messageText = message.isEmpty() ? nullptr : label(main, message, Qt::AlignCenter);
    if (messageText) {
        messageText->setFont(fontOf(Type::Prose));
        messageText->setTextAlignment(Qt::AlignCenter);
        messageText->position->setType(QCPItemPosition::ptAxisRectRatio);
    }
    const auto cross = [this](QCPAxisRect* rect) {
        auto* line = new QCPItemStraightLine(plot);
        line->setClipAxisRect(rect);
        for (QCPItemPosition* position : {line->point1, line->point2}) {
            position->setType(QCPItemPosition::ptAbsolute);
            position->setAxisRect(rect);
        }
        line->setPen(QPen(tokens().secondary));
        line->setLayer(u"cross"_s);
        line->setVisible(false);
        return line;
    };
    across = cross(main);
    down = cross(main);
    downRug = cross(rug);
    const auto tag = [this](Qt::Alignment alignment) {
        QCPItemText* item = label(main, {}, alignment);
        item->position->setType(QCPItemPosition::ptAbsolute);
        item->setBrush(tokens().text);
        item->setColor(tokens().panel);
        item->setFont(fontOf(Type::Secondary));
        item->setLayer(u"cross"_s);
        item->setVisible(false);
        return item;
    };
    tagX = tag(Qt::AlignHCenter | Qt::AlignTop);
    tagY = tag(Qt::AlignRight | Qt::AlignVCenter);
    if (!personMoved)
        fitRanges();
    replot();
}

void PlotScene::fitRanges()
{
    double low = 1e300, high = -1e300, firstX = 1e300, lastX = -1e300;
    const auto see = [](const QVector<double>& values, double& least, double& most) {
        for (const double value : values)
            least = std::min(least, value), most = std::max(most, value);
    };
    const auto seeReference = [&](const PlotReference& reference) {
        const auto [from, to] = reference.band.value_or(std::pair(reference.y, reference.y));
        low = std::min(low, from), high = std::max(high, to);
    };
    for (const PlotSeries& one : series) {
        see(one.y, low, high), see(one.stepY, low, high);
        see(one.x, firstX, lastX), see(one.stepX, firstX, lastX);
    }
    for (const PlotTick& tick : ticks)
        firstX = std::min(firstX, tick.x), lastX = std::max(lastX, tick.x);
    for (const PlotReference& reference : references)
        seeReference(reference);
    if (firstX > lastX)
        firstX = 0, lastX = 10;
    if (low > high)
        low = 0.8, high = 1.5;
    const double span = std::max(lastX - firstX, counting ? 1.0 : 1e-6);
    // The names at the line ends need their room at any width.
    const double room = QFontMetricsF(fontOf(Type::Secondary)).horizontalAdvance(u"W ≈ 000.0×"_s) + px(18);
    const double part = std::clamp(room / std::max(main->width(), 120), 0.03, 0.4);
    fittedSize = main->size();
    const double lower = firstX - span * 0.02;
    x()->setRange(lower, lower + std::max(lastX - lower, span * 0.02) / (1 - part));
    low = std::max(low, 1e-3);
    const bool isLog = logarithmic.value_or(std::max(high, 1e-3) / std::max(low, 1e-3) > logFrom);
    if (isLog && bulk && !showsAll) {
        low = bulk->first, high = bulk->second;
        for (const PlotReference& reference : references)
            seeReference(reference);
        low = std::max(low, 1e-3);
    }
    if (const double middle = (low + high) / 2, least = middle * leastSpan; leastSpan > 0 && high - low < least)
        low = middle - least / 2, high = middle + least / 2;
    else if (leastSpan <= 0 && high / low < 1.05) // only the baseline: an axis that means something
        low *= 0.8, high *= 1.5;
    // Room for a label over the topmost line, or for the rows of marks above it.
    const double wanted = marks.isEmpty() ? px(24) : std::max<double>(px(24), heightOfMarks());
    const double upper = std::clamp(wanted / std::max<double>(main->height(), 120), 0.08, 0.3);
    const double below = isLog ? std::max(0.06, std::log(1.15) / std::log(high / low)) : 0.12;
    const double above = upper * (1 + below) / (1 - upper);
    y()->setScaleType(isLog ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    const QSharedPointer<QCPAxisTicker> ticker(isLog ? new DecadeTicker : new QCPAxisTicker);
    y()->setTicker(ticker);
    if (isLog)
        y()->setRange(low / std::pow(high / low, below), high * std::pow(high / low, above));
    else
        y()->setRange(std::max(0.0, low - (high - low) * below - 0.02), high + (high - low) * above + 0.02);
}

void PlotScene::fitToSize()
{
    const QSize size = main->size();
    if (personMoved
        || (std::abs(size.width() - fittedSize.width()) < px(8)
            && std::abs(size.height() - fittedSize.height()) < px(8)))
        return;
    fitRanges();
    replot();
}

void PlotScene::placeMessage()
{
    if (!messageText)
        return;
    constexpr double usual = 0.3; // of the plot's height
    const QFontMetricsF metrics(messageText->font());
    messageText->setText(brokenInto(main->width() - px(24), message, metrics));
    const double height = metrics.lineSpacing() * (messageText->text().count(u'\n') + 1) + 2;
    messageText->position->setCoords(0.5, std::max(usual, height / 2 / std::max(main->height(), 1)));
}

namespace {

/// A name at the end of its line.
struct EndPlace {
    QCPItemText* item;
    double x, y;
};

} // namespace

void PlotScene::placeLabels()
{
    placeMessage();
    placeGuides();
    std::vector<EndPlace> places;
    int at = 0;
    for (const PlotSeries& one : series)
        if (!one.stepX.isEmpty() && at < endLabels.size())
            places.push_back(
                // Beside the ring that the selected one may have there.
                {endLabels[at++], x()->coordToPixel(one.stepX.last()) + px(10), y()->coordToPixel(one.stepY.last())});
    const double line = QFontMetricsF(fontOf(Type::Secondary)).height();
    QVector<double> wanted;
    for (const EndPlace& place : places)
        wanted << place.y;
    const auto middles = placeEndLabels(wanted, line, main->top(), main->bottom());
    for (std::size_t i = 0; i < places.size(); ++i) {
        const auto& middle = middles[static_cast<qsizetype>(i)];
        places[i].item->setVisible(middle.has_value());
        places[i].y = middle.value_or(places[i].y);
    }
    std::erase_if(places, [](const EndPlace& place) { return !place.item->visible(); });
    QVector<QRectF> taken;
    for (const EndPlace& place : places) {
        const double width = QFontMetricsF(place.item->font()).horizontalAdvance(place.item->text()) + 2 * px(3);
        const bool isShown = place.x < main->right() + px(20) && place.x > main->left();
        const double left = std::min(place.x, main->right() - width); // short of the axis at the right
        place.item->position->setTypeX(QCPItemPosition::ptAbsolute);
        place.item->position->setCoords(left, place.y);
        place.item->setVisible(isShown);
        if (isShown)
            taken << QRectF(left, place.y - line / 2, width, line);
    }
    taken += placeOutside(taken);
    placeMarks(taken + placeReferences(taken, boxesOfOutside() + boxesOfSteps()));
}

void PlotScene::tagCrosshair()
{
    if (!across || !across->visible())
        return;
    const QPointF pixel(down->point1->coords().x(), across->point1->coords().y());
    const double value = y()->pixelToCoord(pixel.y());
    tagY->setText(QString::number(value, 'f', value >= 10 ? 1 : 2));
    tagY->position->setCoords(main->left() - px(2), pixel.y());
    const double place = x()->pixelToCoord(pixel.x());
    tagX->setText(counting ? QString::number(std::llround(place)) : QString::number(place, 'g', 3));
    tagX->position->setCoords(pixel.x(), rug->bottom() + px(4));
}

void PlotScene::crosshair(const QPointF& pixel, bool visible)
{
    if (!across)
        return;
    for (QCPAbstractItem* item : std::initializer_list<QCPAbstractItem*>{across, down, downRug, tagX, tagY})
        item->setVisible(visible);
    if (visible) {
        across->point1->setCoords(0, pixel.y());
        across->point2->setCoords(1, pixel.y());
        for (QCPItemStraightLine* line : {down, downRug}) {
            line->point1->setCoords(pixel.x(), 0);
            line->point2->setCoords(pixel.x(), 1);
        }
        tagCrosshair();
    }
    plot->layer(u"cross"_s)->replot();
}

std::pair<int, int> PlotScene::nearest(const QPointF& pixel) const
{
    std::pair<int, int> found{-1, -1};
    double best = nearPixels * nearPixels;
    for (int s = 0; s < series.size(); ++s)
        for (int i = 0; i < series[s].x.size(); ++i) {
            const double dx = x()->coordToPixel(series[s].x[i]) - pixel.x();
            if (std::abs(dx) > nearPixels)
                continue;
            const double dy = y()->coordToPixel(series[s].y[i]) - pixel.y();
            if (const double distance = dx * dx + dy * dy; distance < best)
                best = distance, found = {s, i};
        }
    return found;
}

} // namespace tilewright::ui
