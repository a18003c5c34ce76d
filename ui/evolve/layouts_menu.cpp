// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/evolve/layouts_menu.h"

#include "ui/evolve/evolve_page.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"

#include <QLineEdit>
#include <QWidgetAction>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {
const QString layoutsSetting = u"evolve-layouts"_s;
} // namespace

LayoutsMenu::LayoutsMenu(EvolvePage& page, Settings& settings, QWidget* parent)
    : QMenu(tr("La&youts"), parent)
    , m_page(page)
    , m_settings(settings)
{
    setObjectName(u"layoutsMenu"_s);
    setIcon(ui::icon(u"save"_s, Tint::Secondary));
    connect(this, &QMenu::aboutToShow, this, [this] { fill(); });
    fill(); // a menu without items cannot be opened from the keyboard
}

std::vector<DockLayout> LayoutsMenu::layouts() const { return dockLayoutsFrom(m_settings.layout(layoutsSetting)); }

void LayoutsMenu::setLayouts(const std::vector<DockLayout>& layouts)
{
    m_settings.setLayout(layoutsSetting, toJson(layouts));
}

void LayoutsMenu::fill()
{
    clear();
    qDeleteAll(findChildren<QMenu*>(Qt::FindDirectChildrenOnly));
    const std::vector<DockLayout> known = layouts();
    for (const DockLayout& layout : known)
        connect(addAction(layout.name), &QAction::triggered, &m_page, [this, layout] { m_page.takeUp(layout.state); });
    if (!known.empty())
        addSeparator();
    addNameRow();
    if (known.empty())
        return;
    QMenu* forget = addMenu(tr("Forget"));
    for (const DockLayout& layout : known)
        connect(forget->addAction(layout.name), &QAction::triggered, this,
            [this, name = layout.name] { setLayouts(withoutLayout(layouts(), name)); });
}

void LayoutsMenu::addNameRow()
{
    auto* box = new QLineEdit;
    box->setObjectName(u"layoutName"_s);
    box->setPlaceholderText(tr("Keep this layout as …"));
    box->setAccessibleName(tr("Name under which to keep this layout; Enter keeps it"));
    box->setMinimumWidth(px(180));
    auto* action = new QWidgetAction(this);
    action->setDefaultWidget(box);
    addAction(action);
    connect(box, &QLineEdit::returnPressed, this, [this, box] {
        const QString name = box->text().simplified();
        if (name.isEmpty())
            return;
        setLayouts(withLayout(layouts(), {name, m_page.layoutNow()}));
        close();
    });
}

} // namespace tilewright::ui
