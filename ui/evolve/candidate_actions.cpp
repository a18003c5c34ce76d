// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/evolve/candidate_actions.h"

#include "core/engine/proposals/proposing.h"
#include "core/engine/session/undo_history.h"
#include "ui/evolve/injection_editor.h"
#include "ui/evolve/rerun_editor.h"
#include "ui/models/best_words.h"
#include "ui/models/display_text.h"
#include "ui/widgets/ask_box.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/room.h"

#include <QCursor>
#include <QMenu>
#include <QPushButton>
#include <algorithm>
#include <array>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

/// In the order of the menu; an empty one is a line between groups.
constexpr std::array steeringActions{"candidate.star", "candidate.tags", "", "candidate.keep", "candidate.ban",
    "candidate.boost", "candidate.unmark", "", "candidate.more", "candidate.idea", "candidate.translate",
    "candidate.judge", "candidate.unwish", "", "candidate.copy", "candidate.move", "candidate.unplace", "",
    "candidate.inject", "candidate.withdraw", "", "candidate.rerun", "candidate.rerun-more", "candidate.unrun", "",
    "candidate.save"};

QString joined(const std::vector<std::string>& tags)
{
    QStringList words;
    for (const std::string& tag : tags)
        words << text(tag);
    return words.join(u' ');
}

} // namespace

void CandidateActions::addTo(ActionRegistry& a)
{
    a.add({u"candidate.star"_s, tr("&Star"), u"star-outline"_s, QKeySequence(u"Ctrl+D"_s),
        tr("Mark it for yourself; the search takes no notice"), true});
    a.add({u"candidate.tags"_s, tr("&Tags…"), {}, QKeySequence(u"Ctrl+Shift+T"_s),
        tr("Words to find it by: tag:WORD in the query line")});
    a.add({u"candidate.keep"_s, tr("&Pin to its island"), u"pin"_s, QKeySequence(u"Ctrl+Shift+P"_s),
        tr("It never leaves its island's population, and may always be a parent"), true});
    a.add({u"candidate.ban"_s, tr("&Ban"), u"x"_s, QKeySequence(u"Ctrl+Shift+B"_s),
        tr("Never again parent, inspiration, migrant or crossover partner"), true});
    a.add({u"candidate.boost"_s, tr("B&oost its lineage…"), u"evolve"_s, {},
        tr("Multiply the chance of it and its descendants to be a parent")});
    a.add({u"candidate.unmark"_s, tr("&Undo the last mark"), u"undo"_s, {},
        tr("Take back the last mark of this candidate, whatever was ordered since")});
    a.add({u"candidate.more"_s, tr("&Evolve from this…"), u"fork"_s, QKeySequence(u"Ctrl+Shift+E"_s),
        tr("The next proposals edit this candidate")});
    a.add({u"candidate.idea"_s, tr("Try an &idea now…"), u"prompts"_s, QKeySequence(u"Ctrl+Shift+I"_s),
        tr("The next prompt about this candidate tells your idea")});
    a.add({u"candidate.translate"_s, tr("Rewrite from the p&lain form"), u"combo"_s, {},
        tr("A model writes its program anew from the task's plain reference: another way to the same operation")});
    a.add({u"candidate.judge"_s, tr("Ask a model to &judge it"), u"chat"_s, {},
        tr("What a model thinks of this edit stands beside it and decides nothing")});
    a.add({u"candidate.unwish"_s, tr("Cancel re&quested edits"), u"undo"_s, {},
        tr("Cancels the open requests for edits of this candidate")});
    a.add({u"candidate.copy"_s, tr("&Copy to island…"), u"copy"_s, {}, tr("A copy lives on another island as well")});
    a.add({u"candidate.move"_s, tr("&Move to island…"), u"migrate"_s, {}, tr("It lives on another island instead")});
    a.add({u"candidate.unplace"_s, tr("Ta&ke the copy back"), u"undo"_s, {},
        tr("This copy leaves its island, and what was there before comes back")});
    a.add({u"candidate.inject"_s, tr("Edit by &hand…"), u"edit"_s, QKeySequence(u"Ctrl+Shift+W"_s),
        tr("Your own version of its program; it is checked and measured as any other")});
    a.add({u"candidate.withdraw"_s, tr("Ta&ke your version back"), u"undo"_s, {}, tr("Until measuring starts")});
    a.add({u"candidate.rerun"_s, tr("Measure &again"), u"redo"_s, QKeySequence(u"Ctrl+Shift+R"_s),
        tr("A further evaluation beside the first verdict")});
    a.add({u"candidate.rerun-more"_s, tr("Measure again &with…"), u"redo"_s, {},
        tr("With more samples, on other shapes or another device, beside another candidate")});
    a.add({u"candidate.save"_s, tr("Sa&ve the selected candidate's program…"), u"save"_s, {},
        tr("Write the candidate's source to a file of your own")});
    a.add({u"candidate.unrun"_s, tr("Do &not measure again"), u"undo"_s, {}, tr("Drop measurements that still wait")});
}

