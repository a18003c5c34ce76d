// SPDX-License-Identifier: GPL-3.0-or-later
// As much of JSON Schema as task.schema.json uses; a keyword that is not known here fails, so that none is passed over.
#pragma once

#include <nlohmann/json.hpp>

namespace tilewright::testing {

/// Empty where the value fits; else "numeric.tau: maximum": where it does not, and by which keyword.
std::string objectionOf(const nlohmann::json& schema, const nlohmann::json& value);

} // namespace tilewright::testing
