// SPDX-License-Identifier: GPL-3.0-or-later
// What a harness makes of figures: wrong, slower or verified, and when recorded figures may stand beside new ones.
#include "app/harness/verification.h"
#include "tests/test_program.h"

using namespace tilewright;
using namespace tilewright::harness;

namespace {

Claim recorded()
{
    Claim claim;
    claim.result.score = Interval{30, 29, 31};
    claim.result.vsVendor = Interval{1.0, 0.99, 1.01};
    claim.deviceFacts = {{"name", "A CPU"}, {"compiler", "g++ 12"}, {"features", {"avx", "fma"}}};
    return claim;
}

Verification ranked(Interval score, Interval vendor)
{
    Verification verification;
    verification.result.outcome = Outcome::Ranked;
    verification.result.score = score;
    verification.result.vsVendor = vendor;
    verification.isExported = true;
    return verification;
}

} // namespace

class TestHarnessJudgement : public QObject
{
    Q_OBJECT

    static HarnessVerdict of(const Verification& verification, const std::vector<std::string>& differences = {},
        Extent extent = Extent::Confirm)
    {
        return judged(verification, recorded(), differences, extent).judgement;
    }

private Q_SLOTS:
    void theRecordedSpeedIsVerified()
    {
        QVERIFY(of(ranked({30, 29, 31}, {1, 0.99, 1.01})) == HarnessVerdict::Verified);
        QVERIFY(of(ranked({40, 39, 41}, {1.2, 1.19, 1.21})) == HarnessVerdict::Verified);
    }

    void whatARuleRefusedIsWrongWhateverItsSpeed()
    {
        for (const Outcome outcome :
            {Outcome::Refused, Outcome::BuildFailed, Outcome::RunFailed, Outcome::Quarantined, Outcome::None}) {
            Verification verification = ranked({60, 59, 61}, {2, 1.9, 2.1});
            verification.result.outcome = outcome;
            verification.result.rule = "verify/norm";
            QVERIFY(of(verification) == HarnessVerdict::Wrong);
            QVERIFY(of(verification, {}, Extent::Quick) == HarnessVerdict::Wrong);
        }
    }

    void whatIsNotFasterThanTheBaselineIsSlower()
    {
        QVERIFY(of(ranked({1.01, 0.99, 1.03}, {1, 0.99, 1.01}), {"compiler: …"}) == HarnessVerdict::Slower);
    }

    void aLossAgainstBaselineAndVendorIsSlowerThanRecorded()
    {
        QVERIFY(of(ranked({25, 24, 26}, {0.85, 0.84, 0.86})) == HarnessVerdict::Slower);
        // Against one of the two alone it is that one that changed.
        QVERIFY(of(ranked({25, 24, 26}, {1, 0.99, 1.01})) == HarnessVerdict::Verified);
        QVERIFY(of(ranked({30, 29, 31}, {0.85, 0.84, 0.86})) == HarnessVerdict::Verified);
        // Within the margin nothing is said.
        QVERIFY(of(ranked({28, 27.6, 28.5}, {0.95, 0.945, 0.96})) == HarnessVerdict::Verified);
        // Figures of another machine are not compared with the record.
        QVERIFY(
            of(ranked({25, 24, 26}, {0.85, 0.84, 0.86}), {"name: recorded A CPU, here B"}) == HarnessVerdict::Verified);
    }

    void anotherProgramIsJudgedBesideTheExportedOne()
    {
        Verification verification = ranked({30, 29, 31}, {1, 0.99, 1.01});
        verification.isExported = false;
        verification.result.versusIncumbent = Interval{0.9, 0.89, 0.91};
        QVERIFY(of(verification) == HarnessVerdict::Slower);
        verification.result.versusIncumbent = Interval{1, 0.995, 1.005};
        QVERIFY(of(verification) == HarnessVerdict::Verified);
    }

    void aQuickRunGivesNoVerdictOnSpeed()
    {
        QVERIFY(of(ranked({0.5, 0.4, 0.6}, {0.1, 0.09, 0.11}), {}, Extent::Quick) == HarnessVerdict::Verified);
    }

    void whatFiguresDependOnIsCompared()
    {
        HelloReply::Device here;
        here.name = "A CPU";
        here.facts = {{"compiler", "g++ 12"}, {"features", {"avx", "fma"}}, {"measuring_core", 3}};
        QVERIFY(differencesOf(recorded(), here).empty());
        here.facts["features"] = {"avx", "amx"};
        QCOMPARE(
            differencesOf(recorded(), here), std::vector<std::string>{"features only recorded: fma; only here: amx"});
        here.facts["features"] = {"avx", "fma"};
        here.facts["compiler"] = "g++ 14";
        here.name = "B";
        const std::vector<std::string> differences = differencesOf(recorded(), here);
        QCOMPARE(differences.size(), std::size_t(2));
        QCOMPARE(differences[0], std::string("name: recorded A CPU, here B"));
        QCOMPARE(differences[1], std::string("compiler: recorded g++ 12, here g++ 14"));
    }
};

TILEWRIGHT_TEST(TestHarnessJudgement)
#include "test_harness_judgement.moc"
