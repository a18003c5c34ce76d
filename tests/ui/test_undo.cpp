// SPDX-License-Identifier: GPL-3.0-or-later
// What a user ordered is taken back, newest first, by one key or from the list of all; and what the window said so
// far.
#include "core/model/reviews/review_queue.h"
#include "core/model/run_change.h"
#include "tests/patience.h"
#include "tests/test_program.h"
#include "tests/ui/undo_stage.h"
#include "ui/models/display_text.h"
#include "ui/review/review_page.h"
#include "ui/shell/message_log.h"
#include "ui/shell/undo_controller.h"
#include "ui/theme/theme.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/table.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>
#include <QTest>
#include <QToolButton>

using namespace tilewright;
using namespace tilewright::ui;
using namespace tilewright::test;
using namespace Qt::StringLiterals;

class TestUndo : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { Theme::instance().apply(ThemeKind::Dark); }

    /// What is ordered on any page is no matter of Review alone.
    void whatTakesBackStandsInTheMenuEdit()
    {
        UndoStage stage;
        const auto menus = stage.find<QMenuBar>(QString())->actions();
        QCOMPARE(menus.at(1)->text().remove(u'&'), u"Edit"_s);
        for (const QString& id : {u"review.undo"_s, u"review.redo"_s, u"run.history"_s, u"view.find"_s})
            for (const QAction* menu : menus)
                QCOMPARE(menu->menu()->actions().contains(&stage.action(id)), menu == menus.at(1));
        const auto letterOf = [](const QAction* each) { return each->text().section(u'&', 1).left(1).toLower(); };
        QStringList letters, inEdit;
        for (const QAction* menu : menus)
            letters << letterOf(menu);
        for (const QAction* each : menus.at(1)->menu()->actions())
            if (!each->isSeparator())
                inEdit << letterOf(each);
        QCOMPARE(letters.removeDuplicates() + inEdit.removeDuplicates(), 0); // each is one menu's, or one order's
    }

    void whatCanBeTakenBackIsListedNewestFirst()
    {
        UndoStage stage;
        stage.action(u"run.history"_s).trigger();
        auto* page = stage.window->findChild<UndoPage*>();
        auto* table = page->findChild<Table*>(u"undoTable"_s);
        auto* back = page->findChild<QPushButton*>(u"undoEntry"_s);
        const auto listed = [table] {
            QStringList all;
            for (int row = 0; row < table->model()->rowCount(); ++row)
                all << table->model()->index(row, 0).data().toString();
            return all;
        };
        const auto choose = [&](const QString& words) {
            table->setCurrentIndex(table->model()->index(static_cast<int>(listed().indexOf(words)), 0));
        };
        QVERIFY(!back->isEnabled()); // nothing is there: it is said what would be
        QVERIFY2(table->nothing().contains(u"No command can be undone yet"_s), qPrintable(table->nothing()));
        const CandidateId rejected = stage.run.awaitReview({}), approved = stage.run.awaitReview({});
        stage.run.decide(rejected, Decision::Rejected, "too clever");
        stage.run.record(events::IslandStandingChanged{{2}, Standing::Paused, {}, {}, {}});
        stage.run.record(events::IslandStandingChanged{{3}, Standing::Paused, {}, {}, {}});
        Marks star;
        star.starred = true;
        stage.run.record(events::Marked{CandidateId{3}, star});
        stage.run.record(events::SteeringRequested{{{1}, CandidateId{2}, 4, "", 0, false}});
        stage.run.record(events::Marked{CandidateId{2}, star});
        Marks tagged = star;
        tagged.tags = {"odd"};
        stage.run.record(events::Marked{CandidateId{3}, tagged});
        stage.run.record(events::MarkUndone{CandidateId{3}}); // what was said before it is no newer by it
        stage.open();
        const QString budget = u"Changed the budget from %1 to 500 evaluations"_s.arg(
            text(wordsOfBudget(stage.run.state().settings.budget)));
        stage.happen(events::BudgetChanged{{500, 0, 0, 0}});
        const QString no = u"Rejected "_s + nameOfCandidate(rejected);
        QTRY_COMPARE_WITH_TIMEOUT(listed(),
            (QStringList{budget, u"Starred c-0002"_s, u"Requested 4 edits of c-0002"_s, u"Starred c-0003"_s,
                u"Paused island C"_s, u"Paused island B"_s, no}),
            patience);
        choose(u"Paused island B"_s);
        QVERIFY(!back->isEnabled());
        QCOMPARE(back->toolTip(), u"a later island command must be undone first"_s);
        choose(u"Paused island C"_s);
        back->click();
        QCOMPARE(stage.client.orders.size(), std::size_t(1));
        QVERIFY(std::holds_alternative<commands::UndoIslandCommand>(stage.client.orders.back()));
        choose(no);
        back->click();
        QCOMPARE(stage.client.calls.back(), u"undo "_s + nameOfCandidate(rejected));
        choose(u"Starred c-0003"_s);
        back->click();
        QVERIFY(std::get<commands::UndoMarks>(stage.client.candidateCommands.back())
            == commands::UndoMarks{CandidateId{3}});
        choose(budget);
        back->click();
        QTRY_VERIFY_WITH_TIMEOUT(!listed().contains(budget), patience);
        // A word is no order any more once what it let through is under way.
        stage.run.decide(approved, Decision::Approved, {});
        stage.open();
        const QString yes = u"Approved "_s + nameOfCandidate(approved);
        QTRY_VERIFY_WITH_TIMEOUT(listed().contains(yes), patience);
        choose(yes);
        QVERIFY(back->isEnabled());
        stage.happen(events::StageReached{approved, Stage::Confirming});
        QTRY_COMPARE_WITH_TIMEOUT(back->toolTip(), nameOfCandidate(approved) + u" is being measured"_s, patience);
        QVERIFY(!back->isEnabled());
    }

    void anOlderChangeOfTheSameIsNotTakenBackBeforeTheNewer()
    {
        UndoStage stage;
        stage.happen(events::BudgetChanged{{500, 0, 0, 0}});
        stage.happen(events::HintsChanged{{}, "mind the edges"});
        stage.happen(events::BudgetChanged{{600, 0, 0, 0}});
        stage.action(u"run.history"_s).trigger();
        const auto* table = stage.window->findChild<Table*>(u"undoTable"_s);
        const auto said = [table](int row, int column) { return table->model()->index(row, column).data().toString(); };
        QCOMPARE(table->model()->rowCount(), 3);
        QCOMPARE(said(0, 1), u"Can be undone"_s);
        QCOMPARE(said(1, 0), u"Changed the hints for all islands"_s);
        QCOMPARE(said(1, 1), u"Can be undone"_s);
        QCOMPARE(said(2, 1), u"Blocked: a later change of the same setting must be undone first"_s);
    }

    void oneKeyTakesBackWhatWasOrderedLastWhateverItIs()
    {
        UndoStage stage;
        const auto* said = stage.find<MessageBar>(u"messageBar"_s);
        const auto press = [&stage] {
            stage.window->activateWindow();
            QVERIFY(QTest::qWaitForWindowActive(stage.window.get(), patience));
            stage.window->centralWidget()->setFocus();
            QTest::keyClick(stage.window.get(), Qt::Key_Z, Qt::ControlModifier);
        };
        stage.window->showScreen(u"evolve"_s);
        stage.happen(events::IslandStandingChanged{{2}, Standing::Paused, {}, {}, {}});
        Marks banned;
        banned.banned = true;
        stage.happen(events::Marked{CandidateId{3}, banned});
        press();
        QVERIFY(stage.client.orders.empty());
        QVERIFY(std::get<commands::UndoMarks>(stage.client.candidateCommands.back())
            == commands::UndoMarks{CandidateId{3}});
        QVERIFY2(said->text().startsWith(u"Undone: Banned c-0003."_s), qPrintable(said->text()));
        stage.window->showScreen(u"review"_s); // the same there
        stage.happen(events::MarkUndone{CandidateId{3}});
        press();
        QVERIFY2(said->text().startsWith(u"Undone: Paused island B."_s), qPrintable(said->text()));
        QCOMPARE(stage.client.orders.size(), std::size_t(1));
        QVERIFY(std::holds_alternative<commands::UndoIslandCommand>(stage.client.orders.back()));
        // What can be taken back no more is said, and nothing older goes in its place.
        stage.happen(events::IslandChangeUndone{stage.run.state().newestIslandChange()->number});
        const CandidateId approved = stage.run.awaitReview({});
        stage.happen(events::Marked{CandidateId{4}, banned});
        stage.run.decide(approved, Decision::Approved, {});
        stage.happen(events::StageReached{approved, Stage::Confirming});
        stage.window->showScreen(u"evolve"_s);
        const std::size_t before = stage.client.candidateCommands.size();
        press();
        QCOMPARE(stage.client.candidateCommands.size(), before);
        QVERIFY2(said->text().contains(u" cannot be undone: "_s) && said->text().contains(u"Ctrl+Alt+H"_s),
            qPrintable(said->text()));
        // It does not bar the way to what was ordered before it, which is named, and taken back by the key once more.
        QVERIFY2(said->text().contains(u"Before it: Banned c-0004."_s), qPrintable(said->text()));
        press();
        QVERIFY(std::get<commands::UndoMarks>(stage.client.candidateCommands.back())
            == commands::UndoMarks{CandidateId{4}});
        QVERIFY2(said->text().startsWith(u"Undone: Banned c-0004."_s), qPrintable(said->text()));
        press(); // the run has not told of it yet
        QCOMPARE(stage.client.candidateCommands.size(), before + 1);
        stage.happen(events::MarkUndone{CandidateId{4}});
        stage.happen(events::Marked{CandidateId{5}, banned});
        press(); // the newest is one that can be
        QVERIFY(std::get<commands::UndoMarks>(stage.client.candidateCommands.back())
            == commands::UndoMarks{CandidateId{5}});
    }

    void aWordThatIsTakenBackByTheKeyIsNamedWithWhatHoldsThen()
    {
        UndoStage stage;
        const auto* said = stage.find<MessageBar>(u"messageBar"_s);
        for (const QString& mode : {u"review"_s, u"evolve"_s}) {
            const CandidateId rejected = stage.run.awaitReview({});
            stage.run.decide(rejected, Decision::Rejected, "too clever");
            stage.open();
            stage.window->showScreen(mode);
            stage.action(u"review.undo"_s).trigger();
            QCOMPARE(stage.client.calls.back(), u"undo "_s + nameOfCandidate(rejected));
            QVERIFY2(said->text().startsWith(
                         u"Undone: Rejected %1. It is pending review again."_s.arg(nameOfCandidate(rejected))),
                qPrintable(said->text()));
            stage.happen(events::ReviewUndone{stage.run.state().candidate(rejected)->review});
        }
    }

    /// A minute after 3 were approved in one go: one is measured, one is being measured.
    void aWordOnSeveralIsTakenBackAsFarAsItCanBeAndSaysWhatStays()
    {
        UndoStage stage;
        stage.happen(events::ReviewPolicyChanged{{}, ReviewPolicy::Every});
        std::vector<CandidateId> all;
        for (int i = 0; i < 4; ++i)
            all.push_back(stage.run.awaitReview({}));
        stage.open();
        stage.window->showScreen(u"review"_s);
        stage.window->review().chooseAll();
        stage.window->review().approve();
        for (const CandidateId each : all)
            stage.run.record(events::Reviewed{
                stage.run.state().candidate(each)->review, Decision::Approved, "person", "", {}, each != all.front()});
        stage.run.record(events::StageReached{all[1], Stage::Screening});
        stage.open();
        stage.window->showScreen(u"evolve"_s);
        stage.action(u"run.history"_s).trigger();
        const auto* table = stage.window->findChild<UndoPage*>()->findChild<Table*>(u"undoTable"_s);
        QCOMPARE(table->model()->index(0, 0).data().toString(), u"Approved 4 candidates"_s);
        stage.client.calls.clear();
        stage.action(u"review.undo"_s).trigger();
        QStringList back;
        for (const std::size_t i : {3U, 2U, 0U})
            back << u"undo "_s + nameOfCandidate(all[i]);
        QCOMPARE(stage.client.calls, back);
        const QString said = stage.find<MessageBar>(u"messageBar"_s)->text();
        QVERIFY2(said.startsWith(u"Undone: Approved 4 candidates. 3 are pending review again; 1 already "
                                 u"measured or being measured."_s),
            qPrintable(said));
    }

    void theChosenEntryStaysChosenAndSaysWhenItIsGone()
    {
        UndoStage stage;
        Marks star;
        star.starred = true;
        for (const std::int64_t id : {2, 3, 4})
            stage.run.record(events::Marked{CandidateId{id}, star});
        stage.open();
        stage.action(u"run.history"_s).trigger();
        auto* page = stage.window->findChild<UndoPage*>();
        auto* table = page->findChild<Table*>(u"undoTable"_s);
        const auto* why = page->findChild<QLabel*>(u"undoWhy"_s);
        auto* undo = page->findChild<QPushButton*>(u"undoEntry"_s);
        const auto words = [table](int row) { return table->model()->index(row, 0).data().toString(); };
        QCOMPARE(words(1), u"Starred c-0003"_s);
        table->setCurrentIndex(table->model()->index(1, 0));
        stage.happen(events::Marked{CandidateId{5}, star});
        QTRY_COMPARE_WITH_TIMEOUT(words(0), u"Starred c-0005"_s, patience);
        QCOMPARE(table->currentIndex().row(), 2); // what was chosen still is
        stage.happen(events::MarkUndone{CandidateId{3}}); // from elsewhere
        QTRY_VERIFY_WITH_TIMEOUT(!undo->isEnabled(), patience); // and undoes no other one
        QCOMPARE(why->text(), u"Starred c-0003: it was carried out, or undone already."_s);
        table->setCurrentIndex(table->model()->index(0, 0));
        QVERIFY(undo->isEnabled() && why->text().isEmpty());
        undo->click();
        QVERIFY(std::get<commands::UndoMarks>(stage.client.candidateCommands.back())
            == commands::UndoMarks{CandidateId{5}});
        stage.happen(events::MarkUndone{CandidateId{5}});
        QTRY_COMPARE_WITH_TIMEOUT(why->text(), u"Starred c-0005: it was carried out, or undone already."_s, patience);
    }

    void whatBarsTheWayOffersWhatWasOrderedBeforeIt()
    {
        UndoStage stage;
        stage.window->showScreen(u"evolve"_s);
        const CandidateId approved = stage.run.awaitReview({});
        Marks banned;
        banned.banned = true;
        stage.happen(events::Marked{CandidateId{4}, banned});
        stage.run.decide(approved, Decision::Approved, {});
        stage.happen(events::StageReached{approved, Stage::Confirming});
        stage.action(u"review.undo"_s).trigger();
        QVERIFY(stage.client.candidateCommands.empty());
        auto* offer = stage.find<QPushButton>(u"messageOffer"_s);
        QCOMPARE(offer->text(), u"Undo"_s);
        QTest::mouseClick(offer, Qt::LeftButton);
        QVERIFY(std::get<commands::UndoMarks>(stage.client.candidateCommands.back())
            == commands::UndoMarks{CandidateId{4}});
    }

    /// Else the key would take back what was ordered long before, without a word.
    void whatIsOverForGoodBarsTheWayOnceAsWell()
    {
        UndoStage stage;
        const auto* said = stage.find<MessageBar>(u"messageBar"_s);
        stage.window->showScreen(u"evolve"_s);
        const CandidateId approved = stage.run.awaitReview({});
        Marks banned;
        banned.banned = true;
        stage.happen(events::Marked{CandidateId{4}, banned});
        stage.happen(events::Marked{CandidateId{4}, {}});
        stage.run.decide(approved, Decision::Approved, {});
        stage.happen(events::StageReached{approved, Stage::Done});
        stage.action(u"review.undo"_s).trigger();
        QVERIFY(stage.client.candidateCommands.empty());
        QVERIFY2(said->text().startsWith(u"Approved %1 "_s.arg(nameOfCandidate(approved)))
                && said->text().contains(u"its result is measured and stays"_s)
                && said->text().contains(u"Before it: Unbanned c-0004."_s),
            qPrintable(said->text()));
        stage.action(u"review.undo"_s).trigger();
        QVERIFY(std::get<commands::UndoMarks>(stage.client.candidateCommands.back())
            == commands::UndoMarks{CandidateId{4}});
        // To lift a ban and take that back bans again: the words say which of the two holds.
        QVERIFY2(
            said->text().startsWith(u"Undone: Unbanned c-0004. c-0004 is banned again."_s), qPrintable(said->text()));
        stage.happen(events::MarkUndone{CandidateId{4}});
        stage.happen(events::RerunAsked{RerunId{1}, CandidateId{5}});
        stage.happen(events::RerunWithdrawn{RerunId{1}});
        stage.action(u"review.undo"_s).trigger(); // what was taken back is none that bars the way
        QVERIFY2(said->text().startsWith(u"Undone: Banned c-0004."_s), qPrintable(said->text()));
    }

    void whatWasTakenBackIsOrderedOnceMoreUntilSomethingElseIsOrdered()
    {
        UndoStage stage;
        const auto* said = stage.find<MessageBar>(u"messageBar"_s);
        const auto press = [&stage](Qt::KeyboardModifiers with) {
            stage.window->activateWindow();
            QVERIFY(QTest::qWaitForWindowActive(stage.window.get(), patience));
            stage.window->centralWidget()->setFocus();
            QTest::keyClick(stage.window.get(), Qt::Key_Z, with);
        };
        const auto redo = Qt::ControlModifier | Qt::ShiftModifier;
        stage.window->showScreen(u"evolve"_s);
        press(redo);
        QVERIFY2(said->text().startsWith(u"There is nothing to redo"_s), qPrintable(said->text()));
        // Two orders, taken back and ordered once more, each in its turn.
        Marks starred;
        starred.starred = true;
        stage.happen(events::IslandStandingChanged{{2}, Standing::Paused, {}, {}, {}});
        stage.happen(events::Marked{CandidateId{3}, starred});
        press(Qt::ControlModifier);
        stage.happen(events::MarkUndone{CandidateId{3}});
        press(Qt::ControlModifier);
        stage.happen(events::IslandChangeUndone{stage.run.state().newestIslandChange()->number});
        press(redo);
        QCOMPARE(std::get<commands::PauseIsland>(stage.client.orders.back()).island, IslandId{2});
        stage.happen(events::IslandStandingChanged{{2}, Standing::Paused, {}, {}, {}});
        QVERIFY2(said->text().contains(u"Redone: Paused island B."_s), qPrintable(said->text()));
        press(redo);
        QVERIFY((std::get<commands::SetMarks>(stage.client.candidateCommands.back())
            == commands::SetMarks{CandidateId{3}, starred}));
        stage.happen(events::Marked{CandidateId{3}, starred});
        // After another order there is nothing to be ordered once more.
        press(Qt::ControlModifier);
        stage.happen(events::MarkUndone{CandidateId{3}});
        stage.window->session().execute(commands::SetMarks{CandidateId{4}, starred});
        stage.happen(events::Marked{CandidateId{4}, starred});
        const std::size_t given = stage.client.candidateCommands.size();
        press(redo);
        QCOMPARE(stage.client.candidateCommands.size(), given);
        QVERIFY2(said->text().startsWith(u"There is nothing to redo"_s), qPrintable(said->text()));
        // Settings as well.
        stage.happen(events::BudgetChanged{{777, 60, 0, 0, 0}});
        press(Qt::ControlModifier);
        const Budget before = stage.client.budget;
        QVERIFY(before.evaluations != 777);
        stage.happen(events::BudgetChanged{before, true});
        press(redo);
        QCOMPARE(stage.client.budget.evaluations, 777);
        // What was taken back from the list.
        stage.happen(events::Marked{CandidateId{5}, starred});
        stage.action(u"run.history"_s).trigger();
        auto* page = stage.window->findChild<UndoPage*>();
        page->findChild<Table*>(u"undoTable"_s)
            ->setCurrentIndex(page->findChild<Table*>(u"undoTable"_s)->model()->index(0, 0));
        page->findChild<QPushButton*>(u"undoEntry"_s)->click();
        QVERIFY(std::get<commands::UndoMarks>(stage.client.candidateCommands.back())
            == commands::UndoMarks{CandidateId{5}});
        page->close();
        stage.happen(events::MarkUndone{CandidateId{5}});
        press(redo);
        QVERIFY((std::get<commands::SetMarks>(stage.client.candidateCommands.back())
            == commands::SetMarks{CandidateId{5}, starred}));
        stage.happen(events::Marked{CandidateId{5}, starred});
        // In Review: the word with its reason.
        const CandidateId rejected = stage.run.awaitReview({});
        stage.run.decide(rejected, Decision::Rejected, "too clever");
        stage.window->showScreen(u"review"_s);
        stage.open();
        press(Qt::ControlModifier);
        QCOMPARE(stage.client.calls.back(), u"undo "_s + nameOfCandidate(rejected));
        press(redo);
        QCOMPARE(stage.client.calls.back(), u"rejected %1 too clever"_s.arg(nameOfCandidate(rejected)));
    }

    void aTemplateAndThePersonsPartOfTheMemoryAreTakenBackByTheSameKeys()
    {
        UndoStage stage;
        const auto undo = [&stage] { stage.action(u"review.undo"_s).trigger(); };
        stage.window->showScreen(u"evolve"_s);
        stage.run.learn("person", "Keep four rows.");
        stage.open();
        const Hash text = stage.run.store("Think of cache lines.");
        stage.happen(events::TemplateSaved{{2}, "exploit", text, "cache lines", 0});
        stage.happen(events::TemplateSaved{{2}, "exploit", stage.run.store("Think of registers."), "", 0});
        undo();
        QCOMPARE(stage.client.calls.back(), u"template undone 2 exploit"_s);
        stage.happen(events::TemplateSaved{{2}, "exploit", text, "", 1, true}); // as the engine does it
        undo();
        QVERIFY2(stage.find<MessageBar>(u"messageBar"_s)
                     ->text()
                     .contains(u"Saved version 1 of the template exploit for island B"_s),
            qPrintable(stage.find<MessageBar>(u"messageBar"_s)->text()));
        stage.happen(events::TemplateSaved{{2}, "exploit", {}, "", 0, true});
        stage.client.calls.clear();
        stage.action(u"review.redo"_s).trigger();
        QTRY_COMPARE_WITH_TIMEOUT(stage.client.calls, QStringList{u"template 2 exploit 21 cache lines"_s}, patience);
        stage.happen(events::TemplateSaved{{2}, "exploit", text, "cache lines", 0});
        undo();
        stage.happen(events::TemplateSaved{{2}, "exploit", {}, "", 0, true});
        undo(); // and what was written before
        QCOMPARE(stage.client.insights, QStringList{QString()});
        stage.run.record(events::InsightsWritten{{2, "person", 0, {}, {}}});
        stage.open();
        stage.action(u"review.redo"_s).trigger();
        QTRY_COMPARE_WITH_TIMEOUT(stage.client.insights, (QStringList{QString(), u"Keep four rows."_s}), patience);
    }

    void aTemplateThatWasTakenAwayIsAnOrderAsWell()
    {
        UndoStage stage;
        const auto* said = stage.find<MessageBar>(u"messageBar"_s);
        stage.window->showScreen(u"evolve"_s);
        const Hash text = stage.run.store("Think of cache lines.");
        stage.happen(events::TemplateSaved{{2}, "exploit", text, "cache lines", 0});
        stage.happen(events::TemplateSaved{{2}, "exploit", {}, "no use", 0}); // with the button
        stage.action(u"run.history"_s).trigger();
        const auto* table = stage.window->findChild<UndoPage*>()->findChild<Table*>(u"undoTable"_s);
        QCOMPARE(
            table->model()->index(0, 0).data().toString(), u"Deleted version 1 of the template exploit for island B"_s);
        stage.action(u"review.undo"_s).trigger();
        QCOMPARE(stage.client.calls.back(), u"template undone 2 exploit"_s);
        QVERIFY2(said->text().startsWith(u"Undone: Deleted version 1 of the template exploit for island B."_s),
            qPrintable(said->text()));
        stage.happen(events::TemplateSaved{{2}, "exploit", text, "", 1, true});
        stage.action(u"review.redo"_s).trigger();
        QCOMPARE(stage.client.calls.back(), u"template 2 exploit 0 no use"_s);
        stage.happen(events::TemplateSaved{{2}, "exploit", {}, "no use", 0});
        stage.action(u"review.undo"_s).trigger();
        stage.happen(events::TemplateSaved{{2}, "exploit", text, "", 1, true});
        stage.action(u"review.undo"_s).trigger(); // and now the saving
        QVERIFY2(
            said->text().contains(u"Saved version 1 of the template exploit for island B"_s), qPrintable(said->text()));
    }

    void oneKeyTakesBackOnlyWhatWasOrderedSinceTheSessionWasOpened()
    {
        Theatre stage(20);
        const CandidateId rejected = stage.run.awaitReview({}), through = stage.run.awaitReview({}),
                          waits = stage.run.awaitReview({});
        stage.run.decide(rejected, Decision::Rejected, "too clever");
        stage.run.record(
            events::Reviewed{stage.run.state().candidate(through)->review, Decision::Approved, byPolicy, "", {}});
        stage.open(); // a record: somebody decided this, long ago
        const auto* said = stage.find<MessageBar>(u"messageBar"_s);
        const auto press = [&stage] {
            stage.window->activateWindow();
            QVERIFY(QTest::qWaitForWindowActive(stage.window.get(), patience));
            stage.window->centralWidget()->setFocus();
            QTest::keyClick(stage.window.get(), Qt::Key_Z, Qt::ControlModifier);
        };
        for (const QString& mode : {u"evolve"_s, u"review"_s}) {
            stage.window->showScreen(mode);
            press();
            QVERIFY2(stage.client.calls.isEmpty(), qPrintable(stage.client.calls.join(u'|')));
            QVERIFY2(said->text().startsWith(u"Nothing can be undone since this session was opened."_s)
                    && said->text().contains(u"Ctrl+Alt+H"_s),
                qPrintable(said->text()));
        }
        stage.window->actions()[u"run.history"_s].trigger(); // where it still can be
        const auto* table = stage.window->findChild<UndoPage*>()->findChild<Table*>(u"undoTable"_s);
        QCOMPARE(table->model()->rowCount(), 2);
        QCOMPARE(table->model()->index(0, 1).data().toString(), u"Can be undone; earlier session"_s);
        stage.run.decide(waits, Decision::Rejected, "no");
        stage.open();
        stage.window->activateWindow();
        stage.window->showScreen(u"review"_s);
        press();
        QCOMPARE(stage.client.calls, QStringList{u"undo "_s + nameOfCandidate(waits)});
    }

    /// What is still offered when another session comes is of the one before: the other has no such order, and maybe
    /// none.
    void anotherSessionForgetsWhatIsOffered()
    {
        UndoStage stage;
        stage.window->showScreen(u"evolve"_s);
        stage.window->selection().select(CandidateId{5});
        stage.action(u"candidate.star"_s).trigger();
        Marks starred;
        starred.starred = true;
        stage.happen(events::Marked{CandidateId{5}, starred});
        const auto* offer = stage.find<QPushButton>(u"messageOffer"_s);
        QVERIFY(offer->isVisible());
        QCOMPARE(offer->text(), u"Undo"_s);
        stage.action(u"candidate.star"_s).trigger(); // and one that nobody tells of any more
        FixtureRun other;
        other.grow(5);
        auto snapshot = std::make_shared<Snapshot>(*other.snapshot());
        snapshot->status.sessionPath = "/elsewhere/other.tilewright";
        QVERIFY(snapshot->run.changes.empty());
        stage.client.publish(snapshot);
        QVERIFY(!stage.find<MessageBar>(u"messageBar"_s)->isVisible() || !offer->isVisible());
        Marks pinned;
        pinned.pinned = true;
        other.put(events::Marked{CandidateId{2}, pinned}); // by somebody else
        snapshot = std::make_shared<Snapshot>(*other.snapshot());
        snapshot->status.sessionPath = "/elsewhere/other.tilewright";
        stage.client.publish(snapshot);
        QVERIFY(!stage.find<MessageBar>(u"messageBar"_s)->isVisible() || !offer->isVisible());
    }

    /// The record tells of no order there: the key took back something older, without a word.
    void aPauseIsAnOrderAsWell()
    {
        UndoStage stage;
        const auto said = [&] { return stage.find<MessageBar>(u"messageBar"_s)->text(); };
        const auto show = [&stage](events::Phase phase, bool pausing = false, int measuring = 0) {
            auto snapshot = std::make_shared<Snapshot>(*stage.run.snapshot(phase));
            snapshot->status.pausing = pausing;
            snapshot->status.proposing = snapshot->status.building = snapshot->status.checking = 0;
            snapshot->status.measuring = measuring;
            stage.client.publish(snapshot);
        };
        stage.window->showScreen(u"evolve"_s);
        Marks star;
        star.starred = true;
        stage.happen(events::Marked{CandidateId{3}, star});
        show(events::Phase::Running, false, 2);
        stage.client.calls.clear();
        stage.action(u"run.pause"_s).trigger();
        QCOMPARE(stage.client.calls, QStringList{u"pause"_s});
        QCOMPARE(said(),
            u"Pausing after in-flight work (2 measuring)."
            " — Shift+F6 cancels it instead"_s);
        show(events::Phase::Running, true, 2);
        show(events::Phase::Paused);
        QCOMPARE(said(), u"The run is paused; no work is in flight. — Run (F5) resumes it"_s);
        // Measuring one again while it rests is no going on.
        show(events::Phase::Running, true, 1);
        show(events::Phase::Paused);
        stage.action(u"review.undo"_s).trigger();
        QCOMPARE(stage.client.calls, (QStringList{u"pause"_s, u"run"_s}));
        QVERIFY(stage.client.candidateCommands.empty());
        QVERIFY2(said().startsWith(u"Undone: Paused the run. The run continues."_s), qPrintable(said()));
        show(events::Phase::Running);
        stage.action(u"review.redo"_s).trigger();
        QCOMPARE(stage.client.calls.back(), u"pause"_s);
        show(events::Phase::Paused);
        // Going on as well.
        stage.action(u"run.run"_s).trigger();
        QVERIFY2(!said().contains(u"paused"_s), qPrintable(said()));
        show(events::Phase::Running);
        QCOMPARE(said(), u"The run continues. — Pause (F6) pauses it after in-flight work"_s);
        QTest::mouseClick(stage.find<QPushButton>(u"messageOffer"_s), Qt::LeftButton);
        QCOMPARE(stage.client.calls.back(), u"pause"_s);
        QVERIFY2(said().startsWith(u"Undone: Resumed the run."_s), qPrintable(said()));
        show(events::Phase::Paused);
        stage.action(u"review.undo"_s).trigger(); // and then what was ordered before
        QVERIFY(std::get<commands::UndoMarks>(stage.client.candidateCommands.back())
            == commands::UndoMarks{CandidateId{3}});
    }

    /// One decision after another is taken back; that the run should pause is another thing.
    void whatWasSaidOfAPauseGoesWithItsSession()
    {
        UndoStage stage;
        const auto said = [&] { return stage.find<MessageBar>(u"messageBar"_s)->text(); };
        stage.action(u"run.pause"_s).trigger();
        stage.client.publish(stage.run.snapshot(events::Phase::Paused));
        QVERIFY2(said().startsWith(u"The run is paused"_s), qPrintable(said()));
        stage.client.publish(std::make_shared<Snapshot>()); // closed
        QVERIFY2(!said().contains(u"paused"_s), qPrintable(said()));
    }

    void decisionsThatAreTakenBackInARowDoNotPauseTheRun()
    {
        UndoStage stage;
        const auto said = [&] { return stage.find<MessageBar>(u"messageBar"_s)->text(); };
        stage.window->showScreen(u"evolve"_s);
        stage.client.publish(stage.run.snapshot(events::Phase::Paused));
        stage.action(u"run.run"_s).trigger();
        stage.open();
        Marks star;
        star.starred = true;
        stage.happen(events::Marked{CandidateId{3}, star});
        stage.action(u"review.undo"_s).trigger();
        QVERIFY(std::get<commands::UndoMarks>(stage.client.candidateCommands.back())
            == commands::UndoMarks{CandidateId{3}});
        stage.happen(events::MarkUndone{CandidateId{3}});
        stage.client.calls.clear();
        stage.action(u"review.undo"_s).trigger();
        QCOMPARE(stage.client.calls, QStringList());
        QVERIFY2(said().startsWith(u"Nothing else can be undone. Not undone: Resumed the run."_s), qPrintable(said()));
        // By itself it is the newest order, as any other.
        stage.happen(events::Marked{CandidateId{4}, star});
        stage.client.publish(stage.run.snapshot(events::Phase::Paused));
        stage.action(u"run.run"_s).trigger();
        stage.open();
        stage.client.calls.clear();
        stage.action(u"review.undo"_s).trigger();
        QCOMPARE(stage.client.calls, QStringList{u"pause"_s});
    }

    void aPauseThatHoldsNoMoreIsNotTakenBack()
    {
        UndoStage stage;
        stage.window->showScreen(u"evolve"_s);
        stage.action(u"run.pause"_s).trigger();
        stage.client.publish(stage.run.snapshot(events::Phase::Paused));
        stage.open(); // a command from outside: it runs
        stage.client.calls.clear();
        stage.action(u"review.undo"_s).trigger();
        QCOMPARE(stage.client.calls, QStringList());
        stage.find<MessageBar>(u"messageBar"_s)->clear();
        QVERIFY(stage.find<MessageBar>(u"messageBar"_s)->isHidden());
    }

    void whatIsApprovedWhileTheRunRestsIsMeasuredLater()
    {
        UndoStage stage;
        const CandidateId waits = stage.run.awaitReview({});
        stage.client.publish(stage.run.snapshot(events::Phase::Paused));
        stage.window->showScreen(u"review"_s);
        stage.window->review().approve();
        stage.run.decide(waits, Decision::Approved, {});
        stage.client.publish(stage.run.snapshot(events::Phase::Paused));
        QCOMPARE(stage.find<MessageBar>(u"messageBar"_s)->text(),
            u"Approved %1. It is measured once the run continues."_s.arg(nameOfCandidate(waits)));
        // Where nothing can be measured at all, that is said.
        const CandidateId other = stage.run.awaitReview({});
        const auto elsewhere = [&] {
            auto snapshot = std::make_shared<Snapshot>(*stage.run.snapshot(events::Phase::Paused));
            snapshot->status.elsewhere = "it was measured on another machine";
            stage.client.publish(snapshot);
        };
        elsewhere();
        stage.window->review().approve();
        stage.run.decide(other, Decision::Approved, {});
        elsewhere();
        QVERIFY2(stage.find<MessageBar>(u"messageBar"_s)->text().endsWith(u"It is measured once the run continues."_s),
            qPrintable(stage.find<MessageBar>(u"messageBar"_s)->text()));
    }

    void whatIsOrderedOnceMoreCanBeTakenBack()
    {
        UndoStage stage;
        stage.window->showScreen(u"evolve"_s);
        stage.happen(events::RerunAsked{RerunId{1}, CandidateId{5}});
        stage.action(u"review.undo"_s).trigger();
        stage.happen(events::RerunWithdrawn{RerunId{1}});
        stage.action(u"review.redo"_s).trigger();
        stage.happen(events::RerunAsked{RerunId{2}, CandidateId{5}});
        QCOMPARE(stage.find<MessageBar>(u"messageBar"_s)->text(), u"Redone: Requested a re-run of c-0005."_s);
        auto* offer = stage.find<QPushButton>(u"messageOffer"_s);
        QVERIFY(offer->isVisible());
        QCOMPARE(offer->text(), u"Undo"_s);
        QTest::mouseClick(offer, Qt::LeftButton);
        QVERIFY(std::get<commands::CancelReruns>(stage.client.candidateCommands.back())
            == commands::CancelReruns{CandidateId{5}});
    }

    void inATextFieldTheKeyIsTheTexts()
    {
        UndoStage stage;
        const CandidateId decided = stage.run.awaitReview({});
        stage.run.awaitReview({});
        stage.open();
        stage.run.decide(decided, Decision::Rejected, "no");
        stage.open();
        stage.window->showScreen(u"review"_s);
        stage.window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(stage.window.get(), patience));
        auto* reason = stage.find<QLineEdit>(u"rejectReason"_s);
        reason->setFocus();
        stage.client.calls.clear();
        const auto press = [&](Qt::KeyboardModifiers with) { QTest::keyClick(reason, Qt::Key_Z, with); };
        press(Qt::ControlModifier); // nothing was typed
        QCOMPARE(stage.client.calls, QStringList());
        QTest::keyClicks(reason, u"slow"_s);
        for (int i = 0; i < 4; ++i)
            QTest::keyClick(reason, Qt::Key_Backspace);
        for (int i = 0; i < 12; ++i)
            press(Qt::ControlModifier);
        press(Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(stage.client.calls, QStringList());
        reason->clear(); // as the program does it
        press(Qt::ControlModifier);
        press(Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(stage.client.calls, QStringList());
    }

    void whatWasSaidCanBeReadLater()
    {
        UndoStage stage;
        Q_EMIT stage.client.failed(u"x/one"_s, u"the first thing went wrong"_s, u"do this"_s);
        Q_EMIT stage.client.failed(u"x/two"_s, u"the second thing went wrong"_s, {});
        Q_EMIT stage.client.failed(u"x/two"_s, u"the second thing went wrong"_s, {});
        auto* button = stage.find<QToolButton>(u"statusMessages"_s);
        QCOMPARE(button->text(), u"3"_s);
        stage.action(u"help.messages"_s).trigger();
        QCOMPARE(button->text(), QString()); // seen
        auto* table = stage.find<Table>(u"messageTable"_s);
        QVERIFY(table);
        QCOMPARE(table->model()->rowCount(), 2);
        const auto said = [&](int row) {
            return table->model()->index(row, static_cast<int>(MessageLog::Column::Text)).data().toString();
        };
        QCOMPARE(said(0), u"The second thing went wrong (2 times)"_s);
        QCOMPARE(said(1), u"The first thing went wrong — do this"_s);
        table->selectRow(1);
        QCOMPARE(stage.find<QLabel>(u"messageWhole"_s)->text(), u"Error: The first thing went wrong — do this"_s);
        QTest::mouseClick(stage.find<QPushButton>(u"copyMessages"_s), Qt::LeftButton);
        QVERIFY(QGuiApplication::clipboard()->text().contains(u"The second thing went wrong"_s));
        Q_EMIT stage.client.failed(u"x/three"_s, u"the third"_s, {});
        QCOMPARE(button->text(), QString()); // the page is open
        QCOMPARE(table->model()->rowCount(), 3);
    }
};

TILEWRIGHT_TEST(TestUndo)
#include "test_undo.moc"
