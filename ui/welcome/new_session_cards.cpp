// SPDX-License-Identifier: GPL-3.0-or-later
// What the page of a new session is made of: a card for each section, and the bar with the file and the buttons.
#include "ui/welcome/new_session_page.h"

#include "core/engine/proposals/proposing.h"
#include "ui/theme/theme.h"
#include "ui/welcome/choice_card.h"
#include "ui/welcome/device_picker.h"
#include "ui/welcome/island_rows.h"
#include "ui/welcome/machine_card.h"
#include "ui/welcome/proposer_picker.h"
#include "ui/welcome/review_rules.h"
#include "ui/welcome/section_list.h"
#include "ui/welcome/shape_rows.h"
#include "ui/welcome/start_from.h"
#include "ui/welcome/start_question.h"
#include "ui/widgets/action_bar.h"
#include "ui/widgets/pane.h"

#include <QCheckBox>
#include <QClipboard>
#include <QFileDialog>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QToolButton>
#include <QVBoxLayout>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

QVBoxLayout* NewSessionPage::card(Section section, const QString& aside, int ofTwo, int ofThree)
{
    auto* check = new QLabel(this);
    auto* card = new Card(nameOf(section), aside, this, check);
    m_columns->add(card, ofTwo, ofThree);
    m_cards[section] = card;
    m_checks[section] = check;
    return card->column();
}

void NewSessionPage::buildWhatRuns()
{
    QVBoxLayout* task = card(Section::Task, tr("kernel, inputs and reference"), 0, 0);
    task->addWidget(m_tasks);

    QVBoxLayout* device = card(Section::Device, tr("where candidates are built and timed"), 0, 0);
    m_devices = new DevicePicker(this);
    device->addWidget(m_devices);
    connect(m_devices, &DevicePicker::changed, this, [this] { read(); });
    connect(m_machine, &MachineCard::told, m_devices, &DevicePicker::show);
    m_devices->prefer(m_context.settings.preferredGpu());
    connect(&m_context.settings, &Settings::preferredGpuChanged, m_devices,
        [this] { m_devices->prefer(m_context.settings.preferredGpu()); });
    connect(&m_context.settings, &Settings::sessionsFolderChanged, this, [this] { read(); });

    QVBoxLayout* proposer = card(Section::Proposer, tr("source of edits"), 0, 0);
    m_proposers = new ProposerPicker(m_book, this);
    proposer->addWidget(m_proposers);
    connect(m_proposers, &ProposerPicker::changed, this, [this] { read(); });
    m_tunes = new QCheckBox(tr("Tune first"), this);
    m_tunes->setObjectName(u"tunesPrograms"_s);
    m_tunes->setChecked(true);
    m_tunes->setToolTip(tr("A program with constants marked \"// tune:\" is measured with other values of them, up to "
                           "%1 times; its best version replaces it on the island. Uses evaluations, but no replies.")
                            .arg(versionsOfAProgram));
    m_cards.at(Section::Proposer)->addControl(m_tunes);
    connect(m_tunes, &QCheckBox::toggled, this, [this] { read(); });
    m_recombines = new QCheckBox(tr("Reuse edits"), this);
    m_recombines->setObjectName(u"recombinesEdits"_s);
    m_recombines->setChecked(true);
    m_recombines->setToolTip(
        tr("An edit that made its program faster is also tried on up to %1 other programs, among the "
           "best ones of the islands. Uses evaluations, but no replies.")
            .arg(recombinationsOfAnEdit));
    m_cards.at(Section::Proposer)->addControl(m_recombines);
    connect(m_recombines, &QCheckBox::toggled, this, [this] { read(); });
    connect(m_proposers, &ProposerPicker::settingsWanted, &m_context.actions[u"settings.models"_s], &QAction::trigger);
}

void NewSessionPage::buildReview()
{
    QVBoxLayout* review = card(Section::Review, tr("what needs your review before it is measured"), 0, 1);
    m_review = new ReviewRules(this);
    review->addWidget(m_review);
    connect(m_review, &ReviewRules::changed, this, [this] { read(); });
}

void NewSessionPage::buildShapes()
{
    QVBoxLayout* shapes = card(Section::Shapes, tr("train shapes choose, held-out shapes test"), 1, 1);
    m_shapes = new ShapeRows(this);
    shapes->addWidget(m_shapes);
    connect(m_shapes, &ShapeRows::changed, this, [this] { read(); });
}

