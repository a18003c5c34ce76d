// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/evolve/candidate_delegate.h"

#include "core/model/parent_change.h"
#include "core/model/reviews/review_queue.h"
#include "ui/models/candidate_model.h"
#include "ui/models/figures.h"
#include "ui/models/rule_words.h"
#include "ui/theme/theme.h"
#include "ui/widgets/paint.h"

#include <QAbstractProxyModel>
#include <QPainter>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

CandidateDelegate::CandidateDelegate(const SelectionContext& selection, QObject* parent)
    : RowDelegate(parent)
    , m_selection(selection)
{
}

void CandidateDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const auto* proxy = qobject_cast<const QAbstractProxyModel*>(index.model());
    const auto* model = qobject_cast<const CandidateModel*>(proxy ? proxy->sourceModel() : index.model());
    if (!model)
        return RowDelegate::paint(painter, option, index);
    const QModelIndex source = proxy ? proxy->mapToSource(index) : index;
    const Candidate& candidate = model->at(source.row());
    const Tokens& t = tokens();
    painter->save();
    paintGround(*painter, option);
    const QRect area = option.rect.adjusted(px(8), 0, -px(8), -1);
    const QString shown = index.data().toString();
    const auto column = static_cast<CandidateModel::Column>(index.column());
    painter->setPen(t.text);
    painter->setFont(fontOf(Type::Body));
    switch (column) {
    case CandidateModel::Column::Name: {
        painter->setFont(fontOf(Type::Mono));
        drawElided(*painter, area, Qt::AlignLeft | Qt::AlignVCenter, shown);
        const int side = px(13);
        int x = area.left() + QFontMetrics(painter->font()).horizontalAdvance(shown) + px(6);
        const auto sign = [&](const QString& name, const QColor& ink) {
            painter->drawPixmap(x, area.center().y() - side / 2,
                iconPixmap(name, ink, side, option.widget ? option.widget->devicePixelRatioF() : 1));
            x += side + px(2);
        };
        if (const Candidate* best = model->run().best(); best && best->id == candidate.id)
            sign(u"star"_s, t.accent);
        if (m_selection.reference() == candidate.id)
            sign(u"compare"_s, t.secondary);
        const Marks& marks = model->run().marksOf(candidate.id);
        const int right = option.rect.right();
        if (marks.starred && x + side <= right) // hollow: the star that is filled is the best's
            sign(u"star-outline"_s, t.warning);
        if (marks.pinned && x + side <= right)
            sign(u"pin"_s, t.text);
        if (isBanned(model->run(), candidate.id) && x + side <= right)
            sign(u"ban"_s, t.bad);
        break;
    }
    case CandidateModel::Column::Island:
        drawBadge(*painter, QRectF(area.left(), area.center().y() - px(7.5), px(16), px(16)), candidate.island);
        break;
    case CandidateModel::Column::State: {
        const StateSign look = stateSignOf(candidate);
        const int side = px(14);
        painter->drawPixmap(area.left(), area.center().y() - side / 2,
            iconPixmap(look.icon, look.ink, side, option.widget ? option.widget->devicePixelRatioF() : 1));
        painter->setPen(look.ink);
        drawElided(*painter, area.adjusted(side + px(5), 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, shown);
        break;
    }
    case CandidateModel::Column::Score:
        painter->setFont(candidate.confirmed ? fontOf(Type::Strong) : fontOf(Type::Body));
        painter->setPen(candidate.confirmed ? t.text : t.secondary);
        drawElided(*painter, area, Qt::AlignRight | Qt::AlignVCenter, shown);
        break;
    case CandidateModel::Column::Parent: {
        const auto change = CandidateModel::changeOf(model->run(), candidate, m_selection.reference());
        painter->setPen(!change || change->isWithinNoise() ? t.secondary : change->ratio.value > 1 ? t.good : t.bad);
        drawElided(*painter, area, Qt::AlignRight | Qt::AlignVCenter, shown);
        break;
    }
    case CandidateModel::Column::Change: {
        if (!candidate.rule.empty() && candidate.stage != Stage::Rejected) { // a user says why in words
            painter->setPen(t.bad);
            drawElided(*painter, area, Qt::AlignLeft | Qt::AlignVCenter, ruleWords(candidate.rule));
            break;
        }
        painter->setPen(t.secondary);
        drawElided(*painter, area, Qt::AlignLeft | Qt::AlignVCenter, shown);
        break;
    }
    default: {
        const int alignment = index.data(Qt::TextAlignmentRole).toInt();
        painter->setPen(t.secondary);
        drawElided(*painter, area, alignment, shown);
    }
    }
    painter->restore();
}

StateSign stateSignOf(const Candidate& candidate)
{
    const Tokens& t = tokens();
    if (candidate.confirmed && !candidate.disputed)
        return {u"check"_s, t.good};
    if (candidate.confirmed || candidate.outcome == Outcome::Quarantined)
        return {u"warn"_s, t.warning};
    if (isFailure(candidate) || isEndedByPerson(candidate))
        return {u"x"_s, t.bad};
    if (isEditedByPerson(candidate))
        return {u"edit"_s, t.secondary};
    if (candidate.isRanked())
        return {u"wave"_s, t.secondary};
    return {candidate.stage == Stage::Queued ? u"queue"_s : u"hourglass"_s, t.secondary};
}

} // namespace tilewright::ui
