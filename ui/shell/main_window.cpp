// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/main_window.h"

#include "core/model/review_queue.h"
#include "ui/devices/devices_page.h"
#include "ui/docks/layouts_menu.h"
#include "ui/evolve/candidate_inspector.h"
#include "ui/evolve/candidate_table.h"
#include "ui/evolve/evolve_page.h"
#include "ui/evolve/island_levers.h"
#include "ui/evolve/records_panel.h"
#include "ui/models/figures.h"
#include "ui/models/format.h"
#include "ui/prompts/prompts_page.h"
#include "ui/prompts/templates_page.h"
#include "ui/review/review_page.h"
#include "ui/settings/models_page.h"
#include "ui/settings/settings_page.h"
#include "ui/shell/action_states.h"
#include "ui/shell/actions.h"
#include "ui/shell/budget_editor.h"
#include "ui/shell/finder_places.h"
#include "ui/shell/giving_way.h"
#include "ui/shell/kept_work.h"
#include "ui/shell/lock_watch.h"
#include "ui/shell/mode_bar.h"
#include "ui/shell/proposer_editor.h"
#include "ui/shell/run_bar.h"
#include "ui/shell/session_files.h"
#include "ui/shell/shortcut_page.h"
#include "ui/shell/status_line.h"
#include "ui/shell/take_back_page.h"
#include "ui/shell/view_words.h"
#include "ui/theme/icons.h"
#include "ui/theme/style_sheet_pause.h"
#include "ui/theme/theme.h"
#include "ui/welcome/device_picker.h"
#include "ui/welcome/earlier_session.h"
#include "ui/welcome/new_session_page.h"
#include "ui/widgets/pane.h"
#include "ui/widgets/sentence.h"

#include <QCloseEvent>
#include <QDir>
#include <QDockWidget>
#include <QFileInfo>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QScrollArea>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <utility>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {
// In the order of the mode bar.
const QStringList modeActions{
    u"mode.welcome"_s, u"mode.evolve"_s, u"mode.review"_s, u"mode.prompts"_s, u"mode.devices"_s, u"mode.settings"_s};
} // namespace

