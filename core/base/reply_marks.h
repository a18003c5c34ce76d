// SPDX-License-Identifier: GPL-3.0-or-later
// The marks with which models part thought from answer: one table of names for every way of writing them. Pure.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace tilewright {

/// What a mark does. Open, Close: of a thought. AnswerOpen, AnswerClose: of the answer. Channel: a message begins that
/// is no answer (analysis, commentary); Final: one that is. ChannelEnd: Gemma's end of a channel. MessageStart,
/// OtherMessage: the model's own message begins, one of somebody else. MessageEnd. Plain: says nothing by itself.
/// ReasoningOpen, ReasoningClose: the part of the asked form that holds the rationale.
enum class MarkRole {
    Open,
    Close,
    AnswerOpen,
    AnswerClose,
    Channel,
    ChannelEnd,
    Final,
    MessageStart,
    OtherMessage,
    MessageEnd,
    Plain,
    ReasoningOpen,
    ReasoningClose
};

struct ReplyMark {
    std::size_t begin = 0, end = 0; ///< bytes of the text; the end of a channel or message mark is behind its header
    MarkRole role = MarkRole::Plain;
    std::size_t family = 0; ///< Open and Close with one number belong together
    bool isFirm = false; ///< counts without its partner; else only where both stand
    bool isToken = false; ///< written with pipes, as no program and no prose is: <|end|>
};

/// How many families there are: every family is below.
std::size_t markFamilies();

/// Every mark of the text in order, wherever it stands: also those that are quoted or part of a program. Letters of
/// either case, blanks within: "< Think >", "[/THINK]", "◁/think▷", "<|START_THINKING|>",
/// "<|channel|>final<|message|>",
/// "&lt;/think&gt;".
std::vector<ReplyMark> replyMarksIn(std::string_view text);

} // namespace tilewright
