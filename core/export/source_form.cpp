// SPDX-License-Identifier: GPL-3.0-or-later
// The source form: programs, task pack and patches, as they stand in the session.
#include "core/export/export_form.h"

#include "core/base/text.h"
#include "core/patch/diff.h"
#include "core/source/saved_program.h"

#include <cstdio>

namespace tilewright {
namespace {

std::string extensionOf(const std::string& file)
{
    const std::size_t dot = file.rfind('.');
    return dot == std::string::npos ? std::string() : file.substr(dot);
}

/// As task_pack.cpp reads it back: each part on one line.
std::string moveText(const Move& move)
{
    std::string text = "# title: " + oneLine(move.title, move.title.size()) + "\n";
    if (!move.reasoning.empty())
        text += "# reasoning: " + oneLine(move.reasoning, move.reasoning.size()) + "\n";
    if (!move.expects.empty())
        text += "# expects: " + oneLine(move.expects, move.expects.size()) + "\n";
    return text + move.diff;
}

void addPack(Bundle& bundle, const TaskPack& pack)
{
    const std::string folder = "task/" + pack.task.name + "/";
    bundle[folder + "task.json"] = {pack.json};
    for (const auto& [name, text] : pack.files)
        bundle[folder + name] = {text};
    if (pack.task.moves.empty())
        return;
    std::string moves = pack.task.moves;
    while (moves.ends_with('/'))
        moves.pop_back();
    for (const Move& move : pack.moves)
        bundle[folder + moves + "/" + move.name + ".patch"] = {moveText(move)};
}

std::string headed(const LineageStep& step, const std::string& diff)
{
    std::string text;
    const auto line = [&text](const std::string& words) { text += words.empty() ? "" : "# " + words + "\n"; };
    line(candidateName(step.candidate) + ", by " + oneLine(step.author, 200));
    line(oneLine(step.title, 400));
    line(oneLine(step.reasoning, 2000));
    return text + diff;
}

} // namespace

Result<Bundle> sourceForm(const ExportInput& input)
{
    Bundle bundle;
    const std::string& file = input.pack.task.sources.front();
    const std::string extension = extensionOf(file);
    const std::string folder = "source/";
    bundle[folder + "program" + extension] = {input.source};
    bundle[folder + "seed" + extension] = {input.pack.seed()};
    if (!input.parentSource.empty())
        bundle[folder + "parent" + extension] = {input.parentSource};
    bundle[folder + "stand-alone" + extension] = {savedProgram(input.state, input.candidate, input.pack.task,
        input.source, {input.record.source.session, input.record.source.exportedAtUtc.substr(0, 10)})};
    addPack(bundle, input.pack);
    bundle["patches/against-seed.patch"] = {unifiedDiff(input.pack.seed(), input.source, file)};
    if (!input.parentSource.empty())
        bundle["patches/against-parent.patch"] = {unifiedDiff(input.parentSource, input.source, file)};
    int number = 0;
    for (const LineageStep& step : input.record.lineage) {
        if (step.diff.empty())
            continue;
        char digits[16];
        std::snprintf(digits, sizeof digits, "%04d", ++number);
        bundle["patches/lineage/" + std::string(digits) + "-" + candidateName(step.candidate) + ".patch"]
            = {headed(step, step.diff)};
    }
    return bundle;
}

std::vector<RepeatCommand> sourceCommands(const ExportInput& input)
{
    const std::string extension = extensionOf(input.pack.task.sources.front());
    std::vector<RepeatCommand> commands{
        {"Check that no file of the bundle was changed:", "sha256sum -c MANIFEST.sha256"},
        {"With Tilewright: build, check and time the program against the task's baseline and vendor library:",
            "tilewright-cli evaluate --task task/" + shellQuoted(input.pack.task.name) + " --source source/program"
                + extension}};
    if (!input.record.lineage.empty() && input.record.lineage.size() > 1)
        commands.push_back({"Produce the program from the seed by its lineage:",
            "cp source/seed" + extension + " program" + extension
                + " && for step in patches/lineage/*.patch; do patch program" + extension + " \"$step\"; done"});
    return commands;
}

} // namespace tilewright
