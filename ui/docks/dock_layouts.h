// SPDX-License-Identifier: GPL-3.0-or-later
// Layouts of docks that a person has given a name. Kept as JSON. Pure.
#pragma once

#include <QByteArray>
#include <QString>
#include <vector>

namespace tilewright::ui {

struct DockLayout {
    QString name;
    QByteArray state; ///< as QMainWindow tells it

    bool operator==(const DockLayout&) const = default;
};

QByteArray toJson(const std::vector<DockLayout>& layouts);
/// What cannot be read is left out.
std::vector<DockLayout> dockLayoutsFrom(const QByteArray& json);
/// In the place of one with that name, else at the end.
std::vector<DockLayout> withLayout(std::vector<DockLayout> layouts, const DockLayout& layout);
/// Brought back to the place it had, under another name where its own is taken now.
std::vector<DockLayout> withLayoutBack(std::vector<DockLayout> layouts, DockLayout layout, std::size_t place);
std::vector<DockLayout> withoutLayout(std::vector<DockLayout> layouts, const QString& name);

} // namespace tilewright::ui
