// SPDX-License-Identifier: GPL-3.0-or-later
// Searches a candidate's tunables and leaves its structure alone: at first at random, then around the best variant,
// then by a performance model of all that was measured. Structure = the text with its tunables masked. Answers at once.
#pragma once

#include "core/proposer/proposer.h"
#include "core/proposer/variation.h"

#include <unordered_map>

namespace tilewright {

/// Identity of the text with every tunable set to its first choice.
Hash structureOf(const std::string& text);

class Tuner final : public Proposer
{
public:
    /// Measured variants of a structure from which on it is searched around the best, and by the model.
    static constexpr std::size_t randomUntil = 2, localUntil = 5;

    std::string name() const override { return "tuner"; }
    void propose(const ProposalRequest& request, const ProposerView& view, Answer answer) override;

private:
    struct Variants {
        std::size_t measured = 0;
        std::vector<const Candidate*> best; ///< ranked ones, best first
    };
    Variants variantsOf(const Hash& structure, const ProposerView& view);
    const Hash& structureOf(const Candidate& candidate, const ProposerView& view);

    std::unordered_map<Hash, Hash> m_structures; ///< program → structure, a cache
};

} // namespace tilewright
