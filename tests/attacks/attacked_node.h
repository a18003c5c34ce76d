// SPDX-License-Identifier: GPL-3.0-or-later
// A real tilewright-node at the other end of a pipe, asked one thing after the other: what becomes of a program from
// build to ranking, as an engine would see it. Test thread only; blocks.
#pragma once

#include "core/protocol/frames.h"
#include "core/protocol/messages.h"

#include <QElapsedTimer>
#include <QProcess>
#include <QTemporaryDir>
#include <memory>

namespace tilewright {

/// Where a program's way ended, and how.
struct Fate {
    std::string stage; ///< build | check | time
    std::string outcome; ///< build_failed | run_failed | refused | ranked; "failure" when the node could not tell
    std::string rule, text, log;
    nlohmann::json evidence;
    double ratio = 0; ///< incumbent's time / program's, when ranked
    qint64 milliseconds = 0;

    QByteArray line() const;
};

class AttackedNode
{
public:
    /// isolation: empty for the best that the machine has, or "reduced". buildSeconds replaces the pack's limit, so
    /// that attacks on the compiler cost seconds.
    /// Arguments are the node's.
    AttackedNode(
        const QByteArray& isolation, const TaskPack& pack, int buildSeconds, const QStringList& arguments = {});

    /// Says hello; the isolation level it announces, empty when it does not answer any more.
    QByteArray greet();
    /// Build only; used for the incumbent.
    BuildReply build(const std::string& source);
    /// Build and check.
    Fate check(const std::string& source);
    /// Build, check, and one screening against the incumbent. Screening again is what an engine does when the node
    /// says that the machine was too busy (time/unstable), and so it is here.
    Fate evaluate(const std::string& source, const Hash& incumbent);
    bool isRunning() const { return m_process.state() == QProcess::Running; }

private:
    template <typename Message> std::optional<Reply> ask(Message message);
    std::optional<Reply> answer(std::int64_t id);
    std::optional<nlohmann::json> nextMessage(qint64 untilMs);
    Hash sendBlob(const std::string& bytes);
    Fate fateOfBuild(const BuildReply& reply) const;

    QProcess m_process;
    QTemporaryDir m_cache; ///< attacks on the compiler must not be answered from the user's cache
    FrameReader m_frames;
    std::map<Hash, std::string> m_blobs;
    QElapsedTimer m_clock;
    Hash m_task;
    std::int64_t m_id = 0;
};

} // namespace tilewright
