// SPDX-License-Identifier: GPL-3.0-or-later
// What a session does with prompt templates: shows what one would make, and keeps what a person saves.
#include "core/engine/session.h"

#include "core/engine/model_room.h"
#include "core/engine/proposing.h"
#include "core/model/living_islands.h"

namespace tilewright {

ProposerView Session::view()
{
    return {state(), *m_pack, [this](const Hash& hash) { return text(hash); }};
}

Result<const PromptWorkshop*> Session::workshop()
{
    if (!m_workshop) {
        auto opened = PromptWorkshop::open();
        if (!opened)
            return std::unexpected(opened.error());
        m_workshop = std::move(*opened);
    }
    return &*m_workshop;
}

Result<void> Session::saveTemplate(const PromptDraft& draft, const std::string& note)
{
    if (auto living = livingIsland(state(), draft.island); !living)
        return living;
    const TemplateVersion* newest = state().newestTemplate(draft.island, draft.name);
    if (!draft.text) {
        if (!newest || newest->text.isNull())
            return fail("prompt/template", "nothing was saved in this run for the template '" + draft.name + "'",
                "what stands in a folder is changed there");
        const TemplateVersion* before = versionBefore(state().templates, draft.island, draft.name);
        m_ledger->record(before ? events::TemplateSaved{draft.island, draft.name, before->text, note, before->held()}
                                : events::TemplateSaved{draft.island, draft.name, {}, note, 0});
        return {};
    }
    const auto at = workshop();
    if (!at)
        return std::unexpected(at.error());
    if (auto sound = (*at)->check(view(), draft); !sound)
        return sound;
    const Hash text = m_ledger->keepWords(*draft.text);
    if (newest && newest->text == text)
        return fail("prompt/same", "this is the text of version " + std::to_string(newest->held()) + " already");
    m_ledger->record(events::TemplateSaved{draft.island, draft.name, text, note, 0});
    return {};
}

Result<void> Session::undoTemplate(IslandId island, const std::string& name)
{
    const std::vector<TemplateVersion>& versions = state().templates;
    const TemplateVersion* order = newestTemplateOrder(versions, island, name);
    if (!order)
        return fail("prompt/template", "nothing was ordered in this run of the template '" + name + "'",
            "what stands in a folder is changed there");
    const TemplateVersion* before = heldBefore(versions, *order);
    m_ledger->record(before ? events::TemplateSaved{island, name, before->text, "", before->held(), true}
                            : events::TemplateSaved{island, name, {}, "", 0, true});
    return {};
}

PromptPreview Session::previewPrompt(const PromptDraft& draft)
{
    const auto at = workshop();
    if (!at) {
        PromptPreview nothing;
        nothing.error = at.error();
        return nothing;
    }
    return (*at)->preview(view(), draft, roomFor(draft.island));
}

PromptRoom Session::roomFor(IslandId island) const
{
    const Correspondence* outside = m_desk ? m_desk->correspondence() : nullptr;
    if (outside)
        return outside->correspondent().promptRoom(island);
    if (wordsOfProposer(ownProposer()).kind != "model")
        return {};
    const auto models = loadModelsFile(modelsFileOf(ownProposer()));
    return models ? promptRoomOf(*models, state(), island) : PromptRoom{}; // a run tells what is wrong with the file
}

Result<Wish> Session::sendable(const PromptDraft& draft)
{
    const auto at = workshop();
    return at ? (*at)->once(view(), draft, roomFor(draft.island)) : std::unexpected(at.error());
}

Result<void> Session::askJudges()
{
    auto asked = employ();
    if (asked)
        return m_desk->askForJudgements();
    while (const Wish* waiting = nextJudgement(state()))
        m_ledger->record(events::WishWithdrawn{waiting->id});
    return asked;
}

} // namespace tilewright
