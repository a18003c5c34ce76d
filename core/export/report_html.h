// SPDX-License-Identifier: GPL-3.0-or-later
// REPORT.html: one self-contained page (no script, no other file) that says first whether the gain is real and what got
// slower, then how it came about and what does not follow from it. Well-formed XML as well, so that tools can read it.
// Pure.
#pragma once

#include "core/export/export_record.h"

#include <string>
#include <vector>

namespace tilewright {

/// A command that repeats something, and what it does.
struct RepeatCommand {
    std::string purpose, command;
};

std::string reportHtml(const ExportRecord& record, const Task& task, const std::vector<RepeatCommand>& commands);

} // namespace tilewright
