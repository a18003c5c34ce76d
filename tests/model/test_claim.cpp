// SPDX-License-Identifier: GPL-3.0-or-later
// Claims in words, as numbers; and how an author's claims stood up to measurement.
#include "core/model/claim.h"
#include "tests/model/claimed_run.h"

#include <QTest>

using namespace tilewright;

class TestClaim : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void numbersAreReadOutOfWords_data()
    {
        QTest::addColumn<QByteArray>("claim");
        QTest::addColumn<double>("ratio"); // 0: none
        const auto row = [](const char* claim, double ratio) { QTest::newRow(claim) << QByteArray(claim) << ratio; };
        row("+4 %", 1.04);
        row("+5 %, more on shallow products", 1.05);
        row("1.2x with kept tiles", 1.2);
        row("1.5×", 1.5);
        row("about 3 to 5 % faster", 1.04);
        row("+2–4 %", 1.03);
        row("8%", 1.08);
        row("8 percent", 1.08);
        row("10 % slower", 0.9);
        row("−3 %", 0.97);
        row("no change expected", 1);
        row("+3 % on 720×750×40, +1 % on 255×257×191", 0);
        row("+3 % on 720x750x40, +2 % overall", 1.02);
        row("-20 % registers", 0);
        row("8 % less time", 0);
        row("31 % of the stalls", 0);
        row("fewer bank conflicts", 0);
        row("c-0124 again", 0);
        row("pays only with both of the above", 0);
        row("", 0);
        row("-200 %", 0);
    }
    void numbersAreReadOutOfWords()
    {
        QFETCH(QByteArray, claim);
        QFETCH(double, ratio);
        const auto read = claimedRatio(claim.toStdString());
        QCOMPARE(read.has_value(), ratio > 0);
        if (read)
            QVERIFY2(std::abs(*read - ratio) < 1e-9, qPrintable(QString::number(*read)));
    }

    void theRecordIsTheMedianOfWhatWasTooMuch()
    {
        const RunState run = testing::claimedRun();
        QCOMPARE(claimRecordOf(run, "somebody").measured, std::int64_t(0));
        const ClaimRecord record = claimRecordOf(run, "mutator"); // too much by 5, 10 and 20 points
        QCOMPARE(record.measured, std::int64_t(3));
        QVERIFY2(std::abs(record.medianExcess - 0.10) < 1e-9, qPrintable(QString::number(record.medianExcess)));
    }
};

QTEST_APPLESS_MAIN(TestClaim)
#include "test_claim.moc"
