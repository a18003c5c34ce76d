// SPDX-License-Identifier: GPL-3.0-or-later
// tilewright-cli evaluate: one program through build, check and timing, without a session.
#include "app/cli/cli_options.h"
#include "app/cli/pack_check.h"
#include "app/cli/progress.h"
#include "app/cli/subcommands.h"
#include "core/base/format.h"
#include "core/base/json_text.h"
#include "core/base/text.h"
#include "core/engine/measuring/measuring_device.h"
#include "core/engine/measuring/node_connection.h"
#include "core/engine/measuring/pipeline.h"
#include "core/model/measurement/evidence.h"
#include "core/model/task/pack_rules.h"
#include "core/model/work.h"
#include "core/prompt/examples.h"
#include "core/protocol/device_names.h"
#include "core/source/saved_program.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QElapsedTimer>
#include <QFileInfo>
#include <QTimer>
#include <algorithm>
#include <cstdio>
#include <utility>

namespace tilewright::cli {
namespace {

const Synopsis evaluateSynopsis{"evaluate", " --task T --source FILE [options]",
    "Build, check and time one program against the task's baseline and vendor.",
    {{"--task", Value::Text, "T", "name of a task, or the path of a pack's folder"},
        {"--source", Value::Text, "FILE", "the program; - for standard input"},
        {"--device", Value::Text, "D", "cpu, cuda:N or a GPU's UUID; by default the first that fits the task"},
        {"--quick", Value::None, nullptr, "train shapes only, few samples, no vendor: a provisional score"},
        {"--json", Value::None, nullptr, "print one JSON object on standard output"}},
    {{Done, "ranked"}, {Internal, "internal error"}, {Usage, "usage, or an invalid task or source file"},
        {RefusedByRule, "refused by a rule, or quarantined"}, {BuildOrRunFailed, "it does not build or run"},
        {Missing,
            "device, compiler, node or file missing, the vendor library failed, the machine is too busy to time, or "
            "somebody ends Tilewright's processes"},
        {Interrupted, "interrupted"}},
    0};

constexpr int mostTries = 5;
constexpr qint64 worthAWordMs = 1000;

/// Sees one program through; lives until the event loop ends.
class OneEvaluation
{
public:
    OneEvaluation(TaskPack pack, std::string source, std::string device, bool quick)
        : m_pack(std::move(pack))
        , m_wanted(std::move(device))
        , m_quick(quick)
    {
        m_task = keep(m_pack.blob());
        m_candidate.source = keep(std::move(source));
        m_seed.source = keep(m_pack.seed());
        m_node.setCommand(defaultNodeCommand());
        m_node.setBlobSource([this](const Hash& hash) { return m_blobs[hash]; });
        QObject::connect(&m_node, &NodeConnection::ready, &m_context, [this] { greeted(); });
        QObject::connect(
            &m_node, &NodeConnection::givenUp, &m_context, [this](const QString& reason, const QString& hint) {
                failed({"node/missing", reason.toStdString(), hint.toStdString(), nullptr});
            });
        QObject::connect(&m_node, &NodeConnection::blobReceived, &m_context,
            [this](const Hash& hash, const QByteArray& bytes) { m_blobs[hash] = bytes.toStdString(); });
        QObject::connect(&m_node, &NodeConnection::progressed, &m_context,
            [this](const tilewright::Progress& progress) { noteProgress(progress); });
        QObject::connect(&m_node, &NodeConnection::stopped, &m_context, [] { QCoreApplication::quit(); });
    }

    void start() { m_node.start(); }
    const std::optional<Error>& error() const { return m_error; }
    const EvaluationResult& result() const { return m_result; }
    /// Whether it ended because its task is for a GPU and there is none.
    bool lacksGpu() const
    {
        return m_error && m_error->code.starts_with("device/") && m_pack.task.target == Target::Cuda
            && std::ranges::none_of(m_node.hello().devices, [](const auto& device) { return isGpuId(device.id); });
    }
    const std::string& log() { return m_blobs[m_result.log]; }

private:
    struct Program {
        Hash source, artifact;
    };

    Hash keep(std::string text)
    {
        const Hash hash = sha256(text);
        m_blobs[hash] = std::move(text);
        return hash;
    }

    void greeted()
    {
        if (m_started)
            return; // a respawned node: the requests in flight have failed and say so
        m_started = true;
        if (const auto* device = deviceNamed(m_node.hello(), m_wanted)) {
            m_device = *device;
        } else if (isGpuId(m_wanted) || m_wanted != "cuda:0") {
            return failed(noSuchDevice(m_node.hello(), m_wanted));
        } // else the node says why it has no GPU
        m_evaluation = "evaluate " + QDateTime::currentDateTimeUtc().toString(Qt::ISODateWithMs).toStdString();
        build(m_candidate, [this](const BuildReply& reply) { candidateBuilt(reply); });
    }

    /// A device that another process holds is waited for, and after a second that is said, once each time.
    void noteProgress(const tilewright::Progress& progress)
    {
        if (progress.stage != waitingStage)
            return m_taken.invalidate();
        if (!m_taken.isValid()) {
            m_taken.start();
            m_takenTold = false;
        } else if (m_taken.hasExpired(worthAWordMs) && !std::exchange(m_takenTold, true)) {
            complain("waiting for " + (m_device.id.empty() ? m_wanted : m_device.id) + ", held by another process");
        }
    }

    void build(Program& program, std::function<void(const BuildReply&)> then)
    {
        BuildRequest request;
        request.task = m_task;
        request.program = program.source;
        request.device = m_device.id;
        m_node.ask(request, {m_task, program.source}, [this, then = std::move(then)](Result<Reply> reply) {
            if (const auto* built = expectKind<BuildReply>(reply))
                then(*built);
        });
    }

