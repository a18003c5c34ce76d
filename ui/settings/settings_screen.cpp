// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/settings_screen.h"

#include "ui/models/display_text.h"
#include "ui/settings/models_page.h"
#include "ui/settings/settings_page.h"
#include "ui/widgets/fields.h"

#include <QPointer>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

SettingsScreen::SettingsScreen(
    std::function<QWidget*()> make, ModelsBook& models, ActionRegistry& actions, QWidget* parent)
    : LatePage(std::move(make), parent)
    , m_models(models)
    , m_actions(actions)
{
}

SettingsPage& SettingsScreen::settings() { return static_cast<SettingsPage&>(page()); }

void SettingsScreen::addFinderPlaces(std::vector<FinderPlace>& places)
{
    addModels(places);
    addSections(places);
}

void SettingsScreen::addModels(std::vector<FinderPlace>& places)
{
    const QString page = tr("Settings › Models");
    const auto add = [&](const DraftEntry& entry, const QString& name) {
        const auto go = [this, entry] {
            bring();
            settings().models().choose(entry);
        };
        places.push_back({name, page, {}, [this, go] {
                              go();
                              focusOn(findChild<QWidget*>(u"modelsTree"_s));
                          }});
        if (entry.part != DraftPart::Limits)
            return;
        for (const auto& [label, words, field] : fieldsOf(settings().models().limits()))
            places.push_back({label, u"%1 › %2"_s.arg(page, name), words, [go, at = QPointer<QWidget>(field)] {
                                  go();
                                  focusOn(at);
                              }});
    };
    const ModelsDraft& draft = m_models.draft();
    const std::size_t endpoints = draft.count(DraftPart::Endpoint), models = draft.count(DraftPart::Model);
    for (std::size_t i = 0; i < endpoints; ++i)
        add({DraftPart::Endpoint, i}, tr("Endpoint %1").arg(text(draft.textAt({DraftPart::Endpoint, i}, "name"))));
    for (std::size_t i = 0; i < models; ++i)
        add({DraftPart::Model, i}, tr("Model %1").arg(text(draft.textAt({DraftPart::Model, i}, "name"))));
    if (endpoints + models > 0)
        add({DraftPart::Limits, 0}, tr("Limits per run"));
    else
        places.push_back({tr("Endpoints and models"), page, {}, [this] {
                              m_actions[u"settings.models"_s].trigger();
                              focusOn(settings().models().findChild<QWidget*>(u"addFirstEndpoint"_s));
                          }});
}

void SettingsScreen::addSections(std::vector<FinderPlace>& places)
{
    for (const SettingsSection section :
        {SettingsSection::Appearance, SettingsSection::Sessions, SettingsSection::Devices})
        for (const auto& [label, words, field] : fieldsOf(settings().partOf(section)))
            places.push_back({label, tr("Settings › %1").arg(nameOf(section)), words,
                [this, section, at = QPointer<QWidget>(field)] {
                    m_actions[actionOf(section)].trigger();
                    focusOn(at);
                }});
}

} // namespace tilewright::ui
