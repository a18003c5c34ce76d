// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/docks/layouts_menu.h"

#include "ui/docks/workspace.h"
#include "ui/theme/theme.h"

#include <QDockWidget>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
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
    QMenu* forget = addMenu(tr("Delete"));
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
    box->setPlaceholderText(tr("Save this layout as …"));
    box->setAccessibleName(tr("Name of the layout; Enter saves it"));
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

QByteArray toJson(const std::vector<DockLayout>& layouts)
{
    QJsonArray all;
    for (const DockLayout& layout : layouts)
        all.append(QJsonObject{{u"name"_s, layout.name}, {u"state"_s, QString::fromLatin1(layout.state.toBase64())}});
    return QJsonDocument(all).toJson(QJsonDocument::Compact);
}

std::vector<DockLayout> dockLayoutsFrom(const QByteArray& json)
{
    std::vector<DockLayout> layouts;
    const QJsonArray all = QJsonDocument::fromJson(json).array();
    for (const QJsonValue& one : all) {
        DockLayout layout{one[u"name"_s].toString(), QByteArray::fromBase64(one[u"state"_s].toString().toLatin1())};
        if (!layout.name.isEmpty() && !layout.state.isEmpty())
            layouts.push_back(std::move(layout));
    }
    return layouts;
}

std::vector<DockLayout> withLayout(std::vector<DockLayout> layouts, const DockLayout& layout)
{
    const auto found = std::ranges::find(layouts, layout.name, &DockLayout::name);
    if (found == layouts.end())
        layouts.push_back(layout);
    else
        *found = layout;
    return layouts;
}

std::vector<DockLayout> withLayoutBack(std::vector<DockLayout> layouts, DockLayout layout, std::size_t place)
{
    const QString name = layout.name;
    for (int i = 2; std::ranges::find(layouts, layout.name, &DockLayout::name) != layouts.end(); ++i)
        layout.name = u"%1 (%2)"_s.arg(name).arg(i);
    layouts.insert(layouts.begin() + static_cast<std::ptrdiff_t>(std::min(place, layouts.size())), std::move(layout));
    return layouts;
}

std::vector<DockLayout> withoutLayout(std::vector<DockLayout> layouts, const QString& name)
{
    std::erase_if(layouts, [&name](const DockLayout& layout) { return layout.name == name; });
    return layouts;
}

} // namespace tilewright::ui
