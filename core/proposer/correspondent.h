// SPDX-License-Identifier: GPL-3.0-or-later
// Whoever is asked outside this program and answers when they like: a model, a person with a folder. The engine records
// every question before it is put and every answer before it is read; a correspondent only carries them. Unlike a
// Proposer it can be asked to repair a reply whose patch did not apply. Thread: the engine's; nothing here blocks.
#pragma once

#include "core/proposer/proposer.h"

#include <optional>

namespace tilewright {

/// What goes out.
struct Letter {
    InquiryId id;
    std::string place; ///< as reserve() named it
    IslandId island;
    std::string promptName; ///< template
    std::string system, user;
};

/// What came back. answer.reply is left to the engine, which stores the text.
struct Response {
    std::string text; ///< "" if none came
    InquiryAnswer answer;
};

class Correspondent
{
public:
    using Answer = std::function<void(InquiryId, Response)>;

    virtual ~Correspondent() = default;
    virtual std::string name() const = 0;
    /// Letters that may be out at a time.
    virtual int capacity() const = 0;
    /// A name out there for the next letter ("" where letters have none). Errors: why none can be sent now.
    virtual Result<std::string> reserve() = 0;
    /// Sends a letter. After a crash or a pause the same one is sent again. Answers later, never during this call, and
    /// once. Errors: why it could not be sent; then no answer comes.
    virtual Result<void> send(const Letter& letter, Answer answer) = 0;
    /// No answer is wanted any more until letters are sent again.
    virtual void forget() = 0;
};

/// A reply that could not be applied.
struct FailedReply {
    std::string reply; ///< as it was given
    std::string rule; ///< "patch/no-match"
    std::string repairPrompt; ///< what the applier says about it
    int attempt = 1; ///< turns that were spent on it so far, the first included
};

/// The text of a prompt and where it comes from.
struct PromptText {
    std::string name; ///< template
    Hash version;
    std::string system, user;
};

/// Renders the prompt of a request; with a failed reply for the focus Repair and Rewrite.
using PromptSource = std::function<Result<PromptText>(
    const ProposalRequest& request, const std::optional<FailedReply>& failed, const ProposerView& view)>;

} // namespace tilewright
