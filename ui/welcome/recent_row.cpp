// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/welcome/recent_row.h"

#include "ui/models/format.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"
#include "ui/widgets/paint.h"

#include <QAction>
#include <QDateTime>
#include <QFileInfo>
#include <QLocale>
#include <QPainter>
#include <QToolButton>
#include <cmath>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

/// The curve's scale: what is slower than that lies on the bottom, and a gain of a hundredth is seen.
constexpr double lowestScore = 0.9, leastHighest = 1.05;

} // namespace

RecentRow::RecentRow(const QString& path, QWidget* parent)
    : QAbstractButton(parent)
    , m_look{path, {}, {}, {}}
    , m_remove(new QToolButton(this))
{
    setObjectName(u"recentRow"_s);
    setCursor(Qt::PointingHandCursor);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAttribute(Qt::WA_Hover);
    m_remove->setObjectName(u"removeRecent"_s);
    m_remove->setIcon(ui::icon(u"x"_s, Tint::Secondary));
    m_remove->setToolTip(tr("Remove from list"));
    m_remove->setAccessibleName(tr("Remove %1 from the list").arg(path));
    m_remove->setFixedSize(px(22), px(22));
    m_remove->setVisible(false);
    connect(m_remove, &QToolButton::clicked, this, &RecentRow::removeWanted);
    auto* remove = new QAction(ui::icon(u"x"_s, Tint::Secondary), tr("Remove from list"), this);
    remove->setShortcut(QKeySequence::Delete);
    remove->setShortcutContext(Qt::WidgetShortcut);
    connect(remove, &QAction::triggered, this, &RecentRow::removeWanted);
    addAction(remove);
    setContextMenuPolicy(Qt::ActionsContextMenu);
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
    setText(QFileInfo(path).completeBaseName());
    setToolTip(path);
    setAccessibleName(tr("Open %1").arg(path));
}

void RecentRow::show(const SessionLook& look)
{
    m_look = look;
    m_isKnown = true;
    m_remove->setVisible(!look.trouble.isEmpty());
    setToolTip(tip());
    const QString best = look.sketch && look.sketch->best ? tr("best %1").arg(times(look.sketch->best)) : QString();
    QStringList words{about(), best};
    words.removeAll(QString());
    setAccessibleDescription(words.join(u", "_s));
    update();
}

QString RecentRow::about() const
{
    if (!m_look.trouble.isEmpty() || !m_look.sketch)
        return m_look.trouble;
    return u"%1 · %2"_s.arg(ui::text(m_look.sketch->task), length());
}

QString RecentRow::length() const
{
    return m_look.sketch ? counted(m_look.sketch->evaluations, tr("%1 evaluation"), tr("%1 evaluations")) : QString();
}

QString RecentRow::tip() const
{
    QStringList lines{m_look.path};
    if (!m_look.trouble.isEmpty())
        lines << m_look.details;
    if (const auto& sketch = m_look.sketch) {
        lines << about();
        lines << (sketch->best ? tr("best %1 of the baseline, 95 % interval %2 to %3")
                                     .arg(times(sketch->best), times(sketch->best->lo), times(sketch->best->hi))
                               : tr("nothing confirmed yet"));
        if (!sketch->device.empty())
            lines << tr("measured on %1").arg(ui::text(sketch->device));
        const QDateTime last = QDateTime::fromString(ui::text(sketch->lastEventUtc), Qt::ISODateWithMs);
        if (last.isValid())
            lines << tr("last change %1").arg(QLocale().toString(last.toLocalTime(), QLocale::ShortFormat));
    }
    return lines.join(u'\n');
}

QSize RecentRow::sizeHint() const { return {px(200), px(60)}; }

void RecentRow::resizeEvent(QResizeEvent* event)
{
    QAbstractButton::resizeEvent(event);
    m_remove->move(width() - m_remove->width() - px(4), (height() - m_remove->height()) / 2);
}

void RecentRow::drawPicture(QPainter& painter, const QRectF& box) const
{
    const Tokens& t = tokens();
    painter.setPen(t.border);
    painter.setBrush(t.raised);
    painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
    if (!m_look.sketch) {
        if (!m_isKnown)
            return;
        const int side = px(16);
        painter.drawPixmap(box.center() - QPointF(side / 2.0, side / 2.0),
            iconPixmap(u"warn"_s, t.warning, side, devicePixelRatioF()));
        return;
    }
    double high = leastHighest;
    std::vector<std::pair<std::int64_t, double>> curve;
    for (const auto& [evaluation, score] : m_look.sketch->curve) {
        high = std::max(high, score);
        curve.emplace_back(evaluation, std::log(std::max(score, lowestScore)));
    }
    const QRectF area = box.adjusted(px(4), px(5), -px(5), -px(4));
    const double low = std::log(lowestScore), top = std::log(high);
    const double baseline = area.bottom() - (0 - low) / (top - low) * area.height();
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(t.tertiary, 1, Qt::DashLine));
    painter.drawLine(QPointF(area.left(), baseline), QPointF(area.right(), baseline));
    drawSparkline(painter, area, curve, m_look.sketch->evaluations, low, top, t.accent);
}

void RecentRow::paintEvent(QPaintEvent*)
{
    const Tokens& t = tokens();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF whole = QRectF(rect()).adjusted(1, 1, -1, -1);
    if (isDown() || underMouse()) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(isDown() ? t.selected : t.track);
        painter.drawRoundedRect(whole, 5, 5);
    }
    const QRectF picture(px(4), px(5), px(60), height() - px(10));
    drawPicture(painter, picture);
    const qreal left = picture.right() + px(9);
    const qreal right = m_remove->isVisibleTo(this) ? m_remove->x() - px(4) : width() - px(6);
    const qreal step = (height() - px(10)) / 3.0;
    QRectF line(left, px(5), right - left, step);
    if (m_look.sketch && m_look.sketch->best) {
        painter.setFont(fontOf(Type::Strong));
        painter.setPen(t.text);
        const QString best = times(m_look.sketch->best);
        painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter, best);
        line.setRight(line.right() - QFontMetricsF(painter.font()).horizontalAdvance(best) - px(8));
    }
    painter.setFont(fontOf(Type::Body));
    painter.setPen(m_look.trouble.isEmpty() ? t.text : t.secondary);
    painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
        QFontMetricsF(painter.font()).elidedText(text(), Qt::ElideMiddle, line.width()));
    painter.setFont(fontOf(Type::Secondary));
    painter.setPen(m_look.trouble.isEmpty() ? t.secondary : t.warning);
    const auto below = [&](int lines) { return QRectF(left, px(5) + lines * step, right - left, step); };
    drawElided(painter, below(1), Qt::AlignLeft | Qt::AlignVCenter,
        m_look.sketch ? ui::text(m_look.sketch->task) : m_look.trouble);
    drawElided(painter, below(2), Qt::AlignLeft | Qt::AlignVCenter, length());
    if (hasFocus()) {
        painter.setPen(QPen(t.accent, 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(whole, 5, 5);
    }
}

} // namespace tilewright::ui
