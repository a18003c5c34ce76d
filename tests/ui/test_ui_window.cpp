// SPDX-License-Identifier: GPL-3.0-or-later
// The window as a user meets it: found by object names, fed by a made-up run, on every screen, size and theme.
#include "app/gui/gui_options.h"
#include "app/gui/pictures.h"
#include "app/gui/stall_meter.h"
#include "core/store/packed_session.h"
#include "tests/patience.h"
#include "tests/test_program.h"
#include "tests/ui/fits.h"
#include "tests/ui/theatre.h"
#include "ui/devices/devices_page.h"
#include "ui/evolve/evolve_page.h"
#include "ui/evolve/runs_page.h"
#include "ui/models/candidate_model.h"
#include "ui/models/display_text.h"
#include "ui/models/rule_words.h"
#include "ui/prompts/open_prompts_page.h"
#include "ui/prompts/prompts_page.h"
#include "ui/prompts/templates_page.h"
#include "ui/review/review_page.h"
#include "ui/shell/budget_editor.h"
#include "ui/shell/main_window.h"
#include "ui/shell/screens.h"
#include "ui/shell/session_files.h"
#include "ui/theme/theme.h"
#include "ui/welcome/machine_card.h"
#include "ui/welcome/new_session_page.h"
#include "ui/welcome/session_choices.h"
#include "ui/welcome/task_picker.h"
#include "ui/widgets/code_view.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/pane.h"
#include "ui/widgets/pill.h"
#include "ui/widgets/table.h"

#include <QComboBox>
#include <QJsonArray>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QPushButton>
#include <QSpinBox>
#include <QTabBar>
#include <QTemporaryDir>
#include <QToolButton>
#include <QtTest>

using namespace tilewright;
using namespace tilewright::gui;
using namespace tilewright::ui;
using namespace Qt::StringLiterals;
using test::findings;
using test::setScene;
using test::settle;
using test::Theatre;

namespace {

/// What doctor says of a machine with one GPU.
QJsonObject findingsWithGpu()
{
    const QJsonObject device{{u"id"_s, u"cuda:0"_s}, {u"index"_s, 0}, {u"name"_s, u"NVIDIA H200"_s},
        {u"architecture"_s, u"sm_90a"_s}, {u"multiprocessors"_s, 132}, {u"memory_bytes"_s, 1.5e11}};
    return {{u"complete"_s, true},
        {u"findings"_s,
            QJsonArray{QJsonObject{{u"what"_s, u"cuda:0"_s}, {u"found"_s, true}, {u"needed"_s, false},
                {u"detail"_s, u"NVIDIA H200, sm_90a"_s}, {u"device"_s, device}}}}};
}

} // namespace

class TestUiWindow : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyIconOnlyControlHasAName();
    void aScreenshotIsNotEmpty();
    void aRailButtonWithACountIsFramedByTheFocusNotFilled();
    void aRailButtonTellsTheNumberUpToNinetyNine();
    void theWindowComesBackMaximisedAsItWasClosed();
    void theInspectorSaysWhatTheSnapshotSays();
    void aFailureShowsItsRuleAndEvidence();
    void theInspectorTellsWhatAResultStandsOn();
    void provisionalFiguresSaySo();
    void theDiffArrives();
    void selectingInTheTableSelectsEverywhere();
    void theTopRowOfTheCandidatesIsWhole();
    void runControlsFollowTheState();
    void thePauseButtonsMenuCancelsWhatFliesAndTheStatusBarSaysSo();
    void troubleIsToldWithoutADialog();
    void theMeterTellsWhatHasBegunBesideWhatIsDone();
    void theMeterTellsWhyTheLastResultHasAHigherNumber();
    void aUsedUpBudgetIsExtendedFromTheToolbar();
    void aBudgetBelowWhatIsSpentSaysSoBeforeItIsGiven();
    void aNewBudgetIsSaidWithWhatComesOfItAndTakenBackBesideIt();
    void closingWaitsForTheEngine();
    void reopeningClosesFirst();
    void theTableTwinHasTheSameRows();
    void theTableTwinMarksWhatIsSelected();
    void allFiguresOfTheModelsCanBeReached();
    void theWheelChangesABoxOnlyWithTheFocus();
    void placeholdersCanBeReadInEveryTheme();
    void aSessionWithoutAnEvaluationSaysSo();
    void aBudgetOfNothingIsRefusedBesideItsField();
    void theTabKeyFollowsThePageAsItIsRead();
    void aFinderWithoutHitsSaysSo();
    void everyDefaultOfANewSessionIsValid();
    void aWrongFileDisablesStartAndSaysWhy();
    void whatTheMachineLacksIsToldInWords();
    void aNewSessionReachesTheEngine();
    void packsOfOneNameSayWhereEachIsFrom();
    void aGpuTaskIsMeasuredOnAGpuOrNotStarted();
    void theCommandLineIsTheSameSession();
    void optionsAreReadBeforeAnyDisplay();
    void aFreezeWeighsAsLongAsItLasts();
    void aLongRunIsShownToItsLastCandidate();
    void whatIsBeingReadIsSeenButNotChanged();
    void whatIsOpeningIsToldOnEveryScreenOfASession();
};

void TestUiWindow::everyIconOnlyControlHasAName()
{
    Theatre stage;
    stage.open();
    for (const QAbstractButton* button : stage.window->findChildren<QAbstractButton*>()) {
        const QString kind = QString::fromLatin1(button->metaObject()->className());
        const QString owner = QString::fromLatin1(button->parent()->metaObject()->className());
        const bool ofQt
            = kind.startsWith(u'Q') && kind != u"QToolButton"_s && kind != u"QPushButton"_s && kind != u"QCheckBox"_s;
        if (ofQt || owner == u"QTabBar"_s || owner == u"QDockWidget"_s || owner == u"QMenuBar"_s)
            continue; // Qt's own parts, as the clear button of a line edit
        QVERIFY2(!button->accessibleName().isEmpty() || !button->text().isEmpty(),
            qPrintable(
                u"%1 in %2 %3"_s.arg(QLatin1String(button->metaObject()->className()), owner, button->toolTip())));
    }
    for (const QString& name : {u"fitnessPlot"_s, u"islandList"_s, u"candidateTable"_s, u"shapeTable"_s, u"logTable"_s})
        QVERIFY2(!stage.find<QWidget>(name)->accessibleName().isEmpty(), qPrintable(name));
}

