// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/gpu_plan.h"

namespace tilewright {

nlohmann::json GpuPlan::json() const
{
    nlohmann::json launchList = nlohmann::json::array(), mapList = nlohmann::json::array();
    for (const GpuLaunch& launch : launches)
        launchList.push_back({{"entry", launch.entry}, {"grid", launch.grid}, {"block", launch.block},
            {"cluster", launch.cluster}, {"dynamic_shared", launch.dynamicShared}, {"cooperative", launch.cooperative},
            {"programmatic", launch.programmatic}, {"user", launch.user}});
    for (const GpuTensorMap& map : maps)
        mapList.push_back({{"buffer", map.buffer}, {"dtype", map.dtype}, {"rank", map.rank}, {"swizzle", map.swizzle},
            {"l2", map.l2}, {"nan_outside", map.nanOutside}, {"offset", map.offset}, {"dim", map.dim},
            {"stride", map.stride}, {"box", map.box}, {"element_stride", map.elementStride}});
    return {{"maps", mapList}, {"launches", launchList}, {"workspace_bytes", workspaceBytes}};
}

GpuPlan GpuPlan::fromJson(const nlohmann::json& json)
{
    GpuPlan plan;
    plan.workspaceBytes = json.at("workspace_bytes");
    for (const nlohmann::json& item : json.at("launches")) {
        GpuLaunch launch;
        launch.entry = item.at("entry");
        item.at("grid").get_to(launch.grid);
        item.at("block").get_to(launch.block);
        item.at("cluster").get_to(launch.cluster);
        launch.dynamicShared = item.at("dynamic_shared");
        launch.cooperative = item.at("cooperative");
        launch.programmatic = item.at("programmatic");
        item.at("user").get_to(launch.user);
        plan.launches.push_back(std::move(launch));
    }
    for (const nlohmann::json& item : json.at("maps")) {
        GpuTensorMap map;
        map.buffer = item.at("buffer");
        map.dtype = item.at("dtype");
        map.rank = item.at("rank");
        map.swizzle = item.at("swizzle");
        map.l2 = item.at("l2");
        map.nanOutside = item.at("nan_outside");
        map.offset = item.at("offset");
        item.at("dim").get_to(map.dim);
        item.at("stride").get_to(map.stride);
        item.at("box").get_to(map.box);
        item.at("element_stride").get_to(map.elementStride);
        plan.maps.push_back(map);
    }
    return plan;
}

} // namespace tilewright
