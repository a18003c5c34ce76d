// SPDX-License-Identifier: GPL-3.0-or-later
// Measures how late a 10 ms timer of the GUI thread fires: the stalls a user would feel. GUI thread.
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>
#include <vector>

namespace tilewright::gui {

/// How long an input waits that comes at a random moment: each stall weighs as long as it lasts, so that one freeze of
/// a second is not one tick among thousands. ms. A stall that began before its tick was due is seen up to one interval
/// shorter than it was.
struct StallSummary {
    std::int64_t ticks = 0;
    double p50Ms = 0, p99Ms = 0; ///< of the waiting time of such inputs
    double maxMs = 0; ///< the longest stall
    double overFrame = 0, overTenth = 0; ///< share of the time in which an input waits longer than 16 ms, than 100 ms

    bool operator==(const StallSummary&) const = default;
};

/// delaysMs: by how much each tick came too late. Pure.
StallSummary stallSummary(std::vector<double> delaysMs, double intervalMs);

class StallMeter : public QObject
{
    Q_OBJECT

public:
    explicit StallMeter(QObject* parent = nullptr);
    StallSummary summary() const;
    /// {"ticks", "p50_ms", "p99_ms", "max_ms", "over_16_ms", "over_100_ms"}; false if the file cannot be written.
    bool write(const QString& file) const;

private:
    QTimer m_timer;
    QElapsedTimer m_since;
    std::vector<double> m_delays; ///< ms beyond the interval
};

} // namespace tilewright::gui
