// SPDX-License-Identifier: Apache-2.0
#include "app/harness/verification.h"

#include "core/base/files.h"
#include "core/base/format.h"
#include "core/base/json_text.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <thread>
#include <tuple>

namespace tilewright::harness {
namespace {

constexpr int mostTries = 5; ///< of timing on a machine that is too busy

/// Figures depend on these.
constexpr std::array decisive{
    "name", "arch", "microarchitecture", "features", "compiler", "openblas", "nvrtc", "driver", "cuda_driver"};

std::string textOf(const nlohmann::json& facts, const char* key)
{
    if (!facts.is_object() || !facts.contains(key) || facts[key].is_null())
        return {};
    return facts[key].is_string() ? facts[key].get<std::string>() : dumped(facts[key]);
}

/// " only recorded: avx512f; only here: amx_tile".
std::string listDifference(const nlohmann::json& then, const nlohmann::json& now)
{
    std::string text;
    for (const auto& [words, list, other] :
        {std::tuple("only recorded", &then, &now), std::tuple("only here", &now, &then)}) {
        std::string names;
        for (const nlohmann::json& each : *list)
            if (std::ranges::find(*other, each) == other->end())
                names += (names.empty() ? " " : ", ") + (each.is_string() ? each.get<std::string>() : dumped(each));
        if (!names.empty())
            text += (text.empty() ? " " : "; ") + std::string(words) + ":" + names;
    }
    return text.empty() ? ": in another order" : text;
}

/// One verification on its way.
class Verifying
{
public:
    Verifying(NodeClient& node, const Subject& subject, const OnProgress& onProgress)
        : m_node(node)
        , m_subject(subject)
        , m_onProgress(onProgress)
    {
    }

    Result<Verification> run()
    {
        if (auto found = findDevice(); !found)
            return std::unexpected(found.error());
        m_task = m_node.send(m_subject.pack.blob());
        m_done.isExported = m_subject.program == m_subject.exported;
        auto candidate = build(m_subject.program, "building the program");
        if (!candidate)
            return std::unexpected(candidate.error());
        m_done.result.resources = candidate->resources;
        if (!candidate->ok) {
            m_done.log = m_node.received(candidate->log);
            return refused(candidate->rule, candidate->text, candidate->evidence);
        }
        m_done.passed.emplace_back("build");
        auto seed = builtByUs(m_subject.pack.seed(), "the seed");
        if (!seed)
            return std::unexpected(seed.error());
        Hash exported = candidate->artifact;
        if (!m_done.isExported) {
            auto built = builtByUs(m_subject.exported, "the exported program");
            if (!built)
                return std::unexpected(built.error());
            exported = *built;
        }
        const std::string name
            = "harness " + std::to_string(std::chrono::system_clock::now().time_since_epoch().count());
        auto checked = check(candidate->artifact, name);
        if (!checked)
            return std::unexpected(checked.error());
        if (!checked->ok)
            return refused(checked->rule, checked->text, checked->evidence);
        m_done.passed.insert(m_done.passed.end(), checked->passed.begin(), checked->passed.end());
        auto timed = time(candidate->artifact, exported, *seed, name);
        if (!timed)
            return std::unexpected(timed.error());
        const nlohmann::json resources = m_done.result.resources;
        m_done.result = timed->result;
        m_done.result.resources = resources;
        for (const auto& rule : m_done.result.environment.value("rules_passed", nlohmann::json::array()))
            if (rule.is_string())
                m_done.passed.push_back(rule.get<std::string>());
        return m_done;
    }

private:
    Result<void> findDevice()
    {
        auto hello = m_node.hello();
        if (!hello)
            return std::unexpected(hello.error());
        const bool isForGpu = m_subject.pack.task.target == Target::Cuda;
        for (const HelloReply::Device& device : hello->devices) {
            const bool isGpu = !device.id.starts_with("cpu");
            if (isGpu == isForGpu && (m_subject.device.empty() || device.id == m_subject.device)) {
                m_done.device = device;
                return {};
            }
        }
        if (isForGpu && m_subject.device.empty())
            return fail(
                "device/missing", hello->whyNoGpu.empty() ? "there is no GPU" : hello->whyNoGpu, hello->noGpuHint);
        return fail("device/missing", "no device '" + m_subject.device + "' for this task");
    }