void TestUiWindow::aScreenshotIsNotEmpty()
{
    Theatre stage;
    stage.open();
    const auto colours = [&stage] {
        const QImage image = stage.window->grab().toImage();
        QSet<QRgb> seen;
        for (int y = 0; y < image.height(); y += 3)
            for (int x = 0; x < image.width(); x += 3)
                seen.insert(image.pixel(x, y));
        return seen.size();
    };
    QTRY_VERIFY2_WITH_TIMEOUT(colours() > 200, qPrintable(QString::number(colours())), patience);
}

void TestUiWindow::aRailButtonWithACountIsFramedByTheFocusNotFilled()
{
    Theatre stage;
    stage.open();
    auto* bar = stage.window->findChild<ModeBar*>();
    bar->setCount(u"mode.prompts"_s, 3);
    auto* button = stage.find<QAbstractButton>(u"modeButton:mode.prompts"_s);
    const auto inside = [button] {
        const QImage image = button->grab().toImage();
        return image.copy(image.rect().adjusted(9, 9, -9, -9));
    };
    button->clearFocus();
    const QImage before = inside();
    stage.window->activateWindow();
    button->setFocus(Qt::TabFocusReason);
    QTRY_VERIFY_WITH_TIMEOUT(button->hasFocus(), patience);
    QCOMPARE(inside(), before);
}

void TestUiWindow::theInspectorSaysWhatTheSnapshotSays()
{
    Theatre stage;
    stage.open();
    const Candidate& best = *stage.run.state().best();
    QCOMPARE(stage.window->selection().current(), best.id);
    QCOMPARE(stage.find<QLabel>(u"candidateName"_s)->text(), nameOfCandidate(best.id));
    QCOMPARE(stage.find<QLabel>(u"scoreFigure"_s)->text(), times(best.score->value));
    QCOMPARE(stage.find<QLabel>(u"vendorFigure"_s)->text(), times(best.vsVendor->value));
    const QString library = u"OpenBLAS 0.3.21, Cooperlake"_s; // beside every figure that is about it
    QCOMPARE(stage.find<QLabel>(u"vendorLibrary"_s)->text().simplified(), u"vendor library: "_s + library);
    QVERIFY(stage.find<QWidget>(u"bestBadge"_s)->accessibleName().contains(library));
    CandidateModel candidates;
    candidates.show(stage.run.snapshot());
    constexpr int vendor = static_cast<int>(CandidateModel::Column::Vendor);
    QCOMPARE(candidates.headerData(vendor, Qt::Horizontal, Qt::DisplayRole).toString(), u"× OpenBLAS"_s);
    QVERIFY(candidates.headerData(vendor, Qt::Horizontal, Qt::ToolTipRole).toString().contains(library));
    QVERIFY(candidates.index(candidates.rowOf(best.id), vendor).data(Qt::ToolTipRole).toString().contains(library));
    QVERIFY(stage.find<QLabel>(u"heldoutFigure"_s)->text().contains(times(best.heldoutScore->value)));
    QCOMPARE(stage.find<Pill>(u"statePill"_s)->text(), u"confirmed"_s);
    QVERIFY(stage.find<QWidget>(u"bestBadge"_s)->accessibleName().contains(nameOfCandidate(best.id)));
}

void TestUiWindow::aFailureShowsItsRuleAndEvidence()
{
    Theatre stage;
    stage.open();
    for (const Candidate& candidate : stage.run.state().candidates) {
        if (candidate.rule != "verify/elementwise")
            continue;
        stage.window->selection().select(candidate.id);
        QCOMPARE(stage.find<QLabel>(u"outcomeRule"_s)->text(), u"verify/elementwise"_s);
        QVERIFY(stage.find<QLabel>(u"outcomeEvidence"_s)->text().contains(u"expected: 0.5273"_s));
        QVERIFY(!stage.find<QLabel>(u"scoreFigure"_s)->isVisible());
        QCOMPARE(stage.find<QLabel>(u"outcomeRemedy"_s)->text(), ruleRemedy("verify/elementwise"));
        return;
    }
    QFAIL("the fixture has no such failure");
}

void TestUiWindow::theInspectorTellsWhatAResultStandsOn()
{
    EvaluationResult result;
    QVERIFY(environmentText(result).isEmpty()); // of an older record
    result.environment = {{"rules_passed", {"build", "norm"}}, {"device", "Synthetic CPU"}, {"compiler", "g++ 12.2.0"},
        {"isolation", "sandbox"}, {"audit", {{"cleared", false}, {"rule", "verify/norm"}, {"text", "it is wrong"}}}};
    const QString words = environmentText(result);
    QVERIFY2(
        words.contains(u"Passed:\n·  builds\n·  error of the whole output within tolerance\n"_s), qPrintable(words));
    QVERIFY2(words.contains(u"Checked on Synthetic CPU · g++ 12.2.0 · sandbox"_s), qPrintable(words)); // refused
    result.score = Interval{1.1, 1.0, 1.2};
    result.environment["driver"] = "580.1";
    result.environment["mhz"] = {1918.0, 1981.4};
    QVERIFY2(environmentText(result).contains(
                 u"Measured on Synthetic CPU · g++ 12.2.0 · sandbox · driver 580.1 · %1 to %2 MHz"_s.arg(
                     grouped(1918), grouped(1981))),
        qPrintable(environmentText(result)));
    QVERIFY2(words.contains(u"was not passed: verify/norm it is wrong"_s), qPrintable(words));
    result.environment["audit"] = {{"cleared", true}};
    result.environment["rules_passed"] = nlohmann::json::array();
    QVERIFY(environmentText(result).startsWith(u"No rule passed"_s));
    QVERIFY(environmentText(result).contains(u"Audited"_s));
    result.environment["not_checked"] = {"compute-sanitizer: not installed"};
    QVERIFY(environmentText(result).contains(u"Not checked: compute-sanitizer: not installed"_s));
    result.environment["event_floor_ns"] = 1300;
    result.environment["near_event_floor"] = {{512, 512, 512}, {256, 256, 4096}};
    QVERIFY2(environmentText(result).contains(u"twentieth of the time on 512×512×512, 256×256×4096"_s),
        qPrintable(environmentText(result)));
    EvaluationResult rerun;
    QVERIFY(countersText(rerun).isEmpty());
    rerun.environment = {{"not_checked", {"ncu: not installed"}}};
    QCOMPARE(countersText(rerun), u"No counters: ncu: not installed"_s);
    const nlohmann::json counter{{"name", "dram__bytes.sum"}, {"value", 25.5}, {"unit", "Mbyte"}};
    rerun.environment = {{"counters", {{"launches", {{{"kernel", "gemm"}, {"counters", {counter}}}}}}}};
    QCOMPARE(countersText(rerun), u"Counters from gemm: 25.5 MB moved to and from memory"_s);

    Theatre stage;
    stage.open();
    const Candidate& best = *stage.run.state().best();
    const QString shown = stage.find<QLabel>(u"environmentNote"_s)->text();
    QCOMPARE(shown, environmentText(stage.run.state().evaluation(best.latest)->result));
}

