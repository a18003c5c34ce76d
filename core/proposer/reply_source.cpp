// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/proposer/reply_source.h"

namespace tilewright {

Result<void> ReplySource::answer(ModelRequestId id, const std::string&)
{
    return fail("inquiry/not-yours",
        "the question " + std::to_string(id.value) + " is put to " + name() + ", which answers by itself");
}

} // namespace tilewright
