// SPDX-License-Identifier: GPL-3.0-or-later
// The user's note on the candidate that is shown: written where it is read, kept when the field is left or by
// Ctrl+Return. GUI thread.
#pragma once

#include "ui/session/view_context.h"

#include <QWidget>

class QLabel;
class QPlainTextEdit;
class QPushButton;

namespace tilewright::ui {

class NoteEditor : public QWidget
{
    Q_OBJECT

public:
    explicit NoteEditor(const ViewContext& context, QWidget* parent = nullptr);
    /// What is typed and not kept yet is kept first.
    void show(CandidateId candidate);
    void clear();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void keep();
    void refresh();

    ViewContext m_context;
    QPlainTextEdit* m_text;
    QPushButton* m_keep;
    CandidateId m_candidate;
    QString m_recorded;
};

} // namespace tilewright::ui
