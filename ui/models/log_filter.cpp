// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/log_filter.h"

#include "ui/models/log_model.h"

#include <algorithm>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

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
