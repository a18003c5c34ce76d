// SPDX-License-Identifier: GPL-3.0-or-later
// A question that was put to somebody outside (a model, a person with a folder) and what came back. It is recorded
// before it leaves, so that it can be put again after a crash, and its answer before anything in it is read.
#pragma once

#include "core/base/hash.h"
#include "core/base/ids.h"
#include "core/model/focus.h"

#include <optional>
#include <string>
#include <vector>

namespace tilewright {

using InquiryId = Id<struct InquiryTag>;

/// Open: no answer yet. Complete: the answer ended by itself. Incomplete: it broke off; the text is evidence, never an
/// answer. Failed: none came.
enum class InquiryState { Open, Complete, Incomplete, Failed };
std::string nameOf(InquiryState state);

/// Tokens, each counted once: their sum is everything that was read and written.
struct Tokens {
    std::int64_t input = 0, cacheRead = 0, cacheWrite = 0, output = 0, reasoning = 0;

    bool operator==(const Tokens&) const = default;
    std::int64_t total() const { return input + cacheRead + cacheWrite + output + reasoning; }
};

/// What came back, whatever it was.
struct InquiryAnswer {
    InquiryState state = InquiryState::Complete;
    Hash reply; ///< blob of the text as it was given; null if none came
    std::string finish; ///< why the text ended, in the provider's word; "" if nobody said
    std::string model; ///< who answered, where there are several; "" else
    Tokens tokens; ///< of all tries
    std::optional<std::int64_t> costMicroUsd; ///< none: unknown, which is not 0
    int tries = 1;
    std::string rule, detail; ///< why there is no whole answer

    bool operator==(const InquiryAnswer&) const = default;
};

struct Inquiry {
    InquiryId id;
    std::string proposer; ///< who is asked: "manual", "model"
    std::string place; ///< its name out there: "0007" in a folder; "" if it has none
    IslandId island;
    std::int64_t ordinal = 0; ///< of the island's proposals
    Focus focus = Focus::Explore;
    std::vector<CandidateId> parents; ///< first: the one to edit
    ProposalId repairOf; ///< whose patch failed, for a repair turn or a rewrite
    int attempt = 1; ///< 2: the repair turn, 3: the rewrite
    std::string promptName; ///< template
    Hash promptVersion;
    Hash system, prompt; ///< blobs of what was sent
    std::int64_t askedNs = 0, answeredNs = 0; ///< run time
    InquiryState state = InquiryState::Open;
    InquiryAnswer answer; ///< holds once the state is not Open

    bool operator==(const Inquiry&) const = default;
};

} // namespace tilewright
