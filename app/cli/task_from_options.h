// SPDX-License-Identifier: GPL-3.0-or-later
// What a user says of a kernel on the command line, put into its description.
#pragma once

#include "app/cli/cli_options.h"
#include "core/pack/kernel_description.h"

namespace tilewright::cli {

/// Lays the options over what the file told. Errors: usage, own/…, file/… of a reference.
Result<void> applyOptions(KernelDescription& description, const Options& options);
/// The sizes alone: --train, --heldout, --verify.
Result<void> applySizes(KernelDescription& description, const Options& options);

} // namespace tilewright::cli
