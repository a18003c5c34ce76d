// SPDX-License-Identifier: GPL-3.0-or-later
// Notices that another program wrote, replaced or removed a file that is shown here. Editors write in several ways: in
// place, or a new file takes the name, which a plain watch of the file loses sight of; so its folder is watched as
// well, and where that is not there yet, the nearest one that is. GUI thread.
#pragma once

#include "ui/widgets/aside.h"

#include <QElapsedTimer>
#include <QFileSystemWatcher>
#include <QFutureWatcher>
#include <QObject>
#include <QTimer>
#include <array>
#include <functional>

namespace tilewright::ui {

class FileWatch : public QObject
{
    Q_OBJECT

public:
    explicit FileWatch(QObject* parent = nullptr);
    /// From here on that file, and no other; empty: none. It need not exist.
    void follow(const QString& path);
    const QString& path() const { return m_path; }

Q_SIGNALS:
    /// The file is another one than it was, or gone, and has stood still since. Whether its text differs is for the
    /// listener to find out.
    void touched();

private:
    /// What tells a file from the one that was there before; all zero where there is none.
    using Sign = std::array<std::int64_t, 4>;
    static Sign signOf(const QString& path);
    void watch();
    void look();

    QString m_path;
    QFileSystemWatcher m_watcher;
    QTimer m_settling; ///< a file is written in several steps
    Sign m_sign{};
};

// Work of the window that follows each snapshot and grows with the run: done at once while it is quick, and else so
// seldom that four fifths of the time stay free. What was asked for last is always done in the end. GUI thread.

/// Time that this thread had on its processor: what other programs do does not count.
qint64 processorNs();
/// How long work that took so long, and ended then, has to wait until it may be done again.
qint64 restNs(qint64 tookNs, const QElapsedTimer& ended);

class Paced
{
public:
    explicit Paced(std::function<void()> work);
    /// Now, or when it is time.
    void ask();
    /// In any case now: a user waits for it.
    void now();

private:
    std::function<void()> m_work;
    QElapsedTimer m_ended;
    QTimer m_timer;
    qint64 m_tookNs = 0;
};

// What the window shows of a run and follows each snapshot, made on another thread where the run is long: nobody waits
// for it. As with Paced, so seldom that four fifths of that thread stay free; what was asked for last is always made in
// the end. GUI thread.

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
    /// What is on its way is not taken: the user wants something else by now.
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
