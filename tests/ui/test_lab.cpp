// SPDX-License-Identifier: GPL-3.0-or-later
// The Lab mode as a teacher uses it: what is shown follows the scheme, the product and the tile that were chosen.
#include "core/base/files.h"
#include "core/base/folders.h"
#include "core/model/measurement/conditions.h"
#include "core/store/packed_session.h"
#include "core/store/session_reader.h"
#include "core/tensor/known_schemes.h"
#include "core/tiling/tile_tunables.h"
#include "tests/patience.h"
#include "tests/test_program.h"
#include "tests/ui/theatre.h"
#include "ui/compare/plot_pane.h"
#include "ui/compare/point_plot.h"
#include "ui/diff/split_diff.h"
#include "ui/lab/cost_bars.h"
#include "ui/lab/game_page.h"
#include "ui/lab/game_views.h"
#include "ui/lab/guided_demo.h"
#include "ui/lab/lab_page.h"
#include "ui/lab/parallel_view.h"
#include "ui/lab/scheme_words.h"
#include "ui/lab/schemes_page.h"
#include "ui/lab/search_page.h"
#include "ui/lab/steps_page.h"
#include "ui/lab/strassen_page.h"
#include "ui/lab/tile_views.h"
#include "ui/lab/tiling_page.h"
#include "ui/lab/tunables_page.h"
#include "ui/theme/theme.h"

#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSignalSpy>
#include <QSlider>
#include <QSpinBox>
#include <QSvgRenderer>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBrowser>
#include <algorithm>

using namespace tilewright;
using namespace tilewright::ui;
using namespace tilewright::test;
using namespace Qt::StringLiterals;

namespace {

struct LabStage : Theatre {
    explicit LabStage(LabPage::Page page = LabPage::Page::Strassen)
        : Theatre(60)
    {
        window->showScreen(u"lab"_s);
        this->page().showPage(page);
    }
    LabPage& page() const { return window->lab(); }
    LabModel& lab() const { return page().lab(); }
};

} // namespace

class TestLab : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void productsAreWrittenAsOnPaper();
    void aStepLeadsThroughTheScheme();
    void anotherSchemeIsShownWhole();
    void theCostsAreThoseOfTheTextbook();
    void aTileFollowsItsSliders();
    void aCellOfTheMapChoosesItsTile();
    void aCpuTileHasFiguresOfItsOwn();
    void scoresAreLaidOutByATunable();
    void withoutASessionTheLabTeachesStill();
    void strassensMovesSolveTheGame();
    void aMoveIsClickedUndoneAndPlayedAgain();
    void whatIsNoMoveIsExplained();
    void hintsSolveTheGameInSevenMoves();
    void everyStepOfADemoShowsWhatItSpeaksOf();
    void aClickerLeadsThroughADemo();
    void aPageIsSavedAsAPicture();
    void theLabIsReset();
    void aSchemeIsSavedAndOpened();
    void thePresenterViewChangesNoSetting();
    void aKeptSweepIsShownAsMeasuredOrRecorded();
    void whatCannotBeMeasuredIsSaidInOneLine();
    void theSchemeOfTheLibraryIsThatOfAllPages();
    void aDamagedFileOfTheLibraryIsNamed();
    void aGameIsHandedToTheSearch();
    void candidatesAreLinesThroughAllConstants();
    void everyStepOfADemoHasNotes();
    void theKernelDemoFollowsItsRecordedSteps();
    void aStepShowsWhatItChanged();
    void aSearchFindsAScheme();
    void aSearchIsStoppedAndGoesOn();
    void aSearchOverTheIntegersKeepsWhatLifts();
};

void TestLab::productsAreWrittenAsOnPaper()
{
    const tensor::Scheme strassen = tensor::strassen();
    QStringList products;
    for (int product = 0; product < strassen.rank(); ++product)
        products << productWords(strassen, product);
    QVERIFY(products.contains(u"(A11 + A22)(B11 + B22)"_s));
    QVERIFY(products.contains(u"A11 (B12 − B22)"_s));
    QVERIFY(products.contains(u"(A21 + A22) B11"_s));
    QCOMPARE(signWords(*tensor::coefficientOf(-1)), u"−"_s);
    QCOMPARE(signWords(*tensor::coefficientOf(1, 0, 2)), u"+1/2"_s);
    QCOMPARE(signWords(*tensor::coefficientOf(0)), QString());
}

void TestLab::aStepLeadsThroughTheScheme()
{
    LabStage stage;
    auto* list = stage.find<QListWidget>(u"labProducts"_s);
    QCOMPARE(list->count(), 7);
    QCOMPARE(list->currentRow(), 0);
    stage.find<QPushButton>(u"labForward"_s)->click();
    QCOMPARE(stage.lab().product(), 1);
    QCOMPARE(list->currentRow(), 1);
    list->setCurrentRow(6);
    QCOMPARE(stage.lab().product(), 6);
    stage.find<QPushButton>(u"labForward"_s)->click(); // there is no eighth
    QCOMPARE(stage.lab().product(), 6);
    stage.find<QPushButton>(u"labPlay"_s)->click(); // from the start again
    QCOMPARE(stage.lab().product(), 0);
    QTest::keyClick(stage.find<QWidget>(u"factorView"_s), Qt::Key_Right);
    QCOMPARE(stage.lab().product(), 1);
    QVERIFY(stage.find<QLabel>(u"labProduct"_s)->text().startsWith(u"m2 = "_s));
}

