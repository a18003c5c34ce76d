// SPDX-License-Identifier: Apache-2.0
// Words for Progress::stage that a reader acts on; any other is only shown.
#pragma once

#include <string_view>

namespace tilewright {

/// Another node holds the device. Told again every half second while that lasts.
inline constexpr std::string_view waitingStage = "waiting for the device";
/// A block of samples was void; what disturbed it follows. `done` of `of` blocks were.
inline constexpr std::string_view disturbedStage = "disturbed: ";

} // namespace tilewright
