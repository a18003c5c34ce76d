// SPDX-License-Identifier: GPL-3.0-or-later
// What the parts of the window tell each other.
#include "ui/shell/main_window.h"

#include "ui/compare/compare_page.h"
#include "ui/evolve/candidate_inspector.h"
#include "ui/evolve/candidate_table.h"
#include "ui/evolve/evolve_page.h"
#include "ui/evolve/island_actions.h"
#include "ui/evolve/records_panel.h"
#include "ui/exporting/git_lineage.h"
#include "ui/lab/lab_page.h"
#include "ui/models/display_text.h"
#include "ui/prompts/prompts_page.h"
#include "ui/prompts/templates_page.h"
#include "ui/review/review_page.h"
#include "ui/settings/settings_page.h"
#include "ui/settings/settings_screen.h"
#include "ui/shell/run_bar.h"
#include "ui/shell/session_files.h"
#include "ui/shell/session_messages.h"
#include "ui/shell/status_line.h"
#include "ui/shell/undo_controller.h"
#include "ui/welcome/device_picker.h"
#include "ui/welcome/new_session_page.h"
#include "ui/welcome/start_from.h"
#include "ui/widgets/pane.h"

#include <QScopedValueRollback>
#include <QStackedWidget>
#include <utility>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

QWidget* MainWindow::makeSettings()
{
    auto* page = new SettingsPage(m_settings, m_models, m_actions, m_settingsScreen);
    const DevicePicker& devices = m_welcome->devices();
    const auto showGpus = [page, &devices] { page->showGpus(devices.gpus(), devices.whyNoGpu()); };
    connect(&devices, &DevicePicker::changed, page, showGpus);
    showGpus();
    return page;
}

SettingsPage& MainWindow::settingsPage() { return m_settingsScreen->settings(); }

void MainWindow::connectPages()
{
    connect(&m_settings, &Settings::lookChanged, this, &MainWindow::markTheme);
    connect(
        &m_evolve->records(), &RecordsPanel::reviewOpened, this, [this](CandidateId candidate, const QString& action) {
            showScreen(u"review"_s);
            m_review->choose(candidate);
            if (action == u"review.edit"_s)
                m_review->edit();
            else if (action == u"review.reject"_s)
                m_review->reject();
        });
    connect(&m_evolve->islandActions(), &IslandActions::reviewPolicyRequested, this, [this](IslandId island) {
        showScreen(u"review"_s);
        m_review->showPolicyOf(island);
    });
    connect(m_review, &ReviewPage::changed, this, [this] { m_review->stateChanged(); });
    connect(
        &m_evolve->records().candidates(), &CandidateTable::countsChanged, this, [this] { m_evolve->stateChanged(); });
    connect(&m_prompts->templates(), &TemplatesPage::chosenChanged, this, [this] { m_prompts->stateChanged(); });
    connect(m_prompts, &PromptsPage::partChanged, this, [this] { m_prompts->stateChanged(); });
    connect(m_undo, &UndoController::changed, this, [this] {
        enableActions();
        if (!m_undo->has(m_offered))
            m_messages->clearProposer(m_offerMessage); // what it offers was done with the keys
    });
    connect(&m_selection, &SelectionContext::historyChanged, this, [this] { enableActions(); });
    connect(&m_selection, &SelectionContext::referenceChanged, this, [this] { enableActions(); });
    connect(m_runBar, &RunBar::openPromptsRequested, this, [this] {
        showScreen(u"prompts"_s);
        m_prompts->show(PromptsPage::Open);
    });
    connect(m_runBar, &RunBar::budgetRequested, this, [this](QWidget* near) { editBudget(near); });
    connect(m_welcome, &NewSessionPage::openRequested, this, [this](const QString& path) { openFile(path); });
    connect(m_welcome, &NewSessionPage::cancelled, this, [this] {
        if (m_session.isOpen())
            showScreen(m_beforeWelcome);
    });
    connect(m_welcome, &NewSessionPage::failed, this,
        [this](const QString& text, const QString& hint) { showHint(text, hint, MessageBar::Mood::Error); });
    connect(m_welcome, &NewSessionPage::earlierSeen, m_evolve, &EvolvePage::setEarlier);
    connect(m_welcome, &NewSessionPage::earlierSeen, m_review, &ReviewPage::setEarlier);
    connect(m_welcome, &NewSessionPage::created, m_files, &SessionFiles::create);
    connect(&m_settings, &Settings::recentFilesChanged, this, [this] { fillRecent(); });
    connect(&m_settings, &Settings::forgotten, this, [this](const QString& words, const std::function<void()>& back) {
        offerBack(tr("Removed: %1").arg(words), tr("Removed %1").arg(words), back);
    });
    connect(&m_models, &ModelsBook::changed, this, [this] {
        if (m_models.clash().isEmpty())
            m_messages->clearProposer(std::exchange(m_clashMessage, 0)); // it was chosen, or mended
    });
    connect(&m_models, &ModelsBook::changedOutside, this, [this](const QString& words, const QString& hint) {
        m_messages->clearProposer(std::exchange(m_clashMessage, 0));
        const quint64 message = m_messages->show(MessageBar::Mood::Warning, words, hint);
        m_messages->offer(message, tr("Show"), [this] { m_actions[u"settings.models"_s].trigger(); });
        if (!m_models.clash().isEmpty())
            m_clashMessage = message;
    });
}

