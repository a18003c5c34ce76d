// SPDX-License-Identifier: GPL-3.0-or-later
// The candidate table while a run goes on: a click hits the row that the user pointed at, and what is being read
// stays where it is.
#include "core/model/measurement/pair_ladder.h"
#include "core/model/parent_change.h"
#include "tests/patience.h"
#include "tests/test_program.h"
#include "tests/ui/fits.h"
#include "tests/ui/theatre.h"
#include "ui/evolve/candidate_inspector.h"
#include "ui/evolve/evolve_page.h"
#include "ui/models/candidate_model.h"
#include "ui/models/display_text.h"
#include "ui/widgets/plot/plot_view.h"
#include "ui/widgets/table.h"

#include <QAbstractButton>
#include <QHeaderView>
#include <QLabel>
#include <QProxyStyle>
#include <QScrollArea>
#include <QScrollBar>
#include <QWheelEvent>
#include <QtTest>

using namespace tilewright;
using namespace tilewright::ui;
using namespace Qt::StringLiterals;
using test::settle;
using test::Theatre;

namespace {

struct GoingRun : Theatre {
    Table* table = find<Table>(u"candidateTable"_s);
    QLabel* heldBack = find<QLabel>(u"heldBack"_s);

    GoingRun()
    {
        open();
        window->showScreen(u"evolve"_s);
        settle(*window);
        QTest::mouseMove(find<QWidget>(u"islandList"_s)); // not over the rows
        settle(*window);
    }
    void goOn(int candidates = 5)
    {
        run.grow(candidates);
        open();
        settle(*window);
    }
    qint64 idIn(int row) const { return table->model()->index(row, 0).data(CandidateModel::IdRole).toLongLong(); }
    qint64 idAt(const QPoint& place) const { return idIn(table->rowAt(place.y())); }
    QPoint inRow(int row) const { return table->visualRect(table->model()->index(row, 0)).center(); }
    qint64 newest() const { return static_cast<qint64>(run.state().candidates.size()); }
    void pointAt(const QPoint& place) { QTest::mouseMove(table->viewport(), place); }
    void pointElsewhere()
    {
        for (QWidget* left : {table->viewport(), static_cast<QWidget*>(table)}) {
            QEvent leaves(QEvent::Leave);
            QApplication::sendEvent(left, &leaves);
        }
    }
};

} // namespace

class TestRowsInPlace : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whoSortsByAFigureSeesTheFirstRowsAndTheHighestOnes();
    void aCopyTellsNoChangeOfItsOwn();
    void aChangeThatIsCutIsToldInFull();
    void aBanIsShownOnCopiesAtOnce();
    void aClickHitsTheRowThatWasPointedAt();
    void aSessionThatIsOpenedShowsTheRowOfItsBest();
    void whatIsReadPieceByPieceEndsAtItsBest();
    void newOnesComeOnTopWhereNobodyLooksAtAnotherRow();
    void whatWasScrolledToStays();
    void theChosenRowStaysWhileTheTableHasTheFocus();
    void aNewBestIsMarkedAndTheTableStays();
    void aBestThatAPersonChoseStaysWhateverBecomesTheBest_data();
    void aBestThatAPersonChoseStaysWhateverBecomesTheBest();
    void sortingIsDoneThoughThePointerIsThere();
    void whoIsGoneToIsSeenBeItTheChosenOneAlready();
    void theArrowPointsUpWhereValuesAscend();
};

namespace {

/// Notes which arrows are drawn in headings.
struct ArrowSpy : QProxyStyle {
    mutable std::vector<QStyleOptionHeader::SortIndicator> seen;

    void drawControl(
        ControlElement element, const QStyleOption* option, QPainter* painter, const QWidget* widget) const override
    {
        const auto* header = qstyleoption_cast<const QStyleOptionHeader*>(option);
        if (header && header->sortIndicator != QStyleOptionHeader::None)
            seen.push_back(header->sortIndicator);
        QProxyStyle::drawControl(element, option, painter, widget);
    }
};

} // namespace

void TestRowsInPlace::whoIsGoneToIsSeenBeItTheChosenOneAlready()
{
    GoingRun stage;
    stage.goOn(200);
    const CandidateId best = stage.run.state().best()->id;
    const auto isSeen = [&] {
        const QRect row = stage.table->visualRect(stage.table->currentIndex());
        return stage.table->currentIndex().siblingAtColumn(0).data(CandidateModel::IdRole).toLongLong()
            == stage.window->selection().current().value
            && stage.table->viewport()->rect().contains(row.center());
    };
    stage.window->selection().select(best);
    QVERIFY(isSeen());
    QScrollBar* bar = stage.table->verticalScrollBar();
    const int away = bar->value() > bar->maximum() / 2 ? 0 : bar->maximum();
    bar->setValue(away);
    QVERIFY(!isSeen());
    stage.window->actions()[u"candidate.best"_s].trigger(); // B, once more
    QCOMPARE(stage.window->selection().current(), best);
    QVERIFY(isSeen());
    // A row that is seen stays where it is.
    const int at = bar->value();
    stage.window->actions()[u"candidate.best"_s].trigger();
    QCOMPARE(bar->value(), at);
    bar->setValue(away);
    const PlotView* plot = stage.find<PlotView>(u"fitnessPlot"_s);
    for (int series = 0; series < plot->series().size(); ++series) // the first dot of each, as a click in the plot does
        if (!plot->series()[series].x.isEmpty()) {
            Q_EMIT const_cast<PlotView*>(plot)->clicked(series, 0);
            QVERIFY(isSeen());
        }
}

