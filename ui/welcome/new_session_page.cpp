// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/welcome/new_session_page.h"

#include "core/base/folders.h"
#include "core/engine/proposals/proposing.h"
#include "ui/models/display_text.h"
#include "ui/own/own_kernel_page.h"
#include "ui/theme/theme.h"
#include "ui/welcome/choice_card.h"
#include "ui/welcome/device_picker.h"
#include "ui/welcome/island_rows.h"
#include "ui/welcome/machine_card.h"
#include "ui/welcome/proposer_picker.h"
#include "ui/welcome/review_rules.h"
#include "ui/welcome/run_estimate.h"
#include "ui/welcome/section_list.h"
#include "ui/welcome/shape_rows.h"
#include "ui/welcome/start_from.h"
#include "ui/welcome/start_question.h"
#include "ui/widgets/action_bar.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/fields.h"
#include "ui/widgets/pane.h"
#include "ui/widgets/room.h"

#include <QCheckBox>
#include <QDir>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPointer>
#include <QPushButton>
#include <QSaveFile>
#include <QScrollArea>
#include <QSpinBox>
#include <QStackedWidget>
#include <QTimer>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr int roomForThree = 1560; ///< columns of cards, beside the list of sections

QString aboutIslands(const SessionChoices& choices)
{
    if (choices.islands < 2)
        return NewSessionPage::tr("one population");
    switch (choices.migration.ways) {
    case MigrationPlan::Ways::Ring:
        return NewSessionPage::tr("migration: ring");
    case MigrationPlan::Ways::Off:
        return NewSessionPage::tr("migration: off");
    case MigrationPlan::Ways::Drawn:
        break;
    }
    return NewSessionPage::tr("migration: custom routes");
}

/// What mends the choice of a proposer that has nothing to do with the task.
Remedies remediesOf(const SessionChoices& choices, bool hasModels)
{
    Remedies remedies;
    for (const QString& proposer : proposersInstead(choices))
        remedies.emplace_back(proposer,
            proposer == u"mutator"_s      ? NewSessionPage::tr("Built-in mutator")
                : proposer == u"manual"_s ? NewSessionPage::tr("Manual replies")
                : hasModels               ? NewSessionPage::tr("Language models")
                                          : NewSessionPage::tr("Set up models…"));
    return remedies;
}

std::vector<SessionStart> startsOf(const std::vector<SessionSketch>& sessions)
{
    std::vector<SessionStart> starts;
    for (const SessionSketch& session : sessions)
        starts.push_back(session.start());
    return starts;
}

} // namespace

NewSessionPage::NewSessionPage(const ViewContext& context, ModelsBook& book, QWidget* parent)
    : QWidget(parent)
    , m_context(context)
    , m_book(book)
    , m_list(new SectionList(context, this))
    , m_stack(new QStackedWidget(this))
    , m_scroll(new QScrollArea(this))
    , m_tasks(new TaskPicker(this))
    , m_machine(new MachineCard(this))
    , m_estimate(new EstimateCard(this))
{
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    row->addWidget(m_list, 1);
    auto* choices = new QWidget(m_stack);
    auto* side = new QVBoxLayout(choices);
    side->setContentsMargins(0, 0, 0, 0);
    side->setSpacing(0);
    m_stack->addWidget(choices);
    row->addWidget(m_stack, 3);
    side->addWidget(m_scroll, 1);
    m_columns = new CardColumns(m_scroll);
    buildWhatRuns();
    buildReview();
    buildShapes();
    buildIslands();
    buildBudget();
    m_columns->add(m_estimate, 1, 2);
    m_columns->add(m_machine, 1, 2);
    m_columns->arrange(2); // until its room is known
    m_scroll->setWidget(m_columns);
    m_scroll->setWidgetResizable(true);
    m_scroll->setFrameShape(QFrame::NoFrame);
    side->addWidget(buildActionBar());

    showChoices();
    connect(&Theme::instance(), &Theme::changed, this, [this] {
        fitColumns(); // the text may be larger
        read();
        // Beside a scroll bar texts have less room, are higher, and keep it there: it is asked for without it.
        QTimer::singleShot(0, m_scroll, [this] {
            m_scroll->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
            m_scroll->setVerticalScrollBarPolicy(Qt::ScrollBarAsNeeded);
        });
    });
    m_tasks->setFolders(context.settings.packFolders());
    connect(m_tasks, &TaskPicker::folderAdded, this,
        [this](const QString& folder) { m_context.settings.addPackFolder(folder); });
    m_tasks->setHidden(context.settings.hiddenPackFolders());
    connect(m_tasks, &TaskPicker::folderHidden, this, [this](const QString& folder) {
        m_context.settings.hidePackFolder(folder, [this, folder] { m_tasks->addFolder(folder); });
    });
    connect(m_tasks, &TaskPicker::changed, this, [this] { read(); });
    connect(m_tasks, &TaskPicker::ownKernelWanted, this, &NewSessionPage::showOwnKernel);
    connect(m_list, &SectionList::ownKernelWanted, this, &NewSessionPage::showOwnKernel);
    connect(&m_list->startFrom(), &StartFrom::chosen, this, &NewSessionPage::startFrom);
    connect(m_list, &SectionList::openRequested, this, &NewSessionPage::openRequested);
    connect(m_list, &SectionList::recentChanged, this, [this] {
        m_estimate->show(estimateOf(m_choices, m_list->recent()));
        Q_EMIT earlierSeen(startsOf(m_list->recent()));
    });
    connect(m_list, &SectionList::chosen, this, [this](Section section) { goTo(section, nullptr); });
    read();
}

