// SPDX-License-Identifier: GPL-3.0-or-later
// A candidate's program as a file that compiles without Tilewright: a heading that says what the program is, the header
// that the node puts in front of it, and the program. And the way back. Pure.
#pragma once

#include "core/model/run_state.h"

#include <string>
#include <string_view>

namespace tilewright {

/// What a heading says that the run does not know.
struct SavedFrom {
    std::string session; ///< name of the session file
    std::string date; ///< "2026-11-28"
};

/// The whole file. The heading comment of the seed, which describes the seed, is left out; one that holds a copyright
/// notice or a licence of others stays. `#line` directives are left out as well.
std::string savedProgram(const RunState& state, const Candidate& candidate, const Task& task, std::string_view source,
    const SavedFrom& from);

/// The program in a text that savedProgram() made, or the text itself where it did not. With a frame, the text of a
/// candidate, what stands outside of the EVOLVE-BLOCKs is the frame's, as edits may only change what is inside.
std::string programInSaved(std::string_view text, std::string_view frame = {});

} // namespace tilewright
