// SPDX-License-Identifier: Apache-2.0
// Source text → shared object, in the sandbox and through a content-addressed cache. Thread-safe: builder threads share
// one Builder. The compiler sees the generated header, the candidate, and nothing of the user's.
#pragma once

#include "core/model/task/task.h"
#include "core/node/build_cache.h"
#include "core/node/child_process.h"
#include "core/node/elf_rules.h"
#include "core/node/sandbox.h"
#include "core/protocol/messages.h"

#include <filesystem>
#include <string>
#include <vector>

namespace tilewright {

class Builder
{
public:
    /// cpus: where compilers may run; empty means anywhere.
    Builder(const Sandbox& sandbox, std::filesystem::path cache, std::vector<int> cpus,
        StaticRules rules = StaticRules::On);

    /// "g++ 12.2.0"; empty when there is no compiler.
    const std::string& compiler() const { return m_compiler; }

    /// A cancelled build has the rule "cancelled" and leaves nothing in the cache; nor does one that this machine could
    /// not do, "machine/…": neither is an outcome.
    BuildOutcome buildCandidate(const Task& task, const std::string& source, const Cancelled& cancelled = never) const;
    /// The task's reference: trusted code, loaded by the node itself. Returns its path.
    Result<std::filesystem::path> buildReference(const TaskPack& pack) const;
    /// Path of an object built before, if the cache still has it.
    Result<std::filesystem::path> artifactPath(const Hash& artifact) const;
    /// A program that this object was built from; empty where the cache has none.
    std::string sourceOf(const Hash& artifact) const { return m_cache.sourceOf(artifact); }

private:
    struct Job {
        std::string text, fileName;
        std::string source = {}; ///< of a candidate: its text alone
        std::vector<std::string> options;
        double seconds = 30;
        const Task* mathOf = nullptr; ///< whose rules on fast math hold for what the compiler makes of it
    };
    BuildOutcome compile(const Job& job, bool candidate, const Cancelled& cancelled = never) const;
    /// The outcome, once the cache has it; machine/… if that cannot be.
    BuildOutcome kept(
        const Hash& key, BuildOutcome outcome, const std::string& object, const std::string& source) const;
    BuildOutcome inspect(const std::string& object, const Cancelled& cancelled) const;

    const Sandbox& m_sandbox;
    BuildCache m_cache;
    std::vector<int> m_cpus;
    StaticRules m_rules;
    std::string m_compiler;
};

} // namespace tilewright
