// SPDX-License-Identifier: GPL-3.0-or-later
// Layouts of the Evolve screen that a person keeps under a name: take one up, keep the one that is shown, forget one.
// GUI thread.
#pragma once

#include "ui/evolve/dock_layouts.h"
#include "ui/session/settings.h"

#include <QMenu>

namespace tilewright::ui {

class EvolvePage;

class LayoutsMenu : public QMenu
{
    Q_OBJECT

public:
    LayoutsMenu(EvolvePage& page, Settings& settings, QWidget* parent);

private:
    std::vector<DockLayout> layouts() const;
    void setLayouts(const std::vector<DockLayout>& layouts);
    void fill();
    void addNameRow();

    EvolvePage& m_page;
    Settings& m_settings;
};

} // namespace tilewright::ui
