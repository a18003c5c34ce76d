// SPDX-License-Identifier: GPL-3.0-or-later
// Replies that were recorded before, for the replay proposer: those of a session, or the NNNN.reply.md of a folder,
// each with what the NNNN.prompt.md beside it says of the program it was made for.
#pragma once

#include "core/model/task.h"
#include "core/proposer/replay_proposer.h"

namespace tilewright {

/// Every reply of the newest run of a session, in order; or every NNNN.reply.md of a folder to a prompt
/// for edits, by number.
/// Errors: replay/missing, replay/empty, replay/task when the session is of another task, and those of SessionReader.
Result<std::vector<RecordedReply>> recordedReplies(const std::string& path, const TaskPack& pack);

} // namespace tilewright
