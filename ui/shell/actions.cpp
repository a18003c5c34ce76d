// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/actions.h"
#include "ui/shell/screens.h"

#include "core/store/packed_session.h"
#include "ui/evolve/candidate_actions.h"
#include "ui/evolve/code_blame.h"
#include "ui/models/display_text.h"
#include "ui/shell/undo_controller.h"
#include "ui/theme/theme.h"
#include "ui/theme/words.h"
#include "ui/widgets/elided_label.h"

#include <QActionGroup>
#include <QFileInfo>
#include <QMenu>
#include <QMenuBar>

namespace tilewright::ui {
using namespace Qt::StringLiterals;

void addActions(ActionRegistry& a)
{
    a.add({u"file.new"_s, tr("&New session…"), u"plus"_s, QKeySequence(u"Ctrl+N"_s), tr("Set up a new session")});
    a.add({u"file.own-kernel"_s, tr("&Bring your own kernel…"), u"plus"_s, {},
        tr("Create a task from a function in your file")});
    a.add({u"file.open"_s, tr("&Open…"), u"folder"_s, QKeySequence(u"Ctrl+O"_s), tr("Open a session file")});
    a.add({u"file.demo"_s, tr("Open the &demo"), u"flask"_s, {}, tr("Open a copy of the recorded demo session")});
    a.add({u"file.gpuDemo"_s, tr("Open the &GPU demo"), u"flask"_s, {},
        tr("Open a copy of a session recorded on an NVIDIA H200, for viewing")});
    a.add({u"file.copy"_s, tr("&Save a copy of the session…"), u"save"_s, QKeySequence(u"Ctrl+S"_s),
        tr("Write the current state of the session to another file; this one stays open")});
    a.add({u"session.export-winner"_s, tr("&Export the best candidate…"), u"save"_s, QKeySequence(u"Ctrl+E"_s),
        tr("Write the best candidate as a folder to hand over: program, patches, report, harness")});
    a.add({u"session.git-lineage"_s, tr("&Lineage in git"), u"fork"_s, {},
        tr("Keep a git repository beside the session up to date while it is open: each candidate is a commit"), true});
    a.add({u"file.close"_s, tr("&Close session"), u"x"_s, QKeySequence(u"Ctrl+W"_s),
        tr("Save everything and close the session")});
    a.add({u"file.quit"_s, tr("&Quit"), {}, QKeySequence(u"Ctrl+Q"_s), {}});
    a.add({u"run.run"_s, tr("&Run"), u"play"_s, QKeySequence(u"F5"_s), tr("Run until a budget is exhausted")});
    a.add({u"run.pause"_s, tr("&Pause after in-flight work"), u"pause"_s, QKeySequence(u"F6"_s),
        tr("Finish in-flight work, then pause")});
    a.add({u"run.pause-cancel"_s, tr("Pause now (&cancel in-flight work)"), u"pause"_s, QKeySequence(u"Shift+F6"_s),
        tr("Pause now: in-flight requests, builds and measurements are cancelled; their candidates wait for their turn "
           "again, and no evaluation is counted twice")});
    a.add({u"run.step"_s, tr("&Step"), u"step"_s, QKeySequence(u"F10"_s), tr("Run one candidate, then pause")});
    a.add({u"run.step-islands"_s, tr("Step each &island"), u"step"_s, QKeySequence(u"Shift+F10"_s),
        tr("Run until each island has admitted one more candidate, then pause")});
    a.add({u"run.stop"_s, tr("S&top"), u"stop"_s, QKeySequence(u"Shift+F5"_s),
        tr("Stop now; in-flight work can be resumed")});
    a.add({u"run.budget"_s, tr("&Budget…"), u"clock"_s, {}, tr("Change the budgets of the run")});
    a.add({u"run.proposer"_s, tr("P&roposer…"), u"evolve"_s, {}, tr("Change what generates edits in this run")});
    a.add({u"run.hints"_s, tr("&Hints…"), u"chat"_s, QKeySequence(u"Ctrl+H"_s),
        tr("Add a text of yours to every prompt")});
    a.add({u"run.history"_s, tr("Undo &history…"), u"undo"_s, QKeySequence(u"Ctrl+Alt+H"_s),
        tr("Commands that can still be undone, newest first")});
    a.add({u"session.start"_s, tr("Start the &new session"), u"play"_s, QKeySequence(u"Ctrl+Return"_s),
        tr("Create the configured session and start it")});
    for (const ScreenEntry& screen : screens())
        a.add({actionOf(screen), screen.title, screen.icon, screen.keys, screen.tip, true});
    a.add({u"settings.appearance"_s, tr("&Appearance…"), u"contrast"_s, {}, tr("Theme, size of the text, motion")});
    a.add(
        {u"settings.models"_s, tr("&Models and keys…"), u"key"_s, {}, tr("Endpoints, models, their keys and limits")});
    a.add({u"settings.sessions"_s, tr("Session &files…"), u"file"_s, {},
        tr("Folder of new sessions, number of recent sessions")});
    a.add({u"settings.devices"_s, tr("Default d&evices…"), u"cpu"_s, {},
        tr("Devices that new sessions are measured on")});
    a.add({u"settings.shortcuts"_s, tr("All short&cuts…"), u"keyboard"_s, {}, tr("Search all actions and their keys")});
    a.add({u"view.light"_s, tr("&Light theme"), {}, {}, {}, true});
    a.add({u"view.dark"_s, tr("&Dark theme"), {}, {}, {}, true});
    a.add({u"view.contrast"_s, tr("&High-contrast theme"), {}, {}, {}, true});
    a.add({u"view.system"_s, tr("&As the desktop"), {}, {}, tr("Light or dark, as the desktop"), true});
    a.add({u"view.table"_s, tr("Show plots as &tables"), u"table"_s, QKeySequence(u"Ctrl+T"_s), {}, true});
    a.add({u"view.fit"_s, tr("&Fit the plots"), u"fit"_s, {}, tr("Show all data (0 in the plot)")});
    a.add({u"view.fullscreen"_s, tr("F&ull screen"), {}, QKeySequence(u"F11"_s), tr("The window fills the screen"),
        true});
    a.add({u"view.presenter"_s, tr("&Presenter view"), {}, QKeySequence(u"Shift+F11"_s),
        tr("Full screen, light theme and large text, for a projector; settings are not changed"), true});
    a.add({u"view.reset"_s, tr("&Reset layout"), u"redo"_s, {}, tr("Put all panes back where they were")});
    a.add({u"view.find"_s, tr("Find in the te&xt…"), u"search"_s, QKeySequence(u"Ctrl+F"_s),
        tr("Find words in the visible text or diff, or in the event log if it has the focus")});
    a.add({u"candidate.find"_s, tr("&Go to…"), u"search"_s, QKeySequence(u"Ctrl+K"_s),
        tr("Go to a candidate, an action, a setting, or a line of code or of a log")});
    a.add(
        {u"candidate.best"_s, tr("&Best candidate"), u"star"_s, QKeySequence(u"B"_s), tr("Select the best candidate")});
    a.add({u"candidate.parent"_s, tr("&Parent"), {}, QKeySequence(u"["_s), tr("Select the first parent")});
    a.add({u"candidate.child"_s, tr("&Child"), {}, QKeySequence(u"]"_s), tr("Select the best child")});
    a.add({u"candidate.back"_s, tr("B&ack"), u"back"_s, QKeySequence(u"Alt+Left"_s),
        tr("Go back to the previously selected candidate")});
    a.add({u"candidate.forward"_s, tr("&Forward"), u"forward"_s, QKeySequence(u"Alt+Right"_s),
        tr("Undo Back: go to the next candidate of the selection history")});
    a.add({u"candidate.reference"_s, tr("Use as re&ference"), u"compare"_s, QKeySequence(u"Ctrl+B"_s),
        tr("Compare the code of other candidates with this one"), true});
    a.add({u"review.undo"_s, tr("&Undo"), u"undo"_s, QKeySequence(u"Ctrl+Z"_s),
        tr("Undo the newest command; a decision on a candidate until its measurement starts")});
    a.add({u"review.redo"_s, tr("Red&o"), u"redo"_s, QKeySequence(u"Ctrl+Shift+Z"_s),
        tr("Redo the command that was undone last")});
    for (const ScreenEntry& screen : screens())
        if (screen.addActions)
            screen.addActions(a);
    a.add(
        {u"help.docs"_s, tr("&Documentation"), u"info"_s, {}, tr("The pages of docs/: steering, models, evaluation")});
    a.add({u"help.what"_s, tr("&What is this?"), u"search"_s, QKeySequence(u"Shift+F1"_s),
        tr("Open the documentation of the figure under the pointer, or of the part that has the focus")});
    a.add({u"help.tour"_s, tr("&Tour"), u"forward"_s, {}, tr("Show six parts of the window, one after the other")});
    a.add({u"help.shortcuts"_s, tr("&Shortcuts"), u"keyboard"_s, QKeySequence(u"F1"_s), {}});
    a.add({u"help.messages"_s, tr("&Messages"), u"info"_s, QKeySequence(u"F2"_s),
        tr("Messages since the window was opened")});
    a.add({u"help.message"_s, tr("Go to the m&essage"), u"info"_s, QKeySequence(u"Shift+F2"_s),
        tr("Move the focus to the newest message, beside the menus; Escape dismisses it")});
    a.add({u"help.about"_s, tr("&About Tilewright"), u"info"_s, {}, {}});
    CandidateActions::addTo(a);
    CodeBlame::addTo(a);
    addWords(a);
}

QMenu* fillMenus(QMenuBar& bar, const ActionRegistry& a, QMenu* panes, QMenu* layouts)
{
    const auto put = [&a](QMenu* menu, std::initializer_list<QString> ids) {
        for (const QString& id : ids)
            id.isEmpty() ? menu->addSeparator() : (menu->addAction(&a[id]), nullptr);
    };
    QMenu* file = bar.addMenu(tr("&File"));
    put(file, {u"file.new"_s, u"file.own-kernel"_s, u"file.open"_s});
    QMenu* recent = file->addMenu(icon(u"file"_s, Tint::Secondary), tr("Open &recent"));
    put(file,
        {u"file.demo"_s, u"file.gpuDemo"_s, {}, u"file.copy"_s, u"session.export-winner"_s, u"session.git-lineage"_s,
            u"file.close"_s, {}, u"file.quit"_s});
    put(bar.addMenu(tr("&Edit")),
        {u"review.undo"_s, u"review.redo"_s, u"run.history"_s, {}, u"view.find"_s, u"candidate.find"_s});
    QMenu* run = bar.addMenu(tr("&Run"));
    put(run,
        {u"run.run"_s, u"run.pause"_s, u"run.pause-cancel"_s, u"run.step"_s, u"run.step-islands"_s, u"run.stop"_s, {},
            u"run.budget"_s, u"run.proposer"_s, u"run.hints"_s, {}, u"session.start"_s});
    QMenu* candidate = bar.addMenu(tr("&Candidate"));
    put(candidate,
        {u"candidate.find"_s, u"candidate.best"_s, {}, u"candidate.parent"_s, u"candidate.child"_s, {},
            u"candidate.back"_s, u"candidate.forward"_s, {}, u"candidate.reference"_s});
    candidate->addSeparator();
    CandidateActions::fill(*candidate, a);
    QMenu* review = bar.addMenu(tr("Revie&w"));
    review->setToolTipsVisible(true);
    put(review,
        {u"review.approve"_s, u"review.edit"_s, u"review.reject"_s, u"review.defer"_s, {}, u"review.quick"_s,
            u"review.judge"_s, {}, u"review.approve-all"_s, u"review.automatic"_s, {}, u"review.next"_s,
            u"review.previous"_s, u"review.choose-next"_s, u"review.choose-previous"_s, u"review.choose-all"_s, {},
            u"review.next-change"_s, u"review.previous-change"_s});
    QMenu* view = bar.addMenu(tr("&View"));
    for (const ScreenEntry& screen : screens())
        if (screen.id != u"settings"_s) // which has a menu of its own
            put(view, {actionOf(screen)});
    view->addSeparator();
    QMenu* theme = view->addMenu(icon(u"contrast"_s, Tint::Secondary), tr("&Theme"));
    put(theme, {u"view.light"_s, u"view.dark"_s, u"view.contrast"_s, u"view.system"_s});
    put(view, {{}, u"view.table"_s, u"view.blame"_s, u"view.fit"_s, {}, u"view.fullscreen"_s, u"view.presenter"_s, {}});
    view->addMenu(panes);
    view->addMenu(layouts);
    put(view, {u"view.reset"_s});
    put(bar.addMenu(tr("&Settings")),
        {u"mode.settings"_s, {}, u"settings.appearance"_s, u"settings.models"_s, u"settings.sessions"_s,
            u"settings.devices"_s, u"settings.shortcuts"_s});
    QMenu* help = bar.addMenu(tr("&Help"));
    put(help,
        {u"help.docs"_s, u"help.what"_s, u"help.tour"_s, {}, u"help.shortcuts"_s, u"help.messages"_s, u"help.message"_s,
            u"help.about"_s});
    auto* themes = new QActionGroup(theme);
    for (const QString& id : {u"view.light"_s, u"view.dark"_s, u"view.contrast"_s, u"view.system"_s})
        themes->addAction(&a[id]);
    auto* modes = new QActionGroup(view);
    for (const ScreenEntry& screen : screens())
        modes->addAction(&a[actionOf(screen)]);
    return recent;
}

void addWords(ActionRegistry& a)
{
    const std::pair<QString, QString> all[] = {
        {u"file.new"_s, tr("create begin start setup wizard")},
        {u"file.own-kernel"_s, tr("import add custom task function cuda cpp")},
        {u"file.open"_s, tr("load")},
        {u"file.demo"_s, tr("example sample tutorial")},
        {u"file.gpuDemo"_s, tr("example sample tutorial cuda")},
        {u"file.copy"_s, tr("save copy save as export backup duplicate session")},
        {u"session.export-winner"_s, tr("report pdf harness patch bundle evidence deliver hand over save winner best")},
        {u"session.git-lineage"_s, tr("repository commits branches history version control")},
        {u"file.quit"_s, tr("exit leave")},
        {u"run.run"_s, tr("start continue resume go play")},
        {u"run.pause"_s, tr("hold halt wait")},
        {u"run.pause-cancel"_s, tr("abort kill halt")},
        {u"run.step"_s, tr("one single next candidate")},
        {u"run.stop"_s, tr("abort end finish quit")},
        {u"run.budget"_s, tr("limit evaluations tokens cost time extend more")},
        {u"run.proposer"_s, tr("model mutator tuner mix llm")},
        {u"run.hints"_s, tr("advice instruction tell note")},
        {u"run.history"_s, tr("revert take back log")},
        {u"mode.settings"_s, tr("preferences options configuration")},
        {u"settings.appearance"_s, tr("dark light colour color zoom")},
        {u"settings.models"_s, tr("api key endpoint llm provider")},
        {u"settings.shortcuts"_s, tr("keys hotkeys keyboard")},
        {u"view.table"_s, tr("list numbers accessible")},
        {u"view.fit"_s, tr("zoom reset all data")},
        {u"view.fullscreen"_s, tr("maximise maximize F11")},
        {u"view.presenter"_s, tr("projector lecture class teach large type beamer")},
        {u"view.reset"_s, tr("restore panes docks windows default")},
        {u"view.find"_s, tr("search")},
        {u"candidate.find"_s, tr("search jump")},
        {u"candidate.best"_s, tr("winner top fastest")},
        {u"candidate.reference"_s, tr("compare pin baseline diff")},
        {u"candidate.save"_s, tr("save export write download code source kernel program file copy")},
        {u"candidate.export"_s, tr("report pdf harness patch bundle evidence save")},
        {u"candidate.star"_s, tr("favourite favorite bookmark")},
        {u"candidate.tags"_s, tr("label mark")},
        {u"candidate.keep"_s, tr("keep protect elite")},
        {u"candidate.ban"_s, tr("exclude block remove delete")},
        {u"candidate.boost"_s, tr("weight prefer favour favor")},
        {u"candidate.more"_s, tr("branch fork derive parent")},
        {u"candidate.idea"_s, tr("prompt ask suggest once")},
        {u"candidate.translate"_s, tr("translate rewrite")},
        {u"candidate.copy"_s, tr("migrate duplicate")},
        {u"candidate.move"_s, tr("migrate")},
        {u"candidate.inject"_s, tr("write own manual inject modify change code")},
        {u"candidate.rerun"_s, tr("rerun re-run repeat again retry benchmark remeasure re-measure")},
        {u"candidate.rerun-more"_s,
            tr("rerun re-run repeat again retry benchmark samples remeasure re-measure compare")},
        {u"candidate.rerun-paired"_s, tr("dispute disputed repeat compare side by side drift")},
        {u"candidate.compare"_s, tr("versus against side by side difference roofline speedup benchmark")},
        {u"mode.lab"_s, tr("learn teach Strassen tensor tiling tile size roofline")},
        {u"mode.compare"_s, tr("versus against side by side roofline heat table")},
        {u"review.approve"_s, tr("accept allow yes")},
        {u"review.edit"_s, tr("modify change accept")},
        {u"review.reject"_s, tr("refuse deny decline no")},
        {u"review.defer"_s, tr("skip later postpone")},
        {u"review.quick"_s, tr("measure benchmark test preview")},
        {u"review.undo"_s, tr("revert take back")},
        {u"review.redo"_s, tr("repeat again")},
        {u"help.docs"_s, tr("manual guide help contents")},
        {u"help.what"_s, tr("explain meaning definition help")},
        {u"help.tour"_s, tr("introduction guide")},
        {u"help.messages"_s, tr("notifications log errors history")},
        {u"help.about"_s, tr("version licence license")},
    };
    for (const auto& [id, words] : all)
        a.giveWords(id, words);
}

bool canReplayHere(const Snapshot& snapshot)
{
    return snapshot.pack && std::ranges::any_of(snapshot.status.devices, [&](const DeviceStatus& each) {
        return each.device.id.starts_with("GPU-") == (snapshot.pack->task.target != Target::Cpp);
    });
}

void enableActions(const ViewContext& context, const Screen& shown, bool isWriting, const UndoController& undo)
{
    const RunState& run = context.session.run();
    const EngineStatus& status = context.session.snapshot().status;
    const SelectionContext& selection = context.selection;
    const bool open = status.sessionOpen, writable = open && !status.readOnly;
    const bool running = status.phase == events::Phase::Running;
    const auto set = [&context](const QString& id, bool enabled) { context.actions[id].setEnabled(enabled); };
    const bool elsewhere = !status.elsewhere.empty();
    set(u"run.run"_s, writable && !running && !elsewhere);
    set(u"run.pause"_s, writable && running && !status.pausing);
    set(u"run.pause-cancel"_s, writable && running);
    set(u"run.step"_s, writable && !running && !elsewhere);
    set(u"run.step-islands"_s, writable && !running && !elsewhere);
    for (const QString& id : {u"run.run"_s, u"run.step"_s, u"run.step-islands"_s})
        context.actions.giveReason(id, elsewhere ? asSentence(text(status.elsewhere)) : QString());
    set(u"run.stop"_s, writable && running);
    set(u"run.budget"_s, writable);
    const std::string& proposer = run.settings.proposer; // random search keeps to itself
    set(u"run.proposer"_s, writable && proposer != "random");
    set(u"run.hints"_s, writable);
    set(u"file.close"_s, open);
    set(u"file.copy"_s, open);
    set(u"session.export-winner"_s, open && run.best());
    set(u"session.git-lineage"_s, open);
    set(u"file.demo"_s, QFileInfo::exists(text(shippedDemo("gemm-cpu").string())));
    set(u"file.gpuDemo"_s, QFileInfo::exists(text(shippedDemo("gemm-h200").string())));
    set(u"view.find"_s, shown.canFind());
    set(u"view.fit"_s, shown.canFit());
    // In a text the key undoes what was typed.
    set(u"review.undo"_s, (writable || undo.hasLocal()) && !isWriting);
    set(u"review.redo"_s, (writable || undo.hasLocal()) && !isWriting);
    const Candidate* current = run.candidate(selection.current());
    set(u"candidate.best"_s, run.best() != nullptr);
    set(u"candidate.parent"_s, current && !current->parents.empty());
    set(u"candidate.child"_s, current != nullptr);
    set(u"candidate.reference"_s, current != nullptr);
    context.actions[u"candidate.reference"_s].setChecked(current && selection.reference() == current->id);
    set(u"candidate.back"_s, selection.canGoBack());
    set(u"candidate.forward"_s, selection.canGoForward());
}

} // namespace tilewright::ui
