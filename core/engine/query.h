// SPDX-License-Identifier: GPL-3.0-or-later
// What can be asked of the engine about the session that is open. Nothing of it is recorded. A query is its struct
// here, the type of its answer, and the overload of Engine::Private::answer() that answers it.
#pragma once

#include "core/engine/edit_check.h"
#include "core/engine/prompt_workshop.h"
#include "core/model/listing.h"

#include <QString>
#include <functional>
#include <optional>
#include <variant>

namespace tilewright {

namespace queries {
/// A text of the session by its hash: a source, a patch, a log, a reply. Answer: QString, empty if it is not there.
struct Text {
    Hash hash;
};
/// The prompt that a template would make. Answer: PromptPreview.
struct Preview {
    PromptDraft draft;
};
/// What a candidate was compiled to, in this form or the usual one of its language; it waits for all builds. Answer:
/// ListingAnswer.
struct ListingOf {
    CandidateId candidate;
    std::optional<ListingForm> form;
};
/// Whether ApproveEdited (as a child: Inject) would take a text, and whether it builds. Answer: EditCheck.
struct CheckEdit {
    CandidateId candidate;
    std::string text;
    EditAs as = EditAs::Replacement;
};
} // namespace queries

using Query = std::variant<queries::Text, queries::Preview, queries::ListingOf, queries::CheckEdit>;

struct ListingAnswer {
    Listing listing;
    Error error; ///< code empty where there is a listing
};

using QueryAnswer = std::variant<QString, PromptPreview, ListingAnswer, EditCheck>;

} // namespace tilewright
