// SPDX-License-Identifier: Apache-2.0
// Processes of ours that a signal ended which neither we nor a limit of ours sent: the system when memory runs out, a
// batch system, somebody. It says nothing about the program that they worked on. Pure.
#pragma once

#include "core/protocol/messages.h"

#include <csignal>
#include <string_view>

namespace tilewright {

/// Codes of an error: of a process that a node had started, and of the node itself.
inline constexpr const char* killedFromOutside = "machine/killed";
inline constexpr const char* nodeKilled = "node/killed";

inline bool isKilledFromOutside(std::string_view code) { return code == killedFromOutside || code == nodeKilled; }

/// Whether what came to this end is tried with another node: it was killed, or the node was lost; and how often at
/// most.
inline bool isWorthAnotherNode(std::string_view code) { return isKilledFromOutside(code) || code == "node/crash"; }
inline constexpr int mostNodes = 3;

/// A signal that neither a program's own fault nor a limit of ours sends.
inline bool isOutsideSignal(int signal)
{
    return signal == SIGKILL || signal == SIGTERM || signal == SIGINT || signal == SIGHUP || signal == SIGQUIT;
}

/// What becomes of the program that such a process worked on.
inline constexpr const char* triedAgain = "the program is not at fault and is tried again";

/// What a user can do about it.
inline constexpr const char* killedRemedy
    = "the machine may be short of memory (see 'dmesg'), or someone ended Tilewright's processes; then resume";

// A node that was started for proofs leaves something out of what protects its results, to show what that is good for
// (tilewright-node --without-static-rules, --with-open-references; packaging/gpu-test starts it so). It says so of each
// device when it greets, and of each result; nobody whose results count takes it. Pure.

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
