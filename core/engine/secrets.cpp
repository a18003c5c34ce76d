// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/secrets.h"

#include "core/engine/proposing.h"
#include "core/llm/keys.h"
#include "core/llm/model_endpoint.h"
#include "core/llm/models_file.h"
#include "core/prompt/discretion.h"

namespace tilewright {

void Secrets::learnFrom(const std::string& proposer)
{
    for (const EndpointTemplate& known : endpointTemplates())
        if (const auto name = parseKeyName(known.key))
            m_redactor.learn(KeyRing::atHand(*name));
    const bool asksModels = wordsOfProposer(proposer).kind == "model";
    const std::filesystem::path file = modelsFileOf(asksModels ? proposer : "model");
    std::error_code problem;
    if (!std::filesystem::is_regular_file(file, problem))
        return;
    const auto models = loadModelsFile(file);
    if (!models)
        return; // whoever needs it says what is wrong with it
    for (const ModelEndpoint& endpoint : models->endpoints)
        if (const auto name = parseKeyName(endpoint.key))
            m_redactor.learn(KeyRing::atHand(*name));
}

std::string Secrets::blottedOut(const std::string& text)
{
    if (const auto known = KeyRing::known(); known.size() != m_learned) { // it only grows
        for (const std::string& key : known)
            m_redactor.learn(key);
        m_learned = known.size();
    }
    return m_redactor.withoutSecrets(text);
}

std::string Secrets::personsWords(const std::string& text) { return withoutKeyWords(blottedOut(text)); }

RunSettings Secrets::blottedOut(RunSettings settings)
{
    for (auto& [island, text] : settings.hints)
        text = personsWords(text);
    return settings;
}

EventBody Secrets::blottedOut(EventBody body)
{
    if (auto* hints = std::get_if<events::HintsChanged>(&body))
        hints->text = personsWords(hints->text);
    if (auto* saved = std::get_if<events::TemplateSaved>(&body))
        saved->note = blottedOut(saved->note);
    if (auto* marked = std::get_if<events::Marked>(&body)) {
        marked->marks.note = personsWords(marked->marks.note);
        for (std::string& tag : marked->marks.tags)
            tag = blottedOut(tag);
    }
    if (auto* wished = std::get_if<events::Wished>(&body))
        wished->wish.idea = personsWords(wished->wish.idea);
    if (auto* note = std::get_if<events::Noted>(&body)) {
        note->text = blottedOut(note->text);
        note->hint = blottedOut(note->hint);
    }
    return body;
}

} // namespace tilewright
