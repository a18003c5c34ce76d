// SPDX-License-Identifier: GPL-3.0-or-later
// The hand on single candidates in the window: what a user does reaches the engine as one steering command, and what is
// marked is seen in table, inspector and lineage.
#include "core/model/measurement/pair_ladder.h"
#include "core/source/saved_program.h"
#include "tests/engine/marked.h"
#include "tests/patience.h"
#include "tests/test_program.h"
#include "tests/ui/steering_stage.h"
#include "ui/evolve/candidate_inspector.h"
#include "ui/evolve/evolve_page.h"
#include "ui/lineage/lineage.h"
#include "ui/models/candidate_model.h"
#include "ui/models/candidate_query.h"
#include "ui/models/display_text.h"
#include "ui/models/figures.h"
#include "ui/theme/theme.h"
#include "ui/widgets/code_view.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/room.h"
#include "ui/widgets/table.h"

#include <QComboBox>
#include <QDir>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QTest>

using namespace tilewright;
using tilewright::testing::marked;
using namespace tilewright::ui;
using namespace tilewright::test;
using namespace Qt::StringLiterals;

class TestSteeringWindow : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyCommandIsInTheMenuAndSaysWhatItDoes()
    {
        SteeringStage stage;
        for (const QAction* action : stage.window->actions().all())
            if (action->objectName().startsWith(u"candidate."_s)) {
                QVERIFY(!action->text().isEmpty());
                QVERIFY2(!action->toolTip().isEmpty(), qPrintable(action->objectName()));
            }
        QVERIFY2(
            stage.window->actions().conflicts().isEmpty(), qPrintable(stage.window->actions().conflicts().join(u'\n')));
        auto* table = stage.find<Table>(u"candidateTable"_s);
        Q_EMIT table->customContextMenuRequested(QPoint(5, 5));
        auto* menu = stage.find<QMenu>(u"candidateMenu"_s);
        QVERIFY(menu);
        QVERIFY(!menu->accessibleName().isEmpty());
        QStringList ids;
        for (const QAction* action : menu->actions())
            ids << action->objectName();
        for (const QString& id : {u"candidate.star"_s, u"candidate.ban"_s, u"candidate.more"_s, u"candidate.copy"_s,
                 u"candidate.inject"_s, u"candidate.rerun"_s})
            QVERIFY2(ids.contains(id), qPrintable(id));
        menu->close();
    }

    void whatPopsUpInAWindowWithRoomForItStaysInside()
    {
        QWidget window;
        const QRect screen = window.screen()->availableGeometry();
        window.setGeometry(screen.left(), screen.top(), 400, 300);
        window.show();
        QCOMPARE(roomAround(window, {100, 100}), window.frameGeometry());
        QCOMPARE(roomAround(window, {500, 100}), screen); // none there
        QCOMPARE(inside({0, 0, 100, 80}, {30, 40}, {90, 70}), QPoint(69, 39)); // right and bottom of a QRect are inside
        QCOMPARE(inside({0, 0, 100, 80}, {30, 40}, {-5, 7}), QPoint(0, 7));
        QCOMPARE(inside({0, 0, 100, 80}, {300, 40}, {5, 7}), QPoint(0, 7));
    }

    void aToggleSendsTheWholeOfTheMarksAndTheNewerOfTwoThatExcludeEachOtherHolds()
    {
        SteeringStage stage;
        stage.mark(marked([&](Marks& m) {
            m.pinned = true;
            m.tags = {"odd"};
        }));
        QVERIFY(stage.action(u"candidate.keep"_s).isChecked());
        stage.action(u"candidate.star"_s).trigger();
        QVERIFY(stage.last<commands::SetMarks>() == (commands::SetMarks{stage.shown, marked([&](Marks& m) {
                                                                            m.starred = true;
                                                                            m.pinned = true;
                                                                            m.tags = {"odd"};
                                                                        })}));
        stage.action(u"candidate.ban"_s).trigger();
        QVERIFY(stage.last<commands::SetMarks>() == (commands::SetMarks{stage.shown, marked([&](Marks& m) {
                                                                            m.banned = true;
                                                                            m.tags = {"odd"};
                                                                        })}));
        QVERIFY(!stage.action(u"candidate.ban"_s).isChecked()); // until the engine has said so
        stage.action(u"candidate.unmark"_s).trigger();
        QVERIFY(stage.last<commands::UndoMarks>() == commands::UndoMarks{stage.shown});
    }

    void theLastMarkOfTheSelectedCandidateIsNamedAndTakenBackAndNoOthers()
    {
        SteeringStage stage;
        const QAction& undo = stage.action(u"candidate.unmark"_s);
        const auto words = [&undo] { return undo.text().remove(u'&'); };
        QVERIFY(!undo.isEnabled());
        const CandidateId best = stage.run.state().best()->id;
        stage.run.put(events::Marked{stage.shown, marked([](Marks& m) { m.starred = true; })});
        stage.run.put(events::Marked{best, marked([](Marks& m) { m.banned = true; })});
        stage.open();
        stage.window->selection().select(CandidateId{1});
        QVERIFY(!undo.isEnabled()); // others were marked
        QCOMPARE(words(), u"Undo the last mark"_s);
        stage.window->selection().select(stage.shown);
        QCOMPARE(words(), u"Undo: Starred %1"_s.arg(nameOfCandidate(stage.shown)));
        QVERIFY(undo.isEnabled());
        stage.action(u"candidate.unmark"_s).trigger();
        QVERIFY(stage.last<commands::UndoMarks>() == commands::UndoMarks{stage.shown});
        stage.run.put(events::MarkUndone{stage.shown});
        stage.open();
        QVERIFY(!undo.isEnabled());
        stage.window->selection().select(best);
        QCOMPARE(words(), u"Undo: Banned %1"_s.arg(nameOfCandidate(best)));
    }

    void aBanOfWhatIsPinnedSaysThatThePinIsGoneAndItsUndoThatItIsBack()
    {
        SteeringStage stage;
        const QString name = nameOfCandidate(stage.shown);
        const auto* said = stage.find<MessageBar>(u"messageBar"_s);
        stage.mark(marked([](Marks& m) { m.pinned = true; }));
        stage.action(u"candidate.ban"_s).trigger();
        stage.mark(stage.last<commands::SetMarks>().marks);
        QVERIFY2(said->text().startsWith(u"Banned %1, no longer pinned."_s.arg(name)), qPrintable(said->text()));
        stage.window->actions()[u"review.undo"_s].trigger();
        QVERIFY(stage.last<commands::UndoMarks>() == commands::UndoMarks{stage.shown});
        QVERIFY2(said->text().startsWith(u"Undone: Banned %1, no longer pinned. %1 is pinned again."_s.arg(name)),
            qPrintable(said->text()));
        stage.run.put(events::MarkUndone{stage.shown});
        stage.open();
        QVERIFY(isPinned(stage.run.state(), stage.shown));
    }

    void questionsAreAnsweredFromTheKeyboardAndReachTheEngine()
    {
        SteeringStage stage;
        stage.action(u"candidate.tags"_s).trigger();
        stage.answer(u"fast  odd"_s);
        QCOMPARE(stage.last<commands::SetMarks>().marks.tags, (std::vector<std::string>{"fast", "odd"}));
        // What is refused is said where it was typed, and stays.
        const std::size_t sent = stage.client.candidateCommands.size();
        stage.action(u"candidate.tags"_s).trigger();
        stage.answer(u"good \"bad\",tag"_s);
        QCOMPARE(stage.client.candidateCommands.size(), sent);
        const auto* refused = stage.find<QLabel>(u"askRefusal"_s);
        QVERIFY2(
            refused && refused->isVisible() && refused->text().contains(u"is not a valid tag"_s), "the box is gone");
        QCOMPARE(stage.find<QLineEdit>(u"askField"_s)->text(), u"good \"bad\",tag"_s);
        stage.answer(u"good bad,tag"_s);
        QCOMPARE(stage.last<commands::SetMarks>().marks.tags, (std::vector<std::string>{"good", "bad", "tag"}));
        stage.action(u"candidate.boost"_s).trigger();
        stage.answer(u"2.5"_s);
        QCOMPARE(stage.last<commands::SetMarks>().marks.boost, 2.5);
        stage.action(u"candidate.more"_s).trigger();
        stage.answer(u"3"_s);
        QVERIFY(stage.last<commands::RequestEdits>() == (commands::RequestEdits{stage.shown, 3}));
        stage.action(u"candidate.rerun"_s).trigger();
        QVERIFY(stage.last<commands::Rerun>() == (commands::Rerun{stage.shown, 1}));
        stage.action(u"candidate.rerun-more"_s).trigger();
        stage.find<QSpinBox>(u"rerunRepeats"_s)->setValue(5);
        QTest::keyClick(stage.find<QWidget>(u"rerunEditor"_s), Qt::Key_Return);
        const CandidateId best = stage.run.state().incumbent; // as it is named, whoever is the best later
        const CandidateId beside = best == stage.shown ? CandidateId{1} : best;
        QVERIFY(stage.last<commands::Rerun>() == (commands::Rerun{stage.shown, 5, beside}));
        QAction &idea = stage.action(u"candidate.idea"_s), &judge = stage.action(u"candidate.judge"_s);
        QVERIFY(!idea.isEnabled() && !judge.isEnabled()); // the mutator reads no prompts
        QVERIFY2(idea.toolTip().startsWith(u"The proposer of this run, mutator, uses no prompts"_s),
            qPrintable(idea.toolTip()));
        QVERIFY2(judge.toolTip().startsWith(u"No language model takes part"_s), qPrintable(judge.toolTip()));
        stage.run.record(events::ProposerChanged{"manual"});
        stage.open();
        QVERIFY(idea.isEnabled() && !judge.isEnabled()); // a user reads prompts
        QVERIFY2(idea.toolTip().startsWith(u"Add your idea to the next prompt"_s), qPrintable(idea.toolTip()));
        stage.run.record(events::ProposerChanged{"model"});
        stage.open();
        QVERIFY(idea.isEnabled());
        QVERIFY2(judge.toolTip().startsWith(u"Show a model's opinion"_s), qPrintable(judge.toolTip()));
    }

    void aProgramIsSavedToAFile()
    {
        SteeringStage stage;
        const QTemporaryDir folder;
        QVERIFY(stage.action(u"candidate.save"_s).isEnabled());
        const auto choose = [&](const QString& path) {
            stage.action(u"candidate.save"_s).trigger();
            auto* dialog = stage.find<QFileDialog>(u"programDialog"_s);
            QVERIFY(QFileInfo(dialog->selectedFiles().value(0)).fileName().startsWith(nameOfCandidate(stage.shown)));
            Q_EMIT dialog->fileSelected(path);
            dialog->close();
            QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        };
        const auto told = [&](const QString& words) {
            return std::ranges::any_of(stage.window->findChildren<QLabel*>(),
                [&](const QLabel* label) { return label->isVisible() && label->text().contains(words); });
        };
        const QString path = folder.filePath(u"best.cpp"_s);
        choose(path);
        QTRY_VERIFY_WITH_TIMEOUT(QFileInfo::exists(path), patience);
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QString saved = QString::fromUtf8(file.readAll());
        QVERIFY2(saved.startsWith(u"// SPDX-License-Identifier: Apache-2.0\n// %1 of the session "_s.arg(
                     nameOfCandidate(stage.shown))),
            qPrintable(saved.left(200)));
        const std::string source = stage.run.text(stage.run.state().candidate(stage.shown)->source).toStdString();
        QCOMPARE(programInSaved(saved.toStdString(), source), source);
        QTRY_VERIFY_WITH_TIMEOUT(told(u"was written to "_s + path), patience);
        const QString nowhere = folder.filePath(u"missing/best.cpp"_s);
        choose(nowhere);
        QTRY_VERIFY_WITH_TIMEOUT(
            told(u"could not be saved: "_s + nowhere + u" cannot be written: there is no folder"_s), patience);
        QVERIFY(told(u"create it, or choose another file"_s));
    }

    void whoIsAskedForEditsIsChangedFromTheRunMenu()
    {
        SteeringStage stage;
        stage.action(u"run.proposer"_s).trigger();
        auto* kind = stage.find<QComboBox>(u"proposerKind"_s);
        auto* apply = stage.find<QPushButton>(u"applyProposer"_s);
        auto* with = stage.find<QLineEdit>(u"proposerWith"_s);
        auto* note = stage.find<QLabel>(u"proposerNote"_s);
        QVERIFY(kind && apply && with && note);
        QVERIFY(!apply->isEnabled()); // nothing is new
        kind->setCurrentIndex(kind->findData(u"model"_s));
        QVERIFY(with->isVisible());
        QVERIFY2(!apply->isEnabled() && note->text().contains(u"does not exist"_s), qPrintable(note->text()));
        with->setText(stage.folder.filePath(u"settings.ini"_s));
        QFile file(with->text());
        QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Append));
        file.close();
        with->setText(with->text() + u' ');
        QVERIFY(apply->isEnabled());
        kind->setCurrentIndex(kind->findData(u"manual"_s));
        QVERIFY(apply->isEnabled() && !with->isVisible());
        QTest::mouseClick(apply, Qt::LeftButton);
        QCOMPARE(stage.client.proposers, QStringList{u"manual"_s});
    }

    void theFolderOfRepliesByHandIsChosenAndNotTyped()
    {
        SteeringStage stage;
        stage.action(u"run.proposer"_s).trigger();
        const auto inEditor = [&stage](auto* as, const QString& name) {
            for (QWidget* editor : stage.window->findChildren<QWidget*>(u"proposerEditor"_s))
                if (editor->isVisible())
                    return editor->findChild<std::remove_pointer_t<decltype(as)>*>(name);
            return decltype(as){};
        };
        auto* kind = inEditor(static_cast<QComboBox*>(nullptr), u"proposerKind"_s);
        kind->setCurrentIndex(kind->findData(u"manual"_s));
        QVERIFY(!inEditor(static_cast<QPushButton*>(nullptr), u"choosePlace"_s)->isVisible());
        inEditor(static_cast<QComboBox*>(nullptr), u"promptsWait"_s)->setCurrentIndex(1);
        QVERIFY(!inEditor(static_cast<QPushButton*>(nullptr), u"applyProposer"_s)->isEnabled());
        QVERIFY(inEditor(static_cast<QLabel*>(nullptr), u"proposerNote"_s)->text().startsWith(u"Choose the folder"_s));
        auto* choose = inEditor(static_cast<QPushButton*>(nullptr), u"choosePlace"_s);
        QVERIFY(choose->visibleRegion().boundingRect().height() == choose->sizeHint().height());
        QTest::mouseClick(choose, Qt::LeftButton);
        auto* dialog = stage.find<QFileDialog>(u"placeDialog"_s);
        QVERIFY(dialog && dialog->fileMode() == QFileDialog::Directory);
        QVERIFY(!inEditor(static_cast<QComboBox*>(nullptr), u"proposerKind"_s)); // it made room
        const QString folder = stage.folder.filePath(u"replies"_s);
        QVERIFY(QDir().mkpath(folder));
        dialog->setDirectory(stage.folder.path());
        dialog->selectFile(folder);
        static_cast<QDialog*>(dialog)->accept();
        QVERIFY(inEditor(static_cast<QComboBox*>(nullptr), u"proposerKind"_s));
        QCOMPARE(inEditor(static_cast<QLineEdit*>(nullptr), u"proposerWith"_s)->text(), folder);
        QTest::mouseClick(inEditor(static_cast<QPushButton*>(nullptr), u"applyProposer"_s), Qt::LeftButton);
        QCOMPARE(stage.client.proposers, QStringList{u"manual:"_s + folder});
    }

    void copyAndMoveOfferTheOtherIslands()
    {
        SteeringStage stage;
        const IslandId home = stage.run.state().candidate(stage.shown)->island;
        stage.action(u"candidate.move"_s).trigger();
        auto* menu = stage.find<QMenu>(u"islandMenu"_s);
        QVERIFY(menu);
        QCOMPARE(menu->actions().size(), 3);
        menu->actions().front()->trigger();
        const auto place = stage.last<commands::Place>();
        QVERIFY(place.candidate == stage.shown && place.placing == Placing::Move && place.island != home);
        menu->close();
    }

    void aNoteIsWrittenInItsTabAndKeptWhenAnotherCandidateIsChosen()
    {
        SteeringStage stage;
        stage.window->evolve().inspector().setTab(TextTabs::Notes);
        auto* note = stage.find<QPlainTextEdit>(u"candidateNote"_s);
        QVERIFY(note && note->isVisible());
        QTest::keyClicks(note, u"watch the tail"_s);
        QVERIFY(stage.find<QPushButton>(u"keepNote"_s)->isEnabled());
        QTest::keyClick(note, Qt::Key_Return, Qt::ControlModifier);
        QVERIFY(stage.last<commands::SetMarks>()
            == (commands::SetMarks{stage.shown, marked([&](Marks& m) { m.note = "watch the tail"; })}));
        stage.mark(marked([&](Marks& m) { m.note = "watch the tail"; }));
        QCOMPARE(note->toPlainText(), u"watch the tail"_s);
        QVERIFY(!stage.find<QPushButton>(u"keepNote"_s)->isEnabled());
        QTest::keyClicks(note, u"!"_s);
        const std::size_t sent = stage.client.candidateCommands.size();
        stage.window->selection().select({1});
        QCOMPARE(stage.client.candidateCommands.size(), sent + 1);
        QCOMPARE(stage.last<commands::SetMarks>().candidate, stage.shown);
        QVERIFY(note->toPlainText().isEmpty());
    }

    void marksAreSeenInTableInspectorAndLineage()
    {
        SteeringStage stage;
        auto* marks = stage.find<QLabel>(u"candidateMarks"_s);
        QVERIFY(!marks->isVisible());
        stage.mark(marked([&](Marks& m) {
            m.starred = true;
            m.banned = true;
            m.boost = 3;
            m.tags = {"odd"};
            m.note = "n";
        }));
        QVERIFY(marks->isVisible());
        for (const QString& word : {u"starred"_s, u"banned"_s, u"×3"_s, u"odd"_s, u"note"_s})
            QVERIFY2(marks->text().contains(word), qPrintable(word));
        auto* table = stage.find<Table>(u"candidateTable"_s);
        const int column = static_cast<int>(CandidateModel::Column::Marks);
        bool seen = false;
        for (int row = 0; row < table->model()->rowCount(); ++row) {
            const bool isShown
                = table->model()->index(row, 0).data(CandidateModel::IdRole).toLongLong() == stage.shown.value;
            QCOMPARE(table->model()->index(row, column).data().toString().isEmpty(), !isShown);
            seen = seen || isShown;
        }
        QVERIFY(seen);
        const Lineage lineage = lineageOf(stage.run.state());
        const LineageNode& node = lineage.nodes[static_cast<std::size_t>(lineage.nodeOf(stage.shown))];
        QVERIFY(node.starred && node.banned && !node.pinned);
    }

    void aBannedBestLosesItsBadgeAndItsCopiesSayWhoseBanItIs()
    {
        SteeringStage stage;
        const CandidateId best = stage.run.state().best()->id;
        const Candidate* of = stage.run.state().candidate(best);
        const IslandId other{of->island.value == 1 ? 2 : 1};
        Candidate copy = *of;
        copy.id = {static_cast<std::int64_t>(stage.run.state().candidates.size()) + 1};
        copy.island = other;
        copy.parents = {best};
        copy.migrated = true;
        stage.run.record(events::Placed{best, copy, Placing::Copy, of->cell, false, {}});
        const RunState& now = stage.run.state();
        QCOMPARE(howCopied(now, *now.candidate(copy.id)),
            u"copied by you from %1"_s.arg(text(islandLetter(now.candidate(best)->island))));
        QVERIFY(howCopied(now, *now.candidate(best)).isEmpty());
        stage.shown = best;
        stage.mark(marked([](Marks& m) { m.banned = true; }));
        const auto* badge = stage.find<QAbstractButton>(u"bestBadge"_s);
        const QString name = nameOfCandidate(best);
        QVERIFY2(!badge->accessibleName().contains(name), qPrintable(badge->accessibleName()));
        for (const Island& island : stage.run.state().islands)
            QVERIFY(island.best != best && island.best != copy.id);

        stage.window->selection().select(copy.id);
        QCOMPARE(stage.find<QLabel>(u"candidateMarks"_s)->text(), u"banned with %1"_s.arg(name));
        QVERIFY(stage.action(u"candidate.ban"_s).isChecked() && !stage.action(u"candidate.ban"_s).isEnabled());
        QVERIFY(!stage.action(u"candidate.more"_s).isEnabled());
        const Lineage lineage = lineageOf(stage.run.state());
        QVERIFY(lineage.nodes[static_cast<std::size_t>(lineage.nodeOf(copy.id))].banned);

        stage.run.record(events::MarkUndone{best});
        stage.open();
        for (const QString& mode : {u"review"_s, u"prompts"_s, u"evolve"_s}) {
            stage.window->selection().select(copy.id);
            stage.window->showScreen(mode);
            stage.find<QAbstractButton>(u"bestBadge"_s)->click();
            QCOMPARE(stage.window->selection().current(), best);
            QVERIFY(stage.find<QWidget>(u"candidateTable"_s)->isVisible());
        }
        QVERIFY2(badge->accessibleName().contains(name), qPrintable(badge->accessibleName()));
    }

    void aBanIsSaidWithAWayBackAndTheSameKeyLiftsItAgain()
    {
        Theatre stage(60);
        stage.open();
        const auto press = [&stage](Qt::Key key, Qt::KeyboardModifiers with = {}) {
            stage.window->activateWindow();
            QVERIFY(QTest::qWaitForWindowActive(stage.window.get(), patience));
            stage.window->centralWidget()->setFocus();
            QTest::keyClick(stage.window.get(), key, with);
        };
        const auto* said = stage.find<MessageBar>(u"messageBar"_s);
        const CandidateId best = stage.run.state().best()->id;
        const auto sent = [&stage] { return std::get<commands::SetMarks>(stage.client.candidateCommands.back()); };
        press(Qt::Key_B, Qt::ControlModifier | Qt::ShiftModifier); // nobody has selected it yet
        QVERIFY(sent().candidate == best && sent().marks.banned);
        stage.open(); // the run has not told of it yet
        stage.run.record(events::Marked{best, sent().marks});
        stage.open();
        QVERIFY(stage.run.state().best()->id != best);
        QCOMPARE(stage.window->selection().current(), best);
        QVERIFY2(said->text().startsWith(u"Banned %1. It was the best"_s.arg(nameOfCandidate(best))),
            qPrintable(said->text()));
        auto* undo = stage.find<QPushButton>(u"messageOffer"_s);
        QVERIFY(undo->isVisible());
        press(Qt::Key_B, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(sent().candidate == best && !sent().marks.banned);
        QTest::mouseClick(undo, Qt::LeftButton);
        QVERIFY(std::get<commands::UndoMarks>(stage.client.candidateCommands.back()) == commands::UndoMarks{best});
        QVERIFY2(said->text().startsWith(u"Undone: Banned %1."_s.arg(nameOfCandidate(best))), qPrintable(said->text()));
        stage.run.record(events::MarkUndone{best});
        stage.open();
        // What the menu takes back is said as well, and what is gone meanwhile is not taken back twice.
        press(Qt::Key_D, Qt::ControlModifier);
        stage.run.record(events::Marked{best, sent().marks});
        stage.open();
        QCOMPARE(said->text(), u"Starred %1."_s.arg(nameOfCandidate(best)));
        const std::size_t before = stage.client.candidateCommands.size();
        stage.run.record(events::MarkUndone{best});
        stage.open();
        QVERIFY(!undo->isVisible());
        QCOMPARE(stage.client.candidateCommands.size(), before);
        stage.run.record(events::Marked{best, sent().marks});
        stage.open();
        stage.window->actions()[u"candidate.unmark"_s].trigger();
        QVERIFY2(
            said->text().startsWith(u"Undone: Starred %1."_s.arg(nameOfCandidate(best))), qPrintable(said->text()));
    }

    /// What was said of an order does not stay as if it held.
    void anOrderThatSomebodyElseTakesBackIsSaidToBeTakenBack()
    {
        SteeringStage stage;
        stage.window->showScreen(u"evolve"_s);
        const auto* said = stage.find<MessageBar>(u"messageBar"_s);
        stage.action(u"candidate.ban"_s).trigger();
        stage.mark(stage.last<commands::SetMarks>().marks);
        const QString name = nameOfCandidate(stage.shown);
        QVERIFY2(said->text().startsWith(u"Banned %1."_s.arg(name)), qPrintable(said->text()));
        stage.run.record(events::MarkUndone{stage.shown}); // by a command from outside
        stage.open();
        QCOMPARE(said->text(), u"Undone: Banned %1."_s.arg(name));
        QVERIFY(!stage.find<QPushButton>(u"messageOffer"_s)->isVisible());
    }

    void aRowSaysWhetherWhoIsOnTheWayIsWorkedAt()
    {
        SteeringStage stage;
        const CandidateId approved = stage.run.awaitReview({});
        stage.run.decide(approved, Decision::Approved, {});
        stage.run.record(events::StageReached{approved, Stage::Building});
        stage.run.record(events::PhaseChanged{events::Phase::Running, "by hand", 0});
        stage.open();
        stage.window->showScreen(u"evolve"_s);
        stage.window->selection().select(approved);
        const auto* table = stage.find<Table>(u"candidateTable"_s);
        QStringList said;
        connect(table->model(), &QAbstractItemModel::dataChanged, this, [&](const QModelIndex& first) {
            said << first.siblingAtColumn(static_cast<int>(CandidateModel::Column::State)).data().toString();
        });
        for (const events::Phase phase : {events::Phase::Paused, events::Phase::Running}) {
            stage.run.record(events::PhaseChanged{phase, "by hand", 0});
            stage.open();
            const QString state = words(Stage::Building) + (phase == events::Phase::Paused ? u", halted"_s : QString());
            QTRY_VERIFY2_WITH_TIMEOUT(said.contains(state), qPrintable(said.join(u' ')), patience); // and painted anew
            said.clear();
        }
    }

    void aRowShowsItsMarksBesideItsName()
    {
        SteeringStage stage;
        stage.window->showScreen(u"evolve"_s);
        auto* table = stage.find<Table>(u"candidateTable"_s);
        const auto cell = [&] {
            const QRect area = table->visualRect(table->currentIndex().siblingAtColumn(0));
            return table->viewport()->grab(area).toImage();
        };
        const auto said = [&](int role) { return table->currentIndex().siblingAtColumn(0).data(role).toString(); };
        std::vector<QImage> seen{cell()};
        for (const auto& set : std::vector<std::function<void(Marks&)>>{[](Marks& m) { m.starred = true; },
                 [](Marks& m) { m.pinned = true; }, [](Marks& m) { m.banned = true; }}) {
            stage.mark(marked(set));
            const QImage now = cell();
            for (const QImage& other : seen)
                QVERIFY(now != other);
            seen.push_back(now);
        }
        QVERIFY(said(Qt::AccessibleTextRole).endsWith(u"banned"_s));
        QVERIFY(said(Qt::ToolTipRole).contains(u"banned"_s));
    }

    void theDiffNamesWhomItComparesWithAndLetsGoOfTheReference()
    {
        SteeringStage stage;
        const RunState& run = stage.run.state();
        const QString name = nameOfCandidate(stage.shown),
                      parent = nameOfCandidate(run.candidate(stage.shown)->parents.front());
        const auto* compared = stage.find<QLabel>(u"diffCompared"_s);
        auto* back = stage.find<QPushButton>(u"diffWithParent"_s);
        QCOMPARE(compared->text(), u"%1 against its parent, %2"_s.arg(name, parent));
        QVERIFY(back->isHidden());
        stage.window->selection().select(CandidateId{1});
        stage.action(u"candidate.reference"_s).trigger();
        stage.window->selection().select(stage.shown);
        QCOMPARE(compared->text(), u"%1 against the reference, c-0001"_s.arg(name));
        QVERIFY(!back->isHidden());
        back->click();
        QCOMPARE(compared->text(), u"%1 against its parent, %2"_s.arg(name, parent));
        QVERIFY(!stage.window->selection().reference());
        Candidate copy = *run.candidate(stage.shown);
        copy.id = CandidateId{std::ssize(run.candidates) + 1};
        copy.parents = {stage.shown};
        copy.migrated = true;
        copy.island = copy.island == IslandId{1} ? IslandId{2} : IslandId{1};
        stage.run.record(events::Placed{stage.shown, copy, Placing::Copy, copy.cell, false, {}});
        stage.open();
        stage.window->selection().select(copy.id);
        QCOMPARE(compared->text(),
            u"%1 (same program as %2) against the parent of its original, %3"_s.arg(
                nameOfCandidate(copy.id), name, parent));
        int pins = 0; // the word means one thing
        for (const QAction* action : stage.window->actions().all())
            pins += action->text().remove(u'&').startsWith(u"Pin"_s);
        QCOMPARE(pins, 1);
    }

    void theQueryLineFindsMarksTagsAndNotes()
    {
        SteeringStage stage;
        stage.mark(marked([&](Marks& m) {
            m.starred = true;
            m.tags = {"odd"};
            m.note = "watch the tail";
        }));
        const RunState& state = stage.run.state();
        for (const QString& typed : {u"mark:starred"_s, u"tag:odd"_s, u"note:tail"_s, u"tag:ODD mark:star"_s}) {
            const CandidateQuery query = CandidateQuery::parse(typed);
            QVERIFY(!query.problem);
            for (const Candidate& candidate : state.candidates)
                QCOMPARE(query.accepts(state, candidate), candidate.id == stage.shown);
        }
        const CandidateQuery part = CandidateQuery::parse(u"tag:od"_s); // a tag is a whole word
        QVERIFY(!part.accepts(state, *state.candidate(stage.shown)));
    }

    void whatIsOnlyLookedAtCannotBeChanged()
    {
        SteeringStage stage;
        auto readOnly = std::make_shared<Snapshot>(*stage.run.snapshot());
        readOnly->status.readOnly = true;
        stage.client.publish(readOnly);
        for (const QString& id :
            {u"candidate.star"_s, u"candidate.ban"_s, u"candidate.more"_s, u"candidate.inject"_s, u"candidate.rerun"_s})
            QVERIFY2(!stage.action(id).isEnabled(), qPrintable(id));
        QVERIFY(stage.find<QPlainTextEdit>(u"candidateNote"_s)->isReadOnly());
    }
};

TILEWRIGHT_TEST(TestSteeringWindow)

#include "test_steering_window.moc"
