// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/review/review_model.h"

#include "core/model/parent_change.h"
#include "core/model/reviews/review_queue.h"
#include "ui/models/activity_words.h"
#include "ui/models/best_words.h"
#include "ui/models/candidate_model.h"
#include "ui/models/display_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/paint.h"

#include <QAbstractItemView>
#include <QDateTime>
#include <QHash>
#include <QPainter>
#include <algorithm>
#include <map>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

/// More decided ones than these are found in the log.
constexpr std::size_t mostDecided = 200;

/// What the edit does, with the parameters that its moves bring.
QStringList partsOf(const RunState& run, const Candidate& candidate)
{
    QStringList parts = changeParts(run, candidate);
    const Proposal* proposal = run.proposal(candidate.proposal);
    const Candidate* parent = candidate.parents.empty() ? nullptr : run.candidate(candidate.parents.front());
    if (!proposal || proposal->moves.empty() || !parent || candidate.migrated)
        return parts;
    for (const auto& [name, value] : candidate.tunables)
        if (!parent->tunables.contains(name))
            parts << u"%1 %2"_s.arg(text(name)).arg(value);
    return parts;
}

/// Built-in proposers draw from the same few moves: begun alike, cut titles would all be the same. What fewer of the
/// candidates made just before it have stands first: those do not change, and so its title stays whoever else waits.
void putApart(const RunState& run, std::vector<ReviewRow>& rows)
{
    constexpr std::int64_t before = 32;
    std::map<CandidateId, QStringList> known;
    for (ReviewRow& row : rows) {
        QHash<QString, int> held;
        for (CandidateId id{std::max<std::int64_t>(row.candidate.value - before, 1)}; id < row.candidate; ++id.value) {
            const auto [parts, isNew] = known.try_emplace(id);
            if (isNew)
                parts->second = partsOf(run, *run.candidate(id));
            for (const QString& part : parts->second)
                ++held[part];
        }
        std::ranges::stable_sort(row.parts, {}, [&held](const QString& part) { return held.value(part); });
    }
}

/// The newest word first: reviews are numbered as they are asked, not as they are decided.
std::vector<const Review*> lastDecided(const RunState& run)
{
    std::vector<const Review*> all;
    for (const Review& review : run.reviews)
        if (!review.isWaiting() && !review.undone) // a word that was taken back decided nothing
            all.push_back(&review);
    const auto shown = static_cast<std::ptrdiff_t>(std::min(all.size(), mostDecided));
    std::ranges::partial_sort(all, all.begin() + shown, std::ranges::greater{}, &Review::decidedSeq);
    all.resize(static_cast<std::size_t>(shown));
    return all;
}

ReviewRow rowFor(const RunState& run, const Review& review)
{
    const Candidate& candidate = *run.candidate(review.candidate);
    const Proposal* proposal = run.proposal(candidate.proposal);
    ReviewRow row;
    row.id = review.id;
    row.candidate = review.candidate;
    row.parent = candidate.parents.empty() ? CandidateId{} : candidate.parents.front();
    row.parents = candidate.parents;
    row.edited = review.edited;
    row.island = candidate.island;
    row.decision = review.decision;
    row.parts = partsOf(run, candidate);
    row.change = row.parts.join(u", "_s);
    row.claim = proposal ? claimText(proposal->claim) : QString();
    row.askedAtUtc = review.askedAtUtc;
    row.reason = text(review.reason).simplified();
    row.risks = static_cast<int>(review.risks.size());
    const Candidate* measured = review.edited ? run.candidate(review.edited) : &candidate;
    if (measured && measured->isRanked())
        if (const auto change = versusParent(run, *measured))
            row.gain = change->ratio.value, row.withinNoise = change->isWithinNoise();
    return row;
}

/// All that a row has no room for.
QString tipOf(const ReviewRow& row)
{
    QStringList lines{row.change};
    if (row.decision != Decision::Waiting && row.decision != Decision::Deferred)
        lines.prepend(u"%1: %2"_s.arg(nameOfCandidate(row.candidate), words(row)));
    lines << parentWords(row);
    if (!row.claim.isEmpty())
        lines << ReviewModel::tr("claims %1").arg(row.claim);
    if (!row.reason.isEmpty())
        lines << row.reason;
    lines.removeAll(QString());
    return lines.join(u'\n');
}

} // namespace

QString parentWords(const ReviewRow& row)
{
    if (row.parents.empty())
        return {};
    return (row.parents.size() > 1 ? ReviewModel::tr("parents %1") : ReviewModel::tr("parent %1"))
        .arg(namesOfParents(row.parents));
}

QString words(const ReviewRow& review)
{
    switch (review.decision) {
    case Decision::Waiting:
        return ReviewModel::tr("waiting");
    case Decision::Deferred:
        return ReviewModel::tr("deferred");
    case Decision::Approved:
        return ReviewModel::tr("approved");
    case Decision::Edited:
        return ReviewModel::tr("edited → %1").arg(nameOfCandidate(review.edited));
    case Decision::Rejected:
        return ReviewModel::tr("rejected");
    }
    return {};
}

ReviewModel::ReviewModel(Part part, QObject* parent)
    : QAbstractListModel(parent)
    , m_part(part)
{
}

void ReviewModel::show(const RunState& run)
{
    std::vector<ReviewRow> rows;
    if (m_part == Part::Waiting) {
        for (const Review* review : reviewsInOrder(run))
            rows.push_back(rowFor(run, *review));
        putApart(run, rows);
    } else {
        for (const Review* review : lastDecided(run))
            rows.push_back(rowFor(run, *review));
    }
    if (rows == m_rows)
        return;
    const bool sameRows = std::ranges::equal(rows, m_rows, {}, &ReviewRow::id, &ReviewRow::id);
    if (!sameRows)
        beginResetModel();
    m_rows = std::move(rows);
    if (!sameRows)
        endResetModel();
    else
        Q_EMIT dataChanged(index(0), index(rowCount() - 1));
}

const ReviewRow* ReviewModel::at(int row) const
{
    return row >= 0 && row < rowCount() ? &m_rows[static_cast<std::size_t>(row)] : nullptr;
}

int ReviewModel::rowOf(CandidateId candidate) const
{
    const auto found = std::ranges::find(m_rows, candidate, &ReviewRow::candidate);
    return found == m_rows.end() ? -1 : static_cast<int>(found - m_rows.begin());
}

int ReviewModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

QVariant ReviewModel::data(const QModelIndex& index, int role) const
{
    const ReviewRow* row = at(index.row());
    if (!row)
        return {};
    if (role == Qt::DisplayRole)
        return u"%1 · %2"_s.arg(nameOfCandidate(row->candidate), m_part == Part::Waiting ? row->change : words(*row));
    if (role == Qt::AccessibleTextRole && m_part == Part::Waiting)
        return u"%1, %2"_s.arg(
            data(index, Qt::DisplayRole).toString(), waitWords(row->askedAtUtc, QDateTime::currentDateTimeUtc()));
    if (role == Qt::ToolTipRole)
        return tipOf(*row);
    return {};
}

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
