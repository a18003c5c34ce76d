// SPDX-License-Identifier: GPL-3.0-or-later
// What a user meets in the first hour: words, small screens, what stands beside what.
#include "core/store/session_lock.h"
#include "tests/patience.h"
#include "tests/test_program.h"
#include "tests/ui/fits.h"
#include "tests/ui/theatre.h"
#include "ui/docks/layouts_menu.h"
#include "ui/docks/workspace.h"
#include "ui/evolve/evolve_page.h"
#include "ui/models/display_text.h"
#include "ui/prompts/prompts_page.h"
#include "ui/settings/models_page.h"
#include "ui/shell/message_log.h"
#include "ui/shell/session_files.h"
#include "ui/shell/tour.h"
#include "ui/theme/theme.h"
#include "ui/welcome/new_session_page.h"
#include "ui/welcome/session_choices.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/pane.h"
#include "ui/widgets/plot/plot_view.h"
#include "ui/widgets/table.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QDir>
#include <QDockWidget>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <algorithm>
#include <filesystem>
#include <functional>

using namespace tilewright;
using namespace tilewright::ui;
using namespace Qt::StringLiterals;

namespace {

QString said(const test::Theatre& stage) { return stage.find<MessageBar>(u"messageBar"_s)->text(); }

bool isSeen(const QWidget* widget) { return widget->isVisible() && !widget->visibleRegion().isEmpty(); }

} // namespace

