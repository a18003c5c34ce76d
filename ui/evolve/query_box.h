// SPDX-License-Identifier: GPL-3.0-or-later
// The line in which a person types what candidates to see. What cannot be read is underlined where it stands; `?` in
// the empty line asks for help. GUI thread.
#pragma once

#include "ui/models/candidate_query.h"

#include <QLineEdit>
#include <QTimer>

namespace tilewright::ui {

class QueryBox : public QLineEdit
{
    Q_OBJECT

public:
    explicit QueryBox(QWidget* parent = nullptr);
    /// What was typed last and read.
    const CandidateQuery& query() const { return m_query; }
    /// Empties the line, and that counts at once.
    void reset();

Q_SIGNALS:
    /// A moment after the last key.
    void queryChanged();
    void helpAsked();
    /// Enter or Escape was pressed.
    void helpRead();

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void read();
    void underline();

    CandidateQuery m_query;
    QTimer m_debounce;
};

} // namespace tilewright::ui
