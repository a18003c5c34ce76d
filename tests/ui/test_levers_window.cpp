// SPDX-License-Identifier: GPL-3.0-or-later
// The hand on single candidates in the window: what a person does reaches the engine as one lever, and what is marked
// is seen in table, inspector and lineage.
#include "tests/engine/marked.h"
#include "tests/patience.h"
#include "tests/ui/theatre.h"
#include "ui/evolve/candidate_inspector.h"
#include "ui/evolve/evolve_page.h"
#include "ui/lineage/lineage.h"
#include "ui/models/candidate_model.h"
#include "ui/models/candidate_query.h"
#include "ui/models/figures.h"
#include "ui/models/format.h"
#include "ui/models/score_words.h"
#include "ui/theme/theme.h"
#include "ui/widgets/code_view.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/numbered_editor.h"
#include "ui/widgets/room.h"
#include "ui/widgets/segments.h"
#include "ui/widgets/table.h"

#include <QComboBox>
#include <QDir>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScreen>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QTest>

using namespace tilewright;
using tilewright::testing::marked;
using namespace tilewright::ui;
using namespace tilewright::test;
using namespace Qt::StringLiterals;

namespace {

struct LeverStage : Theatre {
    CandidateId shown;

    LeverStage()
        : Theatre(60)
    {
        open();
        for (const Candidate& candidate : run.state().candidates)
            if (candidate.isRanked() && candidate.isOver() && !candidate.parents.empty() && !candidate.migrated)
                shown = candidate.id;
        window->selection().select(shown);
    }
    QAction& action(const QString& id) { return window->actions()[id]; }
    void answer(const QString& words)
    {
        auto* field = window->findChild<QWidget*>(u"askField"_s);
        if (auto* line = qobject_cast<QLineEdit*>(field))
            line->setText(words);
        else if (auto* text = qobject_cast<QPlainTextEdit*>(field))
            text->setPlainText(words);
        QTest::mouseClick(find<QPushButton>(u"askAccept"_s), Qt::LeftButton);
        // It deletes itself; the next question is another box.
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    }
    void mark(const Marks& marks)
    {
        run.record(events::Marked{shown, marks});
        open();
    }
    template <typename T> T last() { return std::get<T>(door.levers.back()); }
};

} // namespace

