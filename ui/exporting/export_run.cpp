// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/exporting/export_run.h"

#include "core/base/text.h"
#include "core/exporting/signed_manifest.h"
#include "core/store/session_reader.h"
#include "ui/exporting/report_pdf.h"
#include "ui/models/display_text.h"
#include "ui/widgets/aside.h"

#include <QFutureWatcher>
#include <QMetaObject>
#include <QtConcurrent>
#include <utility>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

ExportRun::ExportRun(SessionClient& session, QObject* parent)
    : QObject(parent)
    , m_session(session)
{
    m_measuring.setMaxThreadCount(1);
    m_writing.setMaxThreadCount(1);
    connect(&session, &SessionClient::executed, this, [this](const Command& command, const Receipt& receipt) {
        if (!std::holds_alternative<commands::RecordSealed>(command) || !std::exchange(m_isRecording, false))
            return;
        receipt.isDone() ? write(true) : end(receipt.error);
    });
    connect(&session, &SessionClient::replaced, this, [this] {
        if (m_isGoing && m_session.snapshot().status.sessionPath != m_path)
            cancel();
    });
}

ExportRun::~ExportRun()
{
    if (m_isCancelled)
        *m_isCancelled = true;
    m_measuring.waitForDone();
    m_writing.waitForDone();
}

void ExportRun::cancel()
{
    if (!m_isGoing)
        return;
    *m_isCancelled = true;
    if (std::exchange(m_isRecording, false)) // it is recorded all the same
        end({"cancelled", "cancelled", "", nullptr});
}

void ExportRun::say(const QString& words)
{
    QMetaObject::invokeMethod(
        this,
        [this, words] {
            if (m_isGoing)
                Q_EMIT progressed(words);
        },
        Qt::QueuedConnection);
}

void ExportRun::end(const Error& error)
{
    m_isGoing = false;
    Q_EMIT failed(error);
}

void ExportRun::start(const ExportChoices& choices)
{
    if (m_isGoing)
        return;
    m_choices = choices;
    m_path = m_session.snapshot().status.sessionPath;
    m_isGoing = true;
    m_isRecording = false;
    m_isCancelled = std::make_shared<std::atomic<bool>>(false);
    const auto prepare = [this, path = m_path, choices, isCancelled = m_isCancelled]() -> Result<Prepared> {
        Prepared prepared;
        if (auto possible = checkDestination(choices.folder); !possible)
            return std::unexpected(possible.error());
        if (choices.hasHarness) {
            auto sources = findHarnessSources();
            if (!sources)
                return std::unexpected(sources.error());
            prepared.sources = std::move(*sources);
        }
        say(tr("Reading the session…"));
        auto reader = SessionReader::open(path);
        const auto state = reader ? (*reader)->load() : std::unexpected(reader.error());
        const auto pack = state ? (*reader)->pack(*state) : std::unexpected(state.error());
        const auto plan = pack ? exportPlanOf(*state, *pack, choices.candidate) : std::unexpected(pack.error());
        if (!plan)
            return std::unexpected(plan.error());
        if (!plan->measuresSealed || !choices.measuresSealed)
            return prepared;
        const auto source = (*reader)->text(state->candidate(plan->candidate)->source);
        if (!source)
            return std::unexpected(source.error());
        EvaluationWatch watch;
        watch.isCancelled = [isCancelled] { return isCancelled->load(); };
        watch.say = [this](const std::string& words) { say(text(words)); };
        watch.progressed = [this](const Progress& progress) {
            say(progress.of > 0 ? tr("Sealed shapes: %1, %2 of %3")
                                      .arg(text(progress.stage))
                                      .arg(static_cast<qint64>(progress.done))
                                      .arg(static_cast<qint64>(progress.of))
                                : tr("Sealed shapes: %1").arg(text(progress.stage)));
        };
        say(tr("Building and checking on the sealed shapes…"));
        auto measured = measuredOnSealed(*state, *pack, plan->candidate, *source, watch);
        if (!measured)
            return std::unexpected(measured.error().code == "cancelled"
                    ? measured.error()
                    : aboutSealed(measured.error(), "without sealed shapes it can be exported"));
        prepared.sealed = std::move(*measured);
        return prepared;
    };
    // Not doAside(): a thread that gives way hands its low priority down to the node, and to what is measured.
    auto* watcher = new QFutureWatcher<Result<Prepared>>(this);
    connect(watcher, &QFutureWatcherBase::finished, this, [this, watcher] {
        watcher->deleteLater();
        auto prepared = watcher->result();
        prepared ? record(std::move(*prepared)) : end(prepared.error());
    });
    watcher->setFuture(QtConcurrent::run(&m_measuring, prepare));
}

void ExportRun::record(Prepared prepared)
{
    m_sources = std::move(prepared.sources);
    if (*m_isCancelled && !prepared.sealed)
        return end({"cancelled", "cancelled", "", nullptr});
    if (!prepared.sealed)
        return write(false);
    if (m_session.snapshot().status.sessionPath != m_path)
        return end({"session/closing", "the session was closed before the measurement was recorded", "", nullptr});
    m_isRecording = true;
    say(tr("Recording the measurement in the session…"));
    m_session.execute(commands::RecordSealed{std::move(*prepared.sealed)});
}

void ExportRun::write(bool measuredNow)
{
    const auto write = [this, path = m_path, choices = m_choices, sources = m_sources, isCancelled = m_isCancelled,
                           measuredNow]() -> Result<ExportedFolder> {
        say(tr("Writing the files…"));
        auto exported = exportedFrom(path, candidateName(choices.candidate), sources);
        if (!exported)
            return std::unexpected(exported.error());
        Bundle bundle = std::move(exported->bundle);
        if (choices.hasPdf) {
            say(tr("Laying out the report…"));
            auto pdf = pdfOf(printedReport(bundle.at("REPORT.html").text),
                u"%1, %2"_s.arg(nameOfCandidate(exported->record.candidate), text(exported->record.taskName)));
            if (!pdf)
                return std::unexpected(pdf.error());
            bundle[reportPdf] = {std::move(*pdf)};
        }
        if (!choices.key.empty()) {
            say(tr("Signing the manifest…"));
            auto signedOne = signedBundle(
                std::move(bundle), choices.key, Passphrase::Nowhere, [isCancelled] { return isCancelled->load(); });
            if (!signedOne)
                return std::unexpected(signedOne.error());
            bundle = std::move(*signedOne);
        }
        if (*isCancelled)
            return tilewright::fail("cancelled", "cancelled");
        if (auto written = writeBundle(bundle, choices.folder); !written)
            return std::unexpected(written.error());
        return ExportedFolder{
            text(choices.folder), text(exported->record.findingText), bundle.size() + 1, measuredNow, choices.hasPdf};
    };
    doAside(
        this, write,
        [this](const Result<ExportedFolder>& exported) {
            if (!exported)
                return end(exported.error());
            m_isGoing = false;
            Q_EMIT finished(*exported);
        },
        m_writing);
}

} // namespace tilewright::ui