void TestUiWindow::provisionalFiguresSaySo()
{
    Theatre stage;
    stage.open();
    for (const Candidate& candidate : stage.run.state().candidates) {
        if (!candidate.isRanked() || candidate.confirmed || candidate.migrated)
            continue;
        stage.window->selection().select(candidate.id);
        QVERIFY(stage.find<QLabel>(u"scoreFigure"_s)->text().startsWith(u"≈"_s));
        QVERIFY(!stage.find<QLabel>(u"heldoutFigure"_s)->isVisible());
        QCOMPARE(stage.find<Pill>(u"statePill"_s)->text(), u"provisional"_s);
        return;
    }
    QFAIL("the fixture has no provisional candidate");
}

void TestUiWindow::theDiffArrives()
{
    Theatre stage;
    stage.open();
    auto* diff = stage.find<CodeView>(u"diffView"_s);
    QTRY_VERIFY_WITH_TIMEOUT(
        std::ranges::any_of(diff->lines(), [](const CodeLine& line) { return line.mark == CodeLine::Mark::Added; }),
        patience);
    stage.window->selection().select(CandidateId{1});
    QTRY_VERIFY_WITH_TIMEOUT(diff->lines().empty(), patience);
    QVERIFY(diff->placeholderText().contains(u"seed"_s));
}

void TestUiWindow::selectingInTheTableSelectsEverywhere()
{
    Theatre stage;
    stage.open();
    auto* table = stage.find<Table>(u"candidateTable"_s);
    table->setCurrentIndex(table->model()->index(3, 0));
    const QString name = table->model()->index(3, 0).data().toString();
    QCOMPARE(stage.find<QLabel>(u"candidateName"_s)->text(), name);
    stage.window->selection().back();
    QVERIFY(stage.find<QLabel>(u"candidateName"_s)->text() != name);
}

void TestUiWindow::theTopRowOfTheCandidatesIsWhole()
{
    Theatre stage;
    stage.open();
    stage.window->showScreen(u"evolve"_s);
    settle(*stage.window);
    auto* table = stage.find<Table>(u"candidateTable"_s);
    const auto isWhole = [table] {
        const int row = table->rowAt(0);
        return table->visualRect(table->model()->index(row, 0)).top() == 0
            && table->viewport()->rect().contains(table->visualRect(table->currentIndex().siblingAtColumn(0)));
    };
    for (const std::int64_t id : {60, 20, 90}) {
        stage.window->selection().select(CandidateId{id});
        settle(*stage.window);
        QVERIFY2(isWhole(), qPrintable(QString::number(id)));
    }
    stage.window->resize(1280, 803); // not a height of whole rows
    settle(*stage.window);
    QVERIFY(isWhole());
}

void TestUiWindow::runControlsFollowTheState()
{
    Theatre stage;
    ActionRegistry& actions = stage.window->actions();
    QVERIFY(!actions[u"run.run"_s].isEnabled());
    stage.open();
    QVERIFY(!actions[u"run.run"_s].isEnabled());
    QVERIFY(actions[u"run.pause"_s].isEnabled());
    QTest::mouseClick(stage.find<QPushButton>(u"run.pause"_s), Qt::LeftButton);
    QCOMPARE(stage.client.calls, QStringList{u"pause"_s});
    auto pausing = std::make_shared<Snapshot>(*stage.run.snapshot());
    pausing->status.pausing = true;
    stage.client.publish(pausing);
    QVERIFY(!actions[u"run.pause"_s].isEnabled());
    QVERIFY(actions[u"run.pause-cancel"_s].isEnabled());
    stage.client.publish(stage.run.snapshot(events::Phase::Paused));
    QVERIFY(actions[u"run.run"_s].isEnabled());
    QVERIFY(actions[u"run.step"_s].isEnabled());
    QVERIFY(!actions[u"run.pause"_s].isEnabled());
}

void TestUiWindow::thePauseButtonsMenuCancelsWhatFliesAndTheStatusBarSaysSo()
{
    Theatre stage;
    stage.open();
    auto* ways = stage.find<QToolButton>(u"pauseWays"_s);
    QVERIFY(ways->isVisible() && ways->isEnabled());
    const QList<QAction*> entries = ways->menu()->actions();
    QCOMPARE(entries.size(), 2);
    QVERIFY(entries[0]->text().remove(u'&') == u"Pause after in-flight work"_s && entries[0]->isEnabled());
    QVERIFY(entries[1]->text().remove(u'&') == u"Pause now (cancel in-flight work)"_s && entries[1]->isEnabled());
    auto snapshot = std::make_shared<Snapshot>(*stage.run.snapshot());
    snapshot->status.pausing = true;
    stage.client.publish(snapshot);
    auto* summary = stage.find<ElidedLabel>(u"statusSummary"_s);
    QVERIFY2(summary->text().contains(u"In-flight work is finished first; Shift+F6 cancels it"_s),
        qPrintable(summary->text()));
    entries[1]->trigger();
    QCOMPARE(stage.client.calls, QStringList{u"pause and cancel"_s});
    QCOMPARE(entries[1]->shortcut(), QKeySequence(u"Shift+F6"_s));
    snapshot = std::make_shared<Snapshot>(*stage.run.snapshot(events::Phase::Paused));
    snapshot->run.phaseReason = "paused by user; cancelled: 2 requests, 1 build";
    stage.client.publish(snapshot);
    QVERIFY2(
        summary->text().startsWith(u"paused by user; cancelled: 2 requests, 1 build"_s), qPrintable(summary->text()));
    QVERIFY(!ways->isEnabled() && !entries[1]->isEnabled());
}

