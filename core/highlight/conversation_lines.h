// SPDX-License-Identifier: GPL-3.0-or-later
// What the lines of a prompt or a reply are: words, fences, code and its language, lines that an edit takes away or
// adds. For colours and tints alone: how a patch is read is decided by core/patch. Total on any bytes; pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tilewright {

struct ConversationLine {
    enum class Kind {
        Prose, ///< Markdown
        Sign, ///< a fence, a tag, a diff's header, a SEARCH/REPLACE marker
        Code
    };
    enum class Edit { None, Removed, Added };

    Kind kind = Kind::Prose;
    Edit edit = Edit::None;
    int indent = 0; ///< bytes before the code: a diff's sign
    std::string language; ///< of code: "kernel", "ptx", "sass", or a name that KSyntaxHighlighting knows; may be empty

    bool operator==(const ConversationLine&) const = default;
};

/// One for each line of the text, in order; a text of n line feeds has n + 1.
std::vector<ConversationLine> readConversation(std::string_view text);

} // namespace tilewright
