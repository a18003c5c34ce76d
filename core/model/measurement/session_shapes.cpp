// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/measurement/session_shapes.h"

#include "core/base/text.h"
#include "core/model/measurement/shape_choice.h"

#include <algorithm>

namespace tilewright {
namespace {

bool holds(const std::vector<Shape>& shapes, const Shape& shape)
{
    return std::ranges::find(shapes, shape) != shapes.end();
}

std::vector<std::string> cellsOf(std::string_view line)
{
    std::vector<std::string> cells;
    for (std::size_t begin = 0; begin <= line.size();) {
        const std::size_t end = std::min(line.find_first_of(",;\t", begin), line.size());
        std::string_view cell = trimmed(line.substr(begin, end - begin));
        if (cell.size() >= 2 && cell.front() == '"' && cell.back() == '"')
            cell = cell.substr(1, cell.size() - 2);
        cells.emplace_back(cell);
        begin = end + 1;
    }
    return cells;
}

std::string lower(std::string words)
{
    std::ranges::transform(words, words.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; });
    return words;
}

Result<std::vector<Shape>> listed(const Task& task, std::string_view words)
{
    std::vector<Shape> shapes;
    for (const std::string& item : cellsOf(words)) {
        const auto shape = oneShape(task, item);
        if (!shape)
            return std::unexpected(shape.error());
        shapes.push_back(*shape);
    }
    return shapes;
}

/// Which cell of a line is which dimension, and which tells the split.
struct Columns {
    std::vector<std::size_t> sizes;
    std::size_t split = 0;
};

/// None where the line names no columns.
std::optional<Columns> columnsIn(const Task& task, const std::vector<std::string>& cells)
{
    Columns columns;
    columns.split = cells.size();
    for (const Dimension& dim : task.dims) {
        const auto cell = std::ranges::find(cells, lower(dim.name), lower);
        if (cell == cells.end())
            return std::nullopt;
        columns.sizes.push_back(static_cast<std::size_t>(cell - cells.begin()));
    }
    for (std::size_t i = 0; i < cells.size(); ++i)
        if (lower(cells[i]) == "split")
            columns.split = i;
    return columns;
}

Columns usualColumns(const Task& task)
{
    Columns columns;
    for (std::size_t i = 0; i < task.dims.size(); ++i)
        columns.sizes.push_back(i);
    columns.split = task.dims.size();
    return columns;
}

Result<void> addLine(
    SessionShapes& shapes, const Task& task, const Columns& columns, const std::vector<std::string>& cells)
{
    std::vector<std::string> sizes;
    for (const std::size_t column : columns.sizes)
        sizes.push_back(column < cells.size() ? cells[column] : "");
    const bool inOneCell = task.dims.size() > 1 && cells.size() <= 2
        && cells.front().find_first_not_of("0123456789") != std::string::npos; // 4096x2048x512,train
    const auto shape = oneShape(task, inOneCell ? cells.front() : joined(sizes, "x"));
    if (!shape)
        return std::unexpected(shape.error());
    const std::size_t splitAt = inOneCell ? 1 : columns.split;
    const std::string split = splitAt < cells.size() ? lower(cells[splitAt]) : "";
    if (split != "" && split != "train" && split != "held-out" && split != "heldout")
        return fail("shapes/words", "'" + split + "' is not a split", "use train or held-out");
    (split.starts_with("held") ? shapes.heldout : shapes.train).push_back(*shape);
    return {};
}

} // namespace

Result<void> checkShapes(const SessionShapes& shapes)
{
    if (shapes.train.empty())
        return fail(
            "shapes/train", "no train shape is left: candidates are chosen by train shapes", "name at least one");
    if (shapes.train.size() + shapes.heldout.size() > mostSessionShapes)
        return fail("shapes/many",
            std::to_string(shapes.train.size() + shapes.heldout.size()) + " shapes are too many for a session",
            "choose at most " + std::to_string(mostSessionShapes));
    for (const auto* list : {&shapes.train, &shapes.heldout})
        for (const Shape& shape : *list)
            if (std::ranges::count(shapes.train, shape) + std::ranges::count(shapes.heldout, shape) > 1)
                return fail("shapes/twice", shapeText(shape) + " is named twice",
                    "list it once: held-out shapes must not be train shapes");
    return {};
}

SessionShapes shapesOf(const Task& task) { return {task.train, task.heldout}; }

Result<SessionShapes> sessionShapes(const Task& task, std::string_view train, std::string_view heldout)
{
    SessionShapes shapes = shapesOf(task);
    if (const bool isSaid = !trimmed(train).empty(); isSaid) {
        auto list = listed(task, train);
        if (!list)
            return std::unexpected(list.error());
        shapes.train = std::move(*list);
        if (trimmed(heldout).empty())
            std::erase_if(shapes.heldout, [&](const Shape& shape) { return holds(shapes.train, shape); });
    }
    if (const std::string_view words = trimmed(heldout); !words.empty()) {
        auto list = words == "none" ? Result<std::vector<Shape>>() : listed(task, words);
        if (!list)
            return std::unexpected(list.error());
        shapes.heldout = std::move(*list);
        if (trimmed(train).empty())
            std::erase_if(shapes.train, [&](const Shape& shape) { return holds(shapes.heldout, shape); });
    }
    if (auto fine = checkShapes(shapes); !fine)
        return std::unexpected(fine.error());
    return shapes;
}

Result<SessionShapes> shapesFromTable(const Task& task, std::string_view text)
{
    SessionShapes shapes;
    std::optional<Columns> columns;
    int number = 0;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = text.substr(0, end); // its first cell may be empty: cells are trimmed
        text.remove_prefix(std::min(end + 1, text.size()));
        ++number;
        if (trimmed(line).empty() || trimmed(line).starts_with('#'))
            continue;
        const auto cells = cellsOf(line);
        if (!columns) {
            columns = columnsIn(task, cells);
            if (columns)
                continue;
            columns = usualColumns(task);
        }
        if (auto added = addLine(shapes, task, *columns, cells); !added)
            return fail(
                added.error().code, "line " + std::to_string(number) + ": " + added.error().text, added.error().hint);
    }
    if (auto fine = checkShapes(shapes); !fine)
        return std::unexpected(fine.error());
    return shapes;
}

std::string listWords(const std::vector<Shape>& shapes)
{
    std::vector<std::string> items;
    for (const Shape& shape : shapes) {
        std::vector<std::string> sizes;
        for (const std::int64_t extent : shape)
            sizes.push_back(std::to_string(extent));
        items.push_back(joined(sizes, "x"));
    }
    return items.empty() ? "none" : joined(items, ",");
}

std::string listWords(const SessionShapes& shapes)
{
    return listWords(shapes.train) + " / " + listWords(shapes.heldout);
}

Result<TaskPack> packOn(const TaskPack& pack, const SessionShapes& shapes)
{
    if (shapes == shapesOf(pack.task))
        return pack;
    if (auto fine = checkShapes(shapes); !fine)
        return std::unexpected(fine.error());
    return packWith(pack, {{"train", shapes.train}, {"heldout", shapes.heldout}});
}

} // namespace tilewright
