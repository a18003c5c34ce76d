// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/session_files.h"

#include "core/base/files.h"
#include "core/source/saved_program.h"
#include "core/store/packed_session.h"
#include "core/store/session_lock.h"
#include "core/store/session_reader.h"
#include "ui/models/display_text.h"
#include "ui/session/session_client.h"
#include "ui/welcome/new_session_page.h"
#include "ui/widgets/aside.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/message_bar.h"

#include <QDate>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QPushButton>
#include <QTimer>
#include <algorithm>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace tilewright::ui {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {
constexpr auto worthMentioning = 300ms; ///< opening that takes longer says so
}

SessionFiles::SessionFiles(SessionClient& session, const Settings& settings, QWidget* window)
    : QObject(window)
    , m_session(session)
    , m_settings(settings)
    , m_window(window)
{
    connect(&session, &SessionClient::executed, this, [this](const Command& command, const Receipt& receipt) {
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
                openingEnded(); // until the user has said so
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
                                  : tr("Changes since %1 are not saved.").arg(clockTime(status.savedAtUtc)),
        QMessageBox::Cancel, m_window);
    m_question->setObjectName(u"lossQuestion"_s);
    m_question->setAttribute(Qt::WA_DeleteOnClose);
    m_question->setInformativeText(text(status.trouble));
    auto* copy = m_question->addButton(tr("Save a copy…"), QMessageBox::AcceptRole);
    auto* lose = m_question->addButton(tr("Close without saving"), QMessageBox::DestructiveRole);
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

namespace {

namespace fs = std::filesystem;

constexpr std::size_t mostLookedAt = 3; ///< copies; a user who keeps working in theirs need not wait for all of them

/// What the run is, without the notes that opening it leaves in its log.
std::optional<RunState> runOf(const fs::path& file)
{
    auto reader = SessionReader::open(file.string());
    auto state = reader ? (*reader)->load() : std::unexpected(reader.error());
    if (!state)
        return std::nullopt;
    state->log = {};
    state->lastSeq = 0;
    return std::move(*state);
}

/// Copies made earlier, the newest first.
std::vector<fs::path> earlierCopies(const fs::path& folder, const std::string& name)
{
    std::vector<std::pair<fs::file_time_type, fs::path>> found;
    std::error_code problem;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, problem)) {
        if (demoOf(entry.path()) == name)
            found.emplace_back(entry.last_write_time(problem), entry.path());
    }
    std::ranges::sort(found, std::greater());
    std::vector<fs::path> copies;
    for (const auto& [time, path] : found)
        if (copies.size() < mostLookedAt)
            copies.push_back(path);
    return copies;
}

bool isOpenElsewhere(const fs::path& file)
{
    SessionLock lock; // let go at once: who opens the session takes it
    return !lock.acquire(file.string());
}

} // namespace

Result<fs::path> copyOfDemo(const std::string& name)
{
    const fs::path fresh = demoCopy(name);
    const std::vector<fs::path> earlier = earlierCopies(fresh.parent_path(), name);
    if (auto unpacked = unpackSession(shippedDemo(name), fresh); !unpacked)
        return std::unexpected(unpacked.error());
    if (earlier.empty())
        return fresh;
    const std::optional<RunState> shipped = runOf(fresh);
    for (const fs::path& copy : earlier)
        if (!isOpenElsewhere(copy) && shipped && runOf(copy) == shipped) {
            removeUnpacked(fresh);
            return copy;
        }
    return fresh;
}

GivingWay::GivingWay(
    SessionFiles& files, SessionClient& session, MessageBar& messages, NewSessionPage& welcome, QObject* parent)
    : QObject(parent)
    , m_files(files)
    , m_session(session)
    , m_messages(messages)
    , m_welcome(welcome)
{
    connect(&files, &SessionFiles::wouldPause, this, &GivingWay::ask);
    connect(&session, &SessionClient::changed, this, &GivingWay::seeWhetherItRuns);
    connect(&files, &SessionFiles::runLeft, this, [this](const QString& path) { m_left = path; });
}

