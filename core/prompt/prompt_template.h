// SPDX-License-Identifier: GPL-3.0-or-later
// The small language of prompt templates: {{name}} is a placeholder, {{#name}} … {{/name}} a part that stays only where
// the placeholder has a value, {{> file}} another file, {{! … }} a remark. Tags of parts, files and remarks that stand
// alone on a line take the line with them. Values are put in as they are and never read again. Pure.
#pragma once

#include "core/prompt/template_files.h"

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright {

/// Placeholder → text. Empty: no value.
using PromptValues = std::map<std::string, std::string>;

/// One template with its {{> file}} tags replaced. Errors: prompt/missing for a file that is not there, prompt/section
/// for files that include each other in a circle; both name the including file and line.
Result<std::string> withIncludes(const std::string& name, const TemplateFiles& files);

/// Every tag of one file is closed, nested properly, and names one of `known`. file: its path, for the message.
/// Errors: prompt/placeholder, prompt/section; both name file and line.
Result<void> checkTemplate(std::string_view text, const std::string& file, const std::set<std::string>& known);

/// Where a placeholder's value stands in a filled text; size 0 where it has none.
struct FilledSpan {
    std::size_t at = 0, size = 0; ///< bytes
    std::string placeholder;

    bool operator==(const FilledSpan&) const = default;
};
struct FilledText {
    std::string text;
    std::vector<FilledSpan> spans; ///< in the order of the text

    bool operator==(const FilledText&) const = default;
};

/// The text with values in place. Placeholders without a value become nothing. The template was checked before.
FilledText filled(std::string_view text, const PromptValues& values);

/// Names of the placeholders and parts that a template uses.
std::set<std::string> placeholdersIn(std::string_view text);

} // namespace tilewright
