// SPDX-License-Identifier: GPL-3.0-or-later
// Another row was wanted while a person's text is open in Review: says so, and offers to keep the text as a draft or to
// discard it, and then to read that row. GUI thread.
#pragma once

#include "core/base/ids.h"

#include <QFrame>

class QLabel;
class QPushButton;

namespace tilewright::ui {

class OpenEditNote : public QFrame
{
    Q_OBJECT

public:
    explicit OpenEditNote(QWidget* parent = nullptr);
    void ask(CandidateId edited, CandidateId wanted);
    /// The text is with the engine: there is nothing to keep or to discard.
    void tellSent(CandidateId edited);

Q_SIGNALS:
    void kept(tilewright::CandidateId wanted);
    void discarded(tilewright::CandidateId wanted);

private:
    QLabel* m_words;
    QPushButton *m_keep, *m_discard;
    CandidateId m_wanted;
};

} // namespace tilewright::ui
