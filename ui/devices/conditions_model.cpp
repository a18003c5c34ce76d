// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/devices/conditions_model.h"

#include "ui/devices/work_words.h"
#include "ui/models/format.h"
#include "ui/theme/theme.h"
#include "ui/theme/words.h"

#include <algorithm>
#include <cmath>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

Qt::Alignment conditionAlignment(ConditionsModel::Column column)
{
    const bool isWords = column == ConditionsModel::Column::Candidate || column == ConditionsModel::Column::Throttling
        || column == ConditionsModel::Column::Device;
    return (isWords ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter;
}

} // namespace

const std::optional<Readings>& readingsOf(const Conditions& seen, Condition what)
{
    return what == Condition::Clock ? seen.mhz : what == Condition::Temperature ? seen.celsius : seen.watts;
}

QString words(Condition what)
{
    return what == Condition::Clock ? tr("Clock") : what == Condition::Temperature ? tr("Temperature") : tr("Power");
}

QString unitOf(Condition what)
{
    return what == Condition::Clock ? u"MHz"_s : what == Condition::Temperature ? u"°C"_s : u"W"_s;
}

QString readingWords(const std::optional<Readings>& readings)
{
    if (!readings)
        return u"–"_s;
    const QString lo = grouped(std::llround(readings->lo)), hi = grouped(std::llround(readings->hi));
    return lo == hi ? lo : lo + u'–' + hi;
}

std::optional<Readings> rangeOf(const WorkRecord& work, Condition what, const std::string& device)
{
    const auto first = static_cast<std::size_t>(std::max(work.first, 0));
    const std::string firstDevice = first < work.devices.size() ? work.devices[first].id : std::string();
    std::optional<Readings> range;
    for (const Conditions& seen : work.conditions) {
        const auto& here = readingsOf(seen, what);
        if (!here || (!device.empty() && (seen.device.empty() ? firstDevice : seen.device) != device))
            continue;
        range = range ? Readings{std::min(range->lo, here->lo), std::max(range->hi, here->hi)} : *here;
    }
    return range;
}

QString throttlingWords(const Conditions& seen)
{
    if (!seen.throttling)
        return u"–"_s;
    if (seen.throttling->empty())
        return tr("none");
    QStringList all;
    for (const auto& [reason, blocks] : *seen.throttling)
        all << (seen.blocks > 0 ? tr("%1 in %2 of %3 blocks").arg(text(reason)).arg(blocks).arg(seen.blocks)
                                : text(reason));
    return all.join(u", "_s);
}

QString deviceOf(const WorkRecord& work, const Conditions& seen)
{
    const auto first = static_cast<std::size_t>(std::max(work.first, 0));
    if (seen.device.empty())
        return first < work.devices.size() ? deviceName(work.devices, work.devices[first].id) : u"–"_s;
    return deviceName(work.devices, seen.device);
}

bool ConditionsModel::show(const WorkRecord& work)
{
    const auto& before = m_work.conditions;
    const auto& now = work.conditions;
    const bool grows = now.size() >= before.size() && work.devices == m_work.devices
        && (before.empty() || (now[0] == before[0] && now[before.size() - 1] == before.back()));
    if (grows && now.size() == before.size())
        return false;
    grows ? beginInsertRows({}, 0, static_cast<int>(now.size() - before.size()) - 1) : beginResetModel();
    m_work.conditions = now;
    m_work.devices = work.devices;
    m_work.first = work.first;
    grows ? endInsertRows() : endResetModel();
    return true;
}

int ConditionsModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_work.conditions.size());
}

int ConditionsModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(Column::Count);
}

QString ConditionsModel::textOf(const Conditions& seen, Column column) const
{
    switch (column) {
    case Column::RunTime:
        return duration(seen.runNs);
    case Column::Candidate:
        return nameOfCandidate(seen.candidate);
    case Column::Clock:
        return readingWords(seen.mhz);
    case Column::Temperature:
        return readingWords(seen.celsius);
    case Column::Power:
        return readingWords(seen.watts);
    case Column::Throttling:
        return throttlingWords(seen);
    case Column::Device:
        return deviceOf(m_work, seen);
    case Column::Count:
        break;
    }
    return {};
}

QVariant ConditionsModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const Conditions& seen = m_work.conditions[m_work.conditions.size() - 1 - static_cast<std::size_t>(index.row())];
    const auto column = static_cast<Column>(index.column());
    if (role == IdRole)
        return QVariant::fromValue<qlonglong>(seen.candidate.value);
    if (role == Qt::TextAlignmentRole)
        return QVariant(conditionAlignment(column));
    if (role == Qt::ForegroundRole && column == Column::Throttling && seen.isThrottled())
        return tokens().warning;
    if (role == Qt::ToolTipRole && column == Column::Throttling && seen.isThrottled())
        return throttlingWords(seen);
    return role == Qt::DisplayRole ? QVariant(textOf(seen, column)) : QVariant();
}

QVariant ConditionsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant(conditionAlignment(static_cast<Column>(section)));
    const auto withUnit = [](Condition what) { return u"%1 (%2)"_s.arg(words(what), unitOf(what)); };
    const QString names[] = {tr("Run time"), tr("Candidate"), withUnit(Condition::Clock),
        withUnit(Condition::Temperature), withUnit(Condition::Power), tr("Throttling"), tr("Device")};
    return role == Qt::DisplayRole ? QVariant(names[section]) : QVariant();
}

} // namespace tilewright::ui