void MainWindow::connectReference()
{
    connect(&m_session, &SessionClient::editCheckCancelled, this, [this](quint64, CandidateId candidate) {
        showHint(tr("The check of your edit of %1 was cancelled. Your text stays in the editor.")
                     .arg(nameOfCandidate(candidate)),
            {}, MessageBar::Mood::Info);
    });
    connect(&m_selection, &SelectionContext::referenceChanged, this, [this](CandidateId now) {
        const CandidateId before = std::exchange(m_reference, now);
        if (m_isComparing || !m_selection.isPersons())
            return; // undone, or of a session that is left
        const auto compareWith = [this](CandidateId candidate) {
            const QScopedValueRollback comparing(m_isComparing, true);
            if (m_selection.reference() != candidate) // the same again would clear it
                m_selection.setReference(candidate);
        };
        const QString description = now ? tr("Set the reference to %1").arg(nameOfCandidate(now))
                                        : tr("Cleared the reference %1").arg(nameOfCandidate(before));
        const QString then = before ? tr("The reference is %1 again.").arg(nameOfCandidate(before))
                                    : tr("Candidates are compared with their parents again.");
        const std::int64_t entry = m_undo->add({description, [compareWith, before] { compareWith(before); },
            [this, now] { m_selection.setReference(now); }, then});
        const QString keys = m_actions[u"candidate.reference"_s].shortcut().toString(QKeySequence::NativeText);
        m_undo->say(now
                ? tr("%1 is the reference: other candidates' code is compared with it.").arg(nameOfCandidate(now))
                : tr("No reference: candidates are compared with their parents."),
            now ? tr("%1 on it again clears it").arg(keys) : QString(), entry);
    });
}

void MainWindow::connectNews()
{
    const auto isRead = [this](CandidateId candidate) {
        return isShown(u"review"_s)
            ? m_review->chosen() == candidate
            : isShown(u"evolve"_s) && m_selection.current() == candidate && m_evolve->inspector().shows(TextTabs::Runs);
    };
    m_runNews = new RunNews(m_session, *m_messages, isRead, this);
    const auto show = [this](CandidateId candidate) {
        m_selection.select(candidate);
        showScreen(u"evolve"_s);
    };
    connect(m_runNews, &RunNews::candidateWanted, this, show);
    connect(m_runNews, &RunNews::pairedRerunWanted, this, [this](CandidateId candidate) {
        m_selection.select(candidate);
        m_actions[u"candidate.rerun-paired"_s].trigger();
    });
    connect(m_runNews, &RunNews::runsWanted, this, [this, show](CandidateId candidate) {
        show(candidate);
        m_evolve->showRuns();
    });
}

