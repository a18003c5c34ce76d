// SPDX-License-Identifier: GPL-3.0-or-later
// Where nothing ever waits, as the policy is Automatic everywhere: says so, and sets another one by one click. GUI
// thread.
#pragma once

#include <QFrame>

namespace tilewright {
struct Snapshot;
}

namespace tilewright::ui {

class AutomaticNote : public QFrame
{
    Q_OBJECT

public:
    explicit AutomaticNote(QWidget* parent = nullptr);
    /// Seen only where it is so, nothing waits all the same, and the policy can be set.
    void follow(const Snapshot& snapshot);

Q_SIGNALS:
    void everyWanted(); ///< every edit is to wait
};

} // namespace tilewright::ui
