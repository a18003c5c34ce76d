// SPDX-License-Identifier: GPL-3.0-or-later
// From a scheme to a kernel in the window: the scheme becomes a task of its own, with which a session begins; its code,
// and its crossover as this machine measures it.
#include "core/base/files.h"
#include "core/base/folders.h"
#include "core/model/measurement/conditions.h"
#include "core/tensor/known_schemes.h"
#include "core/tensor/measures.h"
#include "core/tensor/transforms.h"
#include "tests/patience.h"
#include "tests/test_program.h"
#include "tests/ui/theatre.h"
#include "ui/compare/point_plot.h"
#include "ui/lab/crossover_plot.h"
#include "ui/lab/crossover_run.h"
#include "ui/lab/guided_demo.h"
#include "ui/lab/lab_page.h"
#include "ui/lab/scheme_kernel_page.h"
#include "ui/lab/scheme_task_dialog.h"
#include "ui/lab/scheme_words.h"
#include "ui/lab/strassen_page.h"
#include "ui/welcome/new_session_page.h"
#include "ui/widgets/code_view.h"

#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTest>
#include <algorithm>

using namespace tilewright;
using namespace tilewright::ui;
using namespace tilewright::test;
using namespace Qt::StringLiterals;

namespace {

namespace fs = std::filesystem;

struct KernelStage : Theatre {
    explicit KernelStage(LabPage::Page page = LabPage::Page::Strassen)
        : Theatre(60)
    {
        window->showScreen(u"lab"_s);
        this->page().showPage(page);
    }
    LabPage& page() const { return window->lab(); }
    LabModel& lab() const { return page().lab(); }
    SchemeTaskDialog* dialog() const { return find<SchemeTaskDialog>(u"schemeTask"_s); }
    QPushButton* begin() const { return find<QPushButton>(u"schemeTaskBegin"_s); }
    QString said() const { return find<QLabel>(u"schemeTaskSaid"_s)->text(); }
    /// The dialog of the lab's scheme with its tasks read, for a small task.
    bool askForTask(const QString& name, const QString& parent) const
    {
        find<QPushButton>(u"labEvolve"_s)->click();
        const auto* from = find<QComboBox>(u"schemeTaskFrom"_s);
        if (!dialog() || !QTest::qWaitFor([&] { return from->count() > 0; }, patience))
            return false;
        find<QSpinBox>(u"schemeTaskCutoff"_s)->setValue(32);
        auto* leaf = find<QComboBox>(u"schemeTaskLeaf"_s);
        leaf->setCurrentIndex(leaf->count() - 1); // a plain loop
        find<QLineEdit>(u"schemeTaskFolder"_s)->setText(parent);
        find<QLineEdit>(u"schemeTaskName"_s)->setText(name);
        return true;
    }
    bool waitForEnd() const
    {
        return QTest::qWaitFor([this] { return !dialog()->run().isRunning(); }, patience);
    }
};

/// For as long as it stands.
struct NodeCommand {
    explicit NodeCommand(const char* command) { qputenv("TILEWRIGHT_NODE", command); }
    ~NodeCommand() { qunsetenv("TILEWRIGHT_NODE"); }
};

constexpr const char* realNode = TILEWRIGHT_BIN_DIR "/tilewright-node";

} // namespace

class TestSchemeKernel : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aSchemeBecomesATaskWithWhichASessionBegins();
    void nothingIsOverwrittenAndNothingHalfIsLeft();
    void whatCannotBeCheckedIsSaidInOneLine();
    void aCancelledTaskIsNotWritten();
    void theBestCandidateOfTheSessionIsALeaf();
    void aSchemeModulo2BecomesNoTaskAndTheProofIsShown();
    void theCodeAndTheTaskFollowTheScheme();
    void aCrossoverIsWords();
    void aRecordedCrossoverIsShownUntilThisMachineMeasures();
    void theDemoMeasuresOrSaysWhyNot();
    void aCrossoverIsMeasuredStoppedAndGoneOnWith();
};

