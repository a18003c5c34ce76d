// SPDX-License-Identifier: GPL-3.0-or-later
// What the window and the colouring process say to each other: a text and its language in, the spans of it that have a
// style out, each as one frame. Pure; both sides believe nothing that the other sends.
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tilewright {

/// What a stretch of code is. Which colour that has is the theme's business.
enum class CodeStyle : std::uint8_t {
    Plain,
    Keyword,
    Type,
    Number,
    String,
    Comment,
    Preprocessor,
    Function,
    Annotation, ///< what Tilewright reads in comments: evolve blocks, tunables, constraints
    Heading, ///< of words between code
    Count
};

struct CodeSpan {
    std::int32_t line = 0; ///< 0-based
    std::int32_t start = 0, length = 0; ///< in UTF-16 units of that line
    CodeStyle style = CodeStyle::Plain;

    bool operator==(const CodeSpan&) const = default;
};

/// Larger texts are not coloured: a program has at most a tenth of that.
constexpr std::size_t largestColouredText = std::size_t(1) << 20;
/// Of a line, what comes later stays plain.
constexpr std::int32_t longestColouredLine = 4000;
/// The request around the text, with every byte of it escaped at worst.
constexpr std::size_t largestColourFrame = 6 * largestColouredText + 4096;

struct ColourRequest {
    std::int64_t id = 0;
    /// "kernel", "conversation" (words with code between fences), "ptx", "sass", or a name that KSyntaxHighlighting
    /// knows.
    std::string language;
    std::string text; ///< UTF-8

    bool operator==(const ColourRequest&) const = default;
};

struct ColourAnswer {
    std::int64_t id = 0;
    std::vector<CodeSpan> spans; ///< in order of line and start, none overlaps another

    bool operator==(const ColourAnswer&) const = default;
};

std::string encode(const ColourRequest& request); ///< a whole frame
std::string encode(const ColourAnswer& answer);
/// Errors: highlight/request with what is wrong.
Result<ColourRequest> colourRequestFrom(const nlohmann::json& json);
/// Errors: highlight/answer with what is wrong.
Result<ColourAnswer> colourAnswerFrom(const nlohmann::json& json);

} // namespace tilewright
