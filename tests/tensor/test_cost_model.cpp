// SPDX-License-Identifier: GPL-3.0-or-later
// The simple cost model against the figures of textbooks.
#include "core/tensor/cost_model.h"
#include "core/tensor/known_schemes.h"
#include "tests/test_program.h"

#include <QTest>

using namespace tilewright::tensor;

class TestCostModel : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void oneLevelOf2x2();
    void breakEven();
    void recursionToTheEnd();
};

void TestCostModel::oneLevelOf2x2()
{
    const OperationPrices prices{20, 1};
    const Format two{2, 2, 2};
    QCOMPARE(schoolbookOperations(two, 1).cost(prices), 164.0);
    QCOMPARE(operationsOf(two, 7, additionsOf(plainPrograms(strassen())), 1).cost(prices), 158.0);
    QCOMPARE(operationsOf(two, 7, additionsOf(reducedPrograms(winogradVariant())), 1).cost(prices), 155.0);
}

void TestCostModel::breakEven()
{
    const Format two{2, 2, 2};
    QCOMPARE(*breakEvenOf(two, 7, additionsOf(plainPrograms(strassen()))), 14.0);
    QCOMPARE(*breakEvenOf(two, 7, additionsOf(reducedPrograms(winogradVariant()))), 11.0);
    QVERIFY(!breakEvenOf(two, 8, schoolbookAdditions(two)));
}

// Strassen's recursion to 1×1 has fewer operations than 2n³ − n² for the first time at n = 1024, Winograd's at 512.
void TestCostModel::recursionToTheEnd()
{
    const OperationPrices equal{1, 1};
    const Format two{2, 2, 2};
    const LevelAdditions strassens = additionsOf(plainPrograms(strassen())),
                         winograds = additionsOf(reducedPrograms(winogradVariant()));
    const auto wins = [&](const LevelAdditions& additions, int levels) {
        return operationsOf(two, 7, additions, levels).cost(equal) < schoolbookOperations(two, levels).cost(equal);
    };
    QVERIFY(!wins(strassens, 9) && wins(strassens, 10));
    QVERIFY(!wins(winograds, 8) && wins(winograds, 9));
    QCOMPARE(schoolbookOperations(two, 10).cost(equal), 2.0 * 1024 * 1024 * 1024 - 1024.0 * 1024);
}

TILEWRIGHT_TEST(TestCostModel)
#include "test_cost_model.moc"
