// SPDX-License-Identifier: GPL-3.0-or-later
// Python pickles (protocol 2 to 5) as a tree of plain data: what a pickle would call is kept by its name, never run.
// Pure.
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::tensor {

/// Nodes refer to others of the same Pickle. A node can be part of several others, and of itself.
struct PickleNode {
    enum class Kind { None, Truth, Number, Text, Bytes, Sequence, Global, Object };
    Kind kind = Kind::None;
    std::int64_t number = 0; ///< of Truth and Number
    std::string text; ///< of Text, Bytes; of Global "module name"
    std::vector<const PickleNode*> items; ///< of Sequence; of Object: what it is made by, its arguments
    const PickleNode* state = nullptr; ///< of Object: what BUILD set
};

struct Pickle {
    std::deque<PickleNode> nodes;
    const PickleNode* root = nullptr;
};

/// Errors: tensor/file.
Result<Pickle> pickleIn(std::string_view bytes);

} // namespace tilewright::tensor