void TestLab::anotherSchemeIsShownWhole()
{
    LabStage stage;
    auto* schemes = stage.find<QComboBox>(u"labScheme"_s);
    schemes->setCurrentIndex(3);
    Q_EMIT schemes->activated(3);
    QCOMPARE(stage.lab().scheme().rank(), 27);
    QCOMPARE(stage.find<QListWidget>(u"labProducts"_s)->count(), 27);
    QVERIFY(stage.lab().verification().isExact());
    QVERIFY(stage.page().statusText().contains(u"27"_s));
    tensor::Scheme wrong = tensor::strassen();
    wrong.w.at(0, 0) = *tensor::coefficientOf(2);
    stage.lab().setScheme(wrong);
    QVERIFY(!stage.lab().verification().isExact());
}

void TestLab::theCostsAreThoseOfTheTextbook()
{
    LabStage stage;
    const auto* bars = static_cast<CostBars*>(stage.find<QWidget>(u"labCostBars"_s));
    const auto cost = [&](int bar) {
        const CostBar& each = bars->bars()[static_cast<std::size_t>(bar)];
        return each.multiplications + each.additions;
    };
    QCOMPARE(cost(0), 164.0);
    QCOMPARE(cost(1), 158.0);
    auto* schemes = stage.find<QComboBox>(u"labScheme"_s);
    Q_EMIT schemes->activated(1);
    QCOMPARE(cost(1), 155.0);
    QVERIFY(stage.find<QLabel>(u"labBreakEven"_s)->text().contains(u"11"_s));
    stage.find<QSlider>(u"labMultiply"_s)->setValue(1);
    QVERIFY(cost(1) > cost(0));
    const PointScene& plot = stage.find<PointPlot>(u"scalingPlot"_s)->scene();
    QVERIFY(plot.rows.size() > 10);
}

void TestLab::aTileFollowsItsSliders()
{
    LabStage stage(LabPage::Page::Tiling);
    QVERIFY(stage.page().tiling().device() == TilingPage::Device::Gpu);
    QCOMPARE(stage.find<QLabel>(u"tileValue0"_s)->text(), u"72 KiB"_s);
    QCOMPARE(stage.find<QLabel>(u"tileFormula0"_s)->text(), u"(128 + 256) · 16 · 4 B · 3"_s);
    auto* verdict = static_cast<VerdictBar*>(stage.find<QWidget>(u"tileVerdict"_s));
    QVERIFY(verdict->verdict() == TileVerdict::JustRight);
    stage.find<QSlider>(u"tileBm"_s)->setValue(4); // 256
    QCOMPARE(stage.lab().gpuTile().bm, 256);
    QVERIFY(verdict->verdict() == TileVerdict::TooLarge);
    QVERIFY(stage.page().statusText().contains(u"256"_s));
}

void TestLab::aCellOfTheMapChoosesItsTile()
{
    LabStage stage(LabPage::Page::Tiling);
    auto* map = static_cast<TileMap*>(stage.find<QWidget>(u"tileMap"_s));
    QCOMPARE(map->cells().size(), std::size_t(25));
    QTest::keyClick(map, Qt::Key_Left);
    QCOMPARE(stage.lab().gpuTile().bn, 128);
    QTest::keyClick(map, Qt::Key_Down);
    QCOMPARE(stage.lab().gpuTile().bm, 64);
    QTest::mouseClick(map, Qt::LeftButton, {}, map->rect().center());
    QCOMPARE(stage.lab().gpuTile().bm, 64);
    QCOMPARE(stage.lab().gpuTile().bn, 64);
}

void TestLab::aCpuTileHasFiguresOfItsOwn()
{
    LabStage stage(LabPage::Page::Tiling);
    stage.page().tiling().setDevice(TilingPage::Device::Cpu);
    const CpuTile before = stage.lab().cpuTile();
    stage.find<QSlider>(u"tileKc"_s)->setValue(0);
    QCOMPARE(stage.lab().cpuTile().kc, 32);
    QCOMPARE(stage.lab().cpuTile().nr, before.nr);
    QCOMPARE(stage.lab().gpuTile().bm, 128);
    QVERIFY(!stage.find<PointPlot>(u"tileRoofline"_s)->scene().nothing.isEmpty());
}

