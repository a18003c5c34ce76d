// SPDX-License-Identifier: GPL-3.0-or-later
// The icon and the ink of where a candidate stands: of its row and of its card alike. GUI thread.
#pragma once

#include "core/model/candidate.h"

#include <QColor>
#include <QString>

namespace tilewright::ui {

struct StateSign {
    QString icon;
    QColor ink;
};

StateSign stateSignOf(const Candidate& candidate);

} // namespace tilewright::ui
