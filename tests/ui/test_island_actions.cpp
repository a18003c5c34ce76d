// SPDX-License-Identifier: GPL-3.0-or-later
// Orders to islands in the window: what menus and editors say to the engine, and what is seen of it afterwards.
#include "core/engine/session/undo_history.h"
#include "core/evolve/island_events.h"
#include "core/evolve/islands.h"
#include "core/evolve/usual_mix.h"
#include "tests/llm/model_stage.h"
#include "tests/patience.h"
#include "tests/test_program.h"
#include "tests/ui/fits.h"
#include "tests/ui/theatre.h"
#include "ui/evolve/fitness_changes.h"
#include "ui/evolve/fitness_data.h"
#include "ui/evolve/migration_editor.h"
#include "ui/evolve/migration_footer.h"
#include "ui/lineage/lineage.h"
#include "ui/models/display_text.h"
#include "ui/models/island_model.h"
#include "ui/theme/theme.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/plot/plot_hover.h"
#include "ui/widgets/table.h"

#include <QAbstractItemView>
#include <QCheckBox>
#include <QComboBox>
#include <QContextMenuEvent>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QListView>
#include <QMenu>
#include <QPushButton>
#include <QSpinBox>
#include <QTabBar>
#include <QToolButton>
#include <QtTest>

using namespace tilewright;
using namespace tilewright::ui;
using namespace Qt::StringLiterals;
using test::Theatre;
using testing::canaryKey;
using testing::canaryVariable;
using testing::writeModelsFile;

namespace {

QAction* actionCalled(const QMenu& menu, const QString& words)
{
    for (QAction* action : menu.actions()) {
        if (action->text().remove(u'&') == words)
            return action;
        if (action->menu())
            if (QAction* inner = actionCalled(*action->menu(), words))
                return inner;
    }
    return nullptr;
}

/// The menu key on a row of the islands.
QMenu* menuOf(Theatre& stage, int row)
{
    auto* list = stage.find<QListView>(u"islandList"_s);
    list->setCurrentIndex(list->model()->index(row, 0));
    const QPoint at = list->visualRect(list->currentIndex()).center();
    QContextMenuEvent event(QContextMenuEvent::Keyboard, at, list->viewport()->mapToGlobal(at));
    QCoreApplication::sendEvent(list->viewport(), &event);
    const auto menus = list->findChildren<QMenu*>(u"islandMenu"_s);
    return menus.isEmpty() ? nullptr : menus.last();
}

/// The order that this item of an island's menu gives.
std::optional<IslandCommand> orderOf(Theatre& stage, int row, const QString& words)
{
    QMenu* menu = menuOf(stage, row);
    QAction* action = menu ? actionCalled(*menu, words) : nullptr;
    if (!action || !action->isEnabled())
        return std::nullopt;
    stage.client.orders.clear();
    action->trigger();
    menu->close();
    return stage.client.orders.size() == 1 ? std::optional(stage.client.orders.front()) : std::nullopt;
}

void setPaused(Theatre& stage, std::int64_t island)
{
    stage.run.put(events::IslandStandingChanged{{island}, Standing::Paused, {}, {}, {}});
}

void compareRoom(const QWidget& editor)
{
    for (const QLabel* label : editor.findChildren<QLabel*>())
        if (label->isVisible())
            QVERIFY2(label->width() >= label->sizeHint().width(), qPrintable(label->text()));
    QVERIFY(editor.height() <= 800);
    QVERIFY(editor.width() <= 1280);
}

} // namespace

