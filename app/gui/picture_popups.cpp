// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/picture_popups.h"

#include "ui/conversation/conversation_view.h"
#include "ui/evolve/candidate_actions.h"
#include "ui/evolve/evolve_page.h"
#include "ui/evolve/island_actions.h"
#include "ui/evolve/views_button.h"
#include "ui/models/display_text.h"
#include "ui/models/figures.h"
#include "ui/shell/main_window.h"
#include "ui/welcome/mix_editor.h"
#include "ui/welcome/new_session_page.h"
#include "ui/welcome/proposer_picker.h"
#include "ui/widgets/ask_box.h"

#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>
#include <QTimer>
#include <algorithm>

namespace tilewright::gui {

using namespace ui;
namespace {

using namespace Qt::StringLiterals;
using Needs = Picture::Needs;

/// Evolve with a candidate, from which all actions can be chosen.
void standOnEvolve(MainWindow& window)
{
    window.showScreen(u"evolve"_s);
    const RunState& run = window.session().run();
    if (const Candidate* best = run.best())
        window.selection().select(best->id);
    else if (!run.candidates.empty())
        window.selection().select(run.candidates.back().id);
}

Picture ofAction(const char* name, const char* action)
{
    const QString id = QLatin1String(action);
    return {QLatin1String(name), Needs::Session,
        [id](MainWindow& window) {
            standOnEvolve(window);
            window.actions()[id].trigger();
        },
        true};
}

void findWords(MainWindow& window, const QString& words)
{
    standOnEvolve(window);
    window.actions()[u"candidate.find"_s].trigger();
    if (const auto open = windowsOver(window); !open.isEmpty())
        if (auto* line = open.last()->findChild<QLineEdit*>(u"finderBox"_s))
            line->setText(words);
}

void openIsland(MainWindow& window, void (IslandActions::*open)(IslandId))
{
    standOnEvolve(window);
    if (!window.session().run().islands.empty())
        (window.evolve().islandActions().*open)(window.session().run().islands.front().id);
}

void openMainMenu(MainWindow& window, int index)
{
    standOnEvolve(window);
    auto* bar = window.findChild<QMenuBar*>();
    QAction* action = bar->actions().value(index);
    action->menu()->popup(bar->mapToGlobal(bar->actionGeometry(action).bottomLeft()));
}

/// The shares of one island among models, by the bar that shows them.
void openMix(MainWindow& window)
{
    std::ranges::find(pictures(), u"new-session-models"_s, &Picture::name)->show(window);
    QTimer::singleShot(0, &window, [&window] { // once the page is laid out
        if (auto* mix = window.welcome().findChild<MixButton*>(u"mixOf:B"_s))
            mix->click();
    });
}

/// As the steering command opens it where a model is asked.
void openIdea(MainWindow& window)
{
    standOnEvolve(window);
    const QString question = CandidateActions::tr("Idea for %1, added to the next prompt about it")
                                 .arg(nameOfCandidate(window.selection().current()));
    (new AskBox(question, {}, CandidateActions::tr("Send idea"), AskBox::Lines::Several, &window))->ask();
}

/// Of the newest answer that somebody gave.
void openConversation(MainWindow& window)
{
    standOnEvolve(window);
    ProposalId found;
    for (const Proposal& proposal : window.session().run().proposals)
        if (proposal.modelRequest || !found)
            found = proposal.id;
    if (found)
        (new ConversationWindow(window.context(), found, &window))->present(ConversationView::Side::Prompt);
}

void openAllMessages(MainWindow& window)
{
    standOnEvolve(window);
    auto* bar = window.findChild<MessageBar*>();
    bar->show(MessageMood::Warning, MainWindow::tr("The disk is nearly full."), MainWindow::tr("free some space"));
    bar->show(MessageMood::Info, MainWindow::tr("A copy was written to %1.").arg(u"~/copy.tilewright"_s), {});
    window.findChild<QPushButton*>(u"messageAll"_s)->click();
}

} // namespace

std::vector<Picture> popupPictures()
{
    return {
        ofAction("popup-budget", "run.budget"),
        ofAction("popup-proposer", "run.proposer"),
        ofAction("popup-hints", "run.hints"),
        ofAction("popup-finder", "candidate.find"),
        {u"popup-finder-words"_s, Needs::Session, [](MainWindow& w) { findWords(w, u"budget"_s); }, true},
        {u"popup-island"_s, Needs::Session, [](MainWindow& w) { openIsland(w, &IslandActions::steer); }, true},
        {u"popup-migration"_s, Needs::Session,
            [](MainWindow& w) {
                standOnEvolve(w);
                w.evolve().islandActions().planMigration();
            },
            true},
        {u"popup-mix"_s, Needs::Nothing, openMix, true},
        ofAction("popup-history", "run.history"),
        ofAction("popup-tags", "candidate.tags"),
        {u"popup-idea"_s, Needs::Session, openIdea, true},
        ofAction("popup-edit", "candidate.inject"),
        ofAction("popup-rerun", "candidate.rerun-more"),
        {u"popup-conversation"_s, Needs::Session, openConversation, true},
        ofAction("popup-shortcuts", "help.shortcuts"),
        ofAction("popup-about", "help.about"),
        {u"menu-edit"_s, Needs::Session, [](MainWindow& w) { openMainMenu(w, 1); }, true},
        {u"menu-run"_s, Needs::Session, [](MainWindow& w) { openMainMenu(w, 2); }, true},
        {u"menu-candidate"_s, Needs::Session, [](MainWindow& w) { openMainMenu(w, 3); }, true},
        {u"menu-columns"_s, Needs::Session,
            [](MainWindow& w) {
                standOnEvolve(w);
                auto* button = w.findChild<ViewsButton*>();
                button->menu()->popup(button->mapToGlobal(QPoint(0, -button->menu()->sizeHint().height())));
            },
            true},
        // Last: what is said stays.
        {u"popup-all-messages"_s, Needs::Session, openAllMessages, true},
        ofAction("popup-messages", "help.messages"),
    };
}

} // namespace tilewright::gui
