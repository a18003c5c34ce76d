// SPDX-License-Identifier: Apache-2.0
#include "core/node/cuda_builder.h"

#include <algorithm>

namespace tilewright {

const GpuPlan* CudaArtifact::planFor(const Shape& shape) const
{
    const auto found = std::ranges::find(plans, shape, &ShapePlan::shape);
    return found == plans.end() ? nullptr : &found->plan;
}

std::string CudaArtifact::bytes() const
{
    nlohmann::json list = nlohmann::json::array();
    for (const ShapePlan& plan : plans)
        list.push_back({{"shape", plan.shape}, {"unannounced", plan.unannounced}, {"plan", plan.plan.json()}});
    return encodeFrame({{"plans", list}, {"kernels", kernels}, {"reload_always", reloadAlways}}) + cubin;
}

Result<CudaArtifact> CudaArtifact::fromBytes(std::string_view bytes)
{
    FrameReader reader;
    reader.append(bytes);
    const auto frame = reader.next();
    if (!frame || !*frame)
        return fail("build/no-artifact", "a built program in the cache is damaged", "it will be built again");
    try {
        CudaArtifact artifact;
        const nlohmann::json& json = (*frame)->json;
        for (const nlohmann::json& item : json.at("plans"))
            artifact.plans.push_back(
                {item.at("shape").get<Shape>(), item.at("unannounced"), GpuPlan::fromJson(item.at("plan"))});
        artifact.kernels = json.at("kernels").get<std::map<std::string, std::string>>();
        artifact.reloadAlways = json.at("reload_always");
        std::size_t length = 0;
        for (std::size_t i = 0; i < 4; ++i)
            length |= std::size_t(static_cast<unsigned char>(bytes[i])) << (8 * i);
        artifact.cubin = bytes.substr(4 + length);
        artifact.cubinHash = sha256(artifact.cubin);
        return artifact;
    } catch (const nlohmann::json::exception&) {
        return fail("build/no-artifact", "a built program in the cache is damaged", "it will be built again");
    }
}

} // namespace tilewright
