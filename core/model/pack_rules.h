// SPDX-License-Identifier: GPL-3.0-or-later
// What kernels/README.md asks of a pack's folder beyond fields that can be read. Loading a folder keeps these rules; a
// session's own copy of its pack is read without them, so that one from before a rule still opens.
#pragma once

#include "core/model/task.h"

namespace tilewright {

/// Every field is there, even where it is empty: what is left out cannot be told from what was forgotten. Takes
/// task.json as it was read. Errors: task/file, with file, field and reason.
Result<void> checkComplete(const std::string& json);
/// The pack is named as its folder. Errors as above.
Result<void> checkName(const std::filesystem::path& folder, const Task& task);
/// Each axis is `code_bytes`, or `tunables:` and an expression over tunables and other whole constants that the seed or
/// a move has. Errors as above.
Result<void> checkNiches(const TaskPack& pack);

} // namespace tilewright