void TestSchemeKernel::aSchemeBecomesATaskWithWhichASessionBegins()
{
    const NodeCommand node(realNode);
    KernelStage stage;
    stage.lab().setScheme(tensor::winogradVariant());
    QVERIFY(stage.askForTask(u"gemm-winograd"_s, q((dataFolder() / "kernels").string())));
    QVERIFY2(stage.begin()->isEnabled(), qPrintable(stage.said()));
    stage.begin()->click();
    QVERIFY(stage.dialog()->run().isRunning());
    QVERIFY(stage.waitForEnd());
    QVERIFY2(!stage.dialog()->isVisible(), qPrintable(stage.said()));
    const auto pack = loadTaskPack(dataFolder() / "kernels/gemm-winograd");
    QVERIFY2(pack, pack ? "" : pack.error().text.c_str());
    QCOMPARE(pack->task.numeric.scheme->rank(), 7);
    QVERIFY(pack->seed().find("CUTOFF = 32;") != std::string::npos);
    // New session stands there with that task.
    QVERIFY(stage.window->welcome().isVisible());
    const auto isChosen = [&] {
        const auto chosen = stage.window->welcome().tasks().chosen();
        return chosen && chosen->task.name == "gemm-winograd";
    };
    QTRY_VERIFY_WITH_TIMEOUT(isChosen(), patience);
}

void TestSchemeKernel::nothingIsOverwrittenAndNothingHalfIsLeft()
{
    const NodeCommand node(realNode);
    KernelStage stage;
    const fs::path parent = stage.folder.filePath(u"tasks"_s).toStdString();
    fs::create_directories(parent / "mine");
    QVERIFY(saveFile(parent / "mine/notes.txt", "mine"));
    QVERIFY(stage.askForTask(u"mine"_s, q(parent.string())));
    QVERIFY(!stage.begin()->isEnabled());
    QVERIFY2(stage.said().contains(u"exists"_s), qPrintable(stage.said()));
    for (const char* wrong : {"", "Not a name", "../up"}) {
        stage.find<QLineEdit>(u"schemeTaskName"_s)->setText(QString::fromLatin1(wrong));
        QVERIFY2(!stage.begin()->isEnabled(), wrong);
    }
    // Levels that would need shapes that are too large.
    stage.find<QLineEdit>(u"schemeTaskName"_s)->setText(u"derived"_s);
    QVERIFY(stage.begin()->isEnabled());
    stage.find<QSpinBox>(u"schemeTaskCutoff"_s)->setValue(1024);
    QVERIFY(!stage.begin()->isEnabled());
    stage.find<QSpinBox>(u"schemeTaskCutoff"_s)->setValue(32);
    // A file stands where the folder's parent would be.
    stage.find<QLineEdit>(u"schemeTaskFolder"_s)->setText(q((parent / "mine/notes.txt").string()));
    QVERIFY(stage.begin()->isEnabled());
    stage.begin()->click();
    QVERIFY(stage.waitForEnd());
    QVERIFY(stage.dialog()->isVisible());
    QVERIFY2(!stage.said().isEmpty() && !stage.said().contains(u'\n'), qPrintable(stage.said()));
    QCOMPARE(stage.find<QLineEdit>(u"schemeTaskName"_s)->text(), u"derived"_s); // to be mended
    QCOMPARE(q(*readFile(parent / "mine/notes.txt")), u"mine"_s);
}

void TestSchemeKernel::whatCannotBeCheckedIsSaidInOneLine()
{
    const NodeCommand node("/nonexistent/node");
    KernelStage stage;
    const QString parent = stage.folder.filePath(u"tasks"_s);
    QVERIFY(stage.askForTask(u"derived"_s, parent));
    stage.begin()->click();
    QVERIFY(stage.waitForEnd());
    const QString said = stage.said();
    QVERIFY2(!said.isEmpty() && !said.contains(u'\n'), qPrintable(said));
    QVERIFY(!QFileInfo::exists(parent));
    QVERIFY(stage.begin()->isEnabled()); // again
}

void TestSchemeKernel::aCancelledTaskIsNotWritten()
{
    const NodeCommand node(realNode);
    KernelStage stage;
    const QString parent = stage.folder.filePath(u"tasks"_s);
    QVERIFY(stage.askForTask(u"derived"_s, parent));
    stage.begin()->click();
    stage.find<QPushButton>(u"schemeTaskCancel"_s)->click();
    QVERIFY(stage.dialog()->isVisible());
    QVERIFY(stage.waitForEnd());
    QVERIFY(stage.said().contains(u"Cancelled"_s));
    QVERIFY(!QFileInfo::exists(parent));
}

void TestSchemeKernel::theBestCandidateOfTheSessionIsALeaf()
{
    KernelStage stage;
    stage.open();
    stage.page().showPage(LabPage::Page::Strassen);
    stage.window->showScreen(u"lab"_s);
    stage.find<QPushButton>(u"labEvolve"_s)->click();
    const auto* leaf = stage.find<QComboBox>(u"schemeTaskLeaf"_s);
    const QString best = u"c-%1"_s.arg(stage.run.snapshot()->run.best()->id.value, 4, 10, QChar(u'0'));
    QTRY_VERIFY_WITH_TIMEOUT(leaf->itemText(0).contains(best), patience);
    QCOMPARE(leaf->currentIndex(), 0);
}

