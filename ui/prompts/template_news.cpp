// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/prompts/template_news.h"

#include "ui/models/format.h"
#include "ui/prompts/template_tree.h"
#include "ui/theme/theme.h"

#include <algorithm>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

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
            ? tr("%1: taken back; the text below yours holds.").arg(whose)
            : version.isUndo        ? tr("%1: taken back; v%2 holds.").arg(whose).arg(version.held())
            : version.text.isNull() ? tr("%1: your text was taken away.").arg(whose)
            : version.again         ? tr("%1: a version was taken away, v%2 holds again.").arg(whose).arg(version.again)
                                    : tr("%1: v%2 was saved and holds now.").arg(whose).arg(version.number);
        setText(
            key == chosen && isDraft ? what + u' ' + tr("Your draft is kept; “Compare” shows what differs.") : what);
        show();
    }
    m_seen = run.templates.size();
    return true;
}

} // namespace tilewright::ui
