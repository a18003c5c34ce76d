// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/count_bars.h"

#include "core/base/format.h"
#include "ui/models/display_text.h"
#include "ui/theme/theme.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

CountBars::CountBars(const QString& name, QWidget* parent)
    : QWidget(parent)
    , m_name(name)
{
    show(std::vector<Row>());
}

void CountBars::show(std::vector<Row> rows)
{
    const bool isTaller = rows.size() != m_rows.size();
    m_rows = std::move(rows);
    QStringList spoken;
    for (const Row& row : m_rows)
        spoken << u"%1: %2"_s.arg(row.name).arg(row.count);
    setAccessibleName(spoken.isEmpty() ? m_name : u"%1: %2"_s.arg(m_name, spoken.join(u", "_s)));
    if (isTaller)
        updateGeometry();
    update();
}

QSize CountBars::sizeHint() const { return {px(260), px(20) * static_cast<int>(m_rows.size())}; }

void CountBars::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const Tokens& t = tokens();
    painter.setFont(fontOf(Type::Secondary));
    const QFontMetricsF metrics(painter.font());
    double most = 0;
    qreal names = 0, numbers = 0;
    const auto number = [](double count) { return text(groupedText(std::llround(count))); };
    for (const Row& row : m_rows) {
        most = std::max(most, row.count);
        names = std::max(names, metrics.horizontalAdvance(row.name));
        numbers = std::max(numbers, metrics.horizontalAdvance(number(row.count)));
    }
    const qreal left = names + px(8), room = std::max<qreal>(0, width() - left - numbers - px(8));
    qreal top = 0;
    for (const Row& row : m_rows) {
        painter.setPen(t.secondary);
        painter.drawText(QRectF(0, top, names, px(20)), Qt::AlignRight | Qt::AlignVCenter, row.name);
        const qreal wide = most > 0 ? room * row.count / most : 0;
        painter.fillRect(QRectF(left, top + px(4), wide, px(12)), t.islands[0]);
        painter.setPen(t.text);
        painter.drawText(QRectF(left + wide + px(6), top, width(), px(20)), Qt::AlignVCenter, number(row.count));
        top += px(20);
    }
}

} // namespace tilewright::ui
