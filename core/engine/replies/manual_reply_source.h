// SPDX-License-Identifier: GPL-3.0-or-later
// A user (or their script) who answers prompts: in a folder, the proposer `manual:DIR`; or in the window, the
// proposer `manual`, where a letter only waits for answer(). With a folder both ways are open.
#pragma once

#include "core/engine/replies/reply_folder.h"
#include "core/proposer/reply_source.h"

namespace tilewright {

class ManualReplySource final : public ReplySource
{
public:
    /// Prompts that are open at a time: enough to choose from, few enough to stay current.
    static constexpr int mostOpen = 4;

    /// An empty folder: none.
    explicit ManualReplySource(const std::string& folder, std::chrono::milliseconds quiet = ReplyFolder::defaultQuiet);

    std::string name() const override { return "manual"; }
    void open(ReplySink sink) override;
    int capacity() const override { return mostOpen; }
    Result<ModelReservation> reserve(const RequestDraft& question) override;
    Result<void> send(const OutgoingRequest& outgoing) override;
    bool keepsRequests() const override { return true; }
    bool takesBack(ModelRequestId id) override;
    std::vector<std::pair<ModelRequestId, Response>> abandon() override;
    Result<void> answer(ModelRequestId id, const std::string& text) override;

private:
    std::string turnWords(ModelRequestId id) const;
    void deliver(ModelRequestId id, std::string text);

    std::unique_ptr<ReplyFolder> m_folder; ///< null: there is none
    QObject m_context;
    ReplySink m_sink;
    std::map<ModelRequestId, std::string> m_waiting; ///< with their places
};

} // namespace tilewright
