// SPDX-License-Identifier: GPL-3.0-or-later
// Runs with language models, for tests: a session that asks a server, and what such tests look for.
#pragma once

#include "tests/engine/dry_run.h"
#include "tests/engine/engine_driver.h"
#include "tests/llm/fake_server.h"
#include "tests/llm/fixtures.h"
#include "tests/llm/model_stage.h"

#include <QTemporaryDir>
#include <algorithm>

namespace tilewright::testing {

inline std::int64_t countOf(const RunState& run, ModelRequestState state)
{
    return std::count_if(run.modelRequests.begin(), run.modelRequests.end(),
        [state](const ModelRequest& modelRequest) { return modelRequest.state == state; });
}

inline ModelProtocol protocolOf(const SeenRequest& request)
{
    return request.target.ends_with("/messages") ? ModelProtocol::Anthropic : ModelProtocol::OpenAiChat;
}

inline Script saying(const SeenRequest& request, const QByteArray& text, int input = 100, int output = 50)
{
    Said said;
    said.pieces = {text.toStdString()};
    said.input = input;
    said.output = output;
    return stream(eventsOf(protocolOf(request), said));
}

/// So many requests have come, and for a while no other does.
inline bool isAskedNoMoreThan(FakeServer& server, std::size_t requests)
{
    const bool more = QTest::qWaitFor([&] { return server.seen().size() > requests; }, 1500);
    return !more && server.seen().size() == requests;
}

/// Every prompt that was written has its answer.
inline bool nothingIsAsked(EngineDriver& driver) { return countOf(driver.run(), ModelRequestState::Open) == 0; }

class ModelSessions
{
protected:
    const TaskPack m_pack = gemmPack();
    QTemporaryDir m_folder;

    NewSession sessionOf(const QString& path, int port, std::int64_t evaluations, const QByteArray& more = {})
    {
        const QString models = path + QStringLiteral(".models.json");
        writeModelsFile(models, port, more);
        NewSession session;
        session.path = path;
        session.pack = m_pack;
        session.settings.proposer = "model:" + models.toStdString();
        session.settings.budget.evaluations = evaluations;
        return session;
    }
};

} // namespace tilewright::testing
