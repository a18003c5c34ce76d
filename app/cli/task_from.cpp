// SPDX-License-Identifier: GPL-3.0-or-later
// tilewright-cli task-from: a task pack made of a user's own kernel, and checked.
#include "app/cli/pack_check.h"
#include "app/cli/subcommands.h"
#include "app/cli/task_from_options.h"
#include "core/base/folders.h"
#include "core/base/text.h"
#include "core/device/cpu.h"
#include "core/engine/proposals/proposing.h"
#include "core/pack/host_part.h"
#include "core/pack/pack_texts.h"
#include "core/pack/pack_writer.h"

#include <algorithm>
#include <cstdio>

namespace tilewright::cli {
namespace {

const Synopsis taskFromSynopsis{"task-from", " FILE [--function F] [options]",
    "Create a task pack from a C++ function or a CUDA kernel, and check it. Facts that the file does not state are "
    "assumed and shown, and can be\nchanged: run with --list or --dry-run first. A function with several sizes, or a "
    "tensor whose shape differs\nfrom the others, needs --shape.",
    {{"--function", Value::Text, "F", "function, or an instance: 'softmax<256>'; optional if the file has one"},
        {"--list", Value::None, nullptr, "list the functions and the interpretation of their parameters only"},
        {"--dry-run", Value::None, nullptr, "show the description with assumptions and missing facts only"},
        {"--name", Value::Text, "NAME", "name of the task and its folder; default: from file and function"},
        {"--title", Value::Text, "TEXT", "heading for the reader"},
        {"--folder", Value::Text, "DIR", "parent folder of the pack; default: the folder of your own packs"},
        {"--shape", Value::Text, "P=D,…",
            "dimensions and sizes of a tensor, outermost first: x=rows,9; once per tensor"},
        {"--role", Value::Text, "P=R", "input or output; read from const by default"},
        {"--constant", Value::Text, "P=V", "value of a number that the kernel takes"},
        {"--dimension", Value::Text, "D=L[,M]", "least size, and the number it must be a multiple of"},
        {"--grid", Value::Text, "X,Y,Z", "of a CUDA kernel: 'ceil_div(N, 256)'; default: from a launch in the file"},
        {"--block", Value::Text, "X,Y,Z", "same; expressions over the sizes and constants of the file"},
        {"--shared", Value::Text, "E", "bytes of dynamic shared memory"},
        {"--train", Value::Text, "S,…", "sizes to time: 512x1000,64x64"},
        {"--heldout", Value::Text, "S,…", "sizes to time after confirmation, which never choose; or none"},
        {"--verify", Value::Text, "S,…", "sizes to check without timing: small, odd; or none"},
        {"--right", Value::Text, "WHAT", "kernel: its current results are the reference; product: C = A B"},
        {"--reference", Value::Text, "FILE[:F]",
            "a plain function with the same parameters that computes the right result"},
        {"--tolerance", Value::Text, "T", "exact, rounding, or sum:DIMENSION"},
        {"--inputs", Value::Text, "K,…", "inputs to try: normal (always first), scaled, mixed, integer"},
        {"--flops", Value::Text, "E", "useful operations, an expression over the dimensions"},
        {"--bytes", Value::Text, "E", "least memory traffic, an expression over the dimensions"},
        {"--replace", Value::None, nullptr, "overwrite a task of this name"},
        {"--no-check", Value::None, nullptr, "write without a check"},
        {"--json", Value::None, nullptr, "print one JSON object on standard output"}},
    {{Done, "the pack is written and valid"}, {Internal, "internal error"},
        {Usage, "usage, or the description or the pack is not complete"},
        {RefusedByRule, "written; the kernel does not match the reference, or a cheating kernel would pass"},
        {BuildOrRunFailed, "written; the kernel does not run"},
        {Missing, "no such file, a folder that is not writable, or no compiler, node or device for the check"}},
    1};

const char* kindWord(ParameterKind kind)
{
    switch (kind) {
    case ParameterKind::Input:
        return "input";
    case ParameterKind::Output:
        return "output";
    case ParameterKind::Dimension:
        return "size";
    case ParameterKind::Constant:
        return "constant";
    case ParameterKind::Unknown:
        return "unknown";
    }
    return "";
}

int listFunctions(const std::string& file, const std::string& source, const Macros& macros, bool json)
{
    nlohmann::json list = nlohmann::json::array();
    for (const KernelFunction& function : kernelChoices(file, source, macros)) {
        const Error objection = objectionTo(function);
        nlohmann::json parameters = nlohmann::json::array();
        std::string line;
        for (const KernelParameter& parameter : function.parameters) {
            parameters.push_back(
                {{"name", parameter.name}, {"type", parameter.type}, {"read_as", kindWord(parameter.kind)}});
            line += (line.empty() ? "" : ", ") + parameter.name + ": " + kindWord(parameter.kind);
        }
        list.push_back({{"name", function.name}, {"line", function.line}, {"parameters", parameters},
            {"objection", objection.text}, {"hint", objection.hint}});
        if (!json)
            std::printf("%s() in line %d  %s\n", function.name.c_str(), function.line,
                objection.code.empty() ? line.c_str() : ("not possible: " + objection.line()).c_str());
    }
    if (json)
        printJson({{"functions", list}});
    else if (list.empty())
        std::printf("No function was found in the file.\n");
    return Done;
}

void printDescription(const KernelDescription& description, const std::vector<std::string>& supposed)
{
    const auto line
        = [](const char* what, const std::string& text) { std::fprintf(stderr, "%-12s %s\n", what, text.c_str()); };
    line("task", description.name);
    for (const DescribedParameter& parameter : description.parameters) {
        std::string text = std::string(kindWord(parameter.kind)) + " " + parameter.name;
        if (parameter.isTensor())
            text += "[" + joined(parameter.shape, ",") + "] " + nameOf(parameter.dtype);
        else if (parameter.kind == ParameterKind::Constant)
            text += " = " + (parameter.value.empty() ? "?" : parameter.value);
        line("parameter", text);
    }
    if (description.target == Target::Cuda && description.launch.isSaid())
        line("launch", launchInWords(description.launch));
    line("train", writtenShapes(description.train));
    line("held-out", writtenShapes(description.heldout));
    line("verify", writtenShapes(description.verify));
    line("right", truthSentence(description));
    line("operations", description.flops);
    for (const std::string& text : supposed)
        line("supposed", text);
}

nlohmann::json descriptionJson(const KernelDescription& description, const std::vector<std::string>& supposed,
    const std::vector<DescriptionFinding>& findings)
{
    nlohmann::json parameters = nlohmann::json::array(), list = nlohmann::json::array();
    for (const DescribedParameter& parameter : description.parameters)
        parameters.push_back({{"name", parameter.name}, {"type", parameter.type}, {"read_as", kindWord(parameter.kind)},
            {"shape", parameter.shape}, {"value", parameter.value}});
    for (const DescriptionFinding& finding : findings)
        list.push_back({{"field", finding.field}, {"text", finding.text}, {"remedy", finding.remedy}});
    const KernelLaunch& launch = description.launch;
    return {{"name", description.name}, {"function", description.function}, {"target", nameOf(description.target)},
        {"launch", {{"grid", launch.grid}, {"block", launch.block}, {"shared", launch.shared}}},
        {"parameters", parameters}, {"train", description.train}, {"heldout", description.heldout},
        {"verify", description.verify}, {"right", truthSentence(description)}, {"supposed", supposed},
        {"findings", list}};
}

/// The function that is named, or the only one.
Result<std::string> functionWanted(
    const Options& options, const std::string& file, const std::string& source, const Macros& macros)
{
    if (options.has("--function"))
        return options.text("--function");
    const auto functions = kernelChoices(file, source, macros);
    if (functions.size() == 1)
        return functions.front().name;
    std::string names;
    for (const KernelFunction& function : functions)
        names += (names.empty() ? "" : ", ") + function.name;
    if (trimmed(source).empty())
        return fail("own/no-function", printable(file) + " is empty", "name a file that contains a kernel");
    return fail("own/no-function",
        functions.empty() ? printable(file) + " defines no " + (isCudaFile(file) ? "kernel (__global__)" : "function")
                + " that could be read"
                          : "the file defines " + std::to_string(functions.size()) + " functions: " + names,
        functions.empty()
            ? "a kernel is a function with a body outside of classes: void f(const float* x, float* y, int "
              "n) { … }"
            : "choose the kernel: --function NAME");
}

/// What nobody has looked at, as this machine lacks a GPU or its compiler, and how to do that.
std::string uncheckedOnGpu(const Error& why, const std::filesystem::path& folder)
{
    const bool compiles = !why.code.starts_with("build/");
    return std::string("not checked here: ") + (compiles ? "" : "that it compiles, ")
        + "that the kernel is right on every size, and that cheating kernels are refused"
        + (compiles ? " (seed and reference do compile)" : "")
        + "; on a machine with a GPU: tilewright-cli tasks --check " + shellQuoted(folder.string()) + " --run";
}

/// After a check that failed: what may have been supposed wrongly, and how to say it right, of this kernel.
void tellWhatWasSupposed(const KernelDescription& description, const std::vector<std::string>& supposed)
{
    bool ofShapes = false;
    for (const std::string& text : supposed) {
        const bool isOfShapes = text.find("shape") != std::string::npos;
        ofShapes = ofShapes || isOfShapes;
        if (isOfShapes || text.find("assumed to be only written") != std::string::npos)
            complain("supposed: " + text);
    }
    const auto output = std::ranges::find(description.parameters, ParameterKind::Output, &DescribedParameter::kind);
    if (!ofShapes || description.dims.size() < 2 || output == description.parameters.end())
        return;
    // One that differs from what was supposed: an output of a value for each row is what is met most.
    const bool isWhole = output->shape.size() > 1;
    const std::string other
        = isWhole ? output->shape.front() : description.dims[0].name + "," + description.dims[1].name;
    complain("if the kernel uses another shape, specify it: --shape " + output->name + "=" + other + " if "
        + output->name + " has one value for each " + (isWhole ? "of " : "pair of ") + other
        + "; the same for all others, --shape once per tensor");
}

/// Adds the shapes that were assumed at first and that no --shape option has replaced since.
void keepSuppositions(std::vector<std::string>& supposed, const KernelDescription& description, const Options& options)
{
    if (std::ranges::any_of(supposed, [](const std::string& text) { return text.find("shape") != std::string::npos; }))
        return;
    std::string shapes;
    for (const DescribedParameter* tensor : description.tensors()) {
        const bool isSaid = std::ranges::any_of(options.texts("--shape"),
            [&](const std::string& text) { return trimmed(text.substr(0, text.find('='))) == tensor->name; });
        const bool isRead = !tensor->extents.empty() && std::ranges::find(tensor->extents, 0) == tensor->extents.end();
        if (!isSaid && !isRead && !tensor->shape.empty())
            shapes
                += (shapes.empty() ? "" : ", ") + tensor->name + " has the shape [" + joined(tensor->shape, ",") + "]";
    }
    if (!shapes.empty())
        supposed.insert(supposed.begin(), shapes);
}

/// Lines that work with this very pack.
void printWaysOn(const std::filesystem::path& folder, const TaskPack& pack)
{
    const std::string evolve = "tilewright-cli evolve --task " + shellQuoted(folder.string());
    if (hasBuiltInWork(pack)) {
        std::printf("Evolve it: %s\n", evolve.c_str());
        return;
    }
    std::printf("Evolve it with manual replies: %s --proposer %s\nor with language models:       %s --proposer model "
                "--models FILE\n",
        evolve.c_str(), shellQuoted("manual:" + pack.task.name + "-prompts").c_str(), evolve.c_str());
    std::printf("The built-in mutator and tuner have nothing to do with it before its seed has tunables:\n"
                "  constexpr int TILE = 8;  // tune: 4 8 16\n");
}

int complained(const Error& error, bool json)
{
    complain(error);
    if (json)
        printJson({{"ok", false}, {"code", error.code}, {"error", error.text}, {"hint", error.hint},
            {"evidence", error.evidence}});
    if (error.code == "file/missing")
        return Missing;
    return Usage;
}

} // namespace

int taskFrom(const QStringList& arguments)
{
    const auto [options, code] = Options::parse(taskFromSynopsis, arguments);
    if (!options)
        return code;
    const bool json = options->has("--json");
    const std::string file = options->positionals().front();
    const auto source = readKernelFile(file);
    if (!source)
        return complained(source.error(), json);
    const Macros macros = compilerMacros(file, *source);
    if (options->has("--list"))
        return listFunctions(file, *source, macros, json);
    const auto function = functionWanted(*options, file, *source, macros);
    if (!function)
        return complained(function.error(), json);
    auto derived = describeKernel(file, *source, *function, macros);
    if (!derived)
        return complained(derived.error(), json);
    KernelDescription& description = derived->description;
    const bool reshaped = options->has("--shape") || options->has("--role") || options->has("--constant")
        || options->has("--dimension");
    if (reshaped) { // what was supposed of shapes, sizes and cost was so before the user spoke
        description.train.clear();
        description.flops.clear();
        description.bytes.clear();
        description.truth = TruthSource::Kernel;
        description.tolerance = Tolerance::Rounding;
    }
    if (auto applied = applyOptions(description, *options); !applied)
        return complained(applied.error(), json);
    std::vector<std::string> supposed = std::move(derived->suppositions);
    if (reshaped) {
        supposed = supposeTheRest(description);
        keepSuppositions(supposed, description, *options);
        (void)applySizes(description, *options); // good before, and they hold over what is supposed
    }
    std::vector<std::string> read = std::move(derived->readings);
    if (options->has("--grid") || options->has("--block")) // said by the user
        std::erase_if(read, [](const std::string& text) {
            return text.starts_with("it is launched") || text.starts_with("the launch");
        });
    supposed.insert(supposed.begin(), read.begin(), read.end());
    if (options->has("--train")) // said by the user
        std::erase_if(supposed, [](const std::string& text) { return text.starts_with("sizes "); });
    if (description.toleranceSaid)
        std::erase_if(supposed, [](const std::string& text) { return text.starts_with("tolerance: "); });
    const std::int64_t memory = readCpuFacts().memoryBytes;
    const auto findings = findingsIn(description, memory);
    printDescription(description, supposed);
    for (const DescriptionFinding& finding : findings)
        complain(finding.line());
    if (options->has("--dry-run") || !findings.empty()) {
        if (json)
            printJson(descriptionJson(description, supposed, findings));
        return findings.empty() ? Done : Usage;
    }
    const std::string parent = options->text("--folder", (dataFolder() / "kernels").string());
    const std::filesystem::path there = std::filesystem::path(parent) / description.name;
    const bool isAnotherTry = isFailedTry(there);
    if (std::error_code problem;
        !options->has("--replace") && !isAnotherTry && std::filesystem::exists(there / "task.json", problem))
        return complained(Error{"usage/exists", there.string() + " contains a task already",
                              "choose another one with --name, or overwrite it with --replace", nullptr},
            json);
    const auto folder = writePack(description, parent, memory);
    if (!folder)
        return complained(folder.error(), json);
    complain("written to " + folder->string() + (isAnotherTry ? ", replacing one that had failed its check" : ""));
    if (options->has("--no-check")) {
        if (json)
            printJson({{"folder", folder->string()}, {"ok", nullptr}, {"unchecked", true}});
        else
            std::printf("%s\n", folder->c_str());
        return Done;
    }
    auto verdict = checkAndMark(*folder, SeedIs::Run, printProgress);
    if (!verdict)
        verdict.error().text = inOwnLines(description, verdict.error().text);
    if (json)
        printJson(verdictJson(*folder, verdict));
    if (!verdict) {
        const int ending = exitCodeOfCheck(verdict.error());
        complain(Error{verdict.error().code, verdict.error().text, plainRemedy(verdict.error()), nullptr});
        if (ending == RefusedByRule || ending == BuildOrRunFailed || verdict.error().code == "task/reference")
            tellWhatWasSupposed(description, supposed);
        complain("the pack is kept in " + folder->string() + ", marked as not checked");
        if (ending == Missing && description.target == Target::Cuda)
            complain(uncheckedOnGpu(verdict.error(), *folder));
        return ending;
    }
    if (!json) {
        printVerdict(*verdict);
        printWaysOn(*folder, verdict->pack);
    }
    return Done;
}

} // namespace tilewright::cli
