// SPDX-License-Identifier: GPL-3.0-or-later
// A reply that was asked for several directions, taken apart into its proposals. Pure and total.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tilewright {

/// Proposals that are taken from one reply unless somebody says otherwise. What a prompt asks for is three; each one
/// costs a build.
inline constexpr std::size_t mostProposalsOfAReply = 16;

/// The proposals that a reply holds, in order; at least one, and then it is the whole reply. Several come without
/// thoughts. Where there are <proposal> tags, each holds one, and it is given without them. Else a proposal begins with
/// a <reasoning> that stands outside diffs and has a <diff> before the next one; words before the first belong to it. A
/// last one that is cut off is one of them (the applier refuses it), one that repeats the diff of an earlier one is
/// not. A reply none of whose diffs is closed is not taken apart.
std::vector<std::string> proposalsIn(std::string_view reply);

} // namespace tilewright
