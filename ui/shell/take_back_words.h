// SPDX-License-Identifier: GPL-3.0-or-later
// Words on candidates under review that can be taken back: a person's, and those of the policy that they changed.
#pragma once

#include "ui/shell/take_back_list.h"

namespace tilewright::ui {

/// The number of the change of the policy that is told, and taken back, with what it let through; 0 where none is.
quint64 putWordsOnCandidates(TakeBackList& list, Session& session, SettingUndo& undo);

} // namespace tilewright::ui
