// SPDX-License-Identifier: GPL-3.0-or-later
// Texts that a user has begun and not yet given to the engine: template texts, edits, own versions, replies. Kept in
// a file of its own for each session, so that neither closing nor a crash loses one. GUI thread. A place names what a
// text belongs to ("template/0/exploit").
#pragma once

#include "core/model/candidate.h"
#include "ui/session/session_client.h"

#include <QMap>
#include <QTimer>

namespace tilewright::ui {

class Drafts : public QObject
{
    Q_OBJECT

public:
    /// Of the session that is open, in files in that folder, which is made when it is needed. To be made before any
    /// view: the texts are there when the views hear of another session.
    Drafts(SessionClient& session, const QString& folder, QObject* parent = nullptr);
    /// Writes what is not written yet.
    ~Drafts() override;

    bool contains(const QString& place) const { return m_texts.contains(place); }
    QString text(const QString& place) const { return m_texts.value(place); }
    /// All places that begin so.
    QStringList places(const QString& prefix = {}) const;
    /// Written a moment later. Without a session nothing is kept.
    void keep(const QString& place, const QString& text);
    void drop(const QString& place);
    /// Drops a text that the user has no use for, and says so: it can be kept again.
    void discard(const QString& place);
    /// Writes at once.
    void write();

    /// "edit/c-0012/1f3a…": the program's beginning of its hash keeps a text from another session's file of that name.
    static QString placeOf(const QString& kind, const Candidate& candidate);

Q_SIGNALS:
    void discarded(const QString& place, const QString& text);
    /// The file cannot be written: the texts would be lost with the window.
    void failed(const QString& text, const QString& hint);

private:
    void follow();

    SessionClient& m_session;
    QString m_folder, m_path, m_file; ///< path: of the session that the texts belong to
    QMap<QString, QString> m_texts;
    QTimer m_pause; ///< after the last change
    bool m_isChanged = false; ///< since it was written
    bool m_hasFailed = false; ///< and it was said
};

} // namespace tilewright::ui
