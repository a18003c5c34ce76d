// SPDX-License-Identifier: GPL-3.0-or-later
// What the actions of menus, toolbars and keys do.
#include "ui/shell/main_window.h"

#include "ui/compare/compare_page.h"
#include "ui/devices/devices_page.h"
#include "ui/docks/workspace.h"
#include "ui/evolve/candidate_inspector.h"
#include "ui/evolve/evolve_page.h"
#include "ui/evolve/island_actions.h"
#include "ui/exporting/export_dialog.h"
#include "ui/lab/lab_page.h"
#include "ui/models/display_text.h"
#include "ui/models/figures.h"
#include "ui/prompts/prompts_page.h"
#include "ui/review/review_page.h"
#include "ui/settings/settings_page.h"
#include "ui/settings/settings_screen.h"
#include "ui/shell/documentation.h"
#include "ui/shell/finder.h"
#include "ui/shell/message_log.h"
#include "ui/shell/run_bar.h"
#include "ui/shell/run_control.h"
#include "ui/shell/screens.h"
#include "ui/shell/session_files.h"
#include "ui/shell/tour.h"
#include "ui/shell/undo_controller.h"
#include "ui/theme/theme.h"
#include "ui/welcome/new_session_page.h"
#include "ui/widgets/pane.h"

#include <QApplication>
#include <QCursor>
#include <QMessageBox>
#include <QStackedWidget>
#include <utility>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

template <class Page, class Make> void MainWindow::showPage(Make make)
{
    auto* page = findChild<Page*>();
    if (!page)
        page = make();
    page->show();
    page->raise();
    page->activateWindow();
}

void MainWindow::on(const QString& id, std::function<void()> does)
{
    connect(&m_actions[id], &QAction::triggered, this, [does = std::move(does)] { does(); });
}

void MainWindow::connectActions()
{
    connectRunActions();
    connectViewActions();
    connectCandidateActions();
    connectReviewActions();
    connectHelpActions();
}

void MainWindow::connectRunActions()
{
    on(u"file.new"_s, [this] {
        m_welcome->showChoices(); // a kernel of one's own may stand in their place; it stays as it is
        m_welcome->tasks().search(); // packs may have come, gone or changed since
        showScreen(u"welcome"_s);
    });
    on(u"file.own-kernel"_s, [this] {
        showScreen(u"welcome"_s);
        m_welcome->showOwnKernel();
    });
    on(u"file.open"_s, [this] { m_files->askWhatToOpen(); });
    on(u"file.demo"_s, [this] { openDemo(u"gemm-cpu"_s); });
    on(u"file.gpuDemo"_s, [this] { openDemo(u"gemm-h200"_s); });
    on(u"file.copy"_s, [this] { m_files->askForCopy(); });
    on(u"session.export-winner"_s, [this] { exportCandidate({}); });
    on(u"session.git-lineage"_s, [this] { setGitLineage(m_actions[u"session.git-lineage"_s].isChecked()); });
    on(u"file.close"_s, [this] {
        m_files->afterClosing([this] {
            showScreen(u"welcome"_s);
            m_yielding->offerBack();
        });
    });
    on(u"file.quit"_s, [this] { close(); });
    on(u"run.run"_s, [this] { goOn([this] { m_runControl->goOn(); }); });
    on(u"run.pause"_s, [this] { m_runControl->pause(); });
    on(u"run.pause-cancel"_s, [this] { m_runControl->pauseAndCancel(); });
    on(u"run.step"_s, [this] { goOn([this] { m_session.execute(commands::Step{}); }); });
    on(u"run.step-islands"_s, [this] { goOn([this] { m_session.execute(commands::StepIslands{}); }); });
    on(u"run.stop"_s, [this] { m_runControl->stop(); });
    on(u"run.budget"_s, [this] { editBudget(m_runBar->budgetPlace()); });
    on(u"run.proposer"_s, [this] { editProposer(); });
    on(u"session.start"_s, [this] { m_welcome->start(true); });
    on(u"run.hints"_s, [actions = new IslandActions(m_context, m_modes)] { actions->hint({}); });
    on(u"run.history"_s, [this] { showPage<UndoPage>([this] { return new UndoPage(m_context, *m_undo, this); }); });
}

namespace {

constexpr double presenterPoints = 14; ///< read from the last row of a classroom

} // namespace