void TestSchemeKernel::aSchemeModulo2BecomesNoTaskAndTheProofIsShown()
{
    KernelStage stage(LabPage::Page::Schemes);
    tensor::Scheme mod2 = *tensor::reducedMod2(tensor::strassen());
    mod2.name = "mod 2";
    const auto place = stage.page().schemes().add(mod2, {});
    QVERIFY(place);
    stage.lab().setScheme(mod2);
    const auto* button = stage.find<QPushButton>(u"schemesEvolve"_s);
    const auto* words = stage.find<QLabel>(u"schemesWords"_s);
    QVERIFY(!button->isEnabled() && !stage.find<QAction>(u"schemesEvolveEntry"_s)->isEnabled());
    QVERIFY(button->toolTip().contains(u"modulo 2"_s));
    QVERIFY(words->text().contains(u"modulo 2"_s));
    stage.page().evolveFromScheme();
    QVERIFY(!stage.dialog());
    // Strassen's scheme came from the integers, and is lifted to them again.
    auto* lift = stage.find<QPushButton>(u"schemesLift"_s);
    QTRY_VERIFY_WITH_TIMEOUT(lift->isVisible(), patience);
    QVERIFY(words->text().contains(u"lifts to the integers"_s));
    lift->click();
    QVERIFY(stage.lab().scheme().ring == tensor::Ring::Integers);
    QVERIFY(stage.lab().verification().isExact());
    QVERIFY(button->isEnabled() && !lift->isVisible());
    stage.page().showPage(LabPage::Page::Strassen);
    QVERIFY(stage.find<QPushButton>(u"labEvolve"_s)->isEnabled());
    stage.lab().setScheme(mod2);
    QVERIFY(!stage.find<QPushButton>(u"labEvolve"_s)->isEnabled());
    QVERIFY(stage.find<QLabel>(u"labWhyNoTask"_s)->isVisible());

    tensor::Lift none;
    none.outcome = tensor::LiftOutcome::Impossible;
    none.proof.equations.resize(520);
    QVERIFY(liftWords(none).contains(u"520"_s) && liftWords(none).contains(u"0 = 1"_s));
    tensor::Scheme complex = tensor::strassen();
    complex.ring = tensor::Ring::Gaussian;
    QVERIFY(whyNoTask(complex, true).contains(u"complex"_s));
    QVERIFY(!whyNoTask(tensor::strassen(), false).isEmpty());
    QCOMPARE(whyNoTask(tensor::strassen(), true), QString());
}

void TestSchemeKernel::theCodeAndTheTaskFollowTheScheme()
{
    KernelStage stage(LabPage::Page::Kernel);
    SchemeKernelPage& page = stage.page().kernel();
    const auto* code = stage.find<CodeView>(u"kernelCode"_s);
    QTRY_VERIFY_WITH_TIMEOUT(page.task(), patience);
    QTRY_VERIFY_WITH_TIMEOUT(code->toPlainText().contains(u"LEVELS = 1;"_s), patience);
    // The tiling explorer's program is its leaf unless another one is chosen.
    QTRY_VERIFY_WITH_TIMEOUT(code->toPlainText().contains(u"multiply_tile"_s), patience);
    const auto fact = [&](int row) { return stage.find<QLabel>(u"kernelFact%1"_s.arg(row))->text(); };
    QVERIFY2(fact(1).startsWith(u"12"_s), qPrintable(fact(1))); // growth factor
    QVERIFY2(fact(3).contains(u"87.5"_s), qPrintable(fact(3)));
    page.setLevels(2);
    QTRY_VERIFY_WITH_TIMEOUT(code->toPlainText().contains(u"LEVELS = 2;"_s), patience);
    QVERIFY2(fact(3).contains(u"76.6"_s), qPrintable(fact(3)));
    QCOMPARE(page.task()->task.numeric.scheme->levels, 2);
    stage.lab().setScheme(*tensor::reducedMod2(tensor::strassen()));
    QTRY_VERIFY_WITH_TIMEOUT(!page.task(), patience);
    QVERIFY(!stage.find<QPushButton>(u"kernelEvolve"_s)->isEnabled());
    QVERIFY(!stage.find<QPushButton>(u"crossoverMeasure"_s)->isEnabled());
    QVERIFY(!code->toPlainText().contains(u"LEVELS"_s));
    QCOMPARE(fact(1), u"–"_s);
}