void TestUiWindow::troubleIsToldWithoutADialog()
{
    Theatre stage;
    auto* bar = stage.find<MessageBar>(u"messageBar"_s);
    Q_EMIT stage.client.failed(u"store/locked"_s, u"Another program writes this session."_s, u"close it there"_s);
    QVERIFY(bar->text().contains(u"close it there"_s));
    auto snapshot = std::make_shared<Snapshot>(*stage.run.snapshot(events::Phase::Paused));
    snapshot->status.recovered = "Recovered 312 evaluations, 1 was incomplete.";
    stage.client.publish(snapshot);
    QVERIFY(bar->text().contains(u"Recovered 312"_s));
    snapshot = std::make_shared<Snapshot>(*snapshot);
    snapshot->status.unsaved = true;
    stage.client.publish(snapshot);
    QVERIFY(stage.find<QLabel>(u"statusFile"_s)->text().endsWith(u"not saved"_s));
}

void TestUiWindow::theMeterTellsWhyTheLastResultHasAHigherNumber()
{
    Theatre stage(20);
    const CandidateId id = stage.run.awaitReview({});
    stage.run.decide(id, Decision::Rejected, "no");
    stage.open();
    const auto* meter = stage.find<Meter>(u"evaluationsMeter"_s);
    QVERIFY(!meter->toolTip().contains(u"number"_s));
    stage.run.record(events::ReviewUndone{stage.run.state().candidate(id)->review});
    stage.open();
    const std::int64_t last = stage.run.state().resultsEver;
    QCOMPARE(last, stage.run.state().evaluationsDone + 1);
    QVERIFY2(meter->toolTip().contains(u"The last result has number %1: rejections that were undone (1)"_s.arg(last)),
        qPrintable(meter->toolTip()));
}

void TestUiWindow::theMeterTellsWhatHasBegunBesideWhatIsDone()
{
    Theatre stage;
    auto snapshot = std::make_shared<Snapshot>(*stage.run.snapshot());
    snapshot->run.settings.budget.evaluations = 1000;
    snapshot->run.evaluationsDone = 310;
    snapshot->run.evaluationsStarted = 313;
    stage.client.publish(snapshot);
    const auto* meter = stage.find<Meter>(u"evaluationsMeter"_s);
    QVERIFY2(meter->accessibleName().startsWith(u"Evaluations: 310 + 3 of %1."_s.arg(grouped(1000))),
        qPrintable(meter->accessibleName()));
    QVERIFY2(meter->toolTip().contains(u"313 in all"_s), qPrintable(meter->toolTip()));
    snapshot = std::make_shared<Snapshot>(*snapshot);
    snapshot->run.evaluationsDone = 313;
    stage.client.publish(snapshot);
    QVERIFY(meter->accessibleName().startsWith(u"Evaluations: 313 of"_s));
}

void TestUiWindow::aUsedUpBudgetIsExtendedFromTheToolbar()
{
    Theatre stage;
    auto spent = std::make_shared<Snapshot>(*stage.run.snapshot(events::Phase::Finished));
    stage.client.publish(spent);
    auto* extend = stage.find<QPushButton>(u"extendBudget"_s);
    QVERIFY(!extend->isVisible()); // 1000 are allowed, fewer were used
    spent = std::make_shared<Snapshot>(*spent);
    spent->run.settings.budget.evaluations = spent->run.evaluationsStarted;
    stage.client.publish(spent);
    QVERIFY(extend->isVisible());
    // Run would end at once: it asks for more instead.
    stage.window->actions()[u"run.run"_s].trigger();
    QVERIFY(!stage.client.calls.contains(u"run"_s));
    for (const QString& step : {u"run.step"_s, u"run.step-islands"_s}) { // and so would a step
        QTRY_VERIFY_WITH_TIMEOUT(stage.find<QWidget>(u"budgetEditor"_s), patience);
        stage.find<QWidget>(u"budgetEditor"_s)->close();
        QTRY_VERIFY_WITH_TIMEOUT(!stage.find<QWidget>(u"budgetEditor"_s), patience);
        stage.window->actions()[step].trigger();
    }
    QVERIFY(stage.client.calls.isEmpty());
    auto* apply = stage.find<QPushButton>(u"applyBudget"_s);
    QVERIFY(apply && apply->isVisible());
    QTest::keyClick(apply->parentWidget(), Qt::Key_Return);
    QCOMPARE(stage.client.budget.evaluations, 2 * spent->run.evaluationsStarted);
    QCOMPARE(stage.client.calls, QStringList{u"run"_s});
    // One that was set below what has begun is extended beyond that: what is offered does not end the run at once.
    spent = std::make_shared<Snapshot>(*spent);
    spent->run.settings.budget.evaluations = 3;
    QTRY_VERIFY_WITH_TIMEOUT(!stage.find<QWidget>(u"budgetEditor"_s), patience);
    stage.client.publish(spent);
    stage.window->actions()[u"run.run"_s].trigger();
    const auto* offered = stage.find<QSpinBox>(u"budgetEvaluations"_s);
    QVERIFY(offered && offered->isVisible());
    QCOMPARE(offered->value(), spent->run.evaluationsStarted + 3);
    // A limit that is used up already extends nothing.
    stage.find<QSpinBox>(u"budgetEvaluations"_s)->setValue(4);
    apply = stage.find<QPushButton>(u"applyBudget"_s);
    QVERIFY(!apply->isEnabled());
    QCOMPARE(stage.find<QLabel>(u"budgetNote"_s)->property("tone").toString(), u"bad"_s);
    stage.find<QSpinBox>(u"budgetEvaluations"_s)->setValue(static_cast<int>(spent->run.evaluationsStarted) + 1);
    QVERIFY(apply->isEnabled());
}

void TestUiWindow::aBudgetBelowWhatIsSpentSaysSoBeforeItIsGiven()
{
    Theatre stage;
    stage.open();
    (new BudgetEditor(stage.window->session().snapshot(), stage.window.get()))->show();
    auto* evaluations = stage.find<QSpinBox>(u"budgetEvaluations"_s);
    const auto* note = stage.find<QLabel>(u"budgetNote"_s);
    QVERIFY(evaluations && evaluations->isVisible() && !note->isVisible());
    evaluations->setValue(3);
    QVERIFY(note->isVisible());
    QVERIFY2(note->text().startsWith(
                 u"%1 evaluations have already started"_s.arg(stage.window->session().run().evaluationsStarted)),
        qPrintable(note->text()));
    evaluations->setValue(1'000'000);
    QVERIFY(!note->isVisible());
    auto* apply = stage.find<QPushButton>(u"applyBudget"_s);
    evaluations->setFocus();
    evaluations->selectAll();
    QTest::keyClicks(evaluations, u"12x"_s);
    QVERIFY2(note->text().contains(u"“12x” is not a number"_s), qPrintable(note->text()));
    QVERIFY(!apply->isEnabled());
    QTest::keyClick(evaluations, Qt::Key_Return);
    QVERIFY(evaluations->isVisible()); // nothing was given
    QCOMPARE(stage.client.budget.evaluations, 0);
}

