// SPDX-License-Identifier: GPL-3.0-or-later
// Template texts that were edited and not saved, each with the words that its version is to have, until they are saved
// or discarded, also when the window is closed. GUI thread.
#pragma once

#include "core/engine/replies/prompt_workshop.h"
#include "ui/prompts/template_key.h"
#include "ui/session/drafts.h"

#include <QLabel>
#include <map>
#include <optional>
#include <set>
#include <vector>

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
    /// A user has no use for both, which is said, so that they can be taken back. Nothing where there is no text.
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

// Tells that a version of a template was saved or taken away elsewhere, by the command line for one, and not from this
// window; hidden where there is nothing to tell. GUI thread.

class TemplateNews : public QLabel
{
    Q_OBJECT

public:
    explicit TemplateNews(QWidget* parent = nullptr);
    /// What this window has saved, or with an empty text taken away: no news when it is in the run.
    void sent(const PromptDraft& draft);
    /// Another session is open.
    void forget();
    /// Tells what came since it was asked last, beginning with the second time; true where something came, from here or
    /// elsewhere, and the first time. isDraft: of the chosen template there is a text that is not saved.
    bool follow(const RunState& run, const TemplateKey& chosen, bool isDraft);

private:
    bool wasSentHere(const TemplateVersion& version);

    std::optional<std::size_t> m_seen; ///< of the run's versions; none: the session was not looked at yet
    std::vector<PromptDraft> m_sent; ///< to be saved, and not in the run yet
};

} // namespace tilewright::ui
