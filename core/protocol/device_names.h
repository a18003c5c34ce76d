// SPDX-License-Identifier: GPL-3.0-or-later
// Which devices of a node a user means: "cpu" (the same as "cpu0"), "cuda:N" in the node's order, an id, several of
// them parted by commas, or "cuda:all". Pure.
#pragma once

#include "core/protocol/messages.h"

namespace tilewright {

inline bool isGpuId(const std::string& id) { return id.starts_with("GPU-"); }

/// Whether the text can name one device at all.
bool isDeviceName(const std::string& wanted);
/// Why it can name no device at all. Errors: usage.
Result<void> checkDeviceName(const std::string& wanted);
/// Why it cannot name devices that measure side by side: one, or several GPUs, none of them twice. Errors: usage.
Result<void> checkDeviceList(const std::string& wanted);

/// Null if the node has no such device.
const HelloReply::Device* deviceNamed(const HelloReply& hello, const std::string& wanted);
/// All that a list names, in its order. Errors: device/missing.
Result<std::vector<const HelloReply::Device*>> devicesNamed(const HelloReply& hello, const std::string& wanted);

/// device/missing, with what there is.
Error noSuchDevice(const HelloReply& hello, const std::string& wanted);

} // namespace tilewright
