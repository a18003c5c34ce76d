// SPDX-License-Identifier: GPL-3.0-or-later
// A session that was open before, as a button: its picture, name, task and best. Where it was moved or cannot be read
// it says so, and offers to be taken off the list. GUI thread.
#pragma once

#include "ui/welcome/session_look.h"

#include <QAbstractButton>

class QToolButton;

namespace tilewright::ui {

class RecentRow : public QAbstractButton
{
    Q_OBJECT

public:
    explicit RecentRow(const QString& path, QWidget* parent = nullptr);
    const QString& path() const { return m_look.path; }
    void show(const SessionLook& look);
    QSize sizeHint() const override;

Q_SIGNALS:
    void removeWanted();

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void drawPicture(QPainter& painter, const QRectF& box) const;
    QString about() const; ///< below the name, in one line
    QString length() const;
    QString tip() const;

    SessionLook m_look;
    bool m_isKnown = false; ///< it was looked at
    QToolButton* m_remove;
};

} // namespace tilewright::ui
