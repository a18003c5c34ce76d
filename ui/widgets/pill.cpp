// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/pill.h"

#include "ui/theme/theme.h"
#include "ui/widgets/paint.h"

#include <QIconEngine>
#include <QPainter>
#include <algorithm>

namespace tilewright::ui {

Pill::Pill(QWidget* parent)
    : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

void Pill::show(const QString& text, Mood mood, const QString& icon)
{
    m_text = text;
    m_icon = icon;
    m_mood = mood;
    setAccessibleName(text);
    updateGeometry();
    update();
    setVisible(true);
}

QSize Pill::sizeHint() const
{
    const QFontMetrics metrics(fontOf(Type::Secondary));
    return {metrics.horizontalAdvance(m_text) + px(16) + (m_icon.isEmpty() ? 0 : px(16)), metrics.height() + px(4)};
}

void Pill::paintEvent(QPaintEvent*)
{
    const Tokens& t = tokens();
    const auto [fill, ink] = [&]() -> std::pair<QColor, QColor> {
        switch (m_mood) {
        case Mood::Accent:
            return {t.pill, t.accent};
        case Mood::Good:
            return {t.goodPill, t.good};
        case Mood::Bad:
            return {t.badPill, t.bad};
        case Mood::Warning:
            return {t.warningPill, t.warning};
        case Mood::Plain:
            break;
        }
        return {t.track, t.secondary};
    }();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(fill);
    painter.drawRoundedRect(rect(), height() / 2.0, height() / 2.0);
    int left = px(8);
    if (!m_icon.isEmpty()) {
        const int side = px(13);
        painter.drawPixmap(left - px(1), (height() - side) / 2, iconPixmap(m_icon, ink, side, devicePixelRatioF()));
        left += px(15);
    }
    painter.setFont(fontOf(Type::Secondary));
    painter.setPen(ink);
    painter.drawText(rect().adjusted(left, 0, 0, 0), Qt::AlignVCenter | Qt::AlignLeft, m_text);
}

namespace {

class BadgeEngine : public QIconEngine
{
public:
    explicit BadgeEngine(IslandId island)
        : m_island(island)
    {
    }
    QIconEngine* clone() const override { return new BadgeEngine(m_island); }
    void paint(QPainter* painter, const QRect& rect, QIcon::Mode, QIcon::State) override
    {
        drawBadge(*painter, rect, m_island);
    }
    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override
    {
        QPixmap picture(size);
        picture.fill(Qt::transparent);
        QPainter painter(&picture);
        paint(&painter, QRect(QPoint(), size), mode, state);
        return picture;
    }

private:
    IslandId m_island;
};

} // namespace

QIcon badgeIcon(IslandId island) { return QIcon(new BadgeEngine(island)); }

Badge::Badge(QWidget* parent)
    : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

void Badge::setIsland(IslandId island)
{
    m_island = island;
    setAccessibleName(tr("Island %1").arg(QString::fromStdString(islandLetter(island))));
    update();
}

QSize Badge::sizeHint() const { return {px(17), px(17)}; }

void Badge::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    if (m_island)
        drawBadge(painter, rect(), m_island);
}

namespace {
constexpr double warnFrom = 0.9;
}

Meter::Meter(const QString& name, QWidget* parent)
    : QAbstractButton(parent)
    , m_name(name)
{
    setCursor(Qt::PointingHandCursor);
    setFocusPolicy(Qt::TabFocus);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    setToolTip(m_tip = tr("Change the budget"));
}

void Meter::show(const QString& spent, const QString& limit, double part)
{
    if (spent == m_spent && limit == m_limit && part == m_part)
        return;
    const QSize before = sizeHint();
    m_spent = spent;
    m_limit = limit;
    m_part = part;
    setAccessibleName(tr("%1: %2 of %3. Activate to change the budget.").arg(m_name, spent, limit));
    if (toolTip() == m_tip)
        setToolTip(m_tip = accessibleName());
    if (sizeHint() != before)
        updateGeometry();
    update();
}

void Meter::setWords(Words words)
{
    if (words == m_words)
        return;
    m_words = words;
    updateGeometry();
    update();
}

int Meter::widthWith(Words words) const
{
    const QFontMetrics metrics(fontOf(Type::Secondary));
    // Room for digits to change without the toolbar moving.
    if (words == Words::All) {
        const int text = metrics.horizontalAdvance(m_name + m_spent + m_limit) + px(32);
        return std::max(px(124), (text + px(11)) / px(12) * px(12));
    }
    const int text = metrics.horizontalAdvance(words == Words::Few ? m_name + m_spent : m_spent) + px(20);
    return std::max(px(44), (text + px(5)) / px(6) * px(6));
}

QSize Meter::sizeHint() const { return {widthWith(m_words), px(34)}; }

void Meter::paintEvent(QPaintEvent*)
{
    const Tokens& t = tokens();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    if (hasFocus()) {
        painter.setPen(QPen(t.accent, 2));
        painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 4, 4);
    }
    const QRect inner = rect().adjusted(px(5), px(3), -px(5), -px(5));
    const QFontMetrics metrics(fontOf(Type::Secondary));
    const QRect line(inner.left(), inner.top(), inner.width(), metrics.height());
    painter.setFont(fontOf(Type::Secondary));
    painter.setPen(t.secondary);
    if (m_words != Words::Figure)
        painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, m_name);
    const QString limit = m_words == Words::All ? QStringLiteral(" / ") + m_limit : QString();
    painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter, limit);
    painter.setPen(m_part >= warnFrom ? t.warning : t.text);
    painter.drawText(
        line.adjusted(0, 0, -metrics.horizontalAdvance(limit), 0), Qt::AlignRight | Qt::AlignVCenter, m_spent);
    QRectF bar(inner.left(), inner.bottom() - px(3), inner.width(), px(3));
    painter.setPen(Qt::NoPen);
    painter.setBrush(t.track);
    painter.drawRoundedRect(bar, 1.5, 1.5);
    if (m_part > 0) {
        bar.setWidth(bar.width() * std::min(m_part, 1.0));
        painter.setBrush(m_part >= warnFrom ? t.warning : t.accent);
        painter.drawRoundedRect(bar, 1.5, 1.5);
    }
}

} // namespace tilewright::ui