void TestRowsInPlace::theArrowPointsUpWhereValuesAscend()
{
    const QString sheet = qApp->styleSheet(); // which would draw it itself
    qApp->setStyleSheet({});
    const auto back = qScopeGuard([&sheet] { qApp->setStyleSheet(sheet); });
    GoingRun stage;
    ArrowSpy spy;
    QHeaderView* header = stage.table->horizontalHeader();
    header->setStyle(&spy);
    for (const auto& [order, arrow] : {std::pair(Qt::AscendingOrder, QStyleOptionHeader::SortUp),
             std::pair(Qt::DescendingOrder, QStyleOptionHeader::SortDown)}) {
        stage.table->sortByColumn(0, order);
        spy.seen.clear();
        header->grab();
        QVERIFY(!spy.seen.empty());
        for (const auto seen : spy.seen)
            QCOMPARE(seen, arrow);
    }
    header->setStyle(nullptr);
}

void TestRowsInPlace::whoSortsByAFigureSeesTheFirstRowsAndTheHighestOnes()
{
    GoingRun stage;
    stage.run.grow(100);
    stage.open();
    settle(*stage.window);
    stage.window->selection().select({2}); // far from the first row in any order
    QHeaderView* header = stage.table->horizontalHeader();
    const int score = static_cast<int>(CandidateModel::Column::Score);
    const QPoint onScore(header->sectionViewportPosition(score) + 20, header->height() / 2);
    QTest::mouseClick(header->viewport(), Qt::LeftButton, {}, onScore);
    QCOMPARE(header->sortIndicatorOrder(), Qt::DescendingOrder);
    QTRY_COMPARE_WITH_TIMEOUT(stage.table->rowAt(1), 0, patience);
    const auto scoreIn
        = [&](int row) { return stage.table->model()->index(row, score).data(CandidateModel::SortRole).toDouble(); };
    QVERIFY(scoreIn(0) >= scoreIn(1) && scoreIn(0) > scoreIn(stage.table->model()->rowCount() - 1));
    QTest::mouseClick(header->viewport(), Qt::LeftButton, {}, onScore);
    QCOMPARE(header->sortIndicatorOrder(), Qt::AscendingOrder);
    QTRY_COMPARE_WITH_TIMEOUT(stage.table->rowAt(1), 0, patience);
}

void TestRowsInPlace::aCopyTellsNoChangeOfItsOwn()
{
    GoingRun stage;
    stage.run.grow(300);
    const RunState& run = stage.run.state();
    const auto copy = std::ranges::find_if(
        run.candidates, [&](const Candidate& one) { return one.migrated && versusParentOr(run, one, {}); });
    QVERIFY(copy != run.candidates.end());
    CandidateModel model;
    model.show(stage.run.snapshot());
    const auto cell = [&](CandidateId id, int role) {
        return model.index(model.rowOf(id), static_cast<int>(CandidateModel::Column::Parent)).data(role);
    };
    const CandidateId original = tilewright::originOf(run, copy->id);
    QVERIFY(!CandidateModel::changeOf(run, *copy, {})); // what its original gained on its parent is not the copy's
    QCOMPARE(cell(copy->id, Qt::DisplayRole).toString(), u"–"_s);
    QVERIFY(CandidateModel::changeOf(run, *run.candidate(original), {}));
    const auto change = versusParent(run, *copy);
    QVERIFY(change);
    stage.open();
    stage.window->selection().select(copy->id);
    QCOMPARE(stage.find<QLabel>(u"parentChange"_s)->text(), cell(original, Qt::DisplayRole).toString());
    const QString against = u"against %1"_s.arg(nameOfCandidate(change->parent));
    QCOMPARE(cell(original, Qt::ToolTipRole).toString(), against);
    QCOMPARE(cell(copy->id, Qt::ToolTipRole).toString(),
        u"same program as %1, whose change was %2 %3"_s.arg(
            nameOfCandidate(original), cell(original, Qt::DisplayRole).toString(), against));
}

