// SPDX-License-Identifier: Apache-2.0
// One exclusive lock for each device of a machine, by which all nodes on it take turns, whoever's they are.
#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace tilewright {

/// A file that all users of the machine lock: not in $TMPDIR, which may be a job's own.
class DeviceLockFile
{
public:
    /// name: the device's, the same for all processes.
    explicit DeviceLockFile(const std::string& name, const std::filesystem::path& folder = "/tmp");
    ~DeviceLockFile();
    DeviceLockFile(const DeviceLockFile&) = delete;
    DeviceLockFile& operator=(const DeviceLockFile&) = delete;

    int descriptor() const { return m_descriptor; }
    /// machine/folder or machine/no-room where the file cannot be opened: then nothing may be measured.
    const std::optional<Error>& trouble() const { return m_trouble; }

private:
    int m_descriptor = -1;
    std::optional<Error> m_trouble;
};

/// Holds a device for one job; waits for it without starving a cancel.
class DeviceLock
{
public:
    DeviceLock(
        const DeviceLockFile& file, const std::function<bool()>& cancelled, const std::function<void()>& waiting);
    ~DeviceLock();
    DeviceLock(const DeviceLock&) = delete;
    DeviceLock& operator=(const DeviceLock&) = delete;
    bool held() const { return m_held; }
    /// cancelled, or the file's trouble.
    Error whyNot() const;

private:
    const DeviceLockFile& m_file;
    bool m_held = false;
};

} // namespace tilewright