void MainWindow::connectFiles()
{
    connect(m_files, &SessionFiles::alreadyOpen, this, [this] { showScreen(u"evolve"_s); });
    connect(m_files, &SessionFiles::failed, this,
        [this](const QString& text, const QString& hint) { showHint(text, hint, MessageBar::Mood::Error); });
    const auto report = [this](auto* part) { // what was written, or why it was not
        using Part = std::remove_pointer_t<decltype(part)>;
        connect(part, &Part::saved, this,
            [this](const QString& words) { m_messages->show(MessageBar::Mood::Info, words, {}); });
        connect(part, &Part::failed, this,
            [this](const QString& text, const QString& hint) { showHint(text, hint, MessageBar::Mood::Error); });
    };
    report(m_programFile);
    report(m_compare);
    report(m_lab);
    connect(m_lab, &LabPage::sessionWanted, this, [this](const QString& folder) {
        m_welcome->chooseTask(folder);
        showScreen(u"welcome"_s);
    });
    connect(m_files, &SessionFiles::openingTakesLong, this, [this](const QString& path) {
        setLoading(true);
        m_openingMessage = showHint(tr("Opening %1…").arg(path), {}, MessageBar::Mood::Info);
    });
    connect(m_files, &SessionFiles::openingShown, this, [this] {
        setLoading(false);
        m_messages->clearProposer(m_openingMessage);
    });
}

void MainWindow::connectGitLineage()
{
    connect(m_gitLineage, &GitLineage::failed, this,
        [this](const QString& text, const QString& hint) { showHint(text, hint, MessageBar::Mood::Warning); });
    connect(m_gitLineage, &GitLineage::changed, this, [this] {
        m_actions[u"session.git-lineage"_s].setChecked(m_gitLineage->isOn());
        m_status->showLineage(*m_gitLineage);
    });
}

void MainWindow::setGitLineage(bool on)
{
    m_gitLineage->setOn(on);
    m_messages->show(MessageBar::Mood::Info,
        on ? tr("The lineage of this session is written to %1.").arg(m_gitLineage->folder())
           : tr("The lineage in git is off; %1 stays as it is.").arg(m_gitLineage->folder()),
        on ? tr("the status bar shows how far it is") : QString());
}

void MainWindow::connectEngine()
{
    connect(m_told, &SessionMessages::takeOverWanted, this,
        [this](const QString& path) { m_files->takePlace(path, [this, path] { m_session.client().open(path); }); });
    connect(m_told, &SessionMessages::reviewWanted, this, [this] { showScreen(u"review"_s); });
    connect(m_told, &SessionMessages::replayWanted, this, [this] {
        const Snapshot& open = m_session.snapshot();
        if (!open.pack)
            return;
        m_welcome->startReplay(earlierSessionOf(open.run, open.pack->task), text(open.status.sessionPath));
        showScreen(u"welcome"_s);
    });
    connect(&m_session, &SessionClient::changed, this, [this] {
        refresh();
        tellView();
    });
    connect(&m_session, &SessionClient::replaced, this, [this] {
        const std::string path = m_session.snapshot().status.sessionPath; // empty: none is open
        if (!path.empty() && std::exchange(m_shownPath, path) == path)
            return m_told->tellWhatIsKept(); // the same was read to its end
        m_shownPath = path;
        m_selection.clear();
        m_told->startAnew();
        m_runNews->startAnew();
        if (!m_session.isOpen())
            return;
        m_messages->clear(); // what was said of the one before
        m_files->openingEnded();
        m_settings.addRecentFile(text(m_session.snapshot().status.sessionPath));
        showScreen(u"evolve"_s);
        m_told->tellWhatIsKept();
        m_yielding->offerBack();
    });
    connect(&m_drafts, &Drafts::discarded, this, &MainWindow::offerDraftBack);
    connect(&m_drafts, &Drafts::failed, this,
        [this](const QString& text, const QString& hint) { showHint(text, hint, MessageBar::Mood::Error); });
    connect(&m_session, &SessionClient::failed, this, [this](const QString&, const QString& text, const QString& hint) {
        m_files->openingEnded();
        if (!m_session.isOpen())
            m_yielding->offerBack(); // what was to take its place did not come
        m_told->tellFailure(text, hint);
    });
    connect(m_files, &SessionFiles::copied, this, [this](const QString& path) {
        m_messages->show(MessageBar::Mood::Info, tr("A copy was written to %1.").arg(path), {});
    });
}

} // namespace tilewright::ui