void TestLab::scoresAreLaidOutByATunable()
{
    RunState run;
    const auto add = [&](std::int64_t id, std::int64_t mr, double score) {
        Candidate candidate;
        candidate.id = CandidateId{id};
        candidate.island = IslandId{1};
        candidate.stage = Stage::Done;
        candidate.outcome = Outcome::Ranked;
        candidate.score = Interval{score, score * 0.99, score * 1.01};
        candidate.tunables = {{"MR", mr}, {"KC", 256}};
        run.candidates.push_back(candidate);
    };
    add(1, 2, 10);
    add(2, 6, 30);
    add(3, 6, 25);
    add(4, 12, 20);
    const auto axes = axesOf(run);
    QCOMPARE(axes.size(), std::size_t(1)); // KC is the same everywhere
    QCOMPARE(axes[0].tunable, std::string("MR"));
    const PointScene scene = tunableScene(run, axes[0]);
    QCOMPARE(scene.marks.size(), std::size_t(4));
    QCOMPARE(scene.lines[0].points, (QVector<QPointF>{{2, 10}, {6, 30}, {12, 20}}));
    QCOMPARE(scene.rows.size(), std::size_t(4));
}

void TestLab::withoutASessionTheLabTeachesStill()
{
    LabStage stage(LabPage::Page::Tunables);
    QVERIFY(!stage.find<PointPlot>(u"tunablePlot"_s)->scene().nothing.isEmpty());
    stage.page().showPage(LabPage::Page::Strassen);
    QVERIFY(!stage.page().statusText().isEmpty());
}

void TestLab::strassensMovesSolveTheGame()
{
    LabStage stage(LabPage::Page::Game);
    auto* game = stage.find<GamePage>(u"gamePage"_s);
    auto* typed = stage.find<QLineEdit>(u"gameTyped"_s);
    const tensor::Scheme strassen = tensor::strassen();
    for (int product = 0; product < 7; ++product) {
        QVERIFY(!stage.find<QPushButton>(u"gameScheme"_s)->isEnabled());
        tensor::GameMove move;
        for (const auto& [operand, factor] : {std::pair(tensor::Operand::A, &move.u),
                 std::pair(tensor::Operand::B, &move.v), std::pair(tensor::Operand::C, &move.w)})
            for (int entry = 0; entry < 4; ++entry)
                factor->push_back(static_cast<int>(strassen.factor(operand).at(entry, product).re));
        typed->setText(QString::fromStdString(tensor::textOf(move, strassen.format)));
        QTest::keyClick(typed, Qt::Key_Return);
    }
    QVERIFY(game->game().isSolved());
    QCOMPARE(stage.find<QListWidget>(u"gameMoves"_s)->count(), 7);
    stage.find<QPushButton>(u"gameScheme"_s)->click();
    QVERIFY(stage.page().page() == LabPage::Page::Strassen);
    QVERIFY(stage.lab().verification().isExact());
    QCOMPARE(stage.lab().scheme().rank(), 7);
}

void TestLab::aMoveIsClickedUndoneAndPlayedAgain()
{
    LabStage stage(LabPage::Page::Game);
    auto* game = stage.find<GamePage>(u"gamePage"_s);
    auto* cells = static_cast<MoveView*>(stage.find<QWidget>(u"moveView"_s));
    for (const tensor::Operand operand : {tensor::Operand::A, tensor::Operand::B, tensor::Operand::C})
        QTest::mouseClick(cells, Qt::LeftButton, {}, cells->cellAt(operand, 0).center().toPoint());
    stage.find<QPushButton>(u"gameSubtract"_s)->click();
    QCOMPARE(game->game().moves().size(), std::size_t(1));
    QCOMPARE(game->game().nonzeros(), 7);
    stage.find<QPushButton>(u"gameUndo"_s)->click();
    QCOMPARE(game->game().nonzeros(), 8);
    stage.find<QPushButton>(u"gameRedo"_s)->click();
    QCOMPARE(game->game().nonzeros(), 7);
    QTest::keyClick(cells, Qt::Key_Space); // 1
    QTest::keyClick(cells, Qt::Key_Space); // -1
    QCOMPARE(cells->move().u[0], -1);
}

void TestLab::whatIsNoMoveIsExplained()
{
    LabStage stage(LabPage::Page::Game);
    auto* game = stage.find<GamePage>(u"gamePage"_s);
    stage.find<QPushButton>(u"gameSubtract"_s)->click(); // all cells are 0
    QVERIFY(game->game().moves().empty());
    const QString zero = stage.find<QLabel>(u"gameTold"_s)->text();
    QVERIFY(!zero.isEmpty());
    auto* typed = stage.find<QLineEdit>(u"gameTyped"_s);
    typed->setText(u"(a11)*(b99)*(c11)"_s);
    QTest::keyClick(typed, Qt::Key_Return);
    QVERIFY(game->game().moves().empty());
    QVERIFY(stage.find<QLabel>(u"gameTold"_s)->text() != zero);
    QCOMPARE(typed->text(), u"(a11)*(b99)*(c11)"_s); // to be mended
}

