// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/session_files.h"

#include "core/store/session_reader.h"
#include "ui/models/format.h"
#include "ui/shell/demo_copy.h"
#include "ui/widgets/aside.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QPushButton>
#include <QTimer>
#include <utility>

namespace tilewright::ui {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {
constexpr auto worthMentioning = 300ms; ///< opening that takes longer says so
}

SessionFiles::SessionFiles(Session& session, const Settings& settings, QWidget* window)
    : QObject(window)
    , m_session(session)
    , m_settings(settings)
    , m_window(window)
{
    connect(&session, &Session::executed, this, [this](const Command& command, const Receipt& receipt) {
        const auto* copy = std::get_if<commands::SaveCopy>(&command);
        if (!copy || !receipt.isDone())
            return;
        m_copy = {text(copy->path), m_session.snapshot().status.sessionPath, receipt.sequence};
        Q_EMIT copied(m_copy.path);
    });
    connect(&session.client(), &EngineClient::closed, this, [this] {
        const auto next = std::exchange(m_afterClosing, nullptr);
        if (next)
            next();
    });
}

void SessionFiles::open(const QString& path, Then then)
{
    const QString whole = QFileInfo(path).absoluteFilePath();
    if (m_session.isOpen() && text(m_session.snapshot().status.sessionPath) == whole) {
        if (then == Then::Run)
            m_session.execute(commands::Run{});
        Q_EMIT alreadyOpen();
        return;
    }
    // Looked at first, on a pool thread: a file that cannot be opened must not cost the session that is open.
    expect(whole);
    doAside(
        this,
        [file = whole.toStdString()] {
            auto reader = SessionReader::open(file);
            return reader ? Error{} : reader.error();
        },
        [this, opening = m_lastOpening, whole, then](const Error& problem) {
            if (opening != m_lastOpening)
                return;
            if (!problem.code.empty()) {
                openingEnded();
                Q_EMIT failed(text(problem.text), text(problem.hint));
                return;
            }
            if (isGoing())
                openingEnded(); // until the person has said so
            takePlace(whole, [this, whole, then] {
                if (m_opening.isEmpty())
                    expect(whole);
                m_session.client().open(whole);
                if (then == Then::Run)
                    m_session.execute(commands::Run{});
            });
        });
}

/// Opening that takes longer than a blink is told.
void SessionFiles::expect(const QString& path)
{
    m_opening = path;
    QTimer::singleShot(worthMentioning, this, [this, opening = ++m_lastOpening] {
        if (opening == m_lastOpening)
            sayOpening();
    });
}

bool SessionFiles::isGoing() const
{
    const EngineStatus& status = m_session.snapshot().status;
    return m_session.isOpen() && !status.readOnly && status.phase == events::Phase::Running;
}

void SessionFiles::takePlace(const QString& path, std::function<void()> begin)
{
    onceItMayGo(path, [this, begin = std::move(begin)] { closeNow(begin); });
}

void SessionFiles::create(const NewSession& session)
{
    onceItMayGo(session.path, [this, session] {
        m_coming = session.path;
        m_leaving = isGoing() ? text(m_session.snapshot().status.sessionPath) : QString();
        if (m_session.isOpen())
            Q_EMIT m_session.closing();
        m_session.client().create(session);
    });
}

void SessionFiles::onceItMayGo(const QString& path, std::function<void()> go)
{
    m_onceLeft = nullptr;
    m_coming.clear();
    if (!isGoing())
        return onceNothingIsLost(std::move(go), {});
    m_onceLeft = std::move(go);
    Q_EMIT wouldPause(text(m_session.snapshot().status.sessionPath), path);
}

void SessionFiles::leaveRun()
{
    if (auto go = std::exchange(m_onceLeft, nullptr))
        onceNothingIsLost(std::move(go), {});
}

void SessionFiles::sayOpening()
{
    if (m_opening.isEmpty())
        return;
    m_saysOpening = true;
    Q_EMIT openingTakesLong(m_opening);
}

void SessionFiles::openingEnded()
{
    if (!m_coming.isEmpty() && text(m_session.snapshot().status.sessionPath) == m_coming) {
        m_coming.clear();
        if (!m_leaving.isEmpty())
            Q_EMIT runLeft(std::exchange(m_leaving, {}));
    }
    m_opening.clear();
    if (std::exchange(m_saysOpening, false))
        Q_EMIT openingShown();
}

void SessionFiles::openDemo(const QString& name)
{
    const auto copy = copyOfDemo(name.toStdString());
    if (!copy) {
        Q_EMIT failed(tr("The demo %1 cannot be opened.").arg(name), text(copy.error().line()));
        return;
    }
    open(text(copy->string()));
}

void SessionFiles::askWhatToOpen()
{
    QString folder = m_settings.sessionsFolder(); // which the first session makes
    while (!QFileInfo(folder).isDir() && folder != QFileInfo(folder).path())
        folder = QFileInfo(folder).path();
    auto* dialog = new QFileDialog(m_window, tr("Open a session"), folder, tr("Tilewright sessions (*.tilewright)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& path) { open(path); });
    dialog->open();
}

void SessionFiles::askForCopy()
{
    const QFileInfo file(text(m_session.snapshot().status.sessionPath));
    auto* dialog = new QFileDialog(m_window, tr("Save a copy of the session"),
        file.dir().filePath(file.completeBaseName() + u"-copy.tilewright"_s), tr("Tilewright sessions (*.tilewright)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(u"tilewright"_s);
    connect(dialog, &QFileDialog::fileSelected, this,
        [this](const QString& path) { m_session.execute(commands::SaveCopy{path.toStdString()}); });
    dialog->open();
}

void SessionFiles::afterClosing(std::function<void()> next, std::function<void()> stayed)
{
    onceNothingIsLost([this, next = std::move(next)] { closeNow(next); }, std::move(stayed));
}

void SessionFiles::onceNothingIsLost(std::function<void()> go, std::function<void()> stayed)
{
    if (m_session.isOpen() && wouldLose())
        return askAboutLoss(std::move(go), std::move(stayed));
    go();
}

bool SessionFiles::wouldLose() const
{
    const Snapshot& snapshot = m_session.snapshot();
    if (!snapshot.status.unsaved)
        return false;
    // While it runs, more may have come than this snapshot knows.
    const bool holdsAll = snapshot.status.phase != events::Phase::Running && m_copy.of == snapshot.status.sessionPath
        && m_copy.lastSeq >= snapshot.run.lastSeq;
    return !holdsAll || !QFileInfo::exists(m_copy.path);
}

void SessionFiles::askAboutLoss(std::function<void()> go, std::function<void()> stayed)
{
    if (m_question)
        return m_question->raise();
    const EngineStatus& status = m_session.snapshot().status;
    m_question = new QMessageBox(QMessageBox::Warning, tr("Not saved"),
        status.savedAtUtc.empty() ? tr("This session is not saved.")
                                  : tr("What came since %1 is not saved.").arg(clockTime(status.savedAtUtc)),
        QMessageBox::Cancel, m_window);
    m_question->setObjectName(u"lossQuestion"_s);
    m_question->setAttribute(Qt::WA_DeleteOnClose);
    m_question->setInformativeText(text(status.trouble));
    auto* copy = m_question->addButton(tr("Save a copy…"), QMessageBox::AcceptRole);
    auto* lose = m_question->addButton(tr("Close and lose it"), QMessageBox::DestructiveRole);
    copy->setObjectName(u"saveCopyInstead"_s);
    lose->setObjectName(u"closeAndLose"_s);
    m_question->setDefaultButton(copy);
    connect(m_question, &QMessageBox::finished, this, [this, box = m_question.data(), copy, lose, go, stayed] {
        if (box->clickedButton() == lose)
            return go();
        if (box->clickedButton() == copy)
            askForCopy();
        if (stayed)
            stayed();
    });
    m_question->open();
}

void SessionFiles::closeNow(std::function<void()> next)
{
    if (!m_session.isOpen())
        return next();
    m_afterClosing = std::move(next);
    if (isGoing())
        Q_EMIT runLeft(text(m_session.snapshot().status.sessionPath));
    Q_EMIT m_session.closing();
    m_session.client().close();
}

} // namespace tilewright::ui
