// SPDX-License-Identifier: GPL-3.0-or-later
// Has the text that a person writes checked and built whenever they rest, and holds what is known of it as it stands.
// What was said of an earlier text is dropped. GUI thread.
#pragma once

#include "ui/review/edit_progress.h"
#include "ui/session/desk.h"

#include <QTimer>

namespace tilewright::ui {

class EditChecker : public QObject
{
    Q_OBJECT

public:
    EditChecker(const Desk& desk, EditAs as, QObject* parent);

    const EditProgress& progress() const { return m_progress; }
    /// The text that progress() is about.
    const QString& text() const { return m_text; }
    bool isKnownBad() const;
    /// What speaks against the text, for a person; empty unless it is known to be bad.
    QString complaint() const;
    /// The line that the complaint is about, 1-based; 0: none.
    int line() const;

    /// Another text is begun.
    void open(CandidateId candidate, const QString& original);
    /// The text may be another one now. False where it is the one that is known already: its colours alone are others.
    bool take(const QString& text);
    /// Without waiting for a rest; nothing where it is under way.
    void askNow();
    /// Nothing is wanted any more.
    void drop();

Q_SIGNALS:
    void progressed();
    void known(); ///< the check of the text as it stands has come
    void cancelled(); ///< by the person, among the jobs

private:
    Desk m_desk;
    EditAs m_as;
    CandidateId m_candidate;
    QString m_original, m_text;
    EditProgress m_progress;
    QTimer m_rest;
    quint64 m_tag = 0; ///< of the check under way; 0: none
};

} // namespace tilewright::ui