class TestFirstHour : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { Theme::instance().apply(ThemeKind::Dark); }

    void theTourShowsSixPlacesAndDoesNotComeBackByItself()
    {
        const test::Theatre stage(0);
        for (const QSize& size : {QSize(1280, 800), QSize(1680, 1050)}) {
            stage.window->resize(size);
            stage.window->actions()[u"help.tour"_s].trigger();
            const auto* tour = stage.find<Tour>(u"tour"_s);
            const auto* frame = stage.find<QFrame>(u"tourFrame"_s);
            QVERIFY(Tour::steps() == 6 && tour->isVisible() && tour->step() == 0);
            QSet<QString> captions;
            for (int step = 0; step < Tour::steps(); ++step) {
                QCOMPARE(tour->step(), step);
                captions << stage.find<QLabel>(u"tourCaption"_s)->text();
                QVERIFY2(stage.window->rect().contains(tour->geometry()), qPrintable(QString::number(step)));
                QVERIFY(!frame->geometry().isEmpty() && !tour->geometry().contains(frame->geometry().center()));
                QTest::mouseClick(stage.find<QPushButton>(u"tourNext"_s), Qt::LeftButton);
            }
            QCOMPARE(captions.size(), 6);
            QVERIFY(!tour->isVisible() && !frame->isVisible());
        }
        // Skipped at the first step, it counts as seen all the same.
        const QTemporaryDir folder;
        Settings fresh(folder.filePath(u"settings.ini"_s));
        QVERIFY(Tour::isNew(fresh));
        Tour again(fresh, *stage.window);
        again.begin();
        QTest::keyClick(&again, Qt::Key_Escape);
        QVERIFY(!again.isVisible() && !Tour::isNew(fresh));
    }

    void anEmptyScreenOffersThreeWaysToASession()
    {
        const test::Theatre stage(0);
        for (const QString& screen : {u"review"_s, u"prompts"_s, u"devices"_s, u"compare"_s}) {
            stage.window->showScreen(screen);
            test::settle(*stage.window);
            int seen = 0;
            for (const QWidget* row : stage.window->findChildren<QWidget*>(u"sessionButtons"_s))
                if (isSeen(row)) {
                    ++seen;
                    QCOMPARE(row->findChildren<QPushButton*>().size(), 3);
                    row->findChildren<QPushButton*>().first()->click();
                    QVERIFY(stage.window->welcome().isVisible());
                }
            QVERIFY2(seen == 1, qPrintable(screen));
        }
        test::Theatre open(20);
        open.open();
        for (const QString& screen : {u"review"_s, u"devices"_s, u"compare"_s}) {
            open.window->showScreen(screen);
            test::settle(*open.window);
            for (const QWidget* row : open.window->findChildren<QWidget*>(u"sessionButtons"_s))
                QVERIFY2(!isSeen(row), qPrintable(screen));
        }
    }

    void aFloatingPaneCoversAsLittleAsTheScreenAllows()
    {
        const QRect screen(0, 0, 2560, 1440);
        const QSize pane(500, 400);
        const auto covers
            = [&pane](const QPoint& at, const QRect& window) { return QRect(at, pane).intersects(window); };
        for (const QRect& window : {QRect(0, 0, 1680, 1050), QRect(880, 100, 1680, 1050), QRect(0, 440, 2560, 1000),
                 QRect(0, 0, 2560, 1000)}) {
            const QPoint at = floatingPlace(pane, window, screen);
            QVERIFY(screen.contains(QRect(at, pane)));
            QVERIFY(!covers(at, window));
        }
        QVERIFY(screen.contains(QRect(floatingPlace(pane, screen, screen), pane)));
        QCOMPARE(floatingPlace({3000, 2000}, screen, screen), QPoint(0, 0));
    }

    void theFitnessPlotHasAMenu()
    {
        test::Theatre stage(40);
        stage.open();
        test::settle(*stage.window);
        auto* plot = stage.find<PlotView>(u"fitnessPlot"_s);
        Q_EMIT plot->customContextMenuRequested(plot->rect().center());
        auto* menu = plot->findChild<QMenu*>(u"fitnessMenu"_s);
        QVERIFY(menu);
        const auto* log = stage.find<QToolButton>(u"fitnessLog"_s);
        const bool was = log->isChecked();
        for (QAction* action : menu->actions())
            if (action->text() == log->accessibleName())
                action->trigger();
        QVERIFY(log->isChecked() != was);
        menu->close();
    }

    void sentencesBeginWithACapitalAndIdsStayAsTheyAre()
    {
        QCOMPARE(asSentence(u"there is no GPU"_s), u"There is no GPU"_s);
        QCOMPARE(asSentence(u"c-0001 does not wait"_s), u"c-0001 does not wait"_s);
        QCOMPARE(asSentence(u"models.json is damaged"_s), u"models.json is damaged"_s);
        test::Theatre stage;
        stage.open();
        Q_EMIT stage.client.failed(u"review/not-waiting"_s, u"c-0001 does not wait for a review"_s, {});
        QVERIFY(said(stage).startsWith(u"c-0001 does not"_s));
    }

    void whatCouldNotBeSavedIsNotLostWithoutAWord()
    {
        test::Theatre stage;
        Snapshot behind = *stage.run.snapshot();
        behind.status.unsaved = true;
        behind.status.savedAtUtc = "2026-11-23T11:44:43.000Z";
        behind.status.trouble = "/a/b.tilewright: the disk is full";
        stage.client.publish(std::make_shared<const Snapshot>(behind));
        const auto question = [&] { return stage.find<QMessageBox>(u"lossQuestion"_s); };
        for (const auto& leave : std::initializer_list<std::function<void()>>{
                 [&] { stage.window->actions()[u"file.close"_s].trigger(); }, [&] { stage.window->close(); }}) {
            leave();
            QVERIFY(question() && question()->isVisible());
            QVERIFY(question()->informativeText().contains(u"the disk is full"_s));
            QVERIFY(!stage.client.calls.contains(u"close"_s));
            question()->button(QMessageBox::Cancel)->click();
            QTRY_VERIFY_WITH_TIMEOUT(!question(), patience);
            QVERIFY(stage.window->isVisible() && !stage.client.calls.contains(u"close"_s));
        }
        stage.window->close();
        QVERIFY(question());
        stage.find<QPushButton>(u"closeAndLose"_s)->click();
        QTRY_VERIFY_WITH_TIMEOUT(stage.client.calls.contains(u"close"_s), patience);
    }

    void whatACopyHoldsIsNotAskedAboutAgain()
    {
        test::Theatre stage;
        const auto publishLost = [&stage](events::Phase phase) {
            Snapshot lost = *stage.run.snapshot(phase);
            lost.status.unsaved = true;
            lost.status.trouble = "/a/b.tilewright was deleted since it was opened";
            stage.client.publish(std::make_shared<const Snapshot>(lost));
        };
        const auto question = [&] { return stage.find<QMessageBox>(u"lossQuestion"_s); };
        const auto isAsked = [&] {
            stage.window->close();
            if (!question())
                return false;
            question()->button(QMessageBox::Cancel)->click();
            return QTest::qWaitFor([&] { return !question(); }, patience);
        };
        const auto saveCopy = [&](const QString& path) {
            QFile(path).open(QIODevice::WriteOnly); // the recorded engine writes none
            stage.window->session().execute(commands::SaveCopy{path.toStdString()});
        };
        publishLost(events::Phase::Paused);
        QVERIFY(isAsked());
        const QString copy = stage.folder.filePath(u"copy.tilewright"_s);
        saveCopy(copy);
        stage.run.grow(1);
        publishLost(events::Phase::Paused);
        QVERIFY(isAsked()); // something came since
        saveCopy(copy);
        QFile::remove(copy);
        QVERIFY(isAsked()); // it is gone
        saveCopy(copy);
        publishLost(events::Phase::Running);
        QVERIFY(isAsked()); // more comes at any moment
        publishLost(events::Phase::Paused);
        QVERIFY(!stage.client.calls.contains(u"close"_s));
        stage.window->close();
        QVERIFY(!question());
        QTRY_VERIFY_WITH_TIMEOUT(stage.client.calls.contains(u"close"_s), patience);
    }

    void everyPaneCanBeFloatedClosedAndBroughtBack_data()
    {
        QTest::addColumn<QString>("screen");
        QTest::addColumn<qsizetype>("count");
        QTest::newRow("evolve") << u"evolve"_s << qsizetype(5);
        QTest::newRow("review") << u"review"_s << qsizetype(2);
        QTest::newRow("prompts") << u"prompts"_s << qsizetype(3);
        QTest::newRow("devices") << u"devices"_s << qsizetype(4);
    }
    void everyPaneCanBeFloatedClosedAndBroughtBack()
    {
        QFETCH(QString, screen);
        QFETCH(qsizetype, count);
        test::Theatre stage;
        stage.open();
        stage.window->showScreen(screen);
        const QList<QDockWidget*> docks = stage.window->workspace()->docks();
        QCOMPARE(docks.size(), count);
        for (QDockWidget* dock : docks) {
            const auto button = [dock](const QString& does) {
                const QString name = does.arg(dock->windowTitle());
                const auto all = dock->titleBarWidget()->findChildren<QAbstractButton*>();
                const auto found = std::ranges::find(all, name, &QAbstractButton::accessibleName);
                return found == all.end() ? nullptr : *found;
            };
            QVERIFY2(button(u"Float %1"_s) && button(u"Close %1"_s), qPrintable(dock->objectName()));
            button(u"Float %1"_s)->click();
            QVERIFY(dock->isFloating());
            button(u"Float %1"_s)->click();
            QVERIFY(!dock->isFloating());
            button(u"Close %1"_s)->click();
            QVERIFY(dock->isHidden());
        }
        // Each has its line in the View menu, by the name that its title shows.
        auto* panes = stage.find<QMenu>(u"panesMenu"_s);
        Q_EMIT panes->aboutToShow();
        for (QDockWidget* dock : docks) {
            QAction* line = nullptr;
            for (QAction* one : panes->actions())
                line = one->text() == dock->windowTitle() && one->isCheckable() ? one : line;
            QVERIFY2(line, qPrintable(dock->windowTitle()));
            QVERIFY(!line->isChecked());
            line->trigger();
            QVERIFY(!dock->isHidden());
        }
    }

    void eachModeStandsAsItWasLeft()
    {
        test::Theatre stage;
        stage.open();
        for (const auto& [mode, pane] :
            {std::pair{u"review"_s, "reviewFactsDock"}, {u"prompts"_s, "versionsDock"}, {u"devices"_s, "queueDock"}}) {
            const QString name = QString::fromLatin1(pane);
            stage.window->showScreen(mode);
            stage.find<QDockWidget>(name)->close();
            stage.window->workspace()->saveLayout();
            test::RecordedClient client;
            client.fixture = &stage.run;
            MainWindow again(client, stage.settings);
            again.resize(stage.window->size());
            again.show();
            client.publish(stage.run.snapshot());
            again.showScreen(mode);
            QVERIFY2(again.findChild<QDockWidget*>(name)->isHidden(), pane);
            again.actions()[u"view.reset"_s].trigger();
            QVERIFY2(!again.findChild<QDockWidget*>(name)->isHidden(), pane);
        }
        stage.window->showScreen(u"welcome"_s);
        QVERIFY(!stage.window->workspace());
    }

    void layoutsAreKeptUnderNamesAndForgotten()
    {
        test::Theatre stage;
        stage.open();
        stage.window->showScreen(u"evolve"_s);
        auto* menu = stage.find<QMenu>(u"layoutsMenu"_s);
        auto* fitness = stage.find<QDockWidget>(u"fitnessDock"_s);
        const auto lineOf = [menu](const QString& name) {
            Q_EMIT menu->aboutToShow();
            const auto all = menu->actions();
            const auto found = std::ranges::find(all, name, &QAction::text);
            return found == all.end() ? nullptr : *found;
        };
        QVERIFY(!lineOf(u"no plot"_s));
        fitness->close();
        auto* name = menu->findChild<QLineEdit*>(u"layoutName"_s);
        name->setText(u"  no   plot "_s);
        QTest::keyClick(name, Qt::Key_Return);
        stage.window->actions()[u"view.reset"_s].trigger();
        QVERIFY(!fitness->isHidden());
        QVERIFY(lineOf(u"no plot"_s));
        lineOf(u"no plot"_s)->trigger();
        QVERIFY(fitness->isHidden());
        QVERIFY(lineOf(u"Delete"_s));
        lineOf(u"Delete"_s)->menu()->actions().front()->trigger();
        QVERIFY(!lineOf(u"no plot"_s));
        QVERIFY(dockLayoutsFrom("no JSON").empty());
        QVERIFY(dockLayoutsFrom(R"([{"name": "", "state": "AA=="}, 3, {"name": "x"}])").empty());
    }

    void askingTwiceForTheShortcutsShowsThemOnce()
    {
        test::Theatre stage;
        stage.window->actions()[u"help.shortcuts"_s].trigger();
        stage.window->actions()[u"help.shortcuts"_s].trigger();
        QCOMPARE(stage.window->findChildren<ShortcutPage*>().size(), 1);
    }

    void aFilterThatNothingFitsSaysSo()
    {
        test::Theatre stage;
        stage.open();
        auto* table = stage.find<Table>(u"candidateTable"_s);
        QVERIFY(table->nothing().isEmpty());
        stage.find<QLineEdit>(u"candidateFilter"_s)->setText(u"score>1000000"_s);
        QTRY_COMPARE_WITH_TIMEOUT(table->model()->rowCount(), 0, patience);
        const auto all = static_cast<int>(stage.run.state().candidates.size());
        QCOMPARE(table->nothing(), u"None of %1 candidates matches the filter."_s.arg(all));
        stage.find<QLineEdit>(u"candidateFilter"_s)->setText(u"island:a island:z"_s);
        QTRY_COMPARE_WITH_TIMEOUT(table->nothing(),
            u"None of %1 candidates matches the filter. Unknown island z; islands are A, B, C, D."_s.arg(all),
            patience);
        stage.find<QLineEdit>(u"candidateFilter"_s)->clear();
        QTRY_COMPARE_WITH_TIMEOUT(table->model()->rowCount(), all, patience);
        QVERIFY(table->nothing().isEmpty());
    }

    void theMessageCountsWhatStillWaits()
    {
        test::Theatre stage(20);
        const CandidateId first = stage.run.awaitReview({}), second = stage.run.awaitReview({});
        const auto publish = [&stage](const std::string& waitingCode) {
            auto snapshot = std::make_shared<Snapshot>(*stage.run.snapshot());
            snapshot->status.waitingCode = waitingCode;
            stage.client.publish(snapshot);
        };
        publish("reviews");
        QVERIFY(said(stage).contains(u"2 pending reviews"_s));
        stage.run.decide(first, Decision::Approved, {});
        publish("reviews");
        QVERIFY(said(stage).contains(u"1 pending review"_s));
        stage.run.decide(second, Decision::Approved, {});
        publish("");
        QVERIFY(said(stage).isEmpty());
    }

    /// Most of a run that was started and left alone waits after a minute, while it says that it runs.
    void anIslandThatWaitsForThePersonIsSaidWithWaysOut()
    {
        test::Theatre stage(20);
        stage.run.record(events::ReviewPolicyChanged{{}, ReviewPolicy::Risky});
        stage.run.record(events::ReviewLimitChanged{2});
        stage.run.awaitReview({"touches casts"});
        stage.open();
        auto* waits = stage.find<QPushButton>(u"waitsForYou"_s);
        QVERIFY(!waits->isVisible() && said(stage).isEmpty());
        stage.run.awaitReview({"touches casts"});
        stage.open();
        QVERIFY2(said(stage).startsWith(u"Island A is blocked: 2 pending reviews."_s), qPrintable(said(stage)));
        QVERIFY(waits->isVisible());
        QCOMPARE(waits->accessibleName(), u"2 pending reviews"_s);
        auto others = std::make_shared<Snapshot>(*stage.run.snapshot()); // one of another island
        others->run.waitingReviews = 3;
        stage.client.publish(others);
        QVERIFY2(said(stage).startsWith(u"Island A is blocked: 2 pending reviews (3 on all islands)."_s),
            qPrintable(said(stage)));
        stage.open();
        QCOMPARE(stage.find<QPushButton>(u"run.run"_s)->text(), u"Running"_s); // other islands do
        auto paused = std::make_shared<Snapshot>(*stage.run.snapshot());
        paused->status.phase = events::Phase::Paused;
        stage.client.publish(paused);
        QVERIFY(waits->isVisible()); // what it waits for is to be decided all the same
        QVERIFY2(waits->toolTip().contains(u"The run is paused"_s), qPrintable(waits->toolTip()));
        stage.open();
        auto all = std::make_shared<Snapshot>(*stage.run.snapshot());
        all->status.waitingCode = "reviews";
        all->status.waiting = "waiting for 2 reviews";
        stage.client.publish(all);
        QCOMPARE(stage.find<QPushButton>(u"runState"_s)->accessibleName(), u"Blocked: 2 reviews"_s);
        stage.open();
        // Its ways: to the policy, which asks first …
        const QList<QAction*> ways = waits->menu()->actions();
        QCOMPARE(ways.size(), 3);
        ways[2]->trigger();
        QVERIFY(stage.find<QWidget>(u"reviewPage"_s)->isVisible());
        auto* asked = stage.find<QPushButton>(u"letThrough"_s);
        QCOMPARE(asked->text(), u"Approve 2"_s);
        QVERIFY(stage.client.calls.isEmpty());
        QVERIFY(said(stage).isEmpty()); // it is seen here
        stage.find<QPushButton>(u"leavePolicy"_s)->click();
        // … and the approval of all, from wherever that is.
        stage.window->showScreen(u"evolve"_s);
        ways[1]->trigger();
        QCOMPARE(stage.client.calls.size(), 2);
        std::vector<CandidateId> waiting;
        for (const Review& review : stage.run.state().reviews)
            waiting.push_back(review.candidate);
        stage.run.decide(waiting, Decision::Approved, {});
        stage.open();
        QVERIFY(!waits->isVisible());
        QCOMPARE(said(stage), u"Approved 2 candidates."_s);
    }

    void theMessageGoesWhereWhatWaitsIsSeen()
    {
        test::Theatre stage(20);
        stage.run.awaitReview({});
        const auto publish = [&stage] {
            auto snapshot = std::make_shared<Snapshot>(*stage.run.snapshot());
            snapshot->status.waitingCode = "reviews";
            stage.client.publish(snapshot);
        };
        publish();
        QVERIFY(said(stage).contains(u"1 pending review"_s));
        stage.window->showScreen(u"review"_s);
        QVERIFY(said(stage).isEmpty());
        stage.run.awaitReview({}); // something new has come
        publish();
        QVERIFY(said(stage).isEmpty());
    }

    void theReviewPolicyHasTheSameNamesWhereverItIsChosen()
    {
        test::Theatre stage(20);
        stage.open();
        const auto* box = stage.find<QComboBox>(u"reviewPolicy"_s);
        for (const ReviewPolicy policy : {ReviewPolicy::Every, ReviewPolicy::Risky, ReviewPolicy::Automatic}) {
            const QString name = words(policy), word = QString::fromStdString(nameOf(policy));
            QVERIFY(name.contains(word, Qt::CaseInsensitive)); // as the command line has it
            QVERIFY(box->findText(name) >= 0);
            QCOMPARE(stage.find<QAbstractButton>(u"review:"_s + word)->text(), name);
        }
    }

    void modelsThatWereNeverSavedAreNotCalledSaved()
    {
        test::Theatre stage;
        stage.window->showScreen(u"settings"_s);
        const auto* words = stage.find<QLabel>(u"modelsSaved"_s);
        QVERIFY(!QFile::exists(stage.settings.modelsFile()));
        QVERIFY(words->text().startsWith(u"Will be saved in"_s));
    }

    void aFolderThatOnlyLooksWritableIsFoundOut()
    {
        QVERIFY(!unwritableFolderOf(u"/proc/x/session.tilewright"_s).isEmpty());
        const QTemporaryDir folder;
        QVERIFY(unwritableFolderOf(folder.filePath(u"new/session.tilewright"_s)).isEmpty());
        QVERIFY(QDir(folder.path()).isEmpty(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot));
    }

    void lineageAndRecordsStandSideBySideWhereThereIsRoom()
    {
        test::Theatre stage;
        stage.window->resize(px(1440), px(900));
        stage.open();
        const auto* lineage = stage.find<QDockWidget>(u"lineageDock"_s)->widget();
        const auto* records = stage.find<QDockWidget>(u"recordsDock"_s)->widget();
        QTRY_VERIFY_WITH_TIMEOUT(isSeen(lineage) != isSeen(records), patience); // one behind the other
        stage.window->resize(px(1680), px(1050));
        QTRY_VERIFY_WITH_TIMEOUT(isSeen(lineage) && isSeen(records), patience);
        stage.window->resize(px(1440), px(900));
        QTRY_VERIFY_WITH_TIMEOUT(isSeen(lineage) != isSeen(records), patience);
        stage.window->evolve().saveLayout();
        stage.window.reset();
        stage.window = std::make_unique<MainWindow>(stage.client, stage.settings);
        stage.window->resize(px(1680), px(1050));
        stage.window->show();
        stage.open();
        const auto* again = stage.find<QDockWidget>(u"lineageDock"_s)->widget();
        const auto* beside = stage.find<QDockWidget>(u"recordsDock"_s)->widget();
        QTRY_VERIFY_WITH_TIMEOUT(isSeen(again) && isSeen(beside), patience);
    }

    void theWindowFitsASmallScreen()
    {
        test::Theatre stage;
        stage.open();
        for (const QString& mode :
            {u"welcome"_s, u"evolve"_s, u"review"_s, u"prompts"_s, u"devices"_s, u"settings"_s}) {
            stage.window->showScreen(mode);
            stage.window->resize(1024, 700);
            QCoreApplication::sendPostedEvents();
            QCOMPARE(stage.window->size(), QSize(1024, 700));
        }
    }

    void thePartOfThePromptsThatIsShownStaysWhileTheRunGoesOn()
    {
        test::Theatre stage;
        stage.open();
        stage.window->showScreen(u"prompts"_s);
        stage.window->prompts().show(PromptsPage::Open);
        stage.open();
        QVERIFY(stage.find<QWidget>(u"openPromptsPage"_s)->isVisible());
    }

    void aListOfChoicesShowsAllOfThem()
    {
        test::Theatre stage(20);
        stage.run.awaitReview({});
        stage.open();
        stage.window->showScreen(u"review"_s);
        auto* policies = stage.find<QComboBox>(u"reviewPolicy"_s);
        policies->showPopup();
        const QAbstractItemView* list = policies->view();
        QTRY_VERIFY_WITH_TIMEOUT(list->isVisible(), patience);
        const QRect last = list->visualRect(list->model()->index(policies->count() - 1, 0));
        QVERIFY(list->viewport()->rect().contains(last));
        policies->hidePopup();
    }

    void labelsOfAPlotStandApartAndShortOfItsRightEdge()
    {
        PlotView plot;
        plot.resize(900, 400);
        plot.setAxes(u"×"_s, u"evaluation"_s);
        QVector<PlotSeries> all;
        for (const QString& name : {u"A 56.8×"_s, u"B 56.8×"_s, u"C 57.4×"_s})
            all << PlotSeries{name, Qt::red, {0, 60, 120}, {1, 30, 56.8}, {0, 60, 120}, {1, 30, 56.8}};
        plot.setMarks({{120, u"finished"_s, Qt::white}});
        plot.setSeries(all);
        plot.show();
        for (const int width : {900, 420, 700}) {
            plot.resize(width, 400);
            QVERIFY(QTest::qWaitForWindowExposed(&plot, patience));
            plot.grab();
            QTRY_VERIFY_WITH_TIMEOUT(plot.area().width() > width / 2 && plot.area().right() < width, patience);
            plot.grab();
            const QVector<QRectF> boxes = plot.labelBoxes();
            QVERIFY(boxes.size() >= 3);
            for (qsizetype i = 0; i < boxes.size(); ++i) {
                QVERIFY2(boxes[i].right() <= plot.area().right() + 2, qPrintable(QString::number(boxes[i].right())));
                for (qsizetype k = 0; k < i; ++k)
                    QVERIFY(!boxes[i].adjusted(1, 2, -1, -2).intersects(boxes[k].adjusted(1, 2, -1, -2)));
            }
        }
    }

    void aDemoThatWasOnlyLookedAtIsOpenedAgain()
    {
        const QTemporaryDir data;
        const QByteArray before = qgetenv("XDG_DATA_HOME");
        qputenv("XDG_DATA_HOME", data.path().toUtf8());
        const auto first = copyOfDemo("gemm-cpu"), second = copyOfDemo("gemm-cpu");
        QVERIFY(first && second);
        QCOMPARE(*second, *first);
        const auto left = std::filesystem::directory_iterator(first->parent_path());
        QVERIFY2(std::ranges::none_of(
                     left, [&](const auto& each) { return !each.path().string().starts_with(first->string()); }),
            "something of the copy that was made to compare it is left");
        SessionLock open; // in another window
        QVERIFY(open.acquire(first->string()));
        const auto third = copyOfDemo("gemm-cpu");
        QVERIFY(third && *third != *first);
        if (before.isNull())
            qunsetenv("XDG_DATA_HOME");
        else
            qputenv("XDG_DATA_HOME", before);
    }
};

TILEWRIGHT_TEST(TestFirstHour)
#include "test_first_hour.moc"
