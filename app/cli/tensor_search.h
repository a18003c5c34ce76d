// SPDX-License-Identifier: GPL-3.0-or-later
// tilewright-cli tensor search: what the table of 'tensor' subcommands calls.
#pragma once

#include <QStringList>

namespace tilewright::cli {

/// Arguments after "search"; the exit code.
int tensorSearch(const QStringList& arguments);

} // namespace tilewright::cli
