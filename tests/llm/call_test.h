// SPDX-License-Identifier: GPL-3.0-or-later
// What the tests over real sockets share: a bench for each call, streams that stop in the middle, and the look for the
// key after each test.
#pragma once

#include "tests/llm/call_bench.h"

#include <QTest>

namespace tilewright::testing {

constexpr auto chatProtocol = ModelProtocol::OpenAiChat;

inline Script good(ModelProtocol protocol = chatProtocol) { return stream(eventsOf(protocol, {})); }

/// The events of a good reply up to but without its ending.
inline std::vector<std::string> withoutEnding(ModelProtocol protocol, std::vector<std::string> events)
{
    events.resize(events.size() - endingOf(protocol));
    return events;
}

/// The beginning of a stream, up to but without its ending.
inline Script begun(ModelProtocol protocol, std::vector<Step> then)
{
    Script script{send(head(200, {"Content-Type: text/event-stream"}))};
    for (const std::string& event : withoutEnding(protocol, eventsOf(protocol, {})))
        script.push_back(send(event));
    script.insert(script.end(), then.begin(), then.end());
    return script;
}

/// How many bytes of the body begun() sends.
inline std::int64_t begunBytes(ModelProtocol protocol)
{
    std::int64_t bytes = 0;
    for (const std::string& event : withoutEnding(protocol, eventsOf(protocol, {})))
        bytes += static_cast<std::int64_t>(event.size());
    return bytes;
}

inline QString code(const ModelReply& reply) { return QString::fromStdString(reply.error.code); }
inline QString word(const ModelReply& reply) { return QString::fromStdString(nameIn(replyStates, reply.state)); }

class CallTest : public QObject
{
protected:
    static void allProtocols()
    {
        QTest::addColumn<int>("protocol");
        for (const auto& [protocol, name] : modelProtocols)
            QTest::newRow(std::string(name).c_str()) << static_cast<int>(protocol);
    }
    /// Of the row that runs.
    static ModelProtocol rowsProtocol()
    {
        QFETCH(int, protocol);
        return static_cast<ModelProtocol>(protocol);
    }
    CallBench& bench(ModelProtocol protocol = chatProtocol, CallBench::Change change = {})
    {
        m_bench = std::make_unique<CallBench>(protocol, std::move(change));
        return *m_bench;
    }
    /// Waits until the server holds and the client is where it can only wait: with these bytes of the body, or without
    /// any and its request sent.
    static bool stalled(CallBench& b, std::int64_t bytes)
    {
        return CallBench::until([&] {
            const auto limit = bytes > 0 ? WakeReason::Inactivity : WakeReason::FirstByte;
            return b.server.holding() > 0 && b.bytesSeen() >= bytes && b.clock.isSet(limit);
        });
    }
    /// For cleanup(): the key is in nothing that was recorded or logged.
    void lookForTheKey()
    {
        if (m_bench)
            QVERIFY2(m_bench->recorded().find(canary) == std::string::npos, "the key was recorded");
        QVERIFY2(loggedTexts().find(canary) == std::string::npos, "the key was logged");
        m_bench.reset();
    }

    std::unique_ptr<CallBench> m_bench;
};

} // namespace tilewright::testing
