// SPDX-License-Identifier: GPL-3.0-or-later
// What a person does to single candidates of a run: one value a lever. Each is recorded as an event, and can be taken
// back.
#pragma once

#include "core/engine/prompt_draft.h"
#include "core/model/marks.h"
#include "core/model/placement.h"
#include "core/model/wish.h"

#include <variant>

namespace tilewright {

namespace levers {
/// Its marks are these from here on, all of them.
struct Mark {
    CandidateId candidate;
    Marks marks;
    bool operator==(const Mark&) const = default;
};
/// Its marks are what they were before the last change.
struct UndoMark {
    CandidateId candidate;
    bool operator==(const UndoMark&) const = default;
};
/// The next requests edit this parent: so many of them, or with an idea that their prompts tell.
struct Wish {
    CandidateId parent;
    int count = 1;
    std::string idea = {};
    WishedPrompt prompt = {}; ///< how it is written; by the strategy's choice where it names no template
    bool operator==(const Wish&) const = default;
};
/// What is left of the wishes for this parent, or of just this one of them, is dropped.
struct DropWishes {
    CandidateId parent;
    WishId only = {};
    bool operator==(const DropWishes&) const = default;
};
/// The prompt that a preview of this draft shows is put once.
struct SendOnce {
    PromptDraft draft;
    bool operator==(const SendOnce&) const = default;
};
/// A model is asked what it thinks of this edit.
struct Judge {
    CandidateId candidate;
    bool operator==(const Judge&) const = default;
};
/// A copy of it takes a place on another island; moved, it leaves its own one.
struct Place {
    CandidateId candidate;
    IslandId island;
    Placing placing = Placing::Copy;
    bool operator==(const Place&) const = default;
};
/// A copy that was placed so leaves its island, and what was there before comes back.
struct UndoPlace {
    CandidateId copy;
    bool operator==(const UndoPlace&) const = default;
};
/// A program of the person's becomes a candidate: an edit of `parent` (none: the seed) on an island (none: the
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
/// What waits of its re-runs is dropped.
struct DropReruns {
    CandidateId candidate;
    bool operator==(const DropReruns&) const = default;
};
} // namespace levers

using Lever
    = std::variant<levers::Mark, levers::UndoMark, levers::Wish, levers::DropWishes, levers::Place, levers::UndoPlace,
        levers::Inject, levers::Withdraw, levers::Rerun, levers::DropReruns, levers::SendOnce, levers::Judge>;

} // namespace tilewright
