// SPDX-License-Identifier: Apache-2.0
// What a program's text says about itself: what may change, its tunables and constraints, its identity. Pure.
#pragma once

#include "core/base/block_markers.h"
#include "core/base/expression.h"
#include "core/base/hash.h"
#include "core/model/task/task.h"
#include "core/model/tunables.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright {

/// One `constexpr int NAME = value;  // tune: a b c` or `#define NAME value // tune: 0=ijk 1=ikj` inside a block.
struct Tunable {
    std::string name;
    std::int64_t value = 0;
    std::vector<std::int64_t> choices; ///< in the order written; contains value or value is appended
    std::vector<std::string> labels; ///< "" where a choice has none
    std::size_t line = 0;

    bool operator==(const Tunable&) const = default;
};

/// A name that a line gives a whole number, or what follows from names before it: constexpr int SHARED = STAGES *
/// BYTES;.
struct Constant {
    std::string name;
    std::optional<std::int64_t> value; ///< none: `expression` tells
    std::string expression;
};

std::vector<Tunable> tunablesOf(std::string_view text);
Tunables valuesOf(const std::vector<Tunable>& tunables);

/// The text with these tunables set; names that the text does not have are left out. Only the value changes.
std::string withTunables(std::string_view text, const Tunables& values);

/// What the `// require: …` lines of a text ask of its tunables, read once for any number of assignments. They may name
/// tunables and other constants of the blocks, also those that follow from constants before: constexpr int SHARED =
/// STAGES * BYTES;.
class Constraints
{
public:
    explicit Constraints(std::string_view text);
    /// First constraint that the values break, empty when all hold; names without a value have that of the text.
    /// Errors: tune/constraint for one that cannot be read.
    Result<std::string> broken(const Tunables& values = {}) const;
    bool hold(const Tunables& values = {}) const;

private:
    struct Line {
        std::string expression;
        std::size_t number = 0;
    };
    std::vector<Constant> m_constants;
    std::vector<Line> m_lines;
    std::map<std::string, std::size_t> m_misplaced; ///< names on lines with "tune:" that are no tunables: their numbers
};

/// The text without comments but for tune, require and marker lines, right-trimmed, LF, no blank lines at the end.
std::string normalised(std::string_view text);
/// SHA-256 of normalised(): two texts with one identity are one program, measured once.
Hash programIdentity(std::string_view text);
/// Bytes of normalised(): the niche feature code_bytes.
std::int64_t codeBytes(std::string_view text);

/// What an axis of niches measures of a program; none where it cannot be computed.
std::optional<double> nicheFeature(const NicheAxis& axis, std::string_view text);
/// Bin of a niche axis for one program, from 0 to bins − 1, or "unknown" when the feature cannot be computed.
/// tunables:EXPR, over tunables and other whole constants of the blocks, with log2 scale: bins cover the axis's
/// scale evenly (core/model/niche_grid.h).
std::string nicheBin(const NicheAxis& axis, std::string_view text);
/// "3,1": the bins of all axes.
std::string nicheCell(const std::vector<NicheAxis>& axes, std::string_view text);

} // namespace tilewright