void TestRowsInPlace::aChangeThatIsCutIsToldInFull()
{
    test::FixtureRun run;
    run.grow(300);
    CandidateModel model;
    model.show(run.snapshot());
    int failed = 0, copies = 0;
    for (const Candidate& candidate : run.state().candidates) {
        const QModelIndex cell
            = model.index(model.rowOf(candidate.id), static_cast<int>(CandidateModel::Column::Change));
        const QString tip = cell.data(Qt::ToolTipRole).toString();
        QVERIFY2(tip.contains(ui::changeWords(run.state(), candidate)), qPrintable(tip));
        if (!candidate.rule.empty()) { // the cell says no more than the rule
            ++failed;
            QVERIFY2(tip.contains(text(candidate.text)) && tip.contains(text(candidate.rule)), qPrintable(tip));
        }
        copies += candidate.migrated && tip.contains(u"same program as"_s) ? 1 : 0;
    }
    QVERIFY(failed > 0 && copies > 0);
}

void TestRowsInPlace::aBanIsShownOnCopiesAtOnce()
{
    test::FixtureRun run;
    run.grow(300);
    CandidateModel model;
    model.show(run.snapshot());
    const auto copy = std::ranges::find_if(run.state().candidates, &Candidate::migrated);
    QVERIFY(copy != run.state().candidates.end());
    const CandidateId id = (*copy).id, original = (*copy).parents.front();
    const auto isTold = [&](bool banned) {
        QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
        Marks marks;
        marks.banned = banned;
        run.put(events::Marked{original, marks});
        model.show(run.snapshot());
        return std::ranges::any_of(changed, [&](const QList<QVariant>& told) {
            const int row = model.rowOf(id);
            return told[0].toModelIndex().row() <= row && row <= told[1].toModelIndex().row();
        });
    };
    QVERIFY(isTold(true));
    QVERIFY(isTold(false));
}

void TestRowsInPlace::aClickHitsTheRowThatWasPointedAt()
{
    GoingRun stage;
    stage.table->verticalScrollBar()->setValue(0);
    const QPoint place = stage.inRow(2);
    const qint64 meant = stage.idAt(place);
    stage.pointAt(place);
    stage.goOn();
    QCOMPARE(stage.idAt(place), meant);
    QVERIFY(stage.heldBack->isVisible());
    QCOMPARE(stage.heldBack->text(), u"5 new"_s);
    QTest::mouseClick(stage.table->viewport(), Qt::LeftButton, {}, place);
    QCOMPARE(stage.window->selection().current().value, meant);
    stage.pointElsewhere();
    QCOMPARE(stage.idIn(0), stage.newest());
    QVERIFY(!stage.heldBack->isVisible());
}

void TestRowsInPlace::whatIsReadPieceByPieceEndsAtItsBest()
{
    Theatre stage(20);
    stage.window->showScreen(u"evolve"_s);
    auto part = std::make_shared<Snapshot>(*stage.run.snapshot());
    part->status.opening = 0.2;
    stage.client.publish(part);
    settle(*stage.window);
    const CandidateId early = part->run.best()->id;
    stage.run.grow(100);
    constexpr std::int64_t page = 40; // its row is on none of the first pages
    while (std::ssize(stage.run.state().candidates) - stage.run.state().best()->id.value < page)
        stage.run.grow(20);
    stage.open();
    settle(*stage.window);
    const CandidateId best = stage.run.state().best()->id;
    QVERIFY(best != early);
    const auto* table = stage.find<Table>(u"candidateTable"_s);
    QCOMPARE(table->currentIndex().data(CandidateModel::IdRole).toLongLong(), best.value);
    QVERIFY(table->viewport()->rect().contains(table->visualRect(table->currentIndex())));
}

void TestRowsInPlace::aSessionThatIsOpenedShowsTheRowOfItsBest()
{
    GoingRun stage;
    const QModelIndex current = stage.table->currentIndex().siblingAtColumn(0);
    QCOMPARE(current.data(CandidateModel::IdRole).toLongLong(), stage.run.state().best()->id.value);
    QVERIFY(stage.table->viewport()->rect().contains(stage.table->visualRect(current)));
}

void TestRowsInPlace::newOnesComeOnTopWhereNobodyLooksAtAnotherRow()
{
    GoingRun stage;
    stage.table->verticalScrollBar()->setValue(0);
    stage.goOn();
    QCOMPARE(stage.table->verticalScrollBar()->value(), 0);
    QCOMPARE(stage.idAt({4, 4}), stage.newest());
}

void TestRowsInPlace::whatWasScrolledToStays()
{
    GoingRun stage;
    stage.table->verticalScrollBar()->setValue(stage.table->rowHeight(0) * 7 + 5);
    const qint64 read = stage.idAt({4, 2});
    for (int round = 0; round < 3; ++round) {
        stage.goOn();
        QCOMPARE(stage.idAt({4, 2}), read);
    }
}

