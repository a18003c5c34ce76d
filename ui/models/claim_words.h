// SPDX-License-Identifier: GPL-3.0-or-later
// What an edit was said to gain, in the same words wherever it stands. Pure.
#pragma once

#include <QString>
#include <string>

namespace tilewright::ui {

/// "+8.0 %" where the claim is one number for all shapes, however its author wrote it; else the author's words.
QString claimText(const std::string& claim);

} // namespace tilewright::ui