class TestLeversWindow : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyLeverIsInTheMenuAndSaysWhatItDoes()
    {
        LeverStage stage;
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
        LeverStage stage;
        stage.mark(marked([&](Marks& m) {
            m.pinned = true;
            m.tags = {"odd"};
        }));
        QVERIFY(stage.action(u"candidate.keep"_s).isChecked());
        stage.action(u"candidate.star"_s).trigger();
        QVERIFY(stage.last<levers::Mark>() == (levers::Mark{stage.shown, marked([&](Marks& m) {
                                                                m.starred = true;
                                                                m.pinned = true;
                                                                m.tags = {"odd"};
                                                            })}));
        stage.action(u"candidate.ban"_s).trigger();
        QVERIFY(stage.last<levers::Mark>() == (levers::Mark{stage.shown, marked([&](Marks& m) {
                                                                m.banned = true;
                                                                m.tags = {"odd"};
                                                            })}));
        QVERIFY(!stage.action(u"candidate.ban"_s).isChecked()); // until the engine has said so
        stage.action(u"candidate.unmark"_s).trigger();
        QVERIFY(stage.last<levers::UndoMark>() == levers::UndoMark{stage.shown});
    }

    void theLastMarkOfTheSelectedCandidateIsNamedAndTakenBackAndNoOthers()
    {
        LeverStage stage;
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
        QCOMPARE(words(), u"Undo star of %1"_s.arg(nameOfCandidate(stage.shown)));
        QVERIFY(undo.isEnabled());
        stage.action(u"candidate.unmark"_s).trigger();
        QVERIFY(stage.last<levers::UndoMark>() == levers::UndoMark{stage.shown});
        stage.run.put(events::MarkUndone{stage.shown});
        stage.open();
        QVERIFY(!undo.isEnabled());
        stage.window->selection().select(best);
        QCOMPARE(words(), u"Undo ban of %1"_s.arg(nameOfCandidate(best)));
    }

    void aBanOfWhatIsPinnedSaysThatThePinIsGoneAndItsUndoThatItIsBack()
    {
        LeverStage stage;
        const QString name = nameOfCandidate(stage.shown);
        const auto* said = stage.find<MessageBar>(u"messageBar"_s);
        stage.mark(marked([](Marks& m) { m.pinned = true; }));
        stage.action(u"candidate.ban"_s).trigger();
        stage.mark(stage.last<levers::Mark>().marks);
        QVERIFY2(said->text().startsWith(u"Banned %1, no longer pinned."_s.arg(name)), qPrintable(said->text()));
        stage.window->actions()[u"review.undo"_s].trigger();
        QVERIFY(stage.last<levers::UndoMark>() == levers::UndoMark{stage.shown});
        QVERIFY2(said->text().startsWith(u"Taken back: ban of %1, which was pinned. %1 is pinned again."_s.arg(name)),
            qPrintable(said->text()));
        stage.run.put(events::MarkUndone{stage.shown});
        stage.open();
        QVERIFY(isPinned(stage.run.state(), stage.shown));
    }

    void questionsAreAnsweredFromTheKeyboardAndReachTheEngine()
    {
        LeverStage stage;
        stage.action(u"candidate.tags"_s).trigger();
        stage.answer(u"fast  odd"_s);
        QCOMPARE(stage.last<levers::Mark>().marks.tags, (std::vector<std::string>{"fast", "odd"}));
        // What is refused is said where it was typed, and stays.
        const std::size_t sent = stage.door.levers.size();
        stage.action(u"candidate.tags"_s).trigger();
        stage.answer(u"good \"bad\",tag"_s);
        QCOMPARE(stage.door.levers.size(), sent);
        const auto* refused = stage.find<QLabel>(u"askRefusal"_s);
        QVERIFY2(refused && refused->isVisible() && refused->text().contains(u"is no tag"_s), "the box is gone");
        QCOMPARE(stage.find<QLineEdit>(u"askField"_s)->text(), u"good \"bad\",tag"_s);
        stage.answer(u"good bad,tag"_s);
        QCOMPARE(stage.last<levers::Mark>().marks.tags, (std::vector<std::string>{"good", "bad", "tag"}));
        stage.action(u"candidate.boost"_s).trigger();
        stage.answer(u"2.5"_s);
        QCOMPARE(stage.last<levers::Mark>().marks.boost, 2.5);
        stage.action(u"candidate.more"_s).trigger();
        stage.answer(u"3"_s);
        QVERIFY(stage.last<levers::Wish>() == (levers::Wish{stage.shown, 3}));
        stage.action(u"candidate.rerun"_s).trigger();
        QVERIFY(stage.last<levers::Rerun>() == (levers::Rerun{stage.shown, 1}));
        stage.action(u"candidate.rerun-more"_s).trigger();
        stage.find<QSpinBox>(u"rerunRepeats"_s)->setValue(5);
        QTest::keyClick(stage.find<QWidget>(u"rerunEditor"_s), Qt::Key_Return);
        const CandidateId best = stage.run.state().incumbent; // as it is named, whoever is the best later
        const CandidateId beside = best == stage.shown ? CandidateId{1} : best;
        QVERIFY(stage.last<levers::Rerun>() == (levers::Rerun{stage.shown, 5, beside}));
        QAction &idea = stage.action(u"candidate.idea"_s), &judge = stage.action(u"candidate.judge"_s);
        QVERIFY(!idea.isEnabled() && !judge.isEnabled()); // the mutator reads no prompts
        QVERIFY2(idea.toolTip().startsWith(u"The proposer of this run, mutator, reads no prompt"_s),
            qPrintable(idea.toolTip()));
        QVERIFY2(judge.toolTip().startsWith(u"No language model takes part"_s), qPrintable(judge.toolTip()));
        stage.run.record(events::ProposerChanged{"manual"});
        stage.open();
        QVERIFY(idea.isEnabled() && !judge.isEnabled()); // a person reads prompts
        QVERIFY2(idea.toolTip().startsWith(u"The next prompt"_s), qPrintable(idea.toolTip()));
        stage.run.record(events::ProposerChanged{"model"});
        stage.open();
        QVERIFY(idea.isEnabled());
        QVERIFY2(judge.toolTip().startsWith(u"What a model thinks"_s), qPrintable(judge.toolTip()));
    }

    void howItIsMeasuredAgainIsAskedAtTheButton()
    {
        LeverStage stage;
        auto* button = stage.find<QPushButton>(u"inspector:candidate.rerun-more"_s);
        QVERIFY(button->isVisible() && button->isEnabled());
        // Into the middle of the screen that tests have, which is smaller than the window.
        const QPoint middle = stage.window->screen()->availableGeometry().center();
        stage.window->move(stage.window->pos() + middle - button->mapToGlobal(button->rect().center()));
        QTest::mouseClick(button, Qt::LeftButton);
        const auto* editor = stage.find<QWidget>(u"rerunEditor"_s);
        QVERIFY(editor && editor->isVisible());
        const QRect at(button->mapToGlobal(QPoint(0, 0)), button->size()), card = editor->frameGeometry();
        const int below = card.top() - at.bottom(), above = at.top() - card.bottom();
        QVERIFY2(std::max(below, above) >= 0 && std::max(below, above) <= px(6),
            qPrintable(u"%1 %2"_s.arg(below).arg(above)));
        QVERIFY(card.left() <= at.right() && at.left() <= card.right());
    }

    void aRerunIsAskedForOnSizesOfOnesOwnAndSaysWhatTheTaskDoesNotTake()
    {
        LeverStage stage;
        stage.action(u"candidate.rerun-more"_s).trigger();
        auto* editor = stage.find<QWidget>(u"rerunEditor"_s);
        auto* shapes = stage.find<QComboBox>(u"rerunShapes"_s);
        auto* own = stage.find<QLineEdit>(u"rerunOwnShapes"_s);
        auto* note = stage.find<QLabel>(u"rerunNote"_s);
        auto* measure = stage.find<QPushButton>(u"applyRerun"_s);
        QVERIFY(editor && shapes && own && note && measure);
        QVERIFY(!own->isEnabled());
        const bool isConfirmed = stage.run.state().candidate(stage.shown)->confirmed;
        QCOMPARE(shapes->findData(u"heldout"_s) >= 0, isConfirmed);
        shapes->setCurrentIndex(shapes->count() - 1);
        QVERIFY(own->isEnabled() && !measure->isEnabled());
        own->setText(u"777x0x511"_s);
        QVERIFY(!measure->isEnabled());
        QVERIFY2(note->text().contains(u"N cannot be 0"_s), qPrintable(note->text()));
        own->setText(u"7x1023"_s);
        QVERIFY2(note->text().contains(u"names no shape"_s), qPrintable(note->text()));
        own->setText(u"77x103x51"_s);
        QVERIFY(measure->isEnabled());
        QTest::mouseClick(measure, Qt::LeftButton);
        QVERIFY(stage.last<levers::Rerun>()
            == (levers::Rerun{stage.shown, 1, stage.last<levers::Rerun>().against, "77x103x51"}));
    }

    void aRunOnOtherShapesStandsInTheRunsWithThem()
    {
        LeverStage stage;
        const RunState& before = stage.run.state();
        const Candidate shown = *before.candidate(stage.shown);
        const Shape own{77, 103, 51};
        stage.run.record(events::RerunAsked{{1}, stage.shown, 1, {}, {own}, ""});
        Evaluation again;
        again.id = {static_cast<std::int64_t>(before.evaluations.size()) + 1};
        again.candidate = stage.shown;
        again.against = CandidateId{1};
        again.device = before.device;
        again.result.purpose = Purpose::Rerun;
        again.result.outcome = shown.outcome;
        again.result.score = Interval{1.5, 1.49, 1.51};
        ShapeResult measured;
        measured.shape = own;
        measured.split = ShapeSplit::Own;
        measured.candidateNs = 1e5;
        measured.versusBaseline = again.result.score;
        again.result.shapes = {measured};
        stage.run.record(events::Evaluated{again, before.runNs});
        stage.open();
        stage.window->selection().select(stage.shown);
        stage.window->evolve().inspector().setTab(TextTabs::Runs);
        auto* runs = stage.find<Table>(u"runsTable"_s);
        QCOMPARE(runs->currentIndex().row(), 0); // the newest is the one to look at, and stands first
        QCOMPARE(runs->model()->index(0, 2).data().toString(), u"77×103×51"_s);
        QVERIFY(runs->model()->rowCount() > 1);
        QTRY_VERIFY_WITH_TIMEOUT(
            runs->rowViewportPosition(1) + runs->rowHeight(1) <= runs->viewport()->height(), patience);
        auto* table = stage.find<Table>(u"runShapeTable"_s);
        QVERIFY(table && table->isVisible());
        QCOMPARE(table->model()->rowCount(), 1);
        QCOMPARE(table->model()->index(0, 0).data().toString(), u"77×103×51"_s);
        QCOMPARE(table->model()->index(0, 1).data().toString(), u"own"_s);
        QVERIFY(stage.find<QLabel>(u"candidateDisputed"_s)->isHidden());
        // The same shapes again, and another score: what disagrees by how much is said, and what to do.
        const Evaluation first = *stage.run.state().evaluation(stage.run.state().candidate(stage.shown)->latest);
        const std::int64_t rerun = static_cast<std::int64_t>(stage.run.state().reruns.size()) + 1;
        stage.run.record(events::RerunAsked{{rerun}, stage.shown});
        Evaluation other = first;
        other.id = {static_cast<std::int64_t>(stage.run.state().evaluations.size()) + 1};
        other.result.purpose = Purpose::Rerun;
        const Interval was = *first.result.score;
        other.result.score = Interval{was.value * 1.1, was.lo * 1.1, was.hi * 1.1};
        stage.run.record(events::Evaluated{other, before.runNs});
        stage.open();
        stage.window->selection().select(stage.shown);
        const auto* disputed = stage.find<QLabel>(u"candidateDisputed"_s);
        QVERIFY(!disputed->isHidden());
        for (const QString& part : {u"No. %1"_s.arg(other.id.value), times(was.value), times(was.value * 1.1),
                 u"10.0 % apart"_s, u"noise floor of ± 0.6 %"_s, u"Measure again with"_s})
            QVERIFY2(disputed->text().contains(part), qPrintable(part + u": "_s + disputed->text()));
        QCOMPARE(runs->currentIndex().row(), 0);
        // Once it was timed beside another one, that is what to go by, whatever the score was then.
        stage.run.record(events::RerunAsked{{rerun + 1}, stage.shown, 1, CandidateId{1}});
        other.id = {other.id.value + 1};
        other.result.versusIncumbent = Interval{1.23, 1.22, 1.24};
        other.result.noiseFloor = 0;
        stage.run.record(events::Evaluated{other, before.runNs});
        stage.open();
        QVERIFY2(disputed->text().contains(u"timed it beside c-0001: 1.23× of its speed. Go by that"_s),
            qPrintable(disputed->text()));
        QVERIFY2(!disputed->text().contains(u"Measure again with"_s), qPrintable(disputed->text()));
    }

    void aFloorThatWasOnlyAssumedIsCalledSo()
    {
        FixtureRun run;
        run.grow(20);
        Disagreement found;
        found.noise = 0.01;
        QVERIFY(beyondNoise(found).contains(u"noise floor of ± 1.0 %"_s));
        found.isAssumed = true;
        QVERIFY(beyondNoise(found).contains(u"± 1.0 % that are assumed"_s));
        RunState state = run.state();
        const auto ranked = std::ranges::find_if(state.candidates, &Candidate::isRanked);
        QVERIFY(ranked != state.candidates.end());
        Evaluation again = *state.evaluation(ranked->latest);
        again.result.score = Interval{2 * ranked->score->value, 2 * ranked->score->lo, 2 * ranked->score->hi};
        again.result.noiseFloor = 0.004;
        QVERIFY(!disagreementOf(state, *ranked, again).value().isAssumed);
        again.result.noiseFloor = 0;
        state.noiseFloor = 0;
        QVERIFY(disagreementOf(state, *ranked, again).value().isAssumed);
    }

    void anotherDeviceIsOfferedWhereTheNodeHasOneOfTheTasksKind()
    {
        LeverStage stage;
        stage.action(u"candidate.rerun-more"_s).trigger();
        QVERIFY(!stage.find<QComboBox>(u"rerunDevice"_s)->isVisible());
        stage.find<QWidget>(u"rerunEditor"_s)->close();
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        auto machine = std::make_shared<Snapshot>(*stage.run.snapshot());
        const bool isGpu = machine->pack->task.target == Target::Cuda;
        machine->status.devices.clear();
        for (const char* id : {"cpu0", isGpu ? "GPU-a" : "cpu1", isGpu ? "GPU-b" : "GPU-a"}) {
            DeviceStatus status;
            status.device.id = id;
            status.device.name = std::string("Model of ") + id;
            status.measures = std::string(id) == (isGpu ? "GPU-a" : "cpu0");
            machine->status.devices.push_back(status);
        }
        stage.door.publish(machine);
        stage.action(u"candidate.rerun-more"_s).trigger();
        auto* device = stage.find<QComboBox>(u"rerunDevice"_s);
        QVERIFY(device->isVisible());
        QCOMPARE(device->count(), 2); // what cannot run the task's programs is not offered
        device->setCurrentIndex(1);
        QTest::mouseClick(stage.find<QPushButton>(u"applyRerun"_s), Qt::LeftButton);
        QCOMPARE(stage.last<levers::Rerun>().device, std::string(isGpu ? "GPU-b" : "cpu1"));
    }

    void whereTheDeviceIsNotHereNothingIsMeasuredAgain()
    {
        LeverStage stage;
        auto elsewhere = std::make_shared<Snapshot>(*stage.run.snapshot());
        elsewhere->status.elsewhere = "this session was measured on another device";
        elsewhere->status.devices.clear();
        stage.door.publish(elsewhere);
        const QAction &again = stage.action(u"candidate.rerun"_s), &with = stage.action(u"candidate.rerun-more"_s);
        QVERIFY(!again.isEnabled() && with.isEnabled());
        QVERIFY2(
            again.toolTip().startsWith(u"This session was measured on another device"_s), qPrintable(again.toolTip()));
        stage.action(u"candidate.rerun-more"_s).trigger();
        QVERIFY(!stage.find<QPushButton>(u"applyRerun"_s)->isEnabled());
        QVERIFY(stage.find<QLabel>(u"rerunNote"_s)->text().startsWith(u"This session was measured on another"_s));
        stage.find<QWidget>(u"rerunEditor"_s)->close();
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        DeviceStatus here;
        here.device.id = elsewhere->pack->task.target == Target::Cuda ? "GPU-here" : "cpu0";
        elsewhere = std::make_shared<Snapshot>(*elsewhere);
        elsewhere->status.devices.push_back(here);
        stage.door.publish(elsewhere);
        QVERIFY(!again.isEnabled()); // there another device is chosen
        stage.action(u"candidate.rerun-more"_s).trigger();
        QVERIFY(stage.find<QPushButton>(u"applyRerun"_s)->isEnabled());
    }

    void aProgramIsSavedToAFile()
    {
        LeverStage stage;
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
        QCOMPARE(QString::fromUtf8(file.readAll()), stage.run.text(stage.run.state().candidate(stage.shown)->source));
        QTRY_VERIFY_WITH_TIMEOUT(told(u"was written to "_s + path), patience);
        const QString nowhere = folder.filePath(u"missing/best.cpp"_s);
        choose(nowhere);
        QTRY_VERIFY_WITH_TIMEOUT(told(u"could not be written to "_s + nowhere), patience);
        QVERIFY(told(u"Choose a folder that you may write to"_s));
    }

    void whoIsAskedForEditsIsChangedFromTheRunMenu()
    {
        LeverStage stage;
        stage.action(u"run.proposer"_s).trigger();
        auto* kind = stage.find<QComboBox>(u"proposerKind"_s);
        auto* apply = stage.find<QPushButton>(u"applyProposer"_s);
        auto* with = stage.find<QLineEdit>(u"proposerWith"_s);
        auto* note = stage.find<QLabel>(u"proposerNote"_s);
        QVERIFY(kind && apply && with && note);
        QVERIFY(!apply->isEnabled()); // nothing is new
        kind->setCurrentIndex(kind->findData(u"model"_s));
        QVERIFY(with->isVisible());
        QVERIFY2(!apply->isEnabled() && note->text().contains(u"no such file"_s), qPrintable(note->text()));
        with->setText(stage.folder.filePath(u"settings.ini"_s));
        QFile file(with->text());
        QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Append));
        file.close();
        with->setText(with->text() + u' ');
        QVERIFY(apply->isEnabled());
        kind->setCurrentIndex(kind->findData(u"manual"_s));
        QVERIFY(apply->isEnabled() && !with->isVisible());
        QTest::mouseClick(apply, Qt::LeftButton);
        QCOMPARE(stage.door.proposers, QStringList{u"manual"_s});
    }

    void theFolderOfRepliesByHandIsChosenAndNotTyped()
    {
        LeverStage stage;
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
        QCOMPARE(stage.door.proposers, QStringList{u"manual:"_s + folder});
    }

    void copyAndMoveOfferTheOtherIslands()
    {
        LeverStage stage;
        const IslandId home = stage.run.state().candidate(stage.shown)->island;
        stage.action(u"candidate.move"_s).trigger();
        auto* menu = stage.find<QMenu>(u"islandMenu"_s);
        QVERIFY(menu);
        QCOMPARE(menu->actions().size(), 3);
        menu->actions().front()->trigger();
        const auto place = stage.last<levers::Place>();
        QVERIFY(place.candidate == stage.shown && place.placing == Placing::Move && place.island != home);
        menu->close();
    }

    void aNoteIsWrittenInItsTabAndKeptWhenAnotherCandidateIsChosen()
    {
        LeverStage stage;
        stage.window->evolve().inspector().setTab(TextTabs::Notes);
        auto* note = stage.find<QPlainTextEdit>(u"candidateNote"_s);
        QVERIFY(note && note->isVisible());
        QTest::keyClicks(note, u"watch the tail"_s);
        QVERIFY(stage.find<QPushButton>(u"keepNote"_s)->isEnabled());
        QTest::keyClick(note, Qt::Key_Return, Qt::ControlModifier);
        QVERIFY(stage.last<levers::Mark>()
            == (levers::Mark{stage.shown, marked([&](Marks& m) { m.note = "watch the tail"; })}));
        stage.mark(marked([&](Marks& m) { m.note = "watch the tail"; }));
        QCOMPARE(note->toPlainText(), u"watch the tail"_s);
        QVERIFY(!stage.find<QPushButton>(u"keepNote"_s)->isEnabled());
        QTest::keyClicks(note, u"!"_s);
        const std::size_t sent = stage.door.levers.size();
        stage.window->selection().select({1});
        QCOMPARE(stage.door.levers.size(), sent + 1);
        QCOMPARE(stage.last<levers::Mark>().candidate, stage.shown);
        QVERIFY(note->toPlainText().isEmpty());
    }

    void marksAreSeenInTableInspectorAndLineage()
    {
        LeverStage stage;
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
        LeverStage stage;
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
            u"copied by hand from %1"_s.arg(text(islandLetter(now.candidate(best)->island))));
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
        for (const Mode mode : {Mode::Review, Mode::Prompts, Mode::Evolve}) {
            stage.window->selection().select(copy.id);
            stage.window->showMode(mode);
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
        const auto sent = [&stage] { return std::get<levers::Mark>(stage.door.levers.back()); };
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
        QVERIFY(std::get<levers::UndoMark>(stage.door.levers.back()) == levers::UndoMark{best});
        QVERIFY2(
            said->text().startsWith(u"Taken back: ban of %1."_s.arg(nameOfCandidate(best))), qPrintable(said->text()));
        stage.run.record(events::MarkUndone{best});
        stage.open();
        // What the menu takes back is said as well, and what is gone meanwhile is not taken back twice.
        press(Qt::Key_D, Qt::ControlModifier);
        stage.run.record(events::Marked{best, sent().marks});
        stage.open();
        QCOMPARE(said->text(), u"Starred %1."_s.arg(nameOfCandidate(best)));
        const std::size_t before = stage.door.levers.size();
        stage.run.record(events::MarkUndone{best});
        stage.open();
        QTest::mouseClick(undo, Qt::LeftButton);
        QCOMPARE(stage.door.levers.size(), before);
        QVERIFY2(said->text().startsWith(u"It cannot be taken back any more"_s), qPrintable(said->text()));
        stage.run.record(events::Marked{best, sent().marks});
        stage.open();
        stage.window->actions()[u"candidate.unmark"_s].trigger();
        QVERIFY2(
            said->text().startsWith(u"Taken back: star of %1."_s.arg(nameOfCandidate(best))), qPrintable(said->text()));
    }

    /// What was said of an order does not stay as if it held.
    void anOrderThatSomebodyElseTakesBackIsSaidToBeTakenBack()
    {
        LeverStage stage;
        stage.window->showMode(Mode::Evolve);
        const auto* said = stage.find<MessageBar>(u"messageBar"_s);
        stage.action(u"candidate.ban"_s).trigger();
        stage.mark(stage.last<levers::Mark>().marks);
        const QString name = nameOfCandidate(stage.shown);
        QVERIFY2(said->text().startsWith(u"Banned %1."_s.arg(name)), qPrintable(said->text()));
        stage.run.record(events::MarkUndone{stage.shown}); // by a command from outside
        stage.open();
        QCOMPARE(said->text(), u"Taken back: ban of %1."_s.arg(name));
        QVERIFY(!stage.find<QPushButton>(u"messageOffer"_s)->isVisible());
    }

    void aRowShowsItsMarksBesideItsName()
    {
        LeverStage stage;
        stage.window->showMode(Mode::Evolve);
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
        LeverStage stage;
        const RunState& run = stage.run.state();
        const QString name = nameOfCandidate(stage.shown),
                      parent = nameOfCandidate(run.candidate(stage.shown)->parents.front());
        const auto* compared = stage.find<QLabel>(u"diffCompared"_s);
        auto* back = stage.find<QPushButton>(u"diffWithParent"_s);
        QCOMPARE(compared->text(), u"%1 beside its parent, %2"_s.arg(name, parent));
        QVERIFY(back->isHidden());
        stage.window->selection().select(CandidateId{1});
        stage.action(u"candidate.reference"_s).trigger();
        stage.window->selection().select(stage.shown);
        QCOMPARE(compared->text(), u"%1 beside the reference, c-0001"_s.arg(name));
        QVERIFY(!back->isHidden());
        back->click();
        QCOMPARE(compared->text(), u"%1 beside its parent, %2"_s.arg(name, parent));
        QVERIFY(!stage.window->selection().reference());
        int pins = 0; // the word means one thing
        for (const QAction* action : stage.window->actions().all())
            pins += action->text().remove(u'&').startsWith(u"Pin"_s);
        QCOMPARE(pins, 1);
    }

    void theQueryLineFindsMarksTagsAndNotes()
    {
        LeverStage stage;
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

    void aVersionOfOnesOwnIsWrittenSentAndShown()
    {
        LeverStage stage;
        stage.action(u"candidate.inject"_s).trigger();
        auto* text = stage.find<QPlainTextEdit>(u"injectedText"_s);
        QVERIFY(text);
        QTRY_VERIFY(!text->toPlainText().isEmpty());
        const QString before = text->toPlainText();
        text->setPlainText(before + u"// mine\n"_s);
        stage.find<QLineEdit>(u"injectedWhy"_s)->setText(u"worth a try"_s);
        auto* send = stage.find<QPushButton>(u"sendInjection"_s);
        QVERIFY(send->isEnabled());
        QTest::mouseClick(send, Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(!stage.door.levers.empty(), patience); // once it is known to build
        const auto sent = stage.last<levers::Inject>();
        QCOMPARE(sent.parent, stage.shown);
        QCOMPARE(sent.text, (before + u"// mine\n"_s).toStdString());
        QCOMPARE(sent.why, std::string("worth a try"));
        Q_EMIT stage.door.failed(u"patch/outside"_s, u"it stands outside"_s, u"look at the markers"_s);
        auto* said = stage.find<QLabel>(u"injectionSaid"_s);
        QVERIFY(said->isVisible() && said->text().contains(u"outside"_s));
        QVERIFY(send->isEnabled());
        const auto* bar = stage.find<MessageBar>(u"messageBar"_s);
        QVERIFY2(bar->text().contains(u"It stands outside"_s), qPrintable(bar->text()));
        // Once it is taken it is said, and taken back from there.
        QTest::mouseClick(send, Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(stage.door.levers.size(), std::size_t(2), patience);
        const RunState& run = stage.run.state();
        Proposal proposal;
        proposal.id = {static_cast<std::int64_t>(run.proposals.size()) + 1};
        proposal.island = {1};
        proposal.proposer = "person";
        proposal.parents = {stage.shown};
        stage.run.record(events::Proposed{proposal});
        Candidate written;
        written.id = {static_cast<std::int64_t>(run.candidates.size()) + 1};
        written.proposal = proposal.id;
        written.island = {1};
        written.parents = {stage.shown};
        written.source = written.program = stage.run.store("int mine;\n");
        stage.run.record(events::CandidateMade{written});
        stage.open();
        QCOMPARE(bar->text(),
            u"Your version is %1. It is built, checked and measured next."_s.arg(nameOfCandidate(written.id)));
        QTest::mouseClick(stage.find<QPushButton>(u"messageOffer"_s), Qt::LeftButton);
        QVERIFY(stage.last<levers::Withdraw>() == levers::Withdraw{written.id});
    }

    void aVersionOfOnesOwnIsCheckedAndCompared()
    {
        LeverStage stage;
        stage.door.checksAtOnce = false;
        stage.action(u"candidate.inject"_s).trigger();
        auto* text = stage.find<NumberedEditor>(u"injectedText"_s);
        auto* said = stage.find<QLabel>(u"injectionSaid"_s);
        auto* send = stage.find<QPushButton>(u"sendInjection"_s);
        QTRY_VERIFY_WITH_TIMEOUT(!text->lines().empty(), patience);
        QVERIFY(stage.door.editChecks.empty());
        const int at
            = static_cast<int>(std::ranges::find(text->lines(), false, &EditedLine::isLocked) - text->lines().begin());
        QVERIFY(at < text->blockCount()); // what may change is not shaded
        text->goToLine(at + 1);
        text->insertPlainText(u"int mine\n"_s);
        QTRY_COMPARE_WITH_TIMEOUT(std::ranges::count(text->lines(), true, &EditedLine::isChanged), 1, patience);
        QVERIFY(stage.find<QLabel>(u"injectionChanged"_s)->text().startsWith(u"−0 +1"_s));
        QTRY_COMPARE_WITH_TIMEOUT(stage.door.editChecks.size(), std::size_t(1), patience);
        const auto asked = stage.door.editChecks[0];
        QCOMPARE(asked.candidate, stage.shown);
        QCOMPARE(asked.text, text->toPlainText());
        QCOMPARE(asked.as, EditAs::Child);
        stage.door.tellCheck(asked.tag,
            {EditCheckEnd::Broken, {"build/error", "candidate.cpp:9:9: error: expected ';'", "", nullptr}, 9, {}});
        QVERIFY(said->isVisible() && said->text().contains(u"candidate.cpp:9:9: error: expected ';'"_s));
        QVERIFY(!send->isEnabled());
        text->setPlainText(text->toPlainText().replace(u"int mine"_s, u"int mine;"_s));
        QVERIFY(send->isEnabled());
        QTRY_COMPARE_WITH_TIMEOUT(stage.door.editChecks.size(), std::size_t(2), patience);
        stage.door.tellCheck(stage.door.editChecks[1].tag, {});
        QCOMPARE(said->text(), u"Your text builds."_s);

        auto* dialog = stage.find<QWidget>(u"injectionEditor"_s);
        auto* parent = dialog->findChild<CodeView*>(u"writtenBefore"_s);
        QVERIFY(!parent->isVisible());
        auto* views = dialog->findChild<Segments*>(u"injectionViews"_s);
        views->findChildren<QAbstractButton*>().at(1)->click();
        QVERIFY(parent->isVisible());
        QCOMPARE(static_cast<int>(parent->lines().size()), text->blockCount()); // a filler line beside the new one
    }

    /// With the keys that Review has while one writes there.
    void keysLeadFromChangeToChangeOfAVersionOfOnesOwn()
    {
        LeverStage stage;
        stage.action(u"candidate.inject"_s).trigger();
        auto* text = stage.find<NumberedEditor>(u"injectedText"_s);
        QTRY_VERIFY_WITH_TIMEOUT(!text->lines().empty(), patience);
        const auto* next = stage.find<QPushButton>(u"nextOwnChange"_s);
        QVERIFY(!next->isEnabled() && next->text().endsWith(u"F8"_s)); // nothing is changed yet
        const int at
            = static_cast<int>(std::ranges::find(text->lines(), false, &EditedLine::isLocked) - text->lines().begin());
        for (const int line : {at, at + 2}) {
            text->goToLine(line + 1);
            QTest::keyClicks(text, u"int mine;"_s);
            QTest::keyClick(text, Qt::Key_Return);
        }
        QTRY_COMPARE_WITH_TIMEOUT(std::ranges::count(text->lines(), true, &EditedLine::isChanged), 2, patience);
        QVERIFY(next->isEnabled());
        auto* dialog = stage.find<QWidget>(u"injectionEditor"_s);
        dialog->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(dialog, patience));
        const auto line = [text] { return text->textCursor().blockNumber(); };
        text->moveCursor(QTextCursor::Start);
        for (const auto& [key, wanted] :
            {std::pair(Qt::Key_F8, at), {Qt::Key_F8, at + 2}, {Qt::Key_F8, at}, {Qt::Key_F7, at + 2}}) {
            QTest::keyClick(text, key);
            QTRY_COMPARE_WITH_TIMEOUT(line(), wanted, patience);
        }
        stage.find<QPushButton>(u"previousOwnChange"_s)->click();
        QCOMPARE(line(), at);
        QVERIFY(text->hasFocus()); // to write there
    }

    void aVersionOfOnesOwnIsBuiltBeforeItIsQueued()
    {
        LeverStage stage;
        stage.door.checksAtOnce = false;
        stage.action(u"candidate.inject"_s).trigger();
        auto* text = stage.find<NumberedEditor>(u"injectedText"_s);
        auto* said = stage.find<QLabel>(u"injectionSaid"_s);
        auto* send = stage.find<QPushButton>(u"sendInjection"_s);
        QTRY_VERIFY_WITH_TIMEOUT(!text->lines().empty(), patience);
        QVERIFY(!send->isEnabled()); // nothing is changed yet
        const QString before = text->toPlainText();
        text->goToLine(1); // above the block
        QTest::keyClicks(text, u"x"_s);
        QCOMPARE(text->toPlainText(), before);
        QVERIFY2(said->isVisible() && said->text().contains(u"EVOLVE-BLOCK"_s), qPrintable(said->text()));
        const int at
            = static_cast<int>(std::ranges::find(text->lines(), false, &EditedLine::isLocked) - text->lines().begin());
        text->goToLine(at + 1);
        QTest::keyClicks(text, u"int mine"_s);
        QTest::mouseClick(send, Qt::LeftButton); // before it was checked
        QCOMPARE(stage.door.editChecks.size(), std::size_t(1));
        QVERIFY(stage.door.levers.empty());
        QCOMPARE(said->text(), u"It is built first, and queued once it builds."_s);
        stage.door.tellCheck(stage.door.editChecks[0].tag,
            {EditCheckEnd::Broken, {"build/error", "candidate.cpp:9:9: error: expected ';'", "", nullptr}, 9, {}});
        QVERIFY(stage.door.levers.empty());
        QVERIFY2(said->text().contains(u"expected ';'"_s), qPrintable(said->text()));
        QVERIFY(!send->isEnabled());
        QTest::keyClicks(text, u";"_s);
        QTest::mouseClick(send, Qt::LeftButton);
        stage.door.tellCheck(stage.door.editChecks[1].tag, {});
        QCOMPARE(stage.last<levers::Inject>().text, text->toPlainText().toStdString());
    }

    void whatIsOnlyLookedAtCannotBeChanged()
    {
        LeverStage stage;
        auto readOnly = std::make_shared<Snapshot>(*stage.run.snapshot());
        readOnly->status.readOnly = true;
        stage.door.publish(readOnly);
        for (const QString& id :
            {u"candidate.star"_s, u"candidate.ban"_s, u"candidate.more"_s, u"candidate.inject"_s, u"candidate.rerun"_s})
            QVERIFY2(!stage.action(id).isEnabled(), qPrintable(id));
        QVERIFY(stage.find<QPlainTextEdit>(u"candidateNote"_s)->isReadOnly());
    }
};

int main(int argc, char** argv)
{
    QTemporaryDir data; // the person's own sessions are not looked at
    qputenv("XDG_DATA_HOME", data.path().toLocal8Bit());
    QApplication app(argc, argv);
    Theme::instance().apply(ThemeKind::Dark);
    TestLeversWindow test;
    return QTest::qExec(&test, argc, argv);
}

#include "test_levers_window.moc"
