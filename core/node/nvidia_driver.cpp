// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/node/nvidia_driver.h"

#include "core/base/files.h"

#include <cstdlib>
#include <dlfcn.h>

namespace tilewright {

std::optional<DriverFacts> readDriverFacts()
{
    DriverFacts facts;
    if (void* library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL)) {
        const auto init = reinterpret_cast<int (*)()>(dlsym(library, "nvmlInit_v2"));
        const auto version = reinterpret_cast<int (*)(char*, unsigned)>(dlsym(library, "nvmlSystemGetDriverVersion"));
        const auto cuda = reinterpret_cast<int (*)(int*)>(dlsym(library, "nvmlSystemGetCudaDriverVersion_v2"));
        if (init && version && init() == 0) {
            if (char text[96] = ""; version(text, sizeof text) == 0)
                facts.version = text;
            if (int number = 0; cuda && cuda(&number) == 0) // 12040 is 12.4
                facts.cuda = std::to_string(number / 1000) + "." + std::to_string(number % 1000 / 10);
        }
    }
    if (facts.version.empty())
        if (const auto text = readFile("/sys/module/nvidia/version", 256))
            facts.version = text->substr(0, text->find('\n'));
    return facts.version.empty() ? std::nullopt : std::optional(std::move(facts));
}

std::vector<std::pair<std::string, std::string>> gpuVisibility()
{
    std::vector<std::pair<std::string, std::string>> set;
    for (const char* name : {"CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER"})
        if (const char* value = std::getenv(name))
            set.emplace_back(name, value);
    return set;
}

Error withVisibility(Error noGpu)
{
    const char* visible = std::getenv("CUDA_VISIBLE_DEVICES");
    if (!visible || noGpu.code != "device/missing")
        return noGpu;
    return {noGpu.code, "CUDA_VISIBLE_DEVICES='" + std::string(visible) + "' hides every GPU of this machine",
        "unset it, or set it to numbers or ids that 'nvidia-smi -L' tells", nullptr};
}

} // namespace tilewright
