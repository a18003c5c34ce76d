// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace tilewright::ui {

/// The screens of the mode bar, in its order.
enum class Mode { Welcome, Evolve, Review, Prompts, Devices, Settings };

} // namespace tilewright::ui
