// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/measurement/evidence.h"

#include "core/base/format.h"
#include "core/base/names.h"
#include "core/base/text.h"
#include "core/model/measurement/evaluation.h"
#include "core/model/measurement/measured_checks.h"

#include <algorithm>
#include <array>
#include <utility>

namespace tilewright {
namespace {

using Json = nlohmann::json;

constexpr NameTable<CheckVerdict, 3> verdictNames{
    {{CheckVerdict::Passed, "passed"}, {CheckVerdict::Failed, "failed"}, {CheckVerdict::NotChecked, "not checked"}}};

/// A check in the order in which candidates pass them, and where it belongs.
struct KnownCheck {
    std::string_view name;
    enum class Of { All, Cpu, Gpu, Products, Rounded, Exact, Fixed } of = Of::All;
    enum class When { Always, Confirming, Seldom } when = When::Always; ///< Seldom: only where something called for it
    std::string_view measures = {}; ///< what a passed check of this name has measured by its rule
    std::string_view limit = {};
};

/// What "roofline" measures a multiple of.
constexpr std::string_view fastestBelieved = "the highest plausible speed";

/// Whether a check measures an error of results.
bool isErrorCheck(std::string_view check)
{
    constexpr std::array<std::string_view, 6> checks{
        "norm", "elementwise", "unannounced-shapes", timedLaunchesCheck, "size-sweep", "judged-outside"};
    return std::ranges::find(checks, check) != checks.end();
}

using Of = KnownCheck::Of;
using When = KnownCheck::When;
constexpr std::array knownChecks{KnownCheck{"build", Of::All, When::Always, "compiled and linked"},
    KnownCheck{"written", Of::All, When::Always, "0 elements unwritten or not finite", "0"},
    KnownCheck{"norm", Of::Rounded}, KnownCheck{"elementwise", Of::Rounded},
    KnownCheck{"exact", Of::Exact, When::Always, "0 elements differ", "0"},
    KnownCheck{"exact-integer", Of::Products, When::Always, "0 elements differ", "0"},
    KnownCheck{"poison", Of::All, When::Always, "0 elements depend on old contents", "0"},
    KnownCheck{"guard-pages", Of::Cpu, When::Always, "0 accesses outside", "0"},
    KnownCheck{"red-zones", Of::Gpu, When::Always, "0 bytes changed outside", "0"},
    KnownCheck{"surroundings", Of::Cpu, When::Always, "0 bytes changed outside", "0"},
    KnownCheck{"inputs-unchanged", Of::All, When::Always, "0 bytes changed", "0"}, KnownCheck{"unannounced-shapes"},
    KnownCheck{"determinism", Of::Fixed, When::Always, "0 elements differ between runs", "0"},
    KnownCheck{"timed-launches"}, KnownCheck{"size-sweep", Of::All, When::Confirming}, KnownCheck{"roofline"},
    KnownCheck{"vendor-bound", Of::All, When::Confirming},
    KnownCheck{"memcheck", Of::Gpu, When::Confirming, "0 errors", "0"},
    KnownCheck{"judged-outside", Of::Gpu, When::Confirming}, KnownCheck{"audit", Of::All, When::Seldom}};

/// The check that a broken rule belongs to, where it goes by another name.
constexpr std::pair<std::string_view, std::string_view> checksOfRules[]{{"verify/nan", "written"},
    {"verify/sweep", "size-sweep"}, {"verify/input-write", "inputs-unchanged"}, {"verify/timed", "timed-launches"},
    {"audit/vendor", "vendor-bound"}};

std::string checkOfRule(std::string_view rule)
{
    for (const auto& [known, check] : checksOfRules)
        if (known == rule)
            return std::string(check);
    return std::string(rule.substr(rule.find('/') + 1));
}

bool belongs(const KnownCheck& check, const Task& task, bool isConfirming)
{
    if (check.when == When::Seldom || (check.when == When::Confirming && !isConfirming))
        return false;
    if (check.name == "vendor-bound" && task.vendor.empty())
        return false;
    if (check.name == "elementwise" && task.numeric.error != ErrorMeasure::Componentwise)
        return false;
    const bool isExact = task.numeric.bound == NumericBound::Exact;
    switch (check.of) {
    case Of::All:
        return true;
    case Of::Cpu:
        return task.target == Target::Cpp;
    case Of::Gpu:
        return task.target == Target::Cuda;
    case Of::Products:
        return task.numeric.bound == NumericBound::Product;
    case Of::Rounded:
        return !isExact;
    case Of::Exact:
        return isExact;
    case Of::Fixed:
        return !task.numeric.allowAtomics;
    }
    return false;
}

std::string wordIn(const Json& json, const char* key)
{
    const auto found = json.is_object() ? json.find(key) : json.end();
    return json.is_object() && found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::optional<double> numberIn(const Json& json, const char* key)
{
    if (!json.is_object())
        return {};
    const auto found = json.find(key);
    return found != json.end() && found->is_number() ? std::optional(found->get<double>()) : std::nullopt;
}

const Json* objectIn(const Json& json, const char* key)
{
    const auto found = json.is_object() ? json.find(key) : json.end();
    return json.is_object() && found != json.end() && found->is_object() ? &*found : nullptr;
}

Shape shapeIn(const Json& json)
{
    Shape shape;
    if (json.is_object() && json.contains("shape") && json["shape"].is_array())
        for (const Json& size : json["shape"])
            shape.push_back(size.is_number_integer() ? size.get<std::int64_t>() : 0);
    return shape;
}

std::vector<std::string> wordsAt(const Json& environment, const char* key)
{
    std::vector<std::string> words;
    if (environment.is_object() && environment.contains(key) && environment[key].is_array())
        for (const Json& each : environment[key])
            if (each.is_string())
                words.push_back(each.get<std::string>());
    return words;
}

/// "on 255×257×191, inputs mixed".
std::string placeText(const Shape& shape, const std::string& inputs)
{
    std::string words = shape.empty() ? "" : "on " + shapeText(shape);
    if (!inputs.empty())
        words += (words.empty() ? "inputs " : ", inputs ") + inputs;
    return words;
}

/// How far an element R may lie from the truth. u: one rounding; of what is no product of two tensors, the task's
/// reference computes the sum of the terms' sizes.
std::string elementBoundText(const Task& task)
{
    const Numeric& numeric = task.numeric;
    const bool isOfTwo = numeric.bound == NumericBound::Product && task.tensors.size() >= 2;
    const std::string terms
        = isOfTwo ? "(|" + task.tensors[0].name + "||" + task.tensors[1].name + "|)" : std::string("Σ|terms|");
    const bool sums = numeric.bound == NumericBound::Product || numeric.bound == NumericBound::Sum;
    return "1 × (1.05 u |R| + 4 " + (sums ? "√" + numeric.reduction + " " : std::string()) + "u " + terms + ")";
}

/// Fills in what is known of a check that was made.
class Filling
{
public:
    Filling(const EvaluationResult& result, const Task* task)
        : m_result(result)
        , m_task(task)
        , m_recorded(MeasuredChecks::fromJson(
              result.environment.is_object() ? result.environment.value("measured_checks", Json()) : Json()))
    {
    }

    CheckEvidence made(const std::string& name, CheckVerdict verdict) const
    {
        CheckEvidence check{name, verdict, {}, {}, "", "", "", isErrorCheck(name)};
        const auto known = std::ranges::find(knownChecks, std::string_view(name), &KnownCheck::name);
        if (known != knownChecks.end() && verdict == CheckVerdict::Passed) {
            check.measuredText = known->measures;
            check.limitText = known->limit;
        }
        fillLimit(check);
        if (verdict == CheckVerdict::Passed)
            fillFigures(check);
        if (const MeasuredCheck* recorded = m_recorded.find(name); recorded && verdict != CheckVerdict::NotChecked)
            fillRecorded(check, *recorded);
        if (verdict == CheckVerdict::Failed) {
            fillFinding(check, m_result.evidence);
            check.detail = m_result.text + (check.detail.empty() ? "" : "; " + check.detail);
        }
        return check;
    }

private:
    void fillLimit(CheckEvidence& check) const
    {
        if (!m_task)
            return;
        if (check.check == "norm")
            setLimit(check, m_task->numeric.tau, "relative error");
        if (check.check == "elementwise") {
            check.limit = 1;
            check.limitText = elementBoundText(*m_task);
        }
        if (check.check == "vendor-bound") {
            check.limit = m_task->limits.quarantineOverVendor;
            check.limitText = fixedText(*check.limit, 2) + "× vendor library";
        }
        if (check.check == "roofline")
            check.limitText = "1 × " + std::string(fastestBelieved);
    }

    void fillFigures(CheckEvidence& check) const
    {
        if (check.check == "vendor-bound" && m_result.vsVendor) {
            check.measured = m_result.vsVendor->value;
            check.measuredText = timesText(*m_result.vsVendor) + " vendor library";
        }
        if (const Json* sweep = objectIn(m_result.environment, "size_sweep"); sweep && check.check == "size-sweep") {
            std::vector<std::string> kinds;
            for (const auto& [key, noun] : {std::pair("residues", " residues"), std::pair("pairs", " pairs"),
                     std::pair("suggested", " suggested sizes"), std::pair("large", " large sizes")})
                if (const double count = numberIn(*sweep, key).value_or(0); count > 0)
                    kinds.push_back(fixedText(count, 0) + noun);
            std::string list;
            for (std::size_t i = 0; i < kinds.size(); ++i)
                list += (i == 0 ? "" : i + 1 == kinds.size() ? " and " : ", ") + kinds[i];
            check.measuredText = "0 of " + list + " wrong";
        }
        if (check.check == timedLaunchesCheck)
            if (const auto launches = numberIn(m_result.environment, "launches_checked"))
                check.measuredText = fixedText(*launches, 0) + " launches checked";
        if (check.check == "audit")
            if (const Json* audit = objectIn(m_result.environment, "audit"))
                if (const auto processes = numberIn(*audit, "processes"))
                    check.measuredText = "right in " + fixedText(*processes, 0) + " fresh processes";
    }

    static void setLimit(CheckEvidence& check, double limit, const std::string& what)
    {
        check.limit = limit;
        check.limitText = generalText(limit, 3) + " " + what;
    }

    static void fillRecorded(CheckEvidence& check, const MeasuredCheck& recorded)
    {
        const std::string of = check.check == "norm" ? " relative error"
            : check.check == "roofline"              ? " × " + std::string(fastestBelieved)
                                                     : " × its bound";
        const std::string counted = std::exchange(check.measuredText, generalText(recorded.measured, 3) + of);
        if (!counted.empty())
            check.measuredText += "; " + counted;
        check.measured = recorded.measured;
        if (check.limit != recorded.limit || check.limitText.empty())
            check.limitText = generalText(recorded.limit, 3) + of;
        check.limit = recorded.limit;
        check.detail = placeText(recorded.shape, recorded.inputs);
    }

    /// What was found where the check failed.
    static void fillFinding(CheckEvidence& check, const Json& finding)
    {
        for (const char* key : {"measured", "error"})
            if (const auto measured = numberIn(finding, key)) {
                check.measured = *measured;
                check.measuredText = generalText(*measured, 3);
            }
        for (const char* key : {"limit", "bound"})
            if (const auto limit = numberIn(finding, key);
                limit && !(check.limit && std::string_view(key) == "bound")) {
                check.limit = *limit;
                check.limitText = generalText(*limit, 3);
            }
        check.detail = placeText(shapeIn(finding), wordIn(finding, "inputs"));
    }

    const EvaluationResult& m_result;
    const Task* m_task;
    const MeasuredChecks m_recorded;
};

std::vector<CheckEvidence> checksOf(const EvaluationResult& result, const Task* task)
{
    const std::vector<std::string> passed = wordsAt(result.environment, "rules_passed");
    const bool isConfirming = !isQuick(result.purpose);
    const std::string failed = checkOfRule(result.rule);
    const Filling filling(result, task);
    std::vector<CheckEvidence> checks;
    const auto has = [&checks](std::string_view name) {
        return std::ranges::find(checks, name, &CheckEvidence::check) != checks.end();
    };
    for (const KnownCheck& known : knownChecks) {
        const std::string name(known.name);
        if (!result.rule.empty() && name == failed)
            checks.push_back(filling.made(name, CheckVerdict::Failed));
        else if (std::ranges::find(passed, name) != passed.end())
            checks.push_back(filling.made(name, CheckVerdict::Passed));
        else if (task && belongs(known, *task, isConfirming))
            checks.push_back(filling.made(name, CheckVerdict::NotChecked));
    }
    for (const std::string& name : passed) // of a newer node, or of an outside evaluator
        if (!has(name))
            checks.push_back(filling.made(name, CheckVerdict::Passed));
    if (!result.rule.empty() && !has(failed))
        checks.push_back(filling.made(failed, CheckVerdict::Failed));
    return checks;
}

std::optional<CheckEvidence> largestErrorIn(const std::vector<CheckEvidence>& checks)
{
    std::optional<CheckEvidence> largest;
    const auto share = [](const CheckEvidence& check) { return *check.measured / *check.limit; };
    for (const CheckEvidence& check : checks) {
        if (check.isError && check.measured && check.limit && *check.limit > 0
            && (!largest || share(check) > share(*largest)))
            largest = check;
    }
    return largest;
}

/// "OpenBLAS 0.3.21 NO_LAPACKE DYNAMIC_ARCH NO_AFFINITY Cooperlake MAX_THREADS=64".
VendorLibrary openBlasIn(const std::string& config)
{
    VendorLibrary library;
    std::vector<std::string> words;
    for (std::size_t at = 0; at < config.size();) {
        const std::size_t end = std::min(config.find(' ', at), config.size());
        if (end > at)
            words.push_back(config.substr(at, end - at));
        at = end + 1;
    }
    library.name = words.empty() ? "OpenBLAS" : words[0];
    if (words.size() > 1)
        library.version = words[1];
    for (std::size_t i = 2; i < words.size(); ++i)
        if (std::ranges::any_of(words[i], [](char c) { return c >= 'a' && c <= 'z'; })) // build flags have none
            library.coreType = words[i];
    return library;
}

Json checkJson(const CheckEvidence& check)
{
    return {{"check", check.check}, {"verdict", nameOf(check.verdict)},
        {"measured", check.measured ? Json(*check.measured) : Json(nullptr)},
        {"limit", check.limit ? Json(*check.limit) : Json(nullptr)}, {"measured_text", check.measuredText},
        {"limit_text", check.limitText}, {"detail", check.detail}};
}

std::string padded(std::string text, std::size_t width)
{
    const auto shown = static_cast<std::size_t>(
        std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
    return text + std::string(shown < width ? width - shown : 1, ' ');
}

std::string orNot(const std::string& text, const char* otherwise) { return text.empty() ? otherwise : text; }

} // namespace

std::string nameOf(CheckVerdict verdict) { return nameIn(verdictNames, verdict); }

std::optional<VendorLibrary> vendorLibraryOf(const EvaluationResult& result)
{
    const Json& environment = result.environment;
    const bool isTimedBesideIt = result.vsVendor
        || std::ranges::any_of(result.shapes, [](const ShapeResult& each) { return each.versusVendor.has_value(); });
    if (!isTimedBesideIt)
        return {};
    if (environment.is_object() && environment.contains("vendor_library")) {
        const Json& told = environment["vendor_library"];
        return VendorLibrary{
            orNot(wordIn(told, "name"), "vendor library"), wordIn(told, "version"), wordIn(told, "core_type"), true};
    }
    const bool isOnCpu = wordIn(environment, "class") == "cpu" || !wordIn(environment, "openblas").empty();
    return isOnCpu ? openBlasIn(wordIn(environment, "openblas"))
                   : VendorLibrary{"cublasLt", wordIn(environment, "cublaslt"), "", false};
}

std::optional<VendorLibrary> vendorLibraryOf(const RunState& state, const Candidate& candidate)
{
    const Evaluation* evaluation = state.evaluation(candidate.latest);
    return evaluation ? vendorLibraryOf(evaluation->result) : std::nullopt;
}

std::optional<VendorLibrary> vendorLibraryOf(const RunState& state)
{
    const Candidate* best = state.best();
    auto library = best ? vendorLibraryOf(state, *best) : std::nullopt;
    return library || state.candidates.empty() ? library : vendorLibraryOf(state, state.candidates[0]);
}

std::string vendorWordsOf(const RunState& state, const Candidate& candidate)
{
    const auto library = vendorLibraryOf(state, candidate);
    return library ? describe(*library) : "vendor library";
}

bool isFullyRecorded(const VendorLibrary& library)
{
    const bool hasCoreTypes = !library.name.starts_with("cublas");
    return !library.version.empty() && (!hasCoreTypes || (library.isOfTimedProcess && !library.coreType.empty()));
}

std::string describe(const VendorLibrary& library)
{
    const std::string named
        = library.name + (library.version.empty() ? ", version not recorded" : " " + library.version);
    if (library.name.starts_with("cublas"))
        return named; // it has no core types
    if (library.isOfTimedProcess)
        return named + ", " + orNot(library.coreType, "core type not recorded");
    return named + ", core type not recorded in the timed process"
        + (library.coreType.empty() ? "" : " (the node reports " + library.coreType + ")");
}

std::string largestErrorText(const Evidence& evidence)
{
    if (!evidence.largestError)
        return "not recorded";
    const CheckEvidence& largest = *evidence.largestError;
    return largest.check + " " + largest.measuredText + ", limit " + largest.limitText + " ("
        + shareText(*largest.measured / *largest.limit) + ")" + (largest.detail.empty() ? "" : ", " + largest.detail);
}

Evidence evidenceOf(const RunState& state, const Candidate& candidate, const Task* task)
{
    const Evaluation* evaluation = state.evaluation(candidate.latest);
    if (!evaluation)
        return {};
    Evidence evidence = evidenceOf(evaluation->result, task);
    evidence.evaluation = evaluation->id;
    evidence.device = orNot(evidence.device, evaluation->device.c_str());
    return evidence;
}

Evidence evidenceOf(const EvaluationResult& result, const Task* task)
{
    Evidence evidence;
    evidence.purpose = result.purpose;
    evidence.device = wordIn(result.environment, "device");
    evidence.isolation = wordIn(result.environment, "isolation");
    evidence.compiler = wordIn(result.environment, "compiler");
    evidence.mode = wordIn(result.environment, "mode");
    evidence.checks = checksOf(result, task);
    evidence.notChecked = wordsAt(result.environment, "not_checked");
    evidence.shapes = result.shapes;
    evidence.vendorMissing = wordIn(result.environment, "vendor_missing");
    evidence.vendor = vendorLibraryOf(result);
    evidence.largestError = largestErrorIn(evidence.checks);
    return evidence;
}

Json toJson(const std::optional<VendorLibrary>& library)
{
    if (!library)
        return nullptr;
    return {{"name", library->name}, {"version", library->version}, {"core_type", library->coreType},
        {"read_in_timed_process", library->isOfTimedProcess}, {"text", describe(*library)}};
}

Json toJson(const Evidence& evidence)
{
    Json checks = Json::array(), shapes = Json::array();
    for (const CheckEvidence& check : evidence.checks)
        checks.push_back(checkJson(check));
    const auto interval = [](const std::optional<Interval>& one) { return one ? one->json() : Json(nullptr); };
    for (const ShapeResult& shape : evidence.shapes)
        shapes.push_back({{"shape", shape.shape}, {"split", nameOf(shape.split)}, {"candidate_ns", shape.candidateNs},
            {"vs_baseline", interval(shape.versusBaseline)}, {"vs_vendor", interval(shape.versusVendor)},
            {"vs_incumbent", interval(shape.versusIncumbent)}, {"samples", shape.samples}});
    return {{"evaluation", evidence.evaluation ? Json(evidence.evaluation.value) : Json(nullptr)},
        {"purpose", nameOf(evidence.purpose)}, {"device", evidence.device}, {"isolation", evidence.isolation},
        {"compiler", evidence.compiler}, {"mode", evidence.mode}, {"checks", std::move(checks)},
        {"not_checked", evidence.notChecked}, {"shapes", std::move(shapes)},
        {"vendor_library", toJson(evidence.vendor)}, {"vendor_missing", evidence.vendorMissing},
        {"largest_error", evidence.largestError ? checkJson(*evidence.largestError) : Json(nullptr)}};
}

std::string evidenceText(const Evidence& evidence, const std::string& candidate)
{
    if (!evidence.evaluation)
        return candidate + " was not evaluated: there is no evidence.\n";
    std::string text = candidate + ": evaluation " + std::to_string(evidence.evaluation.value) + " ("
        + nameOf(evidence.purpose) + ") on " + orNot(evidence.device, "an unrecorded device") + ", isolation "
        + orNot(evidence.isolation, "not recorded") + ", compiler " + orNot(evidence.compiler, "not recorded") + "\n";
    if (evidence.vendor)
        text += "vendor library: " + describe(*evidence.vendor) + "\n";
    if (!evidence.vendorMissing.empty())
        text += "vendor library: not timed, " + evidence.vendorMissing + "\n";
    text += "largest error: " + largestErrorText(evidence) + "\n\n" + padded("check", 20) + padded("verdict", 13)
        + padded("measured", 38) + "limit\n";
    for (const CheckEvidence& check : evidence.checks) {
        const bool isMade = check.verdict != CheckVerdict::NotChecked;
        text += padded(check.check, 20) + padded(nameOf(check.verdict), 13)
            + padded(orNot(check.measuredText, isMade ? "not recorded" : "-"), 38) + orNot(check.limitText, "-")
            + (check.detail.empty() ? "" : "  " + check.detail) + "\n";
    }
    for (const std::string& missed : evidence.notChecked)
        text += "not checked: " + missed + "\n";
    text += "\n" + padded("shape", 20) + padded("split", 10) + padded("baseline", 26) + padded("vendor library", 26)
        + "samples\n";
    const auto interval = [](const std::optional<Interval>& one) { return one ? timesText(*one) : std::string("-"); };
    for (const ShapeResult& shape : evidence.shapes)
        text += padded(shapeText(shape.shape), 20) + padded(nameOf(shape.split), 10)
            + padded(interval(shape.versusBaseline), 26) + padded(interval(shape.versusVendor), 26)
            + std::to_string(shape.samples) + "\n";
    return text;
}

} // namespace tilewright
