// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/measuring/node_connection.h"

#include "core/base/format.h"
#include "core/engine/ledger.h"
#include "core/llm/keys.h"
#include "core/protocol/killed.h"

#include <QProcessEnvironment>
#include <algorithm>
#include <array>
#include <csignal>
#include <cstring>
#include <sys/prctl.h>
#include <tuple>
#include <unistd.h>

namespace tilewright {
namespace {

using namespace std::chrono_literals;

constexpr auto defaultSilence = 30s;
/// Pauses before a new process, by failures in a row; after the last one it is given up.
constexpr std::array<std::chrono::milliseconds, 5> backoff{100ms, 300ms, 1000ms, 3000ms, 5000ms};
constexpr auto kindEnd = 2s;

constexpr const char* nodeForProofs = "node/only-for-proofs";
constexpr const char* nodeForProofsRemedy = "remove that option from the command that starts the node";

constexpr int longestDeathMs = 2000; ///< of a killed process, until it is no more

/// Runs in the child between fork and exec: a process group of its own (Ctrl-C in the terminal is for us to handle),
/// and an end with its parent thread.
void leaveOurGroup()
{
    ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
}

/// This process's environment without what looks like a credential, holds one or is named for one: a node needs none.
QProcessEnvironment withoutSecrets()
{
    const Secrets named("model"); // those of the user's own models file; a run has named its own
    const std::set<std::string> keys = KeyRing::known();
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const std::string& name : KeyRing::variables())
        environment.remove(QString::fromStdString(name));
    for (const QString& name : environment.keys())
        if (keys.contains(environment.value(name).trimmed().toStdString()))
            environment.remove(name);
    for (const QString& name : environment.keys())
        for (const QLatin1StringView word : {QLatin1StringView("KEY"), QLatin1StringView("TOKEN"),
                 QLatin1StringView("SECRET"), QLatin1StringView("PASSWORD")})
            if (name.contains(word, Qt::CaseInsensitive))
                environment.remove(name);
    return environment;
}

/// Code and text of an end that was not asked for. What starts a node elsewhere tells of a signal as 128 and more.
std::pair<std::string, std::string> wordsOfEnd(const QProcess& process)
{
    constexpr int wrapped = 128;
    const bool isCrash = process.exitStatus() == QProcess::CrashExit; // its code is the signal then
    const int signal = isCrash ? process.exitCode() : process.exitCode() - wrapped;
    if (isOutsideSignal(signal))
        return {nodeKilled,
            "the node was killed by signal " + std::to_string(signal) + " (" + strsignal(signal)
                + "), which Tilewright did not send"};
    return {
        "node/crash", isCrash ? "the node crashed" : "the node ended with code " + std::to_string(process.exitCode())};
}

std::int64_t idOf(const Reply& reply)
{
    return std::visit(
        [](const auto& message) -> std::int64_t {
            if constexpr (requires { message.id; })
                return message.id;
            else
                return 0;
        },
        reply);
}

} // namespace

NodeConnection::NodeConnection(QObject* parent)
    : QObject(parent)
{
    for (QTimer* timer : {&m_silence, &m_respawn, &m_killTimer})
        timer->setSingleShot(true);
    m_silence.setInterval(defaultSilence);
    connect(&m_silence, &QTimer::timeout, this, [this] {
        const double seconds = static_cast<double>(m_silence.interval()) / 1000.0;
        fail("node/silent", "the node sent nothing for " + generalText(seconds, 3) + " s with requests in flight");
    });
    connect(&m_respawn, &QTimer::timeout, this, &NodeConnection::spawn);
    connect(&m_killTimer, &QTimer::timeout, this, [this] {
        if (m_process)
            m_process->kill();
    });
}

NodeConnection::~NodeConnection()
{
    if (m_process) {
        m_process->disconnect(this);
        m_process->kill();
        m_process->waitForFinished(longestDeathMs);
    }
}

void NodeConnection::start()
{
    m_stopping = false;
    m_failures = 0;
    if (!m_process && !m_respawn.isActive())
        spawn();
}

void NodeConnection::spawn()
{
    if (m_command.isEmpty()) {
        Q_EMIT givenUp(QStringLiteral("no node program is set"), QStringLiteral("reinstall Tilewright"));
        return;
    }
    m_frames = FrameReader();
    m_sent.clear();
    m_ready = false;
    m_faultCode.clear();
    m_process = std::make_unique<QProcess>();
    m_process->setProgram(m_command.first());
    m_process->setArguments(m_command.mid(1));
    m_process->setChildProcessModifier(leaveOurGroup);
    m_process->setProcessEnvironment(withoutSecrets());
    m_process->setProcessChannelMode(QProcess::ForwardedErrorChannel);
    connect(m_process.get(), &QProcess::readyReadStandardOutput, this, &NodeConnection::read);
    connect(m_process.get(), &QProcess::finished, this, &NodeConnection::ended);
    connect(m_process.get(), &QProcess::errorOccurred, this, [this](QProcess::ProcessError problem) {
        if (problem != QProcess::FailedToStart)
            return;
        m_process.release()->deleteLater();
        Q_EMIT givenUp(QStringLiteral("the node %1 cannot be started").arg(m_command.first()),
            QStringLiteral("build or install tilewright-node beside this program"));
    });
    m_process->start();
    if (m_process)
        send(encodeFrame(toJson(HelloRequest{})));
    m_silence.start();
}

void NodeConnection::stop()
{
    m_stopping = true;
    m_waiting.clear();
    m_respawn.stop();
    m_silence.stop();
    m_ready = false;
    if (!m_process) {
        QTimer::singleShot(0, this, &NodeConnection::stopped);
        return;
    }
    m_process->closeWriteChannel();
    m_killTimer.start(kindEnd);
}

