// SPDX-License-Identifier: GPL-3.0-or-later
// One open session: what the engine's commands do to it. For writing it holds ledger, proposal desk, pipeline and node;
// read-only it holds a state and a reader. Owner: Engine, on its thread.
#pragma once

#include "core/engine/engine.h"
#include "core/engine/measuring/listings.h"
#include "core/engine/measuring/pipeline.h"
#include "core/engine/proposals/candidate_commands.h"
#include "core/engine/proposals/proposal_intake.h"
#include "core/engine/proposals/proposing.h"
#include "core/engine/replies/prompt_workshop.h"
#include "core/engine/replies/reply_results.h"
#include "core/engine/session/run_clock.h"
#include "core/store/session_reader.h"

#include <QElapsedTimer>
#include <deque>
#include <map>

namespace tilewright {

class Session : public QObject
{
    Q_OBJECT

public:
    /// How prompts are written, if not by the templates.
    void setPrompts(PromptSource prompts) { m_prompts = std::move(prompts); }
    void setModelsFile(const std::string& file) { m_modelsFile = file; }
    void setReplyGrace(std::chrono::milliseconds grace) { m_grace.setInterval(grace); }
    static Result<std::unique_ptr<Session>> create(const NewSession& session);
    /// For writing if that is possible, else read-only with the reason in the status.
    static Result<std::unique_ptr<Session>> open(const std::string& path, const ReplayWatch& watch = {});
    ~Session() override;

    void startNode(const QStringList& command, std::chrono::milliseconds silenceLimit);
    bool isReadOnly() const { return m_ledger == nullptr; }
    std::string readOnlyReason() const { return m_trouble.text; }

    /// As Engine's.
    void onceDeviceIsHere(std::function<void()> work);
    /// Carries out a command; of a session that is read only, SaveCopy alone.
    Receipt execute(const Command& command);
    void run();
    const RunState& state() const { return m_ledger ? m_ledger->state() : m_recorded; }
    /// Whether ApproveEdited, or Inject for a child, would take this text, and whether it builds. Answers later, once,
    /// and records nothing. The number is for dropEditCheck(); 0 where nothing is built for it. Not for a session that
    /// is read only.
    quint64 checkEdit(CandidateId candidate, const std::string& text, EditAs as, EditChecks::Answer answer);
    void dropEditCheck(quint64 number);
    /// Also for a session that is read only.
    PromptPreview previewPrompt(const PromptDraft& draft);
    /// Also for a session that is read only, by a node of its own. Answers later, once; errors as listingRequestFor(),
    /// Listings::ask() and of the node. The number is for dropListing(); 0 where it was answered at once.
    quint64 askForListing(CandidateId candidate, std::optional<ListingForm> form, Listings::Answer answer);
    void dropListing(quint64 number);
    void close(); ///< closed() follows

    std::string text(const Hash& hash);
    void fill(Snapshot& snapshot);

Q_SIGNALS:
    void changed();
    void failed(tilewright::Error error);
    void phaseEnded();
    void closed();

private:
    /// A specialisation for each command, in session_commands.cpp; errors as command.h says.
    template <typename Kind> Result<void> carryOut(const Kind& command);
    /// As far as they can be: the error is that of the first that cannot.
    Receipt undone(const commands::Undo& undo);

    /// What becomes of candidates that the machine is too busy to measure, or that wait for a review: the run ends
    /// without them, or after them. Measure: only what a user wants measured again goes on until the end.
    enum class Held { Leave, Await, Measure };
    struct Ending {
        events::Phase phase;
        std::string reason;
        Held held = Held::Leave;
        std::string code = {}; ///< the budget that is used up
        bool asTold = false; ///< a user said so
    };

