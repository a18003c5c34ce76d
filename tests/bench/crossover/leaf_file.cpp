// SPDX-License-Identifier: GPL-3.0-or-later
// Apart from main.cpp: the headers of a run and of the node both have a Placement.
#include "tests/bench/crossover/leaf_file.h"

#include "core/base/files.h"
#include "core/source/saved_program.h"

namespace tilewright::bench {

Result<std::string> leafIn(const std::string& path)
{
    const auto text = readTextFile(path, std::size_t(4) << 20);
    return text ? Result<std::string>(programInSaved(*text)) : std::unexpected(text.error());
}

} // namespace tilewright::bench
