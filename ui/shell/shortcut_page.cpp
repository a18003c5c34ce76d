// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/shortcut_page.h"

#include "ui/settings/shortcut_table.h"
#include "ui/widgets/room.h"

#include <QVBoxLayout>

namespace tilewright::ui {

ShortcutPage::ShortcutPage(const ActionRegistry& actions, QWidget* parent)
    : QDialog(parent)
{
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Shortcuts"));
    openAs(*this, 900, 560, parent);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(new ShortcutTable(actions, this));
}

} // namespace tilewright::ui
