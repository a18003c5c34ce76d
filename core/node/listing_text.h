// SPDX-License-Identifier: Apache-2.0
// What disassemblers print, as listings: without what is not the program's, counted, and cut to what a user can be
// shown. Pure; the texts are third parties', and what is not understood is said to be so.
#pragma once

#include "core/model/measurement/listing.h"

namespace tilewright {

/// Longest listing, its first line included.
constexpr std::size_t mostListingBytes = 1'000'000, mostListingLines = 19'000;

/// The program's functions from `objdump -d`, of whatever section. What has a name of the compiler's own library (two
/// underscores) or of the linker (@plt) is left out, and told at the end. Errors: tool/output where no function is
/// found.
Result<std::string> readObjdump(std::string_view output);
/// The functions from `nvdisasm -c` or `cuobjdump -sass`, without the encodings that the latter prints beside each
/// instruction. Errors: tool/output where no instruction is found.
Result<std::string> readSass(std::string_view output);

/// How many instructions of each kind stand in the text, the most frequent first: of PTX and SASS without their
/// modifiers, but for the memory that PTX names ("ld.shared").
std::vector<std::pair<std::string, std::int64_t>> countInstructions(std::string_view text, ListingForm form);

/// A listing of this text under a first line; lines that are too many are left out at the end and named there.
/// wasCut: the tool's output did not come whole, so that how many there are is not known.
Listing listingOf(ListingForm form, const std::string& firstLine, std::string_view text, bool wasCut);

} // namespace tilewright
