// SPDX-License-Identifier: GPL-3.0-or-later
// Tells that a version of a template was saved or taken away elsewhere, by the command line for one, and not from this
// window; hidden where there is nothing to tell. GUI thread.
#pragma once

#include "core/engine/prompt_workshop.h"
#include "ui/prompts/template_key.h"

#include <QLabel>
#include <optional>
#include <vector>

namespace tilewright::ui {

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