void TestLab::hintsSolveTheGameInSevenMoves()
{
    LabStage stage(LabPage::Page::Game);
    auto* game = stage.find<GamePage>(u"gamePage"_s);
    for (int left = 7; left > 0; --left) {
        QVERIFY(!game->game().isSolved());
        stage.find<QPushButton>(u"gameHint"_s)->click();
        QTRY_VERIFY_WITH_TIMEOUT(stage.find<QPushButton>(u"gameHint"_s)->isEnabled(), patience);
        QVERIFY(stage.find<QLabel>(u"gameTold"_s)->text().contains(u"; %1 move"_s.arg(left)));
        stage.find<QPushButton>(u"gameSubtract"_s)->click();
    }
    QVERIFY(game->game().isSolved());
}

void TestLab::everyStepOfADemoShowsWhatItSpeaksOf()
{
    LabStage stage;
    QVERIFY(!stage.page().beginDemo(u"none"_s));
    auto* bar = stage.find<DemoBar>(u"demoBar"_s);
    for (const GuidedDemo& demo : guidedDemos()) {
        QVERIFY(stage.page().beginDemo(demo.id));
        for (int step = 0; step < static_cast<int>(demo.steps.size()); ++step) {
            bar->go(step);
            QCOMPARE(stage.find<QLabel>(u"demoCaption"_s)->text(), demo.steps[static_cast<std::size_t>(step)].caption);
        }
    }
    // From any step to any other: each sets up all that it speaks of.
    stage.page().beginDemo(u"game"_s);
    bar->go(5);
    QVERIFY(stage.find<GamePage>(u"gamePage"_s)->game().isSolved());
    QCOMPARE(stage.find<GamePage>(u"gamePage"_s)->game().moves().size(), std::size_t(7));
    bar->go(1);
    QCOMPARE(stage.find<GamePage>(u"gamePage"_s)->game().nonzeros(), 7);
    stage.page().beginDemo(u"tiles"_s);
    const auto verdictAt = [&](int step) {
        bar->go(step);
        return static_cast<VerdictBar*>(stage.find<QWidget>(u"tileVerdict"_s))->verdict();
    };
    QVERIFY(verdictAt(1) == TileVerdict::TooSmall);
    QVERIFY(verdictAt(2) == TileVerdict::TooSmall);
    QVERIFY(verdictAt(3) == TileVerdict::JustRight);
    QVERIFY(verdictAt(4) == TileVerdict::JustRight);
    QVERIFY(verdictAt(5) == TileVerdict::JustRight);
    QVERIFY(verdictAt(6) == TileVerdict::TooLarge);
    QVERIFY(verdictAt(7) == TileVerdict::TooLarge);
    QVERIFY(verdictAt(8) == TileVerdict::JustRight);
    QVERIFY(verdictAt(9) == TileVerdict::TooSmall);
    QVERIFY(verdictAt(10) == TileVerdict::TooLarge);
    stage.page().beginDemo(u"strassen"_s);
    bar->go(3);
    QVERIFY(stage.find<QLabel>(u"labProduct"_s)->text().startsWith(u"m5 = "_s));
}

void TestLab::aClickerLeadsThroughADemo()
{
    LabStage stage;
    stage.page().beginDemo(u"strassen"_s);
    auto* bar = stage.find<DemoBar>(u"demoBar"_s);
    stage.window->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(stage.window.get()));
    QTest::keyClick(stage.find<QPushButton>(u"demoNext"_s), Qt::Key_PageDown);
    QCOMPARE(bar->step(), 1);
    QTest::keyClick(stage.find<QPushButton>(u"demoNext"_s), Qt::Key_PageUp);
    QCOMPARE(bar->step(), 0);
    stage.find<QPushButton>(u"demoWorksheet"_s)->click();
    auto* sheet = stage.window->findChild<QTextBrowser*>(u"documentationText"_s);
    QVERIFY(sheet && sheet->source().path().endsWith(u"worksheets/strassen.md"_s));
    QVERIFY(sheet->toPlainText().contains(u"Answers"_s));
    stage.find<QPushButton>(u"demoClose"_s)->click();
    QVERIFY(!bar->isVisible());
}

void TestLab::aPageIsSavedAsAPicture()
{
    LabStage stage;
    const QString svg = stage.folder.filePath(u"lab.svg"_s), png = stage.folder.filePath(u"lab.png"_s);
    QVERIFY(stage.page().savePicture(svg));
    QVERIFY(QSvgRenderer(svg).isValid());
    QVERIFY(stage.page().savePicture(png));
    QVERIFY(!QImage(png).isNull());
    const auto failed = stage.page().savePicture(stage.folder.filePath(u"none/lab.svg"_s));
    QVERIFY(!failed);
    QCOMPARE(failed.error().code, std::string("file/unwritable"));
}

void TestLab::theLabIsReset()
{
    LabStage stage(LabPage::Page::Tiling);
    stage.lab().setScheme(tensor::schoolbook({3, 3, 3}));
    stage.lab().setGpuTile({16, 16, 4, 1, 32, 4});
    stage.page().beginDemo(u"game"_s);
    stage.find<DemoBar>(u"demoBar"_s)->go(3);
    stage.page().reset();
    QCOMPARE(stage.lab().scheme(), tensor::strassen());
    QCOMPARE(stage.lab().gpuTile(), LabModel().gpuTile());
    QVERIFY(stage.find<GamePage>(u"gamePage"_s)->game().moves().empty());
    QVERIFY(!stage.find<DemoBar>(u"demoBar"_s)->isRunning());
    QVERIFY(stage.page().page() == LabPage::Page::Strassen);
}

