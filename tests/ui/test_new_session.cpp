// SPDX-License-Identifier: GPL-3.0-or-later
// A new session as a user sets it up: how each island searches before the first proposal, and what the run may take.
#include "core/base/folders.h"
#include "core/pack/pack_writer.h"
#include "tests/patience.h"
#include "tests/test_program.h"
#include "tests/ui/fits.h"
#include "tests/ui/set_up.h"
#include "ui/evolve/island_editor.h"
#include "ui/evolve/migration_editor.h"
#include "ui/models/display_text.h"
#include "ui/review/policy_box.h"
#include "ui/theme/theme.h"
#include "ui/welcome/machine_card.h"
#include "ui/welcome/mix_editor.h"
#include "ui/welcome/new_session_page.h"
#include "ui/welcome/proposer_picker.h"
#include "ui/welcome/run_estimate.h"

#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFile>
#include <QGuiApplication>
#include <QJsonArray>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSpinBox>
#include <QTableView>
#include <QTest>
#include <QToolButton>
#include <algorithm>
#include <cstdlib>

using namespace tilewright;
using namespace tilewright::ui;
using test::SetUp;
using namespace Qt::StringLiterals;

namespace {

constexpr std::int64_t second = 1'000'000'000;

/// Right below or above what was clicked.
bool standsBy(const QWidget& popup, const QWidget& button)
{
    const QRect at(button.mapToGlobal(QPoint()), button.size()), over = popup.geometry();
    const int gap = std::min(std::abs(over.top() - at.bottom()), std::abs(at.top() - over.bottom()));
    return gap <= px(6) && over.left() <= at.right() && at.left() <= over.right();
}

std::shared_ptr<const TaskPack> somePack()
{
    static const auto pack = std::make_shared<const TaskPack>(findTaskPack("gemm-fp32-cpu").value());
    return pack;
}

SessionChoices someChoices()
{
    SessionChoices choices;
    choices.pack = somePack();
    choices.deviceKind = "Some CPU";
    return choices;
}

/// As one that ran the choices' task where they would.
SessionSketch sketchLike(const SessionChoices& choices, std::int64_t evaluations, double seconds)
{
    SessionSketch sketch;
    sketch.taskName = choices.pack->task.name;
    sketch.device = choices.deviceKind;
    sketch.proposer = choices.proposer.toStdString();
    sketch.evaluations = evaluations;
    sketch.runNs = static_cast<std::int64_t>(seconds * second);
    sketch.costMicroUsd = 0;
    sketch.bytes = evaluations * 20'480;
    sketch.shapes = listWords(shapesOf(choices));
    return sketch;
}

QString lineOf(const std::vector<EstimateLine>& lines, const QString& name)
{
    for (const EstimateLine& line : lines)
        if (line.name == name)
            return line.value + u" · "_s + line.source;
    return {};
}

ModelSpec writer()
{
    ModelSpec spec;
    spec.name = "writer";
    spec.maxOutputTokens = 10'000;
    spec.capabilities.contextTokens = 100'000;
    spec.price = TokenPrice{2, 8, {}, {}, "2026-11-01", ""};
    return spec;
}

SessionChoices choicesByModels()
{
    SessionChoices choices = someChoices();
    choices.proposer = u"model"_s;
    choices.weights = {{"writer", 1}};
    choices.asked = {writer()};
    return choices;
}

} // namespace

