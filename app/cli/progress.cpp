// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/progress.h"

#include "core/base/format.h"
#include "core/base/text.h"
#include "core/engine/run_activity.h"
#include "core/model/evidence.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <unistd.h>

namespace tilewright::cli {
namespace {

constexpr qint64 plainIntervalMs = 5000;
constexpr std::int64_t fewestToJudgeBy = 3; ///< results
constexpr qint64 plainIntervalWhileWaitingMs = 30'000; ///< nothing is new, but somebody may wonder

/// Seconds until the nearer budget is used up. None without a budget, and none where the rate is no sign of what comes:
/// before a few results, while the run waits for something, and once all is under way that the budget allows.
std::optional<double> timeToGo(const Snapshot& snapshot)
{
    const Budget& budget = snapshot.run.settings.budget;
    std::optional<double> left;
    if (budget.wallSeconds > 0)
        left = std::max(0.0, budget.wallSeconds - static_cast<double>(snapshot.status.runNs) * 1e-9);
    const std::int64_t done = snapshot.run.evaluationsDone;
    const bool isMoving = snapshot.status.evaluationsPerMinute > 0 && !activityOf(snapshot).isHeldUp();
    if (budget.evaluations > 0 && done >= fewestToJudgeBy && isMoving) {
        const auto open = static_cast<double>(std::max<std::int64_t>(0, budget.evaluations - done));
        const double byRate = open * 60 / snapshot.status.evaluationsPerMinute;
        left = left ? std::min(*left, byRate) : byRate;
    }
    return left && *left >= 0.5 ? left : std::nullopt;
}

std::string tokensText(std::int64_t tokens)
{
    if (tokens < 10'000)
        return std::to_string(tokens) + " tokens";
    if (tokens < 1'000'000)
        return fixedText(static_cast<double>(tokens) * 1e-3, 0) + " k tokens";
    return fixedText(static_cast<double>(tokens) * 1e-6, 2) + " M tokens";
}

/// " · mutator only" where it stands in on all islands that search, else which those are.
std::string mutatorOnlyText(const Snapshot& snapshot)
{
    const std::vector<IslandId>& standIns = snapshot.status.mutatorOnly;
    if (standIns.empty())
        return {};
    const auto living = std::ranges::count(snapshot.run.islands, Standing::Living, &Island::standing);
    std::vector<std::string> letters;
    for (const IslandId island : standIns)
        letters.push_back(islandLetter(island));
    const bool isEverywhere = static_cast<std::ptrdiff_t>(letters.size()) == living;
    return " · mutator only" + (isEverywhere ? "" : " on " + joined(letters, ", "));
}

/// Questions that are out and what was used; empty where nobody outside is asked.
std::string outsideText(const Snapshot& snapshot)
{
    const RunState& run = snapshot.run;
    const EngineStatus& status = snapshot.status;
    std::string text;
    if (status.answersByHand) {
        // By the record: what waits for a person still does when the run stops waiting.
        const auto open = std::ranges::count(run.inquiries, InquiryState::Open, &Inquiry::state);
        text = " · " + std::to_string(open) + (open == 1 ? " prompt open" : " prompts open");
    }
    if (status.models.empty())
        return text;
    text = " · " + std::to_string(status.openInquiries.size()) + " under way · " + tokensText(run.tokensSpent) + " · "
        + costText(run);
    text += mutatorOnlyText(snapshot);
    for (const ModelStatus& model : status.models)
        if (model.condition != ModelCondition::Ready)
            text += " · model " + model.name + ": " + model.text;
    return text;
}

} // namespace

std::string costText(const RunState& run)
{
    if (run.costMicroUsd == 0 && run.unpriced > 0)
        return "cost unknown";
    return (run.unpriced > 0 ? "at least " : "")
        + fixedText(static_cast<double>(run.costMicroUsd) * 1e-6, run.costMicroUsd < 1'000'000 ? 4 : 2) + " $";
}

std::string progressLine(const Snapshot& snapshot)
{
    const RunState& run = snapshot.run;
    const std::int64_t budget = run.settings.budget.evaluations, done = run.evaluationsDone;
    std::string line = budget > 0 ? std::to_string(done) + "/" + counted(budget, "evaluation", "evaluations")
                                  : counted(done, "evaluation", "evaluations");
    if (const std::int64_t open = run.evaluationsStarted - run.evaluationsDone; open > 0)
        line += " (" + std::to_string(open) + " more begun)";
    if (const Candidate* best = run.best(); best && best->score) {
        line += " · best " + fixedText(best->score->value, 2) + "× (" + candidateName(best->id) + ")";
        if (best->vsVendor)
            line += " " + fixedText(best->vsVendor->value, 2) + "× " + vendorWordsOf(run, *best);
    }
    line += " · " + fixedText(snapshot.status.evaluationsPerMinute, 0) + "/min";
    const RunActivity activity = activityOf(snapshot);
    const bool isCounted = activity.count > 0; // else the words of the wait say all
    if (activity.isHeldUp() && (isCounted || snapshot.status.waiting.empty()))
        line += " · " + describe(activity);
    if (!snapshot.status.waiting.empty())
        line += " · " + snapshot.status.waiting;
    line += outsideText(snapshot);
    if (snapshot.status.unsaved)
        line += " · not saved";
    if (snapshot.status.pausing)
        line += " · pausing";
    else if (const auto left = timeToGo(snapshot))
        line += " · " + remainingText(std::chrono::nanoseconds(std::llround(*left * 1e9))) + " to go";
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
    for (; m_noticesSaid < snapshot.status.notices.size(); ++m_noticesSaid)
        say(snapshot.status.notices[m_noticesSaid]);
    if (!m_terminal) {
        std::string news = std::to_string(snapshot.run.evaluationsDone) + mutatorOnlyText(snapshot);
        for (const ModelStatus& model : snapshot.status.models)
            if (model.condition != ModelCondition::Ready)
                news += model.name + std::to_string(model.failuresInRow);
        const bool isLongWait
            = !snapshot.status.waiting.empty() && m_sincePlain.elapsed() >= plainIntervalWhileWaitingMs;
        const bool isNewWait = snapshot.status.waitingCode != m_waitSaid;
        if (!isLongWait && !isNewWait && (m_sincePlain.elapsed() < plainIntervalMs || news == m_plainNews))
            return;
        m_sincePlain.start();
        m_plainNews = std::move(news);
        m_waitSaid = snapshot.status.waitingCode;
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
