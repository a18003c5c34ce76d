// SPDX-License-Identifier: GPL-3.0-or-later
// tilewright-cli evaluate: one program through build, check and timing, without a session.
#include "app/cli/cli_options.h"
#include "app/cli/pack_check.h"
#include "app/cli/progress.h"
#include "app/cli/subcommands.h"
#include "core/base/format.h"
#include "core/base/json_text.h"
#include "core/base/text.h"
#include "core/engine/measuring/one_evaluation.h"
#include "core/model/measurement/evidence.h"
#include "core/model/task/pack_rules.h"
#include "core/prompt/examples.h"
#include "core/protocol/device_names.h"
#include "core/source/saved_program.h"

#include <QFileInfo>
#include <algorithm>
#include <cstdio>

namespace tilewright::cli {
namespace {

const Synopsis evaluateSynopsis{"evaluate", " --task T --source FILE [options]",
    "Build, check and time one program against the task's baseline and vendor library.",
    {{"--task", Value::Text, "T", "name of a task, or the path of a pack's folder"},
        {"--source", Value::Text, "FILE", "the program; - for standard input"},
        {"--device", Value::Text, "D", "cpu, cuda:N or a GPU's UUID; default: the first that fits the task"},
        {"--quick", Value::None, nullptr, "train shapes only, few samples, no vendor library: a provisional score"},
        {"--json", Value::None, nullptr, "print one JSON object on standard output"}},
    {{Done, "ranked"}, {Internal, "internal error"}, {Usage, "usage, or an invalid task or source file"},
        {RefusedByRule, "refused by a rule, or quarantined"}, {BuildOrRunFailed, "it does not build or run"},
        {Missing,
            "device, compiler, node or file missing, the vendor library failed, the machine is too busy to time, or "
            "Tilewright's processes were killed"},
        {Interrupted, "interrupted"}},
    0};

/// What a failed build alone makes of a program, where nothing could be run.
EvaluationResult resultOfBuild(const BuiltForAnother& built)
{
    EvaluationResult result;
    result.outcome = outcomeOfRule(built.outcome.rule);
    result.rule = built.outcome.rule;
    result.text = built.outcome.text;
    result.evidence = built.outcome.evidence;
    result.environment = {{"built_for", built.gpu}};
    return result;
}

/// Where it is said how far a result may be off, after one that was off by more; "" after anything else.
/// "1.042× baseline  [1.021, 1.063]".
std::string intervalText(const Interval& figure, const std::string& unit)
{
    return fixedText(figure.value, 3) + unit + "  [" + fixedText(figure.lo, 3) + ", " + fixedText(figure.hi, 3) + "]";
}

std::string toleranceHint(const TaskPack& pack, const std::string& rule)
{
    if (rule != "verify/norm" && rule != "verify/elementwise" && rule != "verify/exact")
        return {};
    const Numeric& numeric = pack.task.numeric;
    const std::string tau = generalText(numeric.tau);
    return "the tolerance is set in the task's task.json under numeric: bound " + nameIn(numericBounds, numeric.bound)
        + (numeric.reduction.empty() ? "" : " over " + numeric.reduction) + ", tau " + tau
        + "; for a task from your own kernel, use task-from --tolerance exact, rounding or sum:DIMENSION";
}

nlohmann::json evaluateJson(const TaskPack& pack, const EvaluationResult& result)
{
    const nlohmann::json all = result.json();
    const auto value = [](const std::optional<Interval>& interval) {
        return interval ? nlohmann::json(interval->value) : nlohmann::json(nullptr);
    };
    return {{"outcome", nameOf(result.outcome)}, {"rule", result.rule}, {"text", result.text},
        {"hint", toleranceHint(pack, result.rule)}, {"evidence", result.evidence}, {"score", value(result.score)},
        {"interval", result.score ? nlohmann::json{result.score->lo, result.score->hi} : nlohmann::json(nullptr)},
        {"vs_vendor", value(result.vsVendor)}, {"heldout_score", value(result.heldoutScore)},
        {"heldout_vs_vendor", value(result.heldoutVsVendor)}, {"vendor_library", toJson(vendorLibraryOf(result))},
        {"shapes", all.at("shapes")},
        {"rules_passed", result.environment.value("rules_passed", nlohmann::json::array())},
        {"resources", result.resources}, {"environment", result.environment}};
}

void printSummary(const TaskPack& pack, const EvaluationResult& result, const std::string& log)
{
    if (result.outcome != Outcome::Ranked) {
        std::printf("%s: %s\n", nameOf(result.outcome).c_str(), result.rule.c_str());
        // Of a build the compiler's own lines tell all; --json has its exit as well.
        const bool tellsLog = result.rule.starts_with("build/") && !log.empty();
        if (!tellsLog || log.find(result.text) == std::string::npos)
            std::printf("%s\n", printable(result.text).c_str());
        if (result.evidence.is_object() && !tellsLog)
            std::printf("%s\n", printable(dumped(result.evidence)).c_str());
        if (const std::string hint = toleranceHint(pack, result.rule); !hint.empty())
            std::printf("%s\n", hint.c_str());
        if (tellsLog)
            std::printf("\n%s\n", printable(log).c_str());
        return;
    }
    const bool confirmed = result.purpose == Purpose::Confirm;
    std::printf("ranked%s%s\n", confirmed ? "" : " (provisional)",
        result.environment.value("audited", false) ? ", audited" : "");
    if (const std::string why = result.environment.value("vendor_missing", ""); !why.empty())
        std::printf("no vendor     %s\n", why.c_str());
    if (result.score)
        std::printf("score         %s\n", intervalText(*result.score, "× baseline").c_str());
    if (result.vsVendor)
        std::printf("vs vendor     %s\n", intervalText(*result.vsVendor, "×").c_str());
    if (const auto library = vendorLibraryOf(result))
        std::printf("vendor        %s\n", printable(describe(*library)).c_str());
    if (result.heldoutVsVendor)
        std::printf("held-out      %s× vendor\n", fixedText(result.heldoutVsVendor->value, 3).c_str());
    std::printf("%-20s %-8s %12s %10s %9s\n", "shape", "split", "time", "GFLOP/s", "vendor");
    for (const ShapeResult& shape : result.shapes) {
        const double gigaflops = pack.task.flopsOf(shape.shape) / shape.candidateNs;
        std::string vendor = shape.versusVendor ? fixedText(shape.versusVendor->value, 3) + "x" : "-";
        std::string name;
        for (const std::int64_t extent : shape.shape)
            name += (name.empty() ? "" : "x") + std::to_string(extent);
        const std::string time = durationText(shape.candidateNs);
        const int width = time.find("µ") == std::string::npos ? 12 : 13; // bytes
        std::printf("%-20s %-8s %*s %10s %9s\n", name.c_str(), nameOf(shape.split).c_str(), width, time.c_str(),
            fixedText(gigaflops, 1).c_str(), vendor.c_str());
    }
}

/// Prints the result as the options want it; returns its exit code.
int told(const TaskPack& pack, const EvaluationResult& result, const std::string& log, const Options& options)
{
    if (options.has("--json"))
        printJson(evaluateJson(pack, result));
    else
        printSummary(pack, result, log);
    switch (result.outcome) {
    case Outcome::Ranked:
    case Outcome::Unranked:
        return Done;
    case Outcome::Refused:
    case Outcome::Quarantined:
        return RefusedByRule;
    case Outcome::BuildFailed:
        return exitCodeOf(result.rule);
    default:
        return BuildOrRunFailed;
    }
}

} // namespace

int evaluate(const QStringList& arguments)
{
    const auto [options, code] = Options::parse(evaluateSynopsis, arguments);
    if (!options)
        return code;
    if (!options->has("--task") || !options->has("--source")) {
        complain("evaluate needs --task and --source (see tilewright-cli evaluate --help)");
        return Usage;
    }
    auto pack = findTaskPack(options->text("--task"));
    const std::string path = options->text("--source");
    const auto source = readText(path);
    if (!pack || !source) {
        const Error& error = pack ? source.error() : pack.error();
        complain(error);
        return exitCodeOf(error.code);
    }
    const bool gpu = pack->task.target == Target::Cuda;
    const std::string device = options->text("--device", gpu ? "cuda:0" : "cpu");
    if (const auto named = checkDeviceName(device); !named) {
        complain(named.error());
        return Usage;
    }
    if (device.starts_with("cpu") == gpu) {
        complain(Error{"device/missing", "the task '" + pack->task.name + "' cannot be measured on '" + device + "'",
            gpu ? "it takes cuda:0, cuda:1, … or a GPU's UUID" : "it takes cpu", nullptr});
        return Missing;
    }
    const std::unique_ptr<OneEvaluation> evaluation = evaluated(
        {*pack, programInSaved(*source), device, options->has("--quick") ? Purpose::Screen : Purpose::Confirm, {}, {}},
        complaining());
    if (evaluation->error()) {
        const Error& error = *evaluation->error();
        complain(error);
        // That it does not build needs no GPU to be said, and is what is wrong with it on a machine with one.
        const auto built = evaluation->lacksGpu() ? buildWithoutGpu(pack->task, programInSaved(*source)) : std::nullopt;
        if (built && !built->outcome.ok) {
            complain("built for " + built->gpu + " instead, which fails:");
            return told(*pack, resultOfBuild(*built), built->outcome.log, *options);
        }
        if (built)
            complain("it builds (for " + built->gpu + "): result and speed were not checked");
        if (options->has("--json"))
            printJson({{"outcome", nullptr}, {"rule", error.code}, {"text", error.text}, {"hint", error.hint},
                {"evidence", error.evidence},
                {"built_for", built ? nlohmann::json(built->gpu) : nlohmann::json(nullptr)}});
        return exitCodeOf(error.code);
    }
    return told(*pack, evaluation->result(), evaluation->log(), *options);
}

} // namespace tilewright::cli
