// SPDX-License-Identifier: GPL-3.0-or-later
// A sweep of tiles that is being measured, on a thread of its own, by the ordinary evaluator. GUI thread.
#pragma once

#include "core/engine/measuring/tile_sweeper.h"

#include <QObject>
#include <QString>
#include <QThreadPool>
#include <atomic>
#include <memory>
#include <optional>

namespace tilewright::ui {

class SweepRun : public QObject
{
    Q_OBJECT

public:
    explicit SweepRun(QObject* parent = nullptr);
    ~SweepRun() override; ///< cancels, and waits for its thread

    /// Measures with the explorer's program for the task (words.text is set here), going on with what `before` holds of
    /// the same sweep. Nothing while another one is under way.
    void start(const std::string& task, SweepWords words, std::optional<TileSweep> before);
    void cancel();
    bool isRunning() const { return m_isRunning; }
    bool isCancelled() const { return m_isCancelled && *m_isCancelled; }
    /// What is measured so far; none before the device is known.
    const std::optional<TileSweep>& sweep() const { return m_sweep; }
    /// What holds it up, or what is being done; "" for nothing worth a word.
    const QString& words() const { return m_words; }

Q_SIGNALS:
    void changed();
    void measured(); ///< another tile is done
    void ended(); ///< all are done, or it was cancelled
    void failed(const QString& text);

private:
    void take(const std::function<void()>& what); ///< on the GUI thread, while it runs

    bool m_isRunning = false;
    std::shared_ptr<std::atomic<bool>> m_isCancelled;
    std::optional<TileSweep> m_sweep;
    QString m_words;
    QThreadPool m_threads;
};

} // namespace tilewright::ui
