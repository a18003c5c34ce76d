// SPDX-License-Identifier: GPL-3.0-or-later
// One reply, several proposals: where the prompt asked for several directions. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tilewright {

/// The proposals of a reply in order, each a reply of its own for the applier: what stands in <proposal> tags, else one
/// piece a <reasoning> where several have a <diff> each, else the reply as it is. Drafts in <think> belong to none. A
/// proposal that was cut off stays cut off. Never empty for a reply that is not.
std::vector<std::string> proposalsIn(std::string_view reply);

} // namespace tilewright
