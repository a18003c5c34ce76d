// SPDX-License-Identifier: GPL-3.0-or-later
// One look at a session file: its sketch, or why there is none. What was seen is kept as a small file and holds until
// the session changes. Blocks as long as reading takes; any thread.
#pragma once

#include "ui/welcome/session_sketch.h"

#include <QString>
#include <QStringList>

namespace tilewright::ui {

struct SessionLook {
    QString path;
    std::optional<SessionSketch> sketch; ///< none: it cannot be shown
    QString trouble; ///< in a word or two; empty if there is none
    QString details; ///< of the trouble

    bool operator==(const SessionLook&) const = default;
};

/// `folder`: where the sketches are kept; one that cannot be written costs time, nothing else.
SessionLook lookAtSession(const QString& path, const QString& folder);
/// Sketches of other sessions than these are not kept any longer.
void forgetSketchesExcept(const QStringList& paths, const QString& folder);

} // namespace tilewright::ui
