// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/stall_meter.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QSaveFile>
#include <algorithm>

namespace tilewright::gui {
namespace {
constexpr int intervalMs = 10;
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

StallMeter::Summary StallMeter::summary() const
{
    std::vector<double> sorted = m_delays;
    std::ranges::sort(sorted);
    const auto at = [&sorted](double part) {
        return sorted.empty() ? 0.0 : sorted[static_cast<std::size_t>(part * static_cast<double>(sorted.size() - 1))];
    };
    return {static_cast<std::int64_t>(sorted.size()), at(0.5), at(0.99), at(1)};
}

bool StallMeter::write(const QString& file) const
{
    const Summary all = summary();
    const QJsonObject object{{QStringLiteral("ticks"), static_cast<qint64>(all.ticks)},
        {QStringLiteral("p50_ms"), all.p50Ms}, {QStringLiteral("p99_ms"), all.p99Ms},
        {QStringLiteral("max_ms"), all.maxMs}};
    QSaveFile out(file);
    return out.open(QIODevice::WriteOnly) && out.write(QJsonDocument(object).toJson()) > 0 && out.commit();
}

} // namespace tilewright::gui
