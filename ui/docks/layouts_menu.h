// SPDX-License-Identifier: GPL-3.0-or-later
// Layouts of a mode that a user keeps under a name: take one up, keep the one that is shown, forget one. GUI thread.
#pragma once

#include "ui/session/settings.h"

#include <QByteArray>
#include <QMenu>
#include <QString>
#include <functional>
#include <vector>

namespace tilewright::ui {

// Layouts of docks that a user has given a name. Kept as JSON. Pure.

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

class Workspace;

class LayoutsMenu : public QMenu
{
    Q_OBJECT

public:
    /// `current`: the workspace of the mode that is shown; null: it has none.
    LayoutsMenu(std::function<Workspace*()> current, Settings& settings, QWidget* parent);

private:
    std::vector<DockLayout> layouts() const;
    void setLayouts(const std::vector<DockLayout>& layouts);
    void fill();
    void addNameRow();
    /// What is kept under this name goes; it can be taken back.
    void forget(const QString& name);

    QString setting() const;

    std::function<Workspace*()> m_current;
    Settings& m_settings;
};

/// The panes of the mode that is shown, each to show or to close.
class PanesMenu : public QMenu
{
    Q_OBJECT

public:
    PanesMenu(std::function<Workspace*()> current, QWidget* parent);
};

} // namespace tilewright::ui
