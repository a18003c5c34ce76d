// SPDX-License-Identifier: GPL-3.0-or-later
// The Welcome mode: every choice of a new session on one scrolling page, all with valid defaults, and the sessions that
// can be opened instead. GUI thread.
#pragma once

#include "ui/models/first_result.h"
#include "ui/session/screen.h"
#include "ui/session/view_context.h"
#include "ui/settings/models_book.h"
#include "ui/welcome/session_choices.h"
#include "ui/welcome/start_from.h"
#include "ui/welcome/task_picker.h"

#include <QWidget>
#include <functional>
#include <map>

class QCheckBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QScrollArea;
class QSpinBox;
class QStackedWidget;
class QVBoxLayout;

namespace tilewright::ui {

class ActionBar;
class BudgetRows;
class Card;
class CardColumns;
class DevicePicker;
class EstimateCard;
class IslandRows;
class IslandRules;
class ReviewRules;
class MachineCard;
class OwnKernelPage;
class ProblemLine;
class ProposerPicker;
class SectionList;
class ShapeRows;
class StartQuestion;

class NewSessionPage : public QWidget, public Screen
{
    Q_OBJECT

public:
    NewSessionPage(const ViewContext& context, ModelsBook& book, QWidget* parent = nullptr);

    QWidget& asWidget() override { return *this; }
    void enableActions(bool isShown) override;
    void addFinderPlaces(std::vector<FinderPlace>& places) override;
    ProposerPicker& proposers() { return *m_proposers; }
    DevicePicker& devices() { return *m_devices; }
    TaskPicker& tasks() { return *m_tasks; }
    MachineCard& machine() { return *m_machine; }
    /// All that was found on this machine.
    void showMachine();
    /// The page on which a task is made of a kernel of one's own, in the place of the choices.
    OwnKernelPage& ownKernel(); ///< made when it is asked for first
    void showOwnKernel();
    /// The choices, with the task in this folder, which is read first.
    void chooseTask(const QString& folder);
    void showChoices();
    /// The choices, with this section in sight and one of its fields, or its first one, in the focus.
    void goTo(Section section, QWidget* field);
    /// Null for the file, which has no card.
    QWidget* cardOf(Section section) const;
    /// Looks for task packs, and for what this machine has; both arrive later.
    void lookAround();
    const SessionChoices& choices() const { return m_choices; }
    /// Takes over what an earlier session was set to, as far as it can be here; none: the defaults.
    void startFrom(const std::optional<EarlierSession>& session);
    /// Sets it all up for the programs of that session to be measured once more: its choices, and its replies replayed.
    void startReplay(EarlierSession session, const QString& path);
    /// Sends the choices off if they are valid.
    void start(bool now);
    /// What has to be answered before the session of this file is made is asked beside the button that made it; false
    /// if none such was sent from here.
    bool askBeforeStart(
        const QString& path, const QString& question, const QString& agree, const std::function<void()>& does);
    /// What has to be answered before another session is opened is asked beside what opens it here; false if that was
    /// clicked elsewhere.
    bool askBeforeOpening(const QString& question, const QString& agree, const std::function<void()>& does);
    /// What was asked is no question any more.
    void putQuestionsAway();

Q_SIGNALS:
    void created(const tilewright::NewSession& session);
    void openRequested(const QString& path);
    /// What was chosen is dropped.
    void cancelled();
    /// Something could not be written before the session was made.
    void failed(const QString& text, const QString& hint);
    /// How soon recent sessions had their first results; after each look at one.
    void earlierSeen(const std::vector<tilewright::ui::SessionStart>& earlier);

protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    /// A card with a check, a title and a quiet remark at the right, in these columns (as CardColumns::add()).
    QVBoxLayout* card(Section section, const QString& aside, int ofTwo, int ofThree);
    void buildWhatRuns(); ///< task, device, proposer
    void buildReview();
    void buildShapes();
    void buildIslands();
    void buildBudget();
    QWidget* buildActionBar();
    void fitColumns();
    void nameCancel();
    void turnTo(QWidget* page);
    void read();
    bool writeOwnModels();

    ViewContext m_context;
    ModelsBook& m_book;
    SessionChoices m_choices;
    SectionList* m_list;
    QStackedWidget* m_stack;
    QScrollArea* m_scroll;
    CardColumns* m_columns = nullptr;
    TaskPicker* m_tasks;
    MachineCard* m_machine;
    OwnKernelPage* m_own = nullptr; ///< null: nobody asked for it yet
    EstimateCard* m_estimate;
    DevicePicker* m_devices = nullptr;
    ShapeRows* m_shapes;
    QSpinBox* m_islands;
    IslandRows* m_islandRows;
    IslandRules* m_rules;
    ReviewRules* m_review = nullptr;
    ProposerPicker* m_proposers;
    QCheckBox* m_tunes = nullptr;
    QCheckBox* m_recombines = nullptr;
    BudgetRows* m_budget;
    QLineEdit* m_path;
    ActionBar* m_bar = nullptr;
    QPushButton *m_start, *m_paused, *m_cancel, *m_copy;
    QLabel* m_pathNote;
    ProblemLine* m_problem;
    StartQuestion* m_question = nullptr;
    QString m_asked; ///< the choices of which it is asked, as a command line
    std::map<Section, Card*> m_cards;
    std::map<Section, QLabel*> m_checks;
    bool m_pathTouched = false; ///< the user named the file: a change of task keeps it
    QString m_sent; ///< the file of the session that was asked for last
};

} // namespace tilewright::ui
