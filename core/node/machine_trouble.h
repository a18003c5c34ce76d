// SPDX-License-Identifier: Apache-2.0
// What keeps a node from working and is no program's doing: no room, no folder, no memory. Such errors are never an
// outcome and never cached: their code is "machine/…", and they say what, where and what to do.
#pragma once

#include "core/base/result.h"
#include "core/protocol/killed.h"

#include <filesystem>
#include <string_view>

namespace tilewright {

bool isMachineTrouble(std::string_view code);
/// What a user can do about it.
const char* remedyFor(std::string_view machineTrouble);

/// machine/no-room when the disk is full, else machine/folder: `what` ("the build cache") at this place could not be
/// written, for this errno.
Error cannotWrite(const std::string& what, const std::filesystem::path& place, int errorNumber);

/// Bytes of memory that programs can have now; 0 where the system does not tell.
std::size_t availableMemory();
/// Processes that the system has ended for want of memory since it started; −1 where it does not tell.
long endedForMemory();

/// machine/killed: `what` ("a compiler") was ended by this signal, which was not ours.
Error endedFromOutside(const std::string& what, int signal);

/// What the system answers when it can start no process or give no memory: machine/memory.
Error noMemory(const std::string& what, int errorNumber);

/// Writes the whole text, or tells why not.
Result<void> writeText(const std::string& what, const std::filesystem::path& file, std::string_view text);

/// A folder of one job, gone when the job is.
class ScratchFolder
{
public:
    /// Errors: machine/folder, machine/no-room.
    static Result<ScratchFolder> make(const std::string& name);
    /// Removes those of this name that a process which is no more has left behind, if they are not quite new.
    static void removeLeft(const std::string& name);
    ScratchFolder(ScratchFolder&& other) noexcept
        : m_path(std::exchange(other.m_path, {}))
        , m_lock(std::exchange(other.m_lock, -1))
    {
    }
    ScratchFolder& operator=(ScratchFolder&&) = delete;
    ~ScratchFolder();
    const std::filesystem::path& path() const { return m_path; }
    /// Whether some more can be written there: tells a full disk from a program that says so.
    Result<void> checkRoom() const;

private:
    ScratchFolder() = default;
    std::filesystem::path m_path;
    int m_lock = -1; ///< on the folder, as long as this process lives
};

} // namespace tilewright
