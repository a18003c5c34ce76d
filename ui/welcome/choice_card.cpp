// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/welcome/choice_card.h"

#include "ui/theme/theme.h"

#include <QHBoxLayout>
#include <QPainter>
#include <algorithm>

namespace tilewright::ui {

ChoiceCard::ChoiceCard(const QString& title, const QString& about, const QString& icon, QWidget* parent)
    : QAbstractButton(parent)
    , m_about(about)
    , m_icon(icon)
{
    setText(title);
    setCheckable(true);
    setAutoExclusive(true);
    setAccessibleName(title);
    setAccessibleDescription(about);
    setFocusPolicy(Qt::StrongFocus);
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void ChoiceCard::setBroken(const QString& reason)
{
    m_reason = reason;
    setCheckable(true);
    setEnabled(false);
    setToolTip(reason);
    setAccessibleDescription(reason);
    updateGeometry();
}

void ChoiceCard::setUnready(const QString& reason)
{
    setBroken(reason);
    setEnabled(true);
    setCheckable(false);
}

void ChoiceCard::setUsable()
{
    m_reason.clear();
    setCheckable(true);
    setEnabled(true);
    setToolTip({});
    setAccessibleDescription(m_about);
    updateGeometry();
    update();
}

QSize ChoiceCard::sizeHint() const { return {px(240), heightForWidth(px(240))}; }

QSize ChoiceCard::minimumSizeHint() const { return {px(160), px(48)}; }

int ChoiceCard::heightForWidth(int width) const
{
    const int inner = std::max(px(60), width - px(34) - px(34));
    const auto high = [inner](Type type, const QString& text) {
        return QFontMetrics(fontOf(type)).boundingRect(QRect(0, 0, inner, 10000), Qt::TextWordWrap, text).height();
    };
    return high(Type::Strong, text()) + high(Type::Secondary, m_reason.isEmpty() ? m_about : m_reason) + px(20);
}

void ChoiceCard::paintEvent(QPaintEvent*)
{
    const Tokens& t = tokens();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const bool chosen = isChecked();
    const QRectF frame = QRectF(rect()).adjusted(1, 1, -1, -1);
    painter.setPen(QPen(chosen || hasFocus() ? t.accent
            : underMouse()                   ? t.strongBorder
                                             : t.border,
        chosen || hasFocus() ? 2 : 1));
    painter.setBrush(chosen ? t.selected : t.panel);
    painter.drawRoundedRect(frame, 5, 5);
    const QRectF radio(px(12), px(11), px(14), px(14));
    painter.setPen(QPen(chosen ? t.accent : t.tertiary, 1.5));
    painter.setBrush(chosen ? t.accent : t.panel);
    painter.drawEllipse(radio);
    if (chosen) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(t.panel);
        painter.drawEllipse(radio.center(), px(3), px(3));
    }
    const int side = px(16);
    const QColor quiet = m_reason.isEmpty() ? t.secondary : t.warning;
    painter.drawPixmap(width() - px(12) - side, px(10),
        iconPixmap(m_reason.isEmpty() ? m_icon : QStringLiteral("warn"), quiet, side, devicePixelRatioF()));
    QRect area = rect().adjusted(px(34), px(9), -px(34), -px(6));
    painter.setPen(isEnabled() ? t.text : t.secondary);
    painter.setFont(fontOf(Type::Strong));
    QRect used;
    painter.drawText(area, Qt::TextWordWrap | Qt::AlignLeft | Qt::AlignTop, text(), &used);
    area.setTop(used.bottom() + px(2));
    painter.setPen(quiet);
    painter.setFont(fontOf(Type::Secondary));
    painter.drawText(area, Qt::TextWordWrap | Qt::AlignLeft | Qt::AlignTop, m_reason.isEmpty() ? m_about : m_reason);
}

CardColumns::CardColumns(QWidget* parent)
    : QWidget(parent)
    , m_row(new QHBoxLayout(this))
{
    m_row->setContentsMargins(px(16), px(12), px(16), px(12));
    m_row->setSpacing(px(8));
    for (QVBoxLayout*& column : m_columns) {
        column = new QVBoxLayout;
        column->setSpacing(px(8));
        m_row->addLayout(column);
    }
}

void CardColumns::add(QWidget* card, int ofTwo, int ofThree) { m_cards.push_back({card, ofTwo, ofThree}); }

void CardColumns::arrange(int columns)
{
    if (std::exchange(m_shown, columns) == columns)
        return;
    for (QVBoxLayout* column : m_columns)
        while (QLayoutItem* item = column->takeAt(0))
            delete item; // the card stays
    for (const Placed& each : m_cards)
        m_columns.at(static_cast<std::size_t>(columns > 2 ? each.ofThree
                             : columns > 1                ? each.ofTwo
                                                          : 0))
            ->addWidget(each.card);
    for (int i = 0; i < static_cast<int>(m_columns.size()); ++i) {
        m_row->setStretch(i, i < columns ? 1 : 0);
        if (i < columns)
            m_columns.at(static_cast<std::size_t>(i))->addStretch(1);
    }
}

} // namespace tilewright::ui
