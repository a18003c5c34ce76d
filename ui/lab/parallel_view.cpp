// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/parallel_view.h"

#include "core/base/format.h"
#include "ui/models/display_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/paint.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>
#include <set>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr double nearAxis = 14, nearLine = 8; ///< logical pixels
constexpr std::size_t mostTicks = 12; ///< values of an axis that are written

} // namespace

ParallelView::ParallelView(QWidget* parent)
    : QWidget(parent)
{
    setObjectName(u"parallelView"_s);
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
}

QSize ParallelView::sizeHint() const { return {px(520), px(360)}; }
QSize ParallelView::minimumSizeHint() const { return {px(280), px(200)}; }

void ParallelView::show(std::vector<QString> axes, std::vector<ParallelLine> lines, const QString& nothing)
{
    const CandidateId before = m_marked >= 0 ? m_lines[static_cast<std::size_t>(m_marked)].candidate : CandidateId{};
    if (axes != m_axes)
        m_kept.clear();
    m_axes = std::move(axes);
    m_lines = std::move(lines);
    m_nothing = nothing;
    std::ranges::stable_sort(m_lines, {}, &ParallelLine::score);
    m_values.clear();
    for (std::size_t axis = 0; axis < m_axes.size(); ++axis) {
        std::set<double> values;
        for (const ParallelLine& line : m_lines)
            if (line.values[axis])
                values.insert(*line.values[axis]);
        m_values.emplace_back(values.begin(), values.end());
    }
    m_lowest = m_lines.empty() ? 0 : m_lines.front().score;
    m_highest = m_lines.empty() ? 0 : m_lines.back().score;
    const auto at = std::ranges::find(m_lines, before, &ParallelLine::candidate);
    mark(at == m_lines.end() || before.value == 0 ? -1 : static_cast<int>(at - m_lines.begin()));
}

QRectF ParallelView::area() const { return QRectF(rect()).adjusted(px(44), px(34), -px(56), -px(16)); }

double ParallelView::xOf(int axis) const
{
    return axisCount() < 2 ? area().center().x() : area().left() + area().width() * axis / (axisCount() - 1);
}

double ParallelView::yOf(double share) const { return area().bottom() - share * area().height(); }

std::optional<double> ParallelView::shareAt(const ParallelLine& line, int axis) const
{
    if (axis + 1 == axisCount())
        return m_highest > m_lowest && m_lowest > 0 ? std::log(line.score / m_lowest) / std::log(m_highest / m_lowest)
                                                    : 0.5;
    const auto& values = m_values[static_cast<std::size_t>(axis)];
    const auto& value = line.values[static_cast<std::size_t>(axis)];
    if (!value)
        return std::nullopt;
    const auto at = std::ranges::lower_bound(values, *value) - values.begin();
    return values.size() < 2 ? 0.5 : double(at) / double(values.size() - 1);
}

void ParallelView::keep(int axis, double low, double high)
{
    m_kept[axis] = std::minmax(low, high);
    update();
}

void ParallelView::keepAll()
{
    m_kept.clear();
    update();
}

bool ParallelView::isKept(const ParallelLine& line) const
{
    return std::ranges::all_of(m_kept, [&](const auto& kept) {
        const auto share = shareAt(line, kept.first);
        constexpr double room = 1e-9;
        return share && *share >= kept.second.first - room && *share <= kept.second.second + room;
    });
}

int ParallelView::axisNear(double x) const
{
    for (int axis = 0; axis < axisCount(); ++axis)
        if (std::abs(xOf(axis) - x) <= px(nearAxis))
            return axis;
    return -1;
}

int ParallelView::lineNear(const QPointF& place) const
{
    int nearest = -1;
    double distance = px(nearLine);
    for (int i = 0; i < static_cast<int>(m_lines.size()); ++i) {
        const ParallelLine& line = m_lines[static_cast<std::size_t>(i)];
        if (!isKept(line))
            continue;
        for (int axis = 0; axis + 1 < axisCount(); ++axis) {
            const auto from = shareAt(line, axis), to = shareAt(line, axis + 1);
            if (!from || !to || place.x() < xOf(axis) || place.x() > xOf(axis + 1))
                continue;
            const double along = (place.x() - xOf(axis)) / (xOf(axis + 1) - xOf(axis));
            const double away = std::abs(yOf(*from + along * (*to - *from)) - place.y());
            if (away <= distance) {
                distance = away;
                nearest = i;
            }
        }
    }
    return nearest;
}

void ParallelView::mark(int line)
{
    m_marked = line;
    QString words = tr("Parallel coordinates of %1 candidates").arg(m_lines.size());
    if (line >= 0)
        words += u", "_s + m_lines[static_cast<std::size_t>(line)].words;
    setAccessibleName(words);
    update();
}