void TestLab::aSchemeIsSavedAndOpened()
{
    LabStage stage;
    const int before = stage.find<QComboBox>(u"labScheme"_s)->count();
    const tensor::Scheme winograd = tensor::winogradVariant();
    stage.lab().setScheme(winograd);
    for (const QString& name : {u"w.json"_s, u"w.npz"_s, u"w.exp"_s}) {
        const QString path = stage.folder.filePath(name);
        QVERIFY2(stage.page().strassen().saveScheme(path), qPrintable(name));
        stage.lab().setScheme(tensor::strassen());
        QVERIFY2(stage.page().strassen().openScheme(path), qPrintable(name));
        QVERIFY(stage.lab().scheme().u == winograd.u && stage.lab().scheme().w == winograd.w);
        QVERIFY(stage.lab().verification().isExact());
    }
    QFile wrong(stage.folder.filePath(u"wrong.exp"_s));
    QVERIFY(wrong.open(QIODevice::WriteOnly));
    wrong.write("(a11)*(b11)*(c11)\n(a22)*(b22)*(c22)\n");
    wrong.close();
    QVERIFY(!stage.page().strassen().openScheme(wrong.fileName()));
    QVERIFY(!stage.page().strassen().openScheme(stage.folder.filePath(u"none.json"_s)));
    QCOMPARE(stage.lab().scheme().u, winograd.u); // what was shown stays
    auto* schemes = stage.find<QComboBox>(u"labScheme"_s);
    QCOMPARE(schemes->count(), before + 3);
    Q_EMIT schemes->activated(before);
    QCOMPARE(stage.lab().scheme().rank(), 7);
    QVERIFY(!stage.page().strassen().saveScheme(stage.folder.filePath(u"none/w.json"_s)));
}

void TestLab::thePresenterViewChangesNoSetting()
{
    LabStage stage;
    const ThemeKind theme = Theme::instance().kind();
    const double points = Theme::instance().fontPoints();
    QAction& presenter = stage.window->actions()[u"view.presenter"_s];
    presenter.trigger();
    QVERIFY(stage.window->isFullScreen());
    QVERIFY(Theme::instance().kind() == ThemeKind::Light);
    QCOMPARE(Theme::instance().fontPoints(), 14.0);
    presenter.trigger();
    QVERIFY(!stage.window->isFullScreen());
    QVERIFY(Theme::instance().kind() == theme);
    QCOMPARE(Theme::instance().fontPoints(), points);
}

void TestLab::aKeptSweepIsShownAsMeasuredOrRecorded()
{
    const QTemporaryDir cache;
    qputenv("XDG_CACHE_HOME", cache.path().toLocal8Bit());
    TileSweep sweep;
    sweep.task = "gemm-fp32-cpu";
    sweep.program = "ab";
    sweep.shape = {512, 1024, 512};
    sweep.flops = 2.0 * 512 * 1024 * 512;
    sweep.reference = tunablesOf(CpuTile());
    sweep.rows = {"MR", {tile_choices::mr.begin(), tile_choices::mr.end()}};
    sweep.columns = {"NR", {tile_choices::nr.begin(), tile_choices::nr.end()}};
    sweep.device = readCpuFacts().model;
    sweep.deviceId = "cpu0";
    sweep.date = "2026-12-01T02:00:00Z";
    sweep.protocol = measurementProtocol;
    sweep.environment = {{"measured_gflops", {{"fp32", 100.0}}}, {"measured_memory_gb_s", 20.0}};
    sweep.cells = {{2, 1, 5e6, 24, Interval{1, 0.99, 1.01}, {}, {}}, {6, 5, 0, 0, {}, "build/error", "no room"}};
    QVERIFY(keepSweep(sweep));
    LabStage stage(LabPage::Page::Tiling);
    TilingPage& tiling = stage.page().tiling();
    stage.lab().setCpuTile(CpuTile());
    tiling.setDevice(TilingPage::Device::Cpu);
    QVERIFY(!tiling.map().shownSweep());
    tiling.map().setMeasured(true);
    QVERIFY(tiling.map().shownSweep());
    QVERIFY(tiling.map().shownSweep()->isOfThisMachine);
    const auto* map = static_cast<TileMap*>(stage.find<QWidget>(u"tileMap"_s));
    const TileMap::Cell &measured = map->cells()[2 * 6 + 1], &refused = map->cells()[6 * 6 + 5],
                        &waits = map->cells()[0];
    QVERIFY(measured.note.contains(u"107"_s)); // GFLOP/s
    QVERIFY(measured.words.contains(u"24 samples"_s) && measured.words.contains(u"computed"_s));
    QCOMPARE(refused.note, u"build/error"_s);
    QVERIFY(refused.words.contains(u"no room"_s));
    QVERIFY(waits.words.contains(u"not measured yet"_s));
    QVERIFY(stage.find<QLabel>(u"mapWords"_s)->text() == measured.words);
    // The roof that the sweep measured, and its point.
    QVERIFY(stage.find<PointPlot>(u"tileRoofline"_s)->scene().nothing.isEmpty());
    QCOMPARE(stage.find<PointPlot>(u"tileRoofline"_s)->scene().marks.size(), std::size_t(2));
    stage.find<QSlider>(u"tileKc"_s)->setValue(0); // measured for another KC
    QVERIFY(!tiling.map().shownSweep());
    qunsetenv("XDG_CACHE_HOME");
}

