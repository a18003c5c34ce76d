// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/template_version.h"

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
        else
            while (!held.empty() && held.back()->number != version.again)
                held.pop_back();
    }
    return held.size() < 2 ? nullptr : held[held.size() - 2];
}

} // namespace tilewright