namespace {

/// Of Strassen's scheme, as if it had been measured.
CrossoverSweep sweepWith(const std::vector<std::pair<std::int64_t, Interval>>& ratios)
{
    CrossoverSweep sweep;
    sweep.task = usualSchemeTask;
    sweep.scheme = "Strassen";
    sweep.format = "2x2x2";
    sweep.rank = 7;
    sweep.coefficients = tensor::fingerprintOf(tensor::strassen());
    sweep.leaf = "a leaf";
    sweep.leafProgram = "ab";
    sweep.device = "a processor";
    sweep.deviceId = "cpu0";
    sweep.date = "2026-11-30T10:00:00Z";
    sweep.protocol = measurementProtocol;
    for (const auto& [size, ratio] : ratios) {
        sweep.sizes.push_back(size);
        sweep.cells.push_back({size, 2e6, 2e6 * ratio.value, 24, ratio, {}, {}});
    }
    return sweep;
}

} // namespace

void TestSchemeKernel::aCrossoverIsWords()
{
    const Interval below{0.9, 0.89, 0.91}, about{1.0, 0.98, 1.02}, above{1.1, 1.09, 1.11};
    QVERIFY(crossoverWords(sweepWith({{256, below}, {512, below}})).contains(u"No crossover up to n = 512"_s));
    QVERIFY(crossoverWords(sweepWith({{256, above}, {512, above}})).contains(u"all measured sizes"_s));
    const QString within = crossoverWords(sweepWith({{256, below}, {512, above}}));
    QVERIFY2(within.contains(u"Crossover at n = 36"_s), qPrintable(within)); // 368
    QVERIFY(crossoverWords(sweepWith({{256, below}, {512, about}})).contains(u"interval begins at"_s));
    const QString open = crossoverWords(sweepWith({{256, below}, {512, Interval{1.01, 0.99, 1.03}}}));
    QVERIFY2(open.contains(u"above 512"_s), qPrintable(open));
    const KeptCrossover kept{sweepWith({{256, below}, {512, above}}), false};
    QVERIFY(provenanceWords(kept).startsWith(u"recorded"_s));
    const PointScene scene = crossoverScene(&kept);
    QCOMPARE(scene.marks.size(), std::size_t(2));
    QCOMPARE(scene.rows.size(), std::size_t(2));
    QVERIFY(scene.marks[0].spanY == std::pair(0.89, 0.91));
    QVERIFY(!crossoverScene(nullptr).nothing.isEmpty());
}

void TestSchemeKernel::aRecordedCrossoverIsShownUntilThisMachineMeasures()
{
    {
        KernelStage stage(LabPage::Page::Kernel);
        const KeptCrossover* recorded = stage.page().crossover().of(tensor::strassen());
        QVERIFY(recorded && !recorded->isOfThisMachine);
        QVERIFY(stage.find<PointPlot>(u"crossoverPlot"_s)->scene().summary.startsWith(u"recorded"_s));
        QVERIFY(stage.find<QLabel>(u"crossoverWords"_s)->text().contains(u"c-0035"_s));
        QVERIFY(!stage.page().crossover().of(tensor::schoolbook({3, 3, 3})));
        stage.page().showPage(LabPage::Page::Strassen);
        const auto* plot = stage.find<PointPlot>(u"scalingPlot"_s);
        QVERIFY(plot->scene().summary.contains(u"not measured"_s)); // points are of this machine alone
    }
    const CrossoverSweep sweep = sweepWith({{256, {0.9, 0.89, 0.91}}, {512, {1.1, 1.09, 1.11}}});
    QVERIFY(keepCrossover(sweep));
    KernelStage stage;
    const auto* plot = stage.find<PointPlot>(u"scalingPlot"_s);
    const auto measuredAt = [&](double n) {
        const auto& marks = plot->scene().marks;
        const auto at = std::ranges::find_if(
            marks, [n](const PointMark& mark) { return mark.spanY.has_value() && mark.at.x() == n; });
        return at == marks.end() ? PointMark() : *at;
    };
    QVERIFY2(plot->scene().summary.contains(u"2026-11-30"_s) && plot->scene().summary.contains(u"a processor"_s),
        qPrintable(plot->scene().summary));
    QVERIFY(measuredAt(256).at.y() > 0);
    stage.page().strassen().setRelative(true);
    QCOMPARE(measuredAt(256).at.y(), 1 / 0.9);
    QCOMPARE(measuredAt(512).spanY->first, 1 / 1.11);
    QVERIFY(std::ranges::any_of(
        plot->scene().lines, [](const PointLine& line) { return line.label.contains(u"crossover"_s); }));
    stage.lab().setScheme(tensor::winogradVariant());
    QVERIFY(!measuredAt(256).spanY);
    stage.lab().setScheme(tensor::strassen());
    stage.page().showPage(LabPage::Page::Kernel);
    QVERIFY(stage.find<PointPlot>(u"crossoverPlot"_s)->scene().summary.startsWith(u"measured 2026-11-30"_s));
    std::filesystem::remove_all(dataFolder() / "crossovers");
}

