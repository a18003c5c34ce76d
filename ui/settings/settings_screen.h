// SPDX-License-Identifier: GPL-3.0-or-later
// The screen Settings: its page is made when it is shown first. GUI thread.
#pragma once

#include "ui/session/action_registry.h"
#include "ui/session/screen.h"
#include "ui/settings/models_book.h"
#include "ui/widgets/pane.h"

namespace tilewright::ui {

class SettingsPage;

class SettingsScreen : public LatePage, public Screen
{
    Q_OBJECT

public:
    SettingsScreen(std::function<QWidget*()> make, ModelsBook& models, ActionRegistry& actions, QWidget* parent);

    SettingsPage& settings(); ///< made if it was not
    QWidget& asWidget() override { return *this; }
    void addFinderPlaces(std::vector<FinderPlace>& places) override;

private:
    void addModels(std::vector<FinderPlace>& places);
    /// The fields of the sections that are not about models.
    void addSections(std::vector<FinderPlace>& places);

    ModelsBook& m_models;
    ActionRegistry& m_actions;
};

} // namespace tilewright::ui
