// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/node/source_rules.h"

#include "core/source/program_text.h"

namespace tilewright {

Result<void> checkSource(const Task& task, std::string_view source)
{
    if (source.size() > static_cast<std::size_t>(task.limits.sourceBytes))
        return fail("static/source-size",
            "the source has " + std::to_string(source.size()) + " bytes, at most "
                + std::to_string(task.limits.sourceBytes) + " are allowed");
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
