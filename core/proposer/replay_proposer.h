// SPDX-License-Identifier: GPL-3.0-or-later
// Offers replies that were recorded before, strictly in their order, each on the parents it was made for: these are
// found by the identity of their programs. Costs nothing, and from the same replies come the same candidates. How far
// it has come follows from the run's state, so a resumed run goes on where it was. Answers at once.
#pragma once

#include "core/proposer/proposer.h"

namespace tilewright {

struct RecordedReply {
    std::string text;
    std::string finish; ///< why it ended, in the provider's word
    std::vector<Hash> parents; ///< programs; empty if nobody recorded them: then those that are asked for
    std::vector<std::string> moves;
    std::optional<OfferedAs> as; ///< what it was recorded as; none: it answers what is asked for
};

class ReplayProposer final : public Proposer
{
public:
    explicit ReplayProposer(std::vector<RecordedReply> replies);

    std::string name() const override { return "replay"; }
    /// Errors: replay/done after the last one, replay/parent when the run has no candidate with a parent's program.
    void propose(const ProposalRequest& request, const ProposerView& view, Answer answer) override;
    bool endsByItself() const override { return true; }

private:
    std::vector<RecordedReply> m_replies;
};

} // namespace tilewright