void MainWindow::connectViewActions()
{
    for (const ScreenEntry& screen : screens())
        on(actionOf(screen), [this, id = screen.id] { showScreen(id); });
    for (const ThemeKind kind : {ThemeKind::Light, ThemeKind::Dark, ThemeKind::Contrast})
        on(u"view.%1"_s.arg(nameOf(kind)), [this, kind] { m_settings.setTheme(kind); });
    on(u"view.system"_s, [this] { m_settings.setTheme(std::nullopt); });
    for (const SettingsSection section : settingsSections)
        on(actionOf(section), [this, section] {
            showScreen(u"settings"_s);
            settingsPage().goTo(section);
        });
    on(u"view.table"_s, [this] {
        for (Screen* screen : m_screens)
            screen->setTableTwin(m_actions[u"view.table"_s].isChecked());
    });
    on(u"view.find"_s, [this] { shown().find(); });
    on(u"view.fit"_s, [this] { shown().fitPlots(); });
    on(u"view.fullscreen"_s, [this] { fillScreen(m_actions[u"view.fullscreen"_s].isChecked()); });
    on(u"view.presenter"_s, [this] {
        const bool isOn = m_actions[u"view.presenter"_s].isChecked();
        fillScreen(isOn);
        m_lab->setPresenting(isOn);
        if (isOn) {
            Theme::instance().apply(ThemeKind::Light);
            Theme::instance().setFontPoints(presenterPoints);
        } else {
            m_settings.applyLook();
        }
    });
    on(u"view.reset"_s, [this] {
        if (Workspace* shown = workspace())
            shown->resetLayout();
        if (isShown(u"evolve"_s))
            m_evolve->inspector().divideAsUsual();
    });
}

void MainWindow::fillScreen(bool on)
{
    setWindowState(windowState().setFlag(Qt::WindowFullScreen, on));
    m_actions[u"view.fullscreen"_s].setChecked(on);
}

void MainWindow::connectCandidateActions()
{
    on(u"candidate.find"_s, [this] { openFinder(*this); });
    on(u"candidate.save"_s, [this] { m_programFile->askWhere(m_selection.current()); });
    on(u"candidate.export"_s, [this] { exportCandidate(m_selection.current()); });
    on(u"candidate.best"_s, [this] {
        const Candidate* best = m_session.run().best();
        if (!best)
            return;
        m_selection.select(best->id);
        showScreen(u"evolve"_s); // where a candidate is seen
    });
    on(u"candidate.parent"_s, [this] {
        const Candidate* current = m_session.run().candidate(m_selection.current());
        if (current && !current->parents.empty())
            m_selection.select(current->parents.front());
    });
    on(u"candidate.child"_s, [this] {
        if (const CandidateId child = childOf(m_session.run(), m_selection.current()))
            m_selection.select(child);
    });
    on(u"candidate.back"_s, [this] { m_selection.back(); });
    on(u"candidate.forward"_s, [this] { m_selection.forward(); });
    on(u"candidate.compare"_s, [this] {
        m_selection.hold();
        m_compare->add(m_selection.current());
        showScreen(u"compare"_s);
    });
    on(u"candidate.reference"_s, [this] {
        m_selection.hold();
        m_selection.setReference(m_selection.current());
    });
}

void MainWindow::exportCandidate(CandidateId candidate)
{
    auto* dialog = findChild<ExportDialog*>();
    if (!dialog)
        dialog = new ExportDialog(m_context, this);
    dialog->showFor(candidate);
}

bool MainWindow::isAtModels()
{
    return m_settingsScreen->isMade() && settingsPage().section() == SettingsSection::Models;
}

void MainWindow::undoHere()
{
    // Among the settings the key undoes what the program keeps, and nothing of the run.
    if (isShown(u"settings"_s)) {
        if (isAtModels() && m_models.canUndo()) {
            showHint(tr("Undone: %1.").arg(m_models.undoText()), {}, MessageBar::Mood::Info);
            m_models.undo();
        } else if (!m_undo->undoNewestOfProgram()) {
            reportNothingToUndoHere();
        }
        return;
    }
    const bool isInReview = isShown(u"review"_s);
    if (isInReview && m_review->leavePolicy())
        return (void)showHint(tr("The review policy is unchanged."), {}, MessageBar::Mood::Info);
    const std::vector<CandidateId> reopened = m_undo->undoNewest();
    if (isInReview)
        m_review->comeBackTo(reopened);
}