    Result<BuildReply> build(const std::string& source, const char* stage)
    {
        if (m_onProgress)
            m_onProgress(stage, 0);
        BuildRequest request;
        request.task = m_task;
        request.program = m_node.send(source);
        request.device = m_done.device.id;
        return m_node.ask<BuildReply>(request);
    }

    /// A program of the bundle that must build: where it does not, the machine lacks something.
    Result<Hash> builtByUs(const std::string& source, const std::string& name)
    {
        auto built = build(source, ("building " + name).c_str());
        if (!built)
            return std::unexpected(built.error());
        if (!built->ok)
            return fail("build/bundle", name + " does not build here: " + built->text, "", built->evidence);
        return built->artifact;
    }

    Result<CheckReply> check(const Hash& artifact, const std::string& name)
    {
        CheckRequest request;
        request.device = m_done.device.id;
        request.task = m_task;
        request.artifact = artifact;
        request.evaluation = name + "/check";
        request.all = m_subject.extent == Extent::Confirm;
        return m_node.ask<CheckReply>(request, m_onProgress);
    }

    Result<TimeReply> time(const Hash& candidate, const Hash& exported, const Hash& seed, const std::string& name)
    {
        const bool confirms = m_subject.extent == Extent::Confirm;
        TimeRequest request;
        request.device = m_done.device.id;
        request.purpose = confirms ? Purpose::Confirm : Purpose::Screen;
        request.task = m_task;
        request.candidate = candidate;
        // The exported program beside itself would tell nothing: the seed is its opponent, as in `evaluate`.
        request.incumbent = m_done.isExported ? seed : exported;
        request.baseline = seed;
        request.vendor = confirms && !m_subject.pack.task.vendor.empty();
        request.evaluation = name + "/time";
        request.incumbentScore = Interval{1, 1, 1};
        for (int tries = 1;; ++tries) {
            auto timed = m_node.ask<TimeReply>(request, m_onProgress);
            if (timed || timed.error().code != "time/unstable" || tries == mostTries)
                return timed;
            if (m_onProgress)
                m_onProgress("the machine is too busy to time; trying again", 0);
            std::this_thread::sleep_for(std::chrono::seconds(1 << tries));
        }
    }

    Verification refused(const std::string& rule, const std::string& text, const nlohmann::json& evidence)
    {
        m_done.result.outcome = outcomeOfRule(rule);
        m_done.result.rule = rule;
        m_done.result.text = text;
        m_done.result.evidence = evidence;
        return m_done;
    }

