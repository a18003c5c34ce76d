// SPDX-License-Identifier: GPL-3.0-or-later
// The tour for a user who starts Tilewright for the first time: six places of the window, one after the other, each
// with a caption beside it. It can be skipped, and started again from the Help menu. GUI thread.
#pragma once

#include <QFrame>
#include <QPointer>

class QLabel;
class QPushButton;

namespace tilewright::ui {

class Settings;

class Tour : public QFrame
{
    Q_OBJECT

public:
    /// A child of the window that it shows.
    Tour(Settings& settings, QWidget& window);
    static int steps();
    /// Whether this user has neither finished nor skipped it.
    static bool isNew(const Settings& settings);
    void begin();
    void go(int step); ///< kept within the tour
    int step() const { return m_step; }
    void end(); ///< it does not begin by itself again

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void place(); ///< beside what the step is about

    Settings& m_settings;
    QWidget& m_window;
    QPointer<QWidget> m_subject;
    QFrame* m_frame; ///< around what the step is about
    int m_step = 0;
    QLabel *m_title, *m_caption, *m_stepOf;
    QPushButton *m_skip, *m_back, *m_next;
};

} // namespace tilewright::ui
