// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/measurement/energy.h"

#include "core/base/format.h"

namespace tilewright {
namespace {

std::optional<LaunchEnergy> launchEnergy(const nlohmann::json& energy, const char* who)
{
    const auto found = energy.find(who);
    if (found == energy.end() || !found->is_object())
        return std::nullopt;
    const auto joules = found->find("joules"), watts = found->find("watts");
    if (joules == found->end() || !joules->is_number() || watts == found->end() || !watts->is_number())
        return std::nullopt;
    const LaunchEnergy read{joules->get<double>(), watts->get<double>()};
    return read.joules > 0 ? std::optional(read) : std::nullopt;
}

} // namespace

std::optional<MeasuredEnergy> energyOf(const nlohmann::json& environment)
{
    if (!environment.is_object() || !environment.contains("energy") || !environment.at("energy").is_object())
        return std::nullopt;
    const nlohmann::json& energy = environment.at("energy");
    const auto candidate = launchEnergy(energy, "candidate");
    const auto idle = energy.find("idle_watts"), shape = energy.find("shape");
    if (!candidate || idle == energy.end() || !idle->is_number() || shape == energy.end() || !shape->is_array())
        return std::nullopt;
    MeasuredEnergy read{{}, idle->get<double>(), *candidate, launchEnergy(energy, "vendor")};
    for (const nlohmann::json& extent : *shape) {
        if (!extent.is_number_integer())
            return std::nullopt;
        read.shape.push_back(extent.get<std::int64_t>());
    }
    return read;
}

std::string jouleText(double joules)
{
    if (joules >= 0.1)
        return numberText(joules) + " J";
    return joules >= 1e-4 ? numberText(joules * 1e3) + " mJ" : numberText(joules * 1e6) + " µJ";
}

std::string energyText(const MeasuredEnergy& energy)
{
    const auto watts = [](double value) { return numberText(value) + " W"; };
    std::string text = jouleText(energy.candidate.joules) + " a launch on " + shapeText(energy.shape) + " at "
        + watts(energy.candidate.watts);
    if (energy.vendor)
        text += "; vendor library " + jouleText(energy.vendor->joules) + " at " + watts(energy.vendor->watts);
    return text + "; idle " + watts(energy.idleWatts);
}

} // namespace tilewright
