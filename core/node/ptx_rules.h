// SPDX-License-Identifier: Apache-2.0
// What a GPU candidate's PTX may not say, and which state it keeps. PTX comes with inline assembly as a user or model
// spelled it, so that only whole words count, wherever in a statement they stand. Pure.
#pragma once

#include "core/node/cubin.h"

#include <string>
#include <string_view>
#include <vector>

namespace tilewright {

/// The first statement with what no candidate may use: the global timer, sleep by a timer, what pins lines in L2, and
/// literals that could hide these (with an escape or a comment's mark). Empty if none.
std::string forbiddenInstruction(std::string_view ptx);

/// Variables that outlive a launch, as the compiled module has them, and some statement names besides the one that
/// declares them. A constant that the compiler has folded away is named by none, and may have a place in the module all
/// the same. One that the PTX does not know by its name counts as named.
struct ModuleVariables {
    std::vector<std::string> used; ///< with initial contents, read or their address taken
    std::vector<std::string> written; ///< stored to, or without initial contents
};
ModuleVariables moduleVariables(std::string_view ptx, const std::vector<CubinVariable>& variables);

} // namespace tilewright
