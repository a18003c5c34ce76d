// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/prompt/template_shelf.h"

namespace tilewright {
namespace {

/// What was saved in the run for one island, or for all.
TemplateFiles savedFor(const RunState& state, IslandId island, const TemplateShelf::TextOf& textOf)
{
    TemplateFiles files;
    for (const TemplateVersion& version : state.templates) {
        if (version.island != island)
            continue;
        if (version.text.isNull())
            files.erase(version.name);
        else
            files[version.name] = {textOf(version.text),
                "version " + std::to_string(version.held()) + " of " + version.name
                    + (island ? " on island " + islandLetter(island) : std::string())};
    }
    return files;
}

} // namespace

Result<TemplateShelf> TemplateShelf::load()
{
    TemplateShelf shelf;
    const std::vector<std::filesystem::path> folders = promptFolders();
    for (const auto& [folder, files] :
        {std::pair(folders.front(), &shelf.m_shipped), std::pair(folders.back(), &shelf.m_own)}) {
        auto read = readTemplates(folder);
        if (!read)
            return std::unexpected(read.error());
        *files = std::move(*read);
    }
    const TemplateFiles common = laidOver(shelf.m_shipped, shelf.m_own);
    if (auto sound = PromptWriter::of(common); !sound)
        return std::unexpected(sound.error());
    for (const std::string& island : islandsWithPrompts()) {
        auto read = readTemplates(promptFolders(island).back());
        if (!read)
            return std::unexpected(read.error());
        if (auto sound = PromptWriter::of(laidOver(common, *read)); !sound)
            return std::unexpected(sound.error());
        shelf.m_ofIslands[island] = std::move(*read);
    }
    return shelf;
}

TemplateFiles TemplateShelf::filesBelow(const RunState& state, IslandId island, const TextOf& textOf) const
{
    const TemplateFiles files = laidOver(m_shipped, m_own);
    if (!island)
        return files;
    const auto own = m_ofIslands.find(islandLetter(island));
    return laidOver(
        laidOver(files, savedFor(state, {}, textOf)), own == m_ofIslands.end() ? TemplateFiles{} : own->second);
}

TemplateFiles TemplateShelf::filesFor(const RunState& state, IslandId island, const TextOf& textOf) const
{
    return laidOver(filesBelow(state, island, textOf), savedFor(state, island, textOf));
}

std::string TemplateShelf::textBelow(
    const RunState& state, IslandId island, const std::string& name, const TextOf& textOf) const
{
    const TemplateFiles files = filesBelow(state, island, textOf);
    const auto found = files.find(name);
    return found == files.end() ? std::string() : found->second.text;
}

bool TemplateShelf::hasOwnFile(IslandId island, const std::string& name) const
{
    if (!island)
        return m_own.contains(name);
    const auto own = m_ofIslands.find(islandLetter(island));
    return own != m_ofIslands.end() && own->second.contains(name);
}

} // namespace tilewright
