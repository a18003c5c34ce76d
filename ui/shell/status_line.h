// SPDX-License-Identifier: GPL-3.0-or-later
// The status bar: file and save time, device, clock, queue, noise floor, isolation, and where the run stands. GUI
// thread.
#pragma once

#include "ui/session/desk.h"

#include <QFrame>

class QLabel;

namespace tilewright::ui {

class StatusLine : public QFrame
{
    Q_OBJECT

public:
    explicit StatusLine(const Desk& desk, QWidget* parent = nullptr);

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

    Desk m_desk;
    Item m_file, m_device, m_temperature, m_clock, m_queue, m_noise, m_isolation;
    QLabel* m_summary;
};

} // namespace tilewright::ui
