// SPDX-License-Identifier: GPL-3.0-or-later
// The rows of the candidate table, held against Qt's own sorting and filtering of the same model: while a run grows,
// and on a long run, which is ordered on another thread.
#include "tests/patience.h"
#include "tests/test_program.h"
#include "tests/ui/fixture.h"
#include "ui/models/candidate_filter.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QSortFilterProxyModel>
#include <QtTest>

using namespace tilewright;
using namespace tilewright::ui;
using namespace Qt::StringLiterals;
using test::FixtureRun;

namespace {

class Reference : public QSortFilterProxyModel
{
public:
    Reference() { setSortRole(CandidateModel::SortRole); }
    void setOrder(const CandidateOrder& order)
    {
        m_order = order;
        invalidateFilter();
    }

protected:
    bool filterAcceptsRow(int row, const QModelIndex&) const override
    {
        const auto* model = qobject_cast<const CandidateModel*>(sourceModel());
        const Candidate& candidate = model->at(row);
        if (m_order.range) {
            const double place = RunPlaces(model->run(), m_order.range->axis).of(candidate);
            if (place < m_order.range->from || place > m_order.range->to)
                return false;
        }
        return (m_order.islands.empty() || m_order.islands.contains(candidate.island))
            && m_order.query.accepts(model->run(), candidate);
    }

    /// What has no figure is behind all that have, whichever way they are sorted.
    bool lessThan(const QModelIndex& left, const QModelIndex& right) const override
    {
        using Column = CandidateModel::Column;
        const auto isMissing = [](const QModelIndex& index) {
            const auto column = static_cast<Column>(index.column());
            const bool isFigure = column == Column::Evaluation || column == Column::Score || column == Column::Vendor
                || column == Column::Parent;
            return isFigure && index.data(CandidateModel::SortRole).toDouble() <= 0;
        };
        if (isMissing(left) != isMissing(right))
            return sortOrder() == Qt::AscendingOrder ? isMissing(right) : isMissing(left);
        return QSortFilterProxyModel::lessThan(left, right);
    }

private:
    CandidateOrder m_order;
};

std::vector<qint64> shown(const QAbstractItemModel& model)
{
    std::vector<qint64> ids;
    for (int row = 0; row < model.rowCount(); ++row)
        ids.push_back(model.index(row, 0).data(CandidateModel::IdRole).toLongLong());
    return ids;
}

/// One model below both.
struct Pair {
    CandidateModel model;
    CandidateFilter filter;
    Reference reference;

    Pair()
    {
        filter.setSourceModel(&model);
        reference.setSourceModel(&model);
    }
    void set(const CandidateOrder& order)
    {
        filter.setQuery(order.query);
        filter.setIslands(order.islands);
        filter.setRange(order.range);
        reference.setOrder(order);
    }
    void sort(int column, Qt::SortOrder order)
    {
        filter.sort(column, order);
        reference.sort(column, order);
    }
    bool agree()
    {
        reference.invalidate(); // where it puts new ones among equals is left to chance
        return QTest::qWaitFor([this] { return !filter.isOrdering(); }, patience) && shown(filter) == shown(reference);
    }
};

CandidateOrder orderOf(const QString& typed, std::set<IslandId> islands = {}, std::optional<RunRange> range = {})
{
    return {CandidateQuery::parse(typed), std::move(islands), range, {}, false};
}

} // namespace

