// SPDX-License-Identifier: GPL-3.0-or-later
// What the window shows of a run and follows each snapshot, made on another thread where the run is long: nobody waits
// for it. As with Paced, so seldom that four fifths of that thread stay free; what was asked for last is always made in
// the end. GUI thread.
#pragma once

#include "ui/session/paced.h"
#include "ui/widgets/aside.h"

#include <QFutureWatcher>

namespace tilewright::ui {

template <typename Made> class MadeAside
{
public:
    using Making = std::function<Made()>;

    /// `begin` is called on the window's thread and gives what is to be done on another one, or nothing where it has
    /// done it itself. `take` gets what came of it.
    MadeAside(std::function<Making()> begin, std::function<void(const Made&)> take)
        : m_begin(std::move(begin))
        , m_take(std::move(take))
    {
        m_timer.setSingleShot(true);
        QObject::connect(&m_timer, &QTimer::timeout, &m_timer, [this] { start(); });
        QObject::connect(&m_making, &QFutureWatcher<Timed>::finished, &m_making, [this] { finish(); });
    }

    void ask()
    {
        if (m_isMaking) {
            m_again = true;
            return;
        }
        if (m_timer.isActive())
            return;
        const qint64 wait = restNs(m_tookNs, m_ended);
        if (wait <= 0)
            start();
        else
            m_timer.start(static_cast<int>(wait / 1'000'000) + 1);
    }
    /// What is on its way is not taken: the person wants something else by now.
    void drop() { m_dropped = m_isMaking; }

private:
    struct Timed {
        Made made;
        qint64 ns = 0;
    };

    void start()
    {
        m_timer.stop();
        m_dropped = m_again = false;
        m_tookNs = 0;
        Making making = m_begin();
        if (!making)
            return;
        m_isMaking = true;
        m_making.setFuture(runAside([making = std::move(making)]() -> Timed {
            const qint64 before = processorNs();
            Made made = making();
            return {std::move(made), processorNs() - before};
        }));
    }
    void finish()
    {
        const Timed timed = m_making.result();
        m_isMaking = false;
        m_tookNs = timed.ns;
        m_ended.start();
        if (!m_dropped)
            m_take(timed.made);
        if (m_again)
            ask();
    }

    std::function<Making()> m_begin;
    std::function<void(const Made&)> m_take;
    QFutureWatcher<Timed> m_making;
    QElapsedTimer m_ended;
    QTimer m_timer;
    qint64 m_tookNs = 0;
    bool m_isMaking = false, m_dropped = false, m_again = false;
};

} // namespace tilewright::ui
