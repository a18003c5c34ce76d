// SPDX-License-Identifier: GPL-3.0-or-later
// Whether texts fit: a window with something on every screen, and what a walk over its widgets complains about.
#pragma once

#include "tests/ui/theatre.h"

#include <QJsonObject>
#include <QString>
#include <QStringList>

namespace tilewright::test {

/// As `tilewright-cli doctor --json` prints them, of a machine that lacks something.
QJsonObject findings();
/// A run in which every screen has something to show.
void setScene(Theatre& stage);
/// Turns the event loop until no widget moves any more: layouts, texts and docks have found their places then.
void settle(const QWidget& window);
/// What of this widget does not fit, as one line; empty if all is well.
QString clipped(const QWidget& widget);
/// The same for all visible widgets in it, texts of neighbours that lie upon each other, and pages that are wider than
/// their place.
QStringList misfits(const QWidget& window);

} // namespace tilewright::test
