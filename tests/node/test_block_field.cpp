// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/node/block_field.h"
#include "tests/test_program.h"

#include <QTest>
#include <algorithm>
#include <cmath>

using namespace tilewright;

namespace {

/// Times of one block in which every launch is slower than the one before by the same factor.
std::map<std::string, std::vector<double>> drifting(
    const BlockField& field, const std::map<std::string, double>& ns, double factor)
{
    std::map<std::string, std::vector<double>> times;
    double slower = 1;
    for (const std::string& slot : field.order()) {
        times[slot].push_back(ns.at(slot) * slower);
        slower *= factor;
    }
    return times;
}

std::ptrdiff_t launchesOf(const BlockField& field, const std::string& slot)
{
    return std::ranges::count(field.order(), slot);
}

bool near(double a, double b) { return std::abs(a - b) < 1e-12; }

} // namespace

class TestBlockField : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void contestantsRunInPalindromes();
    void evenDriftFavoursNobody();
    void eachPalindromeTellsARatio();
    void whoRunsInTheMiddleIsHeldAgainstAllLaunches();
    void twoRoundsAreEightLaunchesOfTheCandidate();
    void shortLaunchesAreScreenedInsideOut();
};

void TestBlockField::contestantsRunInPalindromes()
{
    const BlockField field{{"incumbent", "candidate"}, 2, "baseline"};
    const std::vector<std::string> wanted{"incumbent", "candidate", "baseline", "candidate", "incumbent", "incumbent",
        "candidate", "candidate", "incumbent"};
    QVERIFY(field.order() == wanted);
    QVERIFY((field.everyone() == std::vector<std::string>{"incumbent", "candidate", "baseline"}));
}

void TestBlockField::evenDriftFavoursNobody()
{
    const std::map<std::string, double> ns{{"incumbent", 120}, {"candidate", 100}, {"vendor", 90}, {"baseline", 900}};
    for (const BlockField& field :
        {BlockField{{"incumbent", "candidate", "vendor"}, 3}, BlockField{{"candidate", "candidate"}, 1, "incumbent"},
            BlockField{{"candidate", "incumbent", "vendor"}, 1, "baseline"}, screeningField(0, 0),
            screeningField(1, 1e5), screeningField(2, 1e5), screeningField(1, 1e7)}) {
        const auto times = drifting(field, ns, 1.05);
        for (const std::string& slot : field.everyone())
            for (const double ratio : field.logRatios(times, slot))
                QVERIFY2(near(ratio, std::log(ns.at(slot) / 100)), slot.c_str());
    }
}

void TestBlockField::eachPalindromeTellsARatio()
{
    const BlockField field{{"candidate", "incumbent"}, 2};
    const auto ratios = field.logRatios({{"candidate", {1, 1, 2, 2}}, {"incumbent", {3, 3, 4, 4}}}, "incumbent");
    QCOMPARE(ratios.size(), 2U);
    QVERIFY(near(ratios[0], std::log(3)));
    QVERIFY(near(ratios[1], std::log(2)));
}

void TestBlockField::whoRunsInTheMiddleIsHeldAgainstAllLaunches()
{
    const BlockField field{{"incumbent", "candidate"}, 2, "baseline"};
    const auto ratios
        = field.logRatios({{"candidate", {1, 2, 4, 8}}, {"incumbent", {1, 1, 1, 1}}, {"baseline", {8}}}, "baseline");
    QCOMPARE(ratios.size(), 1U);
    QVERIFY(near(ratios[0], std::log(8) - std::log(64) / 4)); // the mean of the logarithms
}

void TestBlockField::twoRoundsAreEightLaunchesOfTheCandidate()
{
    for (const double ns : {2e4, 1e5, 5e5, 1e6, 1e8}) {
        const BlockField first = screeningField(0, 0), second = screeningField(1, ns);
        QCOMPARE(launchesOf(first, "candidate") + launchesOf(second, "candidate"), 8);
        QVERIFY(launchesOf(second, "incumbent") >= 1);
    }
}

void TestBlockField::shortLaunchesAreScreenedInsideOut()
{
    const BlockField odd = screeningField(1, 1e5), even = screeningField(2, 1e5);
    QCOMPARE(launchesOf(odd, "incumbent"), launchesOf(odd, "candidate"));
    QCOMPARE(odd.order().front(), "incumbent");
    QCOMPARE(even.order().front(), "candidate");
    QCOMPARE(odd.order().size(), 8U);
}

TILEWRIGHT_TEST(TestBlockField)
#include "test_block_field.moc"
