// SPDX-License-Identifier: GPL-3.0-or-later
// What figures were measured on and with: the facts that stand beside each result, and whether figures of two devices
// may stand side by side. Pure.
#pragma once

#include "core/model/run_state.h"
#include "core/protocol/messages.h"

namespace tilewright {

/// What a greeting tells about a device, as a session keeps it: its facts with "name", "arch" and "isolation".
nlohmann::json factsOf(const HelloReply::Device& device);

/// "AMD EPYC (cpu, g++ 12.2.0)": class, model and what else the figures depend on.
std::string deviceWords(const std::string& id, const nlohmann::json& facts);

/// Why a run's device cannot be had, and whether the run was measured on it before: it can be looked at all the same.
struct MissingDevice {
    Error why;
    bool measuredThere = false;
};
MissingDevice missingDevice(const RunState& state, Error why);

/// Whether what is measured on this device may be added to the run: nothing was measured yet, or it was on the same
/// class and model, by the same compiler and driver. Facts that one side does not know are not compared.
/// Errors: device/other, naming both.
Result<void> checkSameDevice(const RunState& state, const std::string& id, const nlohmann::json& facts);

/// Whether devices may measure one run side by side. Errors: device/mixed, naming two that may not.
Result<void> checkAlike(const std::vector<const HelloReply::Device*>& devices);

/// The environment of a result, of a failed one too: what the node said about its measuring, completed by the device's
/// facts, and the rules that the program passed under "rules_passed", what its checks measured
/// under "measured_checks".
nlohmann::json environmentOf(const nlohmann::json& measured, const std::string& id, const nlohmann::json& facts,
    const Task& task, PassedChecks passed);

} // namespace tilewright
