// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/plot/plot_scene.h"

#include "ui/theme/theme.h"

#include <QVBoxLayout>
#include <algorithm>

namespace tilewright::ui {

namespace {

/// Above the plot, which covers all of its view.
class FocusRing : public QWidget
{
public:
    explicit FocusRing(QWidget* parent)
        : QWidget(parent)
    {
        setAttribute(Qt::WA_TransparentForMouseEvents);
        setVisible(false);
    }

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        painter.setPen(QPen(tokens().accent, 2));
        painter.drawRect(rect().adjusted(1, 1, -1, -1));
    }
};

bool isOn(const QCPItemText* name, const QPoint& point)
{
    return name->visible()
        && QRectF(name->topLeft->pixelPosition(), name->bottomRight->pixelPosition()).contains(point);
}

} // namespace

PlotView::PlotView(QWidget* parent)
    : QWidget(parent)
    , d(std::make_unique<PlotScene>())
{
    d->plot = new QCustomPlot(this);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(d->plot);
    setFocusPolicy(Qt::StrongFocus);
    d->plot->setFocusPolicy(Qt::NoFocus);
    d->plot->installEventFilter(this);
    m_ring = new FocusRing(this);
    d->build();
    d->rebuild();
    connect(&Theme::instance(), &Theme::changed, this, [this] {
        d->labelWidths.clear();
        d->rebuild();
    });
    connect(d->plot, &QCustomPlot::afterLayout, this, [this] {
        d->fitName();
        d->placeLabels();
    });
    connect(d->plot, &QCustomPlot::afterReplot, this, [this] {
        d->replots = false;
        d->fitToSize();
    });
    connect(d->plot, &QCustomPlot::mouseWheel, this, [this](QWheelEvent* event) {
        d->personMoved = true;
        d->main->setRangeZoom(event->modifiers().testFlag(Qt::ControlModifier) ? Qt::Vertical : Qt::Horizontal);
    });
    connect(d->plot, &QCustomPlot::mouseDoubleClick, this, [this] { fit(); });
    connect(d->plot, &QCustomPlot::mousePress, this, [this](QMouseEvent* event) {
        d->pressed = event->pos();
        const bool brushes = event->button() == Qt::LeftButton && d->main->rect().contains(event->pos())
            && d->brushing != event->modifiers().testFlag(Qt::ShiftModifier);
        d->plot->setSelectionRectMode(brushes ? QCP::srmCustom : QCP::srmNone);
        setFocus(Qt::MouseFocusReason);
    });
    connect(d->plot->selectionRect(), &QCPSelectionRect::accepted, this, [this](const QRect& box) {
        if (box.normalized().width() < px(5))
            return; // a click
        const auto ends = std::minmax({d->x()->pixelToCoord(box.left()), d->x()->pixelToCoord(box.right())});
        Q_EMIT brushed(ends.first, ends.second);
    });
    connect(d->plot, &QCustomPlot::mouseRelease, this, [this](QMouseEvent* event) {
        if ((event->pos() - d->pressed).manhattanLength() > 4)
            return;
        if (outsideBox().contains(event->position())) {
            const QCPRange stretch = d->x()->range();
            d->showsAll = true;
            d->fitRanges();
            if (d->personMoved)
                d->x()->setRange(stretch);
            d->replot();
            return;
        }
        const auto [series, index] = d->nearest(event->position());
        if (index >= 0)
            Q_EMIT clicked(series, index);
    });
    connect(d->plot, &QCustomPlot::mouseMove, this, [this](QMouseEvent* event) {
        if (event->buttons() != Qt::NoButton && d->plot->selectionRectMode() == QCP::srmNone)
            d->personMoved = true;
        const QVector<int> marks = marksAt(event->pos()); // a dot that lies under their names can still be clicked
        const auto [series, index] = marks.isEmpty() ? d->nearest(event->position()) : std::pair(-1, -1);
        d->crosshair(event->position(), d->main->rect().contains(event->pos()));
        Q_EMIT hovered(series, index, event->pos());
        Q_EMIT marksHovered(marks, event->pos());
        if (index >= 0 || !marks.isEmpty())
            return;
        if (const int named = seriesNamedAt(event->pos()); named >= 0)
            Q_EMIT seriesNamed(named, event->pos());
        else if (const int reference = referenceNamedAt(event->pos()); reference >= 0)
            Q_EMIT referenceNamed(reference, event->pos());
        else if (const int guide = guideAt(event->pos()); guide >= 0)
            Q_EMIT guideHovered(guide, event->pos());
    });
}

