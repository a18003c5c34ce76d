// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/candidate_model.h"

#include "core/model/measurement/evidence.h"
#include "core/model/requests/conversation.h"
#include "ui/models/best_words.h"
#include "ui/models/display_text.h"
#include "ui/models/figures.h"
#include "ui/models/rule_words.h"
#include "ui/models/score_words.h"

#include <set>
#include <utility>

namespace tilewright::ui {
namespace {

using namespace Qt::StringLiterals;

/// What the table shows of a candidate can only change together with one of these.
bool looksTheSame(const Candidate& a, const Candidate& b)
{
    return a.stage == b.stage && a.outcome == b.outcome && a.latest == b.latest && a.confirmed == b.confirmed
        && a.audited == b.audited && a.score == b.score && a.vsVendor == b.vsVendor && a.resultNumber == b.resultNumber
        && a.disputed == b.disputed && a.takenBack == b.takenBack;
}

/// Those whose marks are not what they were.
std::set<CandidateId> markedAnew(const RunState& before, const RunState& now)
{
    std::set<CandidateId> changed;
    if (before.marks == now.marks)
        return changed;
    bool areBansAnew = false;
    for (const RunState* state : {&before, &now})
        for (const auto& [id, values] : state->marks)
            if (!(before.marksOf(id) == now.marksOf(id))) {
                changed.insert(id);
                areBansAnew = areBansAnew || before.marksOf(id).banned != now.marksOf(id).banned;
            }
    if (areBansAnew) // a ban holds for copies as well
        for (const Candidate& candidate : before.candidates)
            if (candidate.migrated && isBanned(before, candidate.id) != isBanned(now, candidate.id))
                changed.insert(candidate.id);
    return changed;
}

} // namespace

QString changeWords(const RunState& run, const Candidate& candidate)
{
    return changeParts(run, candidate).join(u", "_s);
}

QStringList changeParts(const RunState& run, const Candidate& candidate)
{
    if (candidate.parents.empty())
        return {CandidateModel::tr("seed")};
    if (candidate.migrated)
        return {howCopied(run, candidate)};
    const Proposal* proposal = run.proposal(candidate.proposal);
    const Candidate* parent = run.candidate(candidate.parents.front());
    QStringList parts;
    if (proposal)
        for (const std::string& move : proposal->moves)
            parts << (move.starts_with('-') ? CandidateModel::tr("without %1").arg(text(move.substr(1))) : text(move));
    if (parent)
        for (const auto& [name, value] : candidate.tunables) {
            const auto before = parent->tunables.find(name);
            if (before != parent->tunables.end() && before->second != value)
                parts << u"%1 %2 → %3"_s.arg(text(name)).arg(before->second).arg(value);
        }
    if (parts.isEmpty() && proposal) {
        const QString idea = text(proposal->idea()).simplified().section(u". "_s, 0, 0);
        parts << (!idea.isEmpty()          ? idea
                : !proposal->claim.empty() ? text(proposal->claim)
                                           : text(authorOf(run, *proposal)));
    }
    return parts;
}

/// From this row on.
static int undoneIn(const RunState& run, int from)
{
    int count = 0;
    for (auto at = static_cast<std::size_t>(from); at < run.candidates.size(); ++at)
        count += run.candidates[at].takenBack;
    return count;
}

void CandidateModel::show(SnapshotPtr snapshot)
{
    const RunState& before = m_snapshot->run;
    const RunState& now = snapshot->run;
    const int rows = static_cast<int>(now.candidates.size());
    const bool other = rows < m_rows || now.lastSeq < before.lastSeq
        || snapshot->status.sessionPath != m_snapshot->status.sessionPath;
    if (other) {
        beginResetModel();
        m_snapshot = std::move(snapshot);
        m_rows = rows;
        m_undone = undoneIn(m_snapshot->run, 0);
        endResetModel();
        return;
    }
    std::set<CandidateId> remarked = markedAnew(before, now);
    if (const Candidate* was = before.best(), *is = now.best(); was && is && was->id != is->id)
        remarked.insert({was->id, is->id}); // the star goes from one to the other
    // Who is on the way is called "halted" while the run rests.
    const bool restsOrGoesOn = (before.phase == events::Phase::Running) != (now.phase == events::Phase::Running);
    std::vector<std::pair<int, int>> changed;
    for (int row = 0; row < m_rows; ++row) {
        const auto at = static_cast<std::size_t>(row);
        const bool same = !(restsOrGoesOn && !now.candidates[at].isOver())
            && (&before.candidates[at] == &now.candidates[at]
                || looksTheSame(before.candidates[at], now.candidates[at]));
        m_undone += same ? 0 : now.candidates[at].takenBack - before.candidates[at].takenBack;
        if (same && (remarked.empty() || !remarked.contains(CandidateId{row + 1})))
            continue;
        if (!changed.empty() && changed.back().second == row - 1)
            changed.back().second = row;
        else
            changed.emplace_back(row, row);
    }
    const int first = m_rows;
    m_undone += undoneIn(now, first);
    m_snapshot = std::move(snapshot); // the old rows are in it too
    if (rows > first) {
        beginInsertRows({}, first, rows - 1);
        m_rows = rows;
        endInsertRows();
    }
    for (const auto& [from, to] : changed)
        Q_EMIT dataChanged(index(from, 0), index(to, columnCount() - 1));
    if (const QString heading = vendorHeading(m_snapshot->run); heading != m_vendorHeading) {
        m_vendorHeading = heading;
        constexpr int column = static_cast<int>(Column::Vendor);
        Q_EMIT headerDataChanged(Qt::Horizontal, column, column);
    }
}

int CandidateModel::rowOf(CandidateId id) const
{
    return id.value >= 1 && id.value <= m_rows ? static_cast<int>(id.value - 1) : -1;
}

CandidateId CandidateModel::idAt(int row) const { return row >= 0 && row < m_rows ? at(row).id : CandidateId{}; }

int CandidateModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : m_rows; }

int CandidateModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(Column::Count);
}

/// A user says why in words, all others by a rule.
static bool isEndedByRule(const Candidate& candidate)
{
    return !candidate.rule.empty() && candidate.stage != Stage::Rejected;
}

/// Why it ended, where that stands in the cell instead, and what it changed.
static QString changeInFull(const RunState& run, const Candidate& candidate)
{
    QStringList lines;
    if (isEndedByRule(candidate))
        lines << ruleWithCode(candidate.rule) + u": "_s + text(candidate.text);
    else if (isEndedByPerson(candidate))
        lines << text(candidate.text);
    lines << changeWords(run, candidate) << copyWords(run, candidate);
    lines.removeAll(QString());
    return lines.join(u'\n');
}

static QString changeFigure(const ParentChange& change)
{
    return change.isWithinNoise() ? CandidateModel::tr("within noise") : signedPercent(change.ratio.value);
}

/// Against whom the change is; of a copy, whose cell has none, what its original's was.
static QString parentChangeWords(const RunState& run, const Candidate& candidate, CandidateId reference)
{
    const auto change = versusParentOr(run, candidate, reference);
    if (!change)
        return {};
    const QString versus = CandidateModel::tr("against %1").arg(nameOfCandidate(change->parent));
    return candidate.migrated && !reference
        ? CandidateModel::tr("%1, whose change was %2 %3").arg(copyWords(run, candidate), changeFigure(*change), versus)
        : versus;
}

/// What the signs behind its name say.
static QStringList signWords(const RunState& run, const Candidate& candidate)
{
    const Candidate* best = run.best();
    QStringList words{best && best->id == candidate.id ? CandidateModel::tr("best of the run") : QString(),
        markWords(run, candidate)};
    words.removeAll(QString());
    return words;
}