QWidget* NewSessionPage::cardOf(Section section) const
{
    const auto card = m_cards.find(section);
    return card == m_cards.end() ? nullptr : card->second;
}

void NewSessionPage::goTo(Section section, QWidget* field)
{
    showChoices();
    QWidget* card = cardOf(section);
    if (!card) {
        m_path->setFocus();
        return;
    }
    m_scroll->ensureWidgetVisible(field ? field : card, 0, px(16));
    QWidget* first = field ? field : card->findChild<QSpinBox*>();
    for (ChoiceCard* choice : card->findChildren<ChoiceCard*>())
        if (!first && choice->isChecked())
            first = choice;
    if (first)
        first->setFocus();
}

void NewSessionPage::showMachine()
{
    showChoices();
    m_machine->showAll();
    m_scroll->widget()->layout()->activate(); // it is longer now
    m_scroll->ensureWidgetVisible(m_machine, 0, px(16));
}

void NewSessionPage::startFrom(const std::optional<EarlierSession>& session)
{
    const SessionChoices usual;
    const NewSession defaults = sessionOf(usual, true);
    if (!session) {
        m_tasks->reset();
        m_devices->reset();
        m_proposers->reset();
    }
    const RunSettings& settings = session ? session->settings : defaults.settings;
    const auto proposer = wordsOfProposer(settings.proposer);
    QStringList missing;
    if (session && !m_tasks->choose(settings.taskName))
        missing << tr("the task %1 is not available").arg(text(settings.taskName));
    const bool isItsTask = session && m_choices.pack && m_choices.pack->task.name == settings.taskName;
    m_shapes->take(isItsTask ? std::optional(session->shapes) : std::nullopt);
    if (session && !m_devices->choose(text(settings.device)))
        missing << tr("its device %1 is not available").arg(text(settings.device));
    if (!m_proposers->choose(text(proposer.kind), text(proposer.with)))
        missing << tr("its proposer is not available");
    setNumber(*m_islands, settings.islands);
    m_islandRows->take(session ? session->steering : std::map<IslandId, IslandSteering>{},
        session ? session->strategies : std::map<IslandId, std::string>{});
    m_rules->take(settings.migration);
    m_tunes->setChecked(!session || settings.tuning > 0 || usualTuning(settings.proposer) == 0);
    m_recombines->setChecked(!session || settings.recombinations > 0 || usualRecombinations(settings.proposer) == 0);
    m_review->take(
        !session ? usual.review : std::optional(settings.reviewPoliciesOf(IslandId{})), settings.reviewLimit);
    if (session)
        m_budget->take(settings.budget, settings.seed);
    else
        m_budget->reset(usual);
    read();
    m_list->startFrom().say(missing.isEmpty() ? QString() : asSentence(missing.join(u", "_s)));
}

void NewSessionPage::startReplay(EarlierSession session, const QString& path)
{
    showChoices();
    session.settings.proposer = "replay:" + path.toStdString();
    startFrom(session);
}

