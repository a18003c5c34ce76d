// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/progress.h"

#include <cstdio>
#include <unistd.h>

namespace tilewright::cli {
namespace {

constexpr qint64 plainIntervalMs = 5000;

std::string durationText(double seconds)
{
    const auto whole = static_cast<long>(seconds + 0.5);
    if (whole < 60)
        return std::to_string(whole) + " s";
    if (whole < 3600)
        return std::to_string(whole / 60) + " min " + std::to_string(whole % 60) + " s";
    return std::to_string(whole / 3600) + " h " + std::to_string(whole % 3600 / 60) + " min";
}

/// Seconds until the nearer budget is used up; none without a budget or a rate.
std::optional<double> timeToGo(const Snapshot& snapshot)
{
    const Budget& budget = snapshot.run.settings.budget;
    std::optional<double> left;
    if (budget.wallSeconds > 0)
        left = std::max(0.0, budget.wallSeconds - static_cast<double>(snapshot.status.runNs) * 1e-9);
    if (budget.evaluations > 0 && snapshot.status.evaluationsPerMinute > 0) {
        const auto open
            = static_cast<double>(std::max<std::int64_t>(0, budget.evaluations - snapshot.run.evaluationsStarted));
        const double byRate = open * 60 / snapshot.status.evaluationsPerMinute;
        left = left ? std::min(*left, byRate) : byRate;
    }
    return left;
}

} // namespace

std::string progressLine(const Snapshot& snapshot)
{
    const RunState& run = snapshot.run;
    std::string line = std::to_string(run.evaluationsStarted);
    if (run.settings.budget.evaluations > 0)
        line += "/" + std::to_string(run.settings.budget.evaluations);
    line += " evaluations";
    char figures[96];
    if (const Candidate* best = run.best(); best && best->score) {
        std::snprintf(
            figures, sizeof figures, " · best %.2f× (%s)", best->score->value, candidateName(best->id).c_str());
        line += figures;
        if (best->vsVendor) {
            std::snprintf(figures, sizeof figures, " %.2f× vendor", best->vsVendor->value);
            line += figures;
        }
    }
    std::snprintf(figures, sizeof figures, " · %.0f/min", snapshot.status.evaluationsPerMinute);
    line += figures;
    if (snapshot.status.pausing)
        line += " · pausing";
    else if (const auto left = timeToGo(snapshot))
        line += " · " + durationText(*left) + " to go";
    return line;
}

Progress::Progress()
    : m_terminal(::isatty(STDERR_FILENO) == 1)
{
    m_sincePlain.start();
}

void Progress::print(const std::string& line)
{
    if (m_terminal) {
        std::fprintf(stderr, "\r\033[K%s", line.c_str());
        m_lineOpen = true;
    } else {
        std::fprintf(stderr, "%s\n", line.c_str());
    }
    std::fflush(stderr);
}

void Progress::show(const Snapshot& snapshot)
{
    if (!m_terminal) {
        if (m_sincePlain.elapsed() < plainIntervalMs || snapshot.run.evaluationsStarted == m_plainEvaluations)
            return;
        m_sincePlain.start();
        m_plainEvaluations = snapshot.run.evaluationsStarted;
    }
    print(progressLine(snapshot));
}

void Progress::finish(const Snapshot& snapshot)
{
    print(progressLine(snapshot));
    if (m_lineOpen)
        std::fputc('\n', stderr);
    m_lineOpen = false;
}

void Progress::say(const std::string& text)
{
    if (m_lineOpen)
        std::fprintf(stderr, "\r\033[K");
    std::fprintf(stderr, "%s\n", text.c_str());
    m_lineOpen = false;
}

} // namespace tilewright::cli
