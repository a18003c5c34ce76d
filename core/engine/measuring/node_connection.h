// SPDX-License-Identifier: GPL-3.0-or-later
// The node as a child process: frames over its standard input and output. Crash, silence and nonsense end the process;
// every request that was in flight then fails with node/crash, node/killed, node/silent or node/garbage, and a new
// process is started after a growing pause. Owner: Engine, on its thread. Nothing here waits.
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QProcess>
#include <QStringList>
#include <QTimer>
// moc 6.4 stumbles over g++ 12's <concepts>, which these lead to; it needs no more than the names.
#ifndef Q_MOC_RUN
#include "core/protocol/frames.h"
#include "core/protocol/messages.h"

#include <functional>
#include <set>
#include <unordered_map>
#endif

namespace tilewright {

class NodeConnection : public QObject
{
    Q_OBJECT

public:
    using Answer = std::function<void(Result<Reply>)>;
    using BlobSource = std::function<std::string(const Hash&)>;

    explicit NodeConnection(QObject* parent = nullptr);
    ~NodeConnection() override;

    void setCommand(const QStringList& command) { m_command = command; }
    /// With requests in flight and nothing heard for this long, the process counts as hung.
    void setSilenceLimit(std::chrono::milliseconds limit) { m_silence.setInterval(limit); }
    void setBlobSource(BlobSource source) { m_blobs = std::move(source); }

    void start();
    /// Ends the process kindly, then by force; stopped() follows. In-flight requests are dropped without an answer.
    void stop();
    bool isReady() const { return m_ready; }
    const HelloReply& hello() const { return m_hello; }

    /// Sends a request and the blobs it names, if this process does not have them. The id in `request` is set here and
    /// returned. The answer comes once: a reply of the same kind, or an error (a `failure` has its rule as code and
    /// {"device_lost"} in the evidence if so).
    std::int64_t ask(Request request, const std::vector<Hash>& blobs, Answer answer);
    /// Tells the node to drop the request; no answer comes for it any more.
    void cancel(std::int64_t id);
    int inFlight() const { return static_cast<int>(m_waiting.size()); }

Q_SIGNALS:
    /// The node greeted: it can be asked. Comes again after each respawn.
    void ready();
    /// The process ended unasked; a new one follows.
    void lost(QString reason);
    /// It could not be started, or ended several times in a row without an answer: no further try is made until
    /// start().
    void givenUp(QString reason, QString hint);
    void blobReceived(tilewright::Hash hash, QByteArray bytes);
    void telemetry(tilewright::Telemetry telemetry);
    /// How far a request is; at most twice a second each.
    void progressed(tilewright::Progress progress);
    void noiseMeasured(tilewright::NoiseRun noise);
    void stopped();

private:
    void spawn();
    void read();
    void take(const Frame& frame);
    void dispatch(Reply reply);
    void fail(const char* code, const std::string& text);
    void ended();
    void send(const std::string& bytes);

    QStringList m_command;
    BlobSource m_blobs;
    std::unique_ptr<QProcess> m_process;
    FrameReader m_frames;
    std::set<Hash> m_sent; ///< blobs this process has
    std::unordered_map<std::int64_t, Answer> m_waiting;
    std::int64_t m_lastId = 0;
    HelloReply m_hello;
    bool m_ready = false, m_stopping = false;
    std::string m_faultCode, m_faultText; ///< why we ended the process
    int m_failures = 0; ///< processes in a row that answered nothing
    QTimer m_silence, m_respawn, m_killTimer;
};

} // namespace tilewright
