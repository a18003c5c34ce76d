// SPDX-License-Identifier: GPL-3.0-or-later
// What a user can tell the engine to do to the session that is open, and what comes of it. The window, the command
// line's `control` and tests speak these alone. A command is its struct here, its execution
// (Session::carryOut(), CandidateCommands::carryOut(), or eventsOf() in island_events.h), and its words in
// undo_history.cpp if it can be undone.
#pragma once

#include "core/base/ids.h"
#include "core/model/event.h"
#include "core/model/islands/island_command.h"

#include <optional>
#include <string>
#include <variant>

namespace tilewright {

// A template as somebody writes it, and whose prompt is looked at with it.

struct PromptDraft {
    IslandId island; ///< 0: for all
    std::string name; ///< of a template: "exploit"
    /// None: the one that holds now; to save none is to take away what was saved.
    std::optional<std::string> text;
    CandidateId parent; ///< whose prompt is shown; none: the best

    bool operator==(const PromptDraft&) const = default;
};

namespace commands {
// Run control. Errors: node/missing, device/…, and those of the proposer (models/…, prompt/…), if it cannot begin.
/// Starts or continues the run.
struct Run {
};
/// In-flight work is finished first. `why`: for the record, where no user asked for it.
struct Pause {
    std::string why = "paused by user";
};
/// In-flight work is cancelled, and its candidates wait for their turn as before it.
struct PauseNow {
};
/// One candidate, then paused.
struct Step {
};
/// Until each living island has admitted one more, then paused.
struct StepIslands {
};
/// In-flight work is cancelled and stays resumable.
struct Stop {
    std::string why = "stopped by user";
};

// Settings of the run, from here on.
struct SetBudget {
    Budget budget;
};
/// In the words of RunSettings::proposer; in-flight work is finished if it is paid for, else dropped. Errors:
/// proposer/…, models/…, manual/….
struct SetProposer {
    std::string proposer;
};
/// To an island (id 0: to all), a hint a line; an empty text takes them away. Errors: island/unknown, hint/long.
struct SetHints {
    IslandId island;
    std::string text;
};
/// The user's part of the run's memory, in every prompt; an empty text takes it away.
struct WriteInsights {
    std::string text;
};
/// The user's part is this text of the session again; null: none.
struct RestoreInsights {
    Hash text;
};
/// Which candidates of islands and kinds of proposers wait for a review, and what becomes of those that wait already
/// and would not. Errors: island/….
struct SetReviewPolicies {
    std::vector<events::ReviewPolicyChanged> changes;
    WhatWaits waiting = WhatWaits::Approved;
};
/// With so many pending reviews an island asks for no further edits; 0: no limit. Errors: review/limit.
struct SetReviewLimit {
    int perIsland = 0;
};
/// The text of a template for the prompts of an island (id 0: of all that have none of their own); none takes the
/// user's away. Errors: prompt/….
struct SaveTemplate {
    PromptDraft draft;
    std::string note;
};
/// Undoes the newest command on that template. Errors: prompt/template.
struct UndoTemplate {
    IslandId island;
    std::string name;
};
/// A paused or resting model may be asked again; "" for all.
struct ResumeModel {
    std::string name;
};
/// A reply to a request that waits for a user. Errors: model request/….
struct AnswerRequest {
    ModelRequestId modelRequest;
    std::string text;
};

// Reviews. Errors: review/….
/// Of one or several pending reviews: Approved, Rejected (the reason goes into prompts) or Deferred.
struct Decide {
    std::vector<CandidateId> candidates;
    Decision decision = Decision::Approved;
    std::string reason;
};
/// Approves a text of the user's in the candidate's place; it goes through patch, build and check again.
struct ApproveEdited {
    CandidateId candidate;
    std::string text, reason;
};
/// Undoes the newest decision on each, until measuring starts.
struct UndoReview {
    std::vector<CandidateId> candidates;
};

// Single candidates; executed by CandidateCommands.
/// Its marks are these from here on, all of them.
struct SetMarks {
    CandidateId candidate;
    Marks marks;
    bool operator==(const SetMarks&) const = default;
};
/// Its marks are what they were before the last change.
struct UndoMarks {
    CandidateId candidate;
    bool operator==(const UndoMarks&) const = default;
};
/// The next requests edit this parent: so many of them, or with an idea that their prompts tell.
struct RequestEdits {
    CandidateId parent;
    int count = 1;
    std::string idea = {};
    SteeringPrompt prompt = {}; ///< how it is written; by the strategy's choice where it names no template
    bool operator==(const RequestEdits&) const = default;
};
/// What is left of the requests for this parent, or of just this one of them, is cancelled.
struct CancelRequests {
    CandidateId parent;
    SteeringRequestId only = {};
    bool operator==(const CancelRequests&) const = default;
};
/// The prompt that a preview of this draft shows is sent once.
struct SendPrompt {
    PromptDraft draft;
    bool operator==(const SendPrompt&) const = default;
};
/// A model is asked what it thinks of this edit.
struct RequestJudgement {
    CandidateId candidate;
    bool operator==(const RequestJudgement&) const = default;
};
/// A copy of it takes a place on another island; moved, it leaves its own one.
struct Place {
    CandidateId candidate;
    IslandId island;
    Placing placing = Placing::Copy;
    bool operator==(const Place&) const = default;
};
/// A copy that was placed so leaves its island, and what was there before comes back.
struct UndoPlacement {
    CandidateId copy;
    bool operator==(const UndoPlacement&) const = default;
};
/// A program of the user's becomes a candidate: an edit of `parent` (none: the seed) on an island (none: the
/// parent's). It waits for no review.
struct Inject {
    CandidateId parent;
    IslandId island;
    std::string text, why;
    bool operator==(const Inject&) const = default;
};
/// An injected candidate is over before it is measured.
struct Withdraw {
    CandidateId candidate;
    bool operator==(const Withdraw&) const = default;
};
/// It is measured once more, with `repeats` times the samples, beside `against` (none: the incumbent), on the shapes
/// that the words name (as chosenShapes(); none: all of the task's) and on the device of this name or id (none: the
/// run's).
struct Rerun {
    CandidateId candidate;
    int repeats = 1;
    CandidateId against = {};
    std::string shapes = {}, device = {};
    bool operator==(const Rerun&) const = default;
};
/// Re-runs of it that wait are cancelled.
struct CancelReruns {
    CandidateId candidate;
    bool operator==(const CancelReruns&) const = default;
};

// The session.
/// Writes what the session holds now to a file of its own; the receipt's sequence is that of the last event in it.
/// Also for a session that is read only.
struct SaveCopy {
    std::string path;
};
/// Of an export: the candidate was measured on the task's sealed shapes, by the node of whoever exports; on disk before
/// the receipt comes. Errors: export/sealed (not confirmed, measured on them before, or not on those shapes),
/// candidate/unknown, session/….
struct RecordSealed {
    events::SealedMeasured measured;
};
/// Undoes commands by their UndoEntry::seq, in this order. Errors: undo/unknown, undo/blocked, and those of the inverse
/// commands.
struct Undo {
    std::vector<std::int64_t> entries;
};
/// Executes the commands again that recorded these events (UndoEntry::events). Errors: undo/no-redo, and those of the
/// commands.
struct Redo {
    std::vector<std::int64_t> events;
};
} // namespace commands

using CandidateCommand = std::variant<commands::SetMarks, commands::UndoMarks, commands::RequestEdits,
    commands::CancelRequests, commands::SendPrompt, commands::RequestJudgement, commands::Place,
    commands::UndoPlacement, commands::Inject, commands::Withdraw, commands::Rerun, commands::CancelReruns>;

using Command = std::variant<commands::Run, commands::Pause, commands::PauseNow, commands::Step, commands::StepIslands,
    commands::Stop, commands::SetBudget, commands::SetProposer, commands::SetHints, commands::WriteInsights,
    commands::RestoreInsights, commands::SetReviewPolicies, commands::SetReviewLimit, commands::SaveTemplate,
    commands::UndoTemplate, commands::ResumeModel, commands::AnswerRequest, commands::Decide, commands::ApproveEdited,
    commands::UndoReview, CandidateCommand, IslandCommand, commands::SaveCopy, commands::RecordSealed, commands::Undo,
    commands::Redo>;

/// What came of a command.
struct Receipt {
    std::uint64_t tag = 0;
    std::int64_t sequence = 0; ///< of the newest event once it was carried out
    Error error; ///< code empty where it was carried out
    std::int64_t entry = 0; ///< its UndoEntry::seq; 0: it cannot be undone
    std::string description; ///< "Approved c-0012": its UndoEntry::description, or that of what was undone
    std::string effect; ///< a sentence on what follows from it, where that is not plain

    bool isDone() const { return error.code.empty(); }
};

} // namespace tilewright
