// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/statistics_model.h"

#include "ui/models/activity_words.h"
#include "ui/models/display_text.h"
#include "ui/theme/theme.h"

#include <algorithm>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

bool hasMeanGain(const PromptStatistics& figures) { return figures.meanGain && figures.ranked >= enoughForAMean; }

QString meanGainWords(const PromptStatistics& figures)
{
    if (!hasMeanGain(figures))
        return {};
    // One unit for all three.
    const bool isLarge = figures.meanGain->hi >= 10;
    const auto figure = [isLarge](double ratio) { return isLarge ? times(ratio) : signedPercent(ratio); };
    return u"%1 [%2, %3]"_s.arg(
        figure(figures.meanGain->value), figure(figures.meanGain->lo), figure(figures.meanGain->hi));
}

QString gainWords(const PromptStatistics& figures)
{
    const QString mean = meanGainWords(figures);
    return mean.isEmpty() ? StatisticsModel::tr("n = %1, too few").arg(figures.ranked)
                          : u"%1 n = %2"_s.arg(mean).arg(figures.ranked);
}

QString spentWords(std::int64_t microUsd, std::int64_t unpriced, std::int64_t tokens)
{
    if (tokens == 0 && microUsd == 0 && unpriced == 0)
        return u"–"_s;
    if (microUsd == 0 && unpriced > 0)
        return StatisticsModel::tr("unknown");
    const double usd = static_cast<double>(microUsd) / 1e6;
    const QString known = u"$%1"_s.arg(usd, 0, 'f', usd >= 1 || usd == 0 ? 2 : 4);
    return unpriced > 0 ? StatisticsModel::tr("at least %1").arg(known) : known;
}

std::vector<StatisticsModel::Row> StatisticsModel::rowsOf(const Snapshot& snapshot, Grouping grouping) const
{
    std::vector<Row> rows;
    const RunStatistics none;
    const RunStatistics& statistics = snapshot.statistics ? *snapshot.statistics : none;
    if (grouping == Grouping::Template) {
        for (const PromptStatistics& one : statistics.byTemplate) {
            const auto asked = std::ranges::find_if(snapshot.run.modelRequests, [&one](const ModelRequest& each) {
                return each.promptName == one.templateName && each.promptVersion == one.templateVersion;
            });
            const bool isAsked = !one.templateName.empty() && asked != snapshot.run.modelRequests.end();
            rows.push_back({isAsked            ? templateWords(snapshot.run, *asked)
                    : one.templateName.empty() ? tr("without a prompt")
                                               : text(one.templateName),
                one, {}, {}, {}});
        }
        return rows;
    }
    const auto rowOf = [&rows](const std::string& name) -> Row& {
        const QString wanted = text(name);
        const auto found = std::ranges::find(rows, wanted, &Row::name);
        return found != rows.end() ? *found : rows.emplace_back(Row{wanted, {}, {}, {}, {}});
    };
    for (const ModelStatus& status : snapshot.status.models)
        rowOf(status.name).status = status;
    for (const auto& [name, known] : snapshot.run.statisticsByModel)
        rowOf(name).statistics = known;
    for (const PromptStatistics& one : statistics.byModel)
        if (one.model != "seed")
            rowOf(one.model).figures = one;
    for (const auto& [name, tally] : m_patches)
        rowOf(name).patches = tally;
    return rows;
}

void StatisticsModel::show(const Snapshot& snapshot, Grouping grouping)
{
    if (!snapshot.statistics || snapshot.statistics != m_statistics) {
        m_statistics = snapshot.statistics;
        m_patches = patchTalliesByAuthor(snapshot.run);
    }
    std::vector<Row> rows = rowsOf(snapshot, grouping);
    if (rows == m_rows)
        return;
    if (std::ranges::equal(rows, m_rows, {}, &Row::name, &Row::name)) {
        m_rows = std::move(rows);
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
        return;
    }
    beginResetModel();
    m_rows = std::move(rows);
    endResetModel();
}

const ModelStatus* StatisticsModel::statusAt(int row) const
{
    if (row < 0 || row >= rowCount() || !m_rows[static_cast<std::size_t>(row)].status)
        return nullptr;
    return &*m_rows[static_cast<std::size_t>(row)].status;
}

