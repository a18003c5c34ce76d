// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/export/export_form.h"

#include "core/base/json_text.h"
#include "core/base/text.h"

namespace tilewright {
namespace {

std::string readmeOf(const ExportInput& input, const std::vector<RepeatCommand>& commands)
{
    const ExportRecord& record = input.record;
    std::string text = "# " + candidateName(record.candidate) + " of " + record.taskName + "\n\n" + record.findingText
        + "\n\nExported from the Tilewright session `" + record.source.session + "` at " + record.source.exportedAtUtc
        + ". `REPORT.html` is the report for a reviewer, `report.json` holds all of it for programs.\n\n"
          "| folder or file | content |\n|---|---|\n";
    for (const ExportForm& form : exportForms())
        if (!form.commands(input).empty())
            text += "| " + std::string(form.name) + " | " + form.summary + " |\n";
    text += "| `MANIFEST.sha256` | the SHA-256 of every file |\n";
    for (const RepeatCommand& each : commands)
        text += "\n" + each.purpose + "\n\n```\n" + each.command + "\n```\n";
    return text;
}

} // namespace

const std::vector<ExportForm>& exportForms()
{
    static const std::vector<ExportForm> forms{
        {"`source/`, `task/`, `patches/`",
            "the program, the seed and its parent; the task's pack; patches against seed and parent, and one for each "
            "step of the lineage. `source/stand-alone.*` compiles without other files",
            sourceForm, sourceCommands},
        {"`harness/`, `build`, `verify`",
            "the node's own sources; `./build` compiles them with g++ alone, `./verify` verifies and times the program "
            "again",
            harnessForm, harnessCommands},
        {"`interface/`",
            "the program behind a plain C interface (can_implement, workspace size, status), and an example that calls "
            "it",
            cInterfaceForm, cInterfaceCommands},
        {"`interface/`",
            "the program behind a plain C interface (can_implement, workspace size, status, a CUDA stream), a script "
            "that "
            "builds a library of it, and an example that calls it",
            cudaInterfaceForm, cudaInterfaceCommands},
        {"`interface/torch/`", "a PyTorch operator over that interface, and a check of it", torchForm, torchCommands},
    };
    return forms;
}

Result<Bundle> bundleOf(const ExportInput& input)
{
    Bundle bundle;
    std::vector<RepeatCommand> commands;
    for (const ExportForm& form : exportForms()) {
        auto files = form.make(input);
        if (!files)
            return std::unexpected(files.error());
        bundle.merge(std::move(*files));
        for (RepeatCommand& command : form.commands(input))
            commands.push_back(std::move(command));
    }
    bundle["report.json"] = {dumped(toJson(input.record), 1) + "\n"};
    bundle["REPORT.html"] = {reportHtml(input.record, input.pack.task, commands)};
    bundle["README.md"] = {readmeOf(input, commands)};
    return bundle;
}

} // namespace tilewright
