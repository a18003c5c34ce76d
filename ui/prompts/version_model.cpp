// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/prompts/version_model.h"

#include "core/engine/proposals/proposing.h"
#include "core/stats/statistics.h"
#include "ui/models/display_text.h"
#include "ui/models/statistics_model.h"
#include "ui/theme/theme.h"
#include "ui/widgets/paint.h"

#include <QPainter>
#include <algorithm>
#include <cmath>
#include <map>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

/// Parts of others have no figures of their own.
bool isPart(const std::string& name) { return name == "situation" || name == "reply" || name == "whole_reply"; }

VersionModel::Row draftRow(const QString& note)
{
    VersionModel::Row row;
    row.note = note;
    row.isDraft = true;
    return row;
}

/// "8 of 12 [39.1, 86.2 %]"
QString shareWords(std::int64_t successes, std::int64_t all)
{
    const auto interval = wilsonInterval(successes, all);
    if (!interval)
        return u"–"_s;
    const QString low = percent(interval->low).section(u' ', 0, 0), high = percent(interval->high);
    return VersionModel::tr("%1 of %2 [%3, %4]").arg(grouped(successes), grouped(all), low, high);
}

} // namespace

void VersionModel::setDraft(const std::optional<QString>& note)
{
    if (note == m_draft)
        return;
    const bool was = m_draft.has_value();
    m_draft = note;
    if (note && was) {
        m_rows.front().note = *note;
        Q_EMIT dataChanged(index(0, 0), index(0, columnCount() - 1));
    } else if (note) {
        beginInsertRows({}, 0, 0);
        m_rows.insert(m_rows.begin(), draftRow(*note));
        endInsertRows();
    } else {
        beginRemoveRows({}, 0, 0);
        m_rows.erase(m_rows.begin());
        endRemoveRows();
    }
}

/// Whatever is saved in a run is a user's.
QString VersionModel::byWhom(const Row& row) const
{
    return row.number > 0 || row.isDraft ? tr("you") : m_key.island ? u"–"_s : u"Tilewright"_s;
}

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
    if (m_draft && key == m_key)
        rows.push_back(draftRow(*m_draft));
    else
        m_draft.reset();
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

QVariant VersionModel::gainOf(const Row& row, int role) const
{
    if (isPart(m_key.name) || !hasMeanGain(row.figures))
        return {};
    const Interval& mean = *row.figures.meanGain;
    if (role != GainReachRole)
        return role == GainRole ? mean.value : role == GainLowRole ? mean.lo : mean.hi;
    double reach = 0.01;
    for (const Row& each : m_rows)
        if (hasMeanGain(each.figures))
            for (const double end : {each.figures.meanGain->lo, each.figures.meanGain->hi})
                reach = std::max(reach, std::abs(std::log(std::max(end, 1e-6))));
    return reach;
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
    if (column == Column::Gain && role >= GainRole && role <= GainReachRole)
        return gainOf(*row, role);
    if (role != Qt::DisplayRole)
        return {};
    const QString nothing = u"–"_s;
    switch (column) {
    case Column::Version: {
        if (row->isDraft)
            return tr("draft");
        const QString name = row->number ? u"v%1"_s.arg(row->number) : m_key.island ? tr("as for all") : tr("default");
        return !row->live ? name : m_isRead ? tr("%1, active").arg(name) : tr("%1, active, unused").arg(name);
    }
    case Column::Note:
        return row->note.isEmpty() ? nothing : row->note;
    case Column::Asked:
        return f.asked ? grouped(f.asked) : nothing;
    case Column::Accepted:
        return shareWords(f.applied, f.proposals);
    case Column::Gain:
        if (isPart(m_key.name))
            return tr("see the templates that contain it");
        if (!f.meanGain || f.ranked == 0)
            return tr("no data yet");
        return gainWords(f);
    case Column::By:
        return byWhom(*row);
    case Column::Since:
        return row->isDraft ? tr("not saved")
            : row->number   ? tr("evaluation %1").arg(grouped(row->evaluations))
                            : tr("start");
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
        = {tr("Version"), tr("Description"), tr("Requests"), tr("Applied"), tr("Gain, 95 %"), tr("By"), tr("Since")};
    const QString tips[] = {{}, tr("description by the author of the version"), tr("requests that used it"),
        tr("applied and new, of all proposals, with the 95 % Wilson score interval of that share"),
        tr("child / parent speed, geometric mean with the 95 % interval of Student's t; none below 5 measured "
           "children"),
        tr("author"), tr("number of evaluations when it was saved")};
    if (role == Qt::DisplayRole)
        return names[section];
    return role == Qt::ToolTipRole ? QVariant(tips[section]) : QVariant();
}

namespace {

constexpr double axisWidth = 96, margin = 8;

bool hasMean(const QModelIndex& index) { return index.data(VersionModel::GainRole).isValid(); }

} // namespace

QRectF GainDelegate::axisIn(const QRect& cell)
{
    return {cell.left() + static_cast<qreal>(px(margin)), static_cast<qreal>(cell.top()),
        static_cast<qreal>(px(axisWidth)), static_cast<qreal>(cell.height())};
}

QSize GainDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const QSize words = RowDelegate::sizeHint(option, index);
    return hasMean(index) ? QSize(words.width() + px(axisWidth) + px(margin), words.height()) : words;
}

void GainDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    if (!hasMean(index))
        return RowDelegate::paint(painter, option, index);
    QStyleOptionViewItem words(option);
    words.rect.setLeft(option.rect.left() + px(margin) + px(axisWidth));
    RowDelegate::paint(painter, words, index);
    painter->save();
    QStyleOptionViewItem ground(option);
    ground.rect.setRight(words.rect.left() - 1);
    paintGround(*painter, ground);
    const QRectF axis = axisIn(option.rect);
    const double reach = index.data(VersionModel::GainReachRole).toDouble();
    const auto x = [&](VersionModel::Role role) {
        const double change = std::log(std::max(index.data(role).toDouble(), 1e-6));
        return axis.center().x() + change / reach * (axis.width() / 2 - 5);
    };
    painter->setPen(tokens().strongBorder);
    painter->drawLine(
        QPointF(axis.center().x(), axis.top() + px(5)), QPointF(axis.center().x(), axis.bottom() - px(5)));
    const double low = index.data(VersionModel::GainLowRole).toDouble();
    const double high = index.data(VersionModel::GainHighRole).toDouble();
    const QColor ink = low > 1 ? tokens().good : high < 1 ? tokens().bad : tokens().secondary;
    drawInterval(*painter, x(VersionModel::GainLowRole), x(VersionModel::GainRole), x(VersionModel::GainHighRole),
        axis.center().y(), ink);
    painter->restore();
}

} // namespace tilewright::ui
