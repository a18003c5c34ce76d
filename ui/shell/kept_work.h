// SPDX-License-Identifier: GPL-3.0-or-later
// What a person had begun in a session and not saved, in words. GUI thread.
#pragma once

#include "core/model/run_state.h"
#include "ui/session/drafts.h"

#include <QStringList>

namespace tilewright::ui {

/// "your edit of c-0012 (Review)", …; what has become of no use is left out.
QStringList keptWork(const Drafts& drafts, const RunState& run);
/// One of these, whatever has become of what it belongs to.
QString wordsOfDraft(const QString& place, const RunState& run);

} // namespace tilewright::ui
