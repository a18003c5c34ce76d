// SPDX-License-Identifier: GPL-3.0-or-later
// The status bar: file and save time, device, clock, queue, noise floor, isolation, and where the run stands. GUI
// thread.
#pragma once

#include "ui/session/desk.h"

#include <QFrame>

class QLabel;
class QToolButton;

namespace tilewright::ui {

class MessageLog;

class StatusLine : public QFrame
{
    Q_OBJECT

public:
    StatusLine(const Desk& desk, const MessageLog& log, QWidget* parent = nullptr);

private:
    struct Item {
        QWidget* box;
        QLabel* icon;
        QLabel* text;
        QString name;
    };
    Item add(const QString& icon, const QString& objectName, const QString& tip);
    void set(Item& item, const QString& text, bool warning = false, const QString& tip = {});
    void refresh();
    void showClock(const Snapshot& snapshot);
    void showNoise(const RunState& run);
    void showUnseen();

    Desk m_desk;
    const MessageLog& m_log;
    QToolButton* m_messages;
    Item m_file, m_device, m_temperature, m_clock, m_queue, m_noise, m_isolation;
    QLabel* m_summary;
};

} // namespace tilewright::ui
