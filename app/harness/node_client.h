// SPDX-License-Identifier: Apache-2.0
// A tilewright-node at the other end of two pipes, asked one thing after the other by a program without an event loop.
// One thread; every call blocks.
#pragma once

#include "core/protocol/frames.h"
#include "core/protocol/messages.h"

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <sys/types.h>

namespace tilewright::harness {

/// What a measurement reports on its way: stage, and the share that is done.
using OnProgress = std::function<void(const std::string& stage, double share)>;

class NodeClient
{
public:
    /// program: tilewright-node. cache: a private folder for what it builds. Errors: node/missing.
    static Result<NodeClient> start(const std::filesystem::path& program, const std::filesystem::path& cache);
    NodeClient(NodeClient&& other) noexcept;
    NodeClient& operator=(NodeClient&&) = delete;
    ~NodeClient(); ///< ends the node

    /// Errors: node/lost (it ended), protocol/….
    Result<HelloReply> hello();
    /// Sends a text that requests may name by its hash.
    Hash send(const std::string& text);
    /// The reply of this kind. Errors: those that the node gives as a failure; node/lost, node/garbage.
    template <typename Wanted, typename Asked> Result<Wanted> ask(Asked request, const OnProgress& onProgress = {})
    {
        request.id = ++m_id;
        auto reply = exchanged(request, m_id, onProgress);
        if (!reply)
            return std::unexpected(reply.error());
        if (auto* wanted = std::get_if<Wanted>(&*reply))
            return std::move(*wanted);
        return fail("node/garbage", "the node sent a reply to another request");
    }
    /// A text that the node sent, such as a compiler's log; "" where it sent none of this hash.
    std::string received(const Hash& hash) const;

private:
    NodeClient() = default;
    Result<Reply> exchanged(const Request& request, std::int64_t id, const OnProgress& onProgress);
    Result<void> write(const std::string& bytes);
    Result<nlohmann::json> nextMessage();
    Error lost() const;

    pid_t m_process = -1;
    int m_toNode = -1, m_fromNode = -1;
    FrameReader m_frames;
    std::map<Hash, std::string> m_blobs;
    std::int64_t m_id = 0;
};

} // namespace tilewright::harness
