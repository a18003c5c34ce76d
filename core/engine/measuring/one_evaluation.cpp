// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/measuring/one_evaluation.h"

#include "core/engine/engine.h"
#include "core/engine/measuring/pipeline.h"
#include "core/model/measurement/progress_stages.h"
#include "core/protocol/device_names.h"
#include "core/protocol/gpu_trouble.h"
#include "core/protocol/killed.h"

#include <QDateTime>
#include <QTimer>
#include <algorithm>
#include <utility>

namespace tilewright {
namespace {

constexpr int mostTimings = 5;
constexpr qint64 worthAWordMs = 1000;
constexpr std::chrono::milliseconds lookEvery{200};

/// Why a build did not come about that says nothing of the program.
bool isOfTheMachine(const std::string& rule)
{
    return lacksCompiler(rule) || isKilledFromOutside(rule) || rule.starts_with("device/")
        || rule.starts_with("machine/") || rule == "tool/missing" || rule == "file/unwritable";
}

} // namespace

OneEvaluation::OneEvaluation(EvaluationWanted wanted, EvaluationWatch watch)
    : m_wanted(std::move(wanted))
    , m_watch(std::move(watch))
{
    m_look.setInterval(lookEvery);
    QObject::connect(&m_look, &QTimer::timeout, &m_context, [this] {
        if (!m_watch.isCancelled || !m_watch.isCancelled())
            return;
        m_look.stop();
        failed({"cancelled", "cancelled", "", nullptr});
    });
    m_task = keep(m_wanted.pack.blob());
    m_candidate.source = keep(m_wanted.source);
    m_seed.source = keep(m_wanted.pack.seed());
    if (m_wanted.opponent)
        m_opponent.source = keep(*m_wanted.opponent);
    m_node.setCommand(defaultNodeCommand());
    m_node.setBlobSource([this](const Hash& hash) { return m_blobs[hash]; });
    QObject::connect(&m_node, &NodeConnection::ready, &m_context, [this] { greeted(); });
    QObject::connect(&m_node, &NodeConnection::givenUp, &m_context, [this](const QString& reason, const QString& hint) {
        failed({"node/missing", reason.toStdString(), hint.toStdString(), nullptr});
    });
    QObject::connect(&m_node, &NodeConnection::blobReceived, &m_context,
        [this](const Hash& hash, const QByteArray& bytes) { m_blobs[hash] = bytes.toStdString(); });
    QObject::connect(
        &m_node, &NodeConnection::progressed, &m_context, [this](const Progress& progress) { noteProgress(progress); });
    QObject::connect(&m_node, &NodeConnection::stopped, &m_loop, &QEventLoop::quit);
}

void OneEvaluation::run()
{
    m_node.start();
    m_look.start();
    m_loop.exec();
}

void OneEvaluation::say(const std::string& text) const
{
    if (m_watch.say)
        m_watch.say(text);
}

bool OneEvaluation::lacksGpu() const
{
    return m_error && m_error->code.starts_with("device/") && m_wanted.pack.task.target == Target::Cuda
        && std::ranges::none_of(m_node.hello().devices, [](const auto& device) { return isGpuId(device.id); });
}

Hash OneEvaluation::keep(std::string text)
{
    const Hash hash = sha256(text);
    m_blobs[hash] = std::move(text);
    return hash;
}

void OneEvaluation::greeted()
{
    if (m_started)
        return; // a respawned node: the requests in flight have failed and say so
    m_started = true;
    if (const auto* device = deviceNamed(m_node.hello(), m_wanted.device)) {
        m_device = *device;
    } else if (isGpuId(m_wanted.device) || m_wanted.device != "cuda:0") {
        return failed(noSuchDevice(m_node.hello(), m_wanted.device));
    } // else the node says why it has no GPU
    if (const auto fits
        = m_wanted.deviceCheck && !m_device.id.empty() ? m_wanted.deviceCheck(m_device) : Result<void>();
        !fits)
        return failed(fits.error());
    m_evaluation = "evaluate " + QDateTime::currentDateTimeUtc().toString(Qt::ISODateWithMs).toStdString();
    build(m_candidate, [this](const BuildReply& reply) { candidateBuilt(reply); });
}

void OneEvaluation::noteProgress(const Progress& progress)
{
    if (m_watch.progressed)
        m_watch.progressed(progress);
    if (progress.stage != waitingStage)
        return m_taken.invalidate();
    if (!m_taken.isValid()) {
        m_taken.start();
        m_takenTold = false;
    } else if (m_taken.hasExpired(worthAWordMs) && !std::exchange(m_takenTold, true)) {
        say("waiting for " + (m_device.id.empty() ? m_wanted.device : m_device.id) + ", held by another process");
    }
}

void OneEvaluation::build(Program& program, std::function<void(const BuildReply&)> then)
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

void OneEvaluation::candidateBuilt(const BuildReply& reply)
{
    m_result.log = reply.log;
    m_result.resources = reply.resources;
    if (!reply.ok && isOfTheMachine(reply.rule)) // the compiler: the program has no part in it
        return failed({reply.rule, reply.text, "", reply.evidence});
    if (!reply.ok)
        return refused(reply.rule, reply.text, reply.evidence);
    m_candidate.artifact = reply.artifact;
    m_passed.names.emplace_back("build");
    build(m_seed, [this](const BuildReply& seed) {
        if (!seed.ok)
            return failed({"task/seed", "the task's own seed does not build: " + seed.text, "", seed.evidence});
        m_seed.artifact = seed.artifact;
        m_wanted.opponent ? buildOpponent() : checkCandidate();
    });
}

void OneEvaluation::buildOpponent()
{
    build(m_opponent, [this](const BuildReply& reply) {
        if (!reply.ok)
            return opponentRefused(reply.rule, reply.text, reply.evidence);
        m_opponent.artifact = reply.artifact;
        check(m_opponent, "/check-opponent", [this](const CheckReply& checked) {
            if (!checked.ok)
                return opponentRefused(checked.rule, checked.text, checked.evidence);
            checkCandidate();
        });
    });
}

void OneEvaluation::check(const Program& program, const char* name, std::function<void(const CheckReply&)> then)
{
    CheckRequest request;
    request.device = m_device.id;
    request.task = m_task;
    request.artifact = program.artifact;
    request.evaluation = m_evaluation + name;
    request.all = !isQuick();
    m_node.ask(request, {m_task}, [this, then = std::move(then)](Result<Reply> reply) {
        if (const auto* checked = expectKind<CheckReply>(reply))
            then(*checked);
    });
}

void OneEvaluation::checkCandidate()
{
    check(m_candidate, "/check", [this](const CheckReply& checked) {
        if (!checked.ok)
            return refused(checked.rule, checked.text, checked.evidence);
        m_passed.names.insert(m_passed.names.end(), checked.passed.begin(), checked.passed.end());
        m_passed.measured = checked.measured;
        time();
    });
}

void OneEvaluation::time()
{
    TimeRequest request;
    request.device = m_device.id;
    request.purpose = m_wanted.purpose;
    request.task = m_task;
    request.candidate = m_candidate.artifact;
    request.baseline = m_seed.artifact;
    request.incumbent = m_wanted.opponent ? m_opponent.artifact : m_seed.artifact;
    request.vendor = !isQuick() && !m_wanted.pack.task.vendor.empty();
    request.evaluation = m_evaluation + "/time";
    request.incumbentScore = Interval{1, 1, 1};
    m_node.ask(request, {m_task}, [this](Result<Reply> reply) {
        if (!reply && reply.error().code == "time/unstable" && m_tries < mostTimings) {
            say(reply.error().text + "; trying again");
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

template <typename Kind> const Kind* OneEvaluation::expectKind(const Result<Reply>& reply)
{
    if (!reply) {
        failed(reply.error());
        return nullptr;
    }
    const auto* kind = std::get_if<Kind>(&*reply);
    if (!kind)
        failed({"node/garbage", "the node sent a reply to another request", "", nullptr});
    return kind;
}

void OneEvaluation::refused(const std::string& rule, const std::string& text, const nlohmann::json& evidence)
{
    m_result.outcome = outcomeOfRule(rule);
    m_result.rule = rule;
    m_result.text = text;
    m_result.evidence = evidence;
    completeEnvironment();
    m_node.stop();
}

void OneEvaluation::opponentRefused(const std::string& rule, const std::string& text, const nlohmann::json& evidence)
{
    failed({"compare/opponent", "the program to compare with is " + rule + ": " + text, "", evidence});
}

void OneEvaluation::completeEnvironment()
{
    m_result.environment
        = environmentOf(m_result.environment, m_device.id, factsOf(m_device), m_wanted.pack.task, std::move(m_passed));
}

void OneEvaluation::failed(const Error& error)
{
    m_error = troubleOfOpponent(error).value_or(error);
    m_node.stop();
}

std::unique_ptr<OneEvaluation> evaluated(const EvaluationWanted& wanted, const EvaluationWatch& watch)
{
    for (int lives = 1;; ++lives) {
        auto evaluation = std::make_unique<OneEvaluation>(wanted, watch);
        evaluation->run();
        if (!evaluation->error() || !isWorthAnotherNode(evaluation->error()->code) || lives == mostNodes)
            return evaluation;
        if (watch.say)
            watch.say(evaluation->error()->text + "; trying again from the start");
    }
}

} // namespace tilewright
