// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/devices/time_axis.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace tilewright::ui {
namespace {

constexpr double second = 1e9, minute = 60 * second, hour = 60 * minute;
constexpr double shortest = 1e5; ///< of a view
constexpr double leastEnd = 10 * second; ///< a run that has just begun is not stretched over the whole width
constexpr double room = 0.03; ///< behind the newest, as a part of the view

constexpr std::array steps{1e4, 2e4, 5e4, 1e5, 2e5, 5e5, 1e6, 2e6, 5e6, 1e7, 2e7, 5e7, 1e8, 2e8, 5e8, second,
    2 * second, 5 * second, 10 * second, 30 * second, minute, 2 * minute, 5 * minute, 10 * minute, 30 * minute, hour,
    2 * hour, 4 * hour, 8 * hour, 24 * hour};

} // namespace

void TimeAxis::setEnd(double ns)
{
    m_end = ns;
    settle();
}

void TimeAxis::fit()
{
    m_fitted = true;
    m_follows = false;
    settle();
}

void TimeAxis::follow()
{
    m_follows = true;
    settle();
}

void TimeAxis::zoom(double factor, double aroundNs)
{
    const double whole = std::max(m_end, leastEnd) * (1 + room);
    const double length = std::clamp(m_length / factor, shortest, whole);
    const double part = (aroundNs - m_from) / m_length;
    m_fitted = length >= whole;
    m_length = length;
    m_from = aroundNs - part * length;
    settle();
}

void TimeAxis::panBy(double ns) { showFrom(m_from + ns); }

void TimeAxis::showFrom(double ns)
{
    m_follows = false;
    m_from = ns;
    settle();
}

void TimeAxis::reveal(double fromNs, double toNs)
{
    if (fromNs >= m_from && toNs <= to())
        return;
    const double margin = m_length * 0.1;
    showFrom(fromNs < m_from || toNs - fromNs > m_length ? fromNs - margin : toNs + margin - m_length);
}

void TimeAxis::settle()
{
    const double whole = std::max(m_end, leastEnd) * (1 + room);
    if (m_fitted)
        m_length = whole;
    m_length = std::min(m_length, whole);
    if (m_follows)
        m_from = m_end - m_length * (1 - room);
    m_from = std::clamp(m_from, 0.0, std::max(whole - m_length, 0.0));
}

std::vector<TimeTick> TimeAxis::ticks(double apart) const
{
    const double wanted = m_length * apart;
    const auto found = std::ranges::find_if(steps, [wanted](double step) { return step >= wanted; });
    const double step = found == steps.end() ? std::ceil(wanted / steps.back()) * steps.back() : *found;
    std::vector<TimeTick> ticks;
    for (double at = std::ceil(m_from / step) * step; at <= to(); at += step)
        ticks.push_back({at, timeLabel(at, step)});
    return ticks;
}

QString timeLabel(double ns, double stepNs)
{
    const auto whole = static_cast<qint64>(std::floor(ns / second + 1e-9));
    if (stepNs < second) {
        const int digits = stepNs >= 1e8 ? 1 : stepNs >= 1e7 ? 2 : stepNs >= 1e6 ? 3 : 5;
        if (whole < 60)
            return QStringLiteral("%1 s").arg(ns / second, 0, 'f', digits);
        const double rest = ns / second - static_cast<double>(whole / 60 * 60);
        return QStringLiteral("%1:%2").arg(whole / 60).arg(rest, digits + 3, 'f', digits, QLatin1Char('0'));
    }
    if (whole < 3600)
        return QStringLiteral("%1:%2").arg(whole / 60).arg(whole % 60, 2, 10, QLatin1Char('0'));
    return QStringLiteral("%1:%2:%3")
        .arg(whole / 3600)
        .arg(whole / 60 % 60, 2, 10, QLatin1Char('0'))
        .arg(whole % 60, 2, 10, QLatin1Char('0'));
}

} // namespace tilewright::ui
