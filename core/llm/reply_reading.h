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
};

/// `reader` has been fed everything and finished. Estimates are used where the server reported nothing.
ReadReply readReply(ModelProtocol protocol, const ReplyReader& reader, const BodyEnd& end, std::int64_t promptEstimate,
    double tokensPerByte);

} // namespace tilewright
