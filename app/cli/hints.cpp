// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/hints.h"

#include "core/base/text.h"
#include "core/engine/secrets.h"
#include "core/model/hint_bound.h"

#include <cctype>
#include <cstdio>

namespace tilewright::cli {
namespace {

struct Addressed {
    IslandId island; ///< 0: all
    std::string text;
};

Result<Addressed> addressed(const std::string& hint, int islands)
{
    const std::size_t equals = hint.find('=');
    if (equals == std::string::npos)
        return Addressed{{}, hint};
    const std::string name = hint.substr(0, equals);
    if (name == "*")
        return Addressed{{}, hint.substr(equals + 1)};
    const IslandId island = islandFromLetter(name);
    if (island && island.value <= islands)
        return Addressed{island, hint.substr(equals + 1)};
    // "KC=256 is too small" is a sentence, and so is "K=256 is".
    const bool isSentence = name.size() != 1 || !island || std::isdigit(static_cast<unsigned char>(hint[equals + 1]));
    if (!isSentence)
        return fail("usage",
            "--hint " + name + "=…: this run has no island " + name + ", its last is " + islandLetter({islands}),
            "*=TEXT is for all islands");
    return Addressed{{}, hint};
}

} // namespace

Result<std::map<IslandId, std::string>> hintsOf(const Options& options, int islands)
{
    std::map<IslandId, std::string> hints;
    for (const std::string& hint : options.texts("--hint")) {
        const auto one = addressed(hint, islands);
        if (!one)
            return std::unexpected(one.error());
        const std::string text(trimmed(printable(one->text)));
        std::string& all = hints[one->island];
        all += (all.empty() || text.empty() ? "" : "\n") + text;
        if (all.size() > longestHint)
            return fail("usage", "--hint takes at most " + std::to_string(longestHint) + " bytes an island");
    }
    return hints;
}

void tellHints(const std::map<IslandId, std::string>& hints, const std::string& proposer)
{
    if (hints.empty())
        return; // and no file is read to learn what must not be shown
    Secrets secrets(proposer);
    for (const auto& [island, text] : hints) {
        const std::string whose = island ? "island " + islandLetter(island) : "all islands";
        if (text.empty())
            std::fprintf(stderr, "no hint for %s any more\n", whose.c_str());
        const std::string shown = secrets.personsWords(text);
        for (const std::string_view line : splitLines(shown))
            std::fprintf(stderr, "hint for %s: %.*s\n", whose.c_str(), static_cast<int>(line.size()), line.data());
    }
}

} // namespace tilewright::cli
