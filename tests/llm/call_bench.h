// SPDX-License-Identifier: GPL-3.0-or-later
// A client, a fake server and a clock that a test turns; and a recorder that writes what a session would store, so that
// each test can look whether the key got into it.
#pragma once

#include "core/llm/json_access.h"
#include "core/llm/model_client.h"
#include "tests/llm/fake_server.h"
#include "tests/llm/fixtures.h"
#include "tests/llm/virtual_clock.h"

#include <QTemporaryDir>

namespace tilewright::testing {

/// Never to be seen again.
inline const std::string canary = "sk-canary-7f3a9b2c4d5e6f708192";

class CallBench
{
public:
    using Change = std::function<void(ModelEndpoint&, ModelSpec&)>;

    /// A client of one model "m" at the server's address.
    explicit CallBench(ModelProtocol protocol, Change change = {});
    ~CallBench();

    static ChatRequest question();
    ModelCallId submit(const ChatRequest& request = question());
    /// Runs the event loop until the call is finished; pauses before retries pass at once by the virtual clock.
    ModelReply finish(ModelCallId id);
    ModelReply ask(const ChatRequest& request = question()) { return finish(submit(request)); }
    /// Runs the event loop until the condition holds. False after a very long time.
    static bool until(const std::function<bool()>& condition);
    /// Lets everything that is under way in sockets and queues arrive.
    static void settle();

    bool isFinished(ModelCallId id) const { return m_replies.contains(id); }
    std::vector<std::chrono::milliseconds> pauses(const ModelReply& reply) const;
    /// Everything that was recorded, in one text.
    std::string recorded() const;
    std::int64_t bytesSeen() const { return m_bytesSeen; }
    void destroyClient() { m_client.reset(); }

    FakeServer server;
    VirtualClock clock;
    KeyRing keys;
    std::vector<RawReply> raws;
    ModelClient& client() { return *m_client; }

private:
    void record(const nlohmann::json& json);

    QTemporaryDir m_folder;
    std::unique_ptr<ModelClient> m_client;
    std::map<ModelCallId, ModelReply> m_replies;
    std::int64_t m_bytesSeen = 0;
};

/// Everything that Qt logged since the program began.
std::string loggedTexts();
void catchLog();

/// PEM files of a certificate authority made for this test run, and server certificates signed by it.
struct TestCertificates {
    QTemporaryDir folder;
    std::string problem; ///< empty: they are there
    TestCertificates();
    std::string path(const char* name) const { return folder.filePath(QString::fromLatin1(name)).toStdString(); }
    /// "good" (localhost), "expired", "other" (another host's name), "self" (signed by itself).
    void serve(FakeServer& server, const char* name) const;
};

} // namespace tilewright::testing