void CandidateActions::fill(QMenu& menu, const ActionRegistry& actions)
{
    for (const char* id : steeringActions) {
        if (*id)
            menu.addAction(&actions[QLatin1String(id)]);
        else
            menu.addSeparator();
    }
    menu.setToolTipsVisible(true); // why something cannot be done stands there
}

CandidateActions::CandidateActions(const ViewContext& context, QWidget* over)
    : QObject(over)
    , m_context(context)
    , m_over(over)
{
    on("candidate.star", [this] { mark([](Marks& marks) { marks.starred = !marks.starred; }); });
    // Of two marks that exclude each other the newer word holds.
    on("candidate.keep", [this] {
        mark([](Marks& marks) {
            marks.pinned = !marks.pinned;
            marks.banned = marks.banned && !marks.pinned;
        });
    });
    on("candidate.ban", [this] {
        mark([](Marks& marks) {
            marks.banned = !marks.banned;
            marks.pinned = marks.pinned && !marks.banned;
        });
    });
    on("candidate.tags", [this] { askForTags(); });
    on("candidate.boost", [this] { askForBoost(); });
    on("candidate.unmark", [this] {
        const auto held = m_context.session.run().marks.find(current());
        if (held != m_context.session.run().marks.end() && !held->second.empty())
            execute(commands::Undo{{held->second.back().seq}});
    });
    on("candidate.more", [this] { askForCount(); });
    on("candidate.idea", [this] { askForIdea(); });
    on("candidate.translate", [this] {
        SteeringPrompt prompt;
        prompt.templateName = "translate";
        execute(commands::RequestEdits{current(), 1, {}, std::move(prompt)});
    });
    on("candidate.judge", [this] { execute(commands::RequestJudgement{current()}); });
    on("candidate.unwish", [this] {
        commands::Undo undo;
        for (const SteeringRequest& steering : m_context.session.run().steeringRequests)
            if (steering.parent == current() && steering.isOpen())
                undo.entries.push_back(steering.seq);
        execute(undo);
    });
    on("candidate.copy", [this] { askForIsland(Placing::Copy); });
    on("candidate.move", [this] { askForIsland(Placing::Move); });
    on("candidate.unplace", [this] { undoMaking(); });
    on("candidate.inject", [this] { writeOwn(); });
    on("candidate.withdraw", [this] { undoMaking(); });
    on("candidate.rerun", [this] { execute(commands::Rerun{current()}); });
    on("candidate.rerun-more", [this] { askForRerun(); });
    on("candidate.unrun", [this] {
        if (const Rerun* open = newestOpenRerunOf(m_context.session.run(), current()))
            execute(commands::Undo{{open->seq}});
    });
    connect(&context.session, &SessionClient::replaced, this, [this] { refresh(); });
    connect(&context.session, &SessionClient::changed, this, [this] { refresh(); });
    connect(&context.selection, &SelectionContext::currentChanged, this, [this] { refresh(); });
    refresh();
}

void CandidateActions::on(const char* id, std::function<void()> does)
{
    connect(&m_context.actions[QLatin1String(id)], &QAction::triggered, this, [this, does = std::move(does)] {
        m_context.selection.hold(); // what is done to it next is meant for the same one
        does();
        refresh(); // a checkable action shows what is so, not what was clicked
    });
}

void CandidateActions::execute(const Command& command) { m_context.session.execute(command); }

/// Of one that a user copied, moved or wrote.
void CandidateActions::undoMaking()
{
    if (const Candidate* candidate = m_context.session.run().candidate(current()))
        execute(commands::Undo{{candidate->seq}});
}

