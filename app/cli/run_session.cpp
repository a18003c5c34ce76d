// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/run_session.h"

#include "app/cli/command.h"
#include "app/cli/interrupts.h"
#include "app/cli/progress.h"
#include "app/cli/report.h"
#include "core/control/server.h"
#include "core/model/work.h"
#include "core/protocol/killed.h"

#include <QCoreApplication>
#include <QTimer>
#include <csignal>
#include <cstdio>

namespace tilewright::cli {
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
            m_progress.say("not saved: what happened after "
                + (status.savedAtUtc.empty() ? std::string("the session was opened") : status.savedAtUtc));
        leave(status.unsaved ? exitCodeOf(status.troubleCode) : int(Interrupted));
    }

    void interrupted(int signal)
    {
        // A hand at the keys, a terminal that went, or a machine that shuts down, a batch system, a time limit.
        const bool isByHand = signal == SIGINT, isHungUp = signal == SIGHUP;
        const std::string why = isHungUp ? "its terminal was closed" : "the program was told to end from outside";
        if (isHungUp && m_isHungUp)
            return; // the shell and the system both tell of one closed terminal
        m_isHungUp = m_isHungUp || isHungUp;
        if (m_isResting && m_engine.snapshot()->status.phase != events::Phase::Running && !m_leaving)
            report(*m_engine.snapshot());
        if (++m_interruptions == 1) {
            if (m_engine.snapshot()->status.phase == events::Phase::Running)
                m_progress.say("pausing: what is being measured is finished first; interrupt again to stop at once");
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
        if (snapshot.status.pausedAsTold && m_interruptions == 0)
            return rest();
        report(snapshot);
        leave(exitCodeAfter(snapshot));
    }

    /// Paused through the socket: who said so goes on with further commands.
    void rest()
    {
        if (!std::exchange(m_isResting, true))
            m_progress.say("paused; 'tilewright-cli control FILE run' goes on, Ctrl-C ends");
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
        // Paused where a person has to decide, and all in order: more money, more tokens, better prompts.
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

} // namespace tilewright::cli