void TestUiWindow::aNewBudgetIsSaidWithWhatComesOfItAndTakenBackBesideIt()
{
    Theatre stage;
    stage.open();
    const auto* said = stage.find<MessageBar>(u"messageBar"_s);
    stage.window->actions()[u"run.budget"_s].trigger();
    stage.find<QSpinBox>(u"budgetEvaluations"_s)->setValue(3);
    stage.find<QPushButton>(u"applyBudget"_s)->click();
    QCOMPARE(stage.client.budget.evaluations, 3);
    const std::string before = wordsOfBudget(stage.run.state().settings.budget);
    const std::int64_t begun = stage.run.state().evaluationsStarted;
    stage.run.put(events::BudgetChanged{stage.client.budget});
    stage.open();
    const QString now = text(wordsOfBudget(stage.run.state().settings.budget));
    QVERIFY(now.contains(u"3 evaluations"_s));
    QCOMPARE(said->text(),
        u"Changed the budget from %1 to %2. %3 evaluations have already started: the run ends once they are finished."_s
            .arg(text(before), now)
            .arg(begun));
    auto* undo = stage.find<QPushButton>(u"messageOffer"_s);
    QVERIFY(undo->isVisible());
    stage.client.budget = {};
    undo->click();
    QVERIFY2(said->text().startsWith(u"Undone: Changed the budget"_s), qPrintable(said->text()));
    QCOMPARE(wordsOfBudget(stage.client.budget), before);
    // What is spent is what is spent by now, not what was when the limits were opened.
    QTRY_VERIFY_WITH_TIMEOUT(!stage.find<QWidget>(u"budgetEditor"_s), patience);
    stage.window->actions()[u"run.budget"_s].trigger();
    const auto* note = stage.find<QLabel>(u"budgetNote"_s);
    auto* evaluations = stage.find<QSpinBox>(u"budgetEvaluations"_s);
    evaluations->setValue(static_cast<int>(begun) + 2);
    QVERIFY(!note->isVisible());
    auto later = std::make_shared<Snapshot>(stage.window->session().snapshot());
    later->run.evaluationsStarted = begun + 5;
    stage.client.publish(later);
    QVERIFY(note->isVisible());
    QVERIFY2(
        note->text().startsWith(u"%1 evaluations have already started"_s.arg(begun + 5)), qPrintable(note->text()));
}

void TestUiWindow::closingWaitsForTheEngine()
{
    Theatre stage;
    stage.open();
    QVERIFY(!stage.window->close());
    QCOMPARE(stage.client.calls.last(), u"close"_s);
    QTRY_VERIFY_WITH_TIMEOUT(!stage.window->isVisible(), patience);
}

void TestUiWindow::reopeningClosesFirst()
{
    Theatre stage;
    stage.client.publish(stage.run.snapshot(events::Phase::Paused));
    const QString other = stage.folder.filePath(u"other.tilewright"_s);
    QVERIFY(unpackSession(shippedDemo("gemm-cpu"), other.toStdString()));
    stage.window->openFile(other);
    QTRY_COMPARE_WITH_TIMEOUT(stage.client.calls.value(0), u"close"_s, patience);
    QTRY_COMPARE_WITH_TIMEOUT(stage.client.calls.value(1), u"open "_s + other, patience);
    stage.window->openFile(u"/somewhere/else.tilewright"_s);
    QTRY_VERIFY_WITH_TIMEOUT(
        stage.find<MessageBar>(u"messageBar"_s)->text().contains(u"/somewhere/else.tilewright"_s), patience);
    QCOMPARE(stage.client.calls.size(), 2); // what cannot be opened does not close the other
}

void TestUiWindow::theTableTwinHasTheSameRows()
{
    Theatre stage;
    stage.open();
    stage.window->actions()[u"view.table"_s].trigger();
    auto* table = stage.find<Table>(u"fitnessTable"_s);
    QVERIFY(table->isVisible());
    QCOMPARE(table->model()->rowCount(), static_cast<int>(stage.run.state().candidates.size()));
    QCOMPARE(stage.find<Table>(u"islandTable"_s)->model()->rowCount(), 4);
}

void TestUiWindow::theTableTwinMarksWhatIsSelected()
{
    Theatre stage;
    stage.open();
    stage.window->actions()[u"view.table"_s].trigger();
    stage.window->selection().select(CandidateId{7});
    for (const QString& name : {u"fitnessTable"_s, u"lineageTable"_s}) {
        const QModelIndexList rows = stage.find<Table>(name)->selectionModel()->selectedRows();
        QCOMPARE(rows.size(), 1);
        QCOMPARE(rows[0].data().toString(), nameOfCandidate(CandidateId{7}));
    }
    stage.window->selection().setIslands({IslandId{2}});
    const auto* islands = stage.find<Table>(u"islandTable"_s);
    QCOMPARE(islands->selectionModel()->selectedRows().value(0).row(), 1);
    for (int column = 0; column < islands->model()->columnCount(); ++column)
        QVERIFY(!islands->isColumnHidden(column));
}

void TestUiWindow::allFiguresOfTheModelsCanBeReached()
{
    Theatre stage;
    stage.window->resize(1440, 900);
    stage.open();
    const auto* table = stage.find<Table>(u"statisticsTable"_s);
    QVERIFY(table->model()->rowCount() > 0);
    for (int column = 0; column < table->model()->columnCount(); ++column) {
        QVERIFY(!table->isColumnHidden(column));
        const QString shown = table->model()->index(0, column).data().toString();
        QVERIFY2(table->columnWidth(column) >= table->fontMetrics().horizontalAdvance(shown), qPrintable(shown));
    }
}

void TestUiWindow::theWheelChangesABoxOnlyWithTheFocus()
{
    Theatre stage(0);
    auto* box = stage.find<QSpinBox>(u"evaluations"_s);
    const auto turn = [box] {
        QWheelEvent event(QPointF(5, 5), box->mapToGlobal(QPointF(5, 5)), {}, QPoint(0, 120), Qt::NoButton,
            Qt::NoModifier, Qt::NoScrollPhase, false);
        QApplication::sendEvent(box, &event);
    };
    QVERIFY(box->focusPolicy() != Qt::WheelFocus);
    const int before = box->value();
    turn();
    QCOMPARE(box->value(), before);
    stage.window->activateWindow();
    box->setFocus();
    QTRY_VERIFY_WITH_TIMEOUT(box->hasFocus(), patience);
    turn();
    QCOMPARE(box->value(), before + 1);
}

