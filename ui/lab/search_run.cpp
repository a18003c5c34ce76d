// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/search_run.h"

#include <QMetaObject>
#include <chrono>
#include <sys/resource.h>
#include <unistd.h>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

using Clock = std::chrono::steady_clock;
constexpr auto betweenSnapshots = std::chrono::milliseconds(50);
constexpr int lowPriority = 10; ///< as of nice(1): the window and measurements come first

} // namespace

SearchRun::SearchRun(QObject* parent)
    : QObject(parent)
    , m_shared(std::make_shared<Shared>())
{
}

SearchRun::~SearchRun()
{
    m_thread.request_stop();
    if (m_thread.joinable())
        m_thread.join();
}

Result<void> SearchRun::start(const tensor::FlipRequest& request)
{
    auto search = tensor::FlipSearch::of(request);
    if (!search)
        return std::unexpected(search.error());
    stop();
    if (m_thread.joinable())
        m_thread.join();
    m_search = std::make_shared<tensor::FlipSearch>(std::move(*search));
    m_shared = std::make_shared<Shared>(); // what is on its way from the search before is not taken any more
    m_found.reset();
    m_snapshot = m_search->snapshot();
    launch();
    return {};
}

std::optional<tensor::FlipRequest> SearchRun::request() const
{
    return m_search ? std::optional(m_search->request()) : std::nullopt;
}

void SearchRun::resume()
{
    if (canResume())
        launch();
}

void SearchRun::stop() { m_thread.request_stop(); }

void SearchRun::launch()
{
    m_thread = std::jthread([this, search = m_search, shared = m_shared](std::stop_token asked) {
        setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), lowPriority); // threads that it starts inherit it
        Clock::time_point last;
        const auto told = [&](const tensor::FlipSnapshot& snapshot) {
            if (Clock::now() - last < betweenSnapshots)
                return;
            last = Clock::now();
            const std::lock_guard lock(shared->mutex);
            const bool isAwaited = shared->newest.has_value();
            shared->newest = snapshot;
            if (!isAwaited)
                QMetaObject::invokeMethod(
                    this, [this] { take(); }, Qt::QueuedConnection);
        };
        const auto end = search->run(1, asked, {}, told);
        std::optional<FoundScheme> found;
        QString problem;
        if (!end)
            problem = QString::fromStdString(end.error().text);
        else if (*end == tensor::FlipSearchEnd::Found) {
            const tensor::Mod2Scheme scheme = search->found().front();
            auto lift = tensor::liftedToIntegers(scheme, tensor::usualNeighbours, search->request().seed);
            found = FoundScheme{tensor::schemeOf(scheme), lift ? std::move(*lift) : tensor::FlipLift{},
                search->request().seed, search->request().threads, search->snapshot().seconds};
        }
        QMetaObject::invokeMethod(
            this,
            [this, search, found = std::move(found), problem] {
                if (search == m_search)
                    finish(found, problem);
            },
            Qt::QueuedConnection);
    });
    Q_EMIT changed();
}

void SearchRun::take()
{
    {
        const std::lock_guard lock(m_shared->mutex);
        if (!m_shared->newest)
            return;
        m_snapshot = std::move(*m_shared->newest);
        m_shared->newest.reset();
    }
    Q_EMIT changed();
}

void SearchRun::finish(std::optional<FoundScheme> found, const QString& problem)
{
    if (m_thread.joinable())
        m_thread.join();
    m_snapshot = m_search->snapshot();
    m_found = std::move(found);
    if (!problem.isEmpty()) {
        m_search.reset();
        Q_EMIT failed(problem);
    }
    Q_EMIT changed();
    Q_EMIT ended();
}

} // namespace tilewright::ui
