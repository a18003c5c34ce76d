// SPDX-License-Identifier: GPL-3.0-or-later
// Prompt templates as they are written, before anything is put into them. Pure but for readTemplates().
#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace tilewright {

struct TemplateFile {
    std::string text;
    std::string origin; ///< a path, or words like "version 2 of exploit on island B": for messages

    bool operator==(const TemplateFile&) const = default;
};

/// Bytes of one template; a prompt of more reaches no model.
inline constexpr std::size_t largestTemplate = std::size_t(256) << 10;

/// Name without .md → text.
using TemplateFiles = std::map<std::string, TemplateFile>;

/// Every *.md of a folder but README.md; none where the folder does not exist. Errors: those of
/// readTextFile, and prompt/file for what is no template: a folder, a link to nothing or an empty file of that name.
Result<TemplateFiles> readTemplates(const std::filesystem::path& folder);
/// `below` with those of `above` in place of the ones of the same name.
TemplateFiles laidOver(TemplateFiles below, const TemplateFiles& above);

// Every placeholder that a prompt template may name, and what it stands for.

struct Placeholder {
    const char* name;
    const char* meaning; ///< a phrase for a user; prompts/README.md says more
};

/// In the order of their names.
const std::vector<Placeholder>& placeholders();
std::set<std::string> knownPlaceholders();

} // namespace tilewright