OwnKernelPage& NewSessionPage::ownKernel()
{
    if (m_own)
        return *m_own;
    m_own = new OwnKernelPage(m_stack);
    m_stack->addWidget(m_own);
    connect(m_own, &OwnKernelPage::backWanted, this, &NewSessionPage::showChoices);
    connect(m_own, &OwnKernelPage::sessionWanted, this, &NewSessionPage::chooseTask);
    return *m_own;
}

void NewSessionPage::chooseTask(const QString& folder)
{
    showChoices();
    m_tasks->addFolder(folder);
}

void NewSessionPage::showOwnKernel()
{
    turnTo(&ownKernel());
    m_own->takeFocus();
}

void NewSessionPage::showChoices() { turnTo(m_stack->widget(0)); }

/// The page that is hidden asks for no room.
void NewSessionPage::turnTo(QWidget* page)
{
    for (int i = 0; i < m_stack->count(); ++i)
        m_stack->widget(i)->setSizePolicy(
            m_stack->widget(i) == page ? QSizePolicy::Preferred : QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_stack->setCurrentWidget(page);
    m_list->setChoosing(page != m_own);
}

void NewSessionPage::lookAround()
{
    m_tasks->search();
    m_machine->search(text((programFolder() / "tilewright-cli").string()));
}

void NewSessionPage::read()
{
    m_choices.pack = m_tasks->chosen();
    m_choices.uncheckedBecause = m_tasks->uncheckedBecause();
    m_shapes->setTask(m_choices.pack);
    m_shapes->read(m_choices);
    m_devices->setTask(m_choices.pack ? &m_choices.pack->task : nullptr);
    m_machine->setTarget(m_choices.pack ? std::optional(m_choices.pack->task.target) : std::nullopt);
    m_choices.device = m_devices->chosen();
    m_choices.deviceName = m_devices->chosenName();
    m_choices.deviceKind = m_devices->chosenKind();
    m_choices.devices = m_devices->chosenCount();
    m_choices.whyNoGpu = m_devices->whyNoGpu();
    m_choices.islands = m_islands->value();
    const QString wrongCount = wrongNumber(*m_islands);
    for (QWidget* ofThem : std::initializer_list<QWidget*>{m_islandRows, m_rules}) // how many there are is not known
        ofThem->setVisible(wrongCount.isEmpty());
    m_proposers->read(m_choices);
    m_choices.tunesPrograms = m_tunes->isChecked();
    m_tunes->setVisible(usualTuning(proposerWords(m_choices).toStdString()) > 0);
    m_choices.recombinesEdits = m_recombines->isChecked();
    m_recombines->setVisible(usualRecombinations(proposerWords(m_choices).toStdString()) > 0);
    m_islandRows->show(m_choices);
    m_islandRows->read(m_choices);
    m_rules->show(m_choices);
    m_rules->read(m_choices);
    m_cards.at(Section::Islands)->setRemark(wrongCount.isEmpty() ? aboutIslands(m_choices) : wrongCount);
    m_budget->read(m_choices);
    m_budget->showModelBudgets(m_choices.proposer == u"model"_s);
    m_review->show(m_choices);
    m_review->read(m_choices);
    if (!m_pathTouched && m_choices.pack)
        m_path->setText(freshPath(m_context.settings.sessionsFolder(), m_choices.pack->task.name));
    m_choices.path = m_path->text();
    m_choices.wrongNumbers.clear();
    for (const auto& [section, card] : m_cards) {
        const QString wrong = section == Section::Budget ? m_budget->whyNot() : wrongNumberIn(*card);
        if (!wrong.isEmpty())
            m_choices.wrongNumbers[section] = wrong;
    }

    m_list->show(m_choices);
    m_estimate->show(estimateOf(m_choices, m_list->recent()));
    for (const auto& [section, check] : m_checks) {
        const QString problem = problemOf(m_choices, section);
        const Tokens& t = tokens();
        check->setPixmap(iconPixmap(problem.isEmpty() ? u"check"_s : u"warn"_s, problem.isEmpty() ? t.good : t.bad,
            px(16), devicePixelRatioF()));
        check->setToolTip(problem);
        check->setAccessibleName(problem.isEmpty() ? tr("valid") : problem);
    }
    restyle(m_path, "invalid", !problemOf(m_choices, Section::File).isEmpty());
    const QString problem = problemOf(m_choices);
    const bool valid = problem.isEmpty(), isOfProposer = problem == problemOf(m_choices, Section::Proposer);
    if (valid)
        m_problem->warn(warningOf(m_choices));
    else
        m_problem->tell(problem, isOfProposer ? remediesOf(m_choices, !m_book.usable().empty()) : Remedies{});
    const QString whyNoCopy
        = m_choices.wrongNumbers.empty() ? problemOf(m_choices, Section::File) : m_choices.wrongNumbers.begin()->second;
    m_copy->setEnabled(whyNoCopy.isEmpty());
    m_copy->setToolTip(whyNoCopy.isEmpty() ? tr("The command that runs this session without a window") : whyNoCopy);
    m_start->setEnabled(valid);
    m_paused->setEnabled(valid);
    m_bar->setWords(m_copy, tr("Copy as command line"));
    if (m_asked != commandLineOf(m_choices))
        m_question->putAway(); // it was asked of other choices
}

bool NewSessionPage::askBeforeStart(
    const QString& path, const QString& question, const QString& agree, const std::function<void()>& does)
{
    if (!isVisible() || path != m_sent || path != m_choices.path) {
        m_question->putAway(); // of an earlier steering request
        return false;
    }
    m_asked = commandLineOf(m_choices);
    m_list->putQuestionAway();
    m_question->ask(question, agree, does);
    return true;
}

bool NewSessionPage::askBeforeOpening(const QString& question, const QString& agree, const std::function<void()>& does)
{
    return m_list->askBeforeOpening(question, agree, does);
}

void NewSessionPage::putQuestionsAway()
{
    m_question->putAway();
    m_list->putQuestionAway();
}

bool NewSessionPage::writeOwnModels()
{
    if (!needsOwnModels(m_choices))
        return true;
    const QString path = ownModelsFile(m_choices);
    QDir().mkpath(QFileInfo(path).path());
    QSaveFile file(path);
    std::map<std::string, ModelsDraft::Weights> islands;
    for (const auto& [island, weights] : m_choices.islandWeights)
        islands[islandLetter(island)] = weights;
    const QByteArray bytes = QByteArray::fromStdString(m_book.draft().withWeights(m_choices.weights, islands).text());
    if (file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size() && file.commit())
        return true;
    Q_EMIT failed(tr("%1 cannot be written: %2").arg(path, file.errorString()), {});
    return false;
}

/// Where the text is large and the window is not, the list of sections gives its room to the choices and to Start.
void NewSessionPage::fitColumns()
{
    const int room = parentWidget() ? parentWidget()->width() : width();
    m_list->setVisible(room >= m_list->minimumWidth() + m_stack->minimumSizeHint().width());
    m_columns->arrange(isSlim(*this) ? 1 : width() < px(roomForThree) ? 2 : 3);
}

void NewSessionPage::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    fitColumns();
}

