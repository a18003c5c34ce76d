// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/finder/found_delegate.h"

#include "ui/finder/found.h"
#include "ui/models/format.h"
#include "ui/theme/theme.h"
#include "ui/widgets/paint.h"

#include <QIcon>
#include <QPainter>
#include <QTextLayout>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

/// The text in one line, so that what matched in it is seen: where it does not fit, its begin gives way.
void drawMatch(QPainter& painter, const QRectF& area, const QFont& font, const Found& found)
{
    QString shown = found.text;
    int start = found.start;
    const QFontMetricsF metrics(font);
    const int ahead = 12; // signs that are still seen before what matched
    if (start > ahead && metrics.horizontalAdvance(shown.left(start + found.length)) > area.width() * 0.9) {
        shown = u"…"_s + shown.mid(start - ahead);
        start = ahead + 1;
    }
    const double widest = area.width() - metrics.averageCharWidth(); // bold is a little wider
    if (metrics.horizontalAdvance(shown) > widest)
        shown = metrics.elidedText(shown, Qt::ElideRight, widest);
    QTextLayout layout(shown, font);
    if (found.length > 0) {
        QTextCharFormat strong;
        strong.setFontWeight(QFont::Bold);
        strong.setFontUnderline(true);
        layout.setFormats({{start, found.length, strong}});
    }
    QTextOption option;
    option.setWrapMode(QTextOption::NoWrap);
    layout.setTextOption(option);
    layout.beginLayout();
    layout.createLine();
    layout.endLayout();
    painter.save();
    painter.setClipRect(area);
    layout.draw(&painter, {area.left(), area.center().y() - layout.boundingRect().height() / 2});
    painter.restore();
}

} // namespace

QSize FoundDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const int least = index.data(foundRole).isValid() ? px(26) : px(24);
    return {px(100), std::max(least, QFontMetrics(option.font).height() + px(8))};
}

void FoundDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const QVariant data = index.data(foundRole);
    const Tokens& t = tokens();
    if (!data.isValid()) {
        painter->save();
        painter->setFont(fontOf(Type::Secondary));
        painter->setPen(t.secondary);
        drawElided(*painter, option.rect.adjusted(px(8), 0, -px(8), 0), Qt::AlignLeft | Qt::AlignVCenter,
            index.data().toString());
        painter->restore();
        return;
    }
    const auto found = data.value<Found>();
    painter->save();
    paintGround(*painter, option);
    QRectF area = option.rect.adjusted(px(8), 0, -px(8), -1);
    const int side = px(14);
    const QRect iconPlace(static_cast<int>(area.left()), static_cast<int>(area.center().y()) - side / 2, side, side);
    if (found.island)
        drawBadge(*painter, QRectF(area.left() - 1, area.center().y() - px(7.5), px(16), px(16)), found.island);
    else
        qvariant_cast<QIcon>(index.data(Qt::DecorationRole)).paint(painter, iconPlace);
    area.setLeft(area.left() + side + px(8));
    const QFont small = fontOf(Type::Secondary);
    if (!found.aside.isEmpty()) {
        painter->setFont(small);
        painter->setPen(t.secondary);
        const double width = std::min(QFontMetricsF(small).horizontalAdvance(found.aside) + 1, area.width() * 0.5);
        const QRectF right(area.right() - width, area.top(), width, area.height());
        drawElided(*painter, right, Qt::AlignRight | Qt::AlignVCenter, found.aside);
        area.setRight(right.left() - px(10));
    }
    const bool isText
        = found.kind == Found::Kind::Code || found.kind == Found::Kind::BuildLog || found.kind == Found::Kind::Event;
    if (isText && found.candidate) {
        const QFont mono = fontOf(Type::Mono);
        const QString name = nameOfCandidate(found.candidate);
        painter->setFont(mono);
        painter->setPen(t.secondary);
        painter->drawText(area, Qt::AlignLeft | Qt::AlignVCenter, name);
        area.setLeft(area.left() + QFontMetricsF(mono).horizontalAdvance(name) + px(10));
    }
    painter->setPen(found.kind == Found::Kind::NotNow ? t.disabled : found.isMore ? t.secondary : t.text);
    const bool isCode = (found.kind == Found::Kind::Code || found.kind == Found::Kind::BuildLog) && !found.isMore;
    drawMatch(*painter, area, fontOf(isCode ? Type::Code : Type::Body), found);
    painter->restore();
}

} // namespace tilewright::ui
