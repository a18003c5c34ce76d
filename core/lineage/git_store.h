// SPDX-License-Identifier: GPL-3.0-or-later
// A bare git repository that one process writes: objects gather in memory and reach the disk as one pack, then all
// names change at once. A process that ends in between leaves what was there. libgit2 is used in git_store.cpp alone.
// Belongs to one thread at a time.
#pragma once

#include "core/base/result.h"
#include "core/lineage/commit_text.h"
#include "core/lineage/packed_refs.h"

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace tilewright {

/// Id of an object in hexadecimal; empty: none.
using GitId = std::string;

struct GitCommit {
    GitId tree;
    std::vector<GitId> parents;
    GitPerson author, committer;
    std::int64_t authored = 0, committed = 0; ///< seconds since 1970
    std::string message;

    bool operator==(const GitCommit&) const = default;
};

/// Name and object; a name that is two hexadecimal digits is a folder of notes, all others are files.
using GitTree = std::vector<std::pair<std::string, GitId>>;

class GitStore
{
public:
    ~GitStore();
    GitStore(const GitStore&) = delete;
    GitStore& operator=(const GitStore&) = delete;

    /// Opens the repository, or makes one in a folder that is empty or not there; the folder above it has to be there.
    /// Nothing of another's is touched: a folder that Tilewright did not begin is refused.
    /// Errors: lineage/not-ours, lineage/missing (the folder above), lineage/unwritable, lineage/foreign-owner,
    /// lineage/locked (another process writes it), lineage/full, lineage/damaged.
    static Result<std::unique_ptr<GitStore>> open(const std::filesystem::path& folder, const std::string& head);

    /// All names: of packed-refs, and those that other programs made since as files of their own.
    const RefNames& refs() const { return m_refs; }

    // Each returns the object's id, and keeps it in memory if the repository does not have it. Errors: lineage/git.
    Result<GitId> putBlob(const std::string& bytes, const char* name);
    Result<GitId> putTree(const GitTree& tree, const char* name);
    Result<GitId> putCommit(const GitCommit& commit);

    /// The text of a blob. Errors: lineage/damaged.
    Result<std::string> blob(const GitId& id) const;
    /// When it was committed, seconds since 1970. Errors: lineage/damaged.
    Result<std::int64_t> committedAt(const GitId& id) const;
    bool has(const GitId& id) const;

    /// Writes what was put since the last time, then has these names and no others of `owned` stand, which are
    /// beginnings of names. Names of others stay. Errors: lineage/unwritable, lineage/full, lineage/locked.
    Result<void> write(const RefNames& names, const std::vector<std::string>& owned);

private:
    struct Handles;
    explicit GitStore(std::filesystem::path folder);
    Result<void> readRefs();
    Result<GitId> put(int type, const std::string& bytes, const char* name);
    Result<void> writePack();
    Result<void> mergePacks();

    std::filesystem::path m_folder;
    std::unique_ptr<Handles> m_git;
    RefNames m_refs, m_packed; ///< all; those of the file packed-refs
    std::vector<std::pair<GitId, const char*>> m_fresh; ///< put since the last write; names help to find deltas
};

} // namespace tilewright
