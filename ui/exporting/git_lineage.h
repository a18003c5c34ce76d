// SPDX-License-Identifier: GPL-3.0-or-later
// The git repository beside the session that is open, kept up to date where the user wants it: whether they do, a
// thread that writes it, and how far it is. The thread reads the session's file by itself at a low priority, so neither
// the window nor the engine waits for it. GUI thread.
#pragma once

#include "core/lineage/lineage_thread.h"
#include "ui/session/session_client.h"
#include "ui/session/settings.h"

#include <QObject>
#include <chrono>
#include <memory>
#include <optional>

namespace tilewright::ui {

class GitLineage : public QObject
{
    Q_OBJECT

public:
    /// Writes at most once per `interval` while the session goes on.
    GitLineage(SessionClient& session, Settings& settings, QObject* parent,
        std::chrono::milliseconds interval = std::chrono::seconds(10));
    ~GitLineage() override; ///< writes what is new, and waits for its thread

    /// Whether the session that is open has one; kept by session. False without a session.
    bool isOn() const { return m_isOn; }
    /// From now on. On: writes what the session holds, and all that is admitted from then on. Off: what is there stays.
    /// On again after an error tries again. Nothing without a session.
    void setOn(bool on);

    bool isWriting() const { return m_thread != nullptr; } ///< a thread is there, though it may be ending

    const QString& folder() const { return m_folder; } ///< of the repository; empty without a session
    /// What the newest write left there; none before the first one.
    const std::optional<LineageReport>& report() const { return m_report; }
    /// Why nothing more is written; none while it goes on.
    const std::optional<Error>& failure() const { return m_failure; }

Q_SIGNALS:
    void changed();
    /// Told once, also of a session that was closed meanwhile.
    void failed(const QString& text, const QString& hint);

private:
    void follow(); ///< another session is open, or none
    void start();
    void stop(); ///< returns at once; the thread writes what is new and ends
    void ended(quint64 started, const std::optional<Error>& error);

    SessionClient& m_session;
    Settings& m_settings;
    const std::chrono::milliseconds m_interval;
    std::string m_path; ///< of the session
    QString m_folder;
    bool m_isOn = false;
    quint64 m_started = 0; ///< threads so far: what is said by an older one is of another session
    std::optional<LineageReport> m_report;
    std::optional<Error> m_failure;
    std::unique_ptr<LineageThread> m_thread; ///< also while it ends: another one would find its repository locked
};

/// What to do about it, said to one who looks at the window.
QString lineageHint(const Error& error);

} // namespace tilewright::ui
