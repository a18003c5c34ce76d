// SPDX-License-Identifier: GPL-3.0-or-later
// Which device of a node a person means: "cpu" (the same as "cpu0"), "cuda:N" in the node's order, or an id. Pure.
#pragma once

#include "core/protocol/messages.h"

#include <algorithm>

namespace tilewright {

inline bool isGpuId(const std::string& id) { return id.starts_with("GPU-"); }

/// Whether the text can name a device at all.
inline bool isDeviceName(const std::string& wanted)
{
    if (wanted == "cpu" || wanted == "cpu0" || isGpuId(wanted))
        return true;
    return wanted.starts_with("cuda:") && wanted.size() > 5 && wanted.size() < 9
        && std::ranges::all_of(wanted.substr(5), [](char c) { return c >= '0' && c <= '9'; });
}

/// Null if the node has no such device.
inline const HelloReply::Device* deviceNamed(const HelloReply& hello, const std::string& wanted)
{
    int gpus = 0;
    for (const HelloReply::Device& device : hello.devices) {
        const bool counted = isGpuId(device.id) && wanted == "cuda:" + std::to_string(gpus++);
        if (counted || device.id == wanted || (wanted == "cpu" && device.id == "cpu0"))
            return &device;
    }
    return nullptr;
}

/// device/missing, with what there is.
inline Error noSuchDevice(const HelloReply& hello, const std::string& wanted)
{
    std::string there;
    for (const HelloReply::Device& device : hello.devices)
        there += (there.empty() ? "" : ", ") + (device.id == "cpu0" ? "cpu" : device.id) + " (" + device.name + ")";
    return {"device/missing",
        "this machine has no device '" + wanted + "'; it has " + (there.empty() ? "none at all" : there),
        "'tilewright-cli doctor' tells what is missing", nullptr};
}

} // namespace tilewright
