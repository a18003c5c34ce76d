// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/main_window.h"

#include "ui/compare/compare_page.h"
#include "ui/devices/devices_page.h"
#include "ui/docks/layouts_menu.h"
#include "ui/evolve/candidate_table.h"
#include "ui/evolve/evolve_page.h"
#include "ui/evolve/records_panel.h"
#include "ui/exporting/git_lineage.h"
#include "ui/lab/lab_page.h"
#include "ui/models/display_text.h"
#include "ui/prompts/prompts_page.h"
#include "ui/prompts/templates_page.h"
#include "ui/review/proposal_editor.h"
#include "ui/review/review_page.h"
#include "ui/settings/models_page.h"
#include "ui/settings/settings_page.h"
#include "ui/settings/settings_screen.h"
#include "ui/shell/actions.h"
#include "ui/shell/budget_editor.h"
#include "ui/shell/proposer_editor.h"
#include "ui/shell/run_bar.h"
#include "ui/shell/run_control.h"
#include "ui/shell/screens.h"
#include "ui/shell/session_files.h"
#include "ui/shell/session_messages.h"
#include "ui/shell/status_line.h"
#include "ui/shell/undo_controller.h"
#include "ui/theme/rescale.h"
#include "ui/theme/theme.h"
#include "ui/welcome/new_session_page.h"
#include "ui/widgets/pane.h"
#include "ui/widgets/room.h"

#include <QCloseEvent>
#include <QFileInfo>
#include <QMenu>
#include <QMenuBar>
#include <QScreen>
#include <QScrollArea>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {
const QString ownLayout = u"window"_s; ///< among those of the modes: place and size of the window itself
} // namespace

MainWindow::MainWindow(EngineClient& client, Settings& settings)
    : m_settings(settings)
    , m_session(client)
    , m_drafts(m_session, settings.draftsFolder())
    , m_models(settings.modelsFile())
    , m_context{m_session, m_selection, m_actions, m_settings, m_drafts}
{
    StyleSheetPause unstyled;
    setObjectName(u"mainWindow"_s);
    setWindowIcon(icon(u"logo"_s, Tint::Accent));
    ui::addActions(m_actions);
    for (QAction* action : m_actions.all())
        addAction(action); // shortcuts work without the menu, too
    m_runBar = new RunBar(m_context, this);
    m_messages = new MessageBar(this);
    m_undo = new UndoController(m_context, *m_messages, this);
    m_runControl = new RunControl(m_context, *m_undo, *m_messages, this);
    connect(m_messages, &MessageBar::said, this,
        [this](MessageBar::Mood mood, const QString& text) { m_said.add(mood, text, QDateTime::currentDateTime()); });
    m_modes = new QStackedWidget(this);
    m_files = new SessionFiles(m_session, m_settings, this);
    m_programFile = new ProgramFile(m_session, this);
    m_gitLineage = new GitLineage(m_session, m_settings, this);
    m_told = new SessionMessages(m_session, m_drafts, *m_messages, this);
    makeScreens();
    m_yielding = new GivingWay(*m_files, m_session, *m_messages, *m_welcome, this);

    auto* frame = new QWidget(this);
    auto* rows = new QVBoxLayout(frame);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(0);
    auto* middle = new QHBoxLayout;
    middle->setSpacing(0);
    auto* side = new QVBoxLayout;
    side->setSpacing(0);
    side->addWidget(m_modes, 1);
    m_modeBar = new ModeBar(m_actions, this);
    middle->addWidget(m_modeBar);
    middle->addLayout(side, 1);
    rows->addWidget(m_runBar);
    rows->addLayout(middle, 1);
    m_status = new StatusLine(m_context, m_said, this);
    rows->addWidget(m_status);
    setCentralWidget(frame);
    frame->setFocusPolicy(Qt::ClickFocus); // nothing has the ring until a user uses the keyboard
    frame->setFocus();
    addMenuRow();
    connectActions();
    connectPages();
    connectReference();
    connectFiles();
    connectGitLineage();
    connectNews();
    connectEngine();
    fillRecent();
    resize(px(1440), px(900));
    markTheme();
    showScreen(u"welcome"_s);
    refresh();
    for (const LatePage* page : m_modes->findChildren<LatePage*>())
        if (!page->isMade())
            unstyled.postpone(*page);
}