class TestNewSession : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void startIsInSightInASmallWindow_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::newRow("1024x600") << QSize(1024, 600);
        QTest::newRow("1024x700") << QSize(1024, 700);
        QTest::newRow("1280x720") << QSize(1280, 720);
    }

    void startIsInSightInASmallWindow()
    {
        QFETCH(QSize, size);
        SetUp stage;
        stage.window->resize(size);
        test::settle(*stage.window);
        QCOMPARE(stage.window->size(), size);
        auto* start = stage.find<QPushButton>(u"start"_s);
        QVERIFY(start->isEnabled());
        QCOMPARE(start->visibleRegion().boundingRect(), start->rect());
        // As it is seen: its own colour stands where it does.
        const QImage picture = stage.window->grab().toImage();
        const QPoint corner = start->mapTo(stage.window.get(), QPoint(px(8), px(6)));
        QCOMPARE(picture.pixelColor(corner * picture.devicePixelRatio()).rgb(), tokens().button.rgb());
        // With the keyboard alone: the focus goes to it, and the shortcut starts the session.
        start->setFocus(Qt::TabFocusReason);
        QVERIFY(start->focusPolicy() & Qt::TabFocus);
        QCOMPARE(start->visibleRegion().boundingRect(), start->rect());
        QTest::keyClick(stage.window.get(), Qt::Key_Return, Qt::ControlModifier);
        QTRY_VERIFY_WITH_TIMEOUT(stage.client.created.has_value(), patience);
    }

    void initTestCase() { Theme::instance().apply(ThemeKind::Dark); }

    void islandsAreSteeredBeforeTheStart()
    {
        SetUp stage;
        QVERIFY(stage.choices().steering.empty()); // all is left to the strategy
        QCOMPARE(stage.find<QComboBox>(u"aimOf:C"_s)->currentText(), u"mostly tune"_s);
        stage.chooseAim(u"B"_s, u"only explore"_s);
        QCOMPARE(stage.choices().steering.size(), std::size_t(1));
        QVERIFY(stage.choices().steering.at({2}).focus == Focus::Explore);

        stage.find<QToolButton>(u"steer:D"_s)->click();
        auto* editor = stage.find<IslandEditor>(u"islandEditor"_s);
        QVERIFY(editor && standsBy(*editor, *stage.find<QToolButton>(u"steer:D"_s)));
        QVERIFY(editor->findChild<QLabel*>(u"islandNote"_s)->text().contains(u"from the start"_s));
        editor->findChild<QDoubleSpinBox*>(u"selectionTemperature"_s)->setValue(0.5);
        editor->findChild<QPushButton*>(u"applyIsland"_s)->click();
        QCOMPARE(stage.choices().steering.at({4}).selection, 0.5);
        QCOMPARE(stage.find<QToolButton>(u"steer:D"_s)->text(), u"parents 0.5"_s);
        QVERIFY(commandLineOf(stage.choices()).contains(u"--steer B:focus=explore --steer D:selection=0.5"_s));

        QTest::mouseClick(stage.find<QPushButton>(u"createPaused"_s), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(stage.client.created.has_value(), patience);
        QVERIFY(stage.client.created->steering == stage.choices().steering);
    }

    void startAndWhatStopsItStayInSight()
    {
        SetUp stage;
        NewSessionPage& page = stage.window->welcome();
        stage.window->resize(1280, 800);
        page.machine().show(test::findings());
        QTest::mouseClick(stage.find<QAbstractButton>(u"task:gemm-fp32"_s), Qt::LeftButton);
        test::settle(*stage.window);
        const auto isInSight = [](const QWidget* widget) {
            return widget->isVisible() && widget->visibleRegion().boundingRect() == widget->rect();
        };
        QVERIFY(isInSight(stage.find<QPushButton>(u"start"_s)));
        const auto* reason = stage.find<QLabel>(u"choicesNote"_s);
        QVERIFY(reason->text().contains(u"This task needs a GPU"_s));
        QVERIFY2(test::clipped(*reason).isEmpty(), qPrintable(test::clipped(*reason)));
        QVERIFY(isInSight(reason));
        int upright = 0;
        for (const QScrollBar* bar : page.window()->findChildren<QScrollBar*>())
            upright += bar->isVisible() && bar->orientation() == Qt::Vertical;
        QCOMPARE(upright, 1);
        QVERIFY(!stage.find<QTableView>(u"taskShapes"_s)->horizontalScrollBar()->isVisible());

        QTest::mouseClick(stage.find<QAbstractButton>(u"task:gemm-fp32-cpu"_s), Qt::LeftButton);
        QVERIFY(!reason->isVisible()); // no line about nothing
        QVERIFY(stage.find<QPushButton>(u"start"_s)->isEnabled());
    }

    void aTaskForWhichNothingIsBuiltInIsStartedByOneClickMore()
    {
        SetUp stage;
        NewSessionPage& page = stage.window->welcome();
        TaskPack bare = *somePack();
        bare.moves.clear();
        page.tasks().show({{"/packs/bare", bare}});
        const auto* reason = stage.find<QLabel>(u"choicesNote"_s);
        QVERIFY2(reason->isVisible() && reason->text().contains(u"has no transforms"_s)
                && reason->text().contains(u"manual replies"_s),
            qPrintable(reason->text()));
        QVERIFY(!stage.find<QPushButton>(u"start"_s)->isEnabled());
        QCOMPARE(stage.find<QPushButton>(u"useInstead:model"_s)->text(), u"Set up models…"_s); // there are none yet
        QTest::mouseClick(stage.find<QPushButton>(u"useInstead:manual"_s), Qt::LeftButton);
        QCOMPARE(stage.choices().proposer, u"manual"_s);
        QVERIFY(!reason->isVisible() && stage.find<QPushButton>(u"start"_s)->isEnabled());

        // A task with moves and no tunables: what the tuner cannot do, the mutator can.
        page.tasks().show({{"/packs/moves", *somePack()}});
        QTest::mouseClick(stage.find<QAbstractButton>(u"proposer:tuner"_s), Qt::LeftButton);
        QVERIFY(!stage.find<QPushButton>(u"start"_s)->isEnabled());
        QTest::mouseClick(stage.find<QPushButton>(u"useInstead:mutator"_s), Qt::LeftButton);
        QCOMPARE(stage.choices().proposer, u"mutator"_s);
        QVERIFY(stage.find<QPushButton>(u"start"_s)->isEnabled());
    }

    void tunablesAloneAreEnoughForTheMutator()
    {
        SessionChoices choices = someChoices();
        auto tunable = std::make_shared<TaskPack>(*somePack());
        tunable->moves.clear();
        std::string& seed = tunable->files.at(tunable->task.sources.front());
        const std::string start = "// EVOLVE-BLOCK-START\n";
        seed.insert(seed.find(start) + start.size(), "constexpr int TILE = 8;  // tune: 4 8 16\n");
        choices.pack = tunable;
        QCOMPARE(problemOf(choices, Section::Proposer), QString());
        QVERIFY(proposersInstead(choices).isEmpty());
    }

    void whatTheMachineHasIsToldInFullAndJudgedByTheTask()
    {
        SetUp stage;
        stage.window->resize(1280, 800);
        QJsonObject report = test::findings();
        report[u"complete"_s] = true;
        MachineCard& card = stage.window->welcome().machine();
        card.show(report);
        // What is there stands in one line until somebody wants to see it.
        const auto seen = [&card] {
            const auto labels = card.findChildren<QLabel*>();
            return std::ranges::count_if(labels, [](const QLabel* label) { return label->isVisible(); });
        };
        const auto few = seen();
        stage.find<QPushButton>(u"machineMore"_s)->click();
        QVERIFY(seen() > few);
        test::settle(*stage.window);
        for (const QLabel* label : card.findChildren<QLabel*>())
            QVERIFY2(test::clipped(*label).isEmpty(), qPrintable(test::clipped(*label)));
        const auto* verdict = stage.find<QLabel>(u"machineNote"_s);
        QCOMPARE(verdict->text(), u"All requirements of the task are met."_s);
        QVERIFY(verdict->width() > verdict->fontMetrics().horizontalAdvance(verdict->text())); // in one line
        QTest::mouseClick(stage.find<QAbstractButton>(u"task:gemm-fp32"_s), Qt::LeftButton);
        QVERIFY2(verdict->text().contains(u"needs a GPU, which is missing"_s), qPrintable(verdict->text()));
        QCOMPARE(verdict->property("tone").toString(), u"bad"_s);
        // A GPU alone is not all: its programs have to be compiled.
        report[u"gpu_tasks_lack"_s] = QJsonArray{u"a CUDA toolkit"_s};
        QJsonArray found = report[u"findings"_s].toArray();
        found.append(QJsonObject{{u"what"_s, u"cuda:0"_s}, {u"found"_s, true},
            {u"device"_s, QJsonObject{{u"index"_s, 0}, {u"name"_s, u"NVIDIA H200"_s}}}});
        report[u"findings"_s] = found;
        card.show(report);
        QVERIFY2(verdict->text().contains(u"needs a compiler for GPU programs"_s), qPrintable(verdict->text()));
        QCOMPARE(verdict->property("tone").toString(), u"bad"_s);
        report[u"gpu_tasks_lack"_s] = QJsonArray{};
        card.show(report);
        QCOMPARE(verdict->text(), u"All requirements of the task are met."_s);
        QCOMPARE(verdict->property("tone").toString(), u"secondary"_s);
    }

    void whatWasChosenCanBeDropped()
    {
        SetUp stage;
        stage.find<QSpinBox>(u"islands"_s)->setValue(7);
        stage.find<QLineEdit>(u"sessionFile"_s)->selectAll();
        QTest::keyClicks(stage.find<QLineEdit>(u"sessionFile"_s), u"/elsewhere/x.tilewright"_s);
        QTest::mouseClick(stage.find<QPushButton>(u"cancelSession"_s), Qt::LeftButton);
        QCOMPARE(stage.choices().islands, SessionChoices().islands);
        QVERIFY(!stage.find<QLineEdit>(u"sessionFile"_s)->text().startsWith(u"/elsewhere"_s));
        QVERIFY(stage.find<QPushButton>(u"start"_s)->isEnabled());
    }

    void whereNoSessionIsOpenTheChoicesAreResetAndNotCancelled()
    {
        SetUp stage;
        auto* button = stage.find<QPushButton>(u"cancelSession"_s);
        QCOMPARE(button->accessibleName(), u"Reset"_s); // whether there is room for the word or not
        QCOMPARE(button->toolTip(), u"Restore the defaults"_s);
        stage.open();
        stage.window->showScreen(u"welcome"_s);
        QCOMPARE(button->accessibleName(), u"Cancel"_s);
    }

    void aFieldKeepsWhatIsNoNumberAndSaysSo()
    {
        SetUp stage;
        auto* field = stage.find<QSpinBox>(u"evaluations"_s);
        auto* start = stage.find<QPushButton>(u"start"_s);
        const int before = field->value();
        field->setFocus();
        field->selectAll();
        QTest::keyClicks(field, u"-5abc9"_s);
        QCOMPARE(field->text(), u"-5abc9"_s);
        const QString said = stage.find<QLabel>(u"choicesNote"_s)->text();
        QVERIFY(stage.find<QLabel>(u"evaluationWords"_s)->text().startsWith(u"1 to "_s));
        QVERIFY2(said.contains(u"“-5abc9” is not a number from 1 to"_s), qPrintable(said));
        QVERIFY(!start->isEnabled());
        QTest::keyClick(field, Qt::Key_Return);
        stage.find<QLineEdit>(u"sessionFile"_s)->setFocus();
        QCOMPARE(field->text(), u"-5abc9"_s); // it is not put right behind the user's back
        QCOMPARE(field->value(), before);
        QVERIFY(!start->isEnabled());
        field->setFocus();
        field->selectAll();
        QTest::keyClicks(field, u"59"_s);
        QCOMPARE(field->value(), 59);
        QCOMPARE(stage.choices().evaluations, 59);
        QVERIFY(start->isEnabled());
        QGuiApplication::clipboard()->setText(u"12x"_s);
        field->selectAll();
        QTest::keyClick(field, Qt::Key_V, Qt::ControlModifier);
        QCOMPARE(field->text(), u"12x"_s);
        QVERIFY(!start->isEnabled());
        QTest::mouseClick(stage.find<QPushButton>(u"cancelSession"_s), Qt::LeftButton); // the defaults are numbers
        QCOMPARE(field->value(), SessionChoices().evaluations);
        QVERIFY2(start->isEnabled(), qPrintable(stage.find<QLabel>(u"choicesNote"_s)->text()));
    }

    void aWrongNumberMovesNothingOnThePage()
    {
        SetUp stage;
        const auto* estimate = stage.find<QWidget>(u"estimateCard"_s);
        const auto* unknown = stage.find<QLabel>(u"estimateUnknown"_s);
        const auto type = [&](const QString& name, const QString& words) {
            auto* field = stage.find<QSpinBox>(name);
            field->setFocus();
            field->selectAll();
            QTest::keyClicks(field, words);
            test::settle(*stage.window);
        };
        for (const QSize size : {QSize(1280, 800), QSize(1680, 1050)}) {
            stage.window->resize(size);
            test::settle(*stage.window);
            const auto place = [&] { return std::pair{estimate->y(), estimate->height()}; }; // a bar may come beside it
            const auto before = place();
            for (const auto& [name, wrong, right] : {std::tuple{u"evaluations"_s, u"5x"_s, u"59"_s},
                     std::tuple{u"islands"_s, u"99"_s, u"4"_s}, std::tuple{u"seed"_s, u"-1"_s, u"1"_s}}) {
                type(name, wrong);
                QVERIFY(unknown->isVisible());
                QVERIFY2(place() == before, qPrintable(name));
                for (const QLabel* label : estimate->findChildren<QLabel*>())
                    QVERIFY(!label->isVisible() || !label->accessibleName().contains(u"59"_s)); // no stale figure
                type(name, right);
                QVERIFY2(!unknown->isVisible(), qPrintable(name + stage.find<QLabel>(u"choicesNote"_s)->text()));
                QVERIFY2(place() == before, qPrintable(name));
            }
        }
    }

    void aPlaceThatCannotBeWrittenSaysWhatToDoAndGivesNoCommand()
    {
        SetUp stage;
        auto* file = stage.find<QLineEdit>(u"sessionFile"_s);
        const auto* copy = stage.find<QPushButton>(u"copyCommand"_s);
        const auto* why = stage.find<QLabel>(u"choicesNote"_s);
        QVERIFY(copy->isEnabled());
        for (const QString& bad : {u"/proc/run.tilewright"_s, u"relative.tilewright"_s, u"/tmp/other.name"_s}) {
            file->selectAll();
            QTest::keyClicks(file, bad);
            QVERIFY2(!copy->isEnabled(), qPrintable(bad));
            QCOMPARE(copy->toolTip(), why->text());
        }
        file->selectAll();
        QTest::keyClicks(file, u"/proc/run.tilewright"_s);
        QVERIFY2(why->text().contains(u"Choose one in which you can create files"_s), qPrintable(why->text()));
        file->selectAll();
        QTest::keyClicks(file, stage.folder.filePath(u"good.tilewright"_s));
        QVERIFY(copy->isEnabled());
    }

    void aSeedThatIsNoNumberAndTooManyIslandsAreToldInWords()
    {
        SetUp stage;
        const auto type = [](QSpinBox* field, const QString& words) {
            field->setFocus();
            field->selectAll();
            QTest::keyClicks(field, words);
        };
        auto* seed = stage.find<QSpinBox>(u"seed"_s);
        const auto* beside = stage.find<QLabel>(u"seedWords"_s);
        const QString usual = beside->text();
        type(seed, u"12x"_s);
        QVERIFY2(beside->text().startsWith(u"0 to "_s), qPrintable(beside->text()));
        const auto* why = stage.find<QLabel>(u"choicesNote"_s);
        QVERIFY2(why->text().contains(u"“12x” is not a number from 0 to"_s), qPrintable(why->text()));
        QVERIFY(!why->text().contains(u"limit"_s)); // it is none
        type(seed, u"12"_s);
        QCOMPARE(beside->text(), usual);
        auto* islands = stage.find<QSpinBox>(u"islands"_s);
        auto* rows = stage.find<QWidget>(u"islandRows"_s);
        QCOMPARE(islands->maximum(), int(mostIslands)); // as everywhere
        type(islands, u"999"_s);
        QVERIFY(!rows->isVisible()); // of how many nobody knows
        QVERIFY(!stage.find<QPushButton>(u"start"_s)->isEnabled()
            && !stage.find<QPushButton>(u"copyCommand"_s)->isEnabled());
        QVERIFY2(why->text().contains(u"999 is out of range: 1 to 64"_s), qPrintable(why->text())); // it is a number
        QCOMPARE(summaryOf(stage.choices(), Section::Islands), u"1 to 64"_s); // and not 9, on the way to 999
        QVERIFY(estimateOf(stage.choices(), {}).empty());
        type(islands, u"3"_s);
        QVERIFY(rows->isVisible() && stage.find<QPushButton>(u"start"_s)->isEnabled());
    }

    void withModelsAllOfThePageIsSeenInALargeWindow()
    {
        SetUp stage;
        ModelsDraft draft = stage.window->models().draft();
        const std::string endpoint = draft.textAt(draft.addEndpoint("ollama"), "name");
        for (const char* name : {"small", "large", "thinker"})
            draft.set(draft.addModel(endpoint, name), "name", name);
        stage.window->models().change(draft, u"three models"_s);
        QJsonArray found; // all that the task needs is there
        for (const QJsonValue& each : test::findings()[u"findings"_s].toArray())
            if (each[u"found"_s].toBool())
                found << each;
        stage.window->welcome().machine().show({{u"complete"_s, true}, {u"findings"_s, found}});
        stage.window->welcome().proposers().choose(u"model"_s);
        QVERIFY(stage.choices().proposer == u"model"_s);
        stage.window->resize(1680, 1050);
        test::settle(*stage.window);
        const auto* bar = stage.find<QWidget>(u"islandRows"_s);
        const QScrollArea* area = nullptr;
        for (const QWidget* each = bar; each && !area; each = each->parentWidget())
            area = qobject_cast<const QScrollArea*>(each);
        QVERIFY(area && area->isVisible());
        QVERIFY2(area->verticalScrollBar()->maximum() == 0,
            qPrintable(QString::number(area->verticalScrollBar()->maximum())));
    }

    void afterCancelThePageIsFresh()
    {
        SetUp stage;
        const auto usual = stage.choices();
        const auto type = [](auto* field, const QString& words) {
            field->setFocus();
            field->selectAll();
            QTest::keyClicks(field, words);
        };
        auto* wall = stage.find<QCheckBox>(u"limitWall"_s);
        auto* minutes = stage.find<QSpinBox>(u"wallMinutes"_s);
        auto* islands = stage.find<QSpinBox>(u"islands"_s);
        wall->click();
        type(minutes, u"banana"_s);
        type(islands, u"4x"_s); // its value is what it was
        type(stage.find<QLineEdit>(u"newShape"_s), u"12×banana"_s);
        for (auto* task : stage.window->welcome().tasks().findChildren<QAbstractButton*>())
            if (task->objectName().startsWith(u"task:"_s) && !task->isChecked())
                task->click();
        stage.find<QAbstractButton>(u"proposer:replay"_s)->click();
        type(stage.find<QLineEdit>(u"recording"_s), u"/nowhere"_s);
        QVERIFY(!stage.find<QPushButton>(u"start"_s)->isEnabled());
        QTest::mouseClick(stage.find<QPushButton>(u"cancelSession"_s), Qt::LeftButton);
        QVERIFY(!wall->isChecked());
        QCOMPARE(minutes->text(), QString::number(usual.wallMinutes));
        QCOMPARE(islands->text(), QString::number(usual.islands));
        for (const QSpinBox* field : {minutes, islands}) {
            QVERIFY(!field->property("invalid").toBool());
            QVERIFY2(!field->toolTip().contains(u"no number"_s), qPrintable(field->toolTip()));
        }
        QCOMPARE(stage.find<QLineEdit>(u"newShape"_s)->text(), QString());
        QCOMPARE(stage.find<QLineEdit>(u"recording"_s)->text(), QString());
        QCOMPARE(stage.choices().pack->task.name, usual.pack->task.name);
        QCOMPARE(stage.choices().device, usual.device);
        QCOMPARE(stage.choices().proposer, usual.proposer);
        QVERIFY(stage.find<QPushButton>(u"start"_s)->isEnabled());
        wall->click();
        QVERIFY(stage.find<QPushButton>(u"start"_s)->isEnabled()); // nothing of it comes back
    }

    void cancellingLeadsBackToWhereOneCameFrom()
    {
        SetUp stage;
        stage.open();
        const auto shown = [&stage] { return stage.find<QWidget>(u"reviewPage"_s)->isVisible(); };
        stage.window->showScreen(u"review"_s);
        stage.window->actions()[u"file.new"_s].trigger();
        QVERIFY(!shown());
        QTest::mouseClick(stage.find<QPushButton>(u"cancelSession"_s), Qt::LeftButton);
        QVERIFY(shown());
    }

    void aTaskWhoseCheckFailedSaysWhyBeforeItIsStarted()
    {
        SetUp stage;
        const std::filesystem::path folder = (stage.folder.path() + u"/packs/gemm-fp32-cpu"_s).toStdString();
        std::filesystem::create_directories(folder.parent_path());
        std::filesystem::copy(
            sharedFolder() / "kernels" / "gemm-fp32-cpu", folder, std::filesystem::copy_options::recursive);
        stage.window->welcome().tasks().addFolder(text(folder.string()));
        auto* note = stage.find<QLabel>(u"choicesNote"_s);
        const auto isChosen = [&] { return stage.window->welcome().tasks().chosen()->uncheckedIn == folder.string(); };
        QTRY_VERIFY_WITH_TIMEOUT(stage.window->findChildren<QWidget*>(u"task:gemm-fp32-cpu"_s).size() == 2, patience);
        QVERIFY(!note->isVisible());
        markPackUnchecked(folder, "verify/poison: an element of C is never written");
        stage.window->actions()[u"file.new"_s].trigger(); // packs are read again
        QTRY_VERIFY_WITH_TIMEOUT(note->isVisible(), patience);
        QVERIFY(isChosen()); // what was chosen stays chosen
        QVERIFY2(note->text().contains(u"has not passed its check"_s)
                && note->text().contains(u"an element of C is never written"_s),
            qPrintable(note->text()));
        QCOMPARE(note->property("tone").toString(), u"warning"_s);
        QVERIFY(stage.find<QPushButton>(u"start"_s)->isEnabled());
        markPackChecked(folder);
        stage.window->actions()[u"file.new"_s].trigger();
        QTRY_VERIFY_WITH_TIMEOUT(!note->isVisible(), patience);
    }

    void packsThatCameSinceAreThereWhenANewSessionIsAskedFor()
    {
        SetUp stage;
        stage.window->actions()[u"file.new"_s].trigger();
        const std::filesystem::path folder = dataFolder() / "kernels" / "late";
        QTRY_VERIFY_WITH_TIMEOUT(stage.window->findChild<QWidget*>(u"task:gemm-fp32-cpu"_s), patience);
        QVERIFY(!stage.window->findChild<QWidget*>(u"task:late"_s));
        std::filesystem::create_directories(folder.parent_path());
        std::filesystem::copy(
            sharedFolder() / "kernels" / "gemm-fp32-cpu", folder, std::filesystem::copy_options::recursive);
        const std::string chosen = stage.choices().pack->task.name;
        QFile json(text((folder / "task.json").string()));
        QVERIFY(json.open(QIODevice::ReadOnly));
        QByteArray words = json.readAll();
        json.close();
        words.replace("\"gemm-fp32-cpu\"", "\"late\"");
        QVERIFY(json.open(QIODevice::WriteOnly) && json.write(words) == words.size());
        json.close();
        stage.window->actions()[u"file.new"_s].trigger();
        QTRY_VERIFY_WITH_TIMEOUT(stage.window->findChild<QWidget*>(u"task:late"_s), patience);
        QCOMPARE(stage.choices().pack->task.name, chosen);
        std::filesystem::remove_all(folder);
    }

    void weightsOfOnesOwnAreGivenInTheEditor()
    {
        SetUp stage;
        stage.chooseAim(u"A"_s, u"own weights…"_s);
        auto* editor = stage.find<IslandEditor>(u"islandEditor"_s);
        QVERIFY(editor);
        QVERIFY(stage.choices().steering.empty()); // nothing is chosen before it is applied
        editor->findChild<QDoubleSpinBox*>(u"weight.tune"_s)->setValue(3);
        editor->findChild<QPushButton*>(u"applyIsland"_s)->click();
        QVERIFY(stage.choices().steering.at({1}).mix.has_value());
        QCOMPARE(stage.choices().steering.at({1}).mix->tune, 3.0);
        QCOMPARE(stage.find<QComboBox>(u"aimOf:A"_s)->currentText(), u"own weights…"_s);
        stage.chooseAim(u"A"_s, u"mostly explore"_s);
        QVERIFY(stage.choices().steering.empty());
    }

    void anIslandNamesItsStrategy()
    {
        SetUp stage;
        auto* steer = stage.find<QToolButton>(u"steer:D"_s);
        stage.chooseAim(u"D"_s, u"only tune"_s);
        stage.chooseAim(u"D"_s, u"strategy: random"_s);
        QVERIFY(!steer->isEnabled());
        const std::vector<std::string> wanted{"evolve", "evolve", "evolve", "random"};
        QVERIFY(ui::sessionOf(stage.choices(), false).settings.strategies == wanted);
        QVERIFY(ui::sessionOf(stage.choices(), false).steering.empty()); // which "random" does not take
        QVERIFY(ui::commandLineOf(stage.choices()).contains(u" --strategy D=random "_s));
        stage.find<QSpinBox>(u"islands"_s)->setValue(3);
        QVERIFY(ui::sessionOf(stage.choices(), false).settings.strategies.empty());
        stage.find<QSpinBox>(u"islands"_s)->setValue(4);
        stage.chooseAim(u"D"_s, u"mostly crossover"_s);
        QVERIFY(ui::sessionOf(stage.choices(), false).settings.strategies.empty());
        QVERIFY(stage.find<QToolButton>(u"steer:D"_s)->isEnabled());
    }

    void anIslandThatIsTakenAwayIsNotSteered()
    {
        SetUp stage;
        stage.chooseAim(u"D"_s, u"only tune"_s);
        stage.find<QSpinBox>(u"islands"_s)->setValue(2);
        QVERIFY(stage.choices().steering.empty());
        QVERIFY(!stage.find<QComboBox>(u"aimOf:D"_s));
        stage.find<QSpinBox>(u"islands"_s)->setValue(6);
        QVERIFY(stage.choices().steering.at({4}).focus == Focus::Tune); // as it was left
        QVERIFY(stage.find<QComboBox>(u"aimOf:F"_s));
    }

    void whereMigrantsGoIsDrawnBeforeTheStart()
    {
        SetUp stage;
        const auto* ways = stage.find<QComboBox>(u"migrationChoice"_s);
        auto* plan = stage.find<QToolButton>(u"migrationPlan"_s);
        QCOMPARE(ways->currentText(), u"ring"_s);
        QVERIFY(!commandLineOf(stage.choices()).contains(u"--migration"_s));
        stage.choose(u"migrationChoice"_s, u"custom routes…"_s);
        auto* editor = stage.find<MigrationEditor>(u"migrationEditor"_s);
        QVERIFY(editor && standsBy(*editor, *plan));
        QCOMPARE(ways->currentText(), u"ring"_s); // nothing is chosen before it is applied
        auto* apply = editor->findChild<QPushButton*>(u"applyMigration"_s);
        QVERIFY(!apply->isEnabled());
        for (QCheckBox* box : editor->findChildren<QCheckBox*>())
            if (box->accessibleName() == u"From island A to island C"_s
                || box->accessibleName() == u"From island D to island B"_s)
                box->click();
        editor->findChild<QSpinBox*>(u"migrationInterval"_s)->setValue(4);
        apply->click();
        const MigrationPlan drawn{MigrationPlan::Ways::Drawn, {{{1}, {3}}, {{4}, {2}}}, 4};
        QVERIFY(stage.choices().migration == drawn);
        QCOMPARE(plan->text(), u"A→C, D→B · every 4"_s);

        stage.find<QSpinBox>(u"islands"_s)->setValue(3); // the way from D is not there while D is not
        QCOMPARE(plan->text(), u"A→C · every 4"_s);
        stage.find<QSpinBox>(u"islands"_s)->setValue(4);
        QVERIFY(stage.choices().migration == drawn);
        QVERIFY(commandLineOf(stage.choices()).contains(u"--migration 'A>C,D>B' --migration-interval 4"_s));
        QTest::mouseClick(stage.find<QPushButton>(u"createPaused"_s), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(stage.client.created.has_value(), patience);
        QVERIFY(stage.client.created->settings.migration == drawn);
    }

    void waysWithoutTheirIslandsKeepTheRunFromStarting()
    {
        SetUp stage;
        stage.choose(u"migrationChoice"_s, u"custom routes…"_s);
        auto* editor = stage.find<MigrationEditor>(u"migrationEditor"_s);
        editor->findChildren<QCheckBox*>().last()->click(); // from D to C
        editor->findChild<QPushButton*>(u"applyMigration"_s)->click();
        stage.find<QSpinBox>(u"islands"_s)->setValue(2);
        QVERIFY(problemOf(stage.choices(), Section::Islands).contains(u"draw one"_s));
        QVERIFY(!stage.find<QPushButton>(u"start"_s)->isEnabled());
        stage.choose(u"migrationChoice"_s, u"off"_s);
        QVERIFY(stage.find<QPushButton>(u"start"_s)->isEnabled());
        QVERIFY(stage.choices().migration.ways == MigrationPlan::Ways::Off);
        stage.find<QSpinBox>(u"islands"_s)->setValue(1); // nobody to go to
        QVERIFY(!stage.find<QComboBox>(u"migrationChoice"_s)->isEnabled());
    }

    void theCommandLineNamesADeviceWhereThereIsOne()
    {
        SessionChoices choices;
        QVERIFY(commandLineOf(choices).endsWith(u" --device cpu"_s));
        choices.device.clear(); // a GPU task on a machine without a GPU
        QVERIFY2(!commandLineOf(choices).contains(u"--device"_s), qPrintable(commandLineOf(choices)));
    }

    void aRunMayEndWhereNothingBetterComes()
    {
        SetUp stage;
        stage.find<QCheckBox>(u"limitNoGain"_s)->click();
        auto* box = stage.find<QSpinBox>(u"noGain"_s);
        QVERIFY(box->isEnabled());
        box->selectAll();
        QTest::keyClicks(box, u"0"_s);
        QVERIFY(!stage.find<QPushButton>(u"start"_s)->isEnabled()); // nothing could ever come
        box->setValue(40);
        QVERIFY(commandLineOf(stage.choices()).contains(u"--no-gain 40"_s));
        QVERIFY(lineOf(estimateOf(stage.choices(), {}), u"Evaluations"_s).startsWith(u"at most 300"_s));
        QTest::mouseClick(stage.find<QPushButton>(u"createPaused"_s), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(stage.client.created.has_value(), patience);
        QCOMPARE(stage.client.created->settings.budget.noGain, std::int64_t(40));
    }

    void howManyMayWaitIsChosenWithThePolicy()
    {
        SetUp stage;
        const auto* limit = stage.find<LimitBox>(u"reviewLimitChoice"_s);
        const auto* words = stage.find<QLabel>(u"reviewLimitThen"_s);
        const QString waits = u"pending reviews per island at most"_s;
        QCOMPARE(words->text(), waits); // as nobody looks after the first run of all
        stage.find<QAbstractButton>(u"review:automatic"_s)->click();
        QVERIFY(!limit->isEnabled()); // nothing waits
        QCOMPARE(words->text(), u"pending reviews per island"_s);
        stage.find<QAbstractButton>(u"review:every"_s)->click();
        QCOMPARE(words->text(), waits);
        QVERIFY(limit->isEnabled());
        // 300 evaluations, four islands.
        const auto* fewer = stage.find<QLabel>(u"reviewLimitFewer"_s);
        QVERIFY(!fewer->isVisible()); // 8 may
        stage.choose(u"reviewLimitChoice"_s, u"32"_s);
        QVERIFY(fewer->isVisible());
        QCOMPARE(fewer->text(),
            u"Initial limit 18 on each: pending reviews take at most a quarter of the remaining evaluations."_s);
        stage.find<QAbstractButton>(u"review:risky"_s)->click();
        QVERIFY(!fewer->isVisible()); // they do not take the budget
        QVERIFY(
            stage.find<QAbstractButton>(u"review:risky"_s)->accessibleDescription().contains(u"most early edits"_s));
        stage.find<QAbstractButton>(u"review:every"_s)->click();
        stage.choose(u"reviewLimitChoice"_s, u"2"_s);
        QVERIFY(!fewer->isVisible());
        QVERIFY(commandLineOf(stage.choices()).contains(u"--review-limit 2"_s));
        QTest::mouseClick(stage.find<QPushButton>(u"createPaused"_s), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(stage.client.created.has_value(), patience);
        QCOMPARE(stage.client.created->settings.reviewLimit, 2);
    }

    void anIslandAsksModelsOfItsOwn()
    {
        SetUp stage;
        ModelsDraft draft = stage.window->models().draft();
        const DraftEntry at = draft.addEndpoint("ollama");
        const std::string endpoint = draft.textAt(at, "name");
        draft.set(draft.addModel(endpoint, "small"), "name", "small");
        draft.set(draft.addModel(endpoint, "large"), "name", "large");
        stage.window->models().change(draft, u"two models"_s);
        stage.window->welcome().proposers().choose(u"model"_s);
        auto* mix = stage.find<MixButton>(u"mixOf:B"_s);
        QVERIFY(mix && mix->isVisible());
        QVERIFY2(mix->accessibleName().contains(u"50 %"_s), qPrintable(mix->accessibleName()));
        QVERIFY(!needsOwnModels(stage.choices()));
        mix->click();
        auto* editor = stage.find<MixEditor>(u"mixEditor"_s);
        QVERIFY(editor && standsBy(*editor, *mix));
        auto* small = editor->findChild<QDoubleSpinBox*>(u"islandWeight:small"_s);
        auto* large = editor->findChild<QDoubleSpinBox*>(u"islandWeight:large"_s);
        small->setValue(0);
        large->setValue(0);
        QVERIFY(!editor->findChild<QPushButton*>(u"applyMix"_s)->isEnabled()); // nobody would be asked
        large->setValue(2);
        editor->findChild<QPushButton*>(u"applyMix"_s)->click();
        QVERIFY(mix->accessibleName().endsWith(u"large 100 %"_s));
        QVERIFY(needsOwnModels(stage.choices()));
        QTest::mouseClick(stage.find<QPushButton>(u"createPaused"_s), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(stage.client.created.has_value(), patience);
        const auto file = loadModelsFile(stage.folder.filePath(u"mine.models.json"_s).toStdString());
        QVERIFY(file.has_value());
        QCOMPARE(file->weightsFor("B").size(), std::size_t(1));
        QCOMPARE(file->weightsFor("B").at("large"), 2.0);
        QCOMPARE(file->weightsFor("A").size(), std::size_t(2));
    }

    void whereNothingIsKnownNoFigureIsMadeUp()
    {
        SessionChoices choices = someChoices();
        const auto lines = estimateOf(choices, {});
        QVERIFY(lineOf(lines, u"One evaluation"_s).startsWith(u"unknown"_s));
        QVERIFY(lineOf(lines, u"Running time"_s).startsWith(u"unknown"_s));
        QVERIFY(lineOf(lines, u"Evaluations"_s).startsWith(u"300 ·"_s)); // that is its budget
        QVERIFY(lineOf(lines, u"Model cost"_s).startsWith(u"none"_s));
        QVERIFY(lineOf(lines, u"Disk"_s).startsWith(u"unknown"_s));
        choices.limitEvaluations = false;
        QVERIFY(lineOf(estimateOf(choices, {}), u"Evaluations"_s).startsWith(u"no limit"_s));
        choices.limitWallTime = true;
        QVERIFY(lineOf(estimateOf(choices, {}), u"Evaluations"_s).startsWith(u"unknown"_s));
        QVERIFY(lineOf(estimateOf(choices, {}), u"Running time"_s).startsWith(u"at most 1 h"_s));
        choices.limitEvaluations = true;
        QVERIFY(lineOf(estimateOf(choices, {}), u"Evaluations"_s).startsWith(u"at most 300"_s));
    }

    void earlierSessionsOfTheTaskOnTheDeviceTellTheRate()
    {
        SessionChoices choices = someChoices();
        const std::vector<SessionSketch> earlier{sketchLike(choices, 100, 200), sketchLike(choices, 300, 200)};
        QCOMPARE(earnedRates(choices, earlier).secondsPerEvaluation, 1.0);
        QCOMPARE(earnedRates(choices, earlier).sessions, 2);
        const auto lines = estimateOf(choices, earlier);
        QVERIFY(lineOf(lines, u"One evaluation"_s).startsWith(u"≈ 1.0 s · 2 earlier sessions"_s));
        QVERIFY2(lineOf(lines, u"Running time"_s).startsWith(u"≈ "_s + duration(300 * second)),
            qPrintable(lineOf(lines, u"Running time"_s)));
        const QString disk = lineOf(lines, u"Disk"_s);
        QVERIFY2(
            disk.startsWith(u"≈ %1 · %2 per evaluation"_s.arg(bytes(300 * 20'480), bytes(20'480))), qPrintable(disk));
        choices.limitWallTime = true;
        choices.wallMinutes = 2;
        const QString fits = lineOf(estimateOf(choices, earlier), u"Evaluations"_s);
        QVERIFY2(fits.startsWith(u"≈ 120 · limited by wall time"_s), qPrintable(fits));
    }

    void copiesOfASessionCountOnce()
    {
        const SessionChoices choices = someChoices();
        SessionSketch one = sketchLike(choices, 100, 200), copy = sketchLike(choices, 300, 200);
        one.host = copy.host = "here";
        one.beganUtc = copy.beganUtc = "2026-11-20T10:00:00.000Z";
        QCOMPARE(earnedRates(choices, {one, copy}).sessions, 1);
        QCOMPARE(earnedRates(choices, {one, copy}).evaluations, std::int64_t(300)); // what came farther
        one.beganUtc = "2026-11-21T10:00:00.000Z";
        QCOMPARE(earnedRates(choices, {one, copy}).sessions, 2);
    }

    void sessionsOfOtherKindTellNothing_data()
    {
        QTest::addColumn<int>("what");
        for (const char* what :
            {"another task", "another device", "another proposer", "two devices", "another shape", "too short"})
            QTest::newRow(what) << static_cast<int>(what[0] == 'a' ? what[8] : what[1]);
    }
    void sessionsOfOtherKindTellNothing()
    {
        QFETCH(int, what);
        const SessionChoices choices = someChoices();
        SessionSketch other = sketchLike(choices, 100, 200);
        QCOMPARE(earnedRates(choices, {other}).sessions, 1);
        switch (what) {
        case 't':
            other.taskName = "gemm-fp32";
            break;
        case 'd':
            other.device = "Another CPU";
            break;
        case 'p':
            other.proposer = "model";
            break;
        case 's':
            other.shapes = "64x64x64 / none";
            break;
        case 'w':
            other.devices = 2;
            break;
        default:
            other.evaluations = 5;
        }
        QVERIFY(earnedRates(choices, {other}) == EarnedRates{});
    }

    void whatModelsMayCostIsBoundedByBudgetsAndPrices()
    {
        SessionChoices choices = choicesByModels();
        QVERIFY(lineOf(estimateOf(choices, {}), u"Model cost"_s).startsWith(u"no limit"_s));
        choices.limitTokens = true;
        choices.millionTokens = 0.5; // all written, at 8 $ a million
        QVERIFY2(lineOf(estimateOf(choices, {}), u"Model cost"_s).startsWith(u"at most $4.00"_s),
            qPrintable(lineOf(estimateOf(choices, {}), u"Model cost"_s)));
        choices.limitCost = true;
        choices.costUsd = 3;
        QVERIFY(lineOf(estimateOf(choices, {}), u"Model cost"_s).startsWith(u"at most $3.00 · its budget"_s));
        // 100 000 tokens read at 2 $ and 10 000 written at 8 $ a million.
        QCOMPARE(*dearestRequest(choices), 0.28);
        QVERIFY(lineOf(estimateOf(choices, {}), u"One request"_s).startsWith(u"at most $0.2800"_s));
        choices.asked.front().capabilities.contextTokens = 0;
        QVERIFY(!dearestRequest(choices));
        choices.unpriced = {u"writer"_s};
        QVERIFY(lineOf(estimateOf(choices, {}), u"Model cost"_s).startsWith(u"unknown"_s));
    }

    void costAndTokensOfEarlierSessionsByModelsAreToldToo()
    {
        SessionChoices choices = choicesByModels();
        SessionSketch one = sketchLike(choices, 100, 1000);
        one.tokens = 2'000'000;
        one.costMicroUsd = 5'000'000;
        const auto lines = estimateOf(choices, {one});
        QVERIFY2(lineOf(lines, u"Model cost"_s).startsWith(u"≈ $15.00"_s), qPrintable(lineOf(lines, u"Model cost"_s)));
        choices.limitTokens = true;
        choices.millionTokens = 1; // 20 000 an evaluation
        QVERIFY(lineOf(estimateOf(choices, {one}), u"Evaluations"_s).startsWith(u"≈ 50 · limited by tokens"_s));
        one.costMicroUsd.reset(); // not all of it is known: no mean is made of the rest
        QVERIFY(!earnedRates(choices, {one}).usdPerEvaluation);
    }

    void thePageShowsTheEstimate()
    {
        SetUp stage;
        const auto figures = [&] {
            QStringList said;
            for (const QLabel* label : stage.find<QWidget>(u"estimateCard"_s)->findChildren<QLabel*>())
                said << label->accessibleName();
            return said.join(u'\n');
        };
        QVERIFY2(figures().contains(u"Evaluations: 300,"_s), qPrintable(figures()));
        stage.find<QSpinBox>(u"evaluations"_s)->setValue(77);
        QVERIFY2(figures().contains(u"Evaluations: 77,"_s), qPrintable(figures()));
    }
};

TILEWRIGHT_TEST(TestNewSession)
#include "test_new_session.moc"
