// SPDX-License-Identifier: GPL-3.0-or-later
// Axis ticks as the plots here want them. For plot_scene.cpp, after the plot library's header.
#pragma once

#include <cmath>

namespace tilewright::ui {

/// 1, 2, 5 in every decade, so that a logarithmic axis of speedups has enough names.
class DecadeTicker : public QCPAxisTicker
{
protected:
    QVector<double> createTickVector(double, const QCPRange& range) override
    {
        QVector<double> ticks;
        for (int decade = static_cast<int>(std::floor(std::log10(std::max(range.lower, 1e-6)))); decade < 8; ++decade)
            for (const double step : {1.0, 2.0, 5.0}) {
                const double tick = step * std::pow(10.0, decade);
                if (tick > range.upper)
                    return ticks;
                if (tick >= range.lower)
                    ticks.append(tick);
            }
        return ticks;
    }
    QString getTickLabel(double tick, const QLocale&, QChar, int) override { return QString::number(tick, 'g', 4); }
    int getSubTickCount(double) override { return 0; }
};

/// Counts have no fractions and no places below zero.
class WholeTicker : public QCPAxisTicker
{
protected:
    double getTickStep(const QCPRange& range) override
    {
        const double step = QCPAxisTicker::getTickStep(range);
        return step < 10 ? std::max(1.0, std::floor(step)) : step; // 2.5 would put ticks between the counts
    }
    QString getTickLabel(double tick, const QLocale&, QChar, int) override
    {
        return tick < 0 ? QString() : QString::number(std::llround(tick));
    }
    int getSubTickCount(double) override { return 0; }
};

} // namespace tilewright::ui
