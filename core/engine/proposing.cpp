// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/proposing.h"

#include "core/base/text.h"
#include "core/engine/manual_correspondent.h"
#include "core/engine/recording.h"
#include "core/engine/written_prompts.h"

#include <algorithm>
#include <filesystem>

namespace tilewright {

ProposerWords wordsOfProposer(const std::string& proposer)
{
    const std::size_t colon = proposer.find(':');
    return colon == std::string::npos ? ProposerWords{proposer, {}}
                                      : ProposerWords{proposer.substr(0, colon), proposer.substr(colon + 1)};
}

std::string anchoredProposer(const std::string& proposer)
{
    const ProposerWords words = wordsOfProposer(proposer);
    std::error_code problem;
    const auto path = words.with.empty() ? std::filesystem::path() : std::filesystem::absolute(words.with, problem);
    return path.empty() || problem ? proposer : words.kind + ":" + path.lexically_normal().string();
}

std::vector<std::string> knownProposers()
{
    std::vector<std::string> known = proposerNames();
    known.insert(known.end(), {"manual:DIR", "replay:SESSION|DIR"});
    return known;
}

Result<void> checkProposer(const std::string& proposer)
{
    const ProposerWords words = wordsOfProposer(proposer);
    const bool outside = words.kind == "replay" || words.kind == "manual";
    if (!outside && !proposerNamed(words.kind))
        return fail(
            "proposer/unknown", "unknown proposer '" + words.kind + "'", "there are " + joined(knownProposers(), ", "));
    if (words.kind == "replay" && words.with.empty())
        return fail("proposer/words", "the proposer replay needs to know with what it works",
            "write replay:SESSION or replay:DIR");
    if (!outside && proposer != words.kind)
        return fail("proposer/words", "the proposer " + words.kind + " takes nothing after a colon");
    return {};
}

Result<Proposing> proposingBy(const std::string& proposer, const TaskPack& pack)
{
    if (auto checked = checkProposer(proposer); !checked)
        return std::unexpected(checked.error());
    const ProposerWords words = wordsOfProposer(proposer);
    if (words.kind == "manual")
        return Proposing{nullptr, std::make_unique<ManualCorrespondent>(words.with)};
    if (words.kind != "replay")
        return Proposing{proposerNamed(words.kind), nullptr};
    auto replies = recordedReplies(words.with, pack);
    if (!replies)
        return std::unexpected(replies.error());
    return Proposing{std::make_unique<ReplayProposer>(std::move(*replies)), nullptr};
}

Result<void> checkProposing(const std::string& proposer, const TaskPack& pack)
{
    const auto proposing = proposingBy(proposer, pack);
    if (!proposing)
        return std::unexpected(proposing.error());
    if (!proposing->correspondent)
        return {};
    const auto prompts = writtenPrompts();
    return prompts ? Result<void>() : std::unexpected(prompts.error());
}

} // namespace tilewright
