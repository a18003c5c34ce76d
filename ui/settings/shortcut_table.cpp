// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/shortcut_table.h"

#include "ui/theme/theme.h"
#include "ui/widgets/table.h"
#include "ui/widgets/wrapping_delegate.h"

#include <QLineEdit>
#include <QSortFilterProxyModel>
#include <QStandardItemModel>
#include <QVBoxLayout>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

ShortcutTable::ShortcutTable(const ActionRegistry& actions, QWidget* parent)
    : QWidget(parent)
{
    auto* model = new QStandardItemModel(0, static_cast<int>(Column::Count), this);
    model->setHorizontalHeaderLabels({tr("Action"), tr("Keys"), tr("What it does")});
    const auto row = [model](const QString& name, const QString& keys, const QString& purpose) {
        model->appendRow({new QStandardItem(name), new QStandardItem(keys), new QStandardItem(purpose)});
    };
    for (const QAction* action : actions.all())
        row(action->text().remove(u'&').remove(u'…'),
            QKeySequence::listToString(action->shortcuts(), QKeySequence::NativeText),
            actions.purposeOf(action->objectName()));
    row(tr("In a plot: zoom, fit"), tr("+  −  0, wheel, double click"), {});
    row(tr("In a plot: pan"), tr("←  →, drag"), {});
    auto* found = new QSortFilterProxyModel(this);
    found->setSourceModel(model);
    found->setFilterKeyColumn(-1);
    found->setFilterCaseSensitivity(Qt::CaseInsensitive);
    auto* wanted = new QLineEdit(this);
    wanted->setObjectName(u"shortcutSearch"_s);
    wanted->setAccessibleName(tr("Find an action or a key"));
    wanted->setPlaceholderText(tr("Find an action or a key"));
    wanted->setClearButtonEnabled(true);
    connect(wanted, &QLineEdit::textChanged, found, &QSortFilterProxyModel::setFilterFixedString);
    auto* table = new Table(this);
    table->setObjectName(u"shortcutTable"_s);
    table->setModel(found);
    table->setAccessibleName(tr("Actions and their keys"));
    table->setNothing(tr("No action is called so."));
    table->setItemDelegate(new WrappingDelegate(table));
    table->setColumns({{220, 0}, {160, 0}, {180, 1, true}});
    fitRowsToWords(*table);
    connect(found, &QSortFilterProxyModel::rowsInserted, table, &QTableView::resizeRowsToContents);
    table->resizeRowsToContents();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(px(10), px(10), px(10), 0);
    column->setSpacing(px(8));
    column->addWidget(wanted);
    column->addWidget(table, 1);
}

} // namespace tilewright::ui
