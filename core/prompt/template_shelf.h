// SPDX-License-Identifier: GPL-3.0-or-later
// Which text of a template holds for which island: the installation's, the user's own file, what was saved in the run
// for all islands, the island's own file, what was saved for the island. The later ones win.
#pragma once

#include "core/model/run_state.h"
#include "core/prompt/prompt.h"

#include <functional>

namespace tilewright {

class TemplateShelf
{
public:
    /// A text of the session by its hash.
    using TextOf = std::function<std::string(const Hash&)>;

    /// Reads promptFolders() and the islands' own. Errors: as PromptWriter::of.
    static Result<TemplateShelf> load();

    /// What holds for an island of a run; id 0 for questions about the whole run.
    TemplateFiles filesFor(const RunState& state, IslandId island, const TextOf& textOf) const;
    /// The text that would hold for the island if nothing had been saved in the run for just it; "" for none.
    std::string textBelow(const RunState& state, IslandId island, const std::string& name, const TextOf& textOf) const;
    /// Whether the island (id 0: all) has a file of its own in the user's folders.
    bool hasOwnFile(IslandId island, const std::string& name) const;

private:
    TemplateFiles filesBelow(const RunState& state, IslandId island, const TextOf& textOf) const;

    TemplateFiles m_shipped, m_own; ///< of the installation; of the user, for all islands
    std::map<std::string, TemplateFiles> m_ofIslands; ///< by letter
};

} // namespace tilewright