void NewSessionPage::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    if (!m_sent.isEmpty() && m_path->text() == m_sent && QFileInfo::exists(m_sent))
        m_pathTouched = false; // that session is there by now: the next one needs another name
    read(); // the name that was shown may be taken by now
}

void NewSessionPage::start(bool now)
{
    const QString shown = m_path->text();
    read();
    if (m_path->text() != shown)
        return; // another file than the one that was read: it is shown first
    if (m_stack->currentWidget() == m_own || !m_shapes->takeTyped() || !isValid(m_choices) || !writeOwnModels())
        return;
    m_sent = m_path->text();
    Q_EMIT created(sessionOf(m_choices, now)); // which a run that is going may still hold up
}

void NewSessionPage::enableActions(bool isShown) { m_context.actions[u"session.start"_s].setEnabled(isShown); }

void NewSessionPage::addFinderPlaces(std::vector<FinderPlace>& places)
{
    const QString page = tr("New session");
    for (const Section section : sections) {
        places.push_back({nameOf(section), page, {}, [this, section] {
                              bring();
                              goTo(section, nullptr);
                          }});
        const QWidget* card = cardOf(section);
        if (!card)
            continue;
        for (const auto& [name, words, field] : fieldsOf(*card))
            places.push_back(
                {name, u"%1 › %2"_s.arg(page, nameOf(section)), words, [this, section, at = QPointer<QWidget>(field)] {
                     bring();
                     goTo(section, at);
                 }});
    }
    places.push_back({machine().accessibleName(), page,
        tr("doctor check driver toolkit compiler libraries isolation missing"), [this] {
            bring();
            showMachine();
        }});
}

} // namespace tilewright::ui
