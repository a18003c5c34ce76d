// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/prompts/token_bar.h"

#include "ui/models/display_text.h"
#include "ui/theme/theme.h"

#include <QPainter>
#include <algorithm>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {
constexpr std::size_t mostShares = 6;
constexpr int barHeight = 8, legendTop = 14, legendLine = 18;
} // namespace

TokenBar::TokenBar(QWidget* parent)
    : QWidget(parent)
{
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    connect(&Theme::instance(), &Theme::changed, this, [this] { update(); });
}

void TokenBar::show(const std::vector<std::pair<std::string, int>>& parts, std::int64_t limit)
{
    m_shares.clear();
    m_all = 0;
    m_limit = limit;
    for (const auto& [name, tokens] : parts) {
        m_all += tokens;
        if (tokens > 0)
            m_shares.push_back({text(name), tokens});
    }
    if (m_shares.size() > mostShares) {
        std::ranges::stable_sort(m_shares, std::ranges::greater(), &Share::tokens);
        int others = 0;
        for (std::size_t i = mostShares - 1; i < m_shares.size(); ++i)
            others += m_shares[i].tokens;
        m_shares.resize(mostShares - 1);
        m_shares.push_back({tr("others"), others});
    }
    QStringList said;
    for (const Share& share : m_shares)
        said << tr("%1 %2").arg(share.words, grouped(share.tokens));
    setAccessibleName(tr("Tokens by part: %1").arg(said.join(u", "_s)));
    setToolTip(said.join(u'\n'));
    updateGeometry();
    update();
}

QColor TokenBar::colourOf(std::size_t share) const
{
    const Tokens& t = tokens();
    const QColor colours[mostShares] = {t.accent, t.tertiary, t.islands[0], t.islands[1], t.islands[2], t.islands[3]};
    return colours[share % mostShares];
}

int TokenBar::layLegend(QPainter* painter, int width) const
{
    const QFontMetrics metrics(fontOf(Type::Secondary));
    int x = 0, y = px(legendTop);
    for (std::size_t i = 0; i < m_shares.size(); ++i) {
        const QString words = u"%1 %2"_s.arg(m_shares[i].words, grouped(m_shares[i].tokens));
        const int wide = px(12) + metrics.horizontalAdvance(words);
        if (x > 0 && x + wide > width) {
            x = 0;
            y += px(legendLine);
        }
        if (painter) {
            painter->setPen(Qt::NoPen);
            painter->setBrush(colourOf(i));
            painter->drawRoundedRect(QRectF(x, y + px(4), px(8), px(8)), 2, 2);
            painter->setPen(tokens().secondary);
            painter->drawText(QRect(x + px(12), y, wide, px(16)), Qt::AlignLeft | Qt::AlignVCenter, words);
        }
        x += wide + px(12);
    }
    return y + px(legendLine);
}

int TokenBar::heightForWidth(int width) const { return layLegend(nullptr, width); }
QSize TokenBar::sizeHint() const { return {px(300), heightForWidth(px(300))}; }
QSize TokenBar::minimumSizeHint() const { return {px(160), px(legendTop + legendLine)}; }

void TokenBar::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(fontOf(Type::Secondary));
    const QRectF bar(0, 0, width(), px(barHeight));
    painter.setPen(Qt::NoPen);
    painter.setBrush(tokens().track);
    painter.drawRoundedRect(bar, 2, 2);
    const double whole = static_cast<double>(m_limit > 0 ? std::max<std::int64_t>(m_limit, m_all) : std::max(m_all, 1));
    double x = 0;
    for (std::size_t i = 0; i < m_shares.size(); ++i) {
        const double wide = bar.width() * m_shares[i].tokens / whole;
        painter.setBrush(colourOf(i));
        painter.drawRect(QRectF(x, 0, std::max(wide - 1, 1.0), bar.height()));
        x += wide;
    }
    layLegend(&painter, width());
}

} // namespace tilewright::ui