void TestUiWindow::placeholdersCanBeReadInEveryTheme()
{
    Theatre stage;
    stage.open();
    for (const QString& mode : {u"prompts"_s, u"devices"_s, u"settings"_s, u"review"_s, u"evolve"_s, u"welcome"_s})
        stage.window->actions()[u"mode."_s + mode].trigger(); // what was never seen has no style yet
    for (const ThemeKind kind : {ThemeKind::Light, ThemeKind::Dark, ThemeKind::Contrast}) {
        Theme::instance().apply(kind);
        for (const auto* line : stage.window->findChildren<QLineEdit*>()) {
            if (line->placeholderText().isEmpty())
                continue;
            for (const QPalette::ColorGroup group : {QPalette::Active, QPalette::Inactive, QPalette::Disabled}) {
                const QColor ink = line->palette().color(group, QPalette::PlaceholderText);
                QCOMPARE(ink.alpha(), 255);
                for (const QColor& ground : {tokens().panel, tokens().raised})
                    QVERIFY2(contrast(ink, ground) >= 4.5, qPrintable(line->placeholderText()));
            }
        }
    }
    Theme::instance().apply(ThemeKind::Dark);
}

void TestUiWindow::aSessionWithoutAnEvaluationSaysSo()
{
    Theatre stage(0);
    auto snapshot = std::make_shared<Snapshot>(*stage.run.snapshot(events::Phase::Created));
    snapshot->run.candidates = {};
    snapshot->run.islands.clear();
    snapshot->run.noiseFloor = 0; // what the device tells is of another session
    stage.client.publish(snapshot);
    QVERIFY(!stage.find<QLabel>(u"noIslands"_s)->isHidden());
    QVERIFY(stage.find<QLabel>(u"noIslands"_s)->text().contains(u"No islands yet"_s));
    QVERIFY(stage.find<Table>(u"candidateTable"_s)->nothing().contains(u"No candidates yet"_s));
    QVERIFY(stage.find<QLabel>(u"statusNoise"_s)->text().contains(u"not measured yet"_s));
}

void TestUiWindow::aBudgetOfNothingIsRefusedBesideItsField()
{
    Theatre stage(0);
    stage.window->welcome().tasks().show(findTaskPacks());
    auto* box = stage.find<QSpinBox>(u"evaluations"_s);
    auto* words = stage.find<QLabel>(u"evaluationWords"_s);
    const auto* why = stage.find<QLabel>(u"choicesNote"_s);
    const QString before = words->text();
    box->selectAll();
    QTest::keyClicks(box, u"0"_s);
    QVERIFY2(words->text().startsWith(u"1 to "_s), qPrintable(words->text()));
    QVERIFY2(
        why->text().startsWith(u"Evaluations: 0 is out of range: 1 to"_s) && why->text().contains(u"for no limit"_s),
        qPrintable(why->text()));
    QVERIFY(!problemOf(stage.window->welcome().choices(), Section::Budget).isEmpty());
    box->setValue(5);
    QCOMPARE(words->text(), before);
}

void TestUiWindow::theTabKeyFollowsThePageAsItIsRead()
{
    Theatre stage;
    stage.open();
    const QStringList parts{u"islandList"_s, u"fitnessPlot"_s, u"lineageView"_s, u"recordTabs"_s, u"inspectorMenu"_s};
    QList<int> places;
    QStringList seen;
    int modes = 0;
    bool wasMode = false;
    const QWidget* first = stage.window.get();
    for (const QWidget* one = first->nextInFocusChain(); one != first; one = one->nextInFocusChain()) {
        if (parts.contains(one->objectName()))
            seen << one->objectName();
        const bool isMode = one->objectName().startsWith(u"modeButton:"_s);
        modes += isMode && !wasMode ? 1 : 0;
        if (one->focusPolicy() != Qt::NoFocus)
            wasMode = isMode;
    }
    QCOMPARE(seen, parts);
    QCOMPARE(modes, 1);
}

void TestUiWindow::aFinderWithoutHitsSaysSo()
{
    Theatre stage;
    stage.open();
    stage.window->actions()[u"candidate.find"_s].trigger();
    auto* finder = stage.find<QFrame>(u"finder"_s);
    QVERIFY(finder);
    finder->findChild<QLineEdit*>()->setText(u"no such thing"_s);
    const auto* list = finder->findChild<QListWidget*>();
    QTRY_COMPARE(list->count(), 1);
    QVERIFY(list->item(0)->text().contains(u"Nothing found for"_s));
    finder->close();
}

void TestUiWindow::everyDefaultOfANewSessionIsValid()
{
    Theatre stage(0);
    stage.window->welcome().tasks().show(findTaskPacks());
    for (const Section section : sections)
        QCOMPARE(problemOf(stage.window->welcome().choices(), section), QString());
    QVERIFY(stage.find<QPushButton>(u"start"_s)->isEnabled());
}

void TestUiWindow::aWrongFileDisablesStartAndSaysWhy()
{
    Theatre stage(0);
    stage.window->welcome().tasks().show(findTaskPacks());
    auto* file = stage.find<QLineEdit>(u"sessionFile"_s);
    file->selectAll();
    QTest::keyClicks(file, u"/dev/null/x.tilewright"_s);
    QVERIFY(!stage.find<QPushButton>(u"start"_s)->isEnabled());
    QVERIFY(stage.find<QLabel>(u"choicesNote"_s)->text().contains(u"is not writable"_s));
    file->selectAll();
    QTest::keyClicks(file, stage.folder.filePath(u"deeper/mine.tilewright"_s));
    QVERIFY(stage.find<QPushButton>(u"start"_s)->isEnabled());
}

