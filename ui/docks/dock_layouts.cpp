// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/docks/dock_layouts.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <algorithm>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

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
