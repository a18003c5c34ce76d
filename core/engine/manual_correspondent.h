// SPDX-License-Identifier: GPL-3.0-or-later
// A person (or their script) who answers prompts: in a folder, the proposer `manual:DIR`; or in the window, the
// proposer `manual`, where a letter only waits for answer(). With a folder both ways are open.
#pragma once

#include "core/engine/reply_folder.h"
#include "core/proposer/correspondent.h"

namespace tilewright {

class ManualCorrespondent final : public Correspondent
{
public:
    /// Prompts that are open at a time: enough to choose from, few enough to stay current.
    static constexpr int mostOpen = 4;

    /// An empty folder: none.
    explicit ManualCorrespondent(
        const std::string& folder, std::chrono::milliseconds quiet = ReplyFolder::defaultQuiet);

    std::string name() const override { return "manual"; }
    void open(Mailbox mailbox) override;
    int capacity() const override { return mostOpen; }
    Result<Addressee> reserve(const Question& question) override;
    Result<void> send(const Letter& letter) override;
    bool keepsLetters() const override { return true; }
    bool takesBack(InquiryId id) override;
    std::vector<std::pair<InquiryId, Response>> abandon() override;
    Result<void> answer(InquiryId id, const std::string& text) override;

private:
    std::string turnWords(InquiryId id) const;
    void deliver(InquiryId id, std::string text);

    std::unique_ptr<ReplyFolder> m_folder; ///< null: there is none
    QObject m_context;
    Mailbox m_mailbox;
    std::map<InquiryId, std::string> m_waiting; ///< with their places
};

} // namespace tilewright