void TestLab::whatCannotBeMeasuredIsSaidInOneLine()
{
    LabStage stage(LabPage::Page::Tiling);
    TilingPage& tiling = stage.page().tiling();
    stage.lab().setGpuTile({128, 256, 16, 3, 256, 2}); // the program has elements of 4 bytes
    tiling.setDevice(TilingPage::Device::Gpu);
    stage.find<QPushButton>(u"mapMeasure"_s)->click();
    QVERIFY(!tiling.map().run().isRunning());
    const QString bytes = stage.find<QLabel>(u"mapWords"_s)->text();
    QVERIFY(bytes.contains(u"4 bytes"_s));
    qputenv("TILEWRIGHT_NODE", "/nonexistent/node");
    stage.lab().setGpuTile(LabModel().gpuTile());
    stage.find<QPushButton>(u"mapMeasure"_s)->click();
    QVERIFY(tiling.map().run().isRunning());
    QTRY_VERIFY_WITH_TIMEOUT(!tiling.map().run().isRunning(), patience);
    const QString words = stage.find<QLabel>(u"mapWords"_s)->text();
    QVERIFY2(!words.isEmpty() && !words.contains(u'\n') && words != bytes, qPrintable(words));
    qunsetenv("TILEWRIGHT_NODE");
}

void TestLab::theSchemeOfTheLibraryIsThatOfAllPages()
{
    LabStage stage(LabPage::Page::Schemes);
    auto* table = stage.find<QTableView>(u"schemesTable"_s);
    const int before = table->model()->rowCount();
    QVERIFY(before >= 4);
    const QString path = stage.folder.filePath(u"mine.json"_s);
    QVERIFY(exportScheme(tensor::schoolbook({2, 2, 3}), path));
    const auto place = stage.page().schemes().import(path);
    QVERIFY(place);
    QCOMPARE(table->model()->rowCount(), before + 1);
    table->setCurrentIndex(table->model()->index(*place, 0));
    QCOMPARE(stage.lab().scheme().rank(), 12);
    const QString words = stage.find<QLabel>(u"schemesWords"_s)->text();
    QVERIFY(words.contains(u"mine.json"_s) && words.contains(u"SHA-256"_s));
    // The next start of the program has it as well.
    const SchemeList other;
    QCOMPARE(other.schemes().size(), std::size_t(before + 1));
    stage.find<QPushButton>(u"schemesRemove"_s)->click();
    QCOMPARE(table->model()->rowCount(), before);
    QCOMPARE(stage.lab().scheme().rank(), 12); // pages go on with it
    table->setCurrentIndex(table->model()->index(0, 0));
    QVERIFY(!stage.find<QPushButton>(u"schemesRemove"_s)->isEnabled()); // it is built in
}

void TestLab::aDamagedFileOfTheLibraryIsNamed()
{
    const auto folder = dataFolder() / "schemes";
    std::filesystem::create_directories(folder);
    QVERIFY(saveFile(folder / "damaged.json", "{}"));
    {
        LabStage stage(LabPage::Page::Schemes);
        const QString problem = stage.find<QLabel>(u"schemesProblem"_s)->text();
        QVERIFY(problem.contains(u"damaged.json"_s));
        QVERIFY(!problem.contains(u'\n'));
        QVERIFY(stage.find<QTableView>(u"schemesTable"_s)->model()->rowCount() >= 4);
    }
    QVERIFY(std::filesystem::remove(folder / "damaged.json")); // it is still there
}

void TestLab::aGameIsHandedToTheSearch()
{
    LabStage stage(LabPage::Page::Game);
    stage.page().beginDemo(u"game"_s);
    stage.find<DemoBar>(u"demoBar"_s)->go(4); // four of Strassen's moves
    stage.find<QPushButton>(u"gameSearch"_s)->click();
    QVERIFY(stage.page().page() == LabPage::Page::Search);
    SearchRun& search = stage.page().search().search();
    QTRY_VERIFY_WITH_TIMEOUT(search.found().has_value(), patience);
    QCOMPARE(search.found()->mod2.rank(), 7);
    QVERIFY(tensor::verified(search.found()->mod2).isExact());
    stage.find<QPushButton>(u"searchForget"_s)->click();
    QVERIFY(!stage.find<QLabel>(u"searchGame"_s)->isVisible());
}

