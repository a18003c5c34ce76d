// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/prompts/template_drafts.h"

#include "ui/models/format.h"

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

const QString draftKind = u"template"_s;

QString placeOf(const TemplateKey& key)
{
    return u"%1/%2/%3"_s.arg(draftKind).arg(key.island.value).arg(text(key.name));
}

} // namespace

QString TemplateDrafts::text(const TemplateKey& key) const
{
    const auto found = m_texts.find(key);
    return found == m_texts.end() ? QString() : found->second;
}

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
    m_kept.keep(placeOf(key), text);
}

void TemplateDrafts::drop(const TemplateKey& key)
{
    m_texts.erase(key);
    m_kept.drop(placeOf(key));
}

void TemplateDrafts::takeUp()
{
    m_texts.clear();
    for (const QString& place : m_kept.places(draftKind + u'/'))
        m_texts[{IslandId{place.section(u'/', 1, 1).toLongLong()}, place.section(u'/', 2).toStdString()}]
            = m_kept.text(place);
}

} // namespace tilewright::ui
