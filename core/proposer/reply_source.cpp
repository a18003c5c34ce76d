// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/proposer/reply_source.h"

namespace tilewright {

Result<void> ReplySource::answer(ModelRequestId id, const std::string&)
{
    return fail("inquiry/not-yours",
        "the request " + std::to_string(id.value) + " is handled by " + name() + ", which replies by itself");
}

} // namespace tilewright
