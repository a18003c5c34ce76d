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
    if (wanted == "cpu" || isGpuId(wanted))
        return true;
    const auto isNumbered = [&](std::string_view kind) {
        const std::string_view number = std::string_view(wanted).substr(std::min(kind.size(), wanted.size()));
        return wanted.starts_with(kind) && !number.empty() && number.size() < 4
            && std::ranges::all_of(number, [](char c) { return c >= '0' && c <= '9'; });
    };
    return isNumbered("cuda:") || isNumbered("cpu");
}

Result<void> checkDeviceName(const std::string& wanted)
{
    if (isDeviceName(wanted))
        return {};
    if (wanted == allGpus || (wanted.find(',') != std::string::npos && checkDeviceList(wanted)))
        return fail("usage", "'" + wanted + "' names several devices, but a program is measured on one",
            "name one: cuda:0, cuda:1, … or a GPU's UUID");
    return fail("usage", "'" + wanted + "' is not a device name", "use cpu, cuda:0, cuda:1, … or a GPU's UUID");
}

Result<void> checkDeviceList(const std::string& wanted)
{
    if (wanted == allGpus)
        return {};
    std::set<std::string> known;
    for (const std::string& name : namesIn(wanted)) {
        if (name == allGpus)
            return fail("usage", "'" + wanted + "' names other devices in addition to all GPUs", "name cuda:all alone");
        if (auto named = checkDeviceName(name); !named)
            return fail(named.error().code, named.error().text,
                named.error().hint + "; several GPUs are cuda:0,cuda:1 or cuda:all");
        if (!known.insert(name).second)
            return fail("usage", "'" + wanted + "' names " + name + " twice", "name each device once");
    }
    const bool hasCpu = std::ranges::any_of(known, [](const std::string& name) { return name.starts_with("cpu"); });
    if (hasCpu && known.size() > 1)
        return fail("usage", "'" + wanted + "' names the CPU together with other devices",
            "only GPUs can share a run: name the CPU alone");
    return {};
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
    // Whoever named no device is not told of one that he has not named.
    const bool needsGpu = gpus == 0 && !wanted.starts_with("cpu");
    const bool knowsWhy = needsGpu && !hello.whyNoGpu.empty();
    const char* usual = gpus > 0 ? "use one of these" : "'tilewright-cli doctor' shows what is missing";
    return {"device/missing",
        (needsGpu ? "an NVIDIA GPU is needed, but none is usable on this machine"
                  : "this machine has no device '" + wanted + "'")
            + "; it has " + (there.empty() ? "none" : there) + (knowsWhy ? ": " + hello.whyNoGpu : ""),
        knowsWhy && !hello.noGpuHint.empty() ? hello.noGpuHint : usual, nullptr};
}

} // namespace tilewright
