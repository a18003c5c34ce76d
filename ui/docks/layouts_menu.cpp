// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/docks/layouts_menu.h"

#include "ui/docks/workspace.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"

#include <QDockWidget>
#include <QLineEdit>
#include <QWidgetAction>
#include <algorithm>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

LayoutsMenu::LayoutsMenu(std::function<Workspace*()> current, Settings& settings, QWidget* parent)
    : QMenu(tr("La&youts"), parent)
    , m_current(std::move(current))
    , m_settings(settings)
{
    setObjectName(u"layoutsMenu"_s);
    setIcon(ui::icon(u"save"_s, Tint::Secondary));
    connect(this, &QMenu::aboutToShow, this, [this] { fill(); });
    fill(); // a menu without items cannot be opened from the keyboard
}

QString LayoutsMenu::setting() const { return m_current() ? m_current()->name() + u"-layouts"_s : QString(); }

std::vector<DockLayout> LayoutsMenu::layouts() const { return dockLayoutsFrom(m_settings.layout(setting())); }

void LayoutsMenu::setLayouts(const std::vector<DockLayout>& layouts)
{
    m_settings.setLayout(setting(), toJson(layouts));
}

void LayoutsMenu::fill()
{
    clear();
    Workspace* workspace = m_current();
    if (!workspace) {
        addAction(tr("This mode has no docks"))->setEnabled(false);
        return;
    }
    qDeleteAll(findChildren<QMenu*>(Qt::FindDirectChildrenOnly));
    const std::vector<DockLayout> known = layouts();
    for (const DockLayout& layout : known)
        connect(addAction(layout.name), &QAction::triggered, workspace,
            [workspace, layout] { workspace->takeUp(layout.state); });
    if (!known.empty())
        addSeparator();
    addNameRow();
    if (known.empty())
        return;
    QMenu* forget = addMenu(tr("Forget"));
    for (const DockLayout& layout : known)
        connect(forget->addAction(layout.name), &QAction::triggered, this,
            [this, name = layout.name] { this->forget(name); });
}

void LayoutsMenu::forget(const QString& name)
{
    const std::vector<DockLayout> before = layouts();
    const auto found = std::ranges::find(before, name, &DockLayout::name);
    if (found == before.end())
        return;
    setLayouts(withoutLayout(before, name));
    const auto place = static_cast<std::size_t>(found - before.begin());
    m_settings.forget(
        tr("the layout “%1”").arg(name), [&settings = m_settings, key = setting(), layout = *found, place] {
            settings.setLayout(key, toJson(withLayoutBack(dockLayoutsFrom(settings.layout(key)), layout, place)));
        });
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
        if (name.isEmpty() || !m_current())
            return;
        setLayouts(withLayout(layouts(), {name, m_current()->layoutNow()}));
        close();
    });
}

PanesMenu::PanesMenu(std::function<Workspace*()> current, QWidget* parent)
    : QMenu(tr("&Panes"), parent)
{
    setObjectName(u"panesMenu"_s);
    const auto fill = [this, current = std::move(current)] {
        clear();
        if (Workspace* workspace = current())
            for (QDockWidget* dock : workspace->docks())
                addAction(dock->toggleViewAction());
        else
            addAction(tr("This mode has no docks"))->setEnabled(false);
    };
    connect(this, &QMenu::aboutToShow, this, fill);
}

} // namespace tilewright::ui
