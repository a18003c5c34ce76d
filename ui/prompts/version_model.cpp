// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/prompts/version_model.h"

#include "core/engine/proposing.h"
#include "ui/models/format.h"
#include "ui/models/statistics_model.h"
#include "ui/theme/theme.h"

#include <algorithm>
#include <map>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

/// Parts of others have no figures of their own.
bool isPart(const std::string& name) { return name == "situation" || name == "reply" || name == "whole_reply"; }

} // namespace

void VersionModel::show(const RunState& run, const TemplateKey& key)
{
    std::map<int, PromptStatistics> figures;
    if (!isPart(key.name))
        for (TemplateUse& use : templateUses(run, key.island, key.name))
            figures[use.version] = std::move(use.statistics);
    const TemplateVersion* newest = run.newestTemplate(key.island, key.name);
    const bool below = !newest || newest->text.isNull();
    std::vector<Row> rows{{0, {}, {}, below, 0, figures[0]}};
    for (const TemplateVersion& version : run.templates)
        if (version.island == key.island && version.name == key.name && !version.text.isNull() && !version.again)
            rows.push_back({version.number, text(version.note), version.text,
                !below && newest->held() == version.number, version.evaluations, figures[version.number]});
    std::ranges::reverse(rows);
    const bool sameRows = key == m_key && rows.size() == m_rows.size(), isRead = readsPrompts(run.settings.proposer);
    const bool wasRead = std::exchange(m_isRead, isRead);
    if (sameRows && rows == m_rows && wasRead == isRead)
        return;
    if (sameRows) {
        m_rows = std::move(rows);
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
        return;
    }
    beginResetModel();
    m_rows = std::move(rows);
    m_key = key;
    endResetModel();
}

const VersionModel::Row* VersionModel::at(int row) const
{
    return row >= 0 && row < rowCount() ? &m_rows[static_cast<std::size_t>(row)] : nullptr;
}

int VersionModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int VersionModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(Column::Count);
}

QVariant VersionModel::data(const QModelIndex& index, int role) const
{
    const Row* row = index.isValid() ? at(index.row()) : nullptr;
    if (!row)
        return {};
    const PromptStatistics& f = row->figures;
    const auto column = static_cast<Column>(index.column());
    if (role == Qt::TextAlignmentRole)
        return QVariant(column == Column::Asked || column == Column::Accepted ? Qt::AlignRight | Qt::AlignVCenter
                                                                              : Qt::AlignLeft | Qt::AlignVCenter);
    if (role == Qt::ForegroundRole && column == Column::Version && row->live)
        return tokens().good;
    if (role == Qt::ToolTipRole && column == Column::Note)
        return row->note;
    if (role != Qt::DisplayRole)
        return {};
    const QString nothing = u"–"_s;
    switch (column) {
    case Column::Version: {
        const QString name = row->number ? u"v%1"_s.arg(row->number) : m_key.island ? tr("as for all") : tr("shipped");
        return !row->live ? name : m_isRead ? tr("%1, live").arg(name) : tr("%1, newest").arg(name);
    }
    case Column::Note:
        return row->note.isEmpty() ? nothing : row->note;
    case Column::Asked:
        return f.asked ? grouped(f.asked) : nothing;
    case Column::Accepted:
        return f.proposals ? percent(f.acceptanceRate()) : nothing;
    case Column::Gain:
        if (isPart(m_key.name))
            return tr("see the templates it is part of");
        if (!f.meanGain || f.ranked == 0)
            return tr("no data yet");
        return gainWords(f);
    case Column::Since:
        return row->number ? tr("after %1").arg(grouped(row->evaluations)) : tr("start");
    case Column::Count:
        break;
    }
    return {};
}

QVariant VersionModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section >= static_cast<int>(Column::Count))
        return {};
    const QString names[]
        = {tr("Version"), tr("What changed"), tr("Asked"), tr("Applied"), tr("Gain, 95 %"), tr("Since")};
    const QString tips[] = {{}, tr("in the words of whoever saved it"), tr("questions that were written with it"),
        tr("applied and new, of all proposals"),
        tr("child / parent speed, geometric mean with its 95 % interval; below 5 measured ones none is given"),
        tr("after how many evaluations it was saved")};
    if (role == Qt::DisplayRole)
        return names[section];
    return role == Qt::ToolTipRole ? QVariant(tips[section]) : QVariant();
}

} // namespace tilewright::ui
