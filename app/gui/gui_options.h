// SPDX-License-Identifier: GPL-3.0-or-later
// The command line of the window, read before there is an application: --help and --version need no display. Pure.
#pragma once

#include "core/base/result.h"

#include <QSize>
#include <QStringList>
#include <optional>

namespace tilewright::gui {

struct Options {
    bool help = false, version = false;
    QString file; ///< session to open
    QString demo; ///< name of the demo to open a copy of
    QString screenshots; ///< folder for one PNG a screen
    QString session; ///< shown on the screenshots
    QSize size{1680, 1050}; ///< of the screenshots, logical pixels
    QString theme; ///< light | dark | contrast; empty: as remembered
    QString stallLog; ///< where the event loop's delays are written at the end
    double quitAfter = 0; ///< seconds; for measurements
};

/// Arguments without the program's name. Errors: usage/….
Result<Options> parseOptions(const QStringList& arguments);
QString helpText();

} // namespace tilewright::gui
