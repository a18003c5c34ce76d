// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/prompt/template_files.h"

#include "core/base/files.h"
#include "core/base/text.h"

#include <algorithm>
#include <vector>

namespace tilewright {

namespace fs = std::filesystem;

namespace {

std::unexpected<Error> noTemplate(const std::string& where, const std::string& why)
{
    return fail("prompt/file", where + ": " + why, "correct it, or remove it to use the template below it");
}

} // namespace

Result<TemplateFiles> readTemplates(const fs::path& folder)
{
    std::error_code problem;
    std::vector<fs::path> paths;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, problem))
        if (entry.path().extension() == ".md" && entry.path().stem() != "README")
            paths.push_back(entry.path());
    std::ranges::sort(paths);
    TemplateFiles files;
    for (const fs::path& path : paths) {
        if (fs::is_directory(path, problem))
            return noTemplate(path.string(), "this is a folder, not a template");
        if (!fs::exists(path, problem))
            return noTemplate(path.string(), "this is a broken link, not a template");
        auto text = readTextFile(path, largestTemplate);
        if (!text)
            return std::unexpected(text.error());
        if (trimmed(*text).empty())
            return noTemplate(path.string() + ", line 1", "the template is empty");
        files[path.stem().string()] = {std::move(*text), path.string()};
    }
    return files;
}

TemplateFiles laidOver(TemplateFiles below, const TemplateFiles& above)
{
    for (const auto& [name, file] : above)
        below.insert_or_assign(name, file);
    return below;
}

const std::vector<Placeholder>& placeholders()
{
    static const std::vector<Placeholder> table{
        {"accuracy", "what counts as a right result"},
        {"attempts", "what was made from this program before, newest first"},
        {"bottleneck", "sentences that follow from the figures"},
        {"build", "compiler options"},
        {"claim", "expected effect of the judged change"},
        {"code", "full text of the program to edit"},
        {"cpp", "has a value for C++ tasks"},
        {"cuda", "has a value for CUDA tasks"},
        {"defect", "why the program itself failed"},
        {"device", "device facts"},
        {"directions", "number of proposals requested in one reply, if several"},
        {"examples", "changes of this run with the largest clear gain"},
        {"failed_reply", "the reply that did not apply"},
        {"failures", "the island's latest failures"},
        {"file", "name of the program's file"},
        {"finding", "why the reply did not apply"},
        {"header", "text that is added before a program"},
        {"hints", "your hints, one per line"},
        {"ideas", "moves of the task that fit and are not in the program"},
        {"insights", "the run's insights"},
        {"inputs", "how the inputs of timed and checked runs are distributed"},
        {"inspirations", "the best program where it is another, and elites of other niches"},
        {"judged", "the change to judge"},
        {"language", "language of the program, for fences"},
        {"left_out", "parts that were omitted for lack of space"},
        {"lineage", "steps from the program back to the seed"},
        {"name", "the program to edit"},
        {"noise", "the device's noise floor"},
        {"operation", "what the task computes"},
        {"other", "the second parent's difference to the first"},
        {"other_name", "the second parent"},
        {"other_times", "the second parent's table of times, beside the first"},
        {"other_where", "on which shapes the second parent is faster, if on any"},
        {"padding", "the tile whose padding the table of times shows"},
        {"patch", "the patch to judge"},
        {"reasoning", "the judged change's reasoning"},
        {"reference", "the task's reference"},
        {"resources", "registers, spills, shared memory, occupancy"},
        {"roofline", "rate of work and traffic against the device's measured limits"},
        {"several_blocks", "has a value where several blocks may be edited"},
        {"shapes", "train shapes"},
        {"single_block", "has a value where one block may be edited"},
        {"sizes", "sizes that are allowed"},
        {"source_limit", "largest program"},
        {"standing", "the program's score, beside the best"},
        {"tensors", "inputs and outputs, with their shapes"},
        {"times", "table of train shapes with times and speeds"},
        {"timing", "state of the caches during timing"},
        {"title", "of the task"},
        {"tunables", "the program's constants with their choices"},
        {"unmeasured", "train shapes, where the program was not measured on them"},
        {"vendor", "the library timed beside it"},
        {"workspace", "scratch memory that is allowed"},
    };
    return table;
}

std::set<std::string> knownPlaceholders()
{
    std::set<std::string> names;
    for (const Placeholder& placeholder : placeholders())
        names.emplace(placeholder.name);
    return names;
}

} // namespace tilewright