PlotView::~PlotView() = default;

void PlotView::setSeries(const QVector<PlotSeries>& series)
{
    d->series = series;
    d->rebuild();
}

const QVector<PlotSeries>& PlotView::series() const { return d->series; }

const QVector<PlotTick>& PlotView::rug() const { return d->ticks; }

void PlotView::setReferences(const QVector<PlotReference>& references) { d->references = references; }

const QVector<PlotReference>& PlotView::references() const { return d->references; }

void PlotView::setRug(const QVector<PlotTick>& ticks, const QString& name, const QString& count)
{
    d->ticks = ticks;
    d->rugName = name;
    d->rugCount = count;
}

void PlotView::setAxes(const QString& left, const QString& bottom)
{
    d->leftName = left;
    d->rugX()->setLabel(bottom);
    d->fitName();
}

void PlotView::setMarked(std::optional<QPointF> selected, std::optional<QPointF> reference)
{
    if (d->selected == selected && d->reference == reference)
        return;
    d->selected = selected;
    d->reference = reference;
    d->placeRings();
}

void PlotView::setMarks(const QVector<PlotMark>& marks) { d->marks = marks; }

const QVector<PlotMark>& PlotView::marks() const { return d->marks; }

void PlotView::setGuides(const QVector<PlotGuide>& guides) { d->guides = guides; }

const QVector<PlotGuide>& PlotView::guides() const { return d->guides; }

int PlotView::longGuides() const
{
    return static_cast<int>(
        std::ranges::count_if(d->guideLines->lines, [](const UprightLine& line) { return line.from == 0; }));
}

int PlotView::guideAt(const QPoint& point) const
{
    if (!d->main->rect().contains(point))
        return -1;
    const auto away = [&](const PlotGuide& guide) { return std::abs(d->x()->coordToPixel(guide.x) - point.x()); };
    const auto nearest = std::ranges::min_element(d->guides, {}, away);
    return nearest != d->guides.end() && away(*nearest) <= px(4) ? static_cast<int>(nearest - d->guides.begin()) : -1;
}

QRect PlotView::area() const { return d->main->rect(); }

QVector<QRectF> PlotView::labelBoxes() const
{
    QVector<QRectF> boxes;
    for (const QVector<QCPItemText*>* labels : {&d->endLabels, &d->markLabels, &d->referenceLabels})
        for (const QCPItemText* label : *labels)
            if (label->visible())
                boxes << QRectF(label->topLeft->pixelPosition(), label->bottomRight->pixelPosition());
    return boxes;
}

QRectF PlotView::messageBox() const
{
    return d->messageText
        ? QRectF(d->messageText->topLeft->pixelPosition(), d->messageText->bottomRight->pixelPosition())
        : QRectF();
}

QVector<int> PlotView::marksAt(const QPoint& point) const
{
    const int reach = px(7), depth = px(26);
    const bool isOnTicks = point.y() >= d->main->top() - reach && point.y() <= d->main->top() + depth;
    QVector<int> found;
    for (int i = 0; isOnTicks && i < d->marks.size(); ++i)
        if (std::abs(d->x()->coordToPixel(d->marks[i].x) - point.x()) <= reach)
            found.append(i);
    if (!found.isEmpty())
        return found;
    for (int i = 0; i < d->labelledMarks.size(); ++i)
        if (isOn(d->markLabels[i], point))
            found.append(d->labelledMarks[i]);
    return found;
}

void PlotView::setBrush(const std::optional<std::pair<double, double>>& brush)
{
    if (brush == d->brush)
        return;
    d->brush = brush;
    d->rebuild();
}

void PlotView::setBrushing(bool brushing)
{
    d->brushing = brushing;
    d->plot->setCursor(brushing ? Qt::SplitHCursor : Qt::ArrowCursor);
}

void PlotView::setLogarithmic(std::optional<bool> logarithmic) { d->logarithmic = logarithmic; }

void PlotView::setBulk(const std::optional<std::pair<double, double>>& bulk) { d->bulk = bulk; }

std::pair<int, int> PlotView::outside() const { return {d->below, d->above}; }

