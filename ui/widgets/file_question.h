// SPDX-License-Identifier: GPL-3.0-or-later
// Asks for a file and goes on with its path; the window's loop goes on meanwhile. GUI thread.
#pragma once

#include "core/base/result.h"

#include <QString>
#include <functional>

class QWidget;

namespace tilewright::ui {

struct FileQuestion {
    QString title, filter; ///< "Open a scheme", "Schemes (*.json *.npz)"
    QString proposal = {}; ///< a file's name; empty: none
};

/// `asker`: whose window the dialog is over, and which ends the question with itself. Nothing happens where no file is
/// chosen.
void askWhatToOpen(QWidget* asker, const FileQuestion& question, std::function<void(const QString& path)> then);
void askWhereToSave(QWidget* asker, const FileQuestion& question, std::function<void(const QString& path)> then);

} // namespace tilewright::ui
