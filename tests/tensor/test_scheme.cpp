// SPDX-License-Identifier: GPL-3.0-or-later
// Schemes of matrix multiplication: exact verification, figures, compositions, and the reduction of additions.
#include "core/tensor/additions.h"
#include "core/tensor/known_schemes.h"
#include "core/tensor/measures.h"
#include "core/tensor/transforms.h"
#include "core/tensor/verification.h"
#include "tests/test_program.h"

#include <QTest>
#include <cmath>

using namespace tilewright;
using namespace tilewright::tensor;

namespace {

Scheme composedOfBoth(const Scheme& outer, const Scheme& inner)
{
    const auto scheme = composed(outer, inner);
    return scheme ? *scheme : Scheme{};
}

/// The scheme applied to matrices of integers, entry by entry.
std::vector<std::int64_t> applied(
    const Scheme& scheme, const std::vector<std::int64_t>& a, const std::vector<std::int64_t>& b)
{
    std::vector<std::int64_t> c(static_cast<std::size_t>(scheme.format.cEntries()));
    for (int r = 0; r < scheme.rank(); ++r) {
        std::int64_t left = 0, right = 0;
        for (int i = 0; i < scheme.u.entries(); ++i)
            left += scheme.u.at(i, r).re * a[static_cast<std::size_t>(i)];
        for (int i = 0; i < scheme.v.entries(); ++i)
            right += scheme.v.at(i, r).re * b[static_cast<std::size_t>(i)];
        for (int i = 0; i < scheme.w.entries(); ++i)
            c[static_cast<std::size_t>(i)] += scheme.w.at(i, r).re * left * right;
    }
    return c;
}

} // namespace

