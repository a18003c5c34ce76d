// SPDX-License-Identifier: GPL-3.0-or-later
// A scheme on its way to a task of its own, on a thread of its own: made in memory, its program built and checked by
// this machine's node, and only then written. GUI thread.
#pragma once

#include "core/pack/scheme_task.h"

#include <QObject>
#include <QString>
#include <QThreadPool>
#include <atomic>
#include <memory>

namespace tilewright::ui {

struct SchemeTaskOrder {
    tensor::Scheme scheme;
    TaskPack from;
    SchemeTaskOptions options;
    std::string folder; ///< to make; named as the task
};

class SchemeTaskRun : public QObject
{
    Q_OBJECT

public:
    explicit SchemeTaskRun(QObject* parent = nullptr);
    ~SchemeTaskRun() override; ///< cancels, and waits for its thread

    /// Nothing while another one is under way.
    void start(const SchemeTaskOrder& order);
    /// Ends it before anything is written; failed() comes with the code "cancelled".
    void cancel();
    bool isRunning() const { return m_isRunning; }

Q_SIGNALS:
    void progressed(const QString& words);
    void written(const QString& folder);
    /// Errors: those of schemeTask(), runSeed() and writeTaskFolder().
    void failed(const tilewright::Error& error);

private:
    bool m_isRunning = false;
    std::shared_ptr<std::atomic<bool>> m_isCancelled;
    QThreadPool m_threads;
};

} // namespace tilewright::ui
