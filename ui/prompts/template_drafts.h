// SPDX-License-Identifier: GPL-3.0-or-later
// Template texts that were edited and not saved, until they are saved or discarded, also when the window is closed. GUI
// thread.
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
    bool contains(const TemplateKey& key) const { return m_texts.contains(key); }
    /// Empty where there is none.
    QString text(const TemplateKey& key) const;
    std::set<TemplateKey> keys() const;
    void keep(const TemplateKey& key, const QString& text);
    void drop(const TemplateKey& key);
    /// Those that were left in the session that is open now.
    void takeUp();

private:
    Drafts& m_kept;
    std::map<TemplateKey, QString> m_texts;
};

} // namespace tilewright::ui
