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
#include <algorithm>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

const ReviewRow* rowAt(const QModelIndex& index)
{
    const auto* model = qobject_cast<const ReviewModel*>(index.model());
    return model ? model->at(index.row()) : nullptr;
}

bool waits(const ReviewRow& row) { return row.decision == Decision::Waiting || row.decision == Decision::Deferred; }

constexpr double waitingRow = 62, decidedRow = 42; ///< of three lines, and of two

QRectF firstLine(const QRect& area) { return QRectF(area.left(), area.top() + px(3), area.width(), px(18)); }
QRectF secondLine(const QRect& area) { return QRectF(area.left(), area.top() + px(22), area.width(), px(17)); }
QRectF thirdLine(const QRect& area) { return QRectF(area.left(), area.top() + px(41), area.width(), px(16)); }

/// Badge and name at the left of a line; what is left of it. Names of four digits leave the same in every row, so that
/// the signs behind them stand below each other.
QRectF drawName(QPainter& painter, const QRectF& line, const ReviewRow& row)
{
    drawBadge(painter, QRectF(line.left(), line.center().y() - px(8), px(16), px(16)), row.island);
    painter.setFont(fontOf(Type::Mono));
    painter.setPen(tokens().text);
    const QString name = nameOfCandidate(row.candidate);
    const QRectF rest = line.adjusted(px(24), 0, 0, 0);
    painter.drawText(rest, Qt::AlignLeft | Qt::AlignVCenter, name);
    const QFontMetricsF metrics(painter.font());
    const double column = std::max(metrics.horizontalAdvance(u"c-0000"_s), metrics.horizontalAdvance(name));
    return rest.adjusted(column + px(8), 0, 0, 0);
}

/// At the right of a line, and what is left of the line beside it.
QRectF drawAside(QPainter& painter, const QRectF& line, const QString& words)
{
    painter.setFont(fontOf(Type::Secondary));
    painter.setPen(tokens().secondary);
    drawElided(painter, line, Qt::AlignRight | Qt::AlignVCenter, words);
    const double used = QFontMetricsF(painter.font()).horizontalAdvance(words) + px(8);
    return line.adjusted(0, 0, words.isEmpty() ? 0 : -std::min(used, line.width()), 0);
}

void drawWaiting(QPainter& painter, const QRect& area, const ReviewRow& row)
{
    const Tokens& t = tokens();
    const QRectF rest = drawName(painter, firstLine(area), row);
    painter.setFont(fontOf(Type::Secondary));
    const QString risk = row.risks == 0 ? ReviewModel::tr("no risk found")
                                        : counted(row.risks, ReviewModel::tr("%1 risk"), ReviewModel::tr("%1 risks"));
    drawPill(painter, rest, risk, row.risks == 0 ? t.pill : t.warningPill, row.risks == 0 ? t.text : t.warning);
    const QString time = waitedFor(row.askedAtUtc, QDateTime::currentDateTimeUtc());
    drawAside(painter, rest.adjusted(pillWidth(risk) + px(8), 0, 0, 0),
        row.decision == Decision::Deferred ? ReviewModel::tr("deferred, %1").arg(time) : time);
    painter.setFont(fontOf(Type::Body));
    painter.setPen(t.text);
    const QRectF title = secondLine(area);
    drawElided(painter, title, Qt::AlignLeft | Qt::AlignVCenter,
        row.parts.size() > 1 ? wholeParts(row.parts, QFontMetricsF(painter.font()), title.width()) : row.change);
    const QString claim = row.claim.isEmpty() ? QString() : ReviewModel::tr("claims %1").arg(row.claim);
    const QRectF last = thirdLine(area);
    painter.setFont(fontOf(Type::Secondary));
    painter.setPen(t.secondary);
    const QString parents = parentWords(row);
    drawElided(painter, last, Qt::AlignLeft | Qt::AlignVCenter, parents);
    const double used = QFontMetricsF(painter.font()).horizontalAdvance(parents) + px(12);
    drawElided(painter, last.adjusted(std::min(used, last.width()), 0, 0, 0), Qt::AlignRight | Qt::AlignVCenter, claim);
}

void drawDecided(QPainter& painter, const QRect& area, const ReviewRow& row, double ratio)
{
    const Tokens& t = tokens();
    const QRectF rest = drawName(painter, firstLine(area), row);
    const bool rejected = row.decision == Decision::Rejected;
    const QColor ink = rejected ? t.bad : t.good;
    const int side = px(13);
    painter.drawPixmap(QPointF(rest.left(), rest.center().y() - side / 2.0),
        iconPixmap(rejected ? u"x"_s : u"check"_s, ink, side, ratio));
    const QString gain = !row.gain ? QString()
        : row.withinNoise          ? ReviewModel::tr("within noise")
                                   : signedPercent(*row.gain);
    const QRectF first = rest.adjusted(side + px(4), 0, 0, 0);
    const bool isBeside = hasRoomBeside(words(row), gain, first.width());
    const QRectF said = isBeside ? drawAside(painter, first, gain) : first;
    const QRectF below = isBeside ? QRectF(secondLine(area)) : drawAside(painter, secondLine(area), gain);
    painter.setFont(fontOf(Type::Body));
    painter.setPen(ink);
    // Who stands in its place is at the end of the words.
    painter.drawText(said, Qt::AlignLeft | Qt::AlignVCenter,
        QFontMetricsF(painter.font()).elidedText(words(row), Qt::ElideMiddle, said.width()));
    painter.setFont(fontOf(Type::Secondary));
    painter.setPen(t.secondary);
    drawElided(painter, below, Qt::AlignLeft | Qt::AlignVCenter, row.reason.isEmpty() ? row.change : row.reason);
}

} // namespace

bool hasRoomBeside(const QString& decision, const QString& gain, double width)
{
    const QFontMetricsF strong(fontOf(Type::Body)), faint(fontOf(Type::Secondary));
    return gain.isEmpty() || strong.horizontalAdvance(decision) + px(8) + faint.horizontalAdvance(gain) <= width;
}

QSize ReviewDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const ReviewRow* row = rowAt(index);
    return {px(200), row ? px(waits(*row) ? waitingRow : decidedRow) : RowDelegate::sizeHint(option, index).height()};
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
        drawWaiting(*painter, option.rect.adjusted(px(12), px(2), -px(12), -1), *row);
    else
        drawDecided(*painter, option.rect.adjusted(px(12), 0, -px(12), -1), *row,
            option.widget ? option.widget->devicePixelRatioF() : 1);
    painter->restore();
}

} // namespace tilewright::ui
