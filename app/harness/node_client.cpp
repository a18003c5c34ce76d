// SPDX-License-Identifier: Apache-2.0
#include "app/harness/node_client.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tilewright::harness {

Result<NodeClient> NodeClient::start(const std::filesystem::path& program, const std::filesystem::path& cache)
{
    if (access(program.c_str(), X_OK) != 0)
        return fail("node/missing", program.string() + " is not there", "build the harness first: ./build");
    int toNode[2], fromNode[2];
    if (pipe2(toNode, O_CLOEXEC) != 0 || pipe2(fromNode, O_CLOEXEC) != 0)
        return fail("node/missing", std::string("no pipe can be created: ") + std::strerror(errno));
    std::signal(SIGPIPE, SIG_IGN);
    NodeClient client;
    client.m_process = fork();
    if (client.m_process == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        dup2(toNode[0], STDIN_FILENO);
        dup2(fromNode[1], STDOUT_FILENO);
        setenv("XDG_CACHE_HOME", cache.c_str(), 1);
        execl(program.c_str(), program.c_str(), static_cast<char*>(nullptr));
        _exit(127);
    }
    close(toNode[0]);
    close(fromNode[1]);
    client.m_toNode = toNode[1];
    client.m_fromNode = fromNode[0];
    if (client.m_process < 0)
        return fail("node/missing", std::string("the node cannot be started: ") + std::strerror(errno));
    return client;
}

NodeClient::NodeClient(NodeClient&& other) noexcept
    : m_process(std::exchange(other.m_process, -1))
    , m_toNode(std::exchange(other.m_toNode, -1))
    , m_fromNode(std::exchange(other.m_fromNode, -1))
    , m_frames(std::move(other.m_frames))
    , m_blobs(std::move(other.m_blobs))
    , m_id(other.m_id)
{
}

NodeClient::~NodeClient()
{
    for (const int end : {m_toNode, m_fromNode})
        if (end >= 0)
            close(end);
    if (m_process <= 0)
        return;
    // It ends by itself when its input does; one that hangs is not waited for without end.
    constexpr int tries = 100, pauseMicroseconds = 50'000;
    for (int i = 0; i < tries; ++i) {
        if (waitpid(m_process, nullptr, WNOHANG) != 0)
            return;
        usleep(pauseMicroseconds);
    }
    kill(m_process, SIGKILL);
    waitpid(m_process, nullptr, 0);
}

Result<HelloReply> NodeClient::hello()
{
    auto reply = exchanged(HelloRequest{}, 0, {});
    if (!reply)
        return std::unexpected(reply.error());
    if (auto* hello = std::get_if<HelloReply>(&*reply))
        return std::move(*hello);
    return fail("node/garbage", "the node sent a reply to another request");
}

Hash NodeClient::send(const std::string& text)
{
    const Hash hash = sha256(text);
    // A node that is gone is noticed by the request that follows.
    static_cast<void>(write(encodeBlob(hash, text)));
    return hash;
}

std::string NodeClient::received(const Hash& hash) const
{
    const auto found = m_blobs.find(hash);
    return found == m_blobs.end() ? std::string() : found->second;
}

Result<Reply> NodeClient::exchanged(const Request& request, std::int64_t id, const OnProgress& onProgress)
{
    if (auto written = write(encodeFrame(toJson(request))); !written)
        return std::unexpected(written.error());
    for (;;) {
        auto message = nextMessage();
        if (!message)
            return std::unexpected(message.error());
        auto reply = replyFromJson(*message);
        if (!reply)
            return std::unexpected(reply.error());
        if (const auto* progress = std::get_if<Progress>(&*reply)) {
            if (onProgress && progress->id == id)
                onProgress(progress->stage, progress->of > 0 ? progress->done / progress->of : 0);
            continue;
        }
        if (std::holds_alternative<Telemetry>(*reply) || std::holds_alternative<NoiseRun>(*reply))
            continue;
        if (const auto* failure = std::get_if<Failure>(&*reply))
            return fail(failure->rule, failure->text, failure->hint, failure->evidence);
        return reply;
    }
}

Result<void> NodeClient::write(const std::string& bytes)
{
    for (std::size_t sent = 0; sent < bytes.size();) {
        const ssize_t count = ::write(m_toNode, bytes.data() + sent, bytes.size() - sent);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return std::unexpected(lost());
        sent += static_cast<std::size_t>(count);
    }
    return {};
}

Result<nlohmann::json> NodeClient::nextMessage()
{
    for (;;) {
        auto frame = m_frames.next();
        if (!frame)
            return std::unexpected(frame.error());
        if (*frame) {
            if ((*frame)->json.value("op", "") != "blob")
                return std::move((*frame)->json);
            m_blobs[sha256((*frame)->blob)] = std::move((*frame)->blob);
            continue;
        }
        char buffer[65536];
        const ssize_t count = read(m_fromNode, buffer, sizeof buffer);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return std::unexpected(lost());
        m_frames.append({buffer, static_cast<std::size_t>(count)});
    }
}

Error NodeClient::lost() const { return {"node/lost", "tilewright-node ended during a request", "", nullptr}; }

} // namespace tilewright::harness