QVariant CandidateModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= m_rows)
        return {};
    const Candidate& candidate = at(index.row());
    const auto column = static_cast<Column>(index.column());
    switch (role) {
    case Qt::DisplayRole:
        return display(run(), candidate, column, m_reference);
    case SortRole:
        return sortKey(run(), candidate, column, m_reference);
    case IdRole:
        return QVariant::fromValue<qlonglong>(candidate.id.value);
    case IslandRole:
        return QVariant::fromValue<qlonglong>(candidate.island.value);
    case Qt::AccessibleTextRole: {
        const QStringList signs = column == Column::Name ? signWords(run(), candidate) : QStringList();
        return signs.isEmpty() ? display(run(), candidate, column, m_reference)
                               : QVariant((QStringList{nameOfCandidate(candidate.id)} + signs).join(u", "_s));
    }
    case Qt::TextAlignmentRole:
        if (column == Column::Generation || column == Column::Evaluation || column == Column::Score
            || column == Column::Vendor || column == Column::Parent)
            return QVariant(Qt::AlignRight | Qt::AlignVCenter);
        return QVariant(Qt::AlignLeft | Qt::AlignVCenter);
    case Qt::ToolTipRole:
        if (column == Column::Vendor && candidate.isRanked() && candidate.vsVendor)
            return tr("Vendor library: %1").arg(text(vendorWordsOf(run(), candidate)));
        if (column == Column::Change) // its cell is cut as soon as the column is narrow
            return changeInFull(run(), candidate);
        if (column == Column::Parent)
            return parentChangeWords(run(), candidate, m_reference);
        if (column == Column::State && isEndedByRule(candidate))
            return ruleWithCode(candidate.rule) + u": "_s + text(candidate.text);
        if (column == Column::State && isEndedByPerson(candidate))
            return text(candidate.text);
        if (column == Column::State && isProvisional(candidate))
            return howScored(run(), candidate); // and what comes of it
        if (column == Column::Name) {
            QStringList lines = signWords(run(), candidate);
            if (candidate.disputed)
                lines << disputeWords(run(), candidate);
            return lines.isEmpty() ? QVariant() : lines.join(u'\n');
        }
        if (column == Column::Marks && !run().marksOf(candidate.id).note.empty())
            return text(run().marksOf(candidate.id).note);
        if (column == Column::Score && candidate.score) {
            QStringList lines{
                howScored(run(), candidate), otherScaleWords(run(), candidate), notBestWords(run(), candidate)};
            lines.removeAll(QString());
            return lines.join(u'\n');
        }
        return {};
    default:
        return {};
    }
}

void CandidateModel::setReference(CandidateId reference)
{
    if (std::exchange(m_reference, reference) == reference)
        return;
    constexpr int column = static_cast<int>(Column::Parent);
    Q_EMIT headerDataChanged(Qt::Horizontal, column, column);
    if (m_rows > 0)
        Q_EMIT dataChanged(index(0, column), index(m_rows - 1, column));
}

std::optional<ParentChange> CandidateModel::changeOf(
    const RunState& run, const Candidate& candidate, CandidateId reference)
{
    return candidate.migrated && !reference ? std::nullopt : versusParentOr(run, candidate, reference);
}

QString vendorHeading(const RunState& run)
{
    const auto library = vendorLibraryOf(run);
    return library ? tr("× %1").arg(text(library->name)) : tr("× vendor library");
}

QVariant CandidateModel::display(const RunState& run, const Candidate& candidate, Column column, CandidateId reference)
{
    switch (column) {
    case Column::Name:
        return nameOfCandidate(candidate.id);
    case Column::Island:
        return text(islandLetter(candidate.island));
    case Column::Generation:
        return QString::number(candidate.generation);
    case Column::Evaluation:
        return candidate.resultNumber ? grouped(candidate.resultNumber) : u"–"_s;
    case Column::State:
        return stateWords(run, candidate);
    case Column::Score:
        return candidate.isRanked() ? bestWords(candidate) : u"–"_s;
    case Column::Vendor:
        return candidate.isRanked() && candidate.vsVendor ? aboutSign(candidate) + times(candidate.vsVendor) : u"–"_s;
    case Column::Parent: {
        const auto change = changeOf(run, candidate, reference);
        if (!change)
            return u"–"_s;
        return changeFigure(*change);
    }
    case Column::Parents:
        return namesOfParents(candidate.parents);
    case Column::Change: // of what a user ended, why
        return isEndedByPerson(candidate) && !candidate.text.empty() ? text(candidate.text)
                                                                     : changeWords(run, candidate);
    case Column::Marks:
        return markWords(run, candidate);
    case Column::Count:
        break;
    }
    return {};
}

