// SPDX-License-Identifier: GPL-3.0-or-later
// The prompts of a run, written from the templates of the installation and the person's own.
#pragma once

#include "core/engine/correspondence.h"

namespace tilewright {

/// Reads the templates once. Errors: prompt/missing, prompt/placeholder, prompt/section.
Result<PromptSources> writtenPrompts();

} // namespace tilewright
