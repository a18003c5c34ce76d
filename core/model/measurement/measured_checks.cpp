// SPDX-License-Identifier: Apache-2.0
#include "core/model/measurement/measured_checks.h"

#include <algorithm>
#include <cmath>

namespace tilewright {
namespace {

using Json = nlohmann::json;

constexpr std::size_t mostDimensions = 16, mostNameBytes = 64;

std::optional<MeasuredCheck> entryIn(const Json& json)
{
    if (!json.is_object())
        return {};
    const auto word = [&json](const char* key) -> std::string {
        const auto found = json.find(key);
        return found != json.end() && found->is_string() ? found->get<std::string>().substr(0, mostNameBytes) : "";
    };
    const auto number = [&json](const char* key) {
        const auto found = json.find(key);
        return found != json.end() && found->is_number() ? found->get<double>() : std::nan("");
    };
    MeasuredCheck check{word("check"), number("measured"), number("limit"), {}, word("inputs")};
    if (check.check.empty() || !std::isfinite(check.measured) || !std::isfinite(check.limit))
        return {};
    if (const auto shape = json.find("shape"); shape != json.end() && shape->is_array())
        for (const Json& size : *shape)
            if (size.is_number_integer() && check.shape.size() < mostDimensions)
                check.shape.push_back(size.get<std::int64_t>());
    return check;
}

} // namespace

double MeasuredCheck::share() const { return limit > 0 ? measured / limit : measured; }

void MeasuredChecks::add(MeasuredCheck check)
{
    const auto known = std::ranges::find(m_all, check.check, &MeasuredCheck::check);
    if (known == m_all.end()) {
        if (m_all.size() < mostChecks)
            m_all.push_back(std::move(check));
    } else if (check.share() > known->share()) {
        *known = std::move(check);
    }
}

void MeasuredChecks::add(const MeasuredChecks& others)
{
    for (const MeasuredCheck& each : others.m_all)
        add(each);
}

MeasuredChecks MeasuredChecks::on(const Shape& shape, const std::string& inputs) const
{
    MeasuredChecks placed = *this;
    for (MeasuredCheck& each : placed.m_all) {
        each.shape = shape;
        each.inputs = inputs;
    }
    return placed;
}

MeasuredChecks MeasuredChecks::asPartOf(const std::string& check) const
{
    MeasuredChecks part;
    for (const MeasuredCheck& each : m_all)
        part.add({check, each.share(), 1, each.shape, each.inputs});
    return part;
}

const MeasuredCheck* MeasuredChecks::find(std::string_view check) const
{
    const auto found = std::ranges::find(m_all, check, &MeasuredCheck::check);
    return found == m_all.end() ? nullptr : &*found;
}

Json MeasuredChecks::json() const
{
    Json list = Json::array();
    for (const MeasuredCheck& each : m_all) {
        list.push_back(
            {{"check", each.check}, {"measured", each.measured}, {"limit", each.limit}, {"shape", each.shape}});
        if (!each.inputs.empty())
            list.back()["inputs"] = each.inputs;
    }
    return list;
}

MeasuredChecks MeasuredChecks::fromJson(const Json& json)
{
    MeasuredChecks checks;
    if (json.is_array())
        for (const Json& each : json) {
            if (checks.m_all.size() == mostChecks)
                break;
            if (auto entry = entryIn(each))
                checks.add(std::move(*entry));
        }
    return checks;
}

} // namespace tilewright
