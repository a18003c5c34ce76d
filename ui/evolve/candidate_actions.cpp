// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/evolve/candidate_actions.h"

#include "core/engine/proposals/proposing.h"
#include "core/engine/session/undo_history.h"
#include "core/model/measurement/dispute.h"
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
    "candidate.inject", "candidate.withdraw", "", "candidate.rerun", "candidate.rerun-more", "candidate.rerun-paired",
    "candidate.unrun", "", "candidate.compare", "candidate.save", "candidate.export"};

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
        tr("Mark it for your own use; the search ignores the mark"), true});
    a.add({u"candidate.tags"_s, tr("&Tags…"), {}, QKeySequence(u"Ctrl+Shift+T"_s),
        tr("Words to find it by: tag:WORD in the filter")});
    a.add({u"candidate.keep"_s, tr("&Pin to its island"), u"pin"_s, QKeySequence(u"Ctrl+Shift+P"_s),
        tr("It stays in its island's population and can always be chosen as a parent"), true});
    a.add({u"candidate.ban"_s, tr("&Ban"), u"x"_s, QKeySequence(u"Ctrl+Shift+B"_s),
        tr("Excluded as parent, inspiration, migrant and crossover partner"), true});
    a.add({u"candidate.boost"_s, tr("B&oost its lineage…"), u"evolve"_s, {},
        tr("Multiply the chance that it and its descendants are chosen as parents")});
    a.add({u"candidate.unmark"_s, tr("&Undo the last mark"), u"undo"_s, {},
        tr("Undo the last mark of this candidate, even if other commands followed")});
    a.add({u"candidate.more"_s, tr("&Evolve from this…"), u"fork"_s, QKeySequence(u"Ctrl+Shift+E"_s),
        tr("Ask that the next proposals edit this candidate")});
    a.add({u"candidate.idea"_s, tr("Try an &idea now…"), u"prompts"_s, QKeySequence(u"Ctrl+Shift+I"_s),
        tr("Add your idea to the next prompt about this candidate")});
    a.add({u"candidate.translate"_s, tr("Rewrite from the p&lain reference"), u"combo"_s, {},
        tr("Ask a model to write the program anew from the task's reference: a different approach to the same "
           "operation")});
    a.add({u"candidate.judge"_s, tr("Ask a model to &judge it"), u"chat"_s, {},
        tr("Show a model's opinion of this edit beside it; the opinion decides nothing")});
    a.add({u"candidate.unwish"_s, tr("Cancel re&quested edits"), u"undo"_s, {},
        tr("Cancel the open requests for edits of this candidate")});
    a.add({u"candidate.copy"_s, tr("&Copy to island…"), u"copy"_s, {}, tr("Add a copy of it to another island")});
    a.add({u"candidate.move"_s, tr("&Move to island…"), u"migrate"_s, {},
        tr("Remove it from this island and add it to another")});
    a.add({u"candidate.unplace"_s, tr("Un&do the copy"), u"undo"_s, {},
        tr("Remove this copy from its island and restore what was there before")});
    a.add({u"candidate.inject"_s, tr("Edit by &hand…"), u"edit"_s, QKeySequence(u"Ctrl+Shift+W"_s),
        tr("Write your own version of its program; it is checked and measured like any other")});
    a.add({u"candidate.withdraw"_s, tr("Undo &your version"), u"undo"_s, {},
        tr("Possible until its measurement starts")});
    a.add({u"candidate.rerun"_s, tr("Measure &again"), u"redo"_s, QKeySequence(u"Ctrl+Shift+R"_s),
        tr("Add a further evaluation; the first verdict stays")});
    a.add({u"candidate.rerun-more"_s, tr("Measure again &with…"), u"redo"_s, {},
        tr("With more samples, on other shapes, on another device, or against another candidate")});
    a.add({u"candidate.rerun-paired"_s, tr("Re-run &both, paired"), u"redo"_s, {},
        tr("Time it again, paired with the program that it was first measured against, with twice the samples: shows "
           "whether its verdict holds")});
    a.add({u"candidate.compare"_s, tr("Compa&re with…"), u"compare"_s, QKeySequence(u"Ctrl+Shift+C"_s),
        tr("Compare it with other programs: by shape, against the roofline, by cost and by properties")});
    a.add({u"candidate.save"_s, tr("Sa&ve the selected candidate's program…"), u"save"_s, {},
        tr("Write the candidate's source to a file")});
    a.add({u"candidate.export"_s, tr("E&xport the selected candidate…"), u"save"_s, {},
        tr("Write a folder to hand over: program, patches, report, harness")});
    a.add({u"candidate.unrun"_s, tr("Do &not measure again"), u"undo"_s, {},
        tr("Cancel measurements that have not started")});
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
    on("candidate.rerun-paired", [this] {
        const RunState& run = m_context.session.run();
        if (const Candidate* candidate = run.candidate(current()))
            execute(commands::Rerun{candidate->id, pairedRepeats, opponentOfFirst(run, *candidate)});
    });
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
    setOrSay("candidate.rerun-paired", isMeasured && current() != CandidateId{1}, isHere);
    set("candidate.rerun-more", isMeasured); // another device may be chosen there, or it says why not
    set("candidate.unrun", openRerunOf(run, current()) != nullptr);
    m_context.actions[u"candidate.save"_s].setEnabled(candidate && status.sessionOpen);
    const bool isConfirmed = candidate && candidate->confirmed && candidate->isRanked();
    m_context.actions[u"candidate.export"_s].setEnabled(isConfirmed && status.sessionOpen);
    m_context.actions.giveReason(
        u"candidate.export"_s, !candidate || isConfirmed ? QString() : tr("It has no confirmation that ranked it"));
    m_context.actions[u"candidate.compare"_s].setEnabled(isMeasured && status.sessionOpen);
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
    menu->setAccessibleName(tr("Commands for %1").arg(nameOfCandidate(current())));
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
    auto* box = new AskBox(tr("Tags of %1, separated by blanks or commas").arg(nameOfCandidate(id)),
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
        ? tr("Parent-selection weight for descendants of %1 (1 = default). %1 itself is banned and is never a parent.")
        : tr("Parent-selection weight for %1 and its descendants (1 = default)");
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
    auto* box = new AskBox(tr("Number of next proposals that edit %1").arg(nameOfCandidate(id)), u"1"_s,
        tr("Request edits"), AskBox::Lines::One, m_over);
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
    auto* box = new AskBox(tr("Idea for %1, added to the next prompt about it").arg(nameOfCandidate(id)),
        m_context.drafts.text(place), tr("Send idea"), AskBox::Lines::Several, m_over);
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
