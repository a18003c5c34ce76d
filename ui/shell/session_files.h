// SPDX-License-Identifier: GPL-3.0-or-later
// Opening, copying and closing session files from the window: one session at a time, the open one closed first (once a
// new one can take its place), nothing blocked while a file is looked at. A run that is going gives way to another
// session only when the user says so. GUI thread; owned by the window.
#pragma once

#include "core/base/result.h"
#include "ui/session/session_client.h"
#include "ui/session/settings.h"

#include <QMessageBox>
#include <QObject>
#include <QPointer>
#include <QWidget>
#include <filesystem>
#include <functional>
#include <optional>

class QWidget;

namespace tilewright::ui {

class SessionFiles : public QObject
{
    Q_OBJECT

public:
    /// Dialogs stand above that window.
    SessionFiles(SessionClient& session, const Settings& settings, QWidget* window);

    enum class Then { Show, Run };
    void open(const QString& path, Then then = Then::Show);
    /// A copy of resources/demo/NAME.tilewright, so that the shipped file is never written.
    void openDemo(const QString& name);
    void askWhatToOpen();
    void askForCopy();
    /// Does it when no session is open any more; closes the one that is. Asks first where that would lose what could
    /// not be saved; `stayed` is called where the user then wants it to stay open.
    void afterClosing(std::function<void()> next, std::function<void()> stayed = {});
    bool isAsking() const { return m_question; }
    /// Begins another session, of that file, in place of the one that is open. Where a run is going nothing happens yet
    /// but wouldPause(): leaveRun() is the user's word that it may be paused.
    void takePlace(const QString& path, std::function<void()> begin);
    /// The same with a new session, for which the open one is closed once it is there: where it cannot be made, the
    /// open one stays and its run goes on.
    void create(const NewSession& session);
    void leaveRun();
    /// The file that was asked for is there, or cannot be opened.
    void openingEnded();

Q_SIGNALS:
    void alreadyOpen();
    /// The run of that file is going, and the other would take its place.
    void wouldPause(const QString& going, const QString& other);
    /// A run that was going was paused, as its session is closed.
    void runLeft(const QString& path);
    /// It takes long enough to be mentioned; openingEnded() takes it back.
    void openingTakesLong(const QString& path);
    void openingShown();
    /// A copy of the session was written there.
    void copied(const QString& path);
    void failed(const QString& text, const QString& hint);

private:
    void sayOpening();
    void closeNow(std::function<void()> next);
    /// Once the user has agreed to a pause, and to a loss.
    void onceItMayGo(const QString& path, std::function<void()> go);
    void onceNothingIsLost(std::function<void()> go, std::function<void()> stayed);
    void expect(const QString& path);
    bool isGoing() const;
    /// Something is neither in the session's file nor in a copy that was saved instead.
    bool wouldLose() const;
    void askAboutLoss(std::function<void()> go, std::function<void()> stayed);

    SessionClient& m_session;
    const Settings& m_settings;
    QWidget* m_window;
    std::function<void()> m_afterClosing; ///< what waits for the session to be closed
    std::function<void()> m_onceLeft; ///< what waits for the user's word on the run that is going
    /// The newest copy: where it is, what it is of, and the last event that it holds.
    struct Copy {
        QString path;
        std::string of;
        std::int64_t lastSeq = -1;
    } m_copy;
    QPointer<QMessageBox> m_question; ///< whether what is not saved may be lost
    quint64 m_lastOpening = 0; ///< a newer steering request to open a file supersedes the older one
    QString m_opening; ///< the file on its way, empty if none is
    bool m_saysOpening = false;
    QString m_coming; ///< the file of the new session that was asked for; empty if none was, or it is there
    QString m_leaving; ///< the file whose run it interrupts; empty if none
};

// The file in which a shipped demo is opened: a copy, so that the shipped one is never written, and the same copy again
// as long as nothing was done in it. Blocks while it reads the copies, some tenths of a second at most.

/// Errors: as unpackSession().
Result<std::filesystem::path> copyOfDemo(const std::string& name);

// A run that is going gives way to another session: the user is asked whether it may be paused, beside the menus or,
// where a session is started or opened on the page Welcome, beside what does so there; and once it is, resuming it is
// one click. Nothing is lost either way, so nothing blocks. GUI thread; owned by the window.

class MessageBar;
class NewSessionPage;
class SessionClient;
class SessionFiles;

class GivingWay : public QObject
{
    Q_OBJECT

public:
    GivingWay(
        SessionFiles& files, SessionClient& session, MessageBar& messages, NewSessionPage& welcome, QObject* parent);
    /// Says once that the run was paused, and offers to resume it; nothing where none was.
    void offerBack();

private:
    void ask(const QString& going, const QString& other);
    void seeWhetherItRuns();

    SessionFiles& m_files;
    SessionClient& m_session;
    MessageBar& m_messages;
    NewSessionPage& m_welcome;
    quint64 m_question = 0; ///< its message
    QString m_left; ///< the file of the run that was paused; empty: it was told, or there was none
    QString m_other; ///< what was wanted in the place of the run
};

// A candidate's program, written to a file that a user names: with a heading and the header
// that it needs to compile by itself. GUI thread.

class ProgramFile : public QObject
{
    Q_OBJECT

public:
    ProgramFile(SessionClient& session, QWidget* window);

    /// Asks where to; nothing without a candidate.
    void askWhere(CandidateId candidate);
    void save(CandidateId candidate, const QString& path);

Q_SIGNALS:
    void saved(const QString& words);
    void failed(const QString& text, const QString& hint);

private:
    void write(const QString& source);

    struct Wanted {
        quint64 tag;
        CandidateId candidate;
        QString path;
    };

    SessionClient& m_session;
    QWidget* m_window;
    std::optional<Wanted> m_wanted; ///< its text is on the way
};

} // namespace tilewright::ui
