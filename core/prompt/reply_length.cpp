// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/prompt/reply_length.h"

namespace tilewright {

std::optional<ReplyLength> replyLengthOf(const RunState& run, std::string_view templateName)
{
    ReplyLength length;
    for (const Inquiry& inquiry : run.inquiries) {
        const InquiryAnswer& answer = inquiry.answer;
        const bool isTold = answer.guessed == TokenUsage{} && answer.untold == 0 && answer.tokens.written() > 0;
        if (inquiry.promptName != templateName || inquiry.state != InquiryState::Complete || !isTold)
            continue;
        length.tokens += static_cast<double>(answer.tokens.written());
        ++length.replies;
    }
    if (length.replies == 0)
        return std::nullopt;
    length.tokens /= static_cast<double>(length.replies);
    return length;
}

} // namespace tilewright