void TestUiWindow::whatTheMachineLacksIsToldInWords()
{
    Theatre stage(0);
    auto* card = stage.find<MachineCard>(u"machineCard"_s);
    QVERIFY(!card->isVisible()); // nobody has looked yet
    card->show(findings());
    QVERIFY(card->isVisible());
    QVERIFY(stage.find<QLabel>(u"machineNote"_s)->text().contains(u"is missing"_s));
    QStringList texts;
    for (const QLabel* label : card->findChildren<QLabel*>())
        texts << label->text() << label->accessibleName();
    QVERIFY(texts.contains(u"C++ compiler"_s));
    QVERIFY(texts.contains(u"missing (g++), so nothing can be built; on Debian: apt install g++"_s));
    QVERIFY(texts.contains(u"EPYC 9654, 96 cores"_s)); // its instruction sets are terms
    const auto labels = card->findChildren<QLabel*>();
    QVERIFY(std::ranges::any_of(labels, [](const QLabel* label) {
        return label->text() == u"Processor"_s && label->toolTip().contains(u"avx2 avx512f"_s);
    }));
    card->show({{u"findings"_s,
        QJsonArray{QJsonObject{{u"what"_s, u"telescope"_s}, {u"found"_s, true}, {u"detail"_s, u"8 inches"_s}}}}});
    const auto unknown = card->findChildren<QLabel*>();
    QVERIFY(std::ranges::any_of(unknown, [](const QLabel* label) { return label->text() == u"telescope"_s; }));
    QVERIFY(texts.contains(u"missing, needed"_s));
    card->show({});
    QVERIFY(stage.find<QLabel>(u"machineNote"_s)->text().contains(u"no result"_s));
}

void TestUiWindow::aNewSessionReachesTheEngine()
{
    Theatre stage(0);
    stage.window->welcome().tasks().show(findTaskPacks());
    auto* file = stage.find<QLineEdit>(u"sessionFile"_s);
    file->selectAll();
    QTest::keyClicks(file, stage.folder.filePath(u"mine.tilewright"_s));
    stage.find<QSpinBox>(u"islands"_s)->setValue(3);
    stage.find<QSpinBox>(u"evaluations"_s)->setValue(77);
    QTest::mouseClick(stage.find<QPushButton>(u"createPaused"_s), Qt::LeftButton);
    QVERIFY(stage.client.created.has_value());
    QCOMPARE(stage.client.created->settings.islands, 3);
    QCOMPARE(stage.client.created->settings.budget.evaluations, 77);
    QVERIFY(!stage.client.created->startNow);
    QVERIFY(stage.client.created->settings.reviewPoliciesOf({1}) == defaultReviewPolicies());
    stage.find<QAbstractButton>(u"review:every"_s)->click();
    QTest::mouseClick(stage.find<QPushButton>(u"createPaused"_s), Qt::LeftButton);
    QVERIFY(stage.client.created->settings.reviewPoliciesOf({1}) == ReviewPolicies(ReviewPolicy::Every));
    QCOMPARE(stage.client.created->settings.taskName, std::string("gemm-fp32-cpu"));
}

void TestUiWindow::packsOfOneNameSayWhereEachIsFrom()
{
    Theatre stage(0);
    const auto pack = findTaskPack("gemm-fp32-cpu");
    const auto other = findTaskPack("gemm-fp32");
    QVERIFY(pack && other);
    TaskPicker& picker = stage.window->welcome().tasks();
    picker.show({{"/usr/share/kernels/gemm-fp32-cpu", *pack}, {"/home/me/kernels/mine", *pack}, {"/x/other", *other}});
    QStringList about;
    for (const QAbstractButton* card : picker.findChildren<QAbstractButton*>())
        if (card->objectName().startsWith(u"task:"_s))
            about << card->accessibleDescription();
    QCOMPARE(about.size(), 3);
    QVERIFY2(about[0].endsWith(u"\nfrom /usr/share/kernels/gemm-fp32-cpu"_s), qPrintable(about[0]));
    QVERIFY2(about[1].endsWith(u"\nfrom /home/me/kernels/mine"_s), qPrintable(about[1]));
    QVERIFY2(!about[2].contains(u"from /"_s), qPrintable(about[2]));
}

void TestUiWindow::aGpuTaskIsMeasuredOnAGpuOrNotStarted()
{
    Theatre stage(0);
    NewSessionPage& page = stage.window->welcome();
    page.tasks().show(findTaskPacks());
    page.machine().show(findings());
    auto* start = stage.find<QPushButton>(u"start"_s);
    QVERIFY(start->isEnabled());
    QTest::mouseClick(stage.find<QAbstractButton>(u"task:gemm-fp32"_s), Qt::LeftButton);
    QVERIFY(!start->isEnabled());
    QVERIFY(problemOf(page.choices(), Section::Device).contains(u"No NVIDIA GPU"_s));
    QVERIFY(!stage.find<QAbstractButton>(u"device:cpu"_s)->isEnabled());

    page.machine().show(findingsWithGpu());
    QVERIFY(start->isEnabled());
    QVERIFY(stage.find<QAbstractButton>(u"device:cuda:0"_s)->isChecked());
    QCOMPARE(summaryOf(page.choices(), Section::Device), u"NVIDIA H200 · GPU 0"_s);
    QCOMPARE(sessionOf(page.choices(), true).settings.device, std::string("cuda:0"));
    QVERIFY(commandLineOf(page.choices()).endsWith(u"--device cuda:0"_s));

    QTest::mouseClick(stage.find<QAbstractButton>(u"task:gemm-fp32-cpu"_s), Qt::LeftButton);
    QCOMPARE(page.choices().device, u"cpu"_s);
    QVERIFY(!stage.find<QAbstractButton>(u"device:cuda:0"_s)->isEnabled());
}

void TestUiWindow::theCommandLineIsTheSameSession()
{
    SessionChoices choices;
    choices.path = u"/tmp/my session.tilewright"_s;
    choices.islands = 2;
    choices.seed = 9;
    QCOMPARE(commandLineOf(choices),
        u"tilewright-cli evolve --task TASK --session '/tmp/my session.tilewright' --proposer mutator --islands 2 --review by-proposer --evaluations 300 --seed 9 --device cpu"_s);
    choices.review = ReviewPolicy::Automatic;
    QVERIFY(!commandLineOf(choices).contains(u"--review"_s));
}

void TestUiWindow::optionsAreReadBeforeAnyDisplay()
{
    QVERIFY(gui::parseOptions({u"--help"_s})->help);
    QCOMPARE(gui::parseOptions({u"--theme=light"_s, u"a.tilewright"_s})->file, u"a.tilewright"_s);
    for (const QString& name : {u"contrast"_s, u"high-contrast"_s})
        QCOMPARE(themeFromName(gui::parseOptions({u"--theme"_s, name})->theme), ThemeKind::Contrast);
    QCOMPARE(gui::parseOptions({u"--theme"_s, u"pink"_s}).error().code, std::string("usage/theme"));
    QCOMPARE(gui::parseOptions({u"--nonsense"_s}).error().code, std::string("usage/option"));
    QCOMPARE(gui::parseOptions({u"--screenshot"_s}).error().code, std::string("usage/value"));
    QCOMPARE(gui::parseOptions({u"--screenshot=a"_s, u"--session=b"_s, u"--demo=gemm-cpu"_s}).error().code,
        std::string("usage/demo"));
}

