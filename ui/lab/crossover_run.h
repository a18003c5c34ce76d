// SPDX-License-Identifier: GPL-3.0-or-later
// The crossovers of the lab: what was measured or recorded, and one that is being measured now, on a thread of its own,
// by the ordinary evaluator. GUI thread.
#pragma once

#include "core/engine/measuring/crossover_measurer.h"
#include "core/tensor/scheme.h"
#include "ui/lab/kept_crossovers.h"
#include "ui/lab/leaf_box.h"

#include <QObject>
#include <QString>
#include <QThreadPool>
#include <atomic>
#include <memory>
#include <optional>

namespace tilewright::ui {

/// Square sizes that are measured where nothing else is wanted: from where a level mostly loses to where it may win.
inline const std::vector<std::int64_t> usualCrossoverSizes{512, 768, 1024, 1536, 2048};

class CrossoverRun : public QObject
{
    Q_OBJECT

public:
    explicit CrossoverRun(QObject* parent = nullptr);
    ~CrossoverRun() override; ///< cancels, and waits for its thread

    /// Measures so many levels of the scheme over the leaf beside the leaf alone (for a plain loop: the task's seed),
    /// and goes on with what this machine has measured of the same. Nothing while another one is under way.
    void start(const tensor::Scheme& scheme, int levels, const SchemeLeaf& leaf,
        const std::vector<std::int64_t>& sizes = usualCrossoverSizes);
    void cancel();
    bool isRunning() const { return m_isRunning; }
    bool isCancelled() const { return m_isCancelled && *m_isCancelled; }
    /// Of the scheme, by its coefficients: what is being measured, else the newest of this machine, else a recorded
    /// one; null: there is none.
    const KeptCrossover* of(const tensor::Scheme& scheme) const;
    /// Where it is: "size 1024, 3 of 5: checking 40 %", or what holds it up.
    QString progressWords() const;
    /// Why the last one ended without a figure; "" where it did not.
    const QString& problem() const { return m_problem; }

Q_SIGNALS:
    void changed();

private:
    void take(const std::function<void()>& what); ///< on the GUI thread, while it runs
    void keep(const CrossoverSweep& sweep);

    std::vector<KeptCrossover> m_kept;
    bool m_isRunning = false;
    std::shared_ptr<std::atomic<bool>> m_isCancelled;
    std::int64_t m_size = 0; ///< that is being measured; 0: none yet
    std::size_t m_done = 0, m_of = 0;
    QString m_words, m_problem;
    QThreadPool m_threads;
};

} // namespace tilewright::ui
