// SPDX-License-Identifier: GPL-3.0-or-later
// Where a kernel's text adds up: which dimension a sum goes over tells how much an honest result may be rounded. Read
// off the text, no more of the language than it takes; what was found is told to the user. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace tilewright {

struct FoundSum {
    std::string sign; ///< "s +=", "std::accumulate(": what was found
    int line = 0; ///< from 1
    std::string dim; ///< the dimension whose loop it stands in; empty where that cannot be told
};

/// The first sum in the body of `function` or in a function of the file that it calls; dims: the task's dimensions, as
/// the function names them.
std::optional<FoundSum> sumIn(
    const std::string& source, const std::string& function, const std::vector<std::string>& dims);

} // namespace tilewright
