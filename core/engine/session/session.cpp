// SPDX-License-Identifier: GPL-3.0-or-later
// Run control: phases, steps and the turn that keeps desk and pipeline busy.
#include "core/engine/session/session.h"

#include "core/base/text.h"
#include "core/engine/proposals/proposing.h"
#include "core/engine/replies/prompt_workshop.h"
#include "core/engine/session/undo_history.h"
#include "core/evolve/population.h"
#include "core/model/islands/living_islands.h"
#include "core/model/requests/steering_words.h"
#include "core/model/reviews/editing.h"
#include "core/model/tuning_record.h"

#include <algorithm>

namespace tilewright {
namespace {

/// Troubles that a new start may have got rid of.
bool isOfProposing(const std::string& code)
{
    return code.starts_with("proposer/") || code.starts_with("replay/") || code.starts_with("manual/")
        || code.starts_with("prompt/") || code.starts_with("llm/") || code.starts_with("models/")
        || code.starts_with("budget/") || code.starts_with("wait/");
}

/// How often the run's memory is written anew.
constexpr std::int64_t evaluationsAnInsight = 25;

/// Results since so many evaluations, without the versions of programs that are tuned before they are judged: they
/// teach nothing about ideas, and a model that writes the summary is paid for.
std::int64_t ideasSince(const RunState& state, std::int64_t evaluations)
{
    if (state.evaluationsDone - evaluations < evaluationsAnInsight)
        return 0;
    return std::ranges::count_if(state.candidates, [&](const Candidate& candidate) {
        return candidate.resultNumber > evaluations && !isVersion(state, candidate);
    });
}

} // namespace

std::int64_t Session::runNs() const
{
    if (!m_ledger)
        return m_recorded.runNs;
    return m_clock.isStarted() ? m_clock.ns() : m_ledger->state().runNs;
}

void Session::run()
{
    const bool isStep = isRunning() && isStepping();
    if (isRunning() && m_ending && m_ending->held == Held::Measure) // and now all of it runs
        m_ledger->record(events::PhaseChanged{events::Phase::Running, events::afterMeasuringAgain, m_clock.ns()});
    const bool goesOn = goOnInstead();
    if (isStep) { // else the record would read as if that had not ended
        endStep();
        m_ledger->record(events::PhaseChanged{events::Phase::Running, events::afterAStep, m_clock.ns()});
        schedule();
        Q_EMIT changed();
    }
    if (isStep || goesOn)
        return;
    onceDeviceIsHere([this] {
        endStep();
        begin("started");
    });
}

bool Session::goOnInstead()
{
    if (!m_ending || !isRunning())
        return false;
    m_ending.reset();
    if (!m_ledger->isBehind())
        tellEnd(); // a trouble of saving that was kept for the end is over
    endStep();
    armWallTimer();
    schedule();
    return true;
}

void Session::takeStep(const std::function<void()>& steering, const std::string& reason)
{
    if (goOnInstead())
        return steering();
    if (isRunning())
        return;
    onceDeviceIsHere([this, steering, reason] {
        endStep();
        steering();
        begin(reason);
    });
}

std::string Session::stepDone() const
{
    const RunState& state = m_ledger->state();
    if (m_stepTarget > 0 && placesTaken(state) >= m_stepTarget)
        return "one step done";
    return !m_admissionsWanted.empty() && resting().size() == state.islands.size() ? "each island has admitted one"
                                                                                   : std::string();
}

RestingIslands Session::resting() const
{
    RestingIslands resting;
    if (m_admissionsWanted.empty())
        return resting;
    for (const Island& island : m_ledger->state().islands) {
        const auto wanted = m_admissionsWanted.find(island.id);
        const bool isAwaited = wanted != m_admissionsWanted.end() && island.standing == Standing::Living
            && island.admissions < wanted->second;
        if (!isAwaited)
            resting.insert(island.id);
    }
    return resting;
}

void Session::endStep()
{
    m_stepTarget = 0;
    m_admissionsWanted.clear();
}

void Session::begin(const std::string& reason)
{
    if (isRunning())
        return;
    if (m_trouble.code == "node/missing" || m_trouble.code.starts_with("machine/") || isOfProposing(m_trouble.code))
        m_trouble = {};
    if (auto hasProposer = setProposer(); !hasProposer) {
        m_trouble = hasProposer.error();
        Q_EMIT failed(hasProposer.error());
        Q_EMIT changed();
        return;
    }
    m_ending.reset();
    m_endUntold = false;
    m_clock.start(m_ledger->state().runNs);
    m_waitIsTold = false;
    m_tick.start();
    m_pausedAsTold = false;
    m_ledger->record(events::PhaseChanged{events::Phase::Running, reason, m_ledger->state().runNs});
    m_intake->refresh();
    if (m_ledger->state().islands.empty())
        found({});
    m_intake->resumeOpen();
    if (m_ledger->state().candidates.empty())
        m_intake->plantSeed();
    m_pipeline->enqueueUnfinished();
    armWallTimer();
    m_node->start();
    schedule();
}

Result<Session::ProposerSetup> Session::proposerFor(const std::string& proposer) const
{
    auto proposing = proposingBy(proposer, m_ledger->pack());
    if (!proposing)
        return std::unexpected(proposing.error());
    ProposerSetup next{proposer, std::move(*proposing), {m_prompts, {}}};
    if (next.proposing.replySource && !m_prompts) {
        auto written = writtenPrompts();
        if (!written)
            return std::unexpected(written.error());
        next.prompts = std::move(*written);
    }
    return next;
}

std::string Session::ownProposer() const
{
    const std::string& proposer = m_ledger->state().settings.proposer;
    const bool isElsewhere = !m_modelsFile.empty() && wordsOfProposer(proposer).kind == "model";
    return isElsewhere ? "model:" + m_modelsFile : proposer;
}

Result<void> Session::setProposer()
{
    if (m_hasProposer)
        return {};
    m_intake->clearProposer();
    auto next = proposerFor(ownProposer());
    if (!next)
        return std::unexpected(next.error());
    setProposer(std::move(*next));
    return {};
}

void Session::setProposer(ProposerSetup next)
{
    Proposing& proposing = next.proposing;
    if (proposing.replySource) {
        m_ledger->learnKeysOf(next.proposer);
        m_intake->setProposer(std::move(proposing.replySource), std::move(next.prompts));
        const auto islands = static_cast<int>(m_ledger->state().islandCount());
        for (const std::string& words : islandsNamedInVain(next.proposer, islands))
            m_intake->requestQueue()->warn(words);
    } else {
        m_intake->setProposer(std::move(proposing.proposer));
    }
    const ProposerWords words = wordsOfProposer(next.proposer);
    m_replyResults.reset();
    if (words.kind == "manual" && !words.with.empty()) {
        m_replyResults = std::make_unique<ReplyResults>(*m_ledger, QString::fromStdString(words.with));
        connect(m_replyResults.get(), &ReplyResults::failed, this, [this](const QString& file, const QString& reason) {
            if (ModelRequestQueue* outside = m_intake->requestQueue())
                outside->warn((file + QStringLiteral(" cannot be written: ") + reason).toStdString());
        });
    }
    const auto isReplayed = [](const Proposal& proposal) { return proposal.proposer == "replay"; };
    if (!proposing.warning.empty() && std::ranges::none_of(m_ledger->state().proposals, isReplayed))
        m_ledger->record(events::Noted{"warning", proposing.warning, ""});
    m_hasProposer = true;
    m_next.reset();
}

void Session::handOver()
{
    if (m_intake->isAwaited())
        return; // replies that are paid for
    m_intake->clearProposer();
    if (m_next)
        setProposer(std::move(*m_next));
    else if (auto hasProposer = setProposer(); !hasProposer)
        return stuck(hasProposer.error());
    m_intake->resumeOpen();
    m_intake->refresh();
}

void Session::measureAgain()
{
    if (isRunning())
        return;
    const RunState& state = m_ledger->state();
    Ending back{state.phase, state.phaseReason, Held::Measure, state.phaseCode, m_pausedAsTold};
    begin("measuring again");
    if (!isRunning())
        return;
    m_wallTimer.stop(); // no budget is asked about a measurement that a user wants
    m_ending = std::move(back);
}

void Session::remember()
{
    const RunState& state = m_ledger->state();
    const InsightNote* last = state.newestInsight();
    if (ideasSince(state, last ? last->evaluations : 0) >= evaluationsAnInsight)
        m_intake->summarise();
}

void Session::stuck(const Error& error)
{
    m_trouble = error;
    const bool isOrderly = error.code.starts_with("budget/") || error.code == "proposer/fruitless";
    m_ledger->record(events::Noted{isOrderly ? "warning" : "error", m_trouble.text, m_trouble.hint});
    // What is there was paid for: it is measured before the run rests.
    if (isRunning())
        endWhenIdle(
            events::Phase::Paused, m_trouble.text, error.code.starts_with("budget/") ? error.code : "", Held::Await);
}

void Session::unsaved(const Error& error)
{
    const bool isNews = m_savingTrouble != error.code;
    m_savingTrouble = error.code;
    m_trouble = error;
    if (isNews)
        Q_EMIT failed(error);
    if (isRunning())
        endWhenIdle(events::Phase::Paused, "it could not be saved at that time: " + error.text); // may be over by then
    Q_EMIT changed();
}

void Session::tellEnd()
{
    if (std::exchange(m_endUntold, false))
        Q_EMIT phaseEnded();
    if (m_trouble.code == std::exchange(m_savingTrouble, {}))
        m_trouble = {};
    Q_EMIT changed();
}

void Session::schedule()
{
    if (std::exchange(m_scheduled, true))
        return;
    QTimer::singleShot(0, this, [this] {
        m_scheduled = false;
        turn();
    });
}

void Session::turn()
{
    if (!m_ending)
        (void)m_intake->askForJudgements(); // what cannot be asked is told in the log
    if (!isRunning())
        return;
    if (std::string done = m_ending ? std::string() : stepDone(); !done.empty())
        m_ending = Ending{events::Phase::Paused, std::move(done), Held::Leave, {}, true};
    if (m_ending && m_ending->code == "budget/no-gain" && !gainIsOverdue())
        m_ending.reset(); // what was finished meanwhile is better
    if (!m_ending && gainIsOverdue())
        m_ending = Ending{events::Phase::Finished,
            "no improvement in " + std::to_string(m_ledger->state().settings.budget.noGain) + " evaluations",
            Held::Await, "budget/no-gain"};
    if (!m_ending && budgetIsSpent())
        m_ending = Ending{events::Phase::Finished, "evaluation budget exhausted", Held::Await, "budget/evaluations"};
    m_pipeline->admit(admission());
    m_pipeline->pump();
    if (!m_ending && !m_hasProposer)
        handOver();
    const bool canAsk = m_ending || !m_hasProposer || propose();
    m_pipeline->pumpAll();
    endStepThatWaits(canAsk);
    m_pipeline->admit({}); // between turns nothing starts
    const bool rests = m_pipeline->isIdle() || (m_ending && m_ending->held != Held::Await && isHeldUp());
    if (m_ending && rests && !m_intake->isAwaited() && !awaitsReviews())
        return endAsAsked();
    countTimeOrNot();
}

Pipeline::Admission Session::admission() const
{
    const bool takesMore = !m_ending || (m_ending->held == Held::Await && m_ending->phase == events::Phase::Paused);
    if (takesMore)
        return {true, true, evaluationsLeft()};
    if (m_ending->held == Held::Leave)
        return {};
    if (m_ending->held == Held::Measure)
        return {true, false, 0};
    // At the budget's end what is counted already goes on: candidates that a user has approved. What they were given
    // in place of one is measured as well, though it counts anew.
    return {true, true, m_ending->code == "budget/evaluations" ? editsToMeasure() : 0};
}

bool Session::isHeldUp() const
{
    return m_pipeline->isHeld() || (m_pipeline->deviceTakenFor() && m_pipeline->onlyDevicesFly());
}

bool Session::propose()
{
    const RunState& state = m_ledger->state();
    // Everything is measured against the seed: it comes first, alone. Where the machine is too busy to time it, others
    // are made, built and checked meanwhile, and wait for it at the device, or for a user.
    if (state.candidates.empty() || (isSeedAwaited(state) && !m_pipeline->struggle()))
        return true;
    const auto queued = [&] { return static_cast<std::int64_t>(m_pipeline->queued()); };
    const RestingIslands resting = this->resting();
    bool asked = true;
    while (asked && m_intake->hasRoom(m_pipeline->room()) && evaluationsLeft() > queued() + m_intake->pending()) {
        asked = m_intake->ask(resting);
        if (asked)
            m_pipeline->pump();
    }
    const bool isOver = !asked && !m_ending && m_pipeline->isIdle() && m_pipeline->queued() == 0
        && m_intake->pending() == 0 && !m_intake->isWaiting() && !awaitsReviews();
    if (isOver && m_intake->repliesAreSpent())
        m_ending = Ending{events::Phase::Finished, "reply budget exhausted", Held::Await, "budget/replies"};
    else if (isOver && m_intake->isFruitless())
        stuck(
            {"proposer/fruitless", m_intake->exhaustion(), "check the replies and the prompts, then resume", nullptr});
    else if (const auto fits
             = isOver ? checkFit(wordsOfProposer(state.settings.proposer).kind, *m_pack, state) : Result<void>();
             !fits)
        stuck(fits.error()); // it had nothing to do from the start: a session that was made without asking
    else if (isOver) // of a step: those that rest may know more to try
        m_ending = Ending{resting.empty() ? events::Phase::Finished : events::Phase::Paused, m_intake->exhaustion(),
            Held::Leave, {}, !resting.empty()};
    return asked;
}

void Session::halted(const Error& error)
{
    m_trouble = error;
    m_ledger->record(events::Noted{"error", m_trouble.text, m_trouble.hint});
    if (isRunning())
        endNow(events::Phase::Stopped, m_trouble.text);
}

void Session::hindered(const Error& error)
{
    m_trouble = error;
    m_ledger->record(events::Noted{"error", m_trouble.text, m_trouble.hint});
    if (isRunning())
        endNow(events::Phase::Paused, m_trouble.text);
}

} // namespace tilewright
