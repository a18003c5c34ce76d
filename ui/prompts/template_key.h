// SPDX-License-Identifier: GPL-3.0-or-later
// Which text of which template: an island's, or the one for all.
#pragma once

#include "core/base/ids.h"

#include <compare>
#include <string>

namespace tilewright::ui {

struct TemplateKey {
    IslandId island; ///< 0: for all
    std::string name;

    auto operator<=>(const TemplateKey&) const = default;
};

} // namespace tilewright::ui