void TestRowsInPlace::theChosenRowStaysWhileTheTableHasTheFocus()
{
    GoingRun stage;
    stage.table->verticalScrollBar()->setValue(0);
    const QPoint place = stage.inRow(1);
    QTest::mouseClick(stage.table->viewport(), Qt::LeftButton, {}, place);
    stage.window->activateWindow();
    stage.table->setFocus();
    QTRY_VERIFY_WITH_TIMEOUT(stage.table->hasFocus(), patience);
    stage.pointElsewhere();
    const qint64 chosen = stage.window->selection().current().value;
    stage.goOn();
    QCOMPARE(stage.idAt(place), chosen);
    QTest::keyClick(stage.table, Qt::Key_Home, Qt::ControlModifier);
    QCOMPARE(stage.idAt({4, 4}), stage.newest());
}

void TestRowsInPlace::aNewBestIsMarkedAndTheTableStays()
{
    GoingRun stage;
    stage.table->verticalScrollBar()->setValue(stage.table->rowHeight(0) * 20);
    const qint64 read = stage.idAt({4, 2});
    const CandidateId best = stage.run.state().best()->id;
    for (int round = 0; round < 60 && stage.run.state().best()->id == best; ++round)
        stage.goOn(3);
    QVERIFY(stage.run.state().best()->id != best);
    QCOMPARE(stage.window->selection().current(), stage.run.state().best()->id);
    QCOMPARE(stage.table->currentIndex().data(CandidateModel::IdRole).toLongLong(), stage.run.state().best()->id.value);
    QCOMPARE(stage.idAt({4, 2}), read);
}

void TestRowsInPlace::aBestThatAPersonChoseStaysWhateverBecomesTheBest_data()
{
    QTest::addColumn<QString>("way");
    for (const char* way : {"row", "badge", "key", "wheel", "back"})
        QTest::newRow(way) << QString::fromLatin1(way);
}

void TestRowsInPlace::aBestThatAPersonChoseStaysWhateverBecomesTheBest()
{
    QFETCH(const QString, way);
    GoingRun stage;
    SelectionContext& selection = stage.window->selection();
    const CandidateId best = stage.run.state().best()->id;
    QCOMPARE(selection.current(), best);
    if (way == u"row"_s) {
        const QModelIndex row = stage.table->currentIndex(); // it is marked already
        QTest::mouseClick(stage.table->viewport(), Qt::LeftButton, {}, stage.table->visualRect(row).center());
    } else if (way == u"badge"_s) {
        stage.find<QAbstractButton>(u"bestBadge"_s)->click();
    } else if (way == u"key"_s) {
        stage.window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(stage.window.get(), patience));
        stage.window->centralWidget()->setFocus();
        QTest::keyClick(stage.window.get(), Qt::Key_B);
    } else if (way == u"wheel"_s) {
        QWidget* read = stage.window->evolve().inspector().findChild<QScrollArea*>()->viewport();
        const QPointF at = read->rect().center();
        QWheelEvent turn(at, read->mapToGlobal(at), {}, {0, -120}, {}, {}, Qt::NoScrollPhase, false);
        QApplication::sendEvent(read, &turn);
    } else {
        selection.select(CandidateId{1});
        selection.back();
    }
    stage.pointElsewhere();
    QCOMPARE(selection.current(), best);
    const auto* news = stage.find<QLabel>(u"newBest"_s);
    QVERIFY(news->isHidden());
    for (int round = 0; round < 60 && stage.run.state().best()->id == best; ++round)
        stage.goOn(3);
    const CandidateId now = stage.run.state().best()->id;
    QVERIFY(now != best);
    QCOMPARE(selection.current(), best);
    QCOMPARE(stage.find<QLabel>(u"candidateName"_s)->text(), nameOfCandidate(best));
    QVERIFY(!news->isHidden());
    QVERIFY2(news->text().contains(nameOfCandidate(now)), qPrintable(news->text()));
    Q_EMIT const_cast<QLabel*>(news)->linkActivated(nameOfCandidate(now));
    QCOMPARE(selection.current(), now);
    QVERIFY(news->isHidden());
}

void TestRowsInPlace::sortingIsDoneThoughThePointerIsThere()
{
    GoingRun stage;
    stage.pointAt(stage.inRow(2));
    stage.table->sortByColumn(static_cast<int>(CandidateModel::Column::Name), Qt::AscendingOrder);
    QCOMPARE(stage.idIn(0), 1);
    stage.goOn();
    QCOMPARE(stage.idIn(0), 1);
    stage.pointElsewhere();
    QCOMPARE(stage.idIn(stage.table->model()->rowCount() - 1), stage.newest());
}

TILEWRIGHT_TEST(TestRowsInPlace)
#include "test_rows_in_place.moc"
