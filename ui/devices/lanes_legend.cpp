// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/devices/lanes_legend.h"

#include "ui/devices/lanes_painting.h"
#include "ui/devices/work_words.h"
#include "ui/theme/theme.h"

#include <QPainter>
#include <cmath>

namespace tilewright::ui {
namespace {

enum class Sign { Piece, Failed, UnderWay, NodeEnd };

struct Entry {
    QString text;
    Sign sign = Sign::Piece;
    Activity activity = Activity::Screen;
};

std::vector<Entry> entries()
{
    std::vector<Entry> all;
    for (std::size_t i = 0; i < activityCount; ++i)
        all.push_back({words(static_cast<Activity>(i)), Sign::Piece, static_cast<Activity>(i)});
    all.push_back({LanesLegend::tr("came to nothing"), Sign::Failed, Activity::Screen});
    all.push_back({LanesLegend::tr("under way"), Sign::UnderWay, Activity::Screen});
    all.push_back({LanesLegend::tr("measuring program restarted"), Sign::NodeEnd, Activity::Screen});
    return all;
}

constexpr double signWidth = 14, signHeight = 12, gap = 5, apart = 14, lineHeight = 18;

/// Where each entry stands, in lines of this width; calls `at` with its left, its line and its text's width.
int lay(int width, const QFontMetricsF& metrics, const std::function<void(const Entry&, double, int, double)>& at)
{
    double x = 0;
    int line = 0;
    for (const Entry& entry : entries()) {
        const double text = std::ceil(metrics.horizontalAdvance(entry.text));
        const double needed = px(signWidth) + px(gap) + text;
        if (x > 0 && x + needed > width) {
            x = 0;
            ++line;
        }
        at(entry, x, line, text);
        x += needed + px(apart);
    }
    return line + 1;
}

} // namespace

LanesLegend::LanesLegend(QWidget* parent)
    : QWidget(parent)
{
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    QStringList names;
    for (const Entry& entry : entries())
        names << entry.text;
    setAccessibleName(tr("Legend: %1").arg(names.join(QStringLiteral(", "))));
}

int LanesLegend::heightForWidth(int width) const
{
    return lay(width, QFontMetricsF(fontOf(Type::Secondary)), [](const Entry&, double, int, double) {})
        * px(lineHeight);
}

QSize LanesLegend::sizeHint() const { return {px(420), heightForWidth(px(420))}; }
QSize LanesLegend::minimumSizeHint() const { return {px(160), px(lineHeight)}; }

void LanesLegend::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setFont(fontOf(Type::Secondary));
    const Tokens& t = tokens();
    lay(width(), QFontMetricsF(painter.font()), [&](const Entry& entry, double x, int line, double textWidth) {
        const double top = line * px(lineHeight) + (px(lineHeight) - px(signHeight)) / 2.0;
        const double height = px(signHeight) * heightOf(entry.activity);
        const QRectF sign(x, top + px(signHeight) - height, px(signWidth), height);
        const QColor colour = colourOf(t, entry.activity);
        switch (entry.sign) {
        case Sign::Piece:
            painter.fillRect(sign, colour);
            break;
        case Sign::Failed:
            painter.fillRect(sign, colour);
            painter.fillRect(QRectF(sign.left(), sign.bottom() - px(4), sign.width(), px(4)), t.bad);
            break;
        case Sign::UnderWay:
            painter.fillRect(sign, QBrush(colour, Qt::BDiagPattern));
            painter.setPen(QPen(colour, 1));
            painter.drawRect(sign.adjusted(0.5, 0.5, -0.5, -0.5));
            break;
        case Sign::NodeEnd:
            painter.setPen(QPen(t.bad, 1, Qt::DashLine));
            painter.drawLine(QPointF(sign.center().x(), top), QPointF(sign.center().x(), top + px(signHeight)));
            break;
        }
        painter.setPen(t.secondary);
        painter.drawText(QRectF(x + px(signWidth) + px(gap), line * px(lineHeight), textWidth + 1, px(lineHeight)),
            Qt::AlignLeft | Qt::AlignVCenter, entry.text);
    });
}

} // namespace tilewright::ui
