// SPDX-License-Identifier: GPL-3.0-or-later
// The sessions that were open before, newest first. Their files are looked at on a thread of its own, when the list is
// shown and when a session was closed; until then a row has its name alone. GUI thread.
#pragma once

#include "ui/session/view_context.h"
#include "ui/welcome/recent_row.h"

#include <QScrollArea>
#include <QThreadPool>

class QLabel;
class QVBoxLayout;

namespace tilewright::ui {

class RecentRow;

class RecentList : public QScrollArea
{
    Q_OBJECT

public:
    explicit RecentList(const ViewContext& context, QWidget* parent = nullptr);
    ~RecentList() override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    /// Of the sessions that could be read.
    std::vector<SessionSketch> sketches() const;
    QStringList readable() const; ///< their paths, as they are listed

Q_SIGNALS:
    void openRequested(const QString& path);
    /// Something was seen of a session, or one is not listed any more.
    void looked();

protected:
    void showEvent(QShowEvent* event) override;

private:
    void fill();
    int contentHeight(int rows) const;
    void lookAtAll();
    void lookAt(const QString& path);
    void take(const SessionLook& look);

    ViewContext m_context;
    QVBoxLayout* m_column;
    QLabel* m_none;
    std::vector<RecentRow*> m_rows;
    std::vector<SessionLook> m_looks; ///< what was seen of the files that are listed
    QString m_open; ///< the session that is open
    QThreadPool m_thread;
};

} // namespace tilewright::ui
