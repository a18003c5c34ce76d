// SPDX-License-Identifier: GPL-3.0-or-later
// An engine with a fake node and a session file in a folder of its own, for tests: commands go straight to it, and the
// test's event loop turns until something was seen.
#pragma once

#include "core/engine/engine.h"
#include "tests/patience.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>

namespace tilewright::testing {

inline constexpr IslandId islandB{2};

/// A line of the run's log has these words.
inline bool tells(const RunState& run, const std::string& words)
{
    return std::ranges::any_of(
        run.log, [&](const LogLine& line) { return line.text.find(words) != std::string::npos; });
}

/// Identities, in their order; copies left aside.
inline std::vector<std::string> programsMade(const RunState& run)
{
    std::vector<std::string> programs;
    for (const Candidate& candidate : run.candidates)
        if (!candidate.migrated)
            programs.push_back(candidate.program.hex());
    return programs;
}

class EngineDriver
{
public:
    explicit EngineDriver(const QStringList& nodeArguments = {}, const QString& path = {})
        : m_path(path.isEmpty() ? m_folder.filePath(QStringLiteral("run.tilewright")) : path)
    {
        engine.setNodeCommand(QStringList{QStringLiteral(TILEWRIGHT_FAKE_NODE)} + nodeArguments);
        QObject::connect(&engine, &Engine::phaseEnded, &engine, [this](const SnapshotPtr& snapshot) {
            ended = snapshot;
            ++ends;
        });
        QObject::connect(&engine, &Engine::failed, &engine,
            [this](const QString& code, const QString&, const QString&) { failures << code; });
        QObject::connect(&engine, &Engine::closed, &engine, [this] { ++closes; });
        QObject::connect(&engine, &Engine::published, &engine, [this](const SnapshotPtr& snapshot) {
            ++published;
            latest = snapshot;
        });
    }

    void create(const TaskPack& pack, std::int64_t evaluations, std::uint64_t seed = 1, bool start = true)
    {
        NewSession session;
        session.path = m_path;
        session.pack = pack;
        session.settings.seed = seed;
        session.settings.budget.evaluations = evaluations;
        session.startNow = start;
        engine.create(session);
    }

    bool waitForEnd(int timeoutMs = patience)
    {
        const int before = m_endsSeen;
        const bool came = QTest::qWaitFor([&] { return ends > before; }, timeoutMs);
        m_endsSeen = ends;
        return came;
    }

    /// The node has told what devices there are.
    bool waitForNode()
    {
        return QTest::qWaitFor([this] { return engine.snapshot()->status.builders > 0; }, patience);
    }

    bool close()
    {
        engine.close();
        return QTest::qWaitFor([&] { return closes > 0; }, patience);
    }

    /// What is wrong with it is among the failures.
    Receipt execute(const Command& command)
    {
        Receipt receipt = engine.execute(command);
        if (!receipt.isDone())
            failures << QString::fromStdString(receipt.error.code);
        return receipt;
    }

    /// A text of the session: a source, a prompt, a reply.
    std::string text(const Hash& hash)
    {
        QString got;
        engine.ask(queries::Text{hash}, [&](const QueryAnswer& answer) { got = std::get<QString>(answer); });
        return got.toStdString();
    }

    PromptPreview preview(const PromptDraft& draft)
    {
        PromptPreview shown;
        engine.ask(
            queries::Preview{draft}, [&](const QueryAnswer& answer) { shown = std::get<PromptPreview>(answer); });
        return shown;
    }

    const RunState& run() { return (held = engine.snapshot())->run; }
    const QString& path() const { return m_path; }

    QTemporaryDir m_folder;
    QString m_path;
    Engine engine;
    SnapshotPtr ended, latest, held;
    QStringList failures;
    int ends = 0, closes = 0, published = 0;

private:
    int m_endsSeen = 0;
};

} // namespace tilewright::testing
