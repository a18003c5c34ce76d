// SPDX-License-Identifier: Apache-2.0
// What a program was compiled to, as a text: PTX, SASS or assembly. A listing always tells whether it is of the very
// code that was built for the candidate. Nothing of it is recorded: it is made when somebody looks.
#pragma once

#include "core/base/result.h"
#include "core/model/task/task.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tilewright {

enum class ListingForm { Ptx, Sass, Assembly };
std::string nameOf(ListingForm form);
std::optional<ListingForm> listingFormFromName(std::string_view name);
/// Those that programs of this kind have, the usual one first; none for outside evaluators.
const std::vector<ListingForm>& listingFormsOf(Target target);
/// "PTX", "SASS", "assembly": as people write them.
std::string titleOf(ListingForm form);

/// Whether a listing is of the code that was built for the candidate, which is what is measured. Unknown: the session
/// kept nothing to compare it with.
enum class ListedCode { AsBuilt, Other, Unknown };

struct Listing {
    ListingForm form = ListingForm::Assembly;
    ListedCode code = ListedCode::Unknown;
    std::string text; ///< its first line says in words what it is of
    /// Instructions that stand in the program, by kind, the most frequent first: not how often they are executed.
    std::vector<std::pair<std::string, std::int64_t>> instructions;
    std::int64_t lines = 0; ///< of the text
    std::int64_t leftOut = 0; ///< further ones, which its last line names
    std::string tool, compiler; ///< "nvdisasm", "objdump", "" where the compiler itself writes it; "NVRTC 13.0"

    bool operator==(const Listing&) const = default;
    nlohmann::json json() const;
    /// Throws nlohmann::json::exception on what cannot be read.
    static Listing fromJson(const nlohmann::json& json);
};

/// The text as two programs' are laid beside each other: without its first line and without addresses, which move with
/// every instruction before them.
std::string comparableText(const Listing& listing);

/// "FFMA 512, LDS 96, LDG 8, BAR 2, others 42": the most frequent kinds, at most so many of them.
std::string instructionWords(const Listing& listing, std::size_t most);

} // namespace tilewright
