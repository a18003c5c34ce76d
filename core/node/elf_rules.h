// SPDX-License-Identifier: GPL-3.0-or-later
// What a built CPU candidate may contain, read off its ELF file without loading it. Pure: bytes in, findings out.
#pragma once

#include "core/base/result.h"

#include <string>
#include <string_view>

namespace tilewright {

struct ObjectFacts {
    std::int64_t textBytes = 0, readOnlyBytes = 0;
};

/// Errors are the rules: build/constructor, build/ifunc, build/tls, build/writable-data, build/undefined-symbol,
/// build/library, build/no-entry, build/object (not a shared object this machine can load); evidence names the culprit.
Result<ObjectFacts> checkObject(std::string_view elf);

} // namespace tilewright