void ParallelView::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Tokens& t = tokens();
    if (m_lines.empty()) {
        painter.setPen(t.secondary);
        painter.drawText(rect().adjusted(px(16), 0, -px(16), 0), Qt::AlignCenter | Qt::TextWordWrap, m_nothing);
        return;
    }
    const auto drawLine = [&](const ParallelLine& line, const QColor& colour, double width) {
        painter.setPen(QPen(colour, width));
        for (int axis = 0; axis + 1 < axisCount(); ++axis)
            if (const auto from = shareAt(line, axis), to = shareAt(line, axis + 1); from && to)
                painter.drawLine(QPointF(xOf(axis), yOf(*from)), QPointF(xOf(axis + 1), yOf(*to)));
    };
    QColor faded = t.secondary;
    faded.setAlphaF(0.12F);
    for (const ParallelLine& line : m_lines)
        if (!isKept(line))
            drawLine(line, faded, 1);
    for (const ParallelLine& line : m_lines)
        if (isKept(line)) {
            QColor colour = viridis(*shareAt(line, axisCount() - 1));
            colour.setAlphaF(0.75F);
            drawLine(line, colour, 1.5);
        }
    if (m_marked >= 0)
        drawLine(m_lines[static_cast<std::size_t>(m_marked)], t.text, 3);
    for (int axis = 0; axis < axisCount(); ++axis) {
        const bool isScore = axis + 1 == axisCount();
        painter.setPen(QPen(t.text, 1));
        painter.drawLine(QPointF(xOf(axis), yOf(0)), QPointF(xOf(axis), yOf(1)));
        if (const auto kept = m_kept.find(axis); kept != m_kept.end()) {
            QColor band = t.accent;
            band.setAlphaF(0.35F);
            const double top = yOf(kept->second.second), bottom = yOf(kept->second.first);
            painter.fillRect(QRectF(xOf(axis) - px(5), top - px(3), px(10), bottom - top + px(6)), band);
        }
        painter.setFont(fontOf(Type::Strong));
        const double wide = area().width() / std::max(1, axisCount() - 1);
        drawElided(painter, QRectF(xOf(axis) - wide / 2, 0, wide, px(30)), Qt::AlignHCenter | Qt::AlignBottom,
            isScore ? tr("score") : m_axes[static_cast<std::size_t>(axis)]);
        painter.setFont(fontOf(Type::Tick));
        painter.setPen(t.secondary);
        const auto tick = [&](double share, const QString& words) {
            painter.drawText(
                QRectF(xOf(axis) + px(4), yOf(share) - px(8), px(54), px(16)), Qt::AlignLeft | Qt::AlignVCenter, words);
        };
        if (isScore) {
            tick(0, text(ratioText(m_lowest)));
            if (m_highest > m_lowest)
                tick(1, text(ratioText(m_highest)));
            continue;
        }
        const auto& values = m_values[static_cast<std::size_t>(axis)];
        const std::size_t every = (values.size() + mostTicks - 1) / mostTicks;
        for (std::size_t i = 0; i < values.size(); i += std::max<std::size_t>(1, every))
            tick(values.size() < 2 ? 0.5 : double(i) / double(values.size() - 1), text(numberText(values[i])));
    }
    if (hasFocus()) {
        painter.setPen(QPen(t.accent, 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(rect().adjusted(1, 1, -2, -2), 4, 4);
    }
}

bool ParallelView::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const int line = lineNear(help->pos());
    if (line < 0)
        QToolTip::hideText();
    else
        QToolTip::showText(help->globalPos(), m_lines[static_cast<std::size_t>(line)].words.toHtmlEscaped(), this);
    return true;
}

void ParallelView::mousePressEvent(QMouseEvent* event)
{
    m_dragged = m_lines.empty() ? -1 : axisNear(event->position().x());
    m_dragFrom = (area().bottom() - event->position().y()) / std::max(1.0, area().height());
    if (m_dragged >= 0)
        return;
    if (const int line = lineNear(event->position()); line >= 0) {
        mark(line);
        Q_EMIT chosen(m_lines[static_cast<std::size_t>(line)].candidate);
    }
}

void ParallelView::mouseMoveEvent(QMouseEvent* event)
{
    if (m_dragged < 0)
        return;
    const double to = (area().bottom() - event->position().y()) / std::max(1.0, area().height());
    keep(m_dragged, std::clamp(m_dragFrom, 0.0, 1.0), std::clamp(to, 0.0, 1.0));
}

void ParallelView::mouseReleaseEvent(QMouseEvent*) { m_dragged = -1; }

void ParallelView::mouseDoubleClickEvent(QMouseEvent*) { keepAll(); }

void ParallelView::keyPressEvent(QKeyEvent* event)
{
    const int by = event->key() == Qt::Key_Up ? 1 : event->key() == Qt::Key_Down ? -1 : 0;
    if (event->key() == Qt::Key_Escape && !m_kept.empty())
        return keepAll();
    if (by == 0 || m_lines.empty())
        return QWidget::keyPressEvent(event);
    mark(std::clamp(
        m_marked < 0 ? static_cast<int>(m_lines.size()) - 1 : m_marked + by, 0, static_cast<int>(m_lines.size()) - 1));
    Q_EMIT chosen(m_lines[static_cast<std::size_t>(m_marked)].candidate);
}

} // namespace tilewright::ui
