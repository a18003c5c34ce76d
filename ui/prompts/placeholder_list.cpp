// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/prompts/placeholder_list.h"

#include "core/prompt/placeholders.h"
#include "ui/models/format.h"
#include "ui/theme/theme.h"
#include "ui/widgets/paint.h"

#include <QPainter>
#include <QStyledItemDelegate>
#include <algorithm>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr int nameRole = Qt::UserRole + 1;
constexpr int meaningRole = Qt::UserRole + 2;
constexpr int tokensRole = Qt::UserRole + 3;

class PlaceholderDelegate : public QStyledItemDelegate
{
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override { return {px(120), px(44)}; }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const Tokens& t = tokens();
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        if (option.state & QStyle::State_Selected)
            painter->fillRect(option.rect, t.selected);
        const QRectF inside = QRectF(option.rect).adjusted(px(12), px(4), -px(12), -px(4));
        const QRectF upper(inside.left(), inside.top(), inside.width(), px(18));
        painter->setFont(fontOf(Type::Secondary));
        painter->setPen(t.secondary);
        const QString count = index.data(tokensRole).toString();
        painter->drawText(upper, Qt::AlignRight | Qt::AlignVCenter, count);
        painter->setFont(fontOf(Type::Mono));
        const QString tag = index.data(Qt::DisplayRole).toString();
        const double wide = QFontMetricsF(painter->font()).horizontalAdvance(tag) + px(8);
        painter->setPen(QPen(t.border, 1));
        painter->setBrush(t.pill);
        painter->drawRoundedRect(
            QRectF(upper.left(), upper.top(), wide, upper.height()).adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
        painter->setPen(t.accent);
        painter->drawText(upper.adjusted(px(4), 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, tag);
        painter->setFont(fontOf(Type::Secondary));
        painter->setPen(t.text);
        drawElided(*painter, QRectF(inside.left(), upper.bottom(), inside.width(), px(18)),
            Qt::AlignLeft | Qt::AlignVCenter, index.data(meaningRole).toString());
        painter->restore();
    }
};

} // namespace

PlaceholderList::PlaceholderList(QWidget* parent)
    : QListView(parent)
{
    for (const Placeholder& placeholder : placeholders()) {
        auto* item = new QStandardItem(u"{{%1}}"_s.arg(text(placeholder.name)));
        item->setData(text(placeholder.name), nameRole);
        item->setData(text(placeholder.meaning), meaningRole);
        item->setToolTip(text(placeholder.meaning));
        item->setAccessibleText(u"%1: %2"_s.arg(text(placeholder.name), text(placeholder.meaning)));
        item->setEditable(false);
        m_rows.appendRow(item);
    }
    setModel(&m_rows);
    setItemDelegate(new PlaceholderDelegate(this));
    setFrameShape(QFrame::NoFrame);
    setUniformItemSizes(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    connect(this, &QListView::activated, this,
        [this](const QModelIndex& at) { Q_EMIT picked(at.data(nameRole).toString()); });
    connect(&Theme::instance(), &Theme::changed, this, [this] { viewport()->update(); });
}

void PlaceholderList::setTokens(const std::vector<std::pair<std::string, int>>& parts)
{
    for (int row = 0; row < m_rows.rowCount(); ++row) {
        QStandardItem* item = m_rows.item(row);
        const std::string name = item->data(nameRole).toString().toStdString();
        const auto part = std::ranges::find(parts, name, [](const auto& each) { return each.first; });
        item->setData(part == parts.end() ? QString()
                : part->second == 0       ? tr("no value")
                                          : tr("≈ %1 tokens").arg(grouped(part->second)),
            tokensRole);
    }
}

} // namespace tilewright::ui
