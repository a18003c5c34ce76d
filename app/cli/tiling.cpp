// SPDX-License-Identifier: GPL-3.0-or-later
// tilewright-cli tiling sweep: a map of tiles measured on this machine's device, into a file that the window's tiling
// explorer shows.
#include "app/cli/cli_options.h"
#include "app/cli/interrupts.h"
#include "app/cli/progress.h"
#include "app/cli/subcommands.h"
#include "core/base/files.h"
#include "core/base/format.h"
#include "core/base/json_text.h"
#include "core/base/text.h"
#include "core/engine/measuring/tile_sweeper.h"
#include "core/model/measurement/shape_choice.h"
#include "core/protocol/device_names.h"
#include "core/source/saved_program.h"
#include "core/tiling/tile_tunables.h"

#include <cstdio>
#include <filesystem>

namespace tilewright::cli {
namespace {

const Synopsis tilingSynopsis{"tiling", " sweep --out FILE [options]",
    "Measure a map of tiles: one program with other values of two of its tunables, each in pairs with the starting "
    "tile.\nThe file is written after every tile; where it exists, the sweep goes on.",
    {{"--out", Value::Text, "FILE", "the sweep, as JSON (required); the tiling explorer shows those in resources/lab"},
        {"--task", Value::Text, "T", "name of a task, or the path of a pack's folder (default gemm-fp32-cpu)"},
        {"--program", Value::Text, "FILE", "a program with // tune: lines (default: the explorer's for the task)"},
        {"--rows", Value::Text, "NAME=V,V,…", "tunable and its values, one row each (default MR; BM for a GPU)"},
        {"--columns", Value::Text, "NAME=V,V,…", "tunable and its values, one column each (default NR; BN for a GPU)"},
        {"--set", Value::Text, "NAME=V",
            "value of a tunable of the starting tile, where it is not the program's; may be given several times"},
        {"--shape", Value::Text, "SHAPE", "the sizes to measure on (default 512x1024x512; 4096x4096x1024 for a GPU)"},
        {"--device", Value::Text, "D", "cpu, cuda:N or a GPU's UUID; by default the first that fits the task"},
        {"--json", Value::None, nullptr, "print the sweep as one JSON object on standard output"}},
    {{Done, "every tile is measured, or has the reason why it is not"}, {Internal, "internal error"},
        {Usage, "usage, an invalid task, program or value, or --out holds another sweep"},
        {RefusedByRule, "the starting tile is refused, or does not build"},
        {Missing, "device, compiler, node or file missing, or the machine is too busy to time"},
        {Interrupted, "interrupted; what is measured is kept"}},
    1};

int refuseSweep(const Error& error)
{
    complain(error);
    if (error.code == "cancelled")
        return Interrupted;
    if (error.code == "sweep/reference")
        return RefusedByRule;
    return error.code.starts_with("sweep/") || error.code == "tune/constraint" ? int(Usage) : exitCodeOf(error.code);
}

/// "MR=2,4,6".
Result<SweepAxis> axisIn(const std::string& words)
{
    const std::size_t equals = words.find('=');
    SweepAxis axis{words.substr(0, equals), {}};
    for (std::size_t at = equals; at < words.size();) {
        const std::size_t end = std::min(words.find(',', at + 1), words.size());
        const auto value = fixedExtent(words.substr(at + 1, end - at - 1));
        if (!value)
            return fail("usage", "'" + printable(words) + "' is not NAME=V or NAME=V,V,…, with positive numbers");
        axis.values.push_back(*value);
        at = end;
    }
    if (axis.name.empty() || axis.values.empty())
        return fail("usage", "'" + printable(words) + "' is not NAME=V or NAME=V,V,…, with positive numbers");
    return axis;
}

SweepAxis usualAxis(const char* name, const std::vector<int>& values) { return {name, {values.begin(), values.end()}}; }

Result<BegunSweep> orderedSweep(const TaskPack& pack, const Options& options)
{
    const bool isGpu = pack.task.target == Target::Cuda;
    SweepWords words;
    words.device = options.text("--device", isGpu ? "cuda:0" : "cpu");
    if (const auto named = checkDeviceName(words.device); !named)
        return std::unexpected(named.error());
    if (words.device.starts_with("cpu") == isGpu)
        return fail("device/missing", "the task '" + pack.task.name + "' cannot be measured on '" + words.device + "'");
    const auto text = options.has("--program") ? readText(options.text("--program")) : tileProgram(pack.task);
    if (!text)
        return std::unexpected(text.error());
    words.text = programInSaved(*text);
    words.rows = usualAxis(isGpu ? "BM" : "MR", isGpu ? tile_choices::bm : tile_choices::mr);
    words.columns = usualAxis(isGpu ? "BN" : "NR", isGpu ? tile_choices::bn : tile_choices::nr);
    for (const auto& [option, axis] : {std::pair{"--rows", &words.rows}, {"--columns", &words.columns}})
        if (options.has(option)) {
            auto read = axisIn(options.text(option));
            if (!read)
                return std::unexpected(read.error());
            *axis = std::move(*read);
        }
    for (const std::string& each : options.texts("--set")) {
        const auto read = axisIn(each);
        if (!read || read->values.size() != 1)
            return fail("usage", "--set takes NAME=V, not '" + printable(each) + "'");
        words.reference[read->name] = read->values.front();
    }
    if (options.has("--shape")) {
        const auto shape = oneShape(pack.task, options.text("--shape"));
        if (!shape)
            return std::unexpected(shape.error());
        words.shape = *shape;
    }
    return begunSweep(pack, words);
}

/// Takes over what the file holds of the same sweep.
Result<void> resumeSweep(TileSweep& sweep, const std::string& path)
{
    if (!std::filesystem::exists(path))
        return {};
    const auto text = readFile(path);
    if (!text)
        return std::unexpected(text.error());
    const auto kept = sweepFrom(*text);
    if (!kept)
        return fail(kept.error().code, path + ": " + kept.error().text, "choose another file");
    if (!kept->asksTheSame(sweep))
        return fail(
            "sweep/file", path + " holds another sweep", "choose another file, or give the options of that one");
    sweep = *kept;
    return {};
}

std::string cellText(const TileSweep& sweep, const SweepCell& cell)
{
    std::string text = sweep.rows.name + " " + std::to_string(sweep.rows.values[static_cast<std::size_t>(cell.row)])
        + ", " + sweep.columns.name + " " + std::to_string(sweep.columns.values[static_cast<std::size_t>(cell.column)])
        + ": ";
    return cell.isMeasured() ? text + rateText(sweep.gigaflops(cell)) + " GFLOP/s, " + timesText(*cell.ratio)
            + " the starting tile, " + std::to_string(cell.samples) + " samples"
                             : text + cell.rule + ": " + oneLine(cell.text, 120);
}

} // namespace

int tiling(const QStringList& arguments)
{
    const auto [options, code] = Options::parse(tilingSynopsis, arguments);
    if (!options)
        return code;
    if (options->positionals().front() != "sweep")
        return refuseSweep({"usage", "unknown command 'tiling " + oneLine(options->positionals().front(), 40) + "'",
            "there is 'tiling sweep'", nullptr});
    const std::string out = options->text("--out");
    if (out.empty())
        return refuseSweep({"usage", "tiling sweep needs --out FILE", {}, nullptr});
    const auto pack = findTaskPack(options->text("--task", "gemm-fp32-cpu"));
    if (!pack)
        return refuseSweep(pack.error());
    auto begun = orderedSweep(*pack, *options);
    if (!begun)
        return refuseSweep(begun.error());
    TileSweep& sweep = begun->sweep;
    if (const auto resumed = resumeSweep(sweep, out); !resumed)
        return refuseSweep(resumed.error());
    bool isInterrupted = false;
    Interrupts interrupts;
    QObject::connect(&interrupts, &Interrupts::interrupted, &interrupts, [&](int) { isInterrupted = true; });
    std::optional<Error> unwritable;
    SweepWatch watch;
    watch.evaluation = complaining();
    watch.evaluation.isCancelled = [&] { return isInterrupted || unwritable.has_value(); };
    watch.begun = [](const TileSweep& now) { complain("measuring on " + printable(now.device)); };
    watch.done = [&](const TileSweep& now, const SweepCell& cell) {
        complain(printable(cellText(now, cell)));
        if (const auto saved = saveFile(out, sweepJson(now)); !saved)
            unwritable = saved.error();
    };
    const auto ended = runSweep(begun->order, sweep, watch);
    if (unwritable)
        return refuseSweep(*unwritable);
    if (!ended)
        return refuseSweep(ended.error());
    if (options->has("--json"))
        printJson(parsedJson(sweepJson(sweep)));
    else
        std::printf("%zu tiles on %s, in %s\n", sweep.cells.size(), printable(sweep.device).c_str(), out.c_str());
    return Done;
}

} // namespace tilewright::cli