void NewSessionPage::buildIslands()
{
    QVBoxLayout* islands = card(Section::Islands, {}, 1, 2);
    m_islands = numberBox<QSpinBox>(
        1, static_cast<int>(mostIslands), m_choices.islands, u"islands"_s, tr("Number of islands"), this);
    m_islands->setMinimumWidth(px(56));
    auto* fewer = new QToolButton(this);
    fewer->setText(u"−"_s);
    fewer->setAccessibleName(tr("One island less"));
    auto* more = new QToolButton(this);
    more->setText(u"+"_s);
    more->setAccessibleName(tr("One island more"));
    for (QToolButton* button : {fewer, more})
        button->setMinimumSize(px(26), px(26));
    connect(fewer, &QToolButton::clicked, m_islands, [this] { m_islands->stepDown(); });
    connect(more, &QToolButton::clicked, m_islands, [this] { m_islands->stepUp(); });
    for (QWidget* control : std::initializer_list<QWidget*>{fewer, m_islands, more})
        m_cards.at(Section::Islands)->addControl(control);
    m_islandRows = new IslandRows(this);
    islands->addWidget(m_islandRows);
    m_rules = new IslandRules(this);
    islands->addWidget(m_rules);
    for (QWidget* ofThem : std::initializer_list<QWidget*>{m_islandRows, m_rules}) {
        QSizePolicy keepsItsRoom = ofThem->sizePolicy(); // what lies below stays where it is
        keepsItsRoom.setRetainSizeWhenHidden(true);
        ofThem->setSizePolicy(keepsItsRoom);
    }
    connect(m_rules, &IslandRules::changed, this, [this] { read(); });
    connect(m_islandRows, &IslandRows::changed, this, [this] { read(); });
    connect(m_islands, &QSpinBox::valueChanged, this, [this] { read(); });
}

void NewSessionPage::buildBudget()
{
    QVBoxLayout* budget = card(Section::Budget, tr("the run stops at the first limit reached"), 1, 2);
    m_budget = new BudgetRows(m_choices, this);
    budget->addWidget(m_budget);
    connect(m_budget, &BudgetRows::changed, this, [this] { read(); });
}

QWidget* NewSessionPage::buildActionBar()
{
    auto* bar = m_bar = new ActionBar(this);
    m_problem = new ProblemLine(bar); // why it cannot be started stands where it would be
    bar->addLine(m_problem);
    m_question = new StartQuestion(u"start"_s, StartQuestion::Form::Row, bar);
    bar->addLine(m_question);
    connect(m_problem, &ProblemLine::remedyWanted, this, [this](const QString& proposer) {
        if (!m_proposers->choose(proposer)) // no models yet
            m_context.actions[u"settings.models"_s].trigger();
    });
    m_path = new QLineEdit(bar);
    m_path->setObjectName(u"sessionFile"_s);
    m_path->setAccessibleName(tr("Session file"));
    m_path->setMinimumWidth(px(80));
    auto* browse = new QToolButton(bar);
    browse->setIcon(icon(u"folder"_s, Tint::Secondary));
    browse->setAccessibleName(tr("Choose the session file"));
    browse->setToolTip(tr("Choose the location of the session file"));
    m_pathNote = new QLabel(bar);
    m_checks[Section::File] = m_pathNote;
    bar->addWidget(m_pathNote);
    bar->addWidget(new QLabel(tr("Session file"), bar));
    bar->addWidget(m_path, 1);
    bar->addWidget(browse);
    m_copy = bar->addButton(u"copyCommand"_s, u"copy"_s, tr("Copy as command line"), ActionBar::Kind::Flat);
    m_cancel = bar->addButton(u"cancelSession"_s, u"x"_s, tr("Cancel"), ActionBar::Kind::Flat);
    connect(&m_context.session, &SessionClient::replaced, this, &NewSessionPage::nameCancel);
    nameCancel();
    m_paused = bar->addButton(u"createPaused"_s, u"pause"_s, tr("Create paused"));
    m_start = bar->addButton(u"start"_s, u"play"_s, tr("Start"), ActionBar::Kind::Primary);
    m_start->setToolTip(tr("Create the session and start running (Ctrl+Enter)"));
    connect(m_path, &QLineEdit::textEdited, this, [this] {
        m_pathTouched = true;
        read();
    });
    connect(browse, &QToolButton::clicked, this, [this] {
        auto* dialog
            = new QFileDialog(this, tr("Session file"), m_path->text(), tr("Tilewright sessions (*.tilewright)"));
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->setAcceptMode(QFileDialog::AcceptSave);
        dialog->setDefaultSuffix(u"tilewright"_s);
        connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& file) {
            m_pathTouched = true;
            m_path->setText(file);
            read();
        });
        dialog->open();
    });
    connect(m_copy, &QPushButton::clicked, this, [this] {
        QGuiApplication::clipboard()->setText(commandLineOf(m_choices));
        m_bar->setWords(m_copy, tr("Copied"));
    });
    connect(m_cancel, &QPushButton::clicked, this, [this] {
        m_pathTouched = false;
        m_list->startFrom().chooseDefaults();
        Q_EMIT cancelled();
    });
    connect(m_paused, &QPushButton::clicked, this, [this] { start(false); });
    connect(m_start, &QPushButton::clicked, this, [this] { start(true); });
    return bar;
}

/// Where no session is open there is nothing to go back to: all that the button does is to set the choices back.
void NewSessionPage::nameCancel()
{
    const bool isOpen = m_context.session.isOpen();
    m_bar->setWords(m_cancel, isOpen ? tr("Cancel") : tr("Reset"));
    m_cancel->setToolTip(isOpen ? tr("Restore the defaults, and show the open session") : tr("Restore the defaults"));
}

} // namespace tilewright::ui
