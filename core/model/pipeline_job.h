// SPDX-License-Identifier: GPL-3.0-or-later
// A candidate on its way through the node: what the engine tells the screen beside the record.
#pragma once

#include "core/model/work.h"

namespace tilewright {

/// What is done with it now, or what it waits for.
struct PipelineJob {
    CandidateId candidate;
    Work next = Work::Build;
    bool underWay = false; ///< the node has it; else it waits for its turn

    bool operator==(const PipelineJob&) const = default;
};

} // namespace tilewright