QRectF PlotView::outsideBox() const
{
    for (const QCPItemText* count : {d->belowCount, d->aboveCount})
        if (count && count->visible())
            return {count->topLeft->pixelPosition(), count->bottomRight->pixelPosition()};
    return {};
}

int PlotView::seriesNamedAt(const QPoint& point) const
{
    int label = 0; // series without a line have no name
    for (int i = 0; i < d->series.size(); ++i)
        if (!d->series[i].stepX.isEmpty() && label < d->endLabels.size() && isOn(d->endLabels[label++], point))
            return i;
    return -1;
}

int PlotView::referenceNamedAt(const QPoint& point) const
{
    for (int i = 0; i < d->referenceLabels.size(); ++i)
        if (isOn(d->referenceLabels[i], point))
            return i;
    return -1;
}

QVector<QRectF> PlotView::outsideMarks() const { return d->boxesOfOutside(); }

bool PlotView::isLogarithmic() const { return d->y()->scaleType() == QCPAxis::stLogarithmic; }

void PlotView::setCounting(bool counting) { d->setCounting(counting); }

void PlotView::setLeastSpan(double part) { d->leastSpan = part; }

void PlotView::moveBrush(bool end, double part)
{
    const QCPRange seen = d->x()->range();
    auto [from, to] = d->brush.value_or(std::pair{seen.lower, seen.upper});
    (end ? to : from) += part * seen.size();
    if (from < to)
        Q_EMIT brushed(std::max(from, 0.0), to);
}

void PlotView::setMessage(const QString& message)
{
    if (message == d->message)
        return;
    d->message = message;
    d->rebuild();
}

QString PlotView::message() const { return d->message; }

void PlotView::fit()
{
    d->showsAll = false;
    d->personMoved = false;
    d->fitRanges();
    d->replot();
}

void PlotView::zoomBy(double factor)
{
    d->personMoved = true;
    d->x()->scaleRange(factor);
    d->replot();
}

void PlotView::panBy(double part)
{
    d->personMoved = true;
    d->x()->moveRange(d->x()->range().size() * part);
    d->replot();
}

QPoint PlotView::pixelOf(double x, double y) const
{
    return QPointF(d->x()->coordToPixel(x), d->y()->coordToPixel(y)).toPoint();
}

void PlotView::keyPressEvent(QKeyEvent* event)
{
    const bool isArrow = event->key() == Qt::Key_Left || event->key() == Qt::Key_Right;
    if (isArrow && event->modifiers().testFlag(Qt::ShiftModifier)) {
        moveBrush(!event->modifiers().testFlag(Qt::AltModifier), event->key() == Qt::Key_Left ? -0.05 : 0.05);
        return;
    }
    switch (event->key()) {
    case Qt::Key_Escape:
        if (!d->brush) {
            QWidget::keyPressEvent(event);
            return;
        }
        Q_EMIT brushCleared();
        break;
    case Qt::Key_Plus:
        zoomBy(0.8);
        break;
    case Qt::Key_Minus:
        zoomBy(1.25);
        break;
    case Qt::Key_0:
        fit();
        break;
    case Qt::Key_Down:
        d->panHeight(-0.1);
        break;
    case Qt::Key_Up:
        d->panHeight(0.1);
        break;
    case Qt::Key_Left:
        panBy(-0.1);
        break;
    case Qt::Key_Right:
        panBy(0.1);
        break;
    default:
        QWidget::keyPressEvent(event);
    }
}

void PlotView::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    m_ring->setGeometry(rect());
    d->plot->setBufferDevicePixelRatio(devicePixelRatioF());
    if (!d->personMoved)
        d->fitRanges();
    d->replot();
}

void PlotView::focusInEvent(QFocusEvent* event)
{
    QWidget::focusInEvent(event);
    m_ring->setVisible(event->reason() != Qt::MouseFocusReason);
    m_ring->raise();
}

void PlotView::focusOutEvent(QFocusEvent* event)
{
    QWidget::focusOutEvent(event);
    m_ring->setVisible(false);
}

bool PlotView::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == d->plot && event->type() == QEvent::Leave) {
        d->crosshair({}, false);
        Q_EMIT hovered(-1, -1, {});
        Q_EMIT marksHovered({}, {});
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace tilewright::ui
