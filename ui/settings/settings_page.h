// SPDX-License-Identifier: GPL-3.0-or-later
// The Settings mode: sections at the left, the chosen one at the right. Each change holds at once and is kept; menus
// that change the same are another way to the same place. GUI thread.
#pragma once

#include "ui/session/action_registry.h"
#include "ui/session/settings.h"
#include "ui/settings/models_book.h"

#include <QWidget>
#include <array>

class QButtonGroup;
class QStackedWidget;

namespace tilewright::ui {

class FormGrid;
class ModelsPage;

enum class SettingsSection { Appearance, Models, Sessions, Devices, Shortcuts };
inline constexpr std::array settingsSections{SettingsSection::Appearance, SettingsSection::Models,
    SettingsSection::Sessions, SettingsSection::Devices, SettingsSection::Shortcuts};
QString nameOf(SettingsSection section);
/// Of the action that shows it: "settings.models".
QString actionOf(SettingsSection section);

class SettingsPage : public QWidget
{
    Q_OBJECT

public:
    /// What is given must outlive the page.
    SettingsPage(Settings& settings, ModelsBook& book, const ActionRegistry& actions, QWidget* parent = nullptr);

    ModelsPage& models() { return *m_models; }
    void goTo(SettingsSection section);
    SettingsSection section() const;
    /// What a section shows.
    QWidget& partOf(SettingsSection section);
    /// Which GPUs there are, id and name, and why there is none.
    void showGpus(const std::vector<std::pair<QString, QString>>& gpus, const QString& whyNone);

private:
    QWidget* buildSide();
    QWidget* page(const QString& title, const QString& about, QWidget* card);
    QWidget* buildAppearance();
    QWidget* buildSessions();
    QWidget* buildDevices();
    void takeFolder(const QString& folder);
    void showLook();
    void showSessions();
    void offerGpus();

    Settings& m_settings;
    ModelsPage* m_models;
    QButtonGroup* m_sections;
    QStackedWidget* m_stack;
    FormGrid *m_look = nullptr, *m_files = nullptr, *m_devices = nullptr;
    std::vector<std::pair<QString, QString>> m_gpus;
};

// All actions with their keys, made from the registry, and a field that leaves those whose name, keys or purpose hold
// what is typed. GUI thread.

class ShortcutTable : public QWidget
{
    Q_OBJECT

public:
    enum class Column { Action, Keys, Purpose, Count };

    ShortcutTable(const ActionRegistry& actions, QWidget* parent);
};

} // namespace tilewright::ui
