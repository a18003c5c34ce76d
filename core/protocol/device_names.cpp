// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/protocol/device_names.h"

#include <algorithm>
#include <set>

namespace tilewright {
namespace {

constexpr const char* allGpus = "cuda:all";

std::vector<std::string> namesIn(const std::string& list)
{
    std::vector<std::string> names(1);
    for (const char c : list)
        c == ',' ? (void)names.emplace_back() : names.back().push_back(c);
    return names;
}

} // namespace

bool isDeviceName(const std::string& wanted)
{
    if (wanted == "cpu" || wanted == "cpu0" || isGpuId(wanted))
        return true;
    return wanted.starts_with("cuda:") && wanted.size() > 5 && wanted.size() < 9
        && std::ranges::all_of(wanted.substr(5), [](char c) { return c >= '0' && c <= '9'; });
}

bool isDeviceList(const std::string& wanted)
{
    if (wanted == allGpus)
        return true;
    const std::vector<std::string> names = namesIn(wanted);
    const bool named = !names.empty() && std::ranges::all_of(names, isDeviceName);
    const bool severalGpus
        = std::ranges::none_of(names, [](const std::string& name) { return name.starts_with("cpu"); });
    return named && (names.size() == 1 || severalGpus) && std::set(names.begin(), names.end()).size() == names.size();
}

const HelloReply::Device* deviceNamed(const HelloReply& hello, const std::string& wanted)
{
    int gpus = 0;
    for (const HelloReply::Device& device : hello.devices) {
        const bool counted = isGpuId(device.id) && wanted == "cuda:" + std::to_string(gpus++);
        if (counted || device.id == wanted || (wanted == "cpu" && device.id == "cpu0"))
            return &device;
    }
    return nullptr;
}

Result<std::vector<const HelloReply::Device*>> devicesNamed(const HelloReply& hello, const std::string& wanted)
{
    std::vector<const HelloReply::Device*> devices;
    if (wanted == allGpus) {
        for (const HelloReply::Device& device : hello.devices)
            if (isGpuId(device.id))
                devices.push_back(&device);
        return devices.empty() ? std::unexpected(noSuchDevice(hello, wanted)) : Result<decltype(devices)>(devices);
    }
    for (const std::string& name : namesIn(wanted)) {
        const HelloReply::Device* device = deviceNamed(hello, name);
        if (!device)
            return std::unexpected(noSuchDevice(hello, name));
        if (!std::ranges::count(devices, device)) // "cuda:0" and its id name the same
            devices.push_back(device);
    }
    return devices;
}

Error noSuchDevice(const HelloReply& hello, const std::string& wanted)
{
    std::string there;
    int gpus = 0;
    for (const HelloReply::Device& device : hello.devices) {
        const std::string name = device.id == "cpu0" ? "cpu"
            : isGpuId(device.id)                     ? "cuda:" + std::to_string(gpus++)
                                                     : device.id;
        there += (there.empty() ? "" : ", ") + name + " (" + device.name
            + (isGpuId(device.id) ? ", " + device.id : std::string()) + ")";
    }
    const bool knowsWhy = gpus == 0 && !wanted.starts_with("cpu") && !hello.whyNoGpu.empty();
    const char* usual = gpus > 0 ? "name one of these" : "'tilewright-cli doctor' tells what is missing";
    return {"device/missing",
        "this machine has no device '" + wanted + "'; it has " + (there.empty() ? "none at all" : there)
            + (knowsWhy ? ": " + hello.whyNoGpu : ""),
        knowsWhy && !hello.noGpuHint.empty() ? hello.noGpuHint : usual, nullptr};
}

} // namespace tilewright