void GivingWay::ask(const QString& going, const QString& other)
{
    m_messages.clearProposer(m_question); // of an earlier steering request
    m_other = other;
    const QString words = tr("%1 is running. It is paused if %2 is opened instead.")
                              .arg(QFileInfo(going).fileName(), QFileInfo(other).fileName());
    const QString hint = tr("nothing is lost: in-flight work starts again when the run is resumed");
    const auto leave = [this] { m_files.leaveRun(); };
    if (m_welcome.askBeforeStart(other, asSentences(words, hint), tr("Pause it and start"), leave)
        || m_welcome.askBeforeOpening(asSentences(words, hint), tr("Pause it and open"), leave))
        return;
    m_question = m_messages.show(MessageBar::Mood::Warning, words, hint);
    m_messages.offer(m_question, tr("Pause it and open the other"), leave);
    m_messages.takeFocus();
}

/// What was asked of a run that is going is no question any more once it rests or is closed; where it rests, what was
/// wanted is offered still.
void GivingWay::seeWhetherItRuns()
{
    if (m_session.isOpen() && m_session.snapshot().status.phase == events::Phase::Running)
        return;
    m_welcome.putQuestionsAway();
    if (!m_question)
        return;
    m_messages.clearProposer(std::exchange(m_question, 0));
    if (!m_session.isOpen())
        return;
    const quint64 offer
        = m_messages.show(MessageBar::Mood::Info, tr("The run is paused, and the other session opens."), {});
    m_messages.offer(offer, tr("Open %1").arg(QFileInfo(m_other).fileName()), [this] { m_files.leaveRun(); });
}

void GivingWay::offerBack()
{
    const QString path = std::exchange(m_left, {});
    if (path.isEmpty() || (m_session.isOpen() && text(m_session.snapshot().status.sessionPath) == path))
        return;
    const quint64 message = m_messages.show(
        MessageBar::Mood::Info, tr("%1 was running and is paused now.").arg(QFileInfo(path).fileName()), {});
    m_messages.offer(message, tr("Resume"), [this, path] { m_files.open(path, SessionFiles::Then::Run); });
}

ProgramFile::ProgramFile(SessionClient& session, QWidget* window)
    : QObject(window)
    , m_session(session)
    , m_window(window)
{
    connect(&session, &SessionClient::textReady, this, [this](quint64 tag, const QString& source) {
        if (m_wanted && m_wanted->tag == tag)
            write(source);
    });
}

void ProgramFile::askWhere(CandidateId candidate)
{
    const Snapshot& snapshot = m_session.snapshot();
    if (!snapshot.run.candidate(candidate))
        return;
    const bool isForGpu = snapshot.pack && snapshot.pack->task.target == Target::Cuda;
    const QString ending = isForGpu ? u"cu"_s : u"cpp"_s;
    const QDir folder = QFileInfo(text(snapshot.status.sessionPath)).dir();
    auto* dialog = new QFileDialog(m_window, tr("Save the program of %1").arg(nameOfCandidate(candidate)),
        folder.filePath(u"%1.%2"_s.arg(nameOfCandidate(candidate), ending)),
        isForGpu ? tr("CUDA C++ (*.cu);;All files (*)") : tr("C++ (*.cpp);;All files (*)"));
    dialog->setObjectName(u"programDialog"_s);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(ending);
    connect(
        dialog, &QFileDialog::fileSelected, this, [this, candidate](const QString& path) { save(candidate, path); });
    dialog->open();
}

void ProgramFile::save(CandidateId candidate, const QString& path)
{
    const Candidate* chosen = m_session.run().candidate(candidate);
    if (chosen)
        m_wanted = {m_session.requestText(chosen->source), candidate, path};
}

void ProgramFile::write(const QString& source)
{
    const auto [tag, candidate, path] = *m_wanted;
    m_wanted.reset();
    const Snapshot& snapshot = m_session.snapshot();
    const Candidate* known = snapshot.run.candidate(candidate);
    const std::string text = known && snapshot.pack
        ? savedProgram(snapshot.run, *known, snapshot.pack->task, source.toStdString(),
            {QFileInfo(ui::text(snapshot.status.sessionPath)).fileName().toStdString(),
                QDate::currentDate().toString(Qt::ISODate).toStdString()})
        : source.toStdString();
    if (const auto written = saveFile(path.toStdString(), text); !written) {
        Q_EMIT failed(tr("The program of %1 could not be saved: %2.")
                          .arg(nameOfCandidate(candidate), ui::text(written.error().text)),
            ui::text(written.error().hint));
        return;
    }
    Q_EMIT saved(tr("The program of %1 was written to %2.").arg(nameOfCandidate(candidate), path));
}

} // namespace tilewright::ui
