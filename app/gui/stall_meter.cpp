// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/stall_meter.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QSaveFile>
#include <algorithm>
#include <functional>
#include <numeric>

namespace tilewright::gui {
namespace {
constexpr int intervalMs = 10;
constexpr double frameMs = 16, tenthMs = 100;

/// The time in which an input would wait longer than this, of all stalls together: a stall of d makes one wait that
/// comes in its first d − limit.
double timeOver(const std::vector<double>& delays, double limit)
{
    return std::accumulate(delays.begin(), delays.end(), 0.0,
        [limit](double sum, double delay) { return sum + std::max(0.0, delay - limit); });
}

/// The waiting time that only this share of the inputs exceeds. delays: longest first.
double waitExceededBy(double share, const std::vector<double>& delays, double wholeMs)
{
    const double wanted = share * wholeMs;
    double sum = 0;
    for (std::size_t longer = 1; longer <= delays.size(); ++longer) {
        sum += delays[longer - 1];
        // With a limit between this delay and the next, only these stalls count: sum − longer · limit = wanted.
        const double limit = (sum - wanted) / static_cast<double>(longer);
        const double next = longer < delays.size() ? delays[longer] : 0;
        if (limit >= next)
            return std::max(limit, 0.0);
    }
    return 0;
}

} // namespace

StallSummary stallSummary(std::vector<double> delaysMs, double intervalMs)
{
    if (delaysMs.empty())
        return {};
    std::ranges::sort(delaysMs, std::greater());
    const double whole = timeOver(delaysMs, 0) + intervalMs * static_cast<double>(delaysMs.size());
    return {static_cast<std::int64_t>(delaysMs.size()), waitExceededBy(0.5, delaysMs, whole),
        waitExceededBy(0.01, delaysMs, whole), delaysMs.front(), timeOver(delaysMs, frameMs) / whole,
        timeOver(delaysMs, tenthMs) / whole};
}

StallMeter::StallMeter(QObject* parent)
    : QObject(parent)
{
    m_timer.setTimerType(Qt::PreciseTimer);
    m_timer.setInterval(intervalMs);
    connect(&m_timer, &QTimer::timeout, this, [this] {
        m_delays.push_back(std::max(0.0, static_cast<double>(m_since.nsecsElapsed()) / 1e6 - intervalMs));
        m_since.restart();
    });
    m_since.start();
    m_timer.start();
}

StallSummary StallMeter::summary() const { return stallSummary(m_delays, intervalMs); }

bool StallMeter::write(const QString& file) const
{
    const StallSummary all = summary();
    const QJsonObject object{{QStringLiteral("ticks"), static_cast<qint64>(all.ticks)},
        {QStringLiteral("p50_ms"), all.p50Ms}, {QStringLiteral("p99_ms"), all.p99Ms},
        {QStringLiteral("max_ms"), all.maxMs}, {QStringLiteral("over_16_ms"), all.overFrame},
        {QStringLiteral("over_100_ms"), all.overTenth}};
    QSaveFile out(file);
    return out.open(QIODevice::WriteOnly) && out.write(QJsonDocument(object).toJson()) > 0 && out.commit();
}

} // namespace tilewright::gui