void MainWindow::redoHere()
{
    if (!isShown(u"settings"_s))
        m_undo->redo();
    else if (isAtModels() && m_models.canRedo())
        m_models.redo();
    else
        reportNothingToUndoHere();
}

void MainWindow::reportNothingToUndoHere()
{
    showHint(tr("There is nothing to undo on this page."),
        tr("%1 shows the undo history of the run")
            .arg(m_actions[u"run.history"_s].shortcut().toString(QKeySequence::NativeText)),
        MessageBar::Mood::Info);
}

void MainWindow::connectReviewActions()
{
    const auto tellBegun = [this](const std::vector<CandidateId>& begun) {
        QStringList names;
        for (const CandidateId each : begun)
            names << nameOfCandidate(each);
        if (!names.isEmpty())
            showHint(tr("Your unfinished edit of %1 is kept.").arg(names.join(u", "_s)),
                tr("E continues your edit; A again, on this candidate alone, approves it without your edit"),
                MessageBar::Mood::Info);
    };
    on(u"review.approve"_s, [this, tellBegun] { tellBegun(m_review->approve()); });
    on(u"review.edit"_s, [this] { m_review->edit(); });
    on(u"review.reject"_s, [this] { m_review->reject(); });
    on(u"review.defer"_s, [this] { m_review->defer(); });
    on(u"review.judge"_s, [this] { m_review->judge(); });
    on(u"review.quick"_s, [this] { m_review->look(); });
    on(u"review.undo"_s, [this] { undoHere(); });
    on(u"review.redo"_s, [this] { redoHere(); });
    on(u"review.approve-all"_s, [this, tellBegun] { tellBegun(m_review->approveAll()); });
    on(u"review.automatic"_s, [this] {
        showScreen(u"review"_s);
        m_review->wantPolicy(ReviewPolicy::Automatic);
    });
    on(u"review.next"_s, [this] { m_review->goTo(1); });
    on(u"review.previous"_s, [this] { m_review->goTo(-1); });
    on(u"review.choose-next"_s, [this] { m_review->extend(1); });
    on(u"review.choose-previous"_s, [this] { m_review->extend(-1); });
    on(u"review.choose-all"_s, [this] { m_review->chooseAll(); });
    on(u"review.next-change"_s, [this] { m_review->goToChange(1); });
    on(u"review.previous-change"_s, [this] { m_review->goToChange(-1); });
}

void MainWindow::connectHelpActions()
{
    const auto showDocumentation = [this](const DocumentationPlace& place) {
        showPage<DocumentationPage>([this] { return new DocumentationPage(this); });
        findChild<DocumentationPage*>()->open(place);
    };
    connect(m_lab, &LabPage::demoWanted, this, &MainWindow::openDemo);
    connect(m_lab, &LabPage::pageWanted, this, [showDocumentation](const QString& page) {
        showDocumentation({page, {}});
    });
    on(u"help.docs"_s, [showDocumentation] { showDocumentation({u"getting-started.md"_s, {}}); });
    on(u"help.what"_s, [this, showDocumentation] {
        const QWidget* pointedAt = QApplication::widgetAt(QCursor::pos());
        auto place = explanationOf(pointedAt);
        if (!place)
            place = explanationOf(focusWidget());
        if (place)
            showDocumentation(*place);
        else
            showHint(tr("There is no documentation for this part yet."), tr("point at a figure, a plot or a table"),
                MessageBar::Mood::Info);
    });
    on(u"help.tour"_s, [this] {
        if (!m_tour)
            m_tour = new Tour(m_settings, *this);
        m_tour->begin();
    });
    on(u"help.shortcuts"_s, [this] { showPage<ShortcutPage>([this] { return new ShortcutPage(m_actions, this); }); });
    on(u"help.message"_s, [this] { m_messages->takeFocus(); });
    on(u"help.messages"_s, [this] { showPage<MessageLogPage>([this] { return new MessageLogPage(m_said, this); }); });
    on(u"help.about"_s, [this] {
        auto* box = new QMessageBox(QMessageBox::NoIcon, tr("About Tilewright"),
            tr("Tilewright %1\n\nLanguage models evolve compute kernels; an engineer steers.\nGPL-3.0-or-later")
                .arg(QStringLiteral(TILEWRIGHT_VERSION)),
            QMessageBox::Close, this);
        box->setAttribute(Qt::WA_DeleteOnClose);
        box->open();
    });
}

} // namespace tilewright::ui
