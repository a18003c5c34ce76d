// SPDX-License-Identifier: GPL-3.0-or-later
// A person (or their script) who answers prompts in a folder: the proposer `manual:DIR`.
#pragma once

#include "core/engine/reply_folder.h"
#include "core/proposer/correspondent.h"

namespace tilewright {

class ManualCorrespondent final : public Correspondent
{
public:
    /// Prompts that are open at a time: enough to choose from, few enough to stay current.
    static constexpr int mostOpen = 4;

    explicit ManualCorrespondent(
        const std::string& folder, std::chrono::milliseconds quiet = ReplyFolder::defaultQuiet);

    std::string name() const override { return "manual"; }
    int capacity() const override { return mostOpen; }
    Result<std::string> reserve() override { return m_folder.reserve(); }
    Result<void> send(const Letter& letter, Answer answer) override;
    void forget() override;

private:
    struct Waiting {
        InquiryId id;
        Answer answer;
    };

    ReplyFolder m_folder;
    std::map<std::string, Waiting> m_waiting; ///< by place
};

} // namespace tilewright