void TestSchemeKernel::theDemoMeasuresOrSaysWhyNot()
{
    const NodeCommand node("/nonexistent/node");
    KernelStage stage;
    QVERIFY(stage.page().beginDemo(u"scheme-to-kernel"_s));
    auto* bar = stage.find<DemoBar>(u"demoBar"_s);
    auto* action = stage.find<QPushButton>(u"demoAction"_s);
    const auto* figures = stage.find<QLabel>(u"demoFigures"_s);
    QVERIFY(!action->isVisible());
    bar->go(2);
    QCOMPARE(stage.lab().reduced().additions(), 15);
    bar->go(4);
    QVERIFY(stage.page().page() == LabPage::Page::Kernel);
    bar->go(6);
    QVERIFY(action->isVisible());
    QCOMPARE(action->text(), u"Measure"_s);
    QVERIFY2(figures->text().contains(u"Recorded"_s) && figures->text().contains(u"2026-12-01"_s),
        qPrintable(figures->text()));
    action->click();
    QVERIFY(stage.page().crossover().isRunning());
    QCOMPARE(action->text(), u"Stop"_s);
    QTRY_VERIFY_WITH_TIMEOUT(!stage.page().crossover().isRunning(), patience);
    QCOMPARE(action->text(), u"Measure"_s);
    const QString problem = stage.page().crossover().problem();
    QVERIFY(!problem.isEmpty() && !problem.contains(u'\n'));
    QVERIFY(figures->text().contains(problem));
    bar->go(8);
    QVERIFY(!action->isVisible());
    std::vector<FinderPlace> places;
    stage.page().addFinderPlaces(places);
    QVERIFY(std::ranges::find(places, bar->demo()->title, &FinderPlace::name) != places.end());
}

void TestSchemeKernel::aCrossoverIsMeasuredStoppedAndGoneOnWith()
{
    const NodeCommand node(realNode);
    const std::vector<std::int64_t> sizes{96, 320}; // the second takes seconds: it is stopped
    const auto waitForEnd
        = [](const CrossoverRun& run) { return QTest::qWaitFor([&] { return !run.isRunning(); }, 4 * patience); };
    std::string first;
    {
        CrossoverRun run;
        // Stopped as soon as the first size is done.
        connect(&run, &CrossoverRun::changed, this, [&] {
            if (const KeptCrossover* kept = run.of(tensor::strassen()); kept && kept->isOfThisMachine)
                run.cancel();
        });
        run.start(tensor::strassen(), 1, {}, sizes);
        QVERIFY(run.isRunning());
        QVERIFY(waitForEnd(run));
        QVERIFY2(run.problem().isEmpty(), qPrintable(run.problem()));
        const KeptCrossover* kept = run.of(tensor::strassen());
        QVERIFY(kept && kept->isOfThisMachine);
        QCOMPARE(kept->sweep.cells.size(), std::size_t(1));
        QVERIFY(kept->sweep.cells[0].ratio && kept->sweep.cells[0].samples > 0);
        QVERIFY(!kept->sweep.device.empty() && kept->sweep.environment.is_object());
        first = crossoverJson(kept->sweep);
    }
    CrossoverRun run; // as after the next start
    QVERIFY(run.of(tensor::strassen())->isOfThisMachine);
    run.start(tensor::strassen(), 1, {}, sizes);
    QVERIFY(waitForEnd(run));
    QVERIFY2(run.problem().isEmpty(), qPrintable(run.problem()));
    CrossoverSweep sweep = run.of(tensor::strassen())->sweep;
    QVERIFY(sweep.isComplete());
    QCOMPARE(sweep.cells[1].size, std::int64_t(320));
    sweep.cells.pop_back();
    QCOMPARE(crossoverJson(sweep), first); // what was done is not measured again
    std::filesystem::remove_all(dataFolder() / "crossovers");
}

TILEWRIGHT_TEST(TestSchemeKernel)
#include "test_scheme_kernel.moc"
