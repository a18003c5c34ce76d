// SPDX-License-Identifier: GPL-3.0-or-later
// One HTTP call: sent once, timed by four clocks, ended in one way. It follows no redirect, ignores no certificate
// error, keeps no cookie, stores nothing and never sends a body twice. It reads one portion in each turn of the event
// loop and holds no more than a few unread, so that a server that sends without end fills no memory and delays neither
// clocks nor commands. Owner: ModelClient; thread: its own.
#pragma once

#include <QNetworkReply>
#include <QObject>
#include <QTimer>
#ifndef Q_MOC_RUN
#include "core/llm/alarm_clock.h"
#include "core/llm/network_lanes.h"
#include "core/llm/protocol.h"
#endif

namespace tilewright {

class Exchange : public QObject
{
    Q_OBJECT

public:
    Exchange(NetworkLanes& lanes, AlarmClock& clock, ModelTimeouts timeouts, QObject* parent = nullptr);
    ~Exchange() override;

    /// `key` may be empty. Once.
    void start(const ModelEndpoint& endpoint, const HttpCall& call, const std::string& key);
    /// Everything that matters has come: wait a moment for the connection's own end, then cut it.
    void drain();
    /// Ends it without a further signal.
    void abort();

    int status() const { return m_status; }
    const HttpHeaders& headers() const { return m_headers; }
    bool hasFirstByte() const { return m_gotByte; }

Q_SIGNALS:
    /// Status and headers are known. Comes before the first bytes().
    void headed();
    void bytes(const QByteArray& bytes);
    /// The call is over. An empty code: the body came to an end. Else llm/connect, llm/connection-lost, llm/tls,
    /// llm/proxy, llm/timeout-connect, llm/timeout-first-byte, llm/timeout-inactivity.
    void ended(const tilewright::Error& error);

private:
    void takeHead();
    void takePortion();
    void sent();
    void timedOut(const char* code, const char* text, std::chrono::milliseconds limit);
    void restartInactivity();
    Error errorOf(QNetworkReply::NetworkError problem) const;
    void end(const Error& error);

    NetworkLanes& m_lanes;
    ModelTimeouts m_timeouts;
    Alarm m_connect, m_firstByte, m_inactivity, m_drain;
    QTimer m_read; ///< in the next turn of the event loop
    QNetworkReply* m_reply = nullptr;
    std::string m_tlsTrouble;
    HttpHeaders m_headers;
    int m_status = 0;
    bool m_proxied = false, m_sent = false, m_gotByte = false, m_draining = false, m_ended = false;
    bool m_isClosed = false; ///< the network gives no more than what is buffered
};

} // namespace tilewright
