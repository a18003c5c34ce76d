// SPDX-License-Identifier: GPL-3.0-or-later
// What can be asked of the engine about the session that is open. Nothing of it is recorded. A query is its struct
// here, the type of its answer, and the overload of Engine::Private::answer() that answers it.
#pragma once

#include "core/base/result.h"
#include "core/engine/replies/prompt_workshop.h"
#include "core/model/measurement/listing.h"

#include <QString>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace tilewright {

// What came of checking a user's text that is to take a candidate's place or to be an edit of it, before anything of
// it is recorded: from the patch on, through the static rules and the compiler. Pure.

/// What a user's text becomes: it takes the candidate's place in review, or is an edit of it as any other.
enum class EditAs { Replacement, Child };

/// Refused: it does not apply. Broken: it applies, and does not build. Untried: it applies, and nobody could build it.
enum class EditCheckEnd { Builds, Untried, Broken, Refused };

struct EditCheck {
    EditCheckEnd end = EditCheckEnd::Builds;
    Error why; ///< code empty where it builds; the compiler's first complaint where that is what stopped it
    int line = 0; ///< of the text that `why` is about, 1-based; 0: of no single one
    std::vector<std::string> warnings;

    bool operator==(const EditCheck&) const = default;
    /// It may take the candidate's place, as far as is known.
    bool isGood() const { return end == EditCheckEnd::Builds || end == EditCheckEnd::Untried; }
};

/// The line that a compiler's complaint names, as "candidate.cpp:41:9: error: …" and "candidate.cu(41): error: …" do;
/// 0: none.
int lineOfComplaint(std::string_view complaint);

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
