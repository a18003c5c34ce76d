// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/node/source_rules.h"

#include "core/base/text.h"
#include "core/source/math_rules.h"
#include "core/source/program_text.h"

namespace tilewright {

Result<void> checkMath(const Task& task, const std::optional<MathFinding>& found)
{
    if (!found || task.numeric.allowFastMath || (found->isApproximation && task.numeric.allowApproximations))
        return {};
    return fail("static/fast-math",
        "the task does not allow " + std::string(found->isApproximation ? "approximations" : "fast math")
            + ", and the program uses " + "'" + printable(trimmed(found->found)) + "'"
            + (found->line > 0 ? " in line " + std::to_string(found->line) : ""),
        found->isApproximation ? "use the exact function, or allow \"approximations\" in the task's numeric.allow"
                               : "leave it out, or set build.fast_math in the task",
        {{"found", found->found}, {"line", found->line}});
}

Result<void> checkSource(const Task& task, std::string_view source)
{
    if (source.size() > static_cast<std::size_t>(task.limits.sourceBytes))
        return fail("static/source-size",
            "the source has " + std::to_string(source.size()) + " bytes, at most "
                + std::to_string(task.limits.sourceBytes) + " are allowed");
    if (auto allowed = checkMath(task, findFastMath(source)); !allowed)
        return allowed;
    const Tunables values = valuesOf(tunablesOf(source));
    const auto broken = Constraints(source).broken(values);
    if (!broken)
        return fail("static/require", broken.error().text, "", broken.error().evidence);
    if (!broken->empty())
        return fail("static/require", "the program breaks its own constraint '// require: " + *broken + "'", "",
            {{"require", *broken}, {"tunables", values}});
    return {};
}

} // namespace tilewright
