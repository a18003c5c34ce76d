// SPDX-License-Identifier: GPL-3.0-or-later
// Opening, copying and closing session files from the window: one session at a time, the open one closed first, nothing
// blocked while a file is looked at. GUI thread; owned by the window.
#pragma once

#include "ui/session/session.h"
#include "ui/session/settings.h"

#include <QMessageBox>
#include <QObject>
#include <QPointer>
#include <functional>

class QWidget;

namespace tilewright::ui {

class SessionFiles : public QObject
{
    Q_OBJECT

public:
    /// Dialogs stand above that window.
    SessionFiles(Session& session, const Settings& settings, QWidget* window);

    void open(const QString& path);
    /// A copy of resources/demo/NAME.tilewright, so that the shipped file is never written.
    void openDemo(const QString& name);
    void askWhatToOpen();
    void askForCopy();
    /// Does it when no session is open any more; closes the one that is. Asks first where that would lose what could
    /// not be saved; `stayed` is called where the person then wants it to stay open.
    void afterClosing(std::function<void()> next, std::function<void()> stayed = {});
    bool isAsking() const { return m_question; }
    /// The file that was asked for is there, or cannot be opened.
    void openingEnded();

Q_SIGNALS:
    void alreadyOpen();
    /// It takes long enough to be mentioned; openingEnded() takes it back.
    void openingTakesLong(const QString& path);
    void openingShown();
    void failed(const QString& text, const QString& hint);

private:
    void sayOpening();
    void closeNow(std::function<void()> next);
    /// Something is neither in the session's file nor in a copy that was saved instead.
    bool wouldLose() const;
    void askAboutLoss(std::function<void()> next, std::function<void()> stayed);

    Session& m_session;
    const Settings& m_settings;
    QWidget* m_window;
    std::function<void()> m_afterClosing; ///< what waits for the session to be closed
    /// The newest copy: where it is, what it is of, and the last event that it holds.
    struct Copy {
        QString path;
        std::string of;
        std::int64_t lastSeq = -1;
    } m_copy;
    QPointer<QMessageBox> m_question; ///< whether what is not saved may be lost
    quint64 m_lastOpening = 0; ///< a newer wish to open a file supersedes the older one
    QString m_opening; ///< the file on its way, empty if none is
    bool m_saysOpening = false;
};

} // namespace tilewright::ui