void MainWindow::addMenuRow()
{
    auto* row = new QFrame(this);
    row->setObjectName(u"menuRow"_s);
    row->setFixedHeight(px(26));
    auto* bar = new QMenuBar(row);
    auto* places = new QHBoxLayout(row);
    places->setContentsMargins(0, 0, 0, 0);
    places->setSpacing(px(12));
    places->addWidget(bar);
    places->addWidget(m_messages, 1);
    places->addStretch(); // where nothing is said
    auto* layouts = new LayoutsMenu([this] { return workspace(); }, m_settings, this);
    m_recent = fillMenus(*bar, m_actions, new PanesMenu([this] { return workspace(); }, this), layouts);
    setMenuWidget(row);
}

MainWindow::~MainWindow() = default;

void MainWindow::makeScreens()
{
    const auto keep = [this]<class Page>(Page*& page, Screen* screen) {
        if (auto* found = dynamic_cast<Page*>(screen))
            page = found;
    };
    for (const ScreenEntry& entry : screens()) {
        Screen* screen = entry.make(*this);
        m_screens.push_back(screen);
        auto* area = dynamic_cast<LatePage*>(screen);
        m_modes->addWidget(area ? area : scrolled(&screen->asWidget(), m_modes));
        screen->bring = [this, id = entry.id] { showScreen(id); };
        screen->stateChanged = [this] {
            enableActions();
            tellView();
        };
        keep(m_welcome, screen);
        keep(m_evolve, screen);
        keep(m_review, screen);
        keep(m_prompts, screen);
        keep(m_devices, screen);
        keep(m_compare, screen);
        keep(m_lab, screen);
        keep(m_settingsScreen, screen);
    }
}

Screen& MainWindow::shown() { return *m_screens[static_cast<std::size_t>(m_modes->currentIndex())]; }

bool MainWindow::isShown(const QString& id) const
{
    return screens()[static_cast<std::size_t>(m_modes->currentIndex())].id == id;
}

Workspace* MainWindow::workspace() { return shown().docks(); }

void MainWindow::addFinderPlaces(std::vector<FinderPlace>& places)
{
    for (Screen* screen : m_screens)
        screen->addFinderPlaces(places);
}

void MainWindow::openFile(const QString& path) { m_files->open(path); }

void MainWindow::openDemo(const QString& name) { m_files->openDemo(name); }

void MainWindow::setLoading(bool loading)
{
    for (Screen* screen : m_screens)
        screen->setLoading(loading);
}

quint64 MainWindow::showHint(const QString& text, const QString& hint, MessageBar::Mood mood)
{
    return m_messages->show(mood, text, hint);
}

void MainWindow::offerBack(const QString& said, const QString& order, const std::function<void()>& back)
{
    m_offered = m_undo->add({order, back, {}, {}, false, true});
    const QString keys = m_actions[u"review.undo"_s].shortcut().toString(QKeySequence::NativeText);
    m_offerMessage = m_messages->show(MessageBar::Mood::Info, said, tr("%1 undoes it").arg(keys));
    m_messages->offer(m_offerMessage, tr("Undo"), [this, entry = m_offered] { m_undo->undo(entry); });
}

void MainWindow::offerDraftBack(const QString& place, const QString& text)
{
    const QString words = wordsOfDraft(place, m_session.run());
    offerBack(tr("Draft discarded: %1.").arg(words), tr("Discarded %1").arg(words), [this, place, text] {
        if (TemplatesPage::isPlaceOfDraft(place)) {
            showScreen(u"prompts"_s);
            m_prompts->show(PromptsPage::Templates);
            return m_prompts->templates().takeBack(place, text);
        }
        m_drafts.keep(place, text);
        if (place.startsWith(editDraft + u'/')) {
            showScreen(u"review"_s);
            m_review->choose(candidateFromName(place.section(u'/', 1, 1).toStdString()));
            m_review->edit();
        }
    });
}

void MainWindow::refresh()
{
    const Snapshot& snapshot = m_session.snapshot();
    const EngineStatus& status = snapshot.status;
    const bool reviewIsSeen = isShown(u"review"_s);
    m_told->follow(reviewIsSeen ? SessionMessages::Review::Seen : SessionMessages::Review::Hidden);
    m_runNews->follow();
    const QString title = status.sessionOpen ? QFileInfo(text(status.sessionPath)).fileName() : tr("New session");
    followBest();
    for (std::size_t i = 0; i < m_screens.size(); ++i)
        m_modeBar->setCount(actionOf(screens()[i]), m_screens[i]->badge());
    setWindowTitle(u"%1 — Tilewright"_s.arg(title));
    enableActions();
}

void MainWindow::followBest()
{
    const RunState& run = m_session.run();
    if (run.candidates.empty())
        return;
    const Candidate* best = run.best();
    m_selection.follow(best ? best->id : run.candidates[0].id);
}

