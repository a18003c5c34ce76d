// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/attacks/attacked_node.h"

#include <QThread>

namespace tilewright {
namespace {

constexpr qint64 answerLimitMs = 60'000; ///< far beyond what any honest or dishonest program may cost
constexpr qint64 deviceLimitMs = 300'000; ///< another node on this machine may be confirming
constexpr int mostScreenings = 10;

std::string outcomeOf(const std::string& rule) { return nameOf(outcomeOfRule(rule)); }

/// The pack with another limit for the compiler.
TaskPack hurried(TaskPack pack, int buildSeconds)
{
    auto json = nlohmann::ordered_json::parse(pack.json);
    json["limits"]["build_s"] = buildSeconds;
    pack.json = json.dump(2);
    return pack;
}

} // namespace

QByteArray Fate::line() const
{
    return QByteArray::fromStdString(stage + ": " + outcome + (rule.empty() ? "" : " by " + rule) + " — " + text + " "
        + (evidence.is_null() ? std::string() : evidence.dump()) + " in " + std::to_string(milliseconds) + " ms"
        + (outcome == "ranked" ? ", ratio " + std::to_string(ratio) : ""));
}

AttackedNode::AttackedNode(
    const QByteArray& isolation, const TaskPack& pack, int buildSeconds, const QStringList& arguments)
{
    auto environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("XDG_CACHE_HOME"), m_cache.path());
    if (!isolation.isEmpty())
        environment.insert(QStringLiteral("TILEWRIGHT_ISOLATION"), QString::fromLatin1(isolation));
    m_process.setProcessEnvironment(environment);
    m_process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    m_process.start(QStringLiteral(TILEWRIGHT_BIN_DIR "/tilewright-node"), arguments);
    m_process.waitForStarted();
    m_clock.start();
    m_task = sendBlob(hurried(pack, buildSeconds).blob());
}

QByteArray AttackedNode::greet()
{
    const std::string frame = encodeFrame(toJson(HelloRequest{}));
    m_process.write(frame.data(), static_cast<qint64>(frame.size()));
    const qint64 until = m_clock.elapsed() + answerLimitMs;
    while (const auto message = nextMessage(until)) {
        const auto reply = replyFromJson(*message);
        if (!reply)
            continue;
        if (const auto* hello = std::get_if<HelloReply>(&*reply))
            return hello->devices.empty() ? QByteArray() : QByteArray::fromStdString(hello->devices.front().isolation);
    }
    return {};
}

BuildReply AttackedNode::build(const std::string& source)
{
    const auto reply = ask(BuildRequest{0, m_task, sendBlob(source)});
    if (reply && std::holds_alternative<BuildReply>(*reply))
        return std::get<BuildReply>(*reply);
    BuildReply none;
    none.rule = "protocol/silence";
    none.text = reply && std::holds_alternative<Failure>(*reply) ? std::get<Failure>(*reply).text : "no answer";
    return none;
}

Fate AttackedNode::fateOfBuild(const BuildReply& reply) const
{
    Fate fate{"build", outcomeOf(reply.rule), reply.rule, reply.text, {}, reply.evidence, 0, 0};
    if (const auto log = m_blobs.find(reply.log); log != m_blobs.end())
        fate.log = log->second;
    return fate;
}

Fate AttackedNode::check(const std::string& source)
{
    const qint64 start = m_clock.elapsed();
    const BuildReply built = build(source);
    Fate fate = fateOfBuild(built);
    if (built.ok) {
        CheckRequest request{0, "cpu0", m_task, built.artifact, "check " + std::to_string(m_id), false};
        const auto reply = ask(request);
        if (const auto* checked = reply ? std::get_if<CheckReply>(&*reply) : nullptr)
            fate = {"check", checked->ok ? "ranked" : outcomeOf(checked->rule), checked->rule, checked->text, fate.log,
                checked->evidence, 0, 0};
        else
            fate = {"check", "failure", "", "no answer", fate.log, {}, 0, 0};
    }
    fate.milliseconds = m_clock.elapsed() - start;
    return fate;
}

Fate AttackedNode::evaluate(const std::string& source, const Hash& incumbent)
{
    const qint64 start = m_clock.elapsed();
    Fate fate = check(source);
    if (fate.outcome != "ranked")
        return fate;
    TimeRequest request;
    request.device = "cpu0";
    request.task = m_task;
    request.candidate = build(source).artifact; // from the cache
    request.incumbent = request.baseline = incumbent;
    for (int screening = 0; screening < mostScreenings; ++screening) {
        request.evaluation = "time " + std::to_string(m_id);
        const auto reply = ask(request);
        fate = {"time", "failure", "", "no answer", fate.log, {}, 0, 0};
        if (const auto* timed = reply ? std::get_if<TimeReply>(&*reply) : nullptr) {
            const EvaluationResult& result = timed->result;
            fate.outcome = nameOf(result.outcome);
            fate.rule = result.rule;
            fate.text = result.text;
            fate.evidence = result.evidence;
            fate.ratio = result.versusIncumbent ? result.versusIncumbent->value : 0;
        } else if (const auto* failure = reply ? std::get_if<Failure>(&*reply) : nullptr) {
            fate.rule = failure->rule;
            fate.text = failure->text;
            fate.evidence = failure->evidence;
        }
        if (fate.rule != "time/unstable")
            break;
        QThread::msleep(static_cast<unsigned long>(500 * (screening + 1)));
    }
    fate.milliseconds = m_clock.elapsed() - start;
    return fate;
}

template <typename Message> std::optional<Reply> AttackedNode::ask(Message message)
{
    message.id = ++m_id;
    const std::string frame = encodeFrame(toJson(message));
    m_process.write(frame.data(), static_cast<qint64>(frame.size()));
    return answer(m_id);
}

std::optional<Reply> AttackedNode::answer(std::int64_t id)
{
    qint64 until = m_clock.elapsed() + answerLimitMs;
    const qint64 end = m_clock.elapsed() + deviceLimitMs;
    while (const auto message = nextMessage(std::min(until, end))) {
        const std::string op = message->value("op", "");
        if (op == "progress" && message->value("stage", "") == "waiting for the device") // another node has it
            until = m_clock.elapsed() + answerLimitMs;
        if (op == "progress" || op == "telemetry" || message->value("id", std::int64_t(-1)) != id)
            continue;
        const auto reply = replyFromJson(*message);
        return reply ? std::optional<Reply>(*reply) : std::nullopt;
    }
    return std::nullopt;
}

std::optional<nlohmann::json> AttackedNode::nextMessage(qint64 untilMs)
{
    for (;;) {
        auto frame = m_frames.next();
        if (!frame)
            return std::nullopt;
        if (*frame && (*frame)->json.value("op", "") == "blob")
            m_blobs[sha256((*frame)->blob)] = (*frame)->blob;
        else if (*frame)
            return (*frame)->json;
        else if (m_clock.elapsed() > untilMs || (!m_process.waitForReadyRead(200) && !isRunning()))
            return std::nullopt;
        const QByteArray bytes = m_process.readAllStandardOutput();
        m_frames.append({bytes.constData(), static_cast<std::size_t>(bytes.size())});
    }
}

Hash AttackedNode::sendBlob(const std::string& bytes)
{
    const Hash hash = sha256(bytes);
    const std::string frame = encodeBlob(hash, bytes);
    m_process.write(frame.data(), static_cast<qint64>(frame.size()));
    return hash;
}

} // namespace tilewright
