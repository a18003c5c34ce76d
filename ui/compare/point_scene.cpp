// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/point_scene.h"

#include "core/base/format.h"
#include "ui/models/display_text.h"

#include <algorithm>
#include <cmath>

namespace tilewright::ui {
namespace {

std::vector<AxisTick> decades(double low, double high, int most)
{
    for (const std::vector<double>& steps : {std::vector<double>{1, 2, 3, 5, 7}, {1, 2, 5}, {1, 3}, {1}}) {
        std::vector<AxisTick> ticks;
        for (int decade = static_cast<int>(std::floor(std::log10(low))); decade <= std::ceil(std::log10(high));
             ++decade)
            for (const double step : steps)
                if (const double value = step * std::pow(10.0, decade); value >= low && value <= high)
                    ticks.push_back({value, text(numberText(value))});
        if (static_cast<int>(ticks.size()) <= most || steps.size() == 1) {
            const std::size_t stride = std::max<std::size_t>(
                1, (ticks.size() + static_cast<std::size_t>(most) - 1) / static_cast<std::size_t>(std::max(most, 1)));
            std::vector<AxisTick> kept;
            for (std::size_t i = 0; i < ticks.size(); i += stride)
                kept.push_back(ticks[i]);
            return kept;
        }
    }
    return {};
}

} // namespace

std::vector<AxisTick> ticksOf(const PointAxis& axis, double low, double high, int most)
{
    if (!(high > low) || most < 1)
        return {};
    if (axis.isLogarithmic && low > 0 && high / low > 4)
        return decades(low, high, most);
    double step = std::pow(10.0, std::floor(std::log10((high - low) / most)));
    for (const double factor : {1.0, 2.0, 5.0, 10.0})
        if ((high - low) / (step * factor) <= most) {
            step *= factor;
            break;
        }
    if (axis.isCounting)
        step = std::max(1.0, std::ceil(step));
    const int digits = std::clamp(static_cast<int>(-std::floor(std::log10(step))), 0, 6);
    std::vector<AxisTick> ticks;
    for (double at = std::ceil(low / step) * step; at <= high + step * 1e-9; at += step) {
        const double value = std::abs(at) < step * 1e-6 ? 0 : at;
        if (axis.isLogarithmic && value <= 0)
            continue;
        QString words = text(fixedText(value, digits));
        if (words.startsWith(u'-'))
            words.replace(0, 1, QChar(0x2212));
        ticks.push_back({value, words});
    }
    return ticks;
}

std::pair<double, double> spanOf(const PointAxis& axis, const std::vector<double>& values)
{
    if (axis.range)
        return *axis.range;
    std::vector<double> usable;
    for (const double value : values)
        if (std::isfinite(value) && (!axis.isLogarithmic || value > 0))
            usable.push_back(value);
    if (usable.empty())
        return axis.isLogarithmic ? std::pair(1.0, 10.0) : std::pair(0.0, 1.0);
    const auto [low, high] = std::ranges::minmax(usable);
    if (axis.isLogarithmic) {
        const double room = std::max(std::pow(high / low, 0.08), 1.05);
        return {low / room, high * room};
    }
    const double room = high > low ? (high - low) * 0.08 : std::max(std::abs(high) * 0.1, 1e-9);
    return {low - room, high + room};
}

} // namespace tilewright::ui
