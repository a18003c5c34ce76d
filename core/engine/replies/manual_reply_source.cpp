// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/replies/manual_reply_source.h"

#include "core/engine/replies/reply_folder.h"

#include <algorithm>

namespace tilewright {

ManualReplySource::ManualReplySource(const std::string& folder, std::chrono::milliseconds quiet)
{
    if (!folder.empty())
        m_folder = std::make_unique<ReplyFolder>(QString::fromStdString(folder), quiet);
}

void ManualReplySource::open(ReplySink sink)
{
    m_sink = std::move(sink);
    if (!m_folder)
        return;
    QObject::connect(
        m_folder.get(), &ReplyFolder::arrived, &m_context, [this](const std::string& place, const QByteArray& reply) {
            const auto waiting
                = std::ranges::find_if(m_waiting, [&place](const auto& each) { return each.second == place; });
            if (waiting != m_waiting.end())
                deliver(waiting->first, reply.toStdString());
        });
    QObject::connect(
        m_folder.get(), &ReplyFolder::unreadable, &m_context, [this](const std::string& place, const QString& reason) {
            m_sink.noted("warning",
                place + ".reply.md cannot be read as a reply: " + reason.toStdString() + "; a new version is awaited");
        });
    QObject::connect(m_folder.get(), &ReplyFolder::changedLater, &m_context, [this](const std::string& place) {
        m_sink.noted("warning", place + ".reply.md changed after it was read: the run uses the content that was read");
    });
}

Result<ModelReservation> ManualReplySource::reserve(const RequestDraft&)
{
    if (!m_folder)
        return ModelReservation{};
    auto place = m_folder->reserve();
    return place ? Result<ModelReservation>(ModelReservation{"", std::move(*place)}) : std::unexpected(place.error());
}

Result<void> ManualReplySource::send(const OutgoingRequest& outgoing)
{
    const std::string text = originLine(m_sink.state(), outgoing.id) + turnWords(outgoing.id)
        + (outgoing.system.empty() ? outgoing.user : outgoing.system + "\n\n" + outgoing.user);
    auto put = m_folder ? m_folder->put(outgoing.place, text) : Result<void>();
    if (put)
        m_waiting.insert_or_assign(outgoing.id, outgoing.place);
    return put;
}

/// Which prompt of the folder a further turn goes on from: its facts hold, and are not repeated.
std::string ManualReplySource::turnWords(ModelRequestId id) const
{
    const RunState& state = m_sink.state();
    const ModelRequest* modelRequest = m_folder ? state.modelRequest(id) : nullptr;
    const Proposal* failed = modelRequest && modelRequest->repairOf ? state.proposal(modelRequest->repairOf) : nullptr;
    const ModelRequest* before = failed ? state.modelRequest(failed->modelRequest) : nullptr;
    if (!before || before->place.empty())
        return {};
    return "This continues " + before->place + ".prompt.md and your reply to it: send it in the same conversation.\n\n";
}

void ManualReplySource::deliver(ModelRequestId id, std::string text)
{
    m_waiting.erase(id);
    Response response;
    response.text = std::move(text);
    response.answer.costMicroUsd = 0;
    m_sink.answered(id, std::move(response));
}

Result<void> ManualReplySource::answer(ModelRequestId id, const std::string& text)
{
    const auto waiting = m_waiting.find(id);
    if (waiting == m_waiting.end())
        return fail("inquiry/not-open", "the request " + std::to_string(id.value) + " is not waiting for a reply",
            "it was already answered, or the run is not running");
    if (text.empty())
        return fail("inquiry/empty", "an empty text is not a reply");
    if (static_cast<std::int64_t>(text.size()) > ReplyFolder::largestReply)
        return fail("inquiry/too-large",
            "the reply is larger than " + std::to_string(ReplyFolder::largestReply >> 20) + " MiB");
    if (m_folder)
        m_folder->drop(waiting->second);
    QMetaObject::invokeMethod(
        &m_context,
        [this, id, text] {
            if (m_waiting.contains(id))
                deliver(id, text);
        },
        Qt::QueuedConnection);
    return {};
}

bool ManualReplySource::takesBack(ModelRequestId id)
{
    const auto waiting = m_waiting.find(id);
    if (waiting == m_waiting.end())
        return false; // it was answered just now
    if (m_folder)
        m_folder->withdraw(waiting->second);
    m_waiting.erase(waiting);
    return true;
}

std::vector<std::pair<ModelRequestId, Response>> ManualReplySource::abandon()
{
    m_waiting.clear();
    if (m_folder)
        m_folder->forget();
    return {};
}

} // namespace tilewright
