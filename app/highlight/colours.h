// SPDX-License-Identifier: GPL-3.0-or-later
// A text's spans by KSyntaxHighlighting. Built against Qt 5 or Qt 6, whichever the library was made for.
#pragma once

#include "core/highlight/colour_messages.h"

#include <memory>
#include <string>

namespace tilewright {

class Colours
{
public:
    /// Our own definitions stand in syntaxFolder/syntax; without them kernels are read as C++, PTX and SASS not at all.
    explicit Colours(const std::string& syntaxFolder);
    ~Colours();
    /// An unknown language has no spans.
    ColourAnswer of(const ColourRequest& request);

private:
    struct Library;
    /// Each stretch of code in its own language, the words between as Markdown.
    std::vector<CodeSpan> ofConversation(const std::string& text);

    std::unique_ptr<Library> m_library;
};

} // namespace tilewright
