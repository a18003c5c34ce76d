// SPDX-License-Identifier: GPL-3.0-or-later
// A node that was started for proofs leaves something out of what protects its results, to show what that is good for
// (tilewright-node --without-static-rules, --with-open-references; packaging/gpu-test starts it so). It says so of each
// device when it greets, and of each result; nobody whose results count takes it. Pure.
#pragma once

#include "core/protocol/messages.h"

namespace tilewright {

/// In a device's facts and in a result's environment: what is left out.
inline constexpr const char* onlyForProofs = "only_for_proofs";

/// What this node leaves out; empty where its results count.
inline std::string leftOutBy(const HelloReply& hello)
{
    for (const HelloReply::Device& device : hello.devices)
        if (const auto left = device.facts.find(onlyForProofs); left != device.facts.end())
            return left->is_string() ? left->get<std::string>() : left->dump();
    return "";
}

} // namespace tilewright
