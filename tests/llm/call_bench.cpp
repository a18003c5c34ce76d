// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/llm/call_bench.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QFile>
#include <QProcess>
#include <fstream>
#include <sstream>

namespace tilewright::testing {
namespace {

constexpr qint64 veryLong = 60'000; // ms; only a broken test waits so long
std::string logged;

void keepLog(QtMsgType, const QMessageLogContext&, const QString& text)
{
    logged += text.toStdString() + "\n";
    std::fprintf(stderr, "%s\n", qPrintable(text));
}

} // namespace

void catchLog() { qInstallMessageHandler(keepLog); }
std::string loggedTexts() { return logged; }

CallBench::CallBench(ModelProtocol protocol, Change change)
{
    server.start();
    keys.keepInMemory("canary", canary);
    ModelEndpoint endpoint;
    endpoint.name = "fake";
    endpoint.templateName = "other";
    endpoint.protocol = protocol;
    endpoint.url = server.url("");
    endpoint.key = "memory:canary";
    endpoint.mostInFlight = 64;
    ModelSpec spec;
    spec.name = "m";
    spec.endpoint = "fake";
    spec.model = "test-model";
    spec.temperature = 0.5;
    if (change)
        change(endpoint, spec);
    ModelsFile models;
    models.endpoints = {endpoint};
    models.models = {spec};
    models.mostInFlight = 64;
    m_client = std::make_unique<ModelClient>(models, clock, keys, 42);
    QObject::connect(m_client.get(), &ModelClient::received, m_client.get(), [this](const RawReply& raw) {
        raws.push_back(raw);
        record({{"raw", raw.bytes}, {"attempt", raw.attempt}});
    });
    QObject::connect(m_client.get(), &ModelClient::progressed, m_client.get(),
        [this](const ModelProgress& progress) { m_bytesSeen = progress.bytes; });
    QObject::connect(m_client.get(), &ModelClient::finished, m_client.get(), [this](const ModelReply& reply) {
        record(toJson(reply));
        m_replies.emplace(reply.id, reply);
    });
}

CallBench::~CallBench() = default;

ChatRequest CallBench::question()
{
    ChatRequest request;
    request.model = "m";
    request.conversation = "proposal 1";
    request.system = "You write fast kernels.";
    request.messages = {{MessageRole::User, "Make it faster."}};
    return request;
}

ModelCallId CallBench::submit(const ChatRequest& request)
{
    const ModelCallId id = m_client->submit(request);
    record({{"id", id.value}, {"request", toJson(request)}});
    return id;
}

bool CallBench::until(const std::function<bool()>& condition)
{
    QElapsedTimer watch;
    watch.start();
    while (!condition()) {
        if (watch.elapsed() > veryLong)
            return false;
        QCoreApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents, 5);
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    }
    return true;
}

void CallBench::settle()
{
    QElapsedTimer watch;
    watch.start();
    while (watch.elapsed() < 60)
        QCoreApplication::processEvents(QEventLoop::AllEvents, 5);
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
}

ModelReply CallBench::finish(ModelCallId id)
{
    until([this, id] {
        if (!isFinished(id) && clock.isSet(WakeReason::Retry))
            clock.advanceTo(WakeReason::Retry);
        return isFinished(id);
    });
    const auto found = m_replies.find(id);
    ModelReply none;
    none.error = {"test/never", "the call never finished", "", nullptr};
    return found == m_replies.end() ? none : found->second;
}

std::vector<std::chrono::milliseconds> CallBench::pauses(const ModelReply& reply) const
{
    std::vector<std::chrono::milliseconds> pauses;
    for (std::size_t i = 1; i < reply.attempts.size(); ++i)
        pauses.push_back(reply.attempts[i].pausedBefore);
    return pauses;
}

void CallBench::record(const nlohmann::json& json)
{
    std::ofstream file(m_folder.filePath(QStringLiteral("record.jsonl")).toStdString(), std::ios::app);
    file << dumped(json) << '\n';
}

std::string CallBench::recorded() const
{
    std::ifstream file(m_folder.filePath(QStringLiteral("record.jsonl")).toStdString());
    std::ostringstream all;
    all << file.rdbuf();
    return all.str();
}

TestCertificates::TestCertificates()
{
    const auto run = [this](const QString& line) {
        if (!problem.empty())
            return;
        QProcess process;
        process.setWorkingDirectory(folder.path());
        process.start(QStringLiteral("openssl"), QProcess::splitCommand(line));
        if (!process.waitForStarted(60'000) || !process.waitForFinished(60'000) || process.exitCode() != 0)
            problem = "openssl " + line.toStdString() + ": " + process.readAllStandardError().toStdString();
    };
    const QString key = QStringLiteral("-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes");
    run(QStringLiteral("req -x509 %1 -keyout ca.key -out ca.pem -days 2 -subj \"/CN=Tilewright test authority\"")
            .arg(key));
    run(QStringLiteral("req -x509 %1 -keyout self.key -out self.pem -days 2 -subj \"/CN=localhost\" -addext "
                       "\"subjectAltName=DNS:localhost\"")
            .arg(key));
    QFile index(folder.filePath(QStringLiteral("index.txt")));
    index.open(QIODevice::WriteOnly);
    index.close();
    QFile config(folder.filePath(QStringLiteral("ca.cnf")));
    config.open(QIODevice::WriteOnly);
    config.write("[ca]\ndefault_ca=d\n[d]\ndatabase=index.txt\nnew_certs_dir=.\nrand_serial=yes\ndefault_md=sha256\n"
                 "policy=p\nunique_subject=no\ncopy_extensions=copy\n[p]\ncommonName=supplied\n");
    config.close();
    struct Wanted {
        const char *name, *host, *dates;
    };
    for (const Wanted& wanted : {Wanted{"good", "localhost", "-days 2"},
             Wanted{"expired", "localhost", "-startdate 20200101000000Z -enddate 20200102000000Z"},
             Wanted{"other", "elsewhere.example", "-days 2"}}) {
        const QString name = QLatin1String(wanted.name), host = QLatin1String(wanted.host);
        run(QStringLiteral("req -new %1 -keyout %2.key -out %2.csr -subj \"/CN=%3\" -addext \"subjectAltName=DNS:%3\"")
                .arg(key, name, host));
        run(QStringLiteral("ca -batch -config ca.cnf -cert ca.pem -keyfile ca.key -in %1.csr -out %1.pem -notext %2")
                .arg(name, QLatin1String(wanted.dates)));
    }
}

void TestCertificates::serve(FakeServer& server, const char* name) const
{
    QFile certificate(folder.filePath(QLatin1String(name) + QStringLiteral(".pem")));
    QFile key(folder.filePath(QLatin1String(name) + QStringLiteral(".key")));
    if (certificate.open(QIODevice::ReadOnly) && key.open(QIODevice::ReadOnly))
        server.useTls(QSslCertificate(certificate.readAll()), QSslKey(key.readAll(), QSsl::Ec));
}

} // namespace tilewright::testing
