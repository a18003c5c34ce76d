// SPDX-License-Identifier: GPL-3.0-or-later
// A device: its name, what it does for the session, and what is known of it. GUI thread.
#pragma once

#include "core/engine/snapshot.h"

#include <QFrame>
#include <QString>
#include <functional>
#include <optional>
#include <vector>

class QGridLayout;
class QLabel;

namespace tilewright::ui {

// What is known of a device, in words: what the node tells of it now, else what stands beside the newest measurement,
// else that this machine does not report it, or, of a device that is not here, that it was not recorded. Pure.

struct DeviceFact {
    QString label, value;
    QString tip; ///< where it comes from
    bool known = true; ///< else the value says that it is not reported
    bool warns = false; ///< a user should look at it
};

struct DeviceFacts {
    QString name, id;
    QString state; ///< "used by this session", "recorded", "not used by this session"
    bool measures = false;
    std::vector<DeviceFact> facts;
};

/// The session's own devices first, then the others of the node. busyPart: of the run that a device was at work.
std::vector<DeviceFacts> devicesOf(
    const Snapshot& snapshot, const std::function<double(const std::string& device)>& busyPart);

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
