// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/review/review_delegate.h"

#include "ui/models/format.h"
#include "ui/models/wait_words.h"
#include "ui/review/review_model.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"
#include "ui/widgets/paint.h"

#include <QAbstractItemView>
#include <QDateTime>
#include <QPainter>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

const ReviewRow* rowAt(const QModelIndex& index)
{
    const auto* model = qobject_cast<const ReviewModel*>(index.model());
    return model ? model->at(index.row()) : nullptr;
}

bool waits(const ReviewRow& row) { return row.decision == Decision::Waiting || row.decision == Decision::Deferred; }

QRectF line(const QRect& area, double top, double height)
{
    return QRectF(area.left(), area.top() + px(top), area.width(), px(height));
}

/// Badge and name at the left of a line; what is left of it.
QRectF drawName(QPainter& painter, const QRectF& line, const ReviewRow& row)
{
    drawBadge(painter, QRectF(line.left(), line.center().y() - px(8), px(16), px(16)), row.island);
    painter.setFont(fontOf(Type::Mono));
    painter.setPen(tokens().text);
    const QString name = nameOfCandidate(row.candidate);
    const QRectF rest = line.adjusted(px(24), 0, 0, 0);
    painter.drawText(rest, Qt::AlignLeft | Qt::AlignVCenter, name);
    return rest.adjusted(QFontMetricsF(painter.font()).horizontalAdvance(name) + px(8), 0, 0, 0);
}

void drawWaiting(QPainter& painter, const QRect& area, const ReviewRow& row)
{
    const Tokens& t = tokens();
    const QRectF rest = drawName(painter, line(area, 8, 18), row);
    painter.setFont(fontOf(Type::Secondary));
    const QString risk = row.risks == 0 ? ReviewModel::tr("no risk found")
                                        : counted(row.risks, ReviewModel::tr("%1 risk"), ReviewModel::tr("%1 risks"));
    drawPill(painter, rest, risk, row.risks == 0 ? t.pill : t.warningPill, row.risks == 0 ? t.text : t.warning);
    painter.setPen(t.secondary);
    drawElided(painter, rest.adjusted(pillWidth(risk) + px(8), 0, 0, 0), Qt::AlignRight | Qt::AlignVCenter,
        row.decision == Decision::Deferred ? ReviewModel::tr("deferred")
                                           : waitedFor(row.askedAtUtc, QDateTime::currentDateTimeUtc()));
    painter.setFont(fontOf(Type::Body));
    painter.setPen(t.text);
    const QRectF title = line(area, 29, 18);
    drawElided(painter, title, Qt::AlignLeft | Qt::AlignVCenter,
        row.parts.size() > 1 ? wholeParts(row.parts, QFontMetricsF(painter.font()), title.width()) : row.change);
    painter.setFont(fontOf(Type::Secondary));
    painter.setPen(t.secondary);
    const QRectF last = line(area, 48, 16);
    const QString parent = (row.parents.size() > 1 ? ReviewModel::tr("parents %1") : ReviewModel::tr("parent %1"))
                               .arg(namesOfParents(row.parents));
    painter.drawText(last, Qt::AlignLeft | Qt::AlignVCenter, parent);
    const double used = QFontMetricsF(painter.font()).horizontalAdvance(parent) + px(12);
    if (!row.claim.isEmpty())
        drawElided(painter, last.adjusted(used, 0, 0, 0), Qt::AlignRight | Qt::AlignVCenter,
            ReviewModel::tr("claims %1").arg(row.claim));
}

void drawDecided(QPainter& painter, const QRect& area, const ReviewRow& row, double ratio)
{
    const Tokens& t = tokens();
    const QRectF rest = drawName(painter, line(area, 5, 18), row);
    const bool rejected = row.decision == Decision::Rejected;
    const QColor ink = rejected ? t.bad : t.good;
    const int side = px(13);
    painter.drawPixmap(QPointF(rest.left(), rest.center().y() - side / 2.0),
        iconPixmap(rejected ? u"x"_s : u"check"_s, ink, side, ratio));
    painter.setFont(fontOf(Type::Body));
    painter.setPen(ink);
    const QString said = words(row);
    const QRectF words = rest.adjusted(side + px(4), 0, 0, 0);
    painter.drawText(words, Qt::AlignLeft | Qt::AlignVCenter, said);
    const double used = QFontMetricsF(painter.font()).horizontalAdvance(said) + px(10);
    painter.setFont(fontOf(Type::Secondary));
    painter.setPen(t.secondary);
    if (row.gain)
        drawElided(painter, words.adjusted(used, 0, 0, 0), Qt::AlignRight | Qt::AlignVCenter,
            row.withinNoise ? ReviewModel::tr("within noise") : signedPercent(*row.gain));
    drawElided(painter, line(area, 24, 16), Qt::AlignLeft | Qt::AlignVCenter,
        row.reason.isEmpty() ? row.change : row.reason); // a line of its own: beside the word it had no room
}

} // namespace

QSize ReviewDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex& index) const
{
    const ReviewRow* row = rowAt(index);
    return {px(200), px(row && waits(*row) ? 72 : 46)};
}

void ReviewDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const ReviewRow* row = rowAt(index);
    if (!row)
        return RowDelegate::paint(painter, option, index);
    painter->save();
    paintGround(*painter, option);
    const auto* list = qobject_cast<const QAbstractItemView*>(option.widget);
    if (list && list->currentIndex() == index && (option.state & QStyle::State_Selected)) // of several: the one read
        painter->fillRect(option.rect.left(), option.rect.top(), px(3), option.rect.height(), tokens().accent);
    if (waits(*row))
        drawWaiting(*painter, option.rect.adjusted(px(12), 0, -px(12), -1), *row);
    else
        drawDecided(*painter, option.rect.adjusted(px(12), 0, -px(12), -1), *row,
            option.widget ? option.widget->devicePixelRatioF() : 1);
    painter->restore();
}

} // namespace tilewright::ui