    Session() = default;
    void adopt(std::unique_ptr<Ledger> ledger);
    /// The islands come to be: those of the strategy, steered as a user said.
    void found(const std::map<IslandId, IslandSteering>& steering);
    void recover();
    void begin(const std::string& reason);
    /// What may begin in this turn.
    Pipeline::Admission admission() const;
    /// Pausing, and changed their mind: the run goes on. False where it is not about to rest.
    bool goOnInstead();
    /// Begins so that the steering request decides when the step is done; of a run that is about to rest, before it
    /// does.
    void takeStep(const std::function<void()>& steering, const std::string& reason);
    /// Who proposes from here on, with what was read of their files.
    struct ProposerSetup {
        std::string proposer;
        Proposing proposing;
        PromptSources prompts;
    };
    /// Errors of proposingBy() and writtenPrompts().
    Result<ProposerSetup> proposerFor(const std::string& proposer) const;
    /// The settings' proposer, with the models file that stands in its place.
    std::string ownProposer() const;
    /// Finds out who proposes; once. Errors as employment().
    Result<void> setProposer();
    void setProposer(ProposerSetup next);
    /// Whether those whom an order gives a weight on an island can be asked. Errors of checkProposers().
    Result<void> checkAskable(const IslandCommand& order) const;
    /// Another proposer was chosen while the run goes on: once nothing of the one before is awaited, it takes over.
    void handOver();
    /// Errors: why the session's device is not here; device/unknown before the node told.
    Result<void> checkDeviceIsHere();
    /// As CandidateCommands::OtherDevice.
    Result<std::string> otherDevice(const std::string& wanted) const;
    void stuck(const Error& error);
    /// Asks for an end once nothing flies any more. code: the budget that is used up, else empty.
    void endWhenIdle(
        events::Phase phase, const std::string& reason, const std::string& code = {}, Held held = Held::Leave);
    void endNow(events::Phase phase, std::string reason, std::string code = {});
    /// What was asked for is over: it ends as that said.
    void endAsAsked();
    /// "2 requests", "1 build": what works for the run now.
    std::vector<std::string> wordsOfFlight() const;
    /// The wall time is used up, and so is the patience with replies under way: they are recorded as at a stop.
    void graceIsOver();
    /// The file could not be written: told once, and the run pauses.
    void unsaved(const Error& error);
    /// Says that the phase ended, once all that it tells is in the file.
    void tellEnd();
    bool isRunning() const { return m_ledger && m_ledger->state().phase == events::Phase::Running; }
    std::int64_t runNs() const;
    /// Evaluations that the budget still allows, queued candidates left aside; a large number without a budget.
    std::int64_t evaluationsLeft() const;
    /// Edits that a user approved in place of candidates and whose build has not begun.
    std::int64_t editsToMeasure() const;
    void schedule();
    void turn();
    /// False: nobody who may be asked has anything to propose now.
    bool propose();
    bool budgetIsSpent() const;
    bool gainIsOverdue() const;
    /// What the step that is under way was for is there: why the run pauses. Empty before that, and without a step.
    std::string stepDone() const;
    /// Those whose part of a step of all islands is there, or who have none in it.
    RestingIslands resting() const;
    void endStep();
    bool isStepping() const { return m_stepTarget > 0 || !m_admissionsWanted.empty(); }
    /// Every so many evaluations the run's memory is written anew.
    void remember();
    /// Over the last minute of run time; 0 while nothing moves.
    double evaluationsPerMinute();
    void noteResults();
    std::int64_t rateNs() const; ///< of run time that evaluationsPerMinute() is taken over
    void fillStatistics(Snapshot& snapshot);
    void fillDevices(EngineStatus& status) const;
    void fillOutside(EngineStatus& status) const;
    void nodeReady();
    /// Says why nothing can be measured here, and forgets what waited for the device.
    void refuseToStart(const Error& why);
    void nodeGivenUp(const QString& reason, const QString& hint);
    void halted(const Error& error);
    void hindered(const Error& error);
    void armWallTimer();
    bool needsBudget() const;
    /// Nothing can be measured, for no fault of this run.
    bool isHeldUp() const;
    void fillWaiting(EngineStatus& status) const;
    /// Candidates wait for a user, and the run does not end without them.
    bool awaitsReviews() const;
    /// The run does nothing but wait for a user's word on candidates.
    bool awaitsOnlyPerson() const;
    /// Nobody can be asked just now, for a reason that is no user's matter.
    bool waitsForOthers() const;
    /// Such time is not counted, as in a pause.
    void countTimeOrNot();
    /// A step that only a user's word would lead on ends: `canAsk`, whether proposers may be asked for more now.
    void endStepThatWaits(bool canAsk);
    /// Such a wait lasts: it is put on record.
    void tellWait();
    Result<const PromptWorkshop*> workshop();
    /// How long prompts for an island may be; no limit while nobody outside proposes.
    /// By whoever is employed; of models, by their file as it is now before anybody is.
    PromptRoom roomFor(IslandId island) const;
    /// The steering request that sends the previewed prompt once. Errors: as PromptWorkshop::once().
    Result<SteeringRequest> sendable(const PromptDraft& draft);
    /// Puts the questions to a judge that wait; whoever answers is found for it, run or no run. Errors: why they never
    /// can be put.
    Result<void> askJudges();
    ProposerView view();
    /// A run that does not go on measures what is to be measured again, then stands where it stood.
    void measureAgain();
    /// Nothing is built, checked or asked any more for an island that was taken back.
    void stopWorkFor(const events::IslandChangeUndone& undone);
    Result<void> undoReview(CandidateId candidate);
    /// Candidates may have been approved: those go on.
    void takeUpApproved();

