// SPDX-License-Identifier: GPL-3.0-or-later
// Template texts that were edited and not saved, each with the words that its version is to have, until they are saved
// or discarded, also when the window is closed. GUI thread.
#pragma once

#include "ui/prompts/template_key.h"
#include "ui/session/drafts.h"

#include <map>
#include <set>

namespace tilewright::ui {

class TemplateDrafts
{
public:
    explicit TemplateDrafts(Drafts& kept)
        : m_kept(kept)
    {
    }
    /// Whether a draft of that place is one of these; and whose it is.
    static bool isPlace(const QString& place);
    static TemplateKey keyOf(const QString& place);
    bool contains(const TemplateKey& key) const { return m_texts.contains(key); }
    /// Empty where there is none.
    QString text(const TemplateKey& key) const;
    /// As the engine is shown it.
    std::optional<std::string> draft(const TemplateKey& key) const;
    std::set<TemplateKey> keys() const;
    void keep(const TemplateKey& key, const QString& text);
    /// The words may be there before the text, and stay when it is typed back to what holds.
    QString note(const TemplateKey& key) const;
    void keepNote(const TemplateKey& key, const QString& note);
    /// The text alone.
    void drop(const TemplateKey& key);
    /// The words as well: the version is saved.
    void dropAll(const TemplateKey& key);
    /// A person has no use for both, which is said, so that they can be taken back. Nothing where there is no text.
    void discard(const TemplateKey& key);
    /// What was discarded is there again, with its words.
    void takeBack(const TemplateKey& key, const QString& text);
    /// The words that were discarded with this text; empty for another one.
    QString discardedNote(const TemplateKey& key, const QString& text) const;
    /// Those that were left in the session that is open now.
    void takeUp();

private:
    Drafts& m_kept;
    std::map<TemplateKey, QString> m_texts, m_notes;
    std::map<std::pair<TemplateKey, QString>, QString> m_discardedNotes; ///< by the text
};

} // namespace tilewright::ui
