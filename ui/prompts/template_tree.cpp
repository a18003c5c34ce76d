// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/prompts/template_tree.h"

#include "ui/models/format.h"
#include "ui/models/island_model.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"
#include "ui/widgets/badge.h"

#include <algorithm>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr int islandRole = Qt::UserRole + 1;
constexpr int templateRole = Qt::UserRole + 2;

/// Whole ones first, in the order in which a run meets them, then the parts of others.
constexpr std::array<const char*, 12> order{"system", "explore", "exploit", "crossover", "repair", "rewrite",
    "translate", "summary", "judge", "situation", "reply", "whole_reply"};

QIcon iconOf(const std::string& name)
{
    if (name == "system")
        return icon(u"lock"_s, Tint::Secondary);
    if (name == "crossover")
        return icon(u"fork"_s, Tint::Secondary);
    if (name == "repair")
        return icon(u"redo"_s, Tint::Secondary);
    return icon(u"file"_s, Tint::Secondary);
}

bool hasText(const TemplateShelf& shelf, const RunState& run, const TemplateKey& key)
{
    const TemplateVersion* saved = run.newestTemplate(key.island, key.name);
    return (saved && !saved->text.isNull()) || shelf.hasOwnFile(key.island, key.name);
}

QString nameOfOwn(const RunState& run, IslandId id)
{
    const QString name = TemplateTree::tr("only island %1").arg(text(islandLetter(id)));
    const Island* island = run.island(id);
    const QString standing = island ? standingWords(*island) : QString();
    return standing.isEmpty() ? name : TemplateTree::tr("%1, %2").arg(name, standing);
}

} // namespace

QString titleOf(const std::string& templateName)
{
    QString title = text(templateName).replace(u'_', u' ');
    if (!title.isEmpty())
        title.front() = title.front().toUpper();
    return title;
}

QString versionWords(const TemplateShelf& shelf, const RunState& run, const TemplateKey& key, bool edited)
{
    const TemplateVersion* saved = run.newestTemplate(key.island, key.name);
    const QString stands = saved && !saved->text.isNull() ? u"v%1"_s.arg(saved->held())
        : shelf.hasOwnFile(key.island, key.name)          ? TemplateTree::tr("your file")
        : key.island                                      ? QString()
                                                          : TemplateTree::tr("shipped");
    if (!edited)
        return stands;
    return stands.isEmpty() ? TemplateTree::tr("draft") : TemplateTree::tr("%1, edited").arg(stands);
}

TemplateTree::TemplateTree(QObject* parent)
    : QStandardItemModel(0, static_cast<int>(Column::Count), parent)
{
}

std::vector<TemplateTree::Row> TemplateTree::rowsOf(
    const TemplateShelf& shelf, const RunState& run, const std::set<TemplateKey>& drafts)
{
    std::vector<Row> rows;
    for (const char* name : order) {
        const TemplateKey all{{}, name};
        rows.push_back({all, titleOf(name), versionWords(shelf, run, all, drafts.contains(all))});
        for (IslandId island{1}; island.value <= run.islandCount(); ++island.value) {
            const TemplateKey own{island, name};
            if (hasText(shelf, run, own) || drafts.contains(own))
                rows.push_back({own, nameOfOwn(run, island), versionWords(shelf, run, own, drafts.contains(own))});
        }
    }
    return rows;
}

void TemplateTree::show(const TemplateShelf& shelf, const RunState& run, const std::set<TemplateKey>& drafts)
{
    std::vector<Row> rows = rowsOf(shelf, run, drafts);
    if (rows == m_rows)
        return;
    m_rows = std::move(rows);
    removeRows(0, rowCount());
    QStandardItem* whole = nullptr;
    for (const Row& row : m_rows) {
        auto* name = new QStandardItem(row.key.island ? badgeIcon(row.key.island) : iconOf(row.key.name), row.name);
        auto* version = new QStandardItem(row.version);
        name->setData(QVariant::fromValue<qlonglong>(row.key.island.value), islandRole);
        name->setData(text(row.key.name), templateRole);
        version->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
        name->setAccessibleText(tr("%1, %2").arg(row.name, row.version));
        for (QStandardItem* item : {name, version})
            item->setEditable(false);
        if (row.key.island && whole) {
            whole->appendRow({name, version});
        } else {
            appendRow({name, version});
            whole = name;
        }
    }
}

QVariant TemplateTree::data(const QModelIndex& index, int role) const
{
    if (role == Qt::ForegroundRole && index.column() == static_cast<int>(Column::Version))
        return QColor(tokens().secondary); // of the theme that is on
    return QStandardItemModel::data(index, role);
}

TemplateKey TemplateTree::keyOf(const QModelIndex& index) const
{
    const QModelIndex name = index.siblingAtColumn(0);
    return {IslandId{name.data(islandRole).toLongLong()}, name.data(templateRole).toString().toStdString()};
}

QModelIndex TemplateTree::indexOf(const TemplateKey& key) const
{
    for (int row = 0; row < rowCount(); ++row) {
        const QModelIndex whole = index(row, 0);
        if (keyOf(whole) == key)
            return whole;
        for (int child = 0; child < rowCount(whole); ++child)
            if (keyOf(index(child, 0, whole)) == key)
                return index(child, 0, whole);
    }
    return {};
}

} // namespace tilewright::ui
