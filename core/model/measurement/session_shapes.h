// SPDX-License-Identifier: GPL-3.0-or-later
// Shapes of one's own for a session: those that choose among candidates, and those that only judge the chosen. Pure.
#pragma once

#include "core/model/task/task.h"

namespace tilewright {

inline constexpr std::size_t mostSessionShapes = 64;

struct SessionShapes {
    std::vector<Shape> train, heldout;

    bool operator==(const SessionShapes&) const = default;
};

SessionShapes shapesOf(const Task& task);

/// Lists as a user writes them: "4096x2048x512,777x1023x511"; "none" for no held-out shapes. What is not written is
/// as the task has it, less what the other list takes. Errors: shapes/words, shapes/dimension, shapes/sealed,
/// shapes/large, shapes/many, shapes/twice, shapes/train (none is left).
Result<SessionShapes> sessionShapes(const Task& task, std::string_view train, std::string_view heldout);

/// A table of shapes, a line each, parted by commas, semicolons or tabs: sizes in the task's order and, if wanted,
/// train or held-out behind them (train where nothing is said). A first line may name the columns, in any order: the
/// task's dimensions and "split". Lines that begin with # are passed over. Errors: as above, with the line's number.
Result<SessionShapes> shapesFromTable(const Task& task, std::string_view text);

/// Whether a session can be on these, each of which its task takes. Errors: shapes/train, shapes/many, shapes/twice.
Result<void> checkShapes(const SessionShapes& shapes);

/// As `evolve --train` and `--held-out` take them; of both: what two sessions on the same shapes have in common.
std::string listWords(const std::vector<Shape>& shapes);
std::string listWords(const SessionShapes& shapes);

/// The same task on these shapes. Errors: as above, and as parseTask().
Result<TaskPack> packOn(const TaskPack& pack, const SessionShapes& shapes);

} // namespace tilewright
