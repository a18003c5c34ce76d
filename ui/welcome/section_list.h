// SPDX-License-Identifier: GPL-3.0-or-later
// The list at the left of the new-session page: each section with its state and summary; below it sessions to open.
// GUI thread.
#pragma once

#include "ui/session/desk.h"
#include "ui/welcome/session_choices.h"

#include <QFrame>

class QLabel;
class QToolButton;

namespace tilewright::ui {

class SectionList : public QFrame
{
    Q_OBJECT

public:
    explicit SectionList(const Desk& desk, QWidget* parent = nullptr);
    void show(const SessionChoices& choices);

Q_SIGNALS:
    void chosen(tilewright::ui::Section section);
    void openRequested(const QString& path);
    void ownKernelWanted();

private:
    struct Row {
        QToolButton* button;
        QLabel* summary;
    };

    std::vector<Row> m_rows;
    QLabel* m_note;
};

} // namespace tilewright::ui
