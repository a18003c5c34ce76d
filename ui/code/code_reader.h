// SPDX-License-Identifier: GPL-3.0-or-later
// Our own small reader of C++ for where no colouring process is: keywords, types, numbers, calls, comments,
// preprocessor. It never parses; a wrong colour is all that can go wrong. Pure; safe on any thread.
#pragma once

#include "core/highlight/colour_messages.h"

#include <QString>
#include <vector>

namespace tilewright::ui {

/// Adds the spans of one line. The answer: whether a comment is still open at its end.
bool readCodeLine(const QString& text, int line, bool insideComment, std::vector<CodeSpan>& spans);
std::vector<CodeSpan> readCode(const QString& text);
/// A prompt or a reply: the programs in it, and the headings between.
std::vector<CodeSpan> readConversationText(const QString& text);

} // namespace tilewright::ui
