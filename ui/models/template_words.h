// SPDX-License-Identifier: GPL-3.0-or-later
// Which template a question was written with, as the screen Prompts numbers its versions. Pure.
#pragma once

#include "core/model/run_state.h"

#include <QString>

namespace tilewright::ui {

/// "exploit v2", "exploit v2, system v1"; "exploit" where the text is none of a person's, "exploit, for this once"
/// where it was written for one question.
QString templateWords(const RunState& run, const Inquiry& inquiry);

} // namespace tilewright::ui