class TestScheme : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void builtInSchemesHaveTheFiguresOfTheLiterature_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("rank");
        QTest::addColumn<int>("additions");
        QTest::addColumn<int>("reduced");
        QTest::addColumn<double>("growth");
        QTest::newRow("strassen") << "strassen" << 7 << 18 << 18 << 12.0;
        QTest::newRow("winograd") << "winograd" << 7 << 24 << 15 << 18.0;
        QTest::newRow("definition") << "schoolbook:2x2x2" << 8 << 4 << 4 << 2.0;
        QTest::newRow("definition 3x4x5") << "schoolbook:3x4x5" << 60 << 45 << 45 << 4.0;
    }

    void builtInSchemesHaveTheFiguresOfTheLiterature()
    {
        QFETCH(QString, name);
        QFETCH(int, rank);
        QFETCH(int, additions);
        QFETCH(int, reduced);
        QFETCH(double, growth);
        const auto scheme = knownScheme(name.toStdString());
        QVERIFY(scheme.has_value());
        QVERIFY(verified(*scheme).isExact());
        QCOMPARE(scheme->rank(), rank);
        QCOMPARE(naiveAdditionsOf(*scheme), additions);
        QCOMPARE(reducedPrograms(*scheme).additions(), reduced);
        QCOMPARE(growthFactorOf(*scheme), growth);
    }

    void theExponentOfStrassenIsLog2Of7()
    {
        QVERIFY(std::abs(exponentOf(strassen()).value_or(0) - std::log2(7.0)) < 1e-12);
        QVERIFY(!exponentOf(schoolbook({1, 1, 1})));
    }

    void everyChangeOfASignIsFound()
    {
        const Scheme right = strassen();
        int changed = 0;
        for (Factor Scheme::*factor : {&Scheme::u, &Scheme::v, &Scheme::w})
            for (int product = 0; product < right.rank(); ++product)
                for (int entry = 0; entry < 4; ++entry) {
                    Scheme wrong = right;
                    Coefficient& value = (wrong.*factor).at(entry, product);
                    if (value.isZero())
                        continue;
                    value = negated(value);
                    QVERIFY(!verified(wrong).isExact());
                    ++changed;
                }
        QCOMPARE(changed, nonzerosOf(right));
    }

    void theFirstWrongEntryIsNamed()
    {
        Scheme wrong = strassen();
        wrong.w.at(0, 0) = Coefficient{-1};
        const Verification verification = verified(wrong);
        QVERIFY(verification.first.has_value());
        QCOMPARE(verification.entries, std::int64_t(64));
        QCOMPARE(q(textOf(wrong.format, *verification.first)), q("a11·b11 in c11 is -1, not 1"));
        QVERIFY(verified(*reducedMod2(wrong)).isExact()); // signs do not matter modulo 2
    }

    void fractionsAndComplexNumbersAreVerifiedExactly()
    {
        Scheme scheme = strassen();
        scheme.ring = Ring::Gaussian;
        for (int entry = 0; entry < 4; ++entry) { // the first product times (1+i)/2 and (1-i), and so on
            scheme.u.at(entry, 0) = *productOf(scheme.u.at(entry, 0), *coefficientIn("(1+i)/2"));
            scheme.v.at(entry, 0) = *productOf(scheme.v.at(entry, 0), *coefficientIn("1-i"));
        }
        QVERIFY(checkScheme(scheme).has_value());
        QVERIFY(verified(scheme).isExact());
        QVERIFY(smallestRing(scheme) == Ring::Gaussian);
        scheme.v.at(0, 0) = *coefficientIn("1/3");
        QVERIFY(!verified(scheme).isExact());
    }

    void coefficientsAreReadAndWritten()
    {
        for (const char* text : {"0", "-3", "1/2", "i", "-i", "(1-i)/2", "i/2", "65536", "2+3i"}) {
            const auto value = coefficientIn(text);
            QVERIFY2(value.has_value(), text);
            QCOMPARE(q(textOf(*value)), q(text));
        }
        QVERIFY(coefficientIn("0.5-0.5j") == coefficientIn("(1-i)/2"));
        for (const char* text : {"", "x", "1/0", "--1", "0.3", "65537", "1e5", "1/2/3", "()", "1+2+3i"})
            QVERIFY2(!coefficientIn(text), text);
    }

    void compositionsAndSymmetriesStayExact()
    {
        const Scheme squared = composedOfBoth(strassen(), strassen());
        QCOMPARE(squared.rank(), 49);
        QCOMPARE(growthFactorOf(squared), 144.0);
        const Scheme uneven = composedOfBoth(winogradVariant(), schoolbook({1, 2, 3}));
        QVERIFY((uneven.format == Format{2, 4, 6}));
        for (const Scheme& scheme : {squared, uneven, rotated(uneven), transposed(uneven), rotated(rotated(uneven))})
            QVERIFY(verified(scheme).isExact());
        QVERIFY((rotated(uneven).format == Format{4, 6, 2}));
        QVERIFY((transposed(uneven).format == Format{6, 4, 2}));
        QVERIFY(rotated(rotated(rotated(uneven))) == uneven);
        QVERIFY(transposed(transposed(uneven)) == uneven);
    }

    void aSchemeGrowsAlongEachDimension()
    {
        for (const Dimension along : {Dimension::N, Dimension::M, Dimension::P}) {
            const auto longer = extended(strassen(), along, 1);
            QVERIFY(longer.has_value());
            QCOMPARE(longer->rank(), 11);
            QVERIFY(verified(*longer).isExact());
        }
        const auto both = directSum(strassen(), winogradVariant(), Dimension::M);
        QVERIFY(both && verified(*both).isExact());
        QCOMPARE(both->rank(), 14);
        QVERIFY(!directSum(strassen(), schoolbook({3, 2, 2}), Dimension::P));
    }

    void resultsBeyondTheLimitsAreRefused()
    {
        const auto tooLarge = composed(composedOfBoth(strassen(), strassen()), schoolbook({3, 3, 3}));
        QVERIFY(!tooLarge);
        QCOMPARE(q(tooLarge.error().code), q("tensor/format"));
        QVERIFY(!formatIn("9x8x1"));
        QVERIFY(!formatIn("0x1x1"));
        QVERIFY(!formatIn("2x2"));
        QVERIFY(!formatIn("2x2x2x"));
        QVERIFY(!formatIn("99999999999x1x1"));
        const auto mixed = composed(strassen(), *reducedMod2(strassen()));
        QVERIFY(!mixed);
        QCOMPARE(q(mixed.error().code), q("tensor/ring"));
    }

    void reducedProgramsComputeTheSame()
    {
        const Scheme scheme = composedOfBoth(winogradVariant(), strassen());
        const SchemePrograms programs = reducedPrograms(scheme);
        QVERIFY(programs.additions() < naiveAdditionsOf(scheme));
        QCOMPARE(plainPrograms(scheme).additions(), naiveAdditionsOf(scheme));
        LinearProgram broken = programs.a;
        QVERIFY(computes(broken, formsOf(scheme, Operand::A), scheme.ring));
        broken.steps[0].ratio = negated(broken.steps[0].ratio);
        QVERIFY(!computes(broken, formsOf(scheme, Operand::A), scheme.ring));
        broken.steps[0].right = 1000;
        QVERIFY(!computes(broken, formsOf(scheme, Operand::A), scheme.ring));
    }

    void aRightSchemeMultipliesMatrices()
    {
        const Scheme scheme = composedOfBoth(strassen(), schoolbook({1, 2, 1}));
        std::vector<std::int64_t> a, b;
        for (int i = 0; i < scheme.format.aEntries(); ++i)
            a.push_back(i * i - 3 * i + 1);
        for (int i = 0; i < scheme.format.bEntries(); ++i)
            b.push_back(7 - 2 * i);
        QCOMPARE(applied(scheme, a, b), applied(schoolbook(scheme.format), a, b));
    }
};

TILEWRIGHT_TEST(TestScheme)
#include "test_scheme.moc"
