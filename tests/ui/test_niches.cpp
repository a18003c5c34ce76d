// SPDX-License-Identifier: GPL-3.0-or-later
// The niche map: bounds against the rule that places programs, and what a user does with it in the window.
#include "core/model/niche_grid.h"
#include "core/source/program_text.h"
#include "tests/patience.h"
#include "tests/test_program.h"
#include "tests/ui/theatre.h"
#include "ui/evolve/evolve_page.h"
#include "ui/evolve/records_panel.h"
#include "ui/models/display_text.h"
#include "ui/models/figures.h"
#include "ui/niches/niche_view.h"
#include "ui/theme/theme.h"
#include "ui/widgets/table.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QtTest>

using namespace tilewright;
using namespace tilewright::ui;
using namespace Qt::StringLiterals;
using test::FixtureRun;
using test::Theatre;

class TestNiches : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void boundsAreThoseThatPlacePrograms();
    void boundsReadLikeBounds();
    void everyHeldCellIsInTheChart();
    void anUnknownFeatureHasALineOfItsOwn();
    void aClickOnACellSelectsItsElite();
    void arrowsMoveFromCellToCell();
    void anotherIslandShowsItsOwnNiches();
    void anIslandThatWasTakenBackIsNotOffered();
    void theTableTwinHasTheSameRows();
    void theModelStaysConsistentWhileARunGrows();
};

