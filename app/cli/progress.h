// SPDX-License-Identifier: GPL-3.0-or-later
// Progress of a run on standard error: one line that is rewritten on a terminal, a plain line every few seconds
// otherwise, with rate and time to go.
#pragma once

#include "core/engine/engine.h"
#include "core/engine/measuring/one_evaluation.h"
#include "core/engine/snapshot.h"

#include <QElapsedTimer>

namespace tilewright::cli {

class Progress
{
public:
    Progress();
    void show(const Snapshot& snapshot);
    /// A last line, and the end of the one that is rewritten.
    void finish(const Snapshot& snapshot);
    /// A line of its own between progress lines.
    void say(const std::string& text);

private:
    void print(const std::string& line);

    bool m_terminal = false;
    bool m_lineOpen = false;
    QElapsedTimer m_sincePlain;
    std::string m_plainNews; ///< what the last plain line told that was worth one
    std::string m_waitSaid; ///< what the last plain line waited for
    std::size_t m_noticesSaid = 0;
};

/// What holds an evaluation up goes to standard error.
EvaluationWatch complaining();

/// "42/300 evaluations · best 12.3× (c-0040) · 31/min · 5 asked · 1.2 M tokens · at least 0.42 $ · 8 min 20 s to go".
std::string progressLine(const Snapshot& snapshot);
/// "0.0312 $", "at least 1.20 $" where some answers have an unknown cost, "cost unknown".
std::string costText(const RunState& run);

// A session run to its end in this process: progress on standard error, Ctrl-C, SIGTERM and SIGHUP, result and exit
// code. Shared by `evolve` and `resume`. Main thread.

/// Runs the engine that `start` sets going until its phase ends; the exit code. With json the result object goes to
/// standard output, else a summary.
int runToEnd(Engine& engine, bool json, const std::function<void()>& start);

} // namespace tilewright::cli
