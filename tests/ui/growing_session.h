// SPDX-License-Identifier: GPL-3.0-or-later
// A session file that grows by the demo's events, as that of a run does.
#pragma once

#include "core/engine/snapshot.h"
#include "core/store/packed_session.h"
#include "core/store/session_reader.h"
#include "core/store/session_writer.h"

#include <QTemporaryDir>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace tilewright::test {

/// The demo's events and texts in a file that grows as that of a run.
struct GrowingSession {
    QTemporaryDir folder;
    std::filesystem::path file = folder.filePath(QStringLiteral("run.tilewright")).toStdString();
    std::vector<Event> events;
    std::unique_ptr<SessionReader> demo;
    std::unique_ptr<SessionWriter> writer;
    TaskPack pack;
    RunState state;

    /// With these sealed shapes in the task's pack, which the demo's has none of.
    explicit GrowingSession(const std::string& sealed = "[]")
    {
        const std::filesystem::path shipped = folder.filePath(QStringLiteral("demo.tilewright")).toStdString();
        if (!unpackSession(shippedDemo("gemm-cpu"), shipped))
            qFatal("the demo cannot be unpacked");
        demo = SessionReader::open(shipped.string()).value();
        RunState whole;
        if (!demo->follow(whole, [this](const Event& event, const RunState&) { events.push_back(event); }))
            qFatal("the demo cannot be read");
        pack = demo->pack(whole).value();
        if (const std::size_t at = pack.json.find("\"sealed\": []"); at != std::string::npos)
            pack.json.replace(at, 12, "\"sealed\": " + sealed);
        pack = TaskPack::fromBlob(pack.blob()).value();
        std::get<events::RunCreated>(events.front().body).settings.task = sha256(pack.blob());
        writer = SessionWriter::create(file.string(), pack, events.front()).value();
        if (!apply(state, events.front()))
            qFatal("the first event cannot be applied");
    }
    /// So many hundredths of all events are recorded then.
    void growTo(std::size_t share)
    {
        while (static_cast<std::size_t>(state.lastSeq) < events.size() * share / 100) {
            const Event& event = events[static_cast<std::size_t>(state.lastSeq)];
            if (const auto* made = std::get_if<events::CandidateMade>(&event.body))
                writer->putText(demo->text(made->candidate.source).value());
            if (!apply(state, event))
                qFatal("an event cannot be applied");
            writer->append(event, state);
        }
        if (const auto written = writer->commit(state); !written)
            qFatal("%s", written.error().line().c_str());
    }
    SnapshotPtr snapshot() const
    {
        auto made = std::make_shared<Snapshot>();
        made->run = state;
        made->pack = std::make_shared<const TaskPack>(pack);
        made->status.sessionOpen = true;
        made->status.sessionPath = file.string();
        return made;
    }
};

} // namespace tilewright::test
