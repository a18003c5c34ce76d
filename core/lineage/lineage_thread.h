// SPDX-License-Identifier: GPL-3.0-or-later
// Writes the git view of a run while it goes on, on a thread of its own: whoever records events only wakes it. What it
// reads comes from the session's file, so the run waits for nothing, and a view that fails costs the view alone.
#pragma once

#include "core/lineage/lineage_repository.h"

#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

namespace tilewright {

/// Events and texts of a run. Used on the lineage's thread alone, and made there.
class RunSource
{
public:
    virtual ~RunSource() = default;
    using Each = std::function<void(const Event&, const RunState&)>;
    /// Applies the events that are new since the state's last one, and calls for each.
    virtual Result<void> follow(RunState& state, const Each& each) = 0;
    virtual Result<std::string> text(const Hash& hash) = 0;
};

/// Who follows a lineage, on its thread.
struct LineageWatch {
    /// After each write.
    std::function<void(const LineageReport&)> written = {};
    /// Last of all: the thread does nothing more. With the error that ended it, if one did.
    std::function<void(const std::optional<Error>&)> ended = {};
};

class LineageThread
{
public:
    using Open = std::function<Result<std::unique_ptr<RunSource>>()>;
    /// Begins at once; `open` is called on the new thread. Writes whenever it was woken, at most once per `interval`.
    LineageThread(std::filesystem::path folder, Open open, std::chrono::milliseconds interval, LineageWatch watch = {});
    /// Ends as finish() does.
    ~LineageThread();

    /// There are new events. Returns at once; from any thread.
    void wake();
    /// Has the thread write what is new and end. Returns at once; from any thread.
    void beginToFinish();
    /// Writes what is new, and ends the thread. What the newest write said; the first error if one failed.
    Result<LineageReport> finish();
    /// The error that ended writing; none while it goes on. From any thread.
    std::optional<Error> failure() const;

private:
    void run();
    Result<void> runUntilFinished();

    const std::filesystem::path m_folder;
    const Open m_open;
    const std::chrono::milliseconds m_interval;
    const LineageWatch m_watch;
    mutable std::mutex m_mutex;
    std::condition_variable m_changed;
    bool m_isWoken = true, m_isFinishing = false;
    std::optional<Error> m_failure;
    LineageReport m_report;
    std::thread m_thread; ///< last: it uses what stands above
};

} // namespace tilewright