    void candidateBuilt(const BuildReply& reply)
    {
        m_result.log = reply.log;
        m_result.resources = reply.resources;
        if (!reply.ok && exitCodeOf(reply.rule) == Missing) // the compiler: the program has no part in it
            return failed({reply.rule, reply.text, "", reply.evidence});
        if (!reply.ok)
            return refused(reply.rule, reply.text, reply.evidence);
        m_candidate.artifact = reply.artifact;
        m_passed.names.emplace_back("build");
        build(m_seed, [this](const BuildReply& seed) {
            if (!seed.ok)
                return failed({"task/seed", "the task's own seed does not build: " + seed.text, "", seed.evidence});
            m_seed.artifact = seed.artifact;
            check();
        });
    }

    void check()
    {
        CheckRequest request;
        request.device = m_device.id;
        request.task = m_task;
        request.artifact = m_candidate.artifact;
        request.evaluation = m_evaluation + "/check";
        request.all = !m_quick;
        m_node.ask(request, {m_task}, [this](Result<Reply> reply) {
            const auto* checked = expectKind<CheckReply>(reply);
            if (!checked)
                return;
            if (!checked->ok)
                return refused(checked->rule, checked->text, checked->evidence);
            m_passed.names.insert(m_passed.names.end(), checked->passed.begin(), checked->passed.end());
            m_passed.measured = checked->measured;
            time();
        });
    }

    void time()
    {
        TimeRequest request;
        request.device = m_device.id;
        request.purpose = m_quick ? Purpose::Screen : Purpose::Confirm;
        request.task = m_task;
        request.candidate = m_candidate.artifact;
        request.incumbent = request.baseline = m_seed.artifact;
        request.vendor = !m_quick && !m_pack.task.vendor.empty();
        request.evaluation = m_evaluation + "/time";
        request.incumbentScore = Interval{1, 1, 1};
        m_node.ask(request, {m_task}, [this](Result<Reply> reply) {
            if (!reply && reply.error().code == "time/unstable" && m_tries < mostTries) {
                complain(reply.error().text + "; trying again");
                return QTimer::singleShot(std::chrono::seconds(1 << m_tries++), &m_context, [this] { time(); });
            }
            const auto* timed = expectKind<TimeReply>(reply);
            if (!timed)
                return;
            const EvaluationResult built = m_result;
            m_result = timed->result;
            m_result.log = built.log;
            m_result.resources = built.resources;
            completeEnvironment();
            m_node.stop();
        });
    }

    /// The reply as this kind; null after ending with an error.
    template <typename Kind> const Kind* expectKind(const Result<Reply>& reply)
    {
        if (!reply) {
            failed(reply.error());
            return nullptr;
        }
        const auto* kind = std::get_if<Kind>(&*reply);
        if (!kind)
            failed({"node/garbage", "the node answered another question", "", nullptr});
        return kind;
    }

    void refused(const std::string& rule, const std::string& text, const nlohmann::json& evidence)
    {
        m_result.outcome = outcomeOfRule(rule);
        m_result.rule = rule;
        m_result.text = text;
        m_result.evidence = evidence;
        completeEnvironment();
        m_node.stop();
    }

    void completeEnvironment()
    {
        m_result.environment
            = environmentOf(m_result.environment, m_device.id, factsOf(m_device), m_pack.task, std::move(m_passed));
    }

    void failed(const Error& error)
    {
        m_error = troubleOfOpponent(error).value_or(error);
        m_node.stop();
    }

    QObject m_context;
    TaskPack m_pack;
    std::string m_wanted; ///< a name for deviceNamed()
    HelloReply::Device m_device;
    bool m_quick;
    NodeConnection m_node;
    std::map<Hash, std::string> m_blobs;
    Hash m_task;
    Program m_candidate, m_seed;
    std::string m_evaluation;
    PassedChecks m_passed;
    EvaluationResult m_result;
    std::optional<Error> m_error;
    bool m_started = false;
    QElapsedTimer m_taken; ///< since another process was first seen to hold the device
    bool m_takenTold = false;
    int m_tries = 1; ///< of timing on a machine that is too busy
};

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
    return "how far a result may be off stands in the task's task.json under numeric: bound "
        + nameIn(numericBounds, numeric.bound) + (numeric.reduction.empty() ? "" : " over " + numeric.reduction)
        + ", tau " + tau
        + "; a task of your own kernel is made with another by task-from --tolerance exact, rounding or "
          "sum:DIMENSION";
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
    std::optional<OneEvaluation> evaluation;
    for (int lives = 1;; ++lives) {
        evaluation.emplace(*pack, programInSaved(*source), device, options->has("--quick"));
        evaluation->start();
        QCoreApplication::exec();
        if (!evaluation->error() || !isWorthAnotherNode(evaluation->error()->code) || lives == mostNodes)
            break;
        complain(evaluation->error()->text + "; trying again from the start");
    }
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
            complain("it builds (for " + built->gpu + "): whether it is right and how fast it is was not judged");
        if (options->has("--json"))
            printJson({{"outcome", nullptr}, {"rule", error.code}, {"text", error.text}, {"hint", error.hint},
                {"evidence", error.evidence},
                {"built_for", built ? nlohmann::json(built->gpu) : nlohmann::json(nullptr)}});
        return exitCodeOf(error.code);
    }
    return told(*pack, evaluation->result(), evaluation->log(), *options);
}

} // namespace tilewright::cli
