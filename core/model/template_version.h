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
    int number = 1; ///< 1, 2, … of the texts of this template on this island; of what is none, that of the newest one
    Hash text; ///< blob; null: the person's text is taken away, and what stood below it holds again
    int again = 0; ///< this version holds again: a later one was taken away, or that was taken back; 0: a new text
    std::string note; ///< what was changed, in the person's words
    std::int64_t firstInquiry = 1; ///< the first question that can have been written with it
    std::int64_t evaluations = 0; ///< that were done when it was saved
    std::int64_t seq = 0; ///< of its event
    bool isUndo = false; ///< the newest order about the template was taken back with it: it is none of its own

    bool operator==(const TemplateVersion&) const = default;
    /// The version whose text holds from here on.
    int held() const { return again ? again : number; }
};

/// What holds again when the newest version of a template of an island is taken away; null: what no version stands in.
const TemplateVersion* versionBefore(
    const std::vector<TemplateVersion>& versions, IslandId island, std::string_view name);

/// The newest order about a template of an island that stands: a text was saved, or taken away, and that was not taken
/// back. Null where there is none.
const TemplateVersion* newestTemplateOrder(
    const std::vector<TemplateVersion>& versions, IslandId island, std::string_view name);

/// What held before one of the versions came; null: no version.
const TemplateVersion* heldBefore(const std::vector<TemplateVersion>& versions, const TemplateVersion& version);

} // namespace tilewright
