// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/code/colour_worker.h"

#include "ui/code/code_reader.h"

#include <QProcess>
#include <csignal>
#include <sys/prctl.h>
#include <unistd.h>

namespace tilewright::ui {
namespace {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

constexpr auto usualPatience = 10s; // a program takes some hundredths of one
constexpr int mostFaults = 3; // in a row: then it is left alone
constexpr int longestDeathMs = 2000;

/// Runs in the child between fork and exec.
void leaveOurGroup()
{
    ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
}

/// What starting a program takes, and nothing that is a user's.
QProcessEnvironment bareEnvironment()
{
    const QProcessEnvironment ours = QProcessEnvironment::systemEnvironment();
    QProcessEnvironment bare;
    for (const QString& name : {u"PATH"_s, u"LD_LIBRARY_PATH"_s, u"LC_ALL"_s, u"LANG"_s})
        if (ours.contains(name))
            bare.insert(name, ours.value(name));
    return bare;
}

} // namespace

ColourWorker::ColourWorker(QString program)
    : m_program(std::move(program))
    , m_patience(this)
{
    m_patience.setSingleShot(true);
    m_patience.setInterval(usualPatience);
    connect(&m_patience, &QTimer::timeout, this, &ColourWorker::fault);
}

ColourWorker::~ColourWorker()
{
    if (m_process)
        m_process.release()->setParent(this);
    for (QProcess* process : findChildren<QProcess*>()) {
        process->disconnect(this);
        process->kill();
        process->waitForFinished(longestDeathMs);
    }
}

void ColourWorker::colour(const QString& text, const QString& language)
{
    m_text = text;
    m_language = language;
    ++m_id;
    const QByteArray utf8 = text.toUtf8();
    if (utf8.size() > static_cast<qsizetype>(largestColouredText) || !start()) {
        answerOurselves();
        return;
    }
    m_asked = true;
    m_patience.start();
    const std::string frame = encode(ColourRequest{m_id, language.toStdString(), utf8.toStdString()});
    m_process->write(frame.data(), static_cast<qint64>(frame.size()));
}

bool ColourWorker::start()
{
    if (m_process)
        return true;
    if (m_program.isEmpty() || m_faults >= mostFaults)
        return false;
    m_frames = FrameReader(largestFrame);
    m_process = std::make_unique<QProcess>();
    m_process->setProgram(m_program);
    m_process->setChildProcessModifier(leaveOurGroup);
    m_process->setProcessEnvironment(bareEnvironment());
    m_process->setStandardErrorFile(QProcess::nullDevice());
    connect(m_process.get(), &QProcess::readyReadStandardOutput, this, &ColourWorker::read);
    connect(m_process.get(), &QProcess::finished, this, &ColourWorker::fault);
    connect(m_process.get(), &QProcess::errorOccurred, this, [this](QProcess::ProcessError problem) {
        if (problem != QProcess::FailedToStart)
            return;
        m_program.clear(); // it is not there: nothing to be said about that
        fault();
    });
    m_process->start();
    return m_process != nullptr;
}

void ColourWorker::read()
{
    const QByteArray bytes = m_process->readAllStandardOutput();
    m_frames.append({bytes.constData(), static_cast<std::size_t>(bytes.size())});
    const auto frame = m_frames.next();
    if (frame && !*frame)
        return;
    auto said = frame ? colourAnswerFrom((*frame)->json) : std::unexpected(frame.error());
    if (!said || !m_asked || said->id != m_id) {
        fault();
        return;
    }
    m_faults = 0;
    answer(std::move(said->spans), true);
}

void ColourWorker::fault()
{
    if (m_process) {
        m_process->disconnect(this);
        QProcess* lost = m_process.release();
        lost->setParent(this);
        connect(lost, &QProcess::finished, lost, &QObject::deleteLater);
        if (lost->state() == QProcess::NotRunning)
            lost->deleteLater();
        else
            lost->kill();
        ++m_faults;
    }
    if (m_asked)
        answerOurselves();
}

void ColourWorker::answer(std::vector<CodeSpan> spans, bool byProcess)
{
    m_asked = false;
    m_patience.stop();
    m_text.clear();
    Q_EMIT done(std::make_shared<const CodeSpans>(std::move(spans)), byProcess);
}

void ColourWorker::answerOurselves()
{
    answer(m_language == u"kernel"_s          ? readCode(m_text)
            : m_language == u"conversation"_s ? readConversationText(m_text)
                                              : std::vector<CodeSpan>(),
        false);
}

} // namespace tilewright::ui
