// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/review/review_model.h"

#include "core/model/parent_change.h"
#include "core/model/review_queue.h"
#include "ui/models/candidate_model.h"
#include "ui/models/claim_words.h"
#include "ui/models/format.h"
#include "ui/models/wait_words.h"

#include <QDateTime>
#include <QHash>
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

} // namespace tilewright::ui
