// SPDX-License-Identifier: GPL-3.0-or-later
// The events of a dry run as a session file.
#pragma once

#include "core/store/session_writer.h"
#include "tests/engine/dry_run.h"

namespace tilewright::testing {

/// Committed every few events; null where something could not be written.
inline std::unique_ptr<SessionWriter> recorded(
    const DryRun& run, const std::string& file, std::size_t events = SIZE_MAX)
{
    Event created = run.events().front();
    auto& settings = std::get<events::RunCreated>(created.body).settings;
    settings.task = sha256(run.pack().blob());
    settings.taskName = run.pack().task.name;
    RunState state;
    (void)apply(state, created);
    auto writer = SessionWriter::create(file, run.pack(), created);
    if (!writer)
        return nullptr;
    for (std::size_t i = 1; i < std::min(events, run.events().size()); ++i) {
        (void)apply(state, run.events()[i]);
        (*writer)->append(run.events()[i], state);
        if (const auto* made = std::get_if<events::CandidateMade>(&run.events()[i].body))
            (*writer)->putText(run.text(made->candidate.source));
        if (i % 7 == 0 && !(*writer)->commit(state))
            return nullptr;
    }
    return (*writer)->commit(state) ? std::move(*writer) : nullptr;
}

} // namespace tilewright::testing
