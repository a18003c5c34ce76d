// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/log_model.h"

#include "ui/models/display_text.h"
#include "ui/theme/theme.h"

#include <QDateTime>
#include <QLocale>
#include <algorithm>

namespace tilewright::ui {
namespace {

using namespace Qt::StringLiterals;

QIcon severityIcon(const std::string& severity)
{
    if (severity == "good")
        return icon(u"check"_s, Tint::Good);
    if (severity == "warning")
        return icon(u"warn"_s, Tint::Warning);
    if (severity == "error")
        return icon(u"x"_s, Tint::Bad);
    return icon(u"info"_s, Tint::Secondary);
}

/// The day of the local time; invalid where there is none.
QDate dayOf(const LogLine& line)
{
    return QDateTime::fromString(text(line.atUtc), Qt::ISODateWithMs).toLocalTime().date();
}

QString dayWords(const QDate& day) { return QLocale().toString(day, QLocale::LongFormat); }

} // namespace

QDate LogModel::newDayAt(int row) const
{
    const auto& log = m_snapshot->run.log;
    const auto at = static_cast<std::size_t>(row);
    const QDate day = dayOf(log[at]);
    return at > 0 && dayOf(log[at - 1]) == day ? QDate() : day;
}

void LogModel::show(SnapshotPtr snapshot)
{
    const int rows = static_cast<int>(snapshot->run.log.size());
    const bool other = rows < m_rows || snapshot->run.lastSeq < m_snapshot->run.lastSeq
        || snapshot->status.sessionPath != m_snapshot->status.sessionPath;
    if (other) {
        beginResetModel();
        m_snapshot = std::move(snapshot);
        m_rows = rows;
        endResetModel();
        return;
    }
    const int first = m_rows;
    m_snapshot = std::move(snapshot);
    if (rows > first) {
        beginInsertRows({}, first, rows - 1);
        m_rows = rows;
        endInsertRows();
    }
}

CandidateId LogModel::candidateAt(int row) const
{
    return row >= 0 && row < m_rows ? m_snapshot->run.log[static_cast<std::size_t>(row)].candidate : CandidateId{};
}

ProposalId LogModel::proposalAt(int row) const
{
    return row >= 0 && row < m_rows ? m_snapshot->run.log[static_cast<std::size_t>(row)].proposal : ProposalId{};
}

int LogModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : m_rows; }

int LogModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(Column::Count);
}

QVariant LogModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= m_rows)
        return {};
    const LogLine& line = m_snapshot->run.log[static_cast<std::size_t>(index.row())];
    const auto column = static_cast<Column>(index.column());
    if (role == Qt::DecorationRole && column == Column::Time)
        return severityIcon(line.severity);
    if (role == Qt::ToolTipRole && column == Column::Time)
        return dayWords(dayOf(line));
    if (role == Qt::ToolTipRole && column == Column::Candidate && line.proposal)
        return tr("Enter or a double click shows the prompt and the reply.");
    if (role == Qt::AccessibleDescriptionRole)
        return text(line.severity);
    if (role != Qt::DisplayRole && !(role == Qt::ToolTipRole && column == Column::Text))
        return {};
    switch (column) {
    case Column::Time:
        return clockTime(line.atUtc);
    case Column::Candidate:
        return line.candidate ? nameOfCandidate(line.candidate) : line.proposal ? tr("reply …") : QString();
    case Column::Text: {
        // The candidate's name stands in its own column.
        const QString whole = text(line.text), name = nameOfCandidate(line.candidate) + u' ';
        const QString told = line.candidate && whole.startsWith(name) ? whole.mid(name.size()) : whole;
        const QDate day = newDayAt(index.row());
        return role != Qt::DisplayRole ? whole : day.isValid() ? u"%1 · %2"_s.arg(dayWords(day), told) : told;
    }
    case Column::Count:
        break;
    }
    return {};
}

QVariant LogModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (static_cast<Column>(section)) {
    case Column::Time:
        return tr("Time");
    case Column::Candidate:
        return tr("Candidate");
    case Column::Text:
        return tr("Event");
    case Column::Count:
        break;
    }
    return {};
}

void LogFilter::setWords(const QString& words)
{
    const QStringList now = words.split(u' ', Qt::SkipEmptyParts);
    if (now == m_words)
        return;
    m_words = now;
    invalidateFilter();
}

void LogFilter::setKind(Kind kind)
{
    if (kind == m_kind)
        return;
    m_kind = kind;
    invalidateFilter();
}

bool LogFilter::filterAcceptsRow(int row, const QModelIndex& parent) const
{
    if (!isFiltered())
        return true;
    const auto said = [&](LogModel::Column column, int role) {
        return sourceModel()->index(row, static_cast<int>(column), parent).data(role).toString();
    };
    const QString severity = said(LogModel::Column::Text, Qt::AccessibleDescriptionRole);
    if (m_kind == Kind::Better && severity != u"good"_s)
        return false;
    if (m_kind == Kind::Trouble && severity != u"warning"_s && severity != u"error"_s)
        return false;
    const QString line = said(LogModel::Column::Time, Qt::DisplayRole) + u' '
        + said(LogModel::Column::Candidate, Qt::DisplayRole) + u' ' + said(LogModel::Column::Text, Qt::ToolTipRole);
    return std::ranges::all_of(
        m_words, [&line](const QString& word) { return line.contains(word, Qt::CaseInsensitive); });
}

} // namespace tilewright::ui