class TestIslandActions : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theMenuKeyOffersEveryOrderToAnIsland()
    {
        Theatre stage;
        stage.open();
        const auto paused = orderOf(stage, 1, u"Pause island B"_s);
        QVERIFY(paused && std::get<commands::PauseIsland>(*paused).island == IslandId{2});
        const QAction* first = menuOf(stage, 1)->actions().value(0); // whose menu it is, in words
        QVERIFY(first && !first->isSeparator() && !first->isEnabled());
        QCOMPARE(first->text(), u"B Packing"_s);
        const auto tuned = orderOf(stage, 0, u"Only tune"_s);
        QVERIFY(tuned && std::get<commands::SteerIsland>(*tuned).steering.focus == Focus::Tune);
        const auto cloned = orderOf(stage, 2, u"Clone island C"_s);
        QVERIFY(cloned && std::get<commands::CloneIsland>(*cloned).island == IslandId{3});
        const auto merged = orderOf(stage, 3, u"B Packing"_s);
        QVERIFY(merged && std::get<commands::MergeIsland>(*merged).island == IslandId{4});
        QVERIFY(std::get<commands::MergeIsland>(*merged).into == IslandId{2});
        const auto reset = orderOf(stage, 3, u"To the best of the other islands"_s);
        QVERIFY(reset && std::get<commands::ResetIsland>(*reset).beginning == commands::Beginning::Best);
        const auto weakest = orderOf(stage, 0, u"Reset the weakest island"_s);
        QVERIFY(weakest && !std::get<commands::ResetIsland>(*weakest).island);
        const auto added = orderOf(stage, 0, u"With focus crossover"_s);
        QVERIFY(added && std::get<commands::AddIsland>(*added).focus == Focus::Crossover);
    }

    void howManyThereAreIsNeverCut()
    {
        Theatre stage;
        stage.window->resize(1280, 800);
        stage.open();
        tilewright::test::settle(*stage.window);
        const auto* list = stage.find<QListView>(u"islandList"_s);
        QVERIFY(list->isVisible());
        int titles = 0;
        for (const ElidedLabel* label : stage.window->findChildren<ElidedLabel*>())
            if (label->text().contains(u"population"_s)) {
                QVERIFY2(label->shown() == label->text() || label->shown() == u"4"_s, qPrintable(label->shown()));
                ++titles;
            }
        QCOMPARE(titles, 1);
    }

    void theButtonOfTheTitleOffersTheSame()
    {
        Theatre stage;
        stage.open();
        auto* button = stage.find<QToolButton>(u"islandOrders"_s);
        QVERIFY(!button->accessibleName().isEmpty());
        Q_EMIT button->menu()->aboutToShow();
        QVERIFY(actionCalled(*button->menu(), u"Pause island C"_s));
        QVERIFY(actionCalled(*button->menu(), u"Migration…"_s));
        setPaused(stage, 3);
        stage.open();
        Q_EMIT button->menu()->aboutToShow();
        QVERIFY(!actionCalled(*button->menu(), u"Pause island C"_s));
        QVERIFY(actionCalled(*button->menu(), u"Resume island C"_s));
    }

    void aRecordedSessionTakesNoOrders()
    {
        Theatre stage;
        auto snapshot = std::make_shared<Snapshot>(*stage.run.snapshot());
        snapshot->status.readOnly = true;
        stage.client.publish(snapshot);
        QVERIFY(!orderOf(stage, 1, u"Pause island B"_s));
    }

    void aPausedAndAMergedIslandLookIt()
    {
        Theatre stage;
        stage.open();
        stage.window->showScreen(u"evolve"_s);
        auto* list = stage.find<QListView>(u"islandList"_s);
        QCoreApplication::processEvents();
        const QImage before = list->grab().toImage();
        setPaused(stage, 2);
        stage.run.put(events::IslandStandingChanged{{4}, Standing::Ended, {1}, {}, {}});
        stage.run.put(events::IslandSteered{{1}, {Focus::Tune, {}, 0.5, {}}});
        stage.open();
        const auto wordsOf = [&](int row, int role) { return list->model()->index(row, 0).data(role).toString(); };
        QCOMPARE(wordsOf(1, Qt::DisplayRole), u"B Packing, paused"_s);
        QVERIFY(wordsOf(1, Qt::AccessibleTextRole).contains(u"paused"_s));
        QCOMPARE(wordsOf(3, Qt::DisplayRole), u"D Mixed, merged into A"_s);
        QVERIFY(wordsOf(0, Qt::ToolTipRole).contains(u"temperature 0.5"_s));
        QCOMPARE(
            list->model()->index(0, static_cast<int>(IslandModel::Column::Focus)).data().toString(), u"only tune"_s);
        QTRY_VERIFY_WITH_TIMEOUT(list->grab().toImage() != before, patience);
        QMenu* menu = menuOf(stage, 3);
        QVERIFY(menu);
        QVERIFY(!actionCalled(*menu, u"Pause island D"_s));
        menu->close();
        const auto merge = orderOf(stage, 0, u"D Mixed"_s);
        QVERIFY(!merge); // nobody is merged into what has ended
    }

    void anIslandWhoseMakingWasTakenBackIsGoneFromSight()
    {
        Theatre stage;
        stage.open();
        auto* list = stage.find<QListView>(u"islandList"_s);
        const auto rows = [&] { return list->model()->rowCount(); };
        const auto name = [&](int row) { return list->model()->index(row, 0).data().toString(); };
        QCOMPARE(rows(), 4);
        stage.run.put(events::IslandCreated{{5}, "Mixed (copy of D)", "evolve"});
        stage.open();
        QTRY_COMPARE_WITH_TIMEOUT(rows(), 5, patience);
        QCOMPARE(lineageOf(stage.run.state()).islands, 5);
        const std::int64_t added = stage.run.state().newestIslandChange()->number;
        stage.run.put(events::IslandChangeUndone{added});
        stage.open();
        QTRY_COMPARE_WITH_TIMEOUT(rows(), 4, patience);
        QCOMPARE(stage.run.state().islands.size(), std::size_t(5)); // the record has it
        QCOMPARE(lineageOf(stage.run.state()).islands, 4);
        // The next one has a letter of its own, and stands where it belongs.
        stage.run.put(events::IslandCreated{{6}, "Explore (copy of A)", "evolve"});
        stage.open();
        QTRY_COMPARE_WITH_TIMEOUT(rows(), 5, patience);
        QCOMPARE(name(4), u"F Explore (copy of A)"_s);
        const Lineage lineage = lineageOf(stage.run.state());
        QCOMPARE(lineage.bands, (std::vector<IslandId>{{1}, {2}, {3}, {4}, {6}}));
        const auto offered = orderOf(stage, 4, u"Pause island F"_s);
        QVERIFY(offered && std::get<commands::PauseIsland>(*offered).island == IslandId{6});
    }

    void aCloneOrMergerThatWasTakenBackLeavesNoTraceOnTheScreen()
    {
        Theatre stage;
        stage.open();
        const RunState earlier = stage.run.state();
        const auto* rows = stage.find<Table>(u"candidateTable"_s)->model();
        const auto* footer = stage.window->findChild<MigrationFooter*>();
        struct Seen {
            int rows = 0;
            QString tab; ///< with the number of candidates
            std::size_t nodes = 0;
            QString footer;
            QVector<QVector<double>> steps;
            qsizetype migrations = 0;
            bool operator==(const Seen&) const = default;
        };
        const auto seen = [&] {
            stage.open();
            const RunState& run = stage.run.state();
            const auto all = [](IslandId) { return true; };
            Seen now{rows->rowCount(), stage.find<QTabBar>(u"recordTabs"_s)->tabText(0), lineageOf(run).nodes.size(),
                footer->accessibleDescription().section(u"; "_s, 1, 1), {}, // who travelled last
                migrationsOf(run, RunAxis::Evaluation, tokens(), all).guides.size()};
            for (const PlotSeries& series : fitnessOf(run, {}, tokens(), {}, all).series)
                if (!series.stepY.isEmpty())
                    now.steps << series.stepY;
            return now;
        };
        const auto carryOut = [&](const IslandCommand& order) {
            const auto events = eventsOf(order, stage.run.state());
            QVERIFY(events.has_value());
            for (const EventBody& event : *events)
                stage.run.put(event);
        };
        const auto best = [&](const Island& island) { return earlier.candidate(island.best)->score->value; };
        const auto strongest = std::ranges::max_element(earlier.islands, {}, best);
        const auto weakest = std::ranges::min_element(earlier.islands, {}, best);
        const Seen before = seen();
        for (const IslandCommand& order : {IslandCommand(commands::CloneIsland{(*strongest).id}),
                 IslandCommand(commands::MergeIsland{(*strongest).id, (*weakest).id})}) {
            carryOut(order);
            const Seen there = seen();
            QVERIFY(there.rows > before.rows && there.nodes > before.nodes && there.steps != before.steps);
            // It is told as what it is: nobody travelled.
            QCOMPARE(there.footer, before.footer);
            QCOMPARE(there.migrations, before.migrations);
            carryOut(commands::UndoIslandCommand{});
            const Seen after = seen();
            QCOMPARE(after.rows, before.rows);
            QCOMPARE(after.tab, before.tab);
            QCOMPARE(after.nodes, before.nodes);
            QCOMPARE(after.footer, before.footer);
            QCOMPARE(after.steps, before.steps);
            QCOMPARE(after.migrations, before.migrations);
        }
    }

    void theNewestOrderIsTakenBack()
    {
        Theatre stage;
        stage.open();
        QVERIFY(!orderOf(stage, 0, u"Undo: Paused island B"_s));
        setPaused(stage, 2);
        stage.open();
        const auto undone = orderOf(stage, 0, u"Undo: Paused island B"_s);
        QVERIFY(undone && std::holds_alternative<commands::UndoIslandCommand>(*undone));
    }

    void theEditorOfAnIslandGivesItsMixAndTemperatures()
    {
        Theatre stage;
        stage.open();
        QMenu* menu = menuOf(stage, 1);
        QVERIFY(menu);
        actionCalled(*menu, u"Mixes and temperatures…"_s)->trigger();
        menu->close();
        auto* editor = stage.find<QWidget>(u"islandEditor"_s);
        QVERIFY(editor);
        compareRoom(*editor);
        auto* aim = editor->findChild<QComboBox*>(u"islandAim"_s);
        auto* apply = editor->findChild<QPushButton*>(u"applyIsland"_s);
        auto* exploit = editor->findChild<QDoubleSpinBox*>(u"weight.exploit"_s);
        QVERIFY(!exploit->isEnabled());
        QVERIFY(!editor->findChild<QDoubleSpinBox*>(u"samplingTemperature"_s)->isVisible()); // nobody takes it
        QCOMPARE(exploit->value(), usualMix(stage.run.state().islands[1].focus).exploit); // what its strategy does
        // Return in the open list chooses, and orders nothing.
        aim->showPopup();
        aim->view()->setCurrentIndex(aim->model()->index(aim->count() - 1, 0));
        stage.client.orders.clear();
        QTest::keyClick(aim->view(), Qt::Key_Return);
        QVERIFY(stage.client.orders.empty() && editor->isVisible());
        aim->setCurrentIndex(aim->count() - 1);
        for (const QString& name : {u"explore"_s, u"neighbour"_s, u"exploit"_s, u"crossover"_s, u"tune"_s})
            editor->findChild<QDoubleSpinBox*>(u"weight."_s + name)->setValue(0);
        QVERIFY(!apply->isEnabled());
        exploit->setValue(3);
        editor->findChild<QDoubleSpinBox*>(u"selectionTemperature"_s)->setValue(0.5);
        QVERIFY(apply->isEnabled());
        stage.client.orders.clear();
        apply->click();
        QCOMPARE(stage.client.orders.size(), std::size_t(1));
        const auto order = std::get<commands::SteerIsland>(stage.client.orders.front());
        QCOMPARE(order.island, IslandId{2});
        QVERIFY(order.steering.mix == (FocusMix{0, 0, 3, 0, 0}));
        QCOMPARE(order.steering.selection, 0.5);
        QVERIFY(!order.steering.sampling);
    }

    void waysBetweenIslandsAreDrawnByHand()
    {
        Theatre stage;
        stage.open();
        QMenu* menu = menuOf(stage, 0);
        QVERIFY(menu);
        actionCalled(*menu, u"Migration…"_s)->trigger();
        menu->close();
        auto* editor = stage.find<QWidget>(u"migrationEditor"_s);
        QVERIFY(editor);
        auto* ways = editor->findChild<QComboBox*>(u"migrationWays"_s);
        auto* apply = editor->findChild<QPushButton*>(u"applyMigration"_s);
        ways->setCurrentIndex(2);
        QVERIFY(!apply->isEnabled());
        auto* way = editor->findChild<QCheckBox*>(u"way.A.C"_s);
        QVERIFY(way->isVisible());
        QCOMPARE(way->accessibleName(), u"From island A to island C"_s);
        QVERIFY(!editor->findChild<QCheckBox*>(u"way.A.A"_s));
        way->setChecked(true);
        // Drawn from badge to badge, and drawn once more to take it away; a drag into the void draws nothing.
        auto* picture = editor->findChild<WaysPicture*>();
        const auto drag = [&](IslandId from, const QPoint& to) {
            QTest::mousePress(picture, Qt::LeftButton, {}, picture->placeOf(from).center().toPoint());
            QTest::mouseMove(picture, to);
            QTest::mouseRelease(picture, Qt::LeftButton, {}, to);
        };
        const auto* drawn = editor->findChild<QCheckBox*>(u"way.B.D"_s);
        drag({2}, picture->placeOf({4}).center().toPoint());
        QVERIFY(drawn->isChecked() && way->isChecked());
        QVERIFY(!editor->findChild<QCheckBox*>(u"way.D.B"_s)->isChecked());
        drag({2}, picture->rect().center());
        QVERIFY(drawn->isChecked());
        drag({2}, picture->placeOf({4}).center().toPoint());
        QVERIFY(!drawn->isChecked());
        editor->findChild<QSpinBox*>(u"migrationInterval"_s)->setValue(4);
        compareRoom(*editor);
        stage.client.orders.clear();
        apply->click();
        QCOMPARE(stage.client.orders.size(), std::size_t(1));
        const MigrationPlan plan = std::get<commands::PlanMigration>(stage.client.orders.front()).plan;
        QVERIFY(plan == (MigrationPlan{MigrationPlan::Ways::Drawn, {{{1}, {3}}}, 4}));
    }

    void anOrderToIslandsIsSaidOnceTheRunTellsOfItAndTakenBackBesideIt()
    {
        Theatre stage;
        stage.open();
        stage.window->showScreen(u"evolve"_s);
        const auto* said = stage.find<MessageBar>(u"messageBar"_s);
        actionCalled(*menuOf(stage, 1), u"Pause island B"_s)->trigger();
        QVERIFY2(said->text().isEmpty(), qPrintable(said->text()));
        setPaused(stage, 2);
        stage.open();
        QCOMPARE(said->text(), u"Paused island B."_s);
        auto* undo = stage.find<QPushButton>(u"messageOffer"_s);
        QVERIFY(undo->isVisible());
        undo->click();
        QVERIFY(std::holds_alternative<commands::UndoIslandCommand>(stage.client.orders.back()));
        QVERIFY2(said->text().startsWith(u"Undone: Paused island B."_s), qPrintable(said->text()));
        stage.run.put(events::IslandChangeUndone{stage.run.state().newestIslandChange()->number});
        stage.open();
        // What an aim was before is said with it; by its menu it is taken back and said as well.
        actionCalled(*menuOf(stage, 2), u"Only tune"_s)->trigger();
        IslandSteering steering = stage.run.state().islands[2].steering;
        steering.focus = Focus::Tune;
        stage.run.put(events::IslandSteered{{3}, steering});
        stage.open();
        QVERIFY2(said->text().startsWith(u"Steered island C: "_s) && said->text().contains(u" → "_s),
            qPrintable(said->text()));
        const QString steered = text(describe(stage.run.state(), *stage.run.state().newestIslandChange()));
        actionCalled(*menuOf(stage, 2), u"Undo: "_s + steered)->trigger();
        QVERIFY(std::holds_alternative<commands::UndoIslandCommand>(stage.client.orders.back()));
        QVERIFY2(said->text().startsWith(u"Undone: Steered island C"_s), qPrintable(said->text()));
    }

    void aCloneIsCalledOneAndItsUndoTellsWhatGoesWithIt()
    {
        Theatre stage;
        stage.open();
        const auto* said = stage.find<MessageBar>(u"messageBar"_s);
        actionCalled(*menuOf(stage, 1), u"Clone island B"_s)->trigger();
        stage.run.put(events::IslandCreated{{5}, "Packing (copy of B)", "evolve", Focus::Exploit, {}, {2}});
        stage.open();
        QCOMPARE(said->text(), u"Cloned island B as island E."_s);
        QCOMPARE(lineOf(stage.run.state().changes[stage.run.state().changes.size() - 1]),
            std::string("island E: cloned from island B, Packing (copy of B)"));
        const RunState& run = stage.run.state();
        for (const Stage reached : {Stage::Building, Stage::Queued, Stage::Screening}) {
            Candidate made;
            made.id = {static_cast<std::int64_t>(run.candidates.size()) + 1};
            made.island = {5};
            made.parents = {{1}};
            made.program = sha256(candidateName(made.id));
            stage.run.put(events::CandidateMade{made});
            stage.run.put(events::StageReached{made.id, reached});
        }
        stage.open();
        actionCalled(*menuOf(stage, 1), u"Undo: Cloned island B as island E"_s)->trigger();
        QVERIFY2(
            said->text().startsWith(
                u"Undone: Cloned island B as island E. Of its in-flight work: 2 edits for it are cancelled, 1 edit in measurement is finished."_s),
            qPrintable(said->text()));
    }

    void anIslandThatWasTakenBackStaysInSightWhereItHasCandidatesOfItsOwn()
    {
        Theatre stage;
        auto snapshot = std::make_shared<Snapshot>(*stage.run.snapshot());
        Island& island = snapshot->run.islands[3];
        QVERIFY(island.proposals > 0);
        island.standing = Standing::Ended;
        island.unmade = true;
        IslandModel model;
        model.show(snapshot);
        QCOMPARE(model.rowCount(), 4);
        QCOMPARE(model.standingOf(3), u"undone"_s);
        snapshot = std::make_shared<Snapshot>(*snapshot);
        snapshot->run.islands[3].proposals = 0; // there were copies alone
        model.show(snapshot);
        QCOMPARE(model.rowCount(), 3);
    }

    void oneKeyTakesTheNewestOrderBack()
    {
        Theatre stage;
        stage.open();
        QAction& undo = stage.window->actions()[u"review.undo"_s];
        const auto* said = stage.find<MessageBar>(u"messageBar"_s);
        setPaused(stage, 2);
        stage.open();
        QVERIFY(undo.isEnabled());
        stage.window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(stage.window.get(), patience));
        stage.window->centralWidget()->setFocus();
        QTest::keyClick(stage.window.get(), Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(stage.client.orders.size(), std::size_t(1));
        QVERIFY(std::holds_alternative<commands::UndoIslandCommand>(stage.client.orders.front()));
        QVERIFY2(said->text().startsWith(u"Undone: Paused island B."_s), qPrintable(said->text()));
        QTest::keyClick(stage.window.get(), Qt::Key_Z, Qt::ControlModifier); // before the run has told of it
        QCOMPARE(stage.client.orders.size(), std::size_t(1));
        stage.run.put(events::IslandChangeUndone{stage.run.state().newestIslandChange()->number});
        stage.open();
        QTest::keyClick(stage.window.get(), Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(stage.client.orders.size(), std::size_t(1));
        QVERIFY2(said->text().startsWith(u"There is nothing to undo"_s), qPrintable(said->text()));
    }

    void theMixOfProposersIsGivenByWeightsAndWhoHasNoKeyIsGreyWithTheReason()
    {
        Theatre stage;
        const QString models = stage.folder.filePath(u"models.json"_s);
        writeModelsFile(models, 1);
        QFile file(models);
        QVERIFY(file.open(QIODevice::ReadWrite));
        QByteArray words = file.readAll();
        const QByteArray key = "env:" + canaryVariable.toUtf8();
        words.replace(words.lastIndexOf(key), key.size(), "env:TILEWRIGHT_TEST_NO_SUCH_KEY");
        file.resize(0);
        file.seek(0);
        file.write(words);
        file.close();
        qputenv(qUtf8Printable(canaryVariable), canaryKey);
        stage.run.put(events::ProposerChanged{"model:" + models.toStdString()});
        stage.open();
        actionCalled(*menuOf(stage, 1), u"Mixes and temperatures…"_s)->trigger();
        auto* editor = stage.find<QWidget>(u"islandEditor"_s);
        QVERIFY(editor && editor->isVisible());
        auto* whose = editor->findChild<QComboBox*>(u"whoseWeights"_s);
        const auto weight = [editor](const char* name) {
            return editor->findChild<QDoubleSpinBox*>(u"proposerWeight:"_s + QLatin1String(name));
        };
        auto* apply = editor->findChild<QPushButton*>(u"applyIsland"_s);
        QCOMPARE(whose->currentText(), u"As set for the session"_s);
        QVERIFY(!weight("mutator")->isEnabled() && weight("model:swift")->value() == 2);
        whose->setCurrentIndex(1);
        QVERIFY(weight("mutator")->isEnabled() && weight("tuner")->isEnabled() && weight("model:swift")->isEnabled());
        QVERIFY(!weight("model:wise")->isEnabled());
        const auto* why = editor->findChild<QLabel*>(u"whyNot:model:wise"_s);
        QVERIFY2(why && why->text().contains(u"TILEWRIGHT_TEST_NO_SUCH_KEY"_s), why ? qPrintable(why->text()) : "");
        compareRoom(*editor);
        QVERIFY(why->height() >= why->heightForWidth(why->width()));
        weight("model:swift")->setValue(0);
        QVERIFY(!apply->isEnabled()); // nobody would be asked
        weight("model:swift")->setValue(3);
        weight("mutator")->setValue(1);
        stage.client.orders.clear();
        apply->click();
        QCOMPARE(stage.client.orders.size(), std::size_t(1));
        const auto order = std::get<commands::SteerIsland>(stage.client.orders.front());
        QVERIFY(order.island == IslandId{2});
        QVERIFY((order.steering.proposers == ProposerMix{{"mutator", 1}, {"model:swift", 3}}));

        stage.run.put(events::IslandSteered{order.island, order.steering});
        stage.open();
        const auto* list = stage.find<QListView>(u"islandList"_s);
        const auto* model = qobject_cast<const IslandModel*>(list->model());
        // The cards follow at their own pace.
        QTRY_COMPARE_WITH_TIMEOUT(model->mixParts(1), (QStringList{u"mutator 25 %"_s, u"swift 75 %"_s}), patience);
        QVERIFY2(model->steeringOf(1).contains(u"proposers: swift 3, mutator 1"_s), qPrintable(model->steeringOf(1)));
        QCOMPARE(changeSentence(stage.run.state().changes.back()),
            u"proposers of island B: as set for the session → swift 3, mutator 1"_s);
    }

    void aCommandOnACandidateIsATickAsWell()
    {
        Theatre stage;
        stage.open();
        auto* plot = stage.find<PlotView>(u"fitnessPlot"_s);
        const auto before = plot->marks().size();
        const Candidate candidate = stage.run.state().candidates[5];
        Marks marks;
        marks.starred = true;
        stage.run.put(events::Marked{candidate.id, marks}); // steers nothing
        marks.pinned = true;
        stage.run.put(events::Marked{candidate.id, marks});
        stage.run.put(events::SteeringRequested{{{1}, candidate.id, 2, "try 8x6"}});
        stage.run.put(events::RerunAsked{{1}, candidate.id, 3, {}});
        stage.run.put(events::RerunWithdrawn{{1}});
        stage.run.put(events::MarkUndone{candidate.id});
        stage.open();
        QCOMPARE(plot->marks().size(), before + 5);
        const RunState& run = stage.run.state();
        const QString name = nameOfCandidate(candidate.id);
        QStringList lines;
        for (std::size_t i = run.changes.size() - 5; i < run.changes.size(); ++i) {
            lines << changeSentence(run.changes[i]);
            QCOMPARE(run.changes[i].island, candidate.island);
        }
        QCOMPARE(lines,
            (QStringList{name + u" pinned (marks: none → pinned)"_s,
                name + u" parent of the next: 2 requests: try 8x6"_s,
                name + u" measuring: again, 3 times the samples"_s, name + u" measuring: again → not, undone"_s,
                name + u" pin removed (marks: pinned → none, undone)"_s}));
        QVERIFY(changeLabel(run.changes.back()).contains(name));
    }

    void aChangeIsATickOnTheTimeAxisAndTellsFromWhatToWhat()
    {
        Theatre stage;
        stage.open();
        auto* plot = stage.find<PlotView>(u"fitnessPlot"_s);
        const auto before = plot->marks().size();
        setPaused(stage, 2);
        stage.run.put(events::BudgetChanged{{2000, 3600}});
        stage.open();
        QCOMPARE(plot->marks().size(), before + 2);
        QCOMPARE(plot->marks().last().label, u"budget"_s);
        QCOMPARE(plot->marks()[before].label, u"B paused"_s);
        plot->fit();
        QCoreApplication::processEvents();
        const QPoint at(plot->pixelOf(plot->marks().last().x, 1).x(), 0);
        QPoint inside = at;
        while (plot->marksAt(inside).isEmpty() && inside.y() < plot->height())
            inside.ry() += 1;
        QCOMPARE(plot->marksAt(inside).size(), 2); // of the same moment
        Q_EMIT plot->marksHovered(plot->marksAt(inside), inside);
        QVERIFY(plot->findChild<PlotHover*>()->isVisible());
        const RunState& run = stage.run.state();
        QCOMPARE(changeSentence(run.changes[run.changes.size() - 2]), u"island B: living → paused"_s);
        QCOMPARE(changeSentence(run.changes.back()), u"budget: 1000 evaluations, 3600 s → 2000 evaluations, 3600 s"_s);
        QVERIFY(plot->accessibleDescription().contains(u"budget"_s));
    }
};

TILEWRIGHT_TEST(TestIslandActions)
#include "test_island_actions.moc"