void TestNiches::boundsAreThoseThatPlacePrograms()
{
    for (const bool log2 : {true, false}) {
        const NicheAxis axis{"tunables:X", log2, 7};
        const auto binOf = [&axis](double value) {
            return nicheBin(axis,
                "// EVOLVE-BLOCK-START\nconstexpr int X = " + std::to_string(static_cast<std::int64_t>(value))
                    + "; // tune: 1 2\n// EVOLVE-BLOCK-END\n");
        };
        for (int bin = 0; bin < axis.bins; ++bin) {
            const double start = nicheBinStart(axis, bin), end = nicheBinStart(axis, bin + 1);
            QVERIFY(start < end);
            QCOMPARE(binOf(std::floor((start + end) / 2)), std::to_string(bin));
            QCOMPARE(binOf(std::ceil(start) + 1), std::to_string(bin));
            QCOMPARE(binOf(std::ceil(end) - 1), std::to_string(bin));
        }
        QCOMPARE(binOf(1), std::string("0"));
        QCOMPARE(binOf(2'000'000'000), std::string("6"));
    }
}

void TestNiches::boundsReadLikeBounds()
{
    FixtureRun run;
    const auto snapshot = run.snapshot();
    QVERIFY(snapshot->pack != nullptr);
    const NicheChart chart = nicheChartOf(snapshot->run, &snapshot->pack->task, IslandId{1});
    QCOMPARE(chart.across.name, u"tile size"_s);
    QCOMPARE(chart.across.term, u"MC·NC·KC"_s);
    QCOMPARE(chart.up.name, u"code length"_s);
    QCOMPARE(boundsText(chart.across, 0), u"< 512"_s);
    QCOMPARE(boundsText(chart.across, 1), u"512 … 4 Ki"_s);
    QCOMPARE(boundsText(chart.across, 6), u"≥ 16 Mi"_s);
    QCOMPARE(boundsText(chart.up, 4), u"≥ 8 KiB"_s);
    QCOMPARE(boundsText(chart.up, -1), u"unknown"_s);
}

void TestNiches::everyHeldCellIsInTheChart()
{
    FixtureRun run;
    run.grow(300);
    const auto snapshot = run.snapshot();
    for (const Island& island : snapshot->run.islands) {
        const NicheChart chart = nicheChartOf(snapshot->run, &snapshot->pack->task, island.id);
        QCOMPARE(chart.cells.size(), island.niches.size());
        for (const auto& [address, elite] : island.niches) {
            const QStringList parts = text(address).split(u',');
            const NicheCell* cell = chart.at(parts[0].toInt(), parts[1].toInt());
            QVERIFY(cell);
            QCOMPARE(cell->elite, elite);
        }
    }
}

void TestNiches::anUnknownFeatureHasALineOfItsOwn()
{
    FixtureRun run;
    run.grow(30);
    auto snapshot = std::make_shared<Snapshot>(*run.snapshot());
    Island& island = snapshot->run.islands[0];
    island.niches["unknown,2"] = CandidateId{1};
    const NicheChart chart = nicheChartOf(snapshot->run, &snapshot->pack->task, island.id);
    QVERIFY(chart.across.unknown);
    QVERIFY(!chart.up.unknown);
    QVERIFY(chart.at(-1, 2));
    NicheView view;
    view.resize(700, 300);
    view.show(snapshot, chart);
    QVERIFY(view.cellRect(-1, 2).right() < view.cellRect(0, 2).left());
    // Its score is written there as in any other cell, at any height that has room for words.
    island.niches["0,2"] = CandidateId{1};
    for (const int height : {300, 170, 150}) {
        view.resize(700, height);
        view.show(snapshot, nicheChartOf(snapshot->run, &snapshot->pack->task, island.id));
        const QImage picture = view.grab().toImage();
        const auto inks = [&](int column) { // of the words in the middle of the cell
            std::set<QRgb> colours;
            const QRect middle = view.cellRect(column, 2).toRect().adjusted(20, 1, -20, -1);
            for (int x = middle.left(); x <= middle.right(); ++x)
                for (int y = middle.top(); y <= middle.bottom(); ++y)
                    colours.insert(picture.pixel(x, y));
            return colours.size();
        };
        QCOMPARE(inks(-1) > 1, inks(0) > 1);
        QVERIFY(height < 300 || inks(-1) > 1);
    }
    QCOMPARE(nicheChartOf(snapshot->run, nullptr, IslandId{9}).island, IslandId{});
}

void TestNiches::aClickOnACellSelectsItsElite()
{
    Theatre stage(200);
    stage.open();
    stage.window->evolve().records().showTab(3);
    auto* view = stage.find<NicheView>(u"nicheView"_s);
    QVERIFY(view->isVisible());
    QCOMPARE(view->chart().cells.size(), stage.run.state().islands[0].niches.size());
    for (const NicheCell& cell : view->chart().cells) {
        QTest::mouseClick(view, Qt::LeftButton, {}, view->cellRect(cell.column, cell.row).center().toPoint());
        QCOMPARE(stage.window->selection().current(), cell.elite);
        QCOMPARE(view->cursor(), QPoint(cell.column, cell.row));
    }
}

void TestNiches::arrowsMoveFromCellToCell()
{
    Theatre stage(200);
    stage.open();
    stage.window->evolve().records().showTab(3);
    auto* view = stage.find<NicheView>(u"nicheView"_s);
    for (int i = 0; i < 12; ++i) {
        QTest::keyClick(view, Qt::Key_Left);
        QTest::keyClick(view, Qt::Key_Down);
    }
    QCOMPARE(view->cursor(), QPoint(0, 0));
    std::size_t met = 0;
    for (int row = 0; row < 5; ++row) {
        for (int column = 0; column < 7; ++column) {
            if (const NicheCell* cell = view->chart().at(column, row)) {
                QTest::keyClick(view, column > 0 ? Qt::Key_Left : Qt::Key_Right);
                QTest::keyClick(view, column > 0 ? Qt::Key_Right : Qt::Key_Left);
                QCOMPARE(view->cursor(), QPoint(column, row));
                QCOMPARE(stage.window->selection().current(), cell->elite);
                ++met;
            }
            if (column < 6)
                QTest::keyClick(view, Qt::Key_Right);
        }
        for (int column = 0; column < 6; ++column)
            QTest::keyClick(view, Qt::Key_Left);
        QTest::keyClick(view, Qt::Key_Up);
    }
    QCOMPARE(met, view->chart().cells.size());
}

void TestNiches::anotherIslandShowsItsOwnNiches()
{
    Theatre stage(200);
    stage.open();
    stage.window->evolve().records().showTab(3);
    auto* islands = stage.find<QComboBox>(u"nicheIsland"_s);
    auto* view = stage.find<NicheView>(u"nicheView"_s);
    QCOMPARE(islands->count(), 4);
    islands->setFocus();
    QTest::keyClick(islands, Qt::Key_Down);
    QTest::keyClick(islands, Qt::Key_Down);
    QCOMPARE(view->chart().island.value, 3);
    QCOMPARE(view->chart().cells.size(), stage.run.state().islands[2].niches.size());
}

void TestNiches::anIslandThatWasTakenBackIsNotOffered()
{
    Theatre stage(200);
    stage.open();
    stage.window->evolve().records().showTab(3);
    auto* islands = stage.find<QComboBox>(u"nicheIsland"_s);
    const auto* view = stage.find<NicheView>(u"nicheView"_s);
    islands->setFocus();
    QTest::keyClick(islands, Qt::Key_End);
    QCOMPARE(view->chart().island.value, 4);
    auto without = std::make_shared<Snapshot>(*stage.run.snapshot());
    without->run.islands[1].unmade = true;
    stage.client.publish(without);
    QTRY_COMPARE_WITH_TIMEOUT(islands->count(), 3, patience);
    QCOMPARE(view->chart().island.value, 4); // the one that was looked at
    QTest::keyClick(islands, Qt::Key_Up);
    QCOMPARE(view->chart().island.value, 3);
    QTest::keyClick(islands, Qt::Key_Up);
    QCOMPARE(view->chart().island.value, 1);
}

void TestNiches::theTableTwinHasTheSameRows()
{
    Theatre stage(200);
    stage.open();
    stage.window->evolve().records().showTab(3);
    stage.window->actions()[u"view.table"_s].trigger();
    auto* table = stage.find<Table>(u"nicheTable"_s);
    const auto* view = stage.find<NicheView>(u"nicheView"_s);
    QVERIFY(table->isVisible());
    QCOMPARE(table->model()->rowCount(), static_cast<int>(view->chart().cells.size()));
    for (int row = 0; row < table->model()->rowCount(); ++row) {
        const NicheCell& cell = view->chart().cells[static_cast<std::size_t>(row)];
        const Candidate& elite = *stage.run.state().candidate(cell.elite);
        const auto shown = [&](NicheModel::Column column) {
            return table->model()->index(row, static_cast<int>(column)).data().toString();
        };
        QCOMPARE(shown(NicheModel::Column::Across), boundsText(view->chart().across, cell.column));
        QCOMPARE(shown(NicheModel::Column::Up), boundsText(view->chart().up, cell.row));
        QCOMPARE(shown(NicheModel::Column::Best), nameOfCandidate(cell.elite));
        QCOMPARE(shown(NicheModel::Column::Score), bestWords(elite));
    }
}

void TestNiches::theModelStaysConsistentWhileARunGrows()
{
    FixtureRun run;
    NicheModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    for (int i = 0; i < 12; ++i) {
        run.grow(9);
        const auto snapshot = run.snapshot();
        model.show(snapshot, nicheChartOf(snapshot->run, &snapshot->pack->task, IslandId{2}));
        QCOMPARE(model.rowCount(), static_cast<int>(snapshot->run.islands[1].niches.size()));
    }
    model.show(std::make_shared<const Snapshot>(), {});
    QCOMPARE(model.rowCount(), 0);
}

TILEWRIGHT_TEST(TestNiches)

#include "test_niches.moc"
