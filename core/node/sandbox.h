// SPDX-License-Identifier: Apache-2.0
// Command lines that put untrusted programs away: bubblewrap with a read-only system, no network, no home; where
// bubblewrap cannot run, Landlock and seccomp, and the honest word for it is "reduced".
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace tilewright {

struct SandboxRequest {
    std::vector<std::string> command; ///< paths as seen inside
    std::vector<std::pair<std::filesystem::path, std::string>> readOnly; ///< (outside, inside)
    std::filesystem::path writable; ///< becomes /work inside; empty: none
    std::vector<std::pair<std::string, std::string>> environment;
    std::vector<std::filesystem::path> devices = {}; ///< device files that may be used; with them comes /sys, read-only
    bool isFirstProcess = true; ///< the command's number in a full sandbox is 1; else another
    int infoFd = -1; ///< bubblewrap writes {"child-pid": N} there; −1: not wanted
};

class Sandbox
{
public:
    /// Finds out by trying once. worker: path of tilewright-worker, for the fallback.
    explicit Sandbox(std::filesystem::path worker);

    /// "sandbox" or "reduced".
    const std::string& isolation() const { return m_isolation; }
    /// Why it is only reduced; empty otherwise.
    const std::string& reason() const { return m_reason; }
    bool isFull() const { return m_isolation == "sandbox"; }

    std::vector<std::string> wrap(const SandboxRequest& request) const;
    /// Path inside for something that wrap() binds: the inside path in a full sandbox, else the outside one.
    std::string pathInside(const std::filesystem::path& outside, const std::string& inside) const;

private:
    std::vector<std::string> bubblewrap(const SandboxRequest& request) const;

    std::filesystem::path m_worker;
    std::string m_isolation, m_reason;
};

} // namespace tilewright