QString StatisticsModel::stateOf(const Row& row)
{
    if (!row.status)
        return row.statistics && !row.statistics->pausedBecause.empty()
            ? tr("paused: %1").arg(text(row.statistics->pausedBecause))
            : u"–"_s;
    const ModelStatus& status = *row.status;
    const QString left = limitWords(status.limits);
    if (status.condition == ModelCondition::Ready) {
        const QString now = status.inFlight > 0 ? tr("ready, %1 in flight").arg(status.inFlight) : tr("ready");
        return left.isEmpty() ? now : u"%1 · %2"_s.arg(now, left);
    }
    const QString words[] = {tr("ready"), tr("slow"), tr("waiting"), tr("backing off"), tr("paused")};
    const QString word = words[static_cast<int>(status.condition)];
    return status.text.empty() ? word : u"%1: %2"_s.arg(word, text(status.text));
}

QString StatisticsModel::stateLines(const Row& row)
{
    const QString lines = row.status ? limitLines(row.status->limits) : QString();
    return lines.isEmpty() ? stateOf(row) : stateOf(row) + u'\n' + lines;
}

int StatisticsModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int StatisticsModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(Column::Count);
}

QVariant StatisticsModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const Row& row = m_rows[static_cast<std::size_t>(index.row())];
    const PromptStatistics& f = row.figures;
    const auto column = static_cast<Column>(index.column());
    const bool troubled = row.status && row.status->condition != ModelCondition::Ready;
    if (role == Qt::TextAlignmentRole)
        return QVariant(column > Column::State ? Qt::AlignRight | Qt::AlignVCenter : Qt::AlignLeft | Qt::AlignVCenter);
    if (column == Column::State && troubled && role == Qt::ForegroundRole)
        return tokens().warning;
    if (column == Column::State && troubled && role == Qt::DecorationRole)
        return icon(u"warn"_s, Tint::Warning);
    if (role == Qt::ToolTipRole && (column == Column::State || column == Column::Name))
        return column == Column::State ? stateLines(row) : row.name;
    if (role == Qt::ToolTipRole && column == Column::Tokens && f.tokens.total())
        return tokenWords(f.tokens);
    if (role == Qt::ToolTipRole && column == Column::Clean && row.patches)
        return tr("%1 applied cleanly, %2 repaired, %3 refused")
            .arg(row.patches->clean)
            .arg(row.patches->mended)
            .arg(row.patches->refused);
    if (role != Qt::DisplayRole)
        return {};
    const QString nothing = u"–"_s;
    switch (column) {
    case Column::Name:
        return row.name;
    case Column::State:
        return stateOf(row);
    case Column::Asked:
        return f.asked == 0 ? nothing
            : f.unanswered  ? tr("%1, %2 lost").arg(grouped(f.asked)).arg(f.unanswered)
                            : grouped(f.asked);
    case Column::Proposals:
        return f.proposals ? grouped(f.proposals) : nothing;
    case Column::Accepted:
        return f.proposals == 0 ? nothing
            : f.duplicates == 0 ? percent(f.acceptanceRate())
                                : tr("%1, %2 duplicates").arg(percent(f.acceptanceRate()), grouped(f.duplicates));
    case Column::Clean: {
        const std::optional<double> rate = row.patches ? row.patches->cleanRate() : std::nullopt;
        return rate ? percent(*rate) : nothing;
    }
    case Column::Built:
        return f.applied ? percent(f.buildRate()) : nothing;
    case Column::Gain:
        if (!f.meanGain || f.ranked == 0)
            return nothing;
        return gainWords(f);
    case Column::Tokens:
        return f.tokens.total() ? grouped(f.tokens.total()) : nothing;
    case Column::Cost:
        return spentWords(f.costMicroUsd, f.unpriced, f.tokens.total());
    case Column::Reward:
        return row.statistics && row.statistics->asked > 0 ? QString::number(row.statistics->meanReward(), 'f', 2)
                                                           : nothing;
    case Column::Count:
        break;
    }
    return {};
}

QVariant StatisticsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section >= static_cast<int>(Column::Count))
        return {};
    const QString names[] = {tr("Name"), tr("Now"), tr("Requests"), tr("Mean gain, 95 %"), tr("Tokens"), tr("Cost"),
        tr("Applied"), tr("Proposals"), tr("Clean"), tr("Built"), tr("Reward")};
    const QString tips[] = {{}, tr("current state"), tr("requests sent"),
        tr("child / parent speed, geometric mean; none below 5 measured children"), tr("prompt and reply tokens"),
        tr("replies with a known price"),
        tr("applied and new, of all proposals; the others duplicate an existing program"),
        tr("finished proposals; a reply may contain several"),
        tr("patches that applied cleanly, of all replies with a patch; the others were repaired or refused"),
        tr("built, of those that applied"), tr("mean reward, 0 to 1, used to choose the next model")};
    if (role == Qt::DisplayRole)
        return names[section];
    return role == Qt::ToolTipRole ? QVariant(tips[section]) : QVariant();
}

} // namespace tilewright::ui
