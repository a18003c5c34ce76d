// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/progress.h"

#include "app/cli/interrupts.h"
#include "app/cli/report.h"
#include "app/cli/subcommand.h"
#include "core/base/format.h"
#include "core/base/text.h"
#include "core/control/server.h"
#include "core/engine/session/run_activity.h"
#include "core/model/best.h"
#include "core/model/measurement/evidence.h"
#include "core/model/spent_budget.h"
#include "core/model/work.h"
#include "core/protocol/killed.h"

#include <QCoreApplication>
#include <QTimer>
#include <algorithm>
#include <cmath>
#include <csignal>
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
    const std::vector<IslandId>& fallbacks = snapshot.status.mutatorOnly;
    if (fallbacks.empty())
        return {};
    const auto living = std::ranges::count(snapshot.run.islands, Standing::Living, &Island::standing);
    std::vector<std::string> letters;
    for (const IslandId island : fallbacks)
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
        // By the record: what waits for a user still does when the run stops waiting.
        const auto open = std::ranges::count(run.modelRequests, ModelRequestState::Open, &ModelRequest::state);
        text = " · " + std::to_string(open) + (open == 1 ? " prompt open" : " prompts open");
    }
    if (status.models.empty())
        return text;
    text = " · " + std::to_string(status.openModelRequests.size()) + " in flight · " + tokensText(run.tokensSpent)
        + " · " + costText(run);
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
        line += " (" + std::to_string(open) + " more in progress)";
    if (const Candidate* best = run.best(); best && best->score) {
        line += " · best " + fixedText(best->score->value, 2) + "× (" + candidateName(best->id) + ")";
        if (best->vsVendor)
            line += " " + fixedText(best->vsVendor->value, 2) + "× " + vendorWordsOf(run, *best);
        if (const auto lower = lowerScoreOf(run))
            line += " (" + wordsOf(*lower, best->id) + ")";
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
        line += " · " + remainingText(std::chrono::nanoseconds(std::llround(*left * 1e9))) + " left";
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

namespace {

/// Sees one run through; lives for one call of runToEnd.
class Attendant
{
public:
    Attendant(Engine& engine, bool json)
        : m_engine(engine)
        , m_json(json)
    {
        QObject::connect(&engine, &Engine::published, &m_context, [this](const SnapshotPtr& snapshot) {
            if (m_leaving)
                return;
            const bool isRunning = snapshot->status.phase == events::Phase::Running;
            m_isResting = m_isResting && !isRunning;
            if (!m_isResting)
                m_progress.show(*snapshot);
            noteWait(*snapshot);
            noteLosses(snapshot->run);
            if (m_interruptions > 0 && snapshot->status.unsaved && snapshot->status.phase != events::Phase::Running)
                giveUp();
        });
        QObject::connect(&engine, &Engine::failed, &m_context,
            [this](const QString& code, const QString& text, const QString& hint) {
                failed({code.toStdString(), text.toStdString(), hint.toStdString(), nullptr});
            });
        QObject::connect(&engine, &Engine::executed, &m_context, [this](const Receipt& receipt) {
            if (!receipt.isDone())
                failed(receipt.error);
        });
        QObject::connect(
            &engine, &Engine::phaseEnded, &m_context, [this](const SnapshotPtr& snapshot) { ended(*snapshot); });
        QObject::connect(&engine, &Engine::closed, &m_context, [this] { QCoreApplication::exit(m_exitCode); });
        QObject::connect(
            &m_interrupts, &Interrupts::interrupted, &m_context, [this](int signal) { interrupted(signal); });
    }

private:
    void failed(const Error& error)
    {
        if (m_leaving)
            return;
        m_progress.say("tilewright-cli: " + error.line());
        m_said = error.line();
        if (m_isResting)
            return; // a command was refused: the next one may fare better
        // A run that goes on in spite of it ends by its phase; one that cannot be saved waits until it can.
        const EngineStatus status = m_engine.snapshot()->status;
        if (status.phase != events::Phase::Running && !status.unsaved)
            leave(exitCodeOf(error.code));
    }

    /// Interrupted once nothing runs any more; what could not be saved until then is lost.
    void giveUp()
    {
        if (m_leaving)
            return;
        const EngineStatus status = m_engine.snapshot()->status;
        if (status.unsaved)
            m_progress.say("not saved: events after "
                + (status.savedAtUtc.empty() ? std::string("the session was opened") : status.savedAtUtc));
        leave(status.unsaved ? exitCodeOf(status.troubleCode) : int(Interrupted));
    }

    void interrupted(int signal)
    {
        // A hand at the keys, a terminal that went, or a machine that shuts down, a batch system, a time limit.
        const bool isByHand = signal == SIGINT, isHungUp = signal == SIGHUP;
        const std::string why = isHungUp ? "the terminal was closed" : "the program was ended externally";
        if (isHungUp && m_isHungUp)
            return; // the shell and the system both tell of one closed terminal
        m_isHungUp = m_isHungUp || isHungUp;
        if (m_isResting && m_engine.snapshot()->status.phase != events::Phase::Running && !m_leaving)
            report(*m_engine.snapshot());
        if (++m_interruptions == 1) {
            if (m_engine.snapshot()->status.phase == events::Phase::Running)
                m_progress.say("pausing after in-flight measurements; interrupt again to stop at once");
            m_engine.execute(isByHand ? commands::Pause{} : commands::Pause{why});
        } else if (m_interruptions == 2) {
            m_engine.execute(isByHand ? commands::Stop{} : commands::Stop{why});
        }
        if (m_engine.snapshot()->status.phase != events::Phase::Running)
            giveUp();
    }

    void ended(const Snapshot& snapshot)
    {
        m_progress.finish(snapshot);
        if (snapshot.status.pausedAsTold && m_interruptions == 0 && !isAtItsEnd(snapshot.run))
            return rest();
        report(snapshot);
        leave(exitCodeAfter(snapshot));
    }

    /// Nothing is left that a further command could let go on: a budget is used up, and no candidate is under way or
    /// waits for a review.
    static bool isAtItsEnd(const RunState& run)
    {
        const bool isSpent = !spentAlready(spentBy(run, run.runNs), run.settings.budget).empty();
        return isSpent && std::ranges::all_of(run.candidates, &Candidate::isOver);
    }

    /// Paused through the socket: who said so goes on with further commands.
    void rest()
    {
        if (!std::exchange(m_isResting, true))
            m_progress.say("paused; 'tilewright-cli control FILE run' resumes, Ctrl-C ends");
    }

    void report(const Snapshot& snapshot)
    {
        const Error trouble{snapshot.status.troubleCode, snapshot.status.trouble, snapshot.status.troubleHint, nullptr};
        if (!trouble.text.empty() && trouble.line() != m_said)
            complain(trouble);
        const bool waited = !m_waitCode.empty() && m_waitedAt == snapshot.run.evaluationsDone;
        if (m_json) {
            nlohmann::json json = runJson(snapshot.status.sessionPath, snapshot.run);
            if (waited)
                json["waited_for"] = {{"code", m_waitCode}, {"text", m_waitText}};
            printJson(json);
        } else {
            std::fputs(runText(snapshot.status.sessionPath, snapshot.run).c_str(), stdout);
            if (waited)
                std::printf("at the end   %s\n", m_waitText.c_str());
        }
        std::fflush(stdout);
    }

    /// What the run waits for, without when it goes on: after the last evaluation nothing else may tell why none
    /// followed.
    void noteWait(const Snapshot& snapshot)
    {
        if (snapshot.status.waiting.empty())
            return;
        const EngineStatus& status = snapshot.status;
        if (status.waitingCode != m_waitCode && status.waitingCode == status.troubleCode && !status.troubleHint.empty())
            m_progress.say(status.troubleHint);
        m_waitCode = snapshot.status.waitingCode;
        m_waitText = snapshot.status.waiting.substr(0, snapshot.status.waiting.rfind("; "));
        m_waitedAt = snapshot.run.evaluationsDone;
    }

    /// Processes that somebody else ended, and nodes that were lost, as they are told in the log from here on.
    void noteLosses(const RunState& run)
    {
        const auto isLoss = [](const LogLine& line) {
            return line.severity == "warning"
                && (line.text.ends_with(triedAgain) || line.text.ends_with(nodeStartedAnew));
        };
        std::size_t at = run.log.size();
        while (m_logSeen && at > 0 && run.log[at - 1].seq > *m_logSeen)
            --at;
        for (; at < run.log.size(); ++at)
            if (isLoss(run.log[at]))
                m_progress.say(run.log[at].text);
        m_logSeen = run.lastSeq;
    }

    int exitCodeAfter(const Snapshot& snapshot) const
    {
        if (snapshot.run.phase == events::Phase::Finished)
            return Done;
        if (m_interruptions > 0)
            return Interrupted;
        // Paused where a user has to decide, and all in order: more money, more tokens, better prompts.
        const std::string& code = snapshot.status.troubleCode;
        if (code.starts_with("budget/") || code == "proposer/fruitless")
            return Done;
        if (code == "run/halted") {
            const Candidate* seed = snapshot.run.candidate(CandidateId{1});
            if (seed && !seed->rule.empty() && exitCodeOf(seed->rule) == Missing)
                return Missing; // the compiler
            const bool refused = seed && (seed->outcome == Outcome::Refused || seed->outcome == Outcome::Quarantined);
            return refused ? RefusedByRule : BuildOrRunFailed;
        }
        const events::Phase phase = snapshot.run.phase;
        if (code.empty() && (phase == events::Phase::Stopped || phase == events::Phase::Paused))
            return Done; // by hand, from the window or by tilewright-cli control
        return code.empty() ? Internal : exitCodeOf(code);
    }

    void leave(int code)
    {
        if (std::exchange(m_leaving, true))
            return;
        m_exitCode = code;
        QTimer::singleShot(0, &m_engine, [this] { m_engine.close(); });
    }

    Engine& m_engine;
    bool m_json;
    std::string m_said; ///< the last trouble
    std::string m_waitCode, m_waitText; ///< what was waited for last
    std::int64_t m_waitedAt = 0; ///< evaluations that were done then
    QObject m_context;
    Interrupts m_interrupts;
    Progress m_progress;
    int m_interruptions = 0, m_exitCode = Internal;
    std::optional<std::int64_t> m_logSeen; ///< the last event whose line was looked at
    bool m_leaving = false;
    bool m_isHungUp = false; ///< told so once
    bool m_isResting = false; ///< paused by a command: the socket is served until the next one, or an interruption
};

} // namespace

int runToEnd(Engine& engine, bool json, const std::function<void()>& start)
{
    Attendant attendant(engine, json);
    new ControlServer(engine); // the engine's child
    QTimer::singleShot(0, &engine, start);
    return QCoreApplication::exec();
}

EvaluationWatch complaining()
{
    EvaluationWatch watch;
    watch.say = [](const std::string& text) { complain(text); };
    return watch;
}

} // namespace tilewright::cli
