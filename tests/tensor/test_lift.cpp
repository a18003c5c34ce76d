// SPDX-License-Identifier: GPL-3.0-or-later
// Lifting from Z2 to Z and Q, and the proof where there is no lift.
#include "core/tensor/bit_columns.h"
#include "core/tensor/known_schemes.h"
#include "core/tensor/lift.h"
#include "core/tensor/measures.h"
#include "core/tensor/transforms.h"
#include "core/tensor/verification.h"
#include "tests/test_program.h"

#include <QTest>

using namespace tilewright;
using namespace tilewright::tensor;

class TestLift : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatCameFromZIsLiftedBack_data()
    {
        QTest::addColumn<QString>("name");
        for (const char* name : {"strassen", "winograd", "schoolbook:2x3x2"})
            QTest::newRow(name) << name;
    }

    void whatCameFromZIsLiftedBack()
    {
        QFETCH(QString, name);
        const auto lift = lifted(*reducedMod2(*knownScheme(name.toStdString())));
        QVERIFY(lift.has_value());
        QVERIFY(lift->outcome == LiftOutcome::Lifted);
        QVERIFY(lift->scheme.has_value());
        QVERIFY(lift->scheme->ring == Ring::Integers);
        QVERIFY(isTernary(*lift->scheme));
        QVERIFY(verified(*lift->scheme).isExact());
        QVERIFY(*reducedMod2(*lift->scheme) == *reducedMod2(*knownScheme(name.toStdString())));
    }

    /// a·b·c three times is a·b·c modulo 2, and 1 = 1 + 2s has the solutions that 3 products need.
    void aSchemeWithSuperfluousProductsIsLifted()
    {
        Scheme scheme = emptyScheme({1, 1, 1}, Ring::Mod2, 3);
        for (int product = 0; product < 3; ++product)
            scheme.u.at(0, product) = scheme.v.at(0, product) = scheme.w.at(0, product) = Coefficient{1};
        const auto lift = lifted(scheme);
        QVERIFY(lift && lift->outcome == LiftOutcome::Lifted);
        QVERIFY(verified(*lift->scheme).isExact());
    }

    void whatCannotBeLiftedIsRefusedWithItsReason()
    {
        const auto over = lifted(strassen());
        QVERIFY(!over);
        QCOMPARE(q(over.error().code), q("tensor/ring"));
        Scheme wrong = *reducedMod2(strassen());
        wrong.u.at(0, 0) = Coefficient{};
        const auto bad = lifted(wrong);
        QVERIFY(!bad);
        QCOMPARE(q(bad.error().code), q("tensor/wrong"));
        const auto large = lifted(*reducedMod2(schoolbook({8, 8, 8})));
        QVERIFY(!large);
        QCOMPARE(q(large.error().code), q("tensor/large"));
    }

    void anEmptyOrForeignProofIsNone()
    {
        const Scheme scheme = *reducedMod2(strassen());
        QVERIFY(!holds({}, scheme));
        QVERIFY(!holds({{{0, 0, 0}}}, scheme));
        QVERIFY(!holds({{{99, 0, 0}}}, scheme));
    }

    /// Columns (1,1,0), (0,1,1), (1,0,1): each has an even number of ones, the right side (1,0,0) has not.
    void aContradictionNamesItsRows()
    {
        BitColumns columns(3, 3);
        const auto vectorOf = [](std::vector<std::size_t> ones) {
            BitVector bits(3);
            for (const std::size_t bit : ones)
                bits.flip(bit);
            return bits;
        };
        columns.add(vectorOf({0, 1}));
        columns.add(vectorOf({1, 2}));
        columns.add(vectorOf({0, 2}));
        QCOMPARE(columns.rank(), std::size_t(2));
        QCOMPARE(columns.kernel().size(), std::size_t(1));
        const auto bad = columns.solve(vectorOf({0}));
        QVERIFY(!bad.exists);
        QCOMPARE(bad.contradiction, (std::vector<std::size_t>{0, 1, 2}));
        const auto good = columns.solve(vectorOf({0, 2}));
        QVERIFY(good.exists);
        QVERIFY(good.columns.at(0) && good.columns.at(1) && !good.columns.at(2));
    }
};

TILEWRIGHT_TEST(TestLift)
#include "test_lift.moc"
