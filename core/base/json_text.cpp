// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/json_text.h"

#include "core/base/json_brackets.h"

namespace tilewright {

bool isNestedTooDeeply(std::string_view text)
{
    bool isTooDeep = false;
    eachJsonBracket(text, [&](std::size_t, std::size_t depth) {
        isTooDeep = depth > deepestJson;
        return !isTooDeep;
    });
    return isTooDeep;
}

} // namespace tilewright