    std::unique_ptr<Ledger> m_ledger;
    std::unique_ptr<NodeConnection> m_node;
    std::unique_ptr<Listings> m_listings; ///< null in a read-only session until somebody asks; its node, too
    std::unique_ptr<EditChecks> m_edits;
    std::unique_ptr<ProposalIntake> m_intake;
    std::unique_ptr<ReviewGate> m_gate;
    std::unique_ptr<Pipeline> m_pipeline;
    std::unique_ptr<CandidateCommands> m_candidateCommands;
    std::unique_ptr<ReplyResults> m_replyResults; ///< null unless replies come from a folder
    bool m_nodeStarted = false;
    QStringList m_nodeCommand;
    std::chrono::milliseconds m_silenceLimit{};
    PromptSource m_prompts; ///< in place of the templates
    std::string m_modelsFile; ///< in place of the settings' one; empty: that one
    bool m_hasProposer = false;
    std::optional<ProposerSetup> m_next; ///< was chosen while the run goes on, and takes over as its files were then
    std::optional<PromptWorkshop> m_workshop; ///< opened when it is first needed

    // Read-only sessions.
    std::unique_ptr<SessionReader> m_reader;
    RunState m_recorded;
    std::shared_ptr<const TaskPack> m_pack;
    std::string m_path, m_recordedAtUtc;

    std::optional<Ending> m_ending;
    bool m_pausedAsTold = false;
    bool m_isUndoing = false; ///< what is recorded undoes a change of settings
    std::int64_t m_stepTarget = 0; ///< places taken, with which a single step is done; 0 = no step
    std::map<IslandId, std::int64_t> m_admissionsWanted; ///< after which a step of all islands is done; empty: no step
    bool m_scheduled = false;
    RunClock m_clock; ///< started while running
    bool m_waitIsTold = false; ///< that it stands is in the record
    QTimer m_wallTimer;
    QTimer m_grace; ///< since the wall time is used up: replies under way are waited for until it rings
    QTimer m_tick; ///< while it runs: what the screen tells changes by itself
    int m_lostInARow = 0; ///< ends of the node without a greeting in between
    std::optional<Error> m_otherDevice; ///< the session's device is not here: it may be looked at, not go on
    bool m_deviceIsHere = true; ///< as far as the node has told; false for a session from before until it has
    std::function<void()> m_onceHere; ///< waits for that
    Error m_trouble; ///< code empty if all is well
    std::string m_savingTrouble; ///< code of the trouble with the file that was told; empty if there was none
    bool m_endUntold = false;
    std::string m_recoveredText;
    std::optional<Telemetry> m_telemetry;
    std::map<std::string, Telemetry> m_latestTelemetry; ///< the latest of each device of the node
    std::shared_ptr<const RunStatistics> m_statistics;
    std::int64_t m_statisticsSeq = -1; ///< of the last event in them
    QElapsedTimer m_statisticsAge;
    std::int64_t m_ranBeforeOpening = 0; ///< ns
    std::int64_t m_resultsNoted = 0; ///< RunState::resultsEver then
    std::deque<std::int64_t> m_finishedAt; ///< ns of run time, last minute of it
};

} // namespace tilewright
