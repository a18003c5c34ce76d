// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/measuring/seed_run.h"

#include "core/engine/engine.h"
#include "core/engine/measuring/node_connection.h"
#include "core/protocol/device_names.h"
#include "core/protocol/killed.h"

#include <QDateTime>
#include <QEventLoop>
#include <QTimer>
#include <map>

namespace tilewright {
namespace {

/// Builds the seed and has it checked; ends the loop with the word on it.
class SeedRun
{
public:
    SeedRun(const TaskPack& pack, SeedGates gates, const SeedWatch& watch)
        : m_gates(gates)
    {
        constexpr std::chrono::milliseconds lookEvery{200};
        m_task = keep(pack.blob());
        m_source = keep(pack.seed());
        m_wanted = pack.task.target == Target::Cuda ? "cuda:0" : "cpu";
        m_node.setCommand(defaultNodeCommand());
        m_node.setBlobSource([this](const Hash& hash) { return m_blobs[hash]; });
        QObject::connect(&m_node, &NodeConnection::ready, &m_context, [this] { build(); });
        QObject::connect(
            &m_node, &NodeConnection::givenUp, &m_context, [this](const QString& reason, const QString& hint) {
                end(fail("node/missing", reason.toStdString(), hint.toStdString()));
                m_loop.quit();
            });
        if (watch.progressed)
            QObject::connect(&m_node, &NodeConnection::progressed, &m_context, watch.progressed);
        QObject::connect(&m_node, &NodeConnection::stopped, &m_loop, &QEventLoop::quit);
        m_look.setInterval(lookEvery);
        QObject::connect(&m_look, &QTimer::timeout, &m_context, [this, watch] {
            if (!watch.isCancelled || !watch.isCancelled())
                return;
            m_look.stop();
            end(fail("cancelled", "cancelled"));
        });
    }

    Result<std::vector<std::string>> run()
    {
        QMetaObject::invokeMethod(
            &m_node, [this] { m_node.start(); }, Qt::QueuedConnection);
        m_look.start();
        m_loop.exec();
        return m_verdict;
    }

private:
    Hash keep(std::string text)
    {
        const Hash hash = sha256(text);
        m_blobs[hash] = std::move(text);
        return hash;
    }

    void end(Result<std::vector<std::string>> verdict)
    {
        m_verdict = std::move(verdict);
        m_node.stop();
    }

    void build()
    {
        if (m_started)
            return; // a respawned node: the request in flight has failed and says so
        m_started = true;
        const auto* device = deviceNamed(m_node.hello(), m_wanted);
        if (!device)
            return end(std::unexpected(noSuchDevice(m_node.hello(), m_wanted)));
        m_device = device->id;
        BuildRequest request;
        request.task = m_task;
        request.program = m_source;
        request.device = m_device;
        m_node.ask(request, {m_task, m_source}, [this](const Result<Reply>& reply) {
            const auto* built = reply ? std::get_if<BuildReply>(&*reply) : nullptr;
            if (!built)
                return end(std::unexpected(reply
                        ? Error{"node/garbage", "the node sent a reply to another request", "", nullptr}
                        : reply.error()));
            if (!built->ok)
                return end(fail(built->rule, built->text, "", built->evidence));
            check(built->artifact);
        });
    }

    void check(const Hash& artifact)
    {
        CheckRequest request;
        request.device = m_device;
        request.task = m_task;
        request.artifact = artifact;
        request.evaluation = "pack " + QDateTime::currentDateTimeUtc().toString(Qt::ISODateWithMs).toStdString();
        request.all = m_gates == SeedGates::All;
        m_node.ask(request, {m_task}, [this](const Result<Reply>& reply) {
            const auto* checked = reply ? std::get_if<CheckReply>(&*reply) : nullptr;
            if (!checked)
                return end(std::unexpected(reply
                        ? Error{"node/garbage", "the node sent a reply to another request", "", nullptr}
                        : reply.error()));
            if (!checked->ok)
                return end(fail(checked->rule, checked->text, "", checked->evidence));
            end(checked->passed);
        });
    }

    QObject m_context;
    QEventLoop m_loop;
    QTimer m_look; ///< whether it is cancelled
    NodeConnection m_node;
    SeedGates m_gates;
    std::map<Hash, std::string> m_blobs;
    Hash m_task, m_source;
    std::string m_wanted, m_device;
    bool m_started = false;
    Result<std::vector<std::string>> m_verdict = fail("node/missing", "the node did not reply");
};

} // namespace

Result<std::vector<std::string>> runSeed(const TaskPack& pack, SeedGates gates, const SeedWatch& watch)
{
    for (int lives = 1;; ++lives) {
        auto verdict = SeedRun(pack, gates, watch).run();
        if (verdict || !isWorthAnotherNode(verdict.error().code) || lives == mostNodes)
            return verdict;
    }
}

} // namespace tilewright