void TestLab::candidatesAreLinesThroughAllConstants()
{
    ParallelView view;
    view.resize(400, 300);
    view.show({u"MR"_s, u"NR"_s},
        {{CandidateId{1}, {2, 16}, 10, u"one"_s}, {CandidateId{2}, {6, 16}, 30, u"two"_s},
            {CandidateId{3}, {6, std::nullopt}, 20, u"three"_s}},
        {});
    QCOMPARE(view.lines().front().candidate, CandidateId{1}); // by score
    view.keep(2, 0.5, 1);
    QVERIFY(!view.isKept(view.lines()[0]) && view.isKept(view.lines()[1]) && view.isKept(view.lines()[2]));
    view.keep(1, 0, 1);
    QVERIFY(!view.isKept(view.lines()[1])); // it does not have NR
    view.keepAll();
    QSignalSpy chosen(&view, &ParallelView::chosen);
    QTest::keyClick(&view, Qt::Key_Up);
    QCOMPARE(chosen.size(), 1);
    QCOMPARE(chosen.first().first().value<CandidateId>(), CandidateId{2}); // the best
    QVERIFY(view.accessibleName().contains(u"two"_s));
}

void TestLab::everyStepOfADemoHasNotes()
{
    LabStage stage;
    for (const GuidedDemo& demo : guidedDemos())
        for (const DemoStep& step : demo.steps)
            QVERIFY2(!step.notes.isEmpty(), qPrintable(step.caption));
    stage.page().beginDemo(u"kernel"_s);
    const auto* notes = stage.find<QLabel>(u"demoNotes"_s);
    QVERIFY(!notes->isVisible());
    stage.page().setPresenting(true);
    QVERIFY(notes->isVisible());
    stage.find<DemoBar>(u"demoBar"_s)->go(1);
    QCOMPARE(notes->text(), guidedDemo(u"kernel"_s)->steps[1].notes);
    // Figures are those of the open session, and say that they are recorded.
    QVERIFY(!stage.find<QLabel>(u"demoFigures"_s)->text().isEmpty());
}

/// The demo's captions speak of these steps in this order.
void TestLab::theKernelDemoFollowsItsRecordedSteps()
{
    LabStage stage;
    const std::string file = stage.folder.filePath(u"steps.tilewright"_s).toStdString();
    QVERIFY(unpackSession(TILEWRIGHT_SOURCE_DIR "/resources/demo/gemm-steps.tilewright.zst", file));
    auto reader = SessionReader::open(file).value();
    auto snapshot = std::make_shared<Snapshot>();
    snapshot->run = reader->load().value();
    snapshot->pack = std::make_shared<const TaskPack>(reader->pack(snapshot->run).value());
    snapshot->status.sessionOpen = snapshot->status.readOnly = true;
    snapshot->status.sessionPath = file;
    const RunState& run = snapshot->run;
    stage.client.publish(snapshot);

    stage.page().beginDemo(u"kernel"_s);
    auto* bar = stage.find<DemoBar>(u"demoBar"_s);
    StepsPage& page = stage.page().steps();
    const QStringList titles{u"Seed"_s, u"Inner loop along rows of B."_s, u"Several rows of C at once."_s,
        u"Copy B into panels."_s, u"Copy A into panels."_s, u"Keep the sums in registers."_s,
        u"Write the vectors out."_s, u"A larger tile in registers."_s, u"Cut depth and rows for the caches."_s,
        u"Store whole tiles."_s};
    QVERIFY(page.steps().size() > static_cast<std::size_t>(titles.size()));
    int gains = 0;
    for (int step = 0; step < titles.size(); ++step) {
        bar->go(step);
        QVERIFY(stage.page().page() == LabPage::Page::Steps);
        QCOMPARE(page.step(), step);
        const KernelStep& shown = page.steps()[static_cast<std::size_t>(step)];
        QCOMPARE(shown.title, titles[step]);
        const auto& change = shown.change;
        gains += change && change->ratio.lo > 1.05;
        QVERIFY(stage.find<QLabel>(u"demoFigures"_s)->text().contains(u"Recorded on"_s));
    }
    QVERIFY2(gains >= 5, qPrintable(QString::number(gains))); // it climbs in steps
    bar->go(static_cast<int>(titles.size()));
    QCOMPARE(page.step(), static_cast<int>(page.steps().size()) - 1);
    QCOMPARE(page.steps().back().candidate, run.best()->id);
    QVERIFY(page.steps().back().title.startsWith(u"Tuned: "_s));
    QCOMPARE(stage.find<QTableView>(u"stepsTable"_s)->model()->rowCount(), static_cast<int>(page.steps().size()));
}

