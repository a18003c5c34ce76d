// SPDX-License-Identifier: GPL-3.0-or-later
// Texts of free functions, translated like those of widgets: lupdate files them under their namespace. A class without
// Q_OBJECT that calls tr() in its own functions declares Q_DECLARE_TR_FUNCTIONS.
#pragma once

#include <QCoreApplication>
#include <QString>

namespace tilewright::ui {

inline QString tr(const char* source) { return QCoreApplication::translate("tilewright::ui", source); }

} // namespace tilewright::ui
