// SPDX-License-Identifier: GPL-3.0-or-later
// Writes the task pack of a user's kernel to a folder, and keeps beside it whether it has passed its check. Reads and
// writes files: for a thread that may wait.
#pragma once

#include "core/pack/kernel_description.h"

#include <filesystem>
#include <optional>

namespace tilewright {

/// Text of a user's source file. Errors: file/missing, file/unreadable, file/too-large (over 4 MiB),
/// file/not-text.
Result<std::string> readKernelFile(const std::filesystem::path& path);

/// The pack PARENT/NAME, marked as not checked. A pack that was written here before is written over; any other folder
/// of that name is left alone. Errors: own/description (the first finding), own/taken, file/unwritable.
Result<std::filesystem::path> writePack(
    const KernelDescription& description, const std::filesystem::path& parent, std::int64_t memoryBytes);

/// The word on a pack's check is its file uncheckedFile.
void markPackChecked(const std::filesystem::path& folder);
void markPackUnchecked(const std::filesystem::path& folder, const std::string& why);
bool isPackUnchecked(const std::filesystem::path& folder);
/// What markPackUnchecked() was told, in one line; empty where the word of the folder does not say.
std::string whyUnchecked(const std::filesystem::path& folder);
/// The pack was written here, has failed its check, and nobody has touched its files since: the next try may have its
/// name.
bool isFailedTry(const std::filesystem::path& folder);

/// An error of a pack's check for a user who wrote a kernel and not a task: the rule's meaning, and what to do.
std::string plainRemedy(const Error& error);

// A kernel's description after its file has changed: what a user said of it stays, all else is as the file tells it
// now. Pure.

/// wasRead: as the file told it before, byHand: the same with a user's changes, isRead: as the file tells it now.
/// None where the function takes other parameters now: what was said of the old ones means nothing for these.
std::optional<KernelDescription> reread(
    const KernelDescription& wasRead, const KernelDescription& byHand, const KernelDescription& isRead);

} // namespace tilewright
