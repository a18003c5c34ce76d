// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/run_axis.h"

#include "ui/theme/words.h"

#include <algorithm>
#include <cmath>

namespace tilewright::ui {
namespace {

using namespace Qt::StringLiterals;

constexpr double nsPerMinute = 60e9, microPerDollar = 1e6;

} // namespace

RunPlaces::RunPlaces(const RunState& run, RunAxis axis)
    : m_axis(axis)
{
    if (axis != RunAxis::Cost)
        return;
    for (const ModelRequest& modelRequest : run.modelRequests)
        if (modelRequest.state != ModelRequestState::Open && modelRequest.answer.costMicroUsd)
            m_costs.emplace_back(
                modelRequest.answeredNs, static_cast<double>(*modelRequest.answer.costMicroUsd) / microPerDollar);
    std::ranges::sort(m_costs);
    double spent = 0;
    for (auto& [at, cost] : m_costs)
        cost = spent += cost;
    if (spent == 0) // all would stand at one place
        m_costs.clear();
}

double RunPlaces::costUntil(std::int64_t runNs) const
{
    const auto after = std::ranges::upper_bound(m_costs, runNs, {}, [](const auto& each) { return each.first; });
    return m_costs.empty() ? noPlace : after == m_costs.begin() ? 0 : std::prev(after)->second;
}

double RunPlaces::of(const Candidate& candidate) const
{
    if (candidate.resultNumber == 0)
        return noPlace;
    switch (m_axis) {
    case RunAxis::Evaluation:
        return static_cast<double>(candidate.resultNumber);
    case RunAxis::Generation: {
        // Spread a generation's candidates around its tick, the same way every time.
        const double spread = std::fmod(static_cast<double>(candidate.id.value) * 0.6180339887, 1.0) - 0.5;
        return candidate.generation + (candidate.generation ? spread * 0.6 : 0);
    }
    case RunAxis::WallTime:
        return static_cast<double>(candidate.finishedNs) / nsPerMinute;
    case RunAxis::Cost:
        return costUntil(candidate.finishedNs);
    }
    return noPlace;
}

double RunPlaces::of(std::int64_t evaluations, std::int64_t runNs) const
{
    switch (m_axis) {
    case RunAxis::Evaluation:
        return static_cast<double>(evaluations) + 0.5; // between the result before and the one after
    case RunAxis::Generation:
        break;
    case RunAxis::WallTime:
        return static_cast<double>(runNs) / nsPerMinute;
    case RunAxis::Cost:
        return costUntil(runNs);
    }
    return noPlace;
}

QString nameOf(RunAxis axis)
{
    switch (axis) {
    case RunAxis::Evaluation:
        return tr("Evaluation");
    case RunAxis::Generation:
        return tr("Generation");
    case RunAxis::WallTime:
        return tr("Wall time");
    case RunAxis::Cost:
        break;
    }
    return tr("Cost");
}

QString words(const RunRange& range)
{
    const auto whole = [](double from, double to) {
        const auto first = static_cast<qlonglong>(std::ceil(from)), last = static_cast<qlonglong>(std::floor(to));
        return first >= last ? QString::number(std::llround((from + to) / 2)) : u"%1–%2"_s.arg(first).arg(last);
    };
    switch (range.axis) {
    case RunAxis::Evaluation:
        return tr("evaluation %1").arg(whole(range.from, range.to));
    case RunAxis::Generation:
        return tr("generation %1").arg(whole(range.from, range.to));
    case RunAxis::WallTime:
        return tr("%1–%2 min").arg(std::max(range.from, 0.0), 0, 'f', 1).arg(range.to, 0, 'f', 1);
    case RunAxis::Cost:
        break;
    }
    return tr("$%1–$%2").arg(std::max(range.from, 0.0), 0, 'f', 2).arg(range.to, 0, 'f', 2);
}

} // namespace tilewright::ui