void MainWindow::tellView() { m_status->setView(m_session.isOpen() ? shown().statusText() : QString()); }

void MainWindow::enableActions()
{
    ui::enableActions(m_context, shown(), isShown(u"review"_s) && m_review->isEditing(), *m_undo);
    for (Screen* screen : m_screens)
        screen->enableActions(screen == &shown());
}

void MainWindow::showScreen(const QString& id)
{
    const auto found = std::ranges::find(screens(), id, &ScreenEntry::id);
    if (found == screens().end())
        return;
    const int index = static_cast<int>(found - screens().begin()), before = m_modes->currentIndex();
    if (id == u"welcome"_s && index != before)
        m_beforeWelcome = screens()[static_cast<std::size_t>(before)].id;
    QWidget* focused = focusWidget();
    if (index != before && focused && m_modes->isAncestorOf(focused)) {
        m_writingIn[before] = focused->testAttribute(Qt::WA_InputMethodEnabled) ? focused : nullptr;
        centralWidget()->setFocus(); // not handed on to whatever comes first on the page that is shown
    }
    m_modes->setCurrentIndex(index);
    if (QWidget* text = m_writingIn[index]; index != before && text && text->isVisible() && centralWidget()->hasFocus())
        text->setFocus(); // who was writing there goes on
    m_actions[actionOf(*found)].setChecked(true);
    m_runBar->setWelcomeShown(id == u"welcome"_s);
    enableActions();
    tellView();
    if (id == u"review"_s)
        m_told->reviewShown();
}

void MainWindow::goOn(const std::function<void()>& order)
{
    if (usedUpBudget(m_session.snapshot()).isEmpty())
        order();
    else
        editBudget(m_runBar->budgetPlace());
}

void MainWindow::editBudget(QWidget* near)
{
    if (!m_session.isOpen() || m_session.snapshot().status.readOnly)
        return;
    auto* editor = new BudgetEditor(m_session.snapshot(), this);
    connect(&m_session, &SessionClient::changed, editor, [this, editor] { editor->follow(m_session.snapshot()); });
    connect(editor, &BudgetEditor::accepted, this, [this](const Budget& budget, bool thenRun) {
        if (thenRun && !m_session.snapshot().status.elsewhere.empty())
            return; // a budget for a run that cannot go on here is not recorded
        if (budget != m_session.run().settings.budget)
            m_session.execute(commands::SetBudget{budget});
        if (thenRun)
            m_runControl->goOn();
    });
    editor->move(near->mapToGlobal(QPoint(0, near->height() + px(2))));
    editor->show();
}

void MainWindow::editProposer() { ProposerEditor::present(m_session, *m_modes); }

void MainWindow::fillRecent()
{
    m_recent->clear();
    for (const QString& path : m_settings.recentFiles()) {
        QAction* action = m_recent->addAction(QFileInfo(path).fileName());
        action->setToolTip(path);
        connect(action, &QAction::triggered, this, [this, path] { openFile(path); });
    }
    m_recent->setEnabled(!m_recent->isEmpty());
}

void MainWindow::markTheme()
{
    // The command line may ask for another one than is kept.
    const ThemeKind shown = Theme::instance().kind();
    const bool isDesktops = !m_settings.chosenTheme() && shown == m_settings.theme();
    m_actions[isDesktops ? u"view.system"_s : u"view.%1"_s.arg(nameOf(shown))].setChecked(true);
}

ModelsPage& MainWindow::modelsPage() { return settingsPage().models(); }

void MainWindow::showWhereLeft()
{
    if (!restoreGeometry(m_settings.layout(ownLayout)))
        resize(openingSize(size(), screen()->availableSize()));
    show();
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    for (Screen* screen : m_screens)
        if (Workspace* docks = screen->docks())
            docks->saveLayout();
    m_settings.setLayout(ownLayout, saveGeometry());
    // A second request while the engine is still writing leaves at once: what was recorded is in the file already.
    if (!m_session.isOpen() || m_engineClosed || m_leaving) {
        event->accept();
        return;
    }
    event->ignore();
    if (m_files->isAsking())
        return;
    const auto leave = [this] {
        m_engineClosed = true;
        close();
    };
    m_files->afterClosing(leave, [this] {
        m_leaving = false;
        m_messages->clearProposer(m_leavingMessage);
    });
    if (m_files->isAsking())
        return;
    m_leaving = true;
    m_leavingMessage = m_messages->show(MessageBar::Mood::Info, tr("Writing the session…"), {});
}

} // namespace tilewright::ui
