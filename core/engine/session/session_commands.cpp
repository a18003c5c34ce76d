// SPDX-License-Identifier: GPL-3.0-or-later
// The execution of each command of a session, but for those of single candidates (candidate_commands.h): it checks,
// and records events.
#include "core/base/text.h"
#include "core/engine/proposals/proposing.h"
#include "core/engine/session/session.h"
#include "core/engine/session/undo_history.h"
#include "core/evolve/island_events.h"
#include "core/evolve/population.h"
#include "core/model/islands/living_islands.h"
#include "core/model/requests/steering_words.h"
#include "core/model/reviews/editing.h"

#include <algorithm>

namespace tilewright {
namespace {

/// Whether an order would change anything with this proposer.
Result<void> fitsProposer(const IslandCommand& order, const std::string& proposer)
{
    const std::string kind = wordsOfProposer(proposer).kind;
    if (kind == "replay")
        return fail("island/replay", "a replay uses recorded replies in their order: islands cannot be steered",
            "steer a run with another proposer");
    const auto* steer = std::get_if<commands::SteerIsland>(&order);
    if (steer && steer->steering.sampling && kind != "model")
        return fail("island/no-models", "this run uses no models: a sampling temperature has no effect",
            "the selection temperature works with every proposer");
    return {};
}

} // namespace

template <> Result<void> Session::carryOut(const Command& command);

// Run control

template <> Result<void> Session::carryOut(const commands::Run&)
{
    run();
    return {};
}

template <> Result<void> Session::carryOut(const commands::Step&)
{
    const auto steering = [this] { m_stepTarget = placesTaken(m_ledger->state()) + 1; };
    takeStep(steering, "one step");
    return {};
}

template <> Result<void> Session::carryOut(const commands::StepIslands&)
{
    const auto steering = [this] {
        for (const Island& island : m_ledger->state().islands)
            if (island.standing == Standing::Living)
                m_admissionsWanted[island.id] = island.admissions + 1;
    };
    takeStep(steering, "one step of each island");
    return {};
}

template <> Result<void> Session::carryOut(const commands::Pause& command)
{
    m_onceHere = {};
    if (!isRunning())
        return {};
    endWhenIdle(events::Phase::Paused, command.why);
    m_ending->asTold = m_ending->phase == events::Phase::Paused;
    return {};
}

template <> Result<void> Session::carryOut(const commands::PauseNow&)
{
    m_onceHere = {};
    if (!isRunning())
        return {};
    if (m_ending && m_ending->held == Held::Measure) { // a run that rests measures something again: it rests as it did
        endAsAsked();
        return {};
    }
    const std::string cancelled = joined(wordsOfFlight(), ", ");
    m_pipeline->sendBack();
    m_pausedAsTold = true;
    endNow(events::Phase::Paused, "paused by user" + (cancelled.empty() ? "" : "; cancelled: " + cancelled));
    return {};
}

template <> Result<void> Session::carryOut(const commands::Stop& command)
{
    m_onceHere = {};
    if (!isRunning() && m_ledger->state().phase != events::Phase::Paused)
        return {};
    m_pausedAsTold = false;
    endNow(events::Phase::Stopped, command.why);
    return {};
}

// Settings

template <> Result<void> Session::carryOut(const commands::SetBudget& command)
{
    m_gate->whileItMayLetGo([&] { m_ledger->record(events::BudgetChanged{command.budget, m_isUndoing}); });
    const bool isOfBudget = m_ending
        && (m_ending->code.starts_with("budget/")
            || (m_ending->phase == events::Phase::Finished && m_ending->held != Held::Measure));
    if (isOfBudget)
        m_ending.reset(); // judged again in the next turn
    if (m_trouble.code.starts_with("budget/"))
        m_trouble = {};
    armWallTimer();
    schedule();
    return {};
}

template <> Result<void> Session::carryOut(const commands::SetProposer& command)
{
    const std::string& proposer = command.proposer;
    const RunState& state = m_ledger->state();
    if (proposer == state.settings.proposer && m_modelsFile.empty())
        return {};
    for (const std::string& one : {state.settings.proposer, proposer})
        if (one == "random")
            return fail("proposer/search", "random search cannot be mixed: a run uses it from the start, or not at all",
                "start another session");
    if (wordsOfProposer(proposer).kind == "replay")
        return fail("proposer/search", "a recording is replayed from the start of a session",
            "start another session with --proposer " + proposer);
    if (auto ready = checkProposing(proposer, *m_pack, state); !ready)
        return ready;
    Budget budget = state.settings.budget;
    if (wordsOfProposer(proposer).kind == "model") {
        auto limited = budgetWithModels(proposer, budget);
        if (!limited)
            return std::unexpected(limited.error());
        budget = *limited;
    }
    auto next = proposerFor(proposer);
    if (!next)
        return std::unexpected(next.error());
    m_ledger->learnKeysOf(proposer);
    m_ledger->record(events::ProposerChanged{proposer, m_isUndoing});
    if (!(budget == state.settings.budget)) {
        const bool isUndoing = std::exchange(m_isUndoing, false); // the budget is no part of what is undone
        (void)carryOut(commands::SetBudget{budget}); // which is never refused
        m_isUndoing = isUndoing;
    }
    m_modelsFile.clear();
    m_hasProposer = false;
    if (isRunning())
        m_next = std::move(*next);
    else
        m_intake->clearProposer();
    schedule();
    return {};
}

template <> Result<void> Session::carryOut(const commands::SetHints& command)
{
    const auto& [island, text] = command;
    const RunSettings& settings = m_ledger->state().settings;
    if (auto living = livingIsland(m_ledger->state(), island); !living)
        return living;
    const std::string hint = printable(text);
    if (hint.size() > longestHint)
        return fail("hint/long", "the hint has " + std::to_string(hint.size()) + " bytes, too many",
            "it is part of every prompt: at most " + std::to_string(longestHint) + " bytes are allowed");
    const auto known = settings.hints.find(island);
    if (hint != (known == settings.hints.end() ? "" : known->second))
        m_ledger->record(events::HintsChanged{island, hint, m_isUndoing});
    return {};
}

template <> Result<void> Session::carryOut(const commands::WriteInsights& command)
{
    m_intake->writeInsights("person", command.text);
    return {};
}

template <> Result<void> Session::carryOut(const commands::RestoreInsights& command)
{
    m_intake->writeInsights("person", text(command.text));
    return {};
}

template <> Result<void> Session::carryOut(const commands::SetReviewPolicies& command)
{
    auto set = m_gate->setPolicies(command.changes, command.waiting, m_isUndoing);
    takeUpApproved();
    return set;
}

template <> Result<void> Session::carryOut(const commands::SetReviewLimit& command)
{
    auto set = m_gate->setLimit(command.perIsland, m_isUndoing);
    schedule();
    return set;
}

template <> Result<void> Session::carryOut(const commands::SaveTemplate& command)
{
    const PromptDraft& draft = command.draft;
    const std::string& note = command.note;
    if (auto living = livingIsland(state(), draft.island); !living)
        return living;
    const TemplateVersion* newest = state().newestTemplate(draft.island, draft.name);
    if (!draft.text) {
        if (!newest || newest->text.isNull())
            return fail("prompt/template", "this run has no saved version of the template '" + draft.name + "'",
                "change texts of a folder in the folder");
        const TemplateVersion* before = versionBefore(state().templates, draft.island, draft.name);
        m_ledger->record(before ? events::TemplateSaved{draft.island, draft.name, before->text, note, before->held()}
                                : events::TemplateSaved{draft.island, draft.name, {}, note, 0});
        return {};
    }
    const auto at = workshop();
    if (!at)
        return std::unexpected(at.error());
    if (auto sound = (*at)->check(view(), draft); !sound)
        return sound;
    const Hash text = m_ledger->keepWords(*draft.text);
    if (newest && newest->text == text)
        return fail(
            "prompt/same", "this is already the text of version " + std::to_string(newest->held()) + " already");
    m_ledger->record(events::TemplateSaved{draft.island, draft.name, text, note, 0});
    return {};
}

template <> Result<void> Session::carryOut(const commands::UndoTemplate& command)
{
    const auto& [island, name] = command;
    const std::vector<TemplateVersion>& versions = state().templates;
    const TemplateVersion* order = newestTemplateOrder(versions, island, name);
    if (!order)
        return fail("prompt/template", "there is no command to undo for the template '" + name + "'",
            "change texts of a folder in the folder");
    const TemplateVersion* before = heldBefore(versions, *order);
    m_ledger->record(before ? events::TemplateSaved{island, name, before->text, "", before->held(), true}
                            : events::TemplateSaved{island, name, {}, "", 0, true});
    return {};
}

template <> Result<void> Session::carryOut(const commands::ResumeModel& command)
{
    if (m_intake->requestQueue())
        m_intake->requestQueue()->resume(command.name);
    return {};
}

template <> Result<void> Session::carryOut(const commands::AnswerRequest& command)
{
    if (!m_intake->requestQueue())
        return fail("inquiry/not-open",
            "no request is waiting for a reply: the run is not running, or its proposer needs none",
            "start the run, then reply");
    return m_intake->requestQueue()->answer(command.modelRequest, command.text);
}

// Reviews

template <> Result<void> Session::carryOut(const commands::Decide& command)
{
    std::vector<CandidateId> decided;
    auto done = m_gate->decide(command.candidates, command.decision, command.reason, decided);
    if (command.decision == Decision::Rejected)
        for (const CandidateId each : decided)
            m_intake->rejected(each);
    takeUpApproved();
    return done;
}

template <> Result<void> Session::carryOut(const commands::ApproveEdited& command)
{
    if (auto waits = m_gate->waits(command.candidate); !waits)
        return waits;
    const auto made = m_intake->edit(command.candidate, command.text, command.reason);
    return made ? m_gate->replace(command.candidate, *made, command.reason) : std::unexpected(made.error());
}

Result<void> Session::undoReview(CandidateId candidate)
{
    const Candidate* before = m_ledger->state().candidate(candidate);
    const Review* review = before ? m_ledger->state().review(before->review) : nullptr;
    const CandidateId edited = review ? review->edited : CandidateId{};
    const bool wasRejected = review && review->decision == Decision::Rejected;
    if (auto undone = m_gate->undo(candidate); !undone)
        return undone;
    if (wasRejected)
        m_intake->rejectionUndone(candidate);
    m_pipeline->withdraw(candidate);
    m_pipeline->withdraw(edited);
    schedule();
    return {};
}

template <> Result<void> Session::carryOut(const commands::UndoReview& command)
{
    for (const CandidateId each : command.candidates)
        if (auto undone = undoReview(each); !undone)
            return undone;
    return {};
}

// Candidates and islands

template <> Result<void> Session::carryOut(const CandidateCommand& command)
{
    const bool measures = std::holds_alternative<commands::Rerun>(command);
    if (auto here = measures ? checkDeviceIsHere() : Result<void>(); !here)
        return here;
    auto done = m_candidateCommands->carryOut(command);
    if (done && measures)
        measureAgain();
    schedule();
    return done;
}

Result<void> Session::checkAskable(const IslandCommand& order) const
{
    const auto* steer = std::get_if<commands::SteerIsland>(&order);
    const Island* island = steer ? m_ledger->state().island(steer->island) : nullptr;
    if (!island || steer->steering.proposers == island->steering.proposers)
        return {};
    return checkProposers(steer->steering.proposers, ownProposer(), *island, m_pack.get(), m_ledger->state());
}

void Session::stopWorkFor(const events::IslandChangeUndone& undone)
{
    for (const CandidateId candidate : undone.withdrawn)
        m_pipeline->withdraw(candidate);
    m_intake->dropUnwanted();
}

template <> Result<void> Session::carryOut(const IslandCommand& order)
{
    const RunState& state = m_ledger->state();
    if (auto fits = fitsProposer(order, state.settings.proposer); !fits)
        return fits;
    if (auto askable = checkAskable(order); !askable)
        return askable;
    auto events = eventsOf(order, state);
    if (!events)
        return std::unexpected(events.error());
    m_gate->whileItMayLetGo([&] {
        for (const EventBody& body : *events)
            m_ledger->record(body);
    });
    for (const EventBody& body : *events)
        if (const auto* undone = std::get_if<events::IslandChangeUndone>(&body))
            stopWorkFor(*undone);
    schedule();
    return {};
}

// The session

template <> Result<void> Session::carryOut(const commands::SaveCopy& command)
{
    return m_ledger ? m_ledger->copyTo(command.path) : m_reader->copyTo(command.path);
}

template <> Result<void> Session::carryOut(const commands::RecordSealed& command)
{
    const events::SealedMeasured& measured = command.measured;
    const Candidate* candidate = state().candidate(measured.candidate);
    if (!candidate)
        return fail("candidate/unknown", "the session has no candidate " + candidateName(measured.candidate));
    if (!candidate->confirmed || state().sealedMeasurement(candidate->id))
        return fail("export/sealed",
            candidateName(candidate->id)
                + (candidate->confirmed ? " was already measured on the sealed shapes" : " is not confirmed"));
    const auto isSealed = [&sealed = m_ledger->pack().task.sealed](const ShapeResult& shape) {
        return shape.split == ShapeSplit::Sealed && std::ranges::find(sealed, shape.shape) != sealed.end();
    };
    if (measured.result.purpose != Purpose::Export || !std::ranges::all_of(measured.result.shapes, isSealed))
        return fail("export/sealed", "the measurement is not on the sealed shapes of the task");
    m_ledger->record(measured);
    return m_ledger->flush();
}

Receipt Session::undone(const commands::Undo& undo)
{
    Receipt receipt;
    const auto fits = [&receipt](Result<void> done) {
        if (!done && receipt.error.code.empty())
            receipt.error = done.error();
        return bool(done);
    };
    for (const std::int64_t seq : undo.entries) {
        const std::vector<UndoEntry> history = undoHistory(state());
        const auto entry = std::ranges::find(history, seq, &UndoEntry::seq);
        if (entry == history.end()) {
            fits(fail("undo/unknown", "this can no longer be undone: it was undone, or carried out already"));
            continue;
        }
        if (!entry->blocked.empty()) {
            fits(fail("undo/blocked", entry->description + " cannot be undone: " + entry->blocked));
            continue;
        }
        m_isUndoing = true;
        const bool isDone
            = std::ranges::all_of(entry->inverse, [&](const Command& each) { return fits(carryOut(each)); });
        m_isUndoing = false;
        if (!isDone)
            continue;
        receipt.entry = seq;
        receipt.description += (receipt.description.empty() ? "" : "; ") + entry->description;
        receipt.effect += (receipt.effect.empty() || entry->afterUndo.empty() ? "" : " ") + entry->afterUndo;
    }
    return receipt;
}

template <> Result<void> Session::carryOut(const commands::Undo& undo)
{
    const Receipt receipt = undone(undo);
    return receipt.isDone() ? Result<void>() : std::unexpected(receipt.error);
}

template <> Result<void> Session::carryOut(const commands::Redo& redo)
{
    std::vector<Event> events;
    for (const std::int64_t seq : redo.events) {
        auto event = m_ledger->event(seq);
        if (!event)
            return std::unexpected(event.error());
        events.push_back(std::move(*event));
    }
    const auto made = commandsOf(events, state(), [this](const Hash& hash) { return text(hash); });
    if (!made)
        return std::unexpected(made.error());
    for (const Command& each : *made)
        if (auto done = carryOut(each); !done)
            return done;
    return {};
}

template <> Result<void> Session::carryOut(const Command& command)
{
    return std::visit([this](const auto& one) { return carryOut(one); }, command);
}

Receipt Session::execute(const Command& command)
{
    const std::int64_t before = state().lastSeq;
    Receipt receipt;
    if (const auto* undo = std::get_if<commands::Undo>(&command))
        receipt = undone(*undo);
    else if (auto done = carryOut(command); !done)
        receipt.error = done.error();
    receipt.sequence = state().lastSeq;
    if (receipt.sequence == before || std::holds_alternative<commands::Undo>(command))
        return receipt;
    const std::vector<UndoEntry> history = undoHistory(state());
    if (!history.empty() && history.front().seq > before) {
        receipt.entry = history.front().seq;
        receipt.description = history.front().description;
        receipt.effect = history.front().effect;
    }
    return receipt;
}

} // namespace tilewright
