// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/resource_figures.h"

#include <algorithm>
#include <tuple>

namespace tilewright {
namespace {

template <typename T> std::optional<T> numberAt(const nlohmann::json& json, const char* key)
{
    const auto found = json.find(key);
    return found != json.end() && found->is_number() ? std::optional(found->get<T>()) : std::nullopt;
}

std::string textAt(const nlohmann::json& json, const char* key)
{
    const auto found = json.find(key);
    return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

/// Room that a kernel leaves: least first.
auto roomOf(const nlohmann::json& kernel)
{
    return std::tuple(numberAt<double>(kernel, "occupancy").value_or(1),
        -numberAt<std::int64_t>(kernel, "registers").value_or(0),
        -numberAt<std::int64_t>(kernel, "shared_bytes").value_or(0));
}

void addKernels(ResourceFigures& figures, const nlohmann::json& kernels)
{
    const nlohmann::json* tightest = nullptr;
    std::int64_t code = 0;
    for (const nlohmann::json& kernel : kernels) {
        if (!kernel.is_object())
            continue;
        ++figures.kernels;
        code += numberAt<std::int64_t>(kernel, "code_bytes").value_or(0);
        if (!tightest || roomOf(kernel) < roomOf(*tightest))
            tightest = &kernel;
    }
    if (!tightest)
        return;
    figures.machineCodeBytes = code;
    figures.registers = numberAt<std::int64_t>(*tightest, "registers");
    figures.sharedBytes = numberAt<std::int64_t>(*tightest, "shared_bytes");
    figures.occupancy = numberAt<double>(*tightest, "occupancy");
    figures.kernel = textAt(*tightest, "kernel");
    figures.threads = numberAt<int>(*tightest, "threads").value_or(0);
    figures.blocks = numberAt<int>(*tightest, "blocks_per_sm").value_or(0);
    figures.limitedBy = textAt(*tightest, "limited_by");
}

} // namespace

ResourceLimits resourceLimits(const nlohmann::json& deviceFacts)
{
    if (!deviceFacts.is_object())
        return {};
    return {numberAt<std::int64_t>(deviceFacts, "shared_per_block_bytes"),
        numberAt<std::int64_t>(deviceFacts, "registers_per_sm")};
}

ResourceFigures resourceFigures(const nlohmann::json& resources)
{
    ResourceFigures figures;
    if (!resources.is_object())
        return figures;
    figures.sourceBytes = numberAt<std::int64_t>(resources, "code_bytes");
    figures.machineCodeBytes = numberAt<std::int64_t>(resources, "text_bytes");
    figures.constantBytes = numberAt<std::int64_t>(resources, "rodata_bytes");
    figures.registers = numberAt<std::int64_t>(resources, "registers");
    figures.spillBytes = numberAt<std::int64_t>(resources, "spill_bytes");
    if (const auto kernels = resources.find("kernels"); kernels != resources.end() && kernels->is_array())
        addKernels(figures, *kernels);
    return figures;
}

} // namespace tilewright
