// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/hints.h"

#include "core/base/text.h"

#include <cstdio>

namespace tilewright::cli {
namespace {

/// A hint is never left out of a prompt, so it must not crowd out the rest.
constexpr std::size_t longestHint = 4000;

struct Addressed {
    IslandId island; ///< 0: all
    std::string text;
};

Addressed addressed(const std::string& hint, int islands)
{
    const std::size_t equals = hint.find('=');
    if (equals == std::string::npos)
        return {{}, hint};
    const std::string name = hint.substr(0, equals);
    if (name == "*")
        return {{}, hint.substr(equals + 1)};
    const IslandId island = islandFromLetter(name);
    if (island && island.value <= islands)
        return {island, hint.substr(equals + 1)};
    return {{}, hint}; // "KC=256 is too small" is a sentence
}

} // namespace

Result<std::map<IslandId, std::string>> hintsOf(const Options& options, int islands)
{
    std::map<IslandId, std::string> hints;
    for (const std::string& hint : options.texts("--hint")) {
        const Addressed one = addressed(hint, islands);
        const std::string text(trimmed(printable(one.text)));
        std::string& all = hints[one.island];
        all += (all.empty() || text.empty() ? "" : "\n") + text;
        if (all.size() > longestHint)
            return fail("usage", "--hint takes at most " + std::to_string(longestHint) + " bytes an island");
    }
    return hints;
}

void tellHints(const std::map<IslandId, std::string>& hints)
{
    for (const auto& [island, text] : hints) {
        const std::string whose = island ? "island " + islandLetter(island) : "all islands";
        if (text.empty())
            std::fprintf(stderr, "no hint for %s any more\n", whose.c_str());
        for (const std::string_view line : splitLines(text))
            std::fprintf(stderr, "hint for %s: %.*s\n", whose.c_str(), static_cast<int>(line.size()), line.data());
    }
}

} // namespace tilewright::cli
