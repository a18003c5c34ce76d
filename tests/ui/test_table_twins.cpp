// SPDX-License-Identifier: GPL-3.0-or-later
// Every picture has a name that a screen reader says, and a table with the same rows in its place after Ctrl+T.
#include "app/gui/pictures.h"
#include "tests/test_program.h"
#include "tests/ui/fits.h"
#include "ui/devices/conditions_panel.h"
#include "ui/devices/lanes_view.h"
#include "ui/devices/noise_panel.h"
#include "ui/devices/queue_model.h"
#include "ui/devices/work_model.h"
#include "ui/lineage/lineage_view.h"
#include "ui/models/candidate_model.h"
#include "ui/niches/niche_view.h"
#include "ui/shapes/shape_claims.h"
#include "ui/theme/theme.h"
#include "ui/widgets/plot/plot_view.h"
#include "ui/widgets/table.h"

#include <QAbstractItemModelTester>
#include <QDockWidget>
#include <QSignalSpy>
#include <QStackedWidget>
#include <QStringListModel>
#include <QTest>

using namespace tilewright;
using namespace tilewright::gui;
using namespace tilewright::ui;
using namespace Qt::StringLiterals;
using test::Theatre;

namespace {

/// The pictures that are in sight.
QList<QWidget*> pictures(const Theatre& stage)
{
    QList<QWidget*> all;
    for (QWidget* widget : stage.window->findChildren<QWidget*>())
        if (widget->isVisible()
            && (qobject_cast<PlotView*>(widget) || qobject_cast<LineageView*>(widget)
                || qobject_cast<NicheView*>(widget) || qobject_cast<LanesView*>(widget)))
            all << widget;
    return all;
}

void show(const Theatre& stage, const QString& screen)
{
    for (const Picture& one : gui::pictures())
        if (one.name == screen)
            one.show(*stage.window);
    test::settle(*stage.window);
}

} // namespace