MainWindow::MainWindow(EngineDoor& door, Settings& settings)
    : m_settings(settings)
    , m_session(door)
    , m_drafts(m_session, settings.draftsFolder())
    , m_settingUndo(m_session)
    , m_models(settings.modelsFile())
    , m_desk{m_session, m_selection, m_actions, m_settings, m_drafts}
{
    const StyleSheetPause unstyled;
    setObjectName(u"mainWindow"_s);
    setWindowIcon(icon(u"logo"_s, Tint::Accent));
    ui::addActions(m_actions);
    for (QAction* action : m_actions.all())
        addAction(action); // shortcuts work without the menu, too
    m_runBar = new RunBar(m_desk, this);
    m_messages = new MessageBar(this);
    connect(m_messages, &MessageBar::said, this,
        [this](MessageBar::Mood mood, const QString& text) { m_said.add(mood, text, QDateTime::currentDateTime()); });
    m_modes = new QStackedWidget(this);
    m_files = new SessionFiles(m_session, m_settings, this);
    m_lock = new LockWatch(this);
    connect(m_lock, &LockWatch::freed, this, &MainWindow::offerFreed);
    m_welcome = new NewSessionPage(m_desk, m_models, this);
    m_givingWay = new GivingWay(*m_files, m_session, *m_messages, *m_welcome, this);
    m_evolve = new EvolvePage(m_desk, this);
    m_prompts = new PromptsPage(m_desk, this);
    m_review = new ReviewPage(m_desk, this);
    m_devices = new DevicesPage(m_desk, this);
    m_settingsPage = new SettingsPage(m_settings, m_models, m_actions, this);
    for (QWidget* page :
        std::initializer_list<QWidget*>{m_welcome, m_evolve, m_review, m_prompts, m_devices, m_settingsPage})
        m_modes->addWidget(scrolled(page, m_modes));

    auto* frame = new QWidget(this);
    auto* rows = new QVBoxLayout(frame);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(0);
    auto* middle = new QHBoxLayout;
    middle->setSpacing(0);
    auto* side = new QVBoxLayout;
    side->setSpacing(0);
    side->addWidget(m_modes, 1);
    m_modeBar = new ModeBar(m_actions, modeActions, this);
    middle->addWidget(m_modeBar);
    middle->addLayout(side, 1);
    rows->addWidget(m_runBar);
    rows->addLayout(middle, 1);
    m_status = new StatusLine(m_desk, m_said, this);
    rows->addWidget(m_status);
    setCentralWidget(frame);
    frame->setFocusPolicy(Qt::ClickFocus); // nothing has the ring until a person uses the keyboard
    frame->setFocus();
    addMenuRow();
    connectActions();
    connectFiles();
    connectEngine();
    fillRecent();
    resize(px(1440), px(900));
    markTheme();
    showMode(Mode::Welcome);
    refresh();
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

Workspace* MainWindow::workspaceOf(Mode mode)
{
    switch (mode) {
    case Mode::Evolve:
        return m_evolve;
    case Mode::Review:
        return &m_review->workspace();
    case Mode::Prompts:
        return &m_prompts->workspace();
    case Mode::Devices:
        return &m_devices->workspace();
    case Mode::Welcome:
    case Mode::Settings:
        break;
    }
    return nullptr;
}

Workspace* MainWindow::workspace() { return workspaceOf(static_cast<Mode>(m_modes->currentIndex())); }

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
    EngineDoor& door = m_session.door();
    on(u"file.new"_s, [this] {
        m_welcome->showChoices(); // a kernel of one's own may stand in their place; it stays as it is
        m_welcome->tasks().search(); // packs may have come, gone or changed since
        showMode(Mode::Welcome);
    });
    on(u"file.open"_s, [this] { m_files->askWhatToOpen(); });
    on(u"file.demo"_s, [this] { openDemo(u"gemm-cpu"_s); });
    on(u"file.gpuDemo"_s, [this] { openDemo(u"gemm-h200"_s); });
    on(u"file.copy"_s, [this] { m_files->askForCopy(); });
    on(u"file.close"_s, [this] {
        m_files->afterClosing([this] {
            showMode(Mode::Welcome);
            m_givingWay->offerBack();
        });
    });
    on(u"file.quit"_s, [this] { close(); });
    on(u"run.run"_s, [this] { run(); });
    on(u"run.pause"_s, [&door] { door.pause(); });
    on(u"run.pause-cancel"_s, [&door] { door.pauseAndCancel(); });
    on(u"run.step"_s, [&door] { door.step(); });
    on(u"run.step-islands"_s, [&door] { door.stepIslands(); });
    on(u"run.stop"_s, [&door] { door.stop(); });
    on(u"run.budget"_s, [this] { editBudget(m_runBar->budgetPlace()); });
    on(u"run.proposer"_s, [this] { editProposer(); });
    on(u"session.start"_s, [this] { m_welcome->start(true); });
    on(u"mode.welcome"_s, [this] { showMode(Mode::Welcome); });
    on(u"mode.evolve"_s, [this] { showMode(Mode::Evolve); });
    on(u"mode.review"_s, [this] { showMode(Mode::Review); });
    on(u"mode.prompts"_s, [this] { showMode(Mode::Prompts); });
    on(u"mode.devices"_s, [this] { showMode(Mode::Devices); });
    on(u"mode.settings"_s, [this] { showMode(Mode::Settings); });
    for (const ThemeKind kind : {ThemeKind::Light, ThemeKind::Dark, ThemeKind::Contrast})
        on(u"view.%1"_s.arg(nameOf(kind)), [this, kind] { m_settings.setTheme(kind); });
    on(u"view.system"_s, [this] { m_settings.setTheme(std::nullopt); });
    connect(&m_settings, &Settings::lookChanged, this, &MainWindow::markTheme);
    for (const SettingsSection section : settingsSections)
        on(actionOf(section), [this, section] {
            showMode(Mode::Settings);
            m_settingsPage->goTo(section);
        });
    const DevicePicker& devices = m_welcome->devices();
    connect(&devices, &DevicePicker::changed, this,
        [this, &devices] { m_settingsPage->showGpus(devices.gpus(), devices.whyNoGpu()); });
    on(u"view.table"_s, [this] {
        m_evolve->setTableTwin(m_actions[u"view.table"_s].isChecked());
        m_devices->setTableTwin(m_actions[u"view.table"_s].isChecked());
    });
    on(u"view.find"_s, [this] {
        if (m_modes->currentIndex() == static_cast<int>(Mode::Review))
            m_review->find();
        else if (m_modes->currentIndex() == static_cast<int>(Mode::Evolve))
            m_evolve->inspector().find();
    });
    on(u"view.fit"_s, [this] {
        if (m_modes->currentIndex() == static_cast<int>(Mode::Devices))
            m_devices->fitPlots();
        else
            m_evolve->fitPlots();
    });
    on(u"view.reset"_s, [this] {
        if (Workspace* shown = workspace())
            shown->resetLayout();
    });
    on(u"candidate.find"_s, [this] { openFinder(*this); });
    on(u"candidate.best"_s, [this] {
        const Candidate* best = m_session.run().best();
        if (!best)
            return;
        m_selection.select(best->id);
        showMode(Mode::Evolve); // where a candidate is seen
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
    on(u"candidate.reference"_s, [this] { m_selection.setReference(m_selection.current()); });
    connect(
        &m_evolve->records(), &RecordsPanel::reviewOpened, this, [this](CandidateId candidate, const QString& action) {
            showMode(Mode::Review);
            m_review->choose(candidate);
            if (action == u"review.edit"_s)
                m_review->edit();
            else if (action == u"review.reject"_s)
                m_review->reject();
        });
    on(u"review.approve"_s, [this] { m_review->approve(); });
    on(u"review.edit"_s, [this] { m_review->edit(); });
    on(u"review.reject"_s, [this] { m_review->reject(); });
    on(u"review.defer"_s, [this] { m_review->defer(); });
    on(u"review.judge"_s, [this] { m_review->judge(); });
    on(u"review.quick"_s, [this] { m_review->look(); });
    on(u"review.undo"_s, [this] {
        if (m_modes->currentIndex() == static_cast<int>(Mode::Evolve))
            m_session.door().orderIslands(orders::UndoOrder{});
        else
            m_review->undo();
    });
    on(u"review.next"_s, [this] { m_review->goTo(1); });
    on(u"review.previous"_s, [this] { m_review->goTo(-1); });
    on(u"review.choose-next"_s, [this] { m_review->extend(1); });
    on(u"review.choose-previous"_s, [this] { m_review->extend(-1); });
    on(u"review.choose-all"_s, [this] { m_review->chooseAll(); });
    on(u"review.next-change"_s, [this] { m_review->goToChange(1); });
    on(u"review.previous-change"_s, [this] { m_review->goToChange(-1); });
    connect(m_review, &ReviewPage::changed, this, [this] {
        enableActions();
        tellView();
    });
    connect(&m_evolve->records().candidates(), &CandidateTable::countsChanged, this, [this] { tellView(); });
    connect(&m_prompts->templates(), &TemplatesPage::chosenChanged, this, [this] { tellView(); });
    on(u"help.shortcuts"_s, [this] { showPage<ShortcutPage>([this] { return new ShortcutPage(m_actions, this); }); });
    on(u"help.message"_s, [this] { m_messages->takeFocus(); });
    on(u"help.messages"_s, [this] { showPage<MessageLogPage>([this] { return new MessageLogPage(m_said, this); }); });
    on(u"run.hints"_s, [levers = new IslandLevers(m_desk, m_modes)] { levers->hint({}); });
    on(u"run.undo"_s, [this] { m_settingUndo.undo(); });
    on(u"run.history"_s,
        [this] { showPage<TakeBackPage>([this] { return new TakeBackPage(m_desk, m_settingUndo, this); }); });
    connect(&m_settingUndo, &SettingUndo::changed, this, [this] {
        enableActions();
        if (!m_settingUndo.has(m_offered))
            m_messages->dismiss(m_offerMessage); // what it offers was done with the keys
    });
    on(u"help.about"_s, [this] {
        auto* box = new QMessageBox(QMessageBox::NoIcon, tr("About Tilewright"),
            tr("Tilewright %1\n\nLanguage models evolve compute kernels; an engineer steers.\nGPL-3.0-or-later")
                .arg(QStringLiteral(TILEWRIGHT_VERSION)),
            QMessageBox::Close, this);
        box->setAttribute(Qt::WA_DeleteOnClose);
        box->open();
    });
    connect(&m_selection, &SelectionContext::historyChanged, this, [this] { enableActions(); });
    connect(&m_selection, &SelectionContext::referenceChanged, this, [this] { enableActions(); });
    connect(m_runBar, &RunBar::budgetRequested, this, [this](QWidget* near) { editBudget(near); });
    connect(m_welcome, &NewSessionPage::openRequested, this, [this](const QString& path) { openFile(path); });
    connect(m_welcome, &NewSessionPage::cancelled, this, [this] {
        if (m_session.isOpen())
            showMode(Mode::Evolve);
    });
    connect(m_welcome, &NewSessionPage::failed, this,
        [this](const QString& text, const QString& hint) { showHint(text, hint, MessageBar::Mood::Error); });
    connect(m_welcome, &NewSessionPage::earlierSeen, m_evolve, &EvolvePage::setEarlier);
    connect(m_welcome, &NewSessionPage::earlierSeen, m_review, &ReviewPage::setEarlier);
    connect(m_welcome, &NewSessionPage::created, this, [this](const NewSession& session) {
        m_files->takePlace(session.path, [this, session] {
            QDir().mkpath(QFileInfo(session.path).path());
            m_session.door().create(session);
        });
    });
    connect(&m_settings, &Settings::recentFilesChanged, this, [this] { fillRecent(); });
    connect(&m_settings, &Settings::forgotten, this, &MainWindow::offerBack);
    connect(&m_models, &ModelsBook::changed, this, [this] {
        if (m_models.clash().isEmpty())
            m_messages->dismiss(std::exchange(m_clashMessage, 0)); // it was chosen, or mended
    });
    connect(&m_models, &ModelsBook::changedOutside, this, [this](const QString& words, const QString& hint) {
        m_messages->dismiss(std::exchange(m_clashMessage, 0));
        const quint64 message = m_messages->show(MessageBar::Mood::Warning, words, hint);
        m_messages->offer(message, tr("Show"), [this] { m_actions[u"settings.models"_s].trigger(); });
        if (!m_models.clash().isEmpty())
            m_clashMessage = message;
    });
}

void MainWindow::openFile(const QString& path) { m_files->open(path); }

void MainWindow::openDemo(const QString& name) { m_files->openDemo(name); }

void MainWindow::connectFiles()
{
    connect(m_files, &SessionFiles::alreadyOpen, this, [this] { showMode(Mode::Evolve); });
    connect(m_files, &SessionFiles::failed, this,
        [this](const QString& text, const QString& hint) { showHint(text, hint, MessageBar::Mood::Error); });
    connect(m_files, &SessionFiles::openingTakesLong, this, [this](const QString& path) {
        m_evolve->setLoading(true);
        m_devices->setLoading(true);
        m_openingMessage = showHint(tr("Opening %1…").arg(path), {}, MessageBar::Mood::Info);
    });
    connect(m_files, &SessionFiles::openingShown, this, [this] {
        m_evolve->setLoading(false);
        m_devices->setLoading(false);
        m_messages->dismiss(m_openingMessage);
    });
}

void MainWindow::connectEngine()
{
    connect(&m_session, &Session::changed, this, [this] {
        refresh();
        tellView();
    });
    connect(&m_session, &Session::replaced, this, [this] {
        const std::string path = m_session.snapshot().status.sessionPath; // empty: none is open
        if (!path.empty() && std::exchange(m_shownPath, path) == path)
            return sayWhatIsKept(); // the same was read to its end
        m_shownPath = path;
        m_selection.clear();
        m_followed = {};
        m_shownTrouble.clear();
        m_shownElsewhere.clear();
        m_shownRecovery.clear();
        m_shownWaiting.clear();
        if (!m_session.isOpen())
            return;
        m_messages->clear(); // what was said of the one before
        m_files->openingEnded();
        m_settings.addRecentFile(text(m_session.snapshot().status.sessionPath));
        showMode(Mode::Evolve);
        sayWhatIsKept();
        m_givingWay->offerBack();
    });
    connect(&m_drafts, &Drafts::failed, this,
        [this](const QString& text, const QString& hint) { showHint(text, hint, MessageBar::Mood::Error); });
    connect(
        &m_session.door(), &EngineDoor::failed, this, [this](const QString&, const QString& text, const QString& hint) {
            m_files->openingEnded();
            if (!m_session.isOpen())
                m_givingWay->offerBack(); // what was to take its place did not come
            m_failures[text.toStdString()] = showHint(text, hint, MessageBar::Mood::Error);
        });
    connect(&m_session.door(), &EngineDoor::copied, this, [this](const QString& path) {
        m_messages->show(MessageBar::Mood::Info, tr("A copy was written to %1.").arg(path), {});
    });
}

quint64 MainWindow::showHint(const QString& text, const QString& hint, MessageBar::Mood mood)
{
    return m_messages->show(mood, text, hint);
}

void MainWindow::offerBack(const QString& words, const std::function<void()>& back)
{
    m_offered = m_settingUndo.add(words, back);
    const QString keys = m_actions[u"run.undo"_s].shortcut().toString(QKeySequence::NativeText);
    m_offerMessage = m_messages->show(MessageBar::Mood::Info, words, tr("%1 takes it back").arg(keys));
    m_messages->offer(m_offerMessage, tr("Undo"), [this, number = m_offered] { m_settingUndo.undo(number); });
}

void MainWindow::refresh()
{
    const Snapshot& snapshot = m_session.snapshot();
    const EngineStatus& status = snapshot.status;
    if (status.trouble != m_shownTrouble) {
        if (const auto told = m_failures.find(m_shownTrouble); told != m_failures.end()) {
            m_messages->dismiss(told->second); // it was told when it came, and is over
            m_failures.erase(told);
        }
        m_shownTrouble = status.trouble;
        m_messages->dismiss(m_troubleMessage);
        const bool isLocked = status.readOnly && status.troubleCode == "session/locked";
        m_lock->watch(isLocked ? text(status.sessionPath) : QString());
        if (isLocked)
            m_troubleMessage = showHint(text(status.trouble),
                tr("it is shown as it was when it was opened, and cannot be changed from here; close it there to go "
                   "on"),
                MessageBar::Mood::Warning);
        else if (!status.trouble.empty() && status.trouble != status.elsewhere)
            m_troubleMessage = showHint(text(status.trouble), text(status.troubleHint), MessageBar::Mood::Warning);
    }
    if (status.troubleCode == "machine/busy" && status.waitingCode == status.troubleCode)
        m_messages->restate(m_troubleMessage, asSentence(text(status.waiting)), text(status.troubleHint)); // each try
    if (status.recovered != m_shownRecovery) {
        m_shownRecovery = status.recovered;
        if (!status.recovered.empty())
            m_messages->show(MessageBar::Mood::Info, text(status.recovered), {});
    }
    sayWhereItWasMeasured();
    sayWhatWaits();
    const QString title = status.sessionOpen ? QFileInfo(text(status.sessionPath)).fileName() : tr("New session");
    followBest();
    m_modeBar->setCount(u"mode.review"_s, static_cast<int>(snapshot.run.waitingReviews));
    m_modeBar->setCount(u"mode.prompts"_s, status.answersByHand ? static_cast<int>(status.openInquiries.size()) : 0);
    setWindowTitle(u"%1 — Tilewright"_s.arg(title));
    enableActions();
}

/// It is not taken without a word: the other program may be one of several that write it in turn.
void MainWindow::offerFreed(const QString& path)
{
    m_messages->dismiss(m_troubleMessage);
    m_troubleMessage = showHint(tr("The other program has closed this session."),
        tr("it is shown as it was when it was opened here"), MessageBar::Mood::Info);
    m_messages->offer(m_troubleMessage, tr("Take it over"),
        [this, path] { m_files->takePlace(path, [this, path] { m_session.door().open(path); }); });
}

void MainWindow::sayWhereItWasMeasured()
{
    const Snapshot& snapshot = m_session.snapshot();
    const std::string& elsewhere = snapshot.status.elsewhere;
    if (elsewhere == m_shownElsewhere)
        return;
    m_shownElsewhere = elsewhere;
    m_messages->dismiss(m_elsewhereMessage);
    if (elsewhere.empty() || !snapshot.pack)
        return;
    const QString words = asSentence(text(elsewhere));
    if (!canReplayHere(snapshot)) {
        m_elsewhereMessage
            = showHint(words, tr("everything in it can be looked at and exported"), MessageBar::Mood::Info);
        return;
    }
    m_elsewhereMessage = showHint(
        words, tr("its programs can be measured anew here, in a session of their own"), MessageBar::Mood::Info);
    m_messages->offer(m_elsewhereMessage, tr("Replay it here…"), [this] {
        const Snapshot& open = m_session.snapshot();
        if (!open.pack)
            return;
        m_welcome->startReplay(earlierSessionOf(open.run, open.pack->task), text(open.status.sessionPath));
        showMode(Mode::Welcome);
    });
}

void MainWindow::sayWhatWaits()
{
    const Snapshot& snapshot = m_session.snapshot();
    const bool isNew = snapshot.status.waitingCode != m_shownWaiting;
    m_shownWaiting = snapshot.status.waitingCode;
    const bool isSeen = m_modes->currentIndex() == static_cast<int>(Mode::Review); // what it says stands there
    if (m_shownWaiting != "reviews" || snapshot.run.waitingReviews == 0 || isSeen)
        return m_messages->dismiss(m_waitingMessage);
    // Some are decided, and islands go on; or there is an end to it.
    const QString words = (everyIslandWaits(snapshot.run) ? tr("No island goes on before you decide: %1 in Review.")
                                                          : tr("Nothing else is left to do: %1 in Review."))
                              .arg(counted(snapshot.run.waitingReviews, tr("%1 candidate waits for your word"),
                                  tr("%1 candidates wait for your word")));
    const QString hint = tr("Ctrl+3 shows them; the policy there says what waits");
    if (isNew)
        m_waitingMessage = showHint(words, hint, MessageBar::Mood::Info);
    else // one that was put away does not come back for a smaller number
        m_messages->restate(m_waitingMessage, words, hint);
}

void MainWindow::sayWhatIsKept()
{
    const QStringList kept = keptWork(m_drafts, m_session.run());
    if (!kept.isEmpty())
        showHint(tr("What you had begun in this session is still there, not saved: %1.").arg(kept.join(u", "_s)), {},
            MessageBar::Mood::Info);
}

void MainWindow::followBest()
{
    const RunState& run = m_session.run();
    if (m_selection.current() != m_followed || run.candidates.empty())
        return;
    const Candidate* best = run.best();
    m_followed = best ? best->id : run.candidates[0].id;
    m_selection.follow(m_followed);
}

void MainWindow::tellView()
{
    const CandidateTable& candidates = m_evolve->records().candidates();
    const ViewedParts parts{static_cast<Mode>(m_modes->currentIndex()), candidates.all(), candidates.matching(),
        m_review->chosen(), m_prompts->templates().chosen()};
    m_status->setView(m_session.isOpen() ? viewWords(m_session.run(), parts) : QString());
}

void MainWindow::enableActions()
{
    ui::enableActions(m_desk, *m_review, m_settingUndo, static_cast<Mode>(m_modes->currentIndex()));
}

void MainWindow::showMode(Mode mode)
{
    const int index = static_cast<int>(mode);
    const QWidget* focused = focusWidget();
    if (index != m_modes->currentIndex() && focused && m_modes->isAncestorOf(focused))
        centralWidget()->setFocus(); // not handed on to whatever comes first on the page that is shown
    m_modes->setCurrentIndex(index);
    m_actions[modeActions[index]].setChecked(true);
    enableActions();
    tellView();
    if (mode == Mode::Review)
        m_messages->dismiss(m_waitingMessage);
}

void MainWindow::run()
{
    if (usedUpBudget(m_session.snapshot()).isEmpty())
        m_session.door().run();
    else
        editBudget(m_runBar->budgetPlace());
}

void MainWindow::editBudget(QWidget* near)
{
    if (!m_session.isOpen() || m_session.snapshot().status.readOnly)
        return;
    auto* editor = new BudgetEditor(m_session.snapshot(), this);
    connect(editor, &BudgetEditor::accepted, this, [this](const Budget& budget, bool thenRun) {
        // A budget for a run that cannot go on here is not recorded.
        if (!thenRun || m_session.snapshot().status.elsewhere.empty())
            m_session.door().setBudget(budget);
        if (thenRun && m_session.snapshot().status.elsewhere.empty())
            m_session.door().run();
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

ModelsPage& MainWindow::modelsPage() { return m_settingsPage->models(); }

void MainWindow::closeEvent(QCloseEvent* event)
{
    for (const Mode mode : {Mode::Evolve, Mode::Review, Mode::Prompts, Mode::Devices})
        workspaceOf(mode)->saveLayout();
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
    m_files->afterClosing(leave, [this] { m_leaving = false; });
    if (m_files->isAsking())
        return;
    m_leaving = true;
    m_messages->show(MessageBar::Mood::Info, tr("Writing the session…"), {});
}

} // namespace tilewright::ui
