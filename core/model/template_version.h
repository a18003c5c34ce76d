// SPDX-License-Identifier: GPL-3.0-or-later
// A prompt template that a person saved in a run: from its event on, prompts are written with it.
#pragma once

#include "core/base/hash.h"
#include "core/base/ids.h"

#include <string>
#include <string_view>
#include <vector>

namespace tilewright {

struct TemplateVersion {
    IslandId island; ///< whose prompts; 0: those of all islands that have none of their own
    std::string name; ///< "exploit"
    int number = 1; ///< 1, 2, … of this template on this island
    Hash text; ///< blob; null: the person's text is taken away, and what stood below it holds again
    int again = 0; ///< the later version was taken away, and this earlier one holds again; 0: a text of its own
    std::string note; ///< what was changed, in the person's words
    std::int64_t firstInquiry = 1; ///< the first question that can have been written with it
    std::int64_t evaluations = 0; ///< that were done when it was saved

    bool operator==(const TemplateVersion&) const = default;
    /// The version whose text holds from here on.
    int held() const { return again ? again : number; }
};

/// What holds again when the newest version of a template of an island is taken away; null: what no version stands in.
const TemplateVersion* versionBefore(
    const std::vector<TemplateVersion>& versions, IslandId island, std::string_view name);

} // namespace tilewright
