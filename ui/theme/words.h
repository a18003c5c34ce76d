// SPDX-License-Identifier: GPL-3.0-or-later
// Words on screen that no widget says, so that they can be translated like those of widgets.
#pragma once

#include <QCoreApplication>
#include <QString>

namespace tilewright::ui {

inline QString tr(const char* source) { return QCoreApplication::translate("Words", source); }

} // namespace tilewright::ui
