// SPDX-License-Identifier: GPL-3.0-or-later
// A candidate's program, written to a file that a person names: with a heading and the header
// that it needs to compile by itself. GUI thread.
#pragma once

#include "ui/session/session.h"

#include <QWidget>
#include <optional>

namespace tilewright::ui {

class ProgramFile : public QObject
{
    Q_OBJECT

public:
    ProgramFile(Session& session, QWidget* window);

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

    Session& m_session;
    QWidget* m_window;
    std::optional<Wanted> m_wanted; ///< its text is on the way
};

} // namespace tilewright::ui
