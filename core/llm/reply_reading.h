// SPDX-License-Identifier: GPL-3.0-or-later
// From what a stream said to a reply: its state, its usage, its trouble. Pure, shared by live and stored replies.
#pragma once

#include "core/llm/failure.h"

namespace tilewright {

/// How the bytes of a 2xx reply ended.
struct BodyEnd {
    Error error; ///< of the connection or a clock; empty code: by themselves
    std::int64_t bytes = 0;
    HttpHeaders headers;
    std::string nowUtc;
};

/// What became of a 2xx reply. `failure.error.code` is empty for one that is whole.
struct ReadReply {
    ModelReply reply; ///< answers, usage, state, error, notes
    ModelFailure failure;
    bool isRefusal = false; ///< an error came and no text: nothing was used
};

/// `reader` has been fed everything and finished. Estimates are used where the server reported nothing.
ReadReply readReply(ModelProtocol protocol, const ReplyReader& reader, const BodyEnd& end, std::int64_t promptEstimate,
    double tokensPerByte);

/// What a reply that broke off showed is no measure of what was written where it is more than the `most` tokens that
/// the model may write (0: no limit): a server that sends without end has not worked for it.
void limitGuess(ModelReply& reply, std::int64_t most);

/// Every text that a message, a progress line or a listing shows, in one line and no longer than such a line may be;
/// answers and thoughts stay as they came. To be called when the keys are out of the texts.
void makeShowable(ModelReply& reply);

} // namespace tilewright