    NodeClient& m_node;
    const Subject& m_subject;
    const OnProgress& m_onProgress;
    Hash m_task;
    Verification m_done;
};

/// A figure that is clearly below the recorded one: both intervals and the margin lie between them.
bool isBelow(const std::optional<Interval>& now, const std::optional<Interval>& recorded)
{
    return now && recorded && now->hi < recorded->lo * (1 - recordedMargin);
}

} // namespace

Result<Claim> claimOf(const std::filesystem::path& bundle)
{
    const auto text = readFile(bundle / "report.json");
    if (!text)
        return std::unexpected(text.error());
    const nlohmann::json json = parsedJson(*text);
    try {
        Claim claim;
        claim.candidate = json.at("candidate").at("id").get<std::string>();
        claim.sourceHash = json.at("candidate").at("source").get<std::string>();
        claim.deviceFacts = json.at("device_facts");
        const nlohmann::json& figures = json.at("figures");
        claim.result.score = Interval::fromJson(figures.at("score"));
        claim.result.vsVendor = Interval::fromJson(figures.at("vs_vendor"));
        claim.result.heldoutScore = Interval::fromJson(figures.at("heldout_score"));
        claim.result.heldoutVsVendor = Interval::fromJson(figures.at("heldout_vs_vendor"));
        claim.result.environment = json.at("environment");
        for (const nlohmann::json& each : figures.at("shapes")) {
            ShapeResult shape;
            shape.shape = each.at("shape").get<Shape>();
            shape.candidateNs = each.at("candidate_ns").get<double>();
            shape.versusBaseline = Interval::fromJson(each.at("vs_baseline"));
            shape.versusVendor = Interval::fromJson(each.at("vs_vendor"));
            claim.result.shapes.push_back(std::move(shape));
        }
        return claim;
    } catch (const nlohmann::json::exception&) {
        return fail("bundle/report", (bundle / "report.json").string() + " is not the report of an export");
    }
}

Result<Verification> verify(NodeClient& node, const Subject& subject, const OnProgress& onProgress)
{
    return Verifying(node, subject, onProgress).run();
}

std::vector<std::string> differencesOf(const Claim& claim, const HelloReply::Device& here)
{
    nlohmann::json facts = here.facts.is_object() ? here.facts : nlohmann::json::object();
    facts["name"] = here.name;
    facts["arch"] = here.arch;
    std::vector<std::string> differences;
    for (const char* key : decisive) {
        const std::string then = textOf(claim.deviceFacts, key), now = textOf(facts, key);
        if (then.empty() || now.empty() || then == now)
            continue;
        const bool areLists = claim.deviceFacts[key].is_array() && facts[key].is_array();
        differences.push_back(areLists ? std::string(key) + listDifference(claim.deviceFacts[key], facts[key])
                                       : std::string(key) + ": recorded " + then + ", here " + now);
    }
    return differences;
}

Judged judged(
    const Verification& verification, const Claim& claim, const std::vector<std::string>& differences, Extent extent)
{
    const EvaluationResult& result = verification.result;
    Judged verdict;
    if (result.outcome != Outcome::Ranked) {
        verdict.judgement = HarnessVerdict::Wrong;
        verdict.reasons.push_back(nameOf(result.outcome) + " by the rule " + result.rule + ": " + result.text);
        return verdict;
    }
    if (extent == Extent::Quick) {
        verdict.reasons.emplace_back(
            "right in a first check and in every timed launch; its speed was not judged (--quick)");
        return verdict;
    }
    const auto slower = [&verdict](const std::string& reason) {
        verdict.judgement = HarnessVerdict::Slower;
        verdict.reasons.push_back(reason);
    };
    if (!verification.isExported && result.versusIncumbent
        && verdictOf(*result.versusIncumbent, result.noiseFloor) == Verdict::Worse)
        slower("slower than the exported program, side by side: " + timesText(*result.versusIncumbent));
    if (result.score && result.score->lo <= 1)
        slower("not faster than the baseline: " + timesText(*result.score));
    // The baseline and the vendor library have drifts of their own: what falls against one of them alone is theirs.
    const bool hasVendor = claim.result.vsVendor && result.vsVendor;
    if (differences.empty() && isBelow(result.score, claim.result.score)
        && (!hasVendor || isBelow(result.vsVendor, claim.result.vsVendor)))
        slower("below the recorded speed by more than " + percentText(recordedMargin) + ": recorded "
            + timesText(*claim.result.score) + " baseline"
            + (hasVendor ? " and " + timesText(*claim.result.vsVendor) + " vendor library" : std::string()));
    if (verdict.reasons.empty())
        verdict.reasons.emplace_back(differences.empty()
                ? "every check passed, and it is as fast as recorded"
                : "every check passed, and it is faster than the baseline; the recorded speed is another machine's");
    return verdict;
}

} // namespace tilewright::harness
