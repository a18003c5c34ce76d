// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/shortcut_page.h"

#include "ui/theme/theme.h"
#include "ui/widgets/room.h"
#include "ui/widgets/table.h"

#include <QHeaderView>
#include <QStandardItemModel>
#include <QVBoxLayout>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

ShortcutPage::ShortcutPage(const ActionRegistry& actions, QWidget* parent)
    : QDialog(parent)
{
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Shortcuts"));
    openAs(*this, 520, 520, parent);
    auto* model = new QStandardItemModel(0, 2, this);
    model->setHorizontalHeaderLabels({tr("Action"), tr("Keys")});
    const auto row = [model](const QString& name, const QString& keys) {
        model->appendRow({new QStandardItem(name), new QStandardItem(keys)});
    };
    for (const QAction* action : actions.all())
        if (!action->shortcut().isEmpty())
            row(action->text().remove(u'&').remove(u'…'), action->shortcut().toString(QKeySequence::NativeText));
    row(tr("In a plot: zoom, fit"), tr("+  −  0, wheel, double click"));
    row(tr("In a plot: pan"), tr("←  →, drag"));
    auto* table = new Table(this);
    table->setModel(model);
    table->setAccessibleName(tr("Shortcuts"));
    table->setMinimumWidth(px(480));
    table->horizontalHeader()->setSectionResizeMode(0, QHeaderView::Stretch);
    table->setColumnWidth(1, px(210));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(table);
}

} // namespace tilewright::ui
