// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/prompts/template_drafts.h"

#include "ui/models/display_text.h"
#include "ui/prompts/template_picker.h"
#include "ui/theme/theme.h"

#include <algorithm>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

const QString draftKind = u"template"_s, noteKind = u"template-note"_s;

QString placeOf(const QString& kind, const TemplateKey& key)
{
    return u"%1/%2/%3"_s.arg(kind).arg(key.island.value).arg(text(key.name));
}

QString in(const std::map<TemplateKey, QString>& words, const TemplateKey& key)
{
    const auto found = words.find(key);
    return found == words.end() ? QString() : found->second;
}

} // namespace

bool TemplateDrafts::isPlace(const QString& place) { return place.startsWith(draftKind + u'/'); }

TemplateKey TemplateDrafts::keyOf(const QString& place)
{
    return {IslandId{place.section(u'/', 1, 1).toLongLong()}, place.section(u'/', 2).toStdString()};
}

QString TemplateDrafts::text(const TemplateKey& key) const { return in(m_texts, key); }

std::optional<std::string> TemplateDrafts::draft(const TemplateKey& key) const
{
    return contains(key) ? std::optional(text(key).toStdString()) : std::nullopt;
}

QString TemplateDrafts::note(const TemplateKey& key) const { return in(m_notes, key); }

std::set<TemplateKey> TemplateDrafts::keys() const
{
    std::set<TemplateKey> all;
    for (const auto& [key, words] : m_texts)
        all.insert(key);
    return all;
}

void TemplateDrafts::keep(const TemplateKey& key, const QString& text)
{
    m_texts[key] = text;
    m_kept.keep(placeOf(draftKind, key), text);
}

void TemplateDrafts::keepNote(const TemplateKey& key, const QString& note)
{
    if (note.isEmpty()) {
        m_notes.erase(key);
        return m_kept.drop(placeOf(noteKind, key));
    }
    m_notes[key] = note;
    m_kept.keep(placeOf(noteKind, key), note);
}

void TemplateDrafts::drop(const TemplateKey& key)
{
    m_texts.erase(key);
    m_kept.drop(placeOf(draftKind, key));
}

void TemplateDrafts::dropAll(const TemplateKey& key)
{
    drop(key);
    keepNote(key, {});
}

void TemplateDrafts::discard(const TemplateKey& key)
{
    if (!contains(key))
        return;
    m_discardedNotes[{key, text(key)}] = note(key);
    keepNote(key, {});
    m_texts.erase(key);
    m_kept.discard(placeOf(draftKind, key));
}

QString TemplateDrafts::discardedNote(const TemplateKey& key, const QString& text) const
{
    const auto found = m_discardedNotes.find({key, text});
    return found == m_discardedNotes.end() ? QString() : found->second;
}

void TemplateDrafts::takeBack(const TemplateKey& key, const QString& text)
{
    keep(key, text);
    if (const QString words = discardedNote(key, text); !words.isEmpty())
        keepNote(key, words);
}

void TemplateDrafts::takeUp()
{
    m_texts.clear();
    m_notes.clear();
    m_discardedNotes.clear();
    for (const QString& place : m_kept.places(draftKind + u'/'))
        m_texts[keyOf(place)] = m_kept.text(place);
    for (const QString& place : m_kept.places(noteKind + u'/'))
        m_notes[keyOf(place)] = m_kept.text(place);
}

TemplateNews::TemplateNews(QWidget* parent)
    : QLabel(parent)
{
    setObjectName(u"templateNews"_s);
    setWordWrap(true);
    setMargin(px(12));
    setFont(fontOf(Type::Secondary));
    setProperty("tone", u"warning"_s);
    hide();
}

void TemplateNews::sent(const PromptDraft& draft)
{
    hide();
    m_sent.push_back(draft);
}

void TemplateNews::forget()
{
    hide();
    m_seen.reset();
    m_sent.clear();
}

bool TemplateNews::wasSentHere(const TemplateVersion& version)
{
    const bool taken = version.text.isNull() || version.again;
    const auto found = std::ranges::find_if(m_sent, [&](const PromptDraft& draft) {
        return draft.island == version.island && draft.name == version.name
            && (taken ? !draft.text : draft.text && sha256(*draft.text) == version.text);
    });
    if (found == m_sent.end())
        return false;
    m_sent.erase(found);
    return true;
}

bool TemplateNews::follow(const RunState& run, const TemplateKey& chosen, bool isDraft)
{
    if (m_seen == run.templates.size())
        return false;
    for (std::size_t i = m_seen.value_or(run.templates.size()); i < run.templates.size(); ++i) {
        const TemplateVersion& version = run.templates[i];
        if (wasSentHere(version))
            continue;
        const TemplateKey key{version.island, version.name};
        const QString whose = key.island
            ? tr("%1 for island %2").arg(titleOf(key.name), ui::text(islandLetter(key.island)))
            : titleOf(key.name);
        const QString what = version.isUndo && version.text.isNull()
            ? tr("%1: your version was undone; the inherited text is active again.").arg(whose)
            : version.isUndo        ? tr("%1: your version was undone; v%2 is active.").arg(whose).arg(version.held())
            : version.text.isNull() ? tr("%1: your text was deleted.").arg(whose)
            : version.again ? tr("%1: a version was deleted; v%2 is active again.").arg(whose).arg(version.again)
                            : tr("%1: v%2 was saved and is active.").arg(whose).arg(version.number);
        setText(
            key == chosen && isDraft ? what + u' ' + tr("Your draft is kept; “Compare” shows the differences.") : what);
        show();
    }
    m_seen = run.templates.size();
    return true;
}

} // namespace tilewright::ui
