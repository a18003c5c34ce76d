// SPDX-License-Identifier: GPL-3.0-or-later
// The commands on single candidates: checks each, and records what it does. Owner: Session, on the engine's
// thread.
#pragma once

#include "core/engine/command.h"
#include "core/engine/measuring/pipeline.h"
#include "core/engine/proposals/proposal_intake.h"

#include <functional>

namespace tilewright {

class CandidateCommands
{
public:
    /// What a prompt needs that is sent at a user's word.
    struct Prompts {
        /// As PromptWorkshop::once().
        std::function<Result<tilewright::SteeringRequest>(const PromptDraft&)> once;
        /// Puts the questions to a judge that wait, if one can be asked now. Errors: why they never can; they are
        /// dropped.
        std::function<Result<void>()> askJudges;
    };

    /// The id of another device than the run's, by its name or id, if programs of this task run there; "" for the run's
    /// own. Errors: device/….
    using OtherDevice = std::function<Result<std::string>(const std::string& wanted)>;

    CandidateCommands(
        Ledger& ledger, ProposalIntake& intake, Pipeline& pipeline, Prompts prompts, OtherDevice otherDevice)
        : m_ledger(ledger)
        , m_intake(intake)
        , m_pipeline(pipeline)
        , m_prompts(std::move(prompts))
        , m_otherDevice(std::move(otherDevice))
    {
    }

    /// Errors: candidate/unknown, island/unknown, mark/…, steering request/…, place/…, inject/…, rerun/…, shapes/…,
    /// device/…, judge/…, prompt/… of a draft that is to be sent, and the refusal's rule of an injected text that does
    /// not apply.
    Result<void> carryOut(const CandidateCommand& command);

private:
    Result<void> carryOut(const commands::SetMarks& command);
    Result<void> carryOut(const commands::UndoMarks& command);
    Result<void> carryOut(const commands::RequestEdits& command);
    Result<void> carryOut(const commands::CancelRequests& command);
    Result<void> carryOut(const commands::Place& command);
    Result<void> carryOut(const commands::UndoPlacement& command);
    Result<void> carryOut(const commands::Inject& command);
    Result<void> carryOut(const commands::Withdraw& command);
    Result<void> carryOut(const commands::Rerun& command);
    Result<void> carryOut(const commands::CancelReruns& command);
    Result<void> carryOut(const commands::SendPrompt& command);
    Result<void> carryOut(const commands::RequestJudgement& command);
    /// A model is asked about an edit with this prompt.
    Result<void> judged(CandidateId candidate, SteeringPrompt prompt);
    /// Records it under the next id.
    void steering(CandidateId parent, int count, std::string idea, SteeringPrompt prompt);
    const RunState& state() const { return m_ledger.state(); }
    /// Errors: candidate/unknown.
    Result<const Candidate*> known(CandidateId id) const;
    Result<const Island*> known(IslandId id) const;
    /// One that something can be put on; errors: island/ended as well.
    Result<const Island*> living(IslandId id) const;

    Ledger& m_ledger;
    ProposalIntake& m_intake;
    Pipeline& m_pipeline;
    Prompts m_prompts;
    OtherDevice m_otherDevice;
};

} // namespace tilewright
