// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/island_model.h"

#include "core/model/best.h"
#include "core/model/requests/conversation.h"
#include "core/model/reviews/review_queue.h"
#include "ui/models/activity_words.h"
#include "ui/models/best_words.h"
#include "ui/models/display_text.h"
#include "ui/models/figures.h"

#include <algorithm>
#include <utility>

namespace tilewright::ui {

void IslandModel::show(SnapshotPtr snapshot)
{
    std::vector<std::size_t> shown;
    for (std::size_t i = 0; i < snapshot->run.islands.size(); ++i)
        if (snapshot->run.islands[i].hasCome())
            shown.push_back(i);
    const auto unmade = std::ranges::count(snapshot->run.islands, true, &Island::unmade);
    const bool other = std::exchange(m_unmade, unmade) != unmade || snapshot->run.islands.size() != m_offered.size()
        || snapshot->run.lastSeq < m_snapshot->run.lastSeq
        || snapshot->status.sessionPath != m_snapshot->status.sessionPath;
    if (shown != m_shown) {
        beginResetModel();
        m_snapshot = std::move(snapshot);
        m_shown = std::move(shown);
        countProposals(other);
        endResetModel();
        return;
    }
    m_snapshot = std::move(snapshot);
    countProposals(other);
    if (rowCount() > 0)
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

void IslandModel::countProposals(bool anew)
{
    const RunState& run = m_snapshot->run;
    if (anew || run.proposals.size() < m_counted) {
        m_offered.assign(run.islands.size(), {});
        m_written.clear();
        m_counted = 0;
    }
    std::erase_if(m_written, [&](ProposalId id) {
        const Proposal& proposal = *run.proposal(id);
        const bool isGone = proposal.state == ProposalState::Withdrawn;
        auto& offered = m_offered[static_cast<std::size_t>(proposal.island.value - 1)];
        const std::string author = authorOf(run, proposal);
        if (isGone && --offered[author] == 0)
            offered.erase(author);
        return isGone;
    });
    for (; m_counted < run.proposals.size(); ++m_counted) {
        const Proposal& proposal = run.proposals[m_counted];
        const auto island = static_cast<std::size_t>(proposal.island.value - 1);
        if (proposal.proposer == "seed" || proposal.state == ProposalState::Withdrawn || proposal.island.value < 1
            || island >= m_offered.size())
            continue;
        ++m_offered[island][authorOf(run, proposal)];
        if (proposal.proposer == "person")
            m_written.push_back(proposal.id);
    }
}

std::map<std::string, double> IslandModel::mix(int row) const
{
    std::map<std::string, double> parts;
    for (const auto& [name, weight] : at(row).steering.proposers)
        if (weight > 0)
            parts[name.starts_with(modelInMix) ? name.substr(modelInMix.size()) : name] += weight;
    if (parts.empty())
        for (const auto& [name, count] : offered(row))
            parts[name] = static_cast<double>(count);
    return parts;
}

QStringList IslandModel::mixParts(int row) const
{
    const std::map<std::string, double> weights = mix(row);
    double all = 0;
    for (const auto& [name, weight] : weights)
        all += weight;
    const auto share = [all](double part) { return qRound(100 * part / all); };
    QStringList parts;
    double before = 0;
    for (const auto& [name, count] : weights) { // the shares add up to 100
        parts << tr("%1 %2 %").arg(text(name)).arg(share(before + count) - share(before));
        before += count;
    }
    return parts;
}

QString IslandModel::mixWords(int row) const
{
    const QStringList parts = mixParts(row);
    return parts.isEmpty() ? QStringLiteral("–") : parts.join(QStringLiteral(", "));
}

QString IslandModel::troubleOf(int row) const
{
    const auto& troubles = m_snapshot->status.islandTrouble;
    const auto found = troubles.find(at(row).id);
    return found == troubles.end() ? QString() : text(found->second);
}

QString IslandModel::waitOf(int row) const
{
    const RunState& run = m_snapshot->run;
    const IslandId island = at(row).id;
    return waitsForPerson(run, island)
        ? counted(waitingOn(run, island), tr("blocked: %1 pending review"), tr("blocked: %1 pending reviews"))
        : QString();
}

QString standingWords(const Island& island)
{
    if (island.standing == Standing::Ended)
        return island.mergedInto ? IslandModel::tr("merged into %1").arg(text(islandLetter(island.mergedInto)))
            : island.unmade      ? IslandModel::tr("undone")
                                 : IslandModel::tr("ended");
    return island.standing == Standing::Paused ? IslandModel::tr("paused") : QString();
}

QString IslandModel::aimOf(int row) const
{
    const IslandSteering& steering = at(row).steering;
    if (steering.mix)
        return tr("own mix");
    return steering.focus ? tr("only %1").arg(words(*steering.focus)) : words(at(row).focus);
}

QString IslandModel::provisionalOf(const Island& island) const
{
    const RunState& run = m_snapshot->run;
    const Candidate* shown = shownBest(run, island);
    const Candidate* own = run.candidate(island.best);
    return own && own != shown && own->score && isProvisional(*own)
        ? tr("%1 has %2, provisional: not confirmed to be faster").arg(nameOfCandidate(own->id), bestWords(*own))
        : QString();
}

QString IslandModel::steeringOf(int row) const
{
    const IslandSteering& steering = at(row).steering;
    QStringList parts;
    if (steering.focus || steering.mix)
        parts << tr("focus: %1").arg(text(wordsOfAim(steering)));
    if (!steering.proposers.empty())
        parts << tr("proposers: %1").arg(text(tilewright::wordsOf(steering.proposers)));
    if (steering.selection != 1)
        parts << tr("parent-selection temperature %1").arg(text(tilewright::wordsOf(steering.selection)));
    if (steering.sampling)
        parts << tr("sampling temperature %1").arg(text(tilewright::wordsOf(*steering.sampling)));
    if (steering.repairTurns != IslandSteering().repairTurns)
        parts << counted(steering.repairTurns, tr("%1 repair"), tr("%1 repairs"));
    if (steering.stagnation != IslandSteering().stagnation)
        parts << (steering.stagnation > 0
                ? counted(steering.stagnation, tr("reset after %1 candidate without improvement"),
                    tr("reset after %1 candidates without improvement"))
                : tr("no automatic reset"));
    return parts.join(QStringLiteral(", "));
}

namespace {

/// A program without one of the features stands beside the grid, in no cell of it.
std::ptrdiff_t outsideOf(const Island& island)
{
    return std::ranges::count_if(
        island.niches, [](const auto& niche) { return niche.first.find("unknown") != std::string::npos; });
}

QString outsideWords(const Island& island)
{
    const std::ptrdiff_t outside = outsideOf(island);
    return outside == 0 ? QString()
                        : counted(outside, IslandModel::tr("+ %1: a program without one of the niche features"),
                            IslandModel::tr("+ %1: programs without one of the niche features"));
}

} // namespace

int IslandModel::cellCount() const
{
    if (!m_snapshot->pack)
        return 0;
    int cells = 1;
    for (const NicheAxis& axis : m_snapshot->pack->task.niches)
        cells *= axis.bins;
    return cells;
}

int IslandModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_shown.size());
}

int IslandModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(Column::Count);
}

QVariant IslandModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const Island& island = at(index.row());
    const Candidate* best = shownBest(m_snapshot->run, island);
    const auto column = static_cast<Column>(index.column());
    if (role == Qt::TextAlignmentRole)
        return QVariant(column == Column::Score || column == Column::Population || column == Column::Cells
                    || column == Column::Admissions || column == Column::LastMigration
                ? Qt::AlignRight | Qt::AlignVCenter
                : Qt::AlignLeft | Qt::AlignVCenter);
    if (role == Qt::AccessibleTextRole && column == Column::Name) {
        const QString words
            = tr("Island %1, %2, best %3")
                  .arg(text(islandLetter(island.id)), text(island.name), best ? bestWords(*best) : tr("none"));
        QStringList all{words};
        for (const QString& more :
            {standingOf(index.row()), waitOf(index.row()), steeringOf(index.row()), troubleOf(index.row())})
            if (!more.isEmpty())
                all << more;
        return all.join(QStringLiteral(", "));
    }
    if (role == Qt::ToolTipRole) {
        QStringList all{column == Column::Name ? text(island.name) : QString(), // may be elided
            mixParts(index.row()).join(QStringLiteral(", ")), // a narrow card shows some of them
            best ? islandBestWords(m_snapshot->run, *best) : QString(), provisionalOf(island), standingOf(index.row()),
            waitOf(index.row()), steeringOf(index.row()), troubleOf(index.row()), outsideWords(island),
            m_snapshot->pack ? axisTerms(m_snapshot->pack->task) : QString()};
        all.removeAll(QString());
        return all.join(u'\n');
    }
    if (role != Qt::DisplayRole)
        return {};
    switch (column) {
    case Column::Name: {
        const QString state = standingOf(index.row()).isEmpty() ? waitOf(index.row()) : standingOf(index.row());
        const QString name = text(islandLetter(island.id) + " " + island.name);
        return state.isEmpty() ? name : tr("%1, %2").arg(name, state);
    }
    case Column::Strategy:
        return text(island.strategy);
    case Column::Focus:
        return aimOf(index.row());
    case Column::Best:
        return best ? nameOfCandidate(best->id) : QStringLiteral("–");
    case Column::Score:
        return best && best->score ? bestWords(*best) : QStringLiteral("–");
    case Column::Population:
        return QString::number(island.members.size());
    case Column::Cells: {
        const int cells = cellCount();
        const std::ptrdiff_t outside = outsideOf(island);
        const QString held = QString::number(static_cast<std::ptrdiff_t>(island.niches.size()) - outside);
        const QString all = cells ? held + QStringLiteral(" / %1").arg(cells) : held;
        return outside > 0 ? tr("%1 + %2").arg(all).arg(outside) : all;
    }
    case Column::Proposers: {
        const QString trouble = troubleOf(index.row());
        return trouble.isEmpty() ? mixWords(index.row()) : mixWords(index.row()) + QStringLiteral("; ") + trouble;
    }
    case Column::Admissions:
        return grouped(island.admissions);
    case Column::LastMigration:
        return island.lastMigration ? grouped(island.lastMigration) : QStringLiteral("–");
    case Column::Count:
        break;
    }
    return {};
}

QVariant IslandModel::tipOf(Column column)
{
    switch (column) {
    case Column::Population:
        return tr("members of its population");
    case Column::Cells:
        return tr("cells of its niche grid that hold a program");
    case Column::Admissions:
        return tr("candidates that entered its population or a niche");
    case Column::LastMigration:
        return tr("number of new members at the last migration");
    default:
        return {};
    }
}

QVariant IslandModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::ToolTipRole)
        return tipOf(static_cast<Column>(section));
    if (role != Qt::DisplayRole)
        return {};
    switch (static_cast<Column>(section)) {
    case Column::Name:
        return tr("Island");
    case Column::Strategy:
        return tr("Strategy");
    case Column::Focus:
        return tr("Focus");
    case Column::Best:
        return tr("Best");
    case Column::Score:
        return tr("Score");
    case Column::Population:
        return tr("Size");
    case Column::Cells:
        return tr("Cells");
    case Column::Proposers:
        return tr("Proposers");
    case Column::Admissions:
        return tr("Admitted");
    case Column::LastMigration:
        return tr("Migrated");
    case Column::Count:
        break;
    }
    return {};
}

} // namespace tilewright::ui