void CandidateActions::refresh()
{
    const RunState& run = m_context.session.run();
    const EngineStatus& status = m_context.session.snapshot().status;
    const Candidate* candidate = run.candidate(current());
    const bool writable = candidate && status.sessionOpen && !status.readOnly;
    const Marks& marks = run.marksOf(current());
    const bool banned = isBanned(run, current());
    const auto set
        = [&](const char* id, bool enabled) { m_context.actions[QLatin1String(id)].setEnabled(writable && enabled); };
    const auto setOrSay = [&](const char* id, bool enabled, const Result<void>& reaches) {
        set(id, enabled && reaches);
        m_context.actions.giveReason(QLatin1String(id),
            !status.sessionOpen || reaches ? QString()
                                           : asSentences(text(reaches.error().text), text(reaches.error().hint)));
    };
    const bool isRequested = std::ranges::any_of(run.steeringRequests,
        [&](const SteeringRequest& steering) { return steering.parent == current() && steering.isOpen(); });
    const Placement* placement = placementOf(run, current());
    for (const char* id : {"candidate.star", "candidate.tags", "candidate.keep", "candidate.boost", "candidate.inject"})
        set(id, true);
    set("candidate.ban", banned == marks.banned); // a copy's is lifted where it was made
    QAction& unmark = m_context.actions[u"candidate.unmark"_s];
    unmark.setEnabled(writable && run.marks.contains(current()));
    const std::string marked = describeLastMarks(run, current());
    unmark.setText(marked.empty() ? tr("&Undo the last mark") : tr("&Undo: %1").arg(text(marked)));
    setOrSay("candidate.more", !banned, checkTakesSteeringRequests(run.settings.proposer));
    for (const char* id : {"candidate.idea", "candidate.translate"})
        setOrSay(id, !banned, checkTakesPrompts(run.settings.proposer));
    setOrSay("candidate.judge", candidate && !candidate->parents.empty() && !candidate->patch.isNull(),
        checkHasJudge(run.settings.proposer));
    set("candidate.unwish", isRequested);
    const bool isPlaceable = candidate && candidate->isRanked() && candidate->isOver() && run.islands.size() > 1;
    set("candidate.copy", isPlaceable && !banned);
    set("candidate.move", isPlaceable && !banned && !marks.pinned);
    set("candidate.unplace", placement && !placement->undone);
    set("candidate.withdraw", candidate && canBeWithdrawn(run, *candidate));
    const bool isMeasured = candidate && candidate->isOver() && candidate->latest;
    const auto isHere = status.elsewhere.empty() ? Result<void>() : fail("device/elsewhere", status.elsewhere);
    setOrSay("candidate.rerun", isMeasured, isHere);
    set("candidate.rerun-more", isMeasured); // another device may be chosen there, or it says why not
    set("candidate.unrun", openRerunOf(run, current()) != nullptr);
    m_context.actions[u"candidate.save"_s].setEnabled(candidate && status.sessionOpen);
    m_context.actions[u"candidate.star"_s].setChecked(marks.starred);
    m_context.actions[u"candidate.keep"_s].setChecked(marks.pinned);
    m_context.actions[u"candidate.ban"_s].setChecked(banned);
}

void CandidateActions::popUp(const QPoint& global)
{
    if (!m_context.session.run().candidate(current()))
        return;
    auto* menu = new QMenu(m_over);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setObjectName(u"candidateMenu"_s);
    menu->setAccessibleName(tr("What can be done to %1").arg(nameOfCandidate(current())));
    fill(*menu, m_context.actions);
    menu->popup(inside(roomAround(*m_over, menu->sizeHint()), menu->sizeHint(), global));
}

void CandidateActions::mark(const std::function<void(Marks&)>& change)
{
    Marks marks = m_context.session.run().marksOf(current());
    change(marks);
    execute(commands::SetMarks{current(), std::move(marks)});
}

void CandidateActions::askForTags()
{
    const CandidateId id = current();
    auto* box = new AskBox(tr("Tags of %1, with blanks or commas between them").arg(nameOfCandidate(id)),
        joined(m_context.session.run().marksOf(id).tags), tr("Set tags"), AskBox::Lines::One, m_over);
    askForMark(*box, id, [](Marks& marks, QString words) {
        marks.tags.clear();
        for (const QString& word : words.replace(u',', u' ').split(u' ', Qt::SkipEmptyParts))
            marks.tags.push_back(word.toStdString());
    });
}

