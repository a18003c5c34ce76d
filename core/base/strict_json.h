// SPDX-License-Identifier: GPL-3.0-or-later
// JSON that a person wrote, read strictly: a member that stands twice is a mistake, and a mistake has a line. Pure.
#pragma once

#include "core/base/json_fields.h"

#include <string_view>

namespace tilewright {

/// Thrown and caught inside one parse function only. The reason quotes nothing of the text: a pasted key could stand
/// there.
struct SyntaxError {
    std::size_t line = 1; ///< counts from 1
    std::string reason; ///< "unexpected end of input; expected '}'"
};

/// The value. Throws SyntaxError, and FieldError for a member that stands twice in one object.
JsonFields::Json parsedStrictly(std::string_view text);
/// The same, but members that stand twice go to `mistakes`; the last of them holds. Throws SyntaxError.
JsonFields::Json parsedStrictly(std::string_view text, std::vector<FieldError>& mistakes);

} // namespace tilewright
