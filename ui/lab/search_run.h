// SPDX-License-Identifier: GPL-3.0-or-later
// A flip graph search on threads of low priority, for a page that shows how it stands. GUI thread; what runs elsewhere
// reaches it as snapshots, at most twenty a second.
#pragma once

#include "core/tensor/flip_lift.h"
#include "core/tensor/flip_search.h"

#include <QObject>
#include <QString>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

namespace tilewright::ui {

/// What a scheme that was found became.
struct FoundScheme {
    tensor::Scheme mod2;
    tensor::FlipLift lift;
    std::uint64_t seed = 0;
    int threads = 0;
    double seconds = 0; ///< of searching
};

class SearchRun : public QObject
{
    Q_OBJECT

public:
    explicit SearchRun(QObject* parent = nullptr);
    ~SearchRun() override;

    /// A new search. Errors: those of FlipSearch::of().
    Result<void> start(const tensor::FlipRequest& request);
    /// Goes on with what was stopped.
    void resume();
    void stop();
    bool isRunning() const { return m_thread.joinable(); }
    bool canResume() const { return !isRunning() && m_search && !m_found; }
    /// What was asked for last; none before the first.
    std::optional<tensor::FlipRequest> request() const;
    const tensor::FlipSnapshot& snapshot() const { return m_snapshot; }
    const std::optional<FoundScheme>& found() const { return m_found; }

Q_SIGNALS:
    void changed(); ///< the snapshot is another one
    void ended(); ///< found, stopped or failed
    void failed(const QString& text);

private:
    struct Shared {
        std::mutex mutex;
        std::optional<tensor::FlipSnapshot> newest; ///< that the GUI thread has not taken yet
    };

    void launch();
    void take();
    void finish(std::optional<FoundScheme> found, const QString& problem);

    std::shared_ptr<tensor::FlipSearch> m_search;
    std::shared_ptr<Shared> m_shared;
    std::jthread m_thread;
    tensor::FlipSnapshot m_snapshot;
    std::optional<FoundScheme> m_found;
};

} // namespace tilewright::ui
