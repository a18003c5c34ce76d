// SPDX-License-Identifier: GPL-3.0-or-later
// Layouts of a mode that a person keeps under a name: take one up, keep the one that is shown, forget one. GUI thread.
#pragma once

#include "ui/docks/dock_layouts.h"
#include "ui/session/settings.h"

#include <QMenu>
#include <functional>

namespace tilewright::ui {

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