void TestLab::aStepShowsWhatItChanged()
{
    LabStage stage(LabPage::Page::Steps);
    stage.open();
    stage.window->showScreen(u"lab"_s); // an opened session brings its own screen
    StepsPage& page = stage.page().steps();
    QVERIFY(!page.steps().empty());
    const RunState& run = stage.page().session().run;
    QCOMPARE(page.steps().back().candidate, run.best()->id);
    QCOMPARE(page.steps().front().title, u"Seed"_s);
    QVERIFY(!page.steps().front().change);
    for (std::size_t i = 1; i < page.steps().size(); ++i) {
        QVERIFY(page.steps()[i].change);
        QCOMPARE(page.steps()[i].change->parent, page.steps()[i - 1].candidate);
    }
    const int last = static_cast<int>(page.steps().size()) - 1;
    QVERIFY(last > 0);
    page.choose(last);
    const auto* diff = stage.find<SplitDiff>(u"stepDiff"_s);
    QTRY_VERIFY_WITH_TIMEOUT(diff->changes() > 0, patience);
    QCOMPARE(stage.find<QTableView>(u"stepsTable"_s)->currentIndex().row(), last);
    stage.page().setTableTwin(true);
    QCOMPARE(stage.find<QTableView>(u"stepPlotTable"_s)->model()->rowCount(), last + 1);
}

void TestLab::aSearchFindsAScheme()
{
    LabStage stage(LabPage::Page::Search);
    auto* page = stage.find<SearchPage>(u"searchPage"_s);
    auto* formats = stage.find<QComboBox>(u"searchFormat"_s);
    formats->setCurrentIndex(0); // 2x2x2
    QCOMPARE(stage.find<QSpinBox>(u"searchRank"_s)->value(), 7);
    stage.find<QPushButton>(u"searchStart"_s)->click();
    QTRY_VERIFY_WITH_TIMEOUT(page->search().found().has_value(), patience);
    QCOMPARE(page->search().found()->mod2.rank(), 7);
    QVERIFY(page->search().found()->lift.scheme.has_value());
    stage.find<QPushButton>(u"searchScheme"_s)->click();
    QVERIFY(stage.page().page() == LabPage::Page::Strassen);
    QVERIFY(stage.lab().verification().isExact());
    QCOMPARE(stage.lab().scheme().rank(), 7);
    const auto& kept = stage.page().schemes().schemes();
    const auto found = std::ranges::find(
        kept, tensor::Provenance::Kind::Found, [](const tensor::LibraryScheme& each) { return each.from.kind; });
    QVERIFY(found != kept.end());
    QCOMPARE(found->from.seed, std::uint64_t(1));
}

void TestLab::aSearchIsStoppedAndGoesOn()
{
    LabStage stage(LabPage::Page::Search);
    auto* page = stage.find<SearchPage>(u"searchPage"_s);
    auto* start = stage.find<QPushButton>(u"searchStart"_s);
    stage.find<QSpinBox>(u"searchRank"_s)->setValue(1); // which nothing reaches
    start->click();
    QVERIFY(page->search().isRunning());
    QTRY_VERIFY_WITH_TIMEOUT(page->search().snapshot().statistics.flips > 0, patience);
    start->click();
    QTRY_VERIFY_WITH_TIMEOUT(!page->search().isRunning(), patience);
    const auto flips = page->search().snapshot().statistics.flips;
    stage.find<QPushButton>(u"searchResume"_s)->click();
    QTRY_VERIFY_WITH_TIMEOUT(page->search().snapshot().statistics.flips > flips, patience);
    // The window is closed while it runs.
}

void TestLab::aSearchOverTheIntegersKeepsWhatLifts()
{
    LabStage stage(LabPage::Page::Search);
    auto* page = stage.find<SearchPage>(u"searchPage"_s);
    auto* formats = stage.find<QComboBox>(u"searchFormat"_s);
    auto* ring = stage.find<QComboBox>(u"searchRing"_s);
    QCOMPARE(ring->currentIndex(), 0); // mod 2
    formats->setCurrentIndex(9); // 4x4x4: 47 products mod 2 have no lift
    QCOMPARE(stage.find<QSpinBox>(u"searchRank"_s)->value(), 47);
    ring->setCurrentIndex(1);
    QVERIFY(stage.find<QSpinBox>(u"searchRank"_s)->value() > 47);
    formats->setCurrentIndex(3); // 2x3x3
    QCOMPARE(stage.find<QSpinBox>(u"searchRank"_s)->value(), 15);
    stage.find<QPushButton>(u"searchStart"_s)->click();
    QVERIFY(page->search().request() && page->search().request()->onlyLiftable);
    QTRY_VERIFY_WITH_TIMEOUT(page->search().found().has_value(), patience);
    QVERIFY(page->search().found()->lift.scheme.has_value());
    QVERIFY(tensor::verified(*page->search().found()->lift.scheme).isExact());
    ring->setCurrentIndex(0);
    stage.find<QPushButton>(u"searchStart"_s)->click();
    QVERIFY(!page->search().request()->onlyLiftable);
    QTRY_VERIFY_WITH_TIMEOUT(page->search().found().has_value(), patience);
}

TILEWRIGHT_TEST(TestLab)
#include "test_lab.moc"
