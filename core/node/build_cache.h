// SPDX-License-Identifier: Apache-2.0
// Built objects by their own hash, and what is known about a build by the hash of all that went into it. Thread-safe;
// two nodes may share a folder.
#pragma once

#include "core/base/hash.h"
#include "core/base/result.h"

#include <filesystem>
#include <optional>
#include <vector>

namespace tilewright {

struct BuildOutcome {
    bool ok = false;
    bool cached = false;
    std::string rule, text; ///< when not ok
    std::string hint; ///< what to do, where the machine is at fault
    nlohmann::json evidence;
    std::string log; ///< what the compiler said, without paths of this machine
    Hash artifact; ///< SHA-256 of the object; null when not ok
    nlohmann::json resources;
    std::vector<std::string> warnings;
};

class BuildCache
{
public:
    /// suffix: of the objects, ".so".
    BuildCache(std::filesystem::path folder, std::string suffix)
        : m_folder(std::move(folder))
        , m_suffix(std::move(suffix))
    {
    }

    /// What an earlier build said, if its object is still there.
    std::optional<BuildOutcome> find(const Hash& key) const;
    /// source: the program's text, kept with the object. Errors: machine/no-room, machine/folder.
    Result<void> store(
        const Hash& key, const BuildOutcome& outcome, const std::string& object, const std::string& source = {}) const;
    /// Where the object lies, and still is what was built. Errors: build/no-artifact; a damaged one is taken away.
    Result<std::filesystem::path> objectPath(const Hash& object) const;
    /// A program that this object was built from; empty where none was kept.
    std::string sourceOf(const Hash& object) const;

private:
    std::filesystem::path entryPath(const Hash& key, const std::string& suffix) const;

    std::filesystem::path m_folder;
    std::string m_suffix;
};

} // namespace tilewright
