// SPDX-License-Identifier: GPL-3.0-or-later
// A device: its name, what it does for the session, and what is known of it. GUI thread.
#pragma once

#include "ui/devices/device_facts.h"

#include <QFrame>

class QGridLayout;
class QLabel;

namespace tilewright::ui {

class ElidedLabel;
class Pill;

class DeviceCard : public QFrame
{
    Q_OBJECT

public:
    explicit DeviceCard(QWidget* parent = nullptr);
    void show(const DeviceFacts& device);
    /// The value beside a label; empty if there is no such line.
    QString valueOf(const QString& label) const;

private:
    void addRow();

    struct Row {
        QLabel *label, *value;
    };
    ElidedLabel* m_name;
    Pill* m_state;
    QGridLayout* m_grid;
    std::vector<Row> m_rows;
};

} // namespace tilewright::ui
