// SPDX-License-Identifier: Apache-2.0
#include "core/worker/cuda/frame_socket.h"

#include "core/protocol/frames.h"

#include <cerrno>
#include <sys/socket.h>
#include <unistd.h>

namespace tilewright {

std::optional<nlohmann::json> FrameSocket::next()
{
    char buffer[65536];
    for (;;) {
        auto frame = m_reader.next();
        if (!frame)
            return std::nullopt;
        if (*frame) {
            if ((*frame)->json.value("op", "") != "blob")
                return std::move((*frame)->json);
            m_blobs[requiredHashAt((*frame)->json, "hash")] = std::move((*frame)->blob);
            continue;
        }
        const ssize_t count = read(m_fd, buffer, sizeof buffer);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return std::nullopt;
        m_reader.append({buffer, static_cast<std::size_t>(count)});
    }
}

Hash FrameSocket::sendBlob(std::string_view bytes)
{
    const Hash hash = sha256(bytes);
    write(encodeBlob(hash, bytes));
    return hash;
}

const std::string& FrameSocket::blob(const Hash& hash) const
{
    static const std::string none;
    const auto found = m_blobs.find(hash);
    return found == m_blobs.end() ? none : found->second;
}

void FrameSocket::write(std::string_view bytes)
{
    while (!bytes.empty()) {
        const ssize_t count = ::send(m_fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return; // the node is gone; the next read says so
        bytes.remove_prefix(static_cast<std::size_t>(count));
    }
}

} // namespace tilewright
