// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/exporting/git_lineage.h"

#include "core/base/last_resort.h"
#include "core/exporting/session_source.h"
#include "ui/models/display_text.h"

#include <QMetaObject>
#include <utility>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

const QByteArray wantedWord = "on";

QString lineageKey(const std::string& session) { return layoutOf(u"lineage"_s, text(session)); }

} // namespace

QString lineageHint(const Error& error)
{
    const std::string& code = error.code;
    if (code == "lineage/locked")
        return GitLineage::tr("wait for the other program, then switch Lineage in git off and on");
    if (code == "lineage/full" || code == "lineage/unwritable" || code == "lineage/missing")
        return GitLineage::tr("free space or give write access there, then switch Lineage in git off and on");
    if (!code.starts_with("lineage/") || code == "lineage/newer")
        return text(error.hint);
    return GitLineage::tr("move or rename that folder, then switch Lineage in git off and on; tilewright-cli lineage "
                          "writes to another folder with --to");
}

GitLineage::GitLineage(SessionClient& session, Settings& settings, QObject* parent, std::chrono::milliseconds interval)
    : QObject(parent)
    , m_session(session)
    , m_settings(settings)
    , m_interval(interval)
{
    connect(&session, &SessionClient::replaced, this, &GitLineage::follow);
    connect(&session, &SessionClient::changed, this, [this] {
        if (m_thread)
            m_thread->wake();
    });
    follow();
}

GitLineage::~GitLineage()
{
    m_thread.reset(); // while this object can still be told
}

void GitLineage::setOn(bool on)
{
    if (m_path.empty() || on == m_isOn)
        return;
    m_isOn = on;
    m_settings.setLayout(lineageKey(m_path), on ? wantedWord : QByteArray());
    m_failure.reset();
    m_report.reset();
    on ? start() : stop();
    Q_EMIT changed();
}

void GitLineage::follow()
{
    const std::string path = m_session.isOpen() ? m_session.snapshot().status.sessionPath : std::string();
    if (path == m_path)
        return;
    stop();
    m_path = path;
    m_folder = path.empty() ? QString() : text(lineageFolder(path).string());
    m_isOn = !path.empty() && m_settings.layout(lineageKey(path)) == wantedWord;
    m_report.reset();
    m_failure.reset();
    if (m_isOn)
        start();
    Q_EMIT changed();
}

void GitLineage::start()
{
    if (m_thread)
        return; // the one before is ending: ended() starts this one
    const auto open = [path = m_path]() -> Result<std::unique_ptr<RunSource>> {
        giveWay();
        return openRunSource(path);
    };
    LineageWatch watch;
    watch.written = [this, started = ++m_started](const LineageReport& report) {
        QMetaObject::invokeMethod(
            this,
            [this, started, report] {
                if (started != m_started || !m_isOn)
                    return;
                m_report = report;
                Q_EMIT changed();
            },
            Qt::QueuedConnection);
    };
    watch.ended = [this, started = m_started](const std::optional<Error>& error) {
        QMetaObject::invokeMethod(
            this, [this, started, error] { ended(started, error); }, Qt::QueuedConnection);
    };
    m_thread = std::make_unique<LineageThread>(lineageFolder(m_path), open, m_interval, std::move(watch));
}

void GitLineage::stop()
{
    ++m_started;
    if (m_thread)
        m_thread->beginToFinish();
}

void GitLineage::ended(quint64 started, const std::optional<Error>& error)
{
    m_thread.reset();
    if (error) {
        if (started == m_started)
            m_failure = error;
        Q_EMIT failed(tr("The lineage in git is not written: %1.").arg(text(error->text)), lineageHint(*error));
    }
    if (started != m_started && m_isOn) // it was stopped for this one
        start();
    Q_EMIT changed();
}

} // namespace tilewright::ui
