// SPDX-License-Identifier: GPL-3.0-or-later
// The list at the left of the new-session page: each section with its state and summary; below it sessions to open.
// GUI thread.
#pragma once

#include "ui/session/view_context.h"
#include "ui/welcome/recent_row.h"
#include "ui/welcome/session_choices.h"

#include <QFrame>
#include <functional>

class QLabel;
class QToolButton;
class QVBoxLayout;

namespace tilewright::ui {

class RecentList;
class StartFrom;
class StartQuestion;

class SectionList : public QFrame
{
    Q_OBJECT

public:
    explicit SectionList(const ViewContext& context, QWidget* parent = nullptr);
    void show(const SessionChoices& choices);
    /// Whether the choices are shown, or another page in their place, to which none of them belongs.
    void setChoosing(bool choosing);
    StartFrom& startFrom() { return *m_startFrom; }
    /// What has to be answered before the session that was asked for here is opened is asked beside what opens it;
    /// false if none was.
    bool askBeforeOpening(const QString& question, const QString& agree, std::function<void()> does);
    void putQuestionAway();
    /// Of the recent sessions that could be read.
    std::vector<SessionSketch> recent() const;

Q_SIGNALS:
    void chosen(tilewright::ui::Section section);
    void openRequested(const QString& path);
    void ownKernelWanted();
    void recentChanged();

private:
    struct Row {
        QToolButton* button;
        QLabel* summary;
    };

    QVBoxLayout* buildColumn();
    void buildChoices();
    void buildButtons(const ViewContext& context, QVBoxLayout* column);

    std::vector<Row> m_rows;
    StartFrom* m_startFrom;
    RecentList* m_recent;
    StartQuestion* m_question;
    bool m_isOpeningWanted = false; ///< by a click here
    QLabel *m_title, *m_about;
    QWidget* m_choosing;
};

} // namespace tilewright::ui