class TestTableTwins : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { Theme::instance().apply(ThemeKind::Dark); }

    void everyPictureHasANameAndATable_data()
    {
        QTest::addColumn<QString>("screen");
        QTest::addColumn<int>("pictures");
        QTest::newRow("evolve") << u"evolve"_s << 2; // fitness, lineage
        QTest::newRow("niches") << u"evolve-niches"_s << 3;
        QTest::newRow("devices") << u"devices"_s << 2; // lanes, noise floor
    }
    void everyPictureHasANameAndATable()
    {
        QFETCH(QString, screen);
        QFETCH(int, pictures);
        Theatre stage;
        test::setScene(stage);
        show(stage, screen);
        const QList<QWidget*> before = ::pictures(stage);
        QVERIFY2(before.size() >= pictures, qPrintable(QString::number(before.size())));
        for (const QWidget* picture : before)
            QVERIFY2(picture->accessibleName().contains(u"Ctrl+T"_s), qPrintable(picture->objectName()));
        stage.window->actions()[u"view.table"_s].trigger(); // Ctrl+T
        test::settle(*stage.window);
        QStringList left;
        for (const QWidget* picture : ::pictures(stage))
            left << picture->objectName();
        QVERIFY2(left.isEmpty(), qPrintable(left.join(u' ')));
        for (const QWidget* picture : before) { // a table in the place of each, that has a name and rows
            const auto* stack = qobject_cast<QStackedWidget*>(picture->parentWidget());
            if (!stack)
                stack = qobject_cast<QStackedWidget*>(picture->parentWidget()->parentWidget());
            QVERIFY2(stack, qPrintable(picture->objectName()));
            const auto* table = qobject_cast<Table*>(stack->currentWidget());
            QVERIFY2(table && table->isVisible(), qPrintable(picture->objectName()));
            QVERIFY2(!table->accessibleName().isEmpty(), qPrintable(table->objectName()));
            QVERIFY2(table->model()->rowCount() > 0, qPrintable(table->objectName()));
        }
        stage.window->actions()[u"view.table"_s].trigger();
        QCOMPARE(::pictures(stage).size(), before.size());
    }

    void aTwinIsGoneThroughWithTheKeys_data()
    {
        QTest::addColumn<QString>("screen");
        QTest::addColumn<int>("role");
        const auto row
            = [](const char* table, const QString& screen, int role) { QTest::newRow(table) << screen << role; };
        row("fitnessTable", u"evolve"_s, CandidateModel::IdRole);
        row("lineageTable", u"evolve"_s, CandidateModel::IdRole);
        row("nicheTable", u"evolve-niches"_s, NicheModel::IdRole);
        row("workTable", u"devices"_s, WorkModel::IdRole);
        row("conditionsTable", u"devices"_s, ConditionsModel::IdRole);
        row("queueTable", u"devices"_s, QueueModel::IdRole);
    }

    /// What is gone to, and what Return is pressed on, is selected everywhere, as a click does it; a snapshot takes
    /// nobody's place away.
    void aTwinIsGoneThroughWithTheKeys()
    {
        QFETCH(QString, screen);
        QFETCH(int, role);
        Theatre stage;
        test::setScene(stage);
        show(stage, screen);
        auto* table = stage.find<Table>(QString::fromLatin1(QTest::currentDataTag()));
        stage.window->actions()[u"view.table"_s].trigger();
        for (QWidget* each = table; each; each = each->parentWidget())
            if (auto* dock = qobject_cast<QDockWidget*>(each))
                dock->raise();
        test::settle(*stage.window);
        QVERIFY(table->isVisible());
        SelectionContext& selection = stage.window->selection();
        const CandidateId other = selection.current();
        const auto idAt = [&](int row) { return CandidateId{table->model()->index(row, 0).data(role).toLongLong()}; };
        const auto isAnother = [&](int row) { return idAt(row) && idAt(row) != other; };
        int from = 0;
        while (from + 1 < table->model()->rowCount() && !(isAnother(from) && isAnother(from + 1)))
            ++from;
        QVERIFY(from + 1 < table->model()->rowCount());
        const CandidateId first = idAt(from), second = idAt(from + 1);
        table->setFocus();
        const auto pressThere = [&](Qt::Key key) {
            selection.select(other);
            table->setCurrentIndex(table->model()->index(from, 0));
            QCOMPARE(selection.current(), other); // nobody chose it
            QTest::keyClick(table, key);
        };
        pressThere(Qt::Key_Return);
        QCOMPARE(selection.current(), first);
        pressThere(Qt::Key_Down);
        QCOMPARE(selection.current(), second);
        stage.open();
        QCOMPARE(selection.current(), second);
        QCOMPARE(idAt(table->currentIndex().row()), second);
    }

    void theTwinOfTheIslandsFiltersWithReturn()
    {
        Theatre stage;
        test::setScene(stage);
        show(stage, u"evolve"_s);
        stage.window->actions()[u"view.table"_s].trigger();
        test::settle(*stage.window);
        auto* table = stage.find<Table>(u"islandTable"_s);
        table->setFocus();
        QVERIFY(table->hasFocus());
        table->setCurrentIndex(table->model()->index(0, 0));
        QTest::keyClick(table, Qt::Key_Return);
        QCOMPARE(stage.window->selection().islands(), std::set{IslandId{1}});
        QTest::keyClick(table, Qt::Key_Down);
        stage.open();
        QCOMPARE(table->currentIndex().row(), 1); // the filter draws nobody back
        QCOMPARE(stage.window->selection().islands(), std::set{IslandId{1}});
        QTest::keyClick(table, Qt::Key_Return);
        QCOMPARE(stage.window->selection().islands(), std::set{IslandId{2}});
    }

    void aModelThatIsMadeAnewTakesNobodysPlaceAway()
    {
        QStringListModel model({u"a"_s, u"b"_s, u"c"_s});
        Table table;
        table.setModel(&model);
        table.setIdentity(Qt::DisplayRole);
        const QSignalSpy chosen(&table, &Table::rowChosen);
        table.selectRow(1);
        model.setStringList({u"x"_s, u"y"_s, u"a"_s, u"b"_s});
        QCOMPARE(table.currentIndex().row(), 3);
        QVERIFY(table.selectionModel()->isSelected(table.currentIndex()));
        model.setStringList({u"x"_s, u"y"_s, u"a"_s, u"z"_s}); // it is gone: another one was not chosen
        QCOMPARE(table.currentIndex().row(), 3);
        QVERIFY(!table.selectionModel()->hasSelection());
        model.setStringList({});
        QVERIFY(!table.currentIndex().isValid());
        QVERIFY(chosen.isEmpty());
    }

    void smallPicturesHaveNamesToo()
    {
        Theatre stage;
        test::setScene(stage);
        show(stage, u"evolve"_s);
        int named = 0;
        for (const QWidget* each : stage.window->findChildren<QWidget*>())
            if (each->isVisible() && (qobject_cast<const EffectAxis*>(each) || qobject_cast<const LineageMap*>(each))) {
                QVERIFY2(!each->accessibleName().isEmpty(), each->metaObject()->className());
                ++named;
            }
        QVERIFY(named >= 2);
    }

    void whatIsComparedIsInSightInAUsualWindow()
    {
        Theatre stage;
        stage.window->resize(1280, 800);
        stage.open();
        const auto compare = [&](const QString& name, int columns) {
            const auto* table = stage.find<Table>(name);
            for (int column = 0; column < columns; ++column) {
                const int end = table->columnViewportPosition(column) + table->columnWidth(column);
                QVERIFY2(end <= table->viewport()->width(),
                    qPrintable(table->model()->headerData(column, Qt::Horizontal).toString()));
            }
        };
        show(stage, u"evolve-tables"_s);
        compare(u"islandTable"_s, 4); // name, score, best, how many live
        const auto* islands = stage.find<Table>(u"islandTable"_s);
        for (int row = 0; row < islands->model()->rowCount(); ++row) {
            const QString name = islands->model()->index(row, 0).data().toString();
            QVERIFY2(islands->fontMetrics().horizontalAdvance(name) + 2 * px(5) <= islands->columnWidth(0),
                qPrintable(name));
        }
        show(stage, u"prompts"_s);
        compare(u"templateVersions"_s, 6);
    }

    void theTableOfTheNoiseFloorHasTheRowsOfThePlot()
    {
        Theatre stage;
        stage.run.record(events::NoiseMeasured{"cpu0", 0.0312, 64});
        stage.open();
        show(stage, u"devices"_s);
        const auto* plot = stage.find<PlotView>(u"noisePlot"_s);
        auto* table = stage.find<Table>(u"noiseTable"_s);
        const QAbstractItemModelTester tester(table->model(), QAbstractItemModelTester::FailureReportingMode::Fatal);
        QCOMPARE(table->model()->rowCount(), static_cast<int>(plot->series()[0].y.size()));
        QVERIFY(table->model()->rowCount() > 1);
        const auto said = [&](int row, NoiseModel::Column column) {
            return table->model()->index(row, static_cast<int>(column)).data().toString();
        };
        QCOMPARE(said(0, NoiseModel::Column::Floor), u"high: ± 3.12 %"_s); // newest first
        QCOMPARE(said(0, NoiseModel::Column::Timings), u"64"_s);
        const int last = table->model()->rowCount() - 1;
        QCOMPARE(said(last, NoiseModel::Column::Floor), u"± 0.60 %"_s);
        QCOMPARE(said(last, NoiseModel::Column::Device), u"EPYC 9654, 1 thread"_s);
        const int before = table->model()->rowCount();
        stage.run.record(events::NoiseMeasured{"cpu0", 0.011, 70});
        stage.open();
        QCOMPARE(table->model()->rowCount(), before + 1);
        QCOMPARE(said(0, NoiseModel::Column::Floor), u"± 1.10 %"_s);
    }
};

TILEWRIGHT_TEST(TestTableTwins)
#include "test_table_twins.moc"
