// SPDX-License-Identifier: GPL-3.0-or-later
// What a session answers without recording anything: listings, by the node that measures it or, where the session is
// read only, by one of its own; whether a text of the user's applies and builds; the prompt that a template would make.
#include "core/engine/proposals/proposing.h"
#include "core/engine/replies/model_reply_source.h"
#include "core/engine/session/session.h"
#include "core/model/islands/living_islands.h"

namespace tilewright {

quint64 Session::askForListing(CandidateId candidate, std::optional<ListingForm> form, Listings::Answer answer)
{
    const auto request = listingRequestFor(state(), m_pack->task, candidate, form);
    if (!request) {
        QTimer::singleShot(
            0, this, [answer = std::move(answer), error = request.error()] { answer(std::unexpected(error)); });
        return 0;
    }
    if (!m_node) {
        m_node = std::make_unique<NodeConnection>();
        m_node->setCommand(m_nodeCommand);
        m_node->setSilenceLimit(m_silenceLimit);
        m_node->setBlobSource([this](const Hash& hash) { return text(hash); });
        m_listings = std::make_unique<Listings>(*m_node);
        m_node->start();
    }
    return m_listings->ask(*request, std::move(answer));
}

void Session::dropListing(quint64 number)
{
    if (m_listings)
        m_listings->drop(number);
}

quint64 Session::checkEdit(CandidateId candidate, const std::string& text, EditAs as, EditChecks::Answer answer)
{
    const auto refuse = [&](const Error& why) {
        m_edits->tell({EditCheckEnd::Refused, why, 0, {}}, std::move(answer));
        return quint64(0);
    };
    if (as == EditAs::Replacement)
        if (const auto waits = m_gate->waits(candidate); !waits)
            return refuse(waits.error());
    const auto program = as == EditAs::Child ? m_intake->injected(candidate, text) : m_intake->edited(candidate, text);
    if (!program)
        return refuse(program.error());
    return m_edits->ask(*program, state().settings.task, state().device, std::move(answer));
}

void Session::dropEditCheck(quint64 number)
{
    if (m_edits)
        m_edits->drop(number);
}

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
    const ModelRequestQueue* outside = m_intake ? m_intake->requestQueue() : nullptr;
    if (outside)
        return outside->replySource().promptRoom(island);
    if (wordsOfProposer(ownProposer()).kind != "model")
        return {};
    const auto models = loadModelsFile(modelsFileOf(ownProposer()));
    return models ? promptRoomOf(*models, state(), island) : PromptRoom{}; // a run tells what is wrong with the file
}

Result<SteeringRequest> Session::sendable(const PromptDraft& draft)
{
    const auto at = workshop();
    return at ? (*at)->once(view(), draft, roomFor(draft.island)) : std::unexpected(at.error());
}

Result<void> Session::askJudges()
{
    auto asked = setProposer();
    if (asked)
        return m_intake->askForJudgements();
    while (const SteeringRequest* waiting = nextJudgement(state()))
        m_ledger->record(events::SteeringRequestCancelled{waiting->id});
    return asked;
}

} // namespace tilewright
