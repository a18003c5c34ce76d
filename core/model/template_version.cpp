// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/template_version.h"

#include <algorithm>

namespace tilewright {

const TemplateVersion* versionBefore(
    const std::vector<TemplateVersion>& versions, IslandId island, std::string_view name)
{
    std::vector<const TemplateVersion*> held; // each as long as nothing above it is taken away
    for (const TemplateVersion& version : versions) {
        if (version.island != island || version.name != name)
            continue;
        if (version.text.isNull())
            held.clear();
        else if (version.again == 0)
            held.push_back(&version);
        else if (std::ranges::find(held, version.again, &TemplateVersion::held) == held.end())
            held.push_back(&version); // taken away, and that was taken back
        else
            while (held.back()->held() != version.again)
                held.pop_back();
    }
    return held.size() < 2 ? nullptr : held[held.size() - 2];
}

const TemplateVersion* newestTemplateOrder(
    const std::vector<TemplateVersion>& versions, IslandId island, std::string_view name)
{
    std::vector<const TemplateVersion*> standing;
    for (const TemplateVersion& version : versions) {
        if (version.island != island || version.name != name)
            continue;
        if (!version.isUndo)
            standing.push_back(&version);
        else if (!standing.empty())
            standing.pop_back();
    }
    return standing.empty() ? nullptr : standing.back();
}

const TemplateVersion* heldBefore(const std::vector<TemplateVersion>& versions, const TemplateVersion& version)
{
    const TemplateVersion* before = nullptr;
    for (const TemplateVersion& each : versions) {
        if (each.seq >= version.seq)
            break;
        if (each.island == version.island && each.name == version.name)
            before = &each;
    }
    return before && !before->text.isNull() ? before : nullptr;
}

} // namespace tilewright