class TestCandidateFilter : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aGrowingRunIsSortedByEveryColumn()
    {
        constexpr int columns = static_cast<int>(CandidateModel::Column::Count);
        for (int column = 0; column < columns; ++column)
            for (const Qt::SortOrder order : {Qt::AscendingOrder, Qt::DescendingOrder}) {
                FixtureRun run;
                Pair pair;
                new QAbstractItemModelTester(
                    &pair.filter, QAbstractItemModelTester::FailureReportingMode::Fatal, &pair.filter);
                pair.sort(column, order);
                for (int round = 0; round < 6; ++round) {
                    run.grow(round % 2 ? 3 : 40); // few, one by one, and many together
                    pair.model.show(run.snapshot());
                    QVERIFY2(pair.agree(), qPrintable(u"column %1, round %2"_s.arg(column).arg(round)));
                }
            }
    }

    void whatHasNoFigureStandsLast()
    {
        FixtureRun run;
        run.grow(60);
        CandidateModel model;
        CandidateFilter filter;
        filter.setSourceModel(&model);
        model.show(run.snapshot());
        constexpr int vendor = static_cast<int>(CandidateModel::Column::Vendor);
        for (const Qt::SortOrder order : {Qt::AscendingOrder, Qt::DescendingOrder}) {
            filter.sort(vendor, order);
            QVERIFY(QTest::qWaitFor([&] { return !filter.isOrdering(); }, patience));
            const auto figure
                = [&](int row) { return filter.index(row, vendor).data(CandidateModel::SortRole).toDouble(); };
            QVERIFY(figure(0) > 0);
            QVERIFY(figure(filter.rowCount() - 1) <= 0);
        }
    }

    void marksMoveARowToItsPlace()
    {
        FixtureRun run;
        run.grow(60);
        Pair pair;
        pair.sort(static_cast<int>(CandidateModel::Column::Marks), Qt::DescendingOrder);
        pair.model.show(run.snapshot());
        QSignalSpy changes(&pair.filter, &QAbstractItemModel::layoutChanged);
        Marks marks;
        marks.starred = true;
        run.put(events::Marked{CandidateId{7}, marks});
        pair.model.show(run.snapshot());
        QVERIFY(pair.agree());
        QCOMPARE(shown(pair.filter).front(), 7);
        QCOMPARE(changes.size(), 1);
    }

    void heldRowsStayUntilTheyAreLetGo()
    {
        for (const int candidates : {60, 6000}) {
            FixtureRun run;
            run.grow(candidates);
            Pair pair;
            new QAbstractItemModelTester(
                &pair.filter, QAbstractItemModelTester::FailureReportingMode::Fatal, &pair.filter);
            pair.model.show(run.snapshot());
            pair.sort(static_cast<int>(CandidateModel::Column::Marks), Qt::DescendingOrder);
            QVERIFY(pair.agree());
            const std::vector<qint64> before = shown(pair.filter);
            pair.filter.hold();
            QSignalSpy told(&pair.filter, &QAbstractItemModel::dataChanged);
            Marks marks;
            marks.starred = true;
            run.put(events::Marked{CandidateId{7}, marks});
            run.grow(3);
            pair.model.show(run.snapshot());
            QCOMPARE(shown(pair.filter), before);
            QVERIFY(!told.isEmpty()); // what it says of itself is shown at once
            QCOMPARE(pair.filter.heldBack(), 3);
            pair.filter.letGo();
            QVERIFY(pair.agree());
            QCOMPARE(shown(pair.filter).front(), 7);
            QCOMPARE(pair.filter.heldBack(), 0);
        }
    }

    void queryIslandsAndStretchNarrowTogether()
    {
        FixtureRun run;
        run.grow(200);
        Pair pair;
        pair.model.show(run.snapshot());
        pair.sort(static_cast<int>(CandidateModel::Column::Score), Qt::DescendingOrder);
        const RunRange stretch{RunAxis::Evaluation, 20, 90};
        for (const CandidateOrder& order : {orderOf(u"score>1"_s), orderOf(u"score>1"_s, {IslandId{2}}),
                 orderOf({}, {IslandId{2}, IslandId{3}}, stretch), orderOf(u"nowhere"_s), orderOf({})}) {
            pair.set(order);
            QVERIFY(pair.agree());
            run.grow(5);
            pair.model.show(run.snapshot());
            QVERIFY(pair.agree());
        }
        QCOMPARE(pair.filter.rowCount(), pair.model.rowCount());
    }

    void whatIsHeldStaysTheSameCandidate()
    {
        FixtureRun run;
        run.grow(100);
        Pair pair;
        pair.model.show(run.snapshot());
        const QPersistentModelIndex held = pair.filter.mapFromSource(pair.model.index(41, 0));
        pair.sort(static_cast<int>(CandidateModel::Column::Score), Qt::DescendingOrder);
        QCOMPARE(pair.filter.mapToSource(held).row(), 41);
        pair.set(orderOf(u"c-0042"_s));
        QCOMPARE(held.row(), 0);
        pair.set(orderOf(u"c-0043"_s));
        QVERIFY(!held.isValid());
    }

    void aLongRunIsOrderedElsewhereAndWhatComesMeanwhileIsThere()
    {
        FixtureRun run;
        run.grow(6000);
        Pair pair;
        pair.model.show(run.snapshot());
        QVERIFY(pair.filter.isOrdering()); // the old rows, here none, stay until it is done
        QCOMPARE(pair.filter.rowCount(), 0);
        run.grow(7);
        pair.model.show(run.snapshot());
        QVERIFY(pair.agree());
        QCOMPARE(pair.filter.rowCount(), pair.model.rowCount());
        pair.sort(static_cast<int>(CandidateModel::Column::Score), Qt::DescendingOrder);
        pair.set(orderOf(u"nowhere"_s));
        pair.set(orderOf(u"score>1"_s)); // the one before is dropped
        QCOMPARE(pair.filter.rowCount(), pair.model.rowCount());
        run.grow(7);
        pair.model.show(run.snapshot());
        QVERIFY(pair.agree());
        QVERIFY(pair.filter.rowCount() > 0 && pair.filter.rowCount() < 6000);
        FixtureRun other(2);
        pair.set(orderOf({}));
        pair.model.show(other.snapshot()); // what is on its way is of a run that is gone
        QVERIFY(pair.agree());
        QCOMPARE(pair.filter.rowCount(), 1);
    }
};

TILEWRIGHT_TEST(TestCandidateFilter)
#include "test_candidate_filter.moc"