void TestUiWindow::aFreezeWeighsAsLongAsItLasts()
{
    // A freeze of a second among 1 000 ticks in time: one in a thousand ticks, yet a tenth of all inputs wait for it.
    std::vector<double> delays(999, 0.0);
    delays.push_back(1000);
    const gui::StallSummary frozen = gui::stallSummary(delays, 10);
    QCOMPARE(frozen.ticks, 1000);
    QCOMPARE(frozen.maxMs, 1000.0);
    QCOMPARE(frozen.p50Ms, 0.0);
    QCOMPARE(frozen.p99Ms, 1000 - 0.01 * 11'000); // all but the last 110 ms of it make one wait longer
    QCOMPARE(frozen.overTenth, 900.0 / 11'000);
    QCOMPARE(frozen.overFrame, 984.0 / 11'000);
    // Half of the time in stalls of 10 ms: half of the inputs wait, evenly up to 10 ms.
    const gui::StallSummary even = gui::stallSummary(std::vector<double>(100, 10.0), 10);
    QCOMPARE(even.p50Ms, 0.0);
    QCOMPARE(even.p99Ms, 9.8);
    QCOMPARE(even.overFrame, 0.0);
    QCOMPARE(gui::stallSummary({}, 10), gui::StallSummary{});
}

void TestUiWindow::aLongRunIsShownToItsLastCandidate()
{
    Theatre stage(1500);
    stage.open();
    const auto* table = stage.find<Table>(u"candidateTable"_s);
    for (int i = 0; i < 5; ++i) {
        QSignalSpy resets(table->model(), &QAbstractItemModel::modelReset);
        stage.run.grow(2);
        stage.open();
        QCOMPARE(table->model()->rowCount(), static_cast<int>(stage.run.state().candidates.size()));
        QCOMPARE(resets.size(), 0); // rows come and change, the table is not built anew
    }
}

void TestUiWindow::whatIsOpeningIsToldOnEveryScreenOfASession()
{
    Theatre stage;
    stage.open();
    auto* files = stage.window->findChild<SessionFiles*>();
    const auto loading = [](const QWidget& page) {
        qsizetype bars = 0;
        for (const DockTitle* title : page.findChildren<DockTitle*>())
            bars += title->isLoading() ? 1 : 0;
        return bars;
    };
    const std::vector<const QWidget*> pages{&stage.window->evolve(), &stage.window->review(),
        &stage.window->prompts().templates(), &stage.window->prompts().openPrompts(), &stage.window->devices()};
    Q_EMIT files->openingTakesLong(u"other.tilewright"_s);
    for (const QWidget* page : pages)
        QVERIFY2(loading(*page) > 0, page->metaObject()->className());
    Q_EMIT files->openingShown();
    for (const QWidget* page : pages)
        QCOMPARE(loading(*page), 0);
}

void TestUiWindow::whatIsBeingReadIsSeenButNotChanged()
{
    Theatre stage(40);
    const auto publish = [&stage](std::optional<double> opening) {
        auto snapshot = std::make_shared<Snapshot>(*stage.run.snapshot(events::Phase::Paused));
        snapshot->status.opening = opening;
        snapshot->status.readOnly = opening.has_value();
        stage.client.publish(snapshot);
    };
    publish(0.349);
    ActionRegistry& actions = stage.window->actions();
    const auto* summary = stage.find<ElidedLabel>(u"statusSummary"_s);
    const auto* table = stage.find<Table>(u"candidateTable"_s);
    QVERIFY2(summary->text().contains(u"34 %"_s), qPrintable(summary->text()));
    QCOMPARE(table->model()->rowCount(), static_cast<int>(stage.run.state().candidates.size()));
    QVERIFY(!actions[u"run.run"_s].isEnabled());
    QVERIFY(actions[u"file.close"_s].isEnabled());
    stage.window->showScreen(u"devices"_s); // a user looks elsewhere meanwhile
    QSignalSpy replaced(&stage.window->session(), &ui::SessionClient::replaced);
    stage.run.grow(20);
    publish(0.8);
    QCOMPARE(replaced.size(), 0);
    publish(std::nullopt);
    QCOMPARE(replaced.size(), 1); // what may be written is taken up now
    QVERIFY(actions[u"run.run"_s].isEnabled());
    QVERIFY(!summary->text().contains(u'%'));
    QCOMPARE(table->model()->rowCount(), static_cast<int>(stage.run.state().candidates.size()));
    QVERIFY(actions[u"mode.devices"_s].isChecked());
}

void TestUiWindow::aRailButtonTellsTheNumberUpToNinetyNine()
{
    Theatre stage;
    stage.open();
    auto* bar = stage.window->findChild<ModeBar*>();
    auto* button = stage.find<QAbstractButton>(u"modeButton:mode.prompts"_s);
    const auto picture = [&](int count) {
        bar->setCount(u"mode.prompts"_s, count);
        return button->grab().toImage();
    };
    QVERIFY(picture(12) != picture(13));
    QVERIFY(picture(99) != picture(100));
    const QImage hundred = picture(100);
    QCOMPARE(picture(101), hundred);
    QCOMPARE(button->accessibleName(), u"Prompts, 101 waiting"_s);
}

void TestUiWindow::theWindowComesBackMaximisedAsItWasClosed()
{
    Theatre stage;
    stage.window->resize(1300, 820);
    stage.window->showMaximized();
    QTRY_VERIFY(stage.window->isMaximized());
    stage.window->close();
    stage.window = std::make_unique<ui::MainWindow>(stage.client, stage.settings);
    stage.window->showWhereLeft();
    QTRY_VERIFY(stage.window->isMaximized());
    stage.window->showNormal();
    stage.window->resize(1290, 810);
    stage.window->close();
    stage.window = std::make_unique<ui::MainWindow>(stage.client, stage.settings);
    stage.window->showWhereLeft();
    QVERIFY(!stage.window->isMaximized());
    QCOMPARE(stage.window->size(), QSize(1290, 810));
}

TILEWRIGHT_TEST(TestUiWindow)

#include "test_ui_window.moc"
