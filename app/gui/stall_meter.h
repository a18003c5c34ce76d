// SPDX-License-Identifier: GPL-3.0-or-later
// Measures how late a 10 ms timer of the GUI thread fires: the stalls a person would feel. GUI thread.
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>
#include <vector>

namespace tilewright::gui {

class StallMeter : public QObject
{
    Q_OBJECT

public:
    struct Summary {
        std::int64_t ticks = 0;
        double p50Ms = 0, p99Ms = 0, maxMs = 0; ///< beyond the interval
    };

    explicit StallMeter(QObject* parent = nullptr);
    Summary summary() const;
    /// {"ticks", "p50_ms", "p99_ms", "max_ms"}; false if the file cannot be written.
    bool write(const QString& file) const;

private:
    QTimer m_timer;
    QElapsedTimer m_since;
    std::vector<double> m_delays; ///< ms beyond the interval
};

} // namespace tilewright::gui