void CandidateActions::askForMark(AskBox& box, CandidateId id, const std::function<void(Marks&, QString)>& take)
{
    const auto marksWith = [this, id, take](const QString& words) {
        Marks marks = m_context.session.run().marksOf(id);
        take(marks, words);
        return marks;
    };
    box.setCheck([marksWith](const QString& words) {
        const auto marks = orderly(marksWith(words));
        return marks ? QString() : asSentence(text(marks.error().line()));
    });
    connect(&box, &AskBox::accepted, this, [this, id, marksWith](const QString& words) {
        execute(commands::SetMarks{id, marksWith(words)});
    });
    box.ask();
}

void CandidateActions::askForBoost()
{
    const CandidateId id = current();
    const Marks held = m_context.session.run().marksOf(id);
    const QString question = held.banned
        ? tr("How many times as often shall descendants of %1 be parents? 1 is as usual. "
             "It is banned itself, and is none however often.")
        : tr("How many times as often shall %1 and its descendants be parents? 1 is as "
             "usual.");
    auto* box = new AskBox(
        question.arg(nameOfCandidate(id)), QString::number(held.boost), tr("Set boost"), AskBox::Lines::One, m_over);
    askForMark(*box, id, [](Marks& marks, const QString& words) {
        bool isNumber = false;
        marks.boost = words.trimmed().toDouble(&isNumber);
        if (!isNumber)
            marks.boost = 0; // which is refused, with its reason
    });
}

void CandidateActions::askForCount()
{
    const CandidateId id = current();
    auto* box = new AskBox(tr("How many of the next proposals shall edit %1?").arg(nameOfCandidate(id)), u"1"_s,
        tr("Ask for them"), AskBox::Lines::One, m_over);
    connect(box, &AskBox::accepted, this, [this, id](const QString& words) {
        execute(commands::RequestEdits{id, words.trimmed().toInt(), {}});
    });
    box->ask();
}

void CandidateActions::askForIdea()
{
    const CandidateId id = current();
    const Candidate* candidate = m_context.session.run().candidate(id);
    if (!candidate)
        return;
    const QString place = Drafts::placeOf(u"idea"_s, *candidate);
    auto* box = new AskBox(tr("What shall be tried on %1? The next prompt about it says so.").arg(nameOfCandidate(id)),
        m_context.drafts.text(place), tr("Try it"), AskBox::Lines::Several, m_over);
    connect(box, &AskBox::typed, this, [this, place](const QString& words) {
        if (words.trimmed().isEmpty())
            m_context.drafts.drop(place);
        else
            m_context.drafts.keep(place, words);
    });
    connect(box, &AskBox::accepted, this, [this, id, place](const QString& words) {
        m_context.drafts.drop(place);
        if (!words.trimmed().isEmpty())
            execute(commands::RequestEdits{id, 1, words.trimmed().toStdString()});
    });
    box->ask();
}

void CandidateActions::askForRerun()
{
    if (!m_context.session.run().candidate(current()))
        return;
    auto* editor = new RerunEditor(m_context.session.snapshot(), current(), m_context.selection.reference(), m_over);
    connect(editor, &RerunEditor::accepted, this, [this](const commands::Rerun& rerun) { execute(rerun); });
    const auto* button = m_over->findChild<QPushButton*>(u"inspector:candidate.rerun-more"_s);
    if (button && button->isVisible())
        editor->popUpBy(*button);
    else
        editor->popUpOver(*m_over);
}

void CandidateActions::askForIsland(Placing placing)
{
    const RunState& run = m_context.session.run();
    const Candidate* candidate = run.candidate(current());
    auto* menu = new QMenu(m_over);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setObjectName(u"islandMenu"_s);
    menu->setAccessibleName(tr("Island"));
    for (const Island& island : run.islands) {
        if ((candidate && island.id == candidate->island) || island.standing == Standing::Ended)
            continue;
        QAction* action = menu->addAction(u"%1  %2"_s.arg(text(islandLetter(island.id)), text(island.name)));
        connect(action, &QAction::triggered, this, [this, id = current(), to = island.id, placing] {
            execute(commands::Place{id, to, placing});
        });
    }
    menu->popup(QCursor::pos());
}

void CandidateActions::writeOwn()
{
    auto* editor = new InjectionEditor(m_context, current(), m_over);
    editor->show();
}

} // namespace tilewright::ui
