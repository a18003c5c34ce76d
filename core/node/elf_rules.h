// SPDX-License-Identifier: Apache-2.0
// What a built CPU candidate may contain, read off its ELF file without loading it. Pure: bytes in, findings out.
#pragma once

#include "core/base/hash.h"
#include "core/base/result.h"
#include "core/model/task/task.h"
#include "core/source/compiled_rules.h"

#include <string>
#include <string_view>

namespace tilewright {

struct ObjectFacts {
    std::int64_t textBytes = 0, readOnlyBytes = 0;
    Hash code; ///< of its instructions and constants: two programs with the same one do the same
};

/// Errors are the rules: build/constructor, build/ifunc, build/tls, build/writable-data, build/undefined-symbol,
/// build/library, build/no-entry, build/object (not a shared object this machine can load); evidence names the culprit.
Result<ObjectFacts> checkObject(std::string_view elf);

// What a program's text has to fulfil before it is built, whoever wrote it and whatever it is built for. Pure.

/// Whether programs are refused for what their text or their built code says, before they run. Off only in tests, which
/// then see what else stands against them: a build is on unless the node was told otherwise at its start.
enum class StaticRules { On, Off };

/// Errors: static/source-size; static/fast-math for what the task does not allow; static/require for a `// require:`
/// line that does not hold or cannot be judged.
Result<void> checkSource(const Task& task, std::string_view source);

/// Whether the task allows this finding, if there is one. Error: static/fast-math.
Result<void> checkMath(const Task& task, const std::optional<MathFinding>& found);

} // namespace tilewright