std::int64_t NodeConnection::ask(Request request, const std::vector<Hash>& blobs, Answer answer)
{
    const std::int64_t id = ++m_lastId;
    std::visit(
        [&](auto& message) {
            if constexpr (requires { message.id; })
                message.id = id;
        },
        request);
    std::string bytes;
    for (const Hash& hash : blobs)
        if (m_sent.insert(hash).second)
            bytes += encodeBlob(hash, m_blobs(hash));
    bytes += encodeFrame(toJson(request));
    m_waiting.emplace(id, std::move(answer));
    send(bytes);
    if (!m_silence.isActive())
        m_silence.start();
    return id;
}

void NodeConnection::cancel(std::int64_t id)
{
    if (m_waiting.erase(id) && m_ready)
        send(encodeFrame(toJson(CancelRequest{id})));
    if (m_waiting.empty())
        m_silence.stop();
}

void NodeConnection::send(const std::string& bytes)
{
    if (m_process)
        m_process->write(bytes.data(), static_cast<qint64>(bytes.size()));
}

void NodeConnection::read()
{
    const QByteArray bytes = m_process->readAllStandardOutput();
    m_frames.append(std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size())));
    if (m_silence.isActive())
        m_silence.start();
    while (m_process && m_faultCode.empty()) {
        auto frame = m_frames.next();
        if (!frame)
            return fail("node/garbage", "the node sent an unreadable frame: " + frame.error().text);
        if (!frame->has_value())
            break;
        take(**frame);
    }
    if (m_ready && m_waiting.empty())
        m_silence.stop();
}

void NodeConnection::take(const Frame& frame)
{
    if (frame.json.value("op", nlohmann::json()) == "blob") {
        const Hash hash = sha256(frame.blob);
        m_sent.insert(hash);
        Q_EMIT blobReceived(hash, QByteArray(frame.blob.data(), static_cast<qsizetype>(frame.blob.size())));
        return;
    }
    auto reply = replyFromJson(frame.json);
    if (!reply)
        return fail("node/garbage", "the node sent an unreadable message: " + reply.error().text);
    dispatch(std::move(*reply));
}

void NodeConnection::dispatch(Reply reply)
{
    if (auto* hello = std::get_if<HelloReply>(&reply)) {
        if (const std::string left = leftOutBy(*hello); !left.empty())
            return fail(nodeForProofs,
                "the node was started for tests of the evaluator (" + left + "): its measurements do not count");
        m_hello = std::move(*hello);
        m_ready = true;
        Q_EMIT ready();
        return;
    }
    if (auto* news = std::get_if<Telemetry>(&reply)) {
        Q_EMIT telemetry(*news);
        return;
    }
    if (const auto* news = std::get_if<Progress>(&reply)) {
        if (m_waiting.contains(news->id))
            Q_EMIT progressed(*news);
        return;
    }
    if (const auto* noise = std::get_if<NoiseRun>(&reply)) {
        Q_EMIT noiseMeasured(*noise);
        return;
    }
    const auto waiting = m_waiting.find(idOf(reply));
    if (waiting == m_waiting.end())
        return; // cancelled meanwhile
    const Answer answer = std::move(waiting->second);
    m_waiting.erase(waiting);
    m_failures = 0;
    if (const auto* failure = std::get_if<Failure>(&reply)) {
        nlohmann::json evidence = failure->evidence;
        if (failure->deviceLost)
            evidence = {{"device_lost", true}, {"evidence", failure->evidence}};
        answer(std::unexpected(Error{failure->rule, failure->text, failure->hint, std::move(evidence)}));
        return;
    }
    answer(std::move(reply));
}

void NodeConnection::fail(const char* code, const std::string& text)
{
    m_faultCode = code;
    m_faultText = text;
    if (m_process)
        m_process->kill();
}

void NodeConnection::ended()
{
    m_silence.stop();
    m_killTimer.stop();
    m_ready = false;
    std::string code = m_faultCode, text = m_faultText;
    if (code.empty())
        std::tie(code, text) = wordsOfEnd(*m_process);
    m_process.release()->deleteLater(); // this is one of its signals
    if (m_stopping) {
        Q_EMIT stopped();
        return;
    }
    const auto waiting = std::exchange(m_waiting, {});
    const auto failures = static_cast<std::size_t>(m_failures++);
    const bool isForProofs = code == nodeForProofs; // and so would the next one be
    if (failures < backoff.size() && !isForProofs)
        m_respawn.start(backoff[failures]);
    if (!isForProofs)
        Q_EMIT lost(QString::fromStdString(text));
    std::vector<std::int64_t> ids;
    for (const auto& [id, answer] : waiting)
        ids.push_back(id);
    std::sort(ids.begin(), ids.end());
    for (const std::int64_t id : ids)
        waiting.at(id)(tilewright::fail(code, text,
            code == nodeKilled ? killedRemedy
                : isForProofs  ? nodeForProofsRemedy
                               : ""));
    if (isForProofs)
        Q_EMIT givenUp(QString::fromStdString(text), QString::fromLatin1(nodeForProofsRemedy));
    else if (failures >= backoff.size())
        Q_EMIT givenUp(QStringLiteral("the node ended %1 times in a row; the last time %2")
                           .arg(failures + 1)
                           .arg(QString::fromStdString(text)),
            code == nodeKilled ? QString::fromLatin1(killedRemedy)
                               : QStringLiteral("run 'tilewright-cli doctor', then resume"));
}

} // namespace tilewright
