// SPDX-License-Identifier: GPL-3.0-or-later
// A shipped session with what an export of one of its candidates is made from.
#pragma once

#include "core/export/export_form.h"
#include "core/store/packed_session.h"
#include "core/store/session_reader.h"

#include <QTemporaryDir>
#include <stdexcept>

namespace tilewright::testing {

struct ExportedDemo {
    QTemporaryDir folder;
    std::unique_ptr<SessionReader> reader;
    RunState state;
    TaskPack pack;

    explicit ExportedDemo(const std::string& name = "gemm-cpu")
    {
        const std::string path = file();
        orThrow(unpackSession(TILEWRIGHT_SOURCE_DIR "/resources/demo/" + name + ".tilewright.zst", path));
        reader = orThrow(SessionReader::open(path));
        state = orThrow(reader->load());
        pack = orThrow(reader->pack(state));
    }

    std::string file() const { return folder.filePath(QStringLiteral("demo.tilewright")).toStdString(); }
    std::string text(const Hash& hash) const { return reader->text(hash).value_or(std::string()); }
    ExportSource source() const
    {
        return {
            "demo.tilewright", "2026-11-30T12:00:00.000Z", "0.1.0", [this](const Hash& hash) { return text(hash); }};
    }
    Result<ExportRecord> record(CandidateId candidate) const
    {
        return exportRecordOf(state, candidate, pack, source());
    }
    ExportRecord bestRecord() const { return orThrow(record(state.best()->id)); }
    ExportInput input(const ExportRecord& record) const
    {
        const Candidate& candidate = *state.candidate(record.candidate);
        std::string parent;
        if (record.lineage.size() > 1)
            parent = text(state.candidate(record.lineage[record.lineage.size() - 2].candidate)->source);
        return {record, state, candidate, pack, text(candidate.source), parent};
    }

    static void orThrow(Result<void> result)
    {
        if (!result)
            throw std::runtime_error(result.error().line());
    }
    template <typename T> static T orThrow(Result<T> result)
    {
        if (!result)
            throw std::runtime_error(result.error().line());
        return std::move(*result);
    }
};

} // namespace tilewright::testing
