// SPDX-License-Identifier: Apache-2.0
// A CUDA worker's end of the socket to its node: requests in, replies out, blobs by hash. One thread that reads and
// one that sends.
#pragma once

#include "core/protocol/frames.h"

#include <map>

namespace tilewright {

class FrameSocket
{
public:
    explicit FrameSocket(int fd)
        : m_fd(fd)
    {
    }

    /// Waits for the next request, keeping blobs that come before it. Nothing once the node is gone or talks nonsense.
    std::optional<nlohmann::json> next();
    void send(const nlohmann::json& json) { write(encodeFrame(json)); }
    /// Sends the bytes as a blob; the message that names it goes after.
    Hash sendBlob(std::string_view bytes);
    /// A blob that came; empty if it did not. It is forgotten by the next call of forgetBlobs().
    const std::string& blob(const Hash& hash) const;
    void forgetBlobs() { m_blobs.clear(); }

private:
    void write(std::string_view bytes);

    int m_fd;
    FrameReader m_reader;
    std::map<Hash, std::string> m_blobs;
};

} // namespace tilewright