QVariant CandidateModel::sortKey(const RunState& run, const Candidate& candidate, Column column, CandidateId reference)
{
    switch (column) {
    case Column::Name:
        return QVariant::fromValue<qlonglong>(candidate.id.value);
    case Column::Island:
        return QVariant::fromValue<qlonglong>(candidate.island.value);
    case Column::Generation:
        return candidate.generation;
    case Column::Evaluation:
        return candidate.resultNumber > 0 ? QVariant::fromValue<qlonglong>(candidate.resultNumber) : QVariant();
    case Column::Score:
        return candidate.isRanked() ? QVariant(candidate.score->value) : QVariant();
    case Column::Vendor:
        return candidate.isRanked() && candidate.vsVendor ? QVariant(candidate.vsVendor->value) : QVariant();
    case Column::Parent: {
        const auto change = changeOf(run, candidate, reference);
        return change ? QVariant(change->ratio.value) : QVariant();
    }
    case Column::Parents:
        return QVariant::fromValue<qlonglong>(candidate.parents.empty() ? 0 : candidate.parents.front().value);
    case Column::State:
    case Column::Change:
    case Column::Marks:
    case Column::Count:
        break;
    }
    return display(run, candidate, column, reference);
}

namespace {

QString vendorTip(const RunState& run)
{
    const auto library = vendorLibraryOf(run);
    const QString about = tr("Vendor library time / candidate time, geometric mean of the train shapes");
    return library ? about + u'\n' + tr("Vendor library: %1").arg(text(describe(*library))) : about;
}

} // namespace

QVariant CandidateModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    const auto column = static_cast<Column>(section);
    if (role == Qt::TextAlignmentRole)
        return QVariant((column >= Column::Generation && column <= Column::Evaluation)
                    || (column >= Column::Score && column <= Column::Parent)
                ? Qt::AlignRight | Qt::AlignVCenter
                : Qt::AlignLeft | Qt::AlignVCenter);
    if (role == Qt::InitialSortOrderRole) // of figures the best one is looked for
        return column == Column::Score || column == Column::Vendor || column == Column::Parent ? Qt::DescendingOrder
                                                                                               : Qt::AscendingOrder;
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole)
        return {};
    const bool tip = role == Qt::ToolTipRole;
    switch (column) {
    case Column::Name:
        return tip ? tr("Candidate") : tr("Candidate");
    case Column::Island:
        return tip ? tr("Island of the candidate") : tr("Island");
    case Column::Generation:
        return tip ? tr("Depth: 1 + the highest generation among the parents") : tr("Gen");
    case Column::Evaluation:
        return tip ? tr("Number of its result: 1 for the first of the run; “–” before it has one") : tr("Eval");
    case Column::State:
        return tip ? tr("Stage or result; provisional until confirmed") : tr("State");
    case Column::Score:
        return tip
            ? tr("Baseline time / candidate time, geometric mean of the train shapes; ≈: screened, not confirmed")
            : tr("Score");
    case Column::Vendor:
        return tip ? vendorTip(m_snapshot->run) : vendorHeading(m_snapshot->run);
    case Column::Parent:
        if (m_reference)
            return (
                tip ? tr("Change of speed against %1, the reference that you chose; %1 itself has none") : tr("vs %1"))
                .arg(nameOfCandidate(m_reference));
        return tip ? tr("Change of speed against the first parent; none for a copy, which is unchanged")
                   : tr("vs parent");
    case Column::Parents:
        return tip ? tr("Its parents; two for a crossover") : tr("From");
    case Column::Change:
        return tip ? tr("Change made by its edit") : tr("Change");
    case Column::Marks:
        return tip ? tr("Your marks: star, pin, ban, boost, tags, note") : tr("Marks");
    case Column::Count:
        break;
    }
    return {};
}

} // namespace tilewright::ui
